/* The progress line. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

static double seconds_since(const struct timespec *then, const struct timespec *now)
{
    return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

void progress_start(struct progress *progress, size_t total)
{
    *progress = (struct progress){.wanted = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO), .total = total};
    clock_gettime(CLOCK_MONOTONIC, &progress->started);
    progress->last = progress->started;
}

void progress_step(struct progress *progress, size_t done)
{
    if (!progress->wanted)
        return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds_since(&progress->started, &now) < 0.5 || seconds_since(&progress->last, &now) < 0.1)
        return;
    progress->last = now;
    progress->shown = true;
    double rate = (double)done / seconds_since(&progress->started, &now);
    if (progress->total > 0)
        fprintf(stderr, "\r\033[K%zu of %zu scripts, %zu %%", done, progress->total, done * 100 / progress->total);
    else
        fprintf(stderr, "\r\033[K%zu scripts, %.0f a second", done, rate);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
