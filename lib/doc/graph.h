/*
 * The whole script as one graph of tables, columns and edges, each once: what `dot` and `mermaid` draw. It lives in the
 * writer's arena, so it grows with what is to be drawn and not with the number of statements.
 */
#ifndef COLLINE_DOC_GRAPH_H
#define COLLINE_DOC_GRAPH_H

#include "doc/doc.h"

struct graph_column {
    uint32_t id; /* counts all columns of the graph */
    uint32_t table;
    str_t name;
};

struct graph_table {
    str_t name;
    bool result; /* the output of a SELECT */
    VEC(uint32_t) columns;
};

/* An end of an edge: a column, or a table as a whole: its rows, or all of its columns. */
struct graph_end {
    bool table;
    uint32_t index; /* UINT32_MAX: there is none, memory gave out */
};

struct graph_edge {
    struct graph_end from, to;
    str_t clause; /* of a condition; empty where values flow */
};

struct graph_slot;

struct doc_graph {
    VEC(struct graph_table) tables;
    VEC(struct graph_column) columns;
    VEC(struct graph_edge) edges;
    struct graph_slot *slots; /* hash over tables, columns and edges */
    uint32_t slot_count, used;
};

#endif
