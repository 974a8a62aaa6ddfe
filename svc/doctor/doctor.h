/* All checks, in the order in which things fail in the field. Reads and asks only; nothing is changed. */
#ifndef COLLINE_DOCTOR_DOCTOR_H
#define COLLINE_DOCTOR_DOCTOR_H

#include "config/config.h"
#include "doctor/findings.h"
#include "run/clock.h"

enum {
    DOCTOR_TIMEOUT_MS = 5000 /* of each question over the network */
};

/* `config` as it was read, good or not: of one that is not, only its messages are told. The HTTP library has begun. */
void doctor_run(const struct config *config, const struct clock *clock, struct findings *findings);

#endif
