/* Clocks of the benchmarks, in seconds. */
#ifndef COLLINE_BENCH_SECONDS_H
#define COLLINE_BENCH_SECONDS_H

#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Processor time of this process. */
static inline double processor_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double steady_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

#endif
