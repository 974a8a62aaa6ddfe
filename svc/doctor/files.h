/*
 * The sources that are files: whether their patterns match, this user may read them, they are written to, their clock and time zone fit, and what they hold can
 * be read.
 */
#ifndef COLLINE_DOCTOR_FILES_H
#define COLLINE_DOCTOR_FILES_H

#include "config/config.h"
#include "doctor/findings.h"
#include "run/clock.h"

/* All sources of the configuration that are no web pages, one after the other. */
void files_check(const struct config *config, const struct clock *clock, struct findings *findings);

/* The flags that a daemon told in the logs of a source, the newest: an arena's text; false when there are none. */
struct flags;
bool files_flags(const struct config_source *source, struct arena *arena, struct flags *flags);

#endif
