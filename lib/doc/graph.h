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

enum graph_edge_kind {
    GRAPH_DIRECT,  /* column → column */
    GRAPH_ROWS,    /* table → column: rows are counted */
    GRAPH_DECIDES, /* column → table: join, filter .. */
    GRAPH_TABLES   /* table → table: a statement without columns to show */
};

struct graph_edge {
    enum graph_edge_kind kind;
    uint32_t from, to; /* index of a column or a table, by kind */
    str_t label;       /* clause of GRAPH_DECIDES */
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
