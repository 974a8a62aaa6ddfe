/* The data folder: whose it is, positions, spool, room on its disk. Nothing in it is changed. */
#ifndef COLLINE_DOCTOR_FOLDER_H
#define COLLINE_DOCTOR_FOLDER_H

#include "config/config.h"
#include "doctor/findings.h"
#include "run/clock.h"

void folder_check(const struct config *config, const struct clock *clock, struct findings *findings);

#endif
