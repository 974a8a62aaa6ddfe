/*
 * Tells receivers of an alarm by webhook, in a thread of its own, so that a slow receiver holds up nothing. Each notice is tried some times; one that cannot be
 * delivered is said in the log. Addresses and secrets are never said.
 */
#ifndef COLLINE_RUN_NOTIFIER_H
#define COLLINE_RUN_NOTIFIER_H

#include "run/alarm.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/metrics.h"

/* Texts are borrowed as long as the notifier lives. */
struct notifier_target {
    str_t url;
    enum alarm_shape shape;
    str_t secret; /* DingTalk's, with which calls are signed; may be empty */
    int64_t timeout_ms;
};

struct notifier_options {
    const struct notifier_target *targets;
    size_t count;
    struct clock clock;
    int64_t again_ms; /* between two tries; 0: 10 s */
    struct log *log;
    struct metrics *metrics;
};

struct notifier;

/* NULL when memory or threads are out. The HTTP library has begun. */
struct notifier *notifier_start(const struct notifier_options *options);

/* Takes a copy; false when too many wait. */
bool notifier_tell(struct notifier *notifier, const struct alarm_notice *notice);

/* What is waiting is tried once more; takes NULL. */
void notifier_stop(struct notifier *notifier);

#endif
