/*
 * What Hive's optimiser does to a query, as far as its lineage shows it. The bound statement is copied into a plan: a part for
 * every use of a query or table, and expressions as nodes that are shared when they are equal, so that "the same expression"
 * is the same pointer. Derived tables are looked through while the plan is made: an output of one is the node that computes it.
 *
 * hive_part.c queries → parts          hive_expr.c  expressions → nodes         hive_node.c   nodes, and what they fold to
 * hive_fact.c conditions → constants   hive_fold.c  nodes with what is known    hive_window.c rows below window functions
 * hive_outer.c joins made inner        hive_empty.c parts without rows           hive_simplify.c CASE, COALESCE, calls
 * hive_engine.c the reading itself     hive_predicate.c columns of conditions   hive_leg.c legs of a multi-insert
 * hive_repeat.c columns that a branch gives twice
 *
 * Statements without any of this never get here: their columns are read from the bound graph as it is.
 */
#ifndef COLLINE_FLOW_HIVE_PLAN_H
#define COLLINE_FLOW_HIVE_PLAN_H

#include "flow/flow.h"

struct part;

enum node_kind {
    NODE_LITERAL,   /* a constant; `literal` says of what kind, `name` holds its text */
    NODE_COLUMN,    /* a column of a scan, or one that is not looked into: `column` */
    NODE_BARRIER,   /* args[0] seen from above a LIMIT, a window function or a LATERAL VIEW: what is known above does not hold below */
    NODE_BRANCHES,  /* output `ordinal` of a set operation: args are the branches' */
    NODE_AGGREGATE, /* of the block `owner` */
    NODE_WINDOW,    /* of the block `owner`; sources: the block's row */
    NODE_SCRIPT,    /* made by TRANSFORM or a table function */
    NODE_SUBQUERY,  /* IN, EXISTS and their like over `owner`; args: the value */
    NODE_OPERATOR,  /* op of the tree; IN and the like: see NODE_IN */
    NODE_IN,        /* args: value, items */
    NODE_CASE,      /* args: when, then, .. else */
    NODE_CAST,
    NODE_FIELD,     /* below a struct */
    NODE_ROW,
    NODE_CALL
};

enum literal_kind {
    LITERAL_IS_NULL, LITERAL_IS_TRUE, LITERAL_IS_FALSE, LITERAL_IS_NUMBER, LITERAL_IS_STRING,
    LITERAL_IS_OTHER /* constant, its value is not followed */
};

/* Types as far as comparing with a literal depends on them. */
enum value_type {
    VALUE_UNKNOWN, VALUE_STRING, VALUE_CHAR, VALUE_NUMBER, VALUE_DATE, VALUE_BOOLEAN, VALUE_OTHER
};

struct node_pair;

struct node {
    uint8_t kind;    /* enum node_kind */
    uint8_t op;      /* enum expr_op */
    uint8_t literal; /* enum literal_kind */
    uint8_t type;    /* enum value_type */
    bool raw;        /* made where nothing is optimised */
    bool distinct;   /* AGGREGATE */
    bool opaque;     /* BARRIER: takes no facts */
    uint16_t depth;
    uint32_t hash;
    uint32_t first_part, last_part; /* of the parts whose columns it reads; first > last: none */
    struct name name;
    struct node **args;
    uint32_t arg_count;
    uint64_t lost;   /* AGGREGATE: arguments without sources, by bit */
    struct column *column;
    struct part *owner;
    uint32_t ordinal;
    struct part *function_block; /* with such a BARRIER among what it reads: its owner */
    struct node *fact;      /* the literal that it is known to equal */
    struct part *fact_part; /* whose WHERE says so; NULL: something else */
    struct node *low, *high; /* literals that conditions hold it between */
    struct node *choices;    /* the first IN list that it is in */
    struct node_pair *pairs;
    struct node *folded;
    uint32_t fold_stamp;
    uint32_t stamp, strength; /* of the walk for sources */
    uint32_t set_stamp;       /* of small sets: keys of a block, facts of a disjunct */
    struct node *next;        /* in its bucket */
};

/* `node = other`: what is known of one holds for the other. */
struct node_pair {
    struct node *other;
    struct node_pair *next;
};

enum part_kind {
    PART_SCAN, PART_BLOCK, PART_SETOP, PART_VALUES, PART_LATERAL, PART_FUNCTION, PART_RENAMED
};

enum condition_kind {
    CONDITION_WHERE, CONDITION_HAVING, CONDITION_ON
};

struct condition {
    struct node *node;
    struct predicate *predicate; /* that it is in the bound statement; NULL: none */
    struct condition *next;      /* the same predicate in another use of its query */
    struct part *part;
    uint8_t kind;    /* enum condition_kind */
    uint32_t join;   /* ON: index into the part's joins */
};

/* A join of a block; kind is what conditions leave of it: an outer join may become an inner one. */
struct part_join {
    uint8_t kind; /* enum join_kind */
    uint32_t first_left, first_right, end_right; /* inputs */
};

struct part {
    uint8_t kind;
    bool raw;        /* not optimised */
    bool leg;        /* of a multi-insert: its inputs are those of its parent */
    bool aggregated, grouped, windowed, lateral, limited, distinct;
    bool semi, anti; /* a subquery of IN or EXISTS, plain or negated, among the conditions of its block */
    bool subquery;   /* of a condition or an item */
    bool empty, input_empty, dead;
    uint32_t id, end; /* parts [id, end) are inside */
    uint32_t slot;    /* which input of its parent it is */
    struct part *parent;
    struct part *outer;    /* BLOCK: for names of the enclosing query */
    struct bound_query *query;
    struct relation *relation;
    struct scope *scope;
    struct node **outputs;
    uint32_t output_count;
    struct part **inputs;
    uint32_t input_count;
    struct part_join *joins;
    uint32_t join_count;
    VEC(struct node *) keys, aggregates, windows;
    VEC(struct node *) partition_keys; /* that all its window functions have */
    struct node **window_row; /* what reaches the window functions */
    uint32_t window_row_count;
    bool window_row_done;
    bool repeats_done, repeats; /* SETOP: whether its first branch gives anything twice */
    uint32_t row_stamp; /* of the walk for sources that went over the row */
};

struct plan {
    struct flow *flow;
    struct arena *arena;
    bool failed; /* too large or too deep: the bound graph is read as it is */
    bool raw;    /* what is being built is not optimised */
    bool aside;  /* nothing of the statement is */
    uint32_t depth;
    struct node **buckets;
    uint32_t bucket_mask, node_count;
    VEC(struct part *) parts;
    VEC(struct condition *) conditions;
    VEC(struct node *) work; /* nodes with a new fact */
    VEC(struct node *) paired; /* outputs of set operations and the like that have pairs */
    struct part *part;       /* whose expressions are being built */
    uint32_t fold_stamp, stamp, set_stamp;
    bool skip_fields; /* tracing: what is read of a struct only as a field does not count */
    bool live_done; /* columns that are needed are marked: see hive_window.c */
};

/* ---- hive_node.c ---- */

/* What a new node is looked up by; the rest of it is derived. */
struct node_key {
    uint8_t kind, op, literal, type;
    bool distinct, opaque;
    struct name name;
    struct node *const *args;
    uint32_t arg_count;
    struct column *column;
    struct part *owner;
    uint32_t ordinal;
};

/* The node of this key as it is; NULL when out of memory or too large. */
struct node *node_make(struct plan *p, const struct node_key *key);
/* The same, simplified where the plan is optimised. */
struct node *node_simple(struct plan *p, const struct node_key *key);
struct node *node_literal(struct plan *p, enum literal_kind literal, str_t text, enum value_type type);
struct node *node_operator(struct plan *p, enum expr_op op, struct node *const *args, uint32_t count);
struct node *node_not(struct plan *p, struct node *arg);
bool node_is_literal(const struct node *node, enum literal_kind literal);
/* Whether two literals are known to be equal, or known to differ. */
bool literals_equal(const struct node *a, const struct node *b);
bool literals_differ(const struct node *a, const struct node *b);
/* -1, 0 or 1 for whole numbers, which are compared as such, and for two texts; 2 when the order is not known. */
int literals_order(const struct node *a, const struct node *b);
enum value_type value_type_of(const struct type *type);

/* ---- hive_simplify.c ---- */
struct node *simplify_case(struct plan *p, const struct node_key *key);
struct node *simplify_call(struct plan *p, const struct node_key *key);

/* ---- hive_expr.c ---- */
struct node *plan_expr(struct plan *p, struct scope *scope, const struct expr *expr);
/* A column of the part's input. */
struct node *plan_column(struct plan *p, struct part *part, struct relation *relation, struct column *column);

/* ---- hive_part.c ---- */
struct part *plan_query(struct plan *p, struct bound_query *query, struct part *outer);
/* A leg of a multi-insert, over the part that plans what all of them read. */
struct part *plan_leg(struct plan *p, struct bound_query *query, struct part *from);
/* The input of the block that the node reads, when it is just one; else how many there are. */
uint32_t part_only_input(const struct part *part, const struct node *node);
struct node *part_column(struct plan *p, struct part *part, struct column *column);

/* ---- hive_fact.c ---- */
/* Finds out what is constant and which parts are empty; nodes are folded by that from then on. */
void plan_solve(struct plan *p);

/* ---- hive_outer.c ---- */
void plan_strengthen(struct plan *p);
bool join_is_inner(uint8_t kind);
/* ON of a join that is no inner one. */
bool condition_is_outer(const struct condition *condition);

/* ---- hive_empty.c ---- */
void plan_find_empty(struct plan *p);

/* ---- hive_fold.c ---- */
struct node *node_fold(struct plan *p, struct node *node);
/* Gives the tracer all that the node comes from. */
void plan_trace(struct plan *p, struct node *node, bool keep_constants);

/* ---- hive_repeat.c ---- */
/* The next output of a set operation, from `from` on, that is one with the output `ordinal` in Hive's eyes; its output_count: none. */
uint32_t branches_next(struct plan *p, struct part *part, uint32_t ordinal, uint32_t from);

/* ---- hive_window.c ---- */
/* The part whose row it is: legs of a multi-insert over a join have one together. */
struct part *window_row_part(const struct plan *p, struct part *part);
struct node **window_row(struct plan *p, struct part *part, uint32_t *count);

/* ---- hive_leg.c ---- */
/* What legs of a multi-insert that group alike lose together. */
void share_distinct(struct plan *p, struct part *const *legs, uint32_t count);

/* ---- hive_predicate.c ---- */
/* Gives the tracer what counts of a predicate (flow.trace_predicate); predicates without a plan count as a whole. */
void plan_predicates(struct plan *p);

#endif
