/*
 * Walks the column graph from outputs to physical columns. What counts is the reading's choice: which dependencies are
 * followed, and what is done at each vertex. No recursion: a stack in the arena; vertices are marked by stamp.
 */
#ifndef COLLINE_FLOW_TRACE_H
#define COLLINE_FLOW_TRACE_H

#include "bind/graph.h"

/* From weak to strong; of several ways from a source to a target the strongest counts. */
enum strength {
    STRENGTH_IDENTITY,
    STRENGTH_TRANSFORMATION,
    STRENGTH_AGGREGATION
};

/* A physical column that a walk met. */
struct reached {
    struct source_column *source;
    str_t path;
    uint8_t strength; /* enum strength, or-ed with REACHED_SCRIPT */
    bool script;
};

struct tracer;

/* Called once for each vertex of a walk; false: do not go below it. NULL: none. */
typedef bool tracer_visit(struct tracer *t, struct column *column);

struct trace_frame {
    struct column *column;
    str_t path;
    uint8_t strength;
    bool script;
};

struct tracer {
    struct arena *arena;
    uint32_t stamp;       /* of this walk; raised by trace_begin */
    uint32_t skip_roles;  /* dependencies with one of these roles are not followed */
    bool path_in_column;  /* sources are written as column.path */
    bool no_paths;        /* fields below a column are not told apart */
    bool keys_of_ranks;   /* of a window function without argument, follow its keys */
    tracer_visit *visit;
    void *context;
    VEC(struct reached) reached;
    VEC(struct trace_frame) stack;
    uint32_t query_stamp; /* for rows */
};

/* Starts a new set of reached columns. */
void trace_begin(struct tracer *t);

/* Adds what a column, or a list of dependencies, leads to. */
void trace_column(struct tracer *t, struct column *column);
void trace_deps(struct tracer *t, const struct deps *deps);
/* The same from a place that was reached with this strength already. */
void trace_column_as(struct tracer *t, struct column *column, uint8_t strength, bool script);

/* The physical tables below a query. */
void trace_rows(struct tracer *t, struct bound_query *query, uint8_t strength);

/* Sorted document sources of what was reached with this strength; pass -1 for all. Count in *count. */
struct doc_source *trace_sources(struct tracer *t, int strength, bool script, bool tables, uint32_t *count);

#endif
