/* The system's clocks, and one that a test sets. */
#include "run/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t id)
{
    struct timespec now = {0};
    (void)clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t system_now(void *context)
{
    (void)context;
    return read_clock(CLOCK_REALTIME);
}

static int64_t system_steady(void *context)
{
    (void)context;
    return read_clock(CLOCK_MONOTONIC);
}

struct clock clock_system(void)
{
    return (struct clock){.now_ms = system_now, .steady_ms = system_steady};
}

static int64_t manual_read(void *context)
{
    return *(const int64_t *)context;
}

struct clock clock_manual(int64_t *ms)
{
    return (struct clock){.now_ms = manual_read, .steady_ms = manual_read, .context = ms};
}
