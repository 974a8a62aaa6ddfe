/* The state of an installation without Kafka: whether it can be opened, and how many of the last records were invalid. */
#ifndef COLLINE_DOCTOR_STATE_H
#define COLLINE_DOCTOR_STATE_H

#include "config/config.h"
#include "doctor/findings.h"

void state_check(const struct config *config, struct findings *findings);

#endif
