/*
 * The time, handed to whatever needs it. Nothing in svc/ asks the system itself, so a test plays 25
 * hours in a moment.
 *
 * `now_ms` is the wall clock (ms since 1970, UTC) and may jump; `steady_ms` never goes back and has
 * no meaning but its differences: use it for time-outs and intervals.
 */
#ifndef COLLINE_RUN_CLOCK_H
#define COLLINE_RUN_CLOCK_H

#include <stdint.h>

struct clock {
    int64_t (*now_ms)(void *context);
    int64_t (*steady_ms)(void *context);
    void *context;
};

static inline int64_t clock_now(const struct clock *clock)
{
    return clock->now_ms(clock->context);
}

static inline int64_t clock_steady(const struct clock *clock)
{
    return clock->steady_ms(clock->context);
}

/* The system's clocks. */
struct clock clock_system(void);

/* A clock that stands until it is set: both readings are *ms, which the caller keeps. */
struct clock clock_manual(int64_t *ms);

#endif
