/*
 * How many events one transaction takes, so that it is over soon and a process that is told to stop need not wait for it: half as many behind a slow one, twice
 * as many behind a quick one.
 */
#ifndef COLLINE_LOAD_PACE_H
#define COLLINE_LOAD_PACE_H

#include <stddef.h>
#include <stdint.h>

struct pace {
    size_t now, most; /* events */
};

enum {
    PACE_FIRST = 500,
    PACE_LEAST = 50,
    PACE_QUICK_MS = 500,
    PACE_SLOW_MS = 1500
};

static inline struct pace pace_of(size_t most)
{
    return (struct pace){most < PACE_FIRST ? most : PACE_FIRST, most};
}

/* A transaction of `count` events took so long. */
static inline void pace_took(struct pace *pace, size_t count, int64_t ms)
{
    if (ms > PACE_SLOW_MS && pace->now > PACE_LEAST)
        pace->now = pace->now / 2;
    else if (ms < PACE_QUICK_MS && count >= pace->now)
        pace->now = pace->now > pace->most / 2 ? pace->most : pace->now * 2;
}

#endif
