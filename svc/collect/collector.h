/*
 * What reads a source: files that are tailed, a web page that is polled, a folder of SQL. All of a collector's calls come from one
 * thread. It hands each record on with a cookie of its own and remembers the position behind it; when a cookie is acknowledged, the
 * positions advance to before the lowest one that is not, and are saved at most once a second and at the end. So a crash
 * reads again what nobody acknowledged, and nothing is passed over.
 */
#ifndef COLLINE_COLLECT_COLLECTOR_H
#define COLLINE_COLLECT_COLLECTOR_H

#include "record/raw.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/metrics.h"

struct collector;

/* What a collector is given. The record is borrowed for the call only. */
struct collector_output {
    /* False: full. The collector keeps its place and gives the same record again in a later step. */
    bool (*emit)(void *context, const struct raw_record *record, uint64_t cookie);
    void *context;
    const struct clock *clock;
    struct log *log;
    struct metrics *metrics;
};

struct collector_ops {
    const char *name;
    /* Reads what is there, at most `budget` records; gives how many were emitted. Does not wait. */
    size_t (*step)(struct collector *collector, size_t budget);
    /* When nothing was there: ms until a step makes sense, -1: when the descriptor can be read. */
    int (*idle_ms)(struct collector *collector);
    /* A descriptor that can be read when something is there; -1 for none. */
    int (*descriptor)(struct collector *collector);
    void (*acked)(struct collector *collector, uint64_t cookie);
    /* Moves the positions over what is acknowledged. */
    void (*settle)(struct collector *collector);
    /* Saves what it keeps outside the common checkpoint if it moved, at most once a second; false when it could not be written. */
    bool (*save)(struct collector *collector);
    /* Whether a source that has an end (archives, folders) has been read to it. */
    bool (*finished)(const struct collector *collector);
    void (*close)(struct collector *collector);
    /* Whether the last step found nothing more to read; NULL: always. */
    bool (*quiet)(const struct collector *collector);
};

/* The first member of each collector. */
struct collector {
    const struct collector_ops *ops;
    struct collector_output output;
};

#endif
