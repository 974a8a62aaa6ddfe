/*
 * Bound statement → lineage document, by one of two readings (design: value and engine). Each reading is one file; what they
 * share is in build.c.
 */
#ifndef COLLINE_FLOW_FLOW_H
#define COLLINE_FLOW_FLOW_H

#include "bind/graph.h"
#include "flow/trace.h"

struct flow_input {
    struct arena *arena;
    enum dialect dialect;
    enum reading reading;
    struct diag_list *diags;
};

/* Fills inputs, outputs, columns, predicates, views and operation of `out`. */
void flow_statement(const struct flow_input *input, struct bound_statement *bound, struct doc_statement *out);

/* ---- shared by the readings ---- */

struct flow {
    const struct flow_input *in;
    struct arena *arena;
    struct bound_statement *bound;
    struct doc_statement *out;
    struct tracer tracer;
    VEC(struct doc_column) columns;
    VEC(struct doc_predicate) predicates;
    VEC(struct predicate *) used;  /* predicates with a `use`, in order of discovery */
    uint32_t predicate_skip;       /* roles that predicates do not follow */
    struct bound_leg *leg;         /* in hand */
    struct target_column *target;
    bool ranked;                   /* a window function is on the way to the target in hand */
    uint32_t stamp;                /* for queries */
    bool value_queries;            /* flow_each_query: queries of values too */
    void *context;                 /* of the reading */
    void (*trace_predicate)(struct flow *f, const struct predicate *predicate); /* NULL: all that it names */
};

/* The outputs that a predicate decides. */
struct predicate_use {
    VEC(struct doc_target) targets;
    VEC(struct bound_leg *) whole_legs; /* that it decides as a whole */
    struct bound_leg *last_leg;
    const struct target_column *last_target;
};

/* The predicate decides the target in hand, or all of the leg in hand. */
void flow_use_for_target(struct flow *f, struct predicate *predicate);
void flow_use_for_leg(struct flow *f, struct predicate *predicate);

/* Every query that the leg's rows depend on, `visit` called once for each; queries of values only are passed over, unless f->value_queries. */
void flow_each_query(struct flow *f, struct bound_query *query, void (*visit)(struct flow *f, struct bound_query *query));

/* Turns the predicates in use into document predicates. `wanted` tells which clauses the reading shows. */
void flow_put_predicates(struct flow *f);

/* Adds document columns for the target in hand from what the tracer reached. */
void flow_put_column(struct flow *f, struct target_column *target);

/* Inputs, outputs, views. */
void flow_put_datasets(struct flow *f);

/* Finishes the document: lists in place. */
void flow_finish(struct flow *f);

void flow_value(struct flow *f);
void flow_hive_engine(struct flow *f);
void flow_impala_engine(struct flow *f);

#endif
