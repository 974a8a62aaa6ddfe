/* The shortest way from one table or column to another. */
#ifndef COLLINE_ASK_PATH_H
#define COLLINE_ASK_PATH_H

#include "ask/column_graph.h"

struct ask_path_wish {
    int64_t src, dst; /* both datasets, or both columns */
    bool columns, indirect;
    struct ask_moment at;
};

struct ask_hop {
    int64_t src, dst;
    bool direct;
    int kind; /* enum column_edge_kind; 0 between tables */
    enum ask_state state;
    int64_t lineage; /* the newest statement */
    str_t expression, fingerprint;
};

struct ask_path {
    bool found, complete;
    struct ask_hop *hops; /* from the source to the target */
    uint32_t hop_count;
    str_t composed; /* between columns: the target in terms of the source */
};

struct ask_path ask_path(struct ask *ask, const struct ask_path_wish *wish);

#endif
