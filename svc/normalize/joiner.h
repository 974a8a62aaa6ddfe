/*
 * Joins the raw records of each query into events: a state machine without input, output or clock of its own. It is fed records in any order,
 * with duplicates, and ticks of the clock; what it makes comes out through callbacks. The event of a query is a function of the
 * set of its records. docs/… of the protocol: an event at once when the end is seen (revision 1); one full replacement
 * (revision 2) for what improves it within the window; a marker of what was done for 25 h; what never ended is given out as
 * incomplete 25 h after the latest captured_at.
 */
#ifndef COLLINE_NORMALIZE_JOINER_H
#define COLLINE_NORMALIZE_JOINER_H

#include "record/event.h"
#include "run/clock.h"

struct joiner;

struct joiner_limits {
    int64_t expiry_ms;   /* 25 h: open joins, by the wall clock since the latest captured_at */
    int64_t revision_ms; /* 5 min: how long improvements give one revision */
    int64_t grace_ms;    /* 10 s: an end told only by a LINEAGE or audit record waits this long for a better one */
    int64_t done_ms;     /* 25 h: how long the marker of a done query stays */
};

/* All borrowed for the call only. */
struct joiner_output {
    void (*emit)(void *context, const struct event *event);
    void (*put)(void *context, str_t query_id, str_t state); /* an open join or a done marker to be kept */
    void (*del)(void *context, str_t query_id);
    void (*invalid)(void *context, const struct raw_record *record, str_t reason);
    void *context;
};

/* NULL when memory is out. */
struct joiner *joiner_new(const struct joiner_limits *limits, const struct joiner_output *output);
void joiner_free(struct joiner *joiner);

/* Takes back a state that `put` gave, after a restart. False with the reason when it cannot be read. */
bool joiner_restore(struct joiner *joiner, str_t query_id, str_t state, str_t *reason);

void joiner_feed(struct joiner *joiner, const struct raw_record *record, int64_t now_ms);

/* Does what is due by now; gives when to tick next, ms. */
int64_t joiner_tick(struct joiner *joiner, int64_t now_ms);

#endif
