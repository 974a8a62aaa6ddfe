/* The alarm of a service: whether it is behind, by its own metrics, told to the webhooks of the configuration. */
#ifndef COLLINE_CMD_ALARMS_H
#define COLLINE_CMD_ALARMS_H

#include "config/config.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/metrics.h"

struct alarms;

/* All borrowed as long as they live. `stage` is a literal: capture. The HTTP library has begun. NULL when memory or threads are out. */
struct alarms *alarms_start(const struct config *config, const char *stage, const struct clock *clock, struct log *log, struct metrics *metrics);

/* Takes NULL. */
void alarms_stop(struct alarms *alarms);

#endif
