/*
 * Normalising inside one process, without Kafka: raw records come through a sink or one by one, events go into the state or a file.
 *
 * A batch is one transaction: the states of its queries, its events and what else it changed; records are acknowledged after that. So a crash
 * at any point loses nothing, and what is read again afterwards finds its query as it was or already done: every revision of an event
 * is there once. Standard output cannot take part in a transaction: there an event may come again after a crash.
 *
 * One thread.
 */
#ifndef COLLINE_NORMALIZE_DRIVER_LOCAL_H
#define COLLINE_NORMALIZE_DRIVER_LOCAL_H

#include "bus/sink.h"
#include "normalize/normalizer.h"

struct local;

struct local_options {
    struct normalizer_options normalizer;
    const char *state;   /* the SQLite file; NULL: nothing outlives the process */
    const char *output;  /* a file of JSON lines, `-` for standard output; NULL: into the state */
    const char *invalid; /* likewise, of what is invalid; NULL: into the state, or nowhere when there is none */
    size_t batch;        /* records in one transaction at most; 0: 20,000 */
    int64_t batch_wait_ms; /* how long a smaller batch waits, longer where the disk is slow; 0: 50 ms */
};

/* NULL with the reason appended. */
struct local *local_open(const struct local_options *options, struct buf *reason);

/* The last batch is committed first; false when it could not be. */
bool local_close(struct local *local);

/* What capture sends to. It belongs to the local; closing it does nothing. */
struct sink *local_sink(struct local *local);

/* One raw record as JSON; false: the batch is full, commit first. */
bool local_feed(struct local *local, str_t value, int64_t offset);

/* Does what is due, some thousands of queries at a time. */
void local_tick(struct local *local);

/* Whether more is due; of a local with a state. */
bool local_is_due(const struct local *local);

/* Everything that there was to be read by now has been fed: windows of logs that have fallen silent end by the clock alone (joiner_all_read). */
void local_all_read(struct local *local);

/* False when it could not be written: nothing of the batch counts, all of it is tried again by the next commit. */
bool local_commit(struct local *local);

/* Nothing more comes: open windows end now, and what never ended is given out as incomplete. For a local without a state. */
bool local_drain(struct local *local);

/* Whether the last batch could be written. From any thread; true of NULL. */
bool local_is_well(const struct local *local);

/* Somebody else has what the state holds of events up to this number; from any thread. The state then keeps the newest of them only. */
void local_events_taken(struct local *local, int64_t number);

struct local_totals {
    uint64_t events, invalid;
    struct joiner_counts joined;
};

struct local_totals local_totals(const struct local *local);

#endif
