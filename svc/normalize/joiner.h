/*
 * Joins the raw records of each query into events: a state machine without input, output or clock of its own. It is fed records in any order,
 * with duplicates, and ticks of the clock; what it makes comes out through callbacks. The event of a query is a function of the
 * set of its records (merge.h):
 *
 *     open ──end seen──▶ revision 1, at once ──▶ window ──5 min──▶ at most one revision more ──▶ done ──25 h──▶ forgotten
 *       └──weak end seen──▶ grace ──10 s──▲                          25 h without an end: given out as incomplete, done
 *
 * Work goes in batches: feed and tick, then joiner_settle, which hands out the net changes of the states, then joiner_commit when these
 * are kept safely, or joiner_abort, after which the joiner is as it was after the last commit.
 */
#ifndef COLLINE_NORMALIZE_JOINER_H
#define COLLINE_NORMALIZE_JOINER_H

#include "record/event.h"

struct joiner;

struct joiner_limits {
    int64_t expiry_ms;   /* 25 h: open joins, by the wall clock since the latest captured_at */
    int64_t revision_ms; /* 5 min: how long improvements are gathered for one revision, by the clock and by the log */
    int64_t grace_ms;    /* 10 s: an end told only by a LINEAGE or audit record waits this long for a better one; 0: nothing better comes */
    int64_t done_ms;     /* 25 h: how long the marker of a done query stays */
};

/* All borrowed for the call only. `emit` comes during feed and tick, `put` and `del` during settle, at most one of them a query. */
struct joiner_output {
    void (*emit)(void *context, const struct event *event);
    void (*put)(void *context, str_t query_id, str_t state); /* an open join or a done marker to be kept */
    void (*del)(void *context, str_t query_id);
    void (*invalid)(void *context, const struct raw_record *record, str_t reason);
    /*
     * NULL: the joiner keeps all states in memory. Else it forgets each once it is committed and asks here for the state of a query that
     * it does not know: false when there is none. What is due is then given back with joiner_restore by whoever keeps it.
     */
    bool (*get)(void *context, str_t query_id, struct buf *state);
    void *context;
};

/*
 * Fills in what records do not tell: lineage, fingerprint, operation, real names of tables, namespace. The event comes with what was joined:
 * `input_tables` and `output_tables` as logged, `operation_type` as the best source calls the statement. New texts go into the arena
 * or live until the next call. Gives whether another catalog could make it better.
 */
struct joiner_resolver {
    bool (*resolve)(void *context, struct event *event, struct arena *arena);
    void *context;
};

struct joiner_counts {
    uint64_t records;
    uint64_t duplicates; /* told nothing new */
    uint64_t late;       /* came after the window */
    uint64_t events;     /* first revisions, the incomplete ones among them */
    uint64_t revisions;  /* second ones and later */
    uint64_t incomplete;
    uint64_t failed;     /* queries without success, which have no lineage */
    uint64_t open;       /* now in memory without an end */
};

/* NULL when memory is out. */
struct joiner *joiner_new(const struct joiner_limits *limits, const struct joiner_output *output);
void joiner_free(struct joiner *joiner);

/* Before the first record; without one, events say only what was joined. */
void joiner_set_resolver(struct joiner *joiner, const struct joiner_resolver *resolver);

/* Takes back a state that `put` gave, after a restart or when it is due. False with the reason when it cannot be read. */
bool joiner_restore(struct joiner *joiner, str_t query_id, str_t state, str_t *reason);

void joiner_feed(struct joiner *joiner, const struct raw_record *record, int64_t now_ms);

/* Does what is due by now; gives when to tick next, ms, or INT64_MAX. */
int64_t joiner_tick(struct joiner *joiner, int64_t now_ms);

/*
 * Everything that stood to be read at a time has been fed. What improves an event must have been logged within revision_ms of its end, whenever it is read: so
 * a window is over when its log has been read that far. Without a word of this, a log that has fallen silent is waited for, twelve windows at most.
 */
void joiner_all_read(struct joiner *joiner, int64_t at_ms);

/* Whether windows wait for what was not read yet, so that the call above would help. */
bool joiner_is_waiting(const struct joiner *joiner, int64_t now_ms);

/*
 * For inputs that have an end: up to `most` queries are taken to their end now, as if all windows were over and nothing more came, and are
 * forgotten. Whether there are more; settle and commit come between.
 */
bool joiner_drain(struct joiner *joiner, int64_t now_ms, uint32_t most);

void joiner_settle(struct joiner *joiner);
void joiner_commit(struct joiner *joiner);
void joiner_abort(struct joiner *joiner);

/* The context that its output was made with. */
void *joiner_context(const struct joiner *joiner);

/* Whether the last batch was aborted, so that the present one may be the same again. */
bool joiner_is_retrying(const struct joiner *joiner);

struct joiner_counts joiner_counts(const struct joiner *joiner);

/* False after memory ran out: nothing since the last commit may be kept. */
bool joiner_is_well(const struct joiner *joiner);

/* When the query of a state is due, ms; so that whoever keeps states finds them by time. */
int64_t joiner_state_due(str_t state);

/* Whether the query of a state has no end yet. */
bool joiner_state_is_open(str_t state);

#endif
