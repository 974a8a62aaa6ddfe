/* The service itself: whether one answers at the address of the configuration, and whether it says that it is well. */
#ifndef COLLINE_DOCTOR_RUNNING_H
#define COLLINE_DOCTOR_RUNNING_H

#include "config/config.h"
#include "doctor/findings.h"

/* The HTTP library has begun. */
void running_check(const struct config *config, int timeout_ms, struct findings *findings);

#endif
