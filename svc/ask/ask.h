/*
 * Questions to a store: one file a question, a struct in, a struct out, everything in the arena of
 * the call. They go hop by hop over sorted batches of identifiers, so the time of an answer grows
 * with the answer, not with the store.
 *
 * A question that fails (the store cannot be read, memory is out) gives what it has; whoever asks
 * looks once, at the end, by ask_failed.
 */
#ifndef COLLINE_ASK_ASK_H
#define COLLINE_ASK_ASK_H

#include "base/arena.h"
#include "store/store.h"

enum {
    ASK_DAYS = 30,         /* of heat, queries, use */
    ASK_WALK_MOST = 10000, /* datasets or columns that one walk reaches */
    ASK_COUNT_MOST =
        200, /* edges of a dataset that are looked at to count its neighbours exactly */
    ASK_COLUMN_COUNT_MOST = 200 /* likewise of a column */
};

/* One caller's; belongs to one thread. */
struct ask {
    struct store *store;
    struct db *db;
    struct arena *arena;         /* of the question at hand */
    int64_t now;                 /* ms; read by ask_now */
    struct db_query *newest_day; /* is being asked for, and `now` may have to go back; or NULL */
};

struct ask ask_of(struct store *store, struct arena *arena, int64_t now);

/* Where the newest day that has anything is not today, `now` goes back to its end: the last 30 days
 * are those before it. It is asked together with the question's first look at the store. */
void ask_settle_now(struct ask *ask);
int64_t ask_now(struct ask *ask);

/* Whether the answer cannot be trusted to be whole. */
bool ask_failed(const struct ask *ask);

/* The first day of the last ASK_DAYS. */
int64_t ask_first_day(struct ask *ask);

/* A point in time of a question: now, or the end of a day. */
struct ask_moment {
    bool past;
    int64_t day; /* when past */
};

/* The day of `YYYY-MM-DD`, counted from 1970-01-01; false when it is none. And back, into 11 bytes.
 */
bool ask_day_by_name(str_t text, int64_t *day);
void ask_day_name(int64_t day, char *text);

/* ---- datasets ------------------------------------------------------------------------------- */

/* As lists and pictures show it. Texts that are not known are empty, times 0, numbers of unknown
 * columns 0. */
struct ask_dataset {
    int64_t id; /* 0: there is none */
    str_t name_space, name, database, kind, status, layer, family, comment, owner, engine;
    bool temporary;
    int64_t heat; /* tenths */
    int64_t users, last_written, last_read;
    int64_t quality; /* the worst of its checks' newest results, as in the store; 0: no check */
    int64_t column_count, up_count, down_count; /* where they were asked for */
};

/* What holds for all of them, in the order of `ids`; NULL when memory is out. */
struct ask_dataset *ask_datasets(struct ask *ask, const int64_t *ids, size_t count);

/* The same in two steps: other questions may be started between them. Counting is most of the work:
 * `counted` where columns and neighbours are shown as numbers. */
struct ask_dataset_batch;
struct ask_dataset_batch *ask_datasets_start(struct ask *ask, const int64_t *ids, size_t count,
                                             bool counted);
struct ask_dataset *ask_datasets_read(struct ask_dataset_batch *batch);

struct ask_name {
    str_t name_space, name;
};

/* What a name stands for: one dataset, or none, or several in different namespaces. */
struct ask_found {
    int64_t id; /* 0: none, or several */
    uint32_t several;
    struct ask_name *names; /* of several all, of none the nearest */
    uint32_t name_count;
};

/* By `name` in any case and `name_space` (empty: whichever has it), or by `NAMESPACE#NAME`. */
struct ask_found ask_find(struct ask *ask, str_t name_space, str_t name);

/* A column of a dataset in any case; 0 when there is none. */
int64_t ask_find_column(struct ask *ask, int64_t dataset, str_t name);

/* Names of columns that look like one that is not there. */
struct ask_name *ask_nearest_columns(struct ask *ask, int64_t dataset, str_t name, uint32_t *count);

/* Ids of namespaces; and all their names. */
int64_t ask_namespace(struct ask *ask, str_t name);
str_t *ask_namespaces(struct ask *ask, uint32_t *count);

#endif
