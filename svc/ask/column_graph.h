/* Columns around a column, and columns between given tables. */
#ifndef COLLINE_ASK_COLUMN_GRAPH_H
#define COLLINE_ASK_COLUMN_GRAPH_H

#include "ask/graph.h"

struct ask_column_node {
    int64_t id; /* of the column; the dataset's where `whole` */
    int64_t dataset;
    bool whole; /* its rows, or an open star */
    str_t name_space, table, column, type, status;
    int level;
};

struct ask_column_edge {
    int64_t src, dst; /* places in the list of nodes */
    bool direct;
    int kind; /* enum column_edge_kind, of the newest statement */
    enum ask_state state;
    enum ask_evidence evidence;
    struct ask_words uncertain;
    int64_t runs, last_run;
    int64_t lineage; /* the newest statement */
    uint32_t statements;
    str_t expression; /* where asked for */
};

struct ask_column_graph {
    struct ask_column_node *nodes; /* the focus first */
    uint32_t node_count;
    struct ask_column_edge *edges;
    uint32_t edge_count;
    uint32_t hub_edges; /* that were left out */
    bool complete;
};

struct ask_column_wish {
    int64_t focus; /* a column */
    bool up, down;
    uint32_t depth, limit; /* limit: of edges */
    bool indirect, offline, expressions;
    bool without_hubs; /* of indirect edges those from hubs are left out (ask/hubs.h) */
    struct ask_moment at;
};

struct ask_column_graph ask_column_graph(struct ask *ask, const struct ask_column_wish *wish);

/* Edges between columns of these datasets, in both directions, up to `limit`. */
struct ask_column_graph ask_column_edges(struct ask *ask, struct ask_ids *datasets,
                                         const struct ask_column_wish *wish);

/* All statements of an edge between two columns taken together; false when there is none. Nodes 0
 * and 1 of *graph are the ends. */
bool ask_column_edge(struct ask *ask, int64_t src, int64_t dst, struct ask_column_graph *graph);

/* ---- for walks of other questions ----------------------------------------------------------- */

/* Edges into (up) or out of these columns, and what the facts must tell of them; sorts the ids.
 * Constants and answers of a SELECT are left out. False: there are more than `most`. */
bool raw_column_step(struct ask_facts *facts, struct ask_ids *ids, bool up, bool indirect,
                     uint32_t most, struct raw_edges *edges);

#endif
