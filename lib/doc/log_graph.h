/*
 * One statement as the graph that the engines log: numbered vertices and edges from vertices to vertices. Lives in an arena for
 * one statement. Vertices are unique by table and label.
 */
#ifndef COLLINE_DOC_LOG_GRAPH_H
#define COLLINE_DOC_LOG_GRAPH_H

#include "base/jsonw.h"
#include "lineage/document.h"

struct log_vertex {
    str_t table;
    str_t label;   /* as the engine prints it */
    bool is_table; /* rows of a table (Hive) */
};

struct log_ids {
    uint32_t *items;
    uint32_t count, capacity;
};

struct log_edge {
    bool predicate;
    str_t expression; /* empty: none is printed */
    struct log_ids sources, targets;
};

struct log_slot;

struct log_graph {
    struct arena *arena;
    VEC(struct log_vertex) vertices;
    VEC(struct log_edge) edges;
    struct log_slot *slots; /* hash over vertices and edges */
    uint32_t slot_count, used;
};

void log_graph_init(struct log_graph *graph, struct arena *arena);

/* Number of the vertex, made when it is new. 0 when out of memory, which the arena remembers. */
uint32_t log_vertex(struct log_graph *graph, const struct log_vertex *vertex);

/* Appends the id. */
void log_ids_add(struct arena *arena, struct log_ids *list, uint32_t id);

/* Sorts the ids and removes repetitions. */
void log_ids_sort(struct log_ids *list);

/* A new edge, its lists empty; NULL when out of memory. */
struct log_edge *log_edge(struct log_graph *graph, bool predicate, str_t expression);

/*
 * An edge with these sources (sorted): the one that equals it in kind, expression and sources where there is one, else a new one.
 * NULL when out of memory.
 */
struct log_edge *log_edge_merged(struct log_graph *graph, bool predicate, str_t expression, const struct log_ids *sources);

/* `[1,2]` */
void write_ids(struct jsonw *json, const struct log_ids *ids);

/* The member `edges`; an edge without an expression has no such member. */
void log_edges_write(struct jsonw *json, const struct log_graph *graph);

#endif
