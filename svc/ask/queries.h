/* Queries that ran, and one of them. */
#ifndef COLLINE_ASK_QUERIES_H
#define COLLINE_ASK_QUERIES_H

#include "ask/expression.h"
#include "ask/graph.h"

struct ask_query {
    str_t query_id, engine, user, database, status, operation, fingerprint;
    int64_t started, ended, duration_ms; /* 0, 0, -1: not known */
    int64_t lineage, day, text;
    struct ask_words inputs, outputs; /* up to 100 names each */
    bool through_condition;           /* in answers about a column: only a condition reads it */
};

struct ask_queries_wish {
    int64_t dataset;                         /* 0: of all */
    int64_t column;                          /* of the dataset; 0: any */
    bool reads, writes;                      /* of the dataset */
    str_t user, engine, status, fingerprint; /* empty: any */
    int64_t from_day, to_day;                /* both included */
    uint32_t limit;
    int64_t before;     /* end of the last one of the page before; 0: from the newest */
    str_t before_query; /* its id */
};

struct ask_queries {
    struct ask_query *items; /* the newest first */
    uint32_t count;
    bool more;
    int64_t next_before; /* where the next page begins */
    str_t next_query;
};

struct ask_queries ask_queries(struct ask *ask, const struct ask_queries_wish *wish);

struct ask_mark {
    size_t start, end;
    bool target;
    str_t name;
};

struct ask_query_detail {
    struct ask_query query;
    str_t sql, error;
    str_t document;  /* JSON; empty: none */
    str_t uncertain; /* codes with commas between */
    struct ask_mark *marks;
    uint32_t mark_count;
    int64_t other_runs; /* -1: not known */
};

/* False when there is none of the id. */
bool ask_query_detail(struct ask *ask, str_t query_id, struct ask_query_detail *detail);

/* Where a text of SQL names these tables, in order: strings and comments apart. */
struct ask_mark *ask_marks(struct arena *arena, str_t sql, str_t database,
                           const struct ask_words *inputs, const struct ask_words *outputs,
                           uint32_t *count);

#endif
