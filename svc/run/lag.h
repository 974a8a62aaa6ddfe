/*
 * One figure for how far a stage is behind, from what it counts: the largest age of a record, by host, when it was read. A host that tells nothing new is
 * not behind, whatever its last figure was. While something waits for its acknowledgement and nothing moves, or the receiver is away, the stage is as late as
 * that has lasted.
 */
#ifndef COLLINE_RUN_LAG_H
#define COLLINE_RUN_LAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LAG_SERIES_MAX = 1024, /* hosts; more are not looked at */
    LAG_STALE_MS = 10000   /* a figure that has not changed for so long is an old one */
};

struct lag_sample {
    double records;     /* read since the start */
    const double *ages; /* seconds, by host, each always in its place */
    size_t age_count;
    bool waiting; /* something was read and is not at its receiver */
    bool away;    /* the receiver takes nothing: records go to the spool */
};

struct lag_watch {
    double records;
    int64_t stuck_since; /* steady ms; 0: it is not */
    double ages[LAG_SERIES_MAX];
    int64_t changed[LAG_SERIES_MAX]; /* steady ms; 0: never */
};

/* Seconds; the samples come about once a second. A watch begins as all zeros. */
double lag_figure(struct lag_watch *watch, const struct lag_sample *sample, int64_t now_ms);

#endif
