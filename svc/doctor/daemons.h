/* Impala's daemons: whether their pages answer and let us in, and whether their flags stand in the way of the sources. */
#ifndef COLLINE_DOCTOR_DAEMONS_H
#define COLLINE_DOCTOR_DAEMONS_H

#include "config/config.h"
#include "doctor/findings.h"

/*
 * Asks the pages of each web source, each question within timeout_ms; flags come from there, and from the heads of logs where no page of the cluster
 * told any. The HTTP library has begun.
 */
void daemons_check(const struct config *config, int timeout_ms, struct findings *findings);

#endif
