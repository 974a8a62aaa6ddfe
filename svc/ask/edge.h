/* The statements behind an edge. */
#ifndef COLLINE_ASK_EDGE_H
#define COLLINE_ASK_EDGE_H

#include "ask/column_graph.h"
#include "ask/expression.h"

struct ask_user_runs {
    str_t user;
    int64_t runs;
};

struct ask_statement {
    str_t fingerprint, engine, operation, mode, database;
    enum ask_state state;
    enum ask_evidence evidence;
    int64_t runs, first_run, last_run;
    struct ask_user_runs *users;
    uint32_t user_count;
    str_t query_id, script, sql;
    struct ask_ties ties;
    str_t uncertain; /* codes with commas between */
};

struct ask_edge_wish {
    int64_t src, dst;               /* datasets */
    int64_t src_column, dst_column; /* 0: of the tables */
    uint32_t limit, skip;
};

struct ask_edge_detail {
    bool found;
    struct ask_edge edge;           /* of two tables */
    struct ask_column_graph column; /* of two columns: its only edges */
    struct ask_statement *items;    /* the newest first */
    uint32_t count, total;
    int64_t users; /* distinct ones */
};

struct ask_edge_detail ask_edge_detail(struct ask *ask, const struct ask_edge_wish *wish);

#endif
