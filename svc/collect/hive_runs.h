/*
 * What a Hive server's threads run: one entry for each stretch in which a thread compiles or executes a query. A fixed number is kept; the
 * oldest makes room.
 */
#ifndef COLLINE_COLLECT_HIVE_RUNS_H
#define COLLINE_COLLECT_HIVE_RUNS_H

#include "base/buf.h"
#include "collect/id_table.h"

enum { HIVE_ID_MAX = 160 };

struct hive_run {
    uint64_t number, before; /* of this run, from 1, and of the one that its thread had before; 0: none */
    char id[HIVE_ID_MAX]; /* of the query, lower case */
    char session[36];
    uint8_t id_len, session_len; /* a session is not always known */
    bool failed;
    int64_t start_ms;           /* when the query was first seen */
    int64_t begun_ms, ended_ms; /* when it was executed; INT64_MAX: not yet */
    struct buf text;            /* the statement while it is compiled; what went wrong while it is executed */
};

struct hive_runs {
    struct hive_run *ring; /* none until the first run */
    uint64_t last;         /* number of the newest */
    struct id_table threads, queries; /* hash → number of the newest run, in other.high */
    size_t text_bytes;
};

void hive_runs_init(struct hive_runs *runs);
void hive_runs_release(struct hive_runs *runs);

/* A run of the query on the thread; the present one when the thread is at that query already. NULL: no memory, or no id. */
struct hive_run *hive_runs_begin(struct hive_runs *runs, str_t thread, str_t query_id, int64_t time_ms);

/* What the thread did last, and the run in which it executed something at that time; NULL: nothing known. */
struct hive_run *hive_runs_newest(const struct hive_runs *runs, str_t thread);
struct hive_run *hive_runs_at(const struct hive_runs *runs, str_t thread, int64_t time_ms);

/* Keeps a copy of the text until it is dropped, when there is room for it. */
void hive_runs_keep_text(struct hive_runs *runs, struct hive_run *run, str_t text);
void hive_runs_drop_text(struct hive_runs *runs, struct hive_run *run);

/* Whether a later run, on whatever thread, is of the same query. */
bool hive_runs_went_on(const struct hive_runs *runs, const struct hive_run *run);

static inline str_t hive_run_id(const struct hive_run *run)
{
    return str_make(run->id, run->id_len);
}

static inline str_t hive_run_session(const struct hive_run *run)
{
    return str_make(run->session, run->session_len);
}

#endif
