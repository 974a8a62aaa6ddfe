/*
 * The bound statement: relations, queries and the column graph. Every column of every relation is a vertex; its `deps` are the
 * columns that its expression names, with how it uses them. Physical columns are the leaves. The graph is complete and neutral:
 * what counts as a source is decided by a reading (lib/flow), which walks it.
 *
 * Vertices are shared: a CTE or view that is used twice is bound once. Walkers mark vertices by stamp, never by recursion.
 */
#ifndef COLLINE_BIND_GRAPH_H
#define COLLINE_BIND_GRAPH_H

#include "base/name_map.h"
#include "catalog/catalog.h"
#include "lineage/document.h"

struct relation;
struct bound_query;
struct scope;
struct column;
struct column_index;
struct predicate_use;

/* A physical table of this statement; one for each name, however often it is read. */
struct source_table {
    struct name name;                  /* db.table */
    const struct catalog_table *known; /* NULL: not in the catalog */
    struct source_column **columns;    /* known: by ordinal, NULL until first used */
    VEC(struct source_column *) extra; /* columns beyond the catalog's: virtual ones, of unknown tables */
    struct name_map extra_by_name;     /* once there are many */
    struct source_column *rows, *star; /* the table's rows; all its columns, when they are not known */
    struct source_table *next;
    bool is_input;
    uint32_t stamp; /* of the walker */
};

/* A physical column: a leaf of the graph. Two are the same when their pointers are. */
struct source_column {
    struct source_table *table;
    str_t name;
    const struct type *type;
    uint32_t stamp, slot; /* of the walker */
    uint32_t id;          /* dense, from 0 */
};

/* How an expression uses a column. */
enum dep_role {
    DEP_CHANGED = 1,     /* below a function or an operator; unset: the bare column */
    DEP_AGGREGATED = 2,  /* in an aggregate's argument */
    DEP_CONDITION = 4,   /* in a condition of CASE or IF */
    DEP_WINDOW_ARG = 8,  /* in a window function's argument */
    DEP_WINDOW_KEY = 16, /* in PARTITION BY or ORDER BY of a window */
    DEP_SCRIPT = 32,     /* through TRANSFORM or a table function */
    DEP_SUBQUERY = 64,   /* the value of a scalar subquery */
    DEP_UNION = 128,     /* branch of a set operation */
    DEP_DISTINCT = 256,  /* argument of a DISTINCT aggregate */
    DEP_ROWS = 512       /* counts rows of `query`: `column` is NULL */
};

struct dep {
    struct column *column;
    struct bound_query *query; /* DEP_ROWS: whose rows */
    str_t path;                /* fields read below it: ".city" */
    uint32_t roles;            /* enum dep_role */
};

struct deps {
    struct dep *items;
    uint32_t count, capacity;
};

/* A condition or key: columns that decide which rows there are, or which value is taken. */
struct predicate {
    enum clause_kind clause;
    enum clause_kind own_clause; /* where it is written, also inside a subquery of a condition */
    str_t text;
    span_t span;             /* in the script; 0,0 inside views */
    const struct expr *expr; /* NULL for USING columns and the like */
    struct scope *scope;     /* where expr's names are looked up */
    struct deps deps;
    bool on_outer;           /* ON of an outer join */
    bool in_subquery;        /* made of IN, EXISTS and their like */
    void *reading;             /* of the reading: what counts of it */
    struct predicate_use *use; /* of the reading: the outputs that it decides */
    struct predicate *next;
};

struct predicate_list {
    struct predicate *first, *last;
};

enum column_flag {
    COLUMN_HIDDEN = 1,     /* not in stars: virtual columns */
    COLUMN_PARTITION = 2,  /* of a base table */
    COLUMN_ALIASED = 4,    /* has a name given in the query */
    COLUMN_OPEN = 8,       /* stands for all columns of an unknown table */
    COLUMN_AGGREGATE = 16, /* the expression has an aggregate at its own level */
    COLUMN_WINDOW = 32,    /* the expression has a window function at its own level */
    COLUMN_SCRIPT = 64,    /* made by TRANSFORM or a table function */
    COLUMN_PLAIN = 128,    /* the expression is a bare column (fields included), or came of a star */
    COLUMN_FIELD = 512,    /* field of a collection's struct item: visible beside it, not in stars */
    COLUMN_MERGED = 1024,  /* of USING or NATURAL: stands for both sides */
    COLUMN_UNION = 2048    /* of a set operation */
};

/* A vertex: a column of a relation or an output of a query. */
struct column {
    struct name name; /* empty: cannot be named */
    str_t shown;      /* as written */
    uint32_t flags;   /* enum column_flag */
    uint32_t ordinal; /* in its relation or query */
    struct relation *relation;    /* SCAN and made columns: that it belongs to; NULL for a query's outputs */
    struct source_column *source; /* a scan's column: the leaf; NULL otherwise */
    const struct type *type;      /* NULL: not known */
    const struct expr *expr;      /* NULL: star, union, table function */
    str_t text;                   /* the expression as written */
    span_t span;                  /* in the script; 0,0 elsewhere */
    struct scope *scope;          /* where expr's names are looked up */
    struct bound_query *query;    /* the query that computes it; NULL for scans */
    struct relation *star_of;     /* came of a star: the relation that the star took it from */
    struct deps deps;
    struct predicate_list predicates; /* for this column alone: window keys, CASE conditions */
    struct bound_query *subqueries;   /* scalar subqueries inside, linked by next_subquery: their predicates are this column's */
    uint32_t stamp, state;            /* of the walker */
    uint32_t live;                    /* stamp of the liveness pass */
    struct column *through;           /* of the walker: where a row of bare columns leads that begins here; NULL: not known */
    uint32_t seen_at;                 /* of the binder: place in the list of deps that took it last */
};

enum relation_kind {
    RELATION_SCAN,       /* physical table */
    RELATION_QUERY,      /* derived table, CTE, view, VALUES: `query` */
    RELATION_LATERAL,    /* LATERAL VIEW */
    RELATION_FUNCTION,   /* PTF over its input, PIVOT */
    RELATION_COLLECTION  /* Impala's t.arr, UNNEST */
};

struct relation {
    uint8_t kind;
    bool open;         /* may have columns that are not listed */
    bool nullable;     /* on the inner side of an outer join */
    bool filters_only; /* right side of a semi or anti join: visible in ON only */
    bool anti;         /* right side of an anti join */
    bool is_cte, is_view;
    struct name alias;     /* by which columns are qualified */
    struct name table;           /* for db.t.c: the last part of the written name; empty when aliased */
    str_t db;                    /* and the one before it */
    struct source_table *source; /* SCAN */
    struct bound_query *query;   /* QUERY; FUNCTION: NULL */
    struct column **columns;     /* SCAN of a known table: entries NULL until used */
    uint32_t column_count;
    struct column_index *index;  /* by name, for wide relations; made when first searched */
    VEC(struct column *) extra;  /* virtual columns, fields, and columns of open relations, made when used */
    struct name_map extra_by_name; /* once there are many */
    struct relation *input;      /* FUNCTION, COLLECTION: what it is made from, may be NULL */
    const struct expr *call;     /* LATERAL: the table function */
    struct deps args;            /* LATERAL: what the function reads */
    struct column *star;         /* open: the vertex that stands for all columns */
    uint32_t number;             /* place in its scope */
};

/* What names may mean at some place; inner scopes first. */
struct scope {
    struct scope *parent; /* of the enclosing query, for correlated names */
    VEC(struct relation *) relations;
    struct name_map by_alias;    /* of the first `indexed` relations the last of each alias, once there are many */
    uint32_t indexed;
    bool index_shared;           /* with other scopes: nothing may be added */
    VEC(struct column *) merged; /* USING, NATURAL: one column for both sides */
    struct bound_query *query;   /* of the block; its items' aliases are visible once they are bound */
    str_t text;                  /* that spans point into */
    bool in_script;              /* the text is the script: spans can be shown */
};

struct setop_branch {
    struct bound_query *query;
    uint8_t op; /* enum setop_kind before this branch */
};

struct join_info {
    uint8_t kind; /* enum join_kind */
    uint32_t first_left;             /* relations [first_left, first_right) of the scope are the left side */
    uint32_t first_right, end_right; /* and [first_right, end_right) the right one */
    const struct expr *on;
    const struct join_step *step;
    struct scope *scope;
};

enum bound_kind {
    BOUND_BLOCK, BOUND_SETOP, BOUND_VALUES
};

/* A query with its output columns. */
struct bound_query {
    uint8_t kind; /* enum bound_kind */
    bool distinct, has_limit;
    bool aggregated; /* an aggregate function in items, HAVING or ORDER BY */
    bool script;     /* SELECT TRANSFORM */
    bool open;       /* an output is an open star */
    struct bound_query *from_shared; /* BLOCK of a FROM-first statement: the FROM that its legs share; NULL: none */
    bool value_only; /* scalar subquery in an item: its predicates are that column's */
    VEC(struct column *) columns;
    const struct block *block; /* BLOCK */
    const struct query *ast;
    struct scope *scope;       /* BLOCK */
    VEC(struct setop_branch) branches;
    VEC(struct join_info) joins;
    struct predicate_list predicates;   /* for all outputs */
    VEC(struct bound_query *) children; /* queries read: derived tables, CTEs, views, branches, subqueries of conditions and items */
    VEC(struct source_table *) tables;  /* physical tables read directly, by FROM */
    VEC(struct bound_query *) sources;  /* queries read by FROM, and branches: those whose rows become this one's */
    struct bound_query *next_subquery;  /* in a column's list */
    str_t view_name;                    /* a view's body: its name */
    uint32_t stamp, rows_stamp;         /* of the walkers */
};

struct target_column {
    str_t name;            /* of the target's column; of a SELECT: the output name */
    struct column *column; /* NULL: no value of the query (constant) */
    bool static_partition, dynamic_partition, missing;
    str_t literal;         /* static partition: the value as written */
    uint32_t ordinal;
};

/* One write, or the SELECT itself. */
struct bound_leg {
    struct doc_output output;          /* table and path empty: a SELECT */
    const struct catalog_table *table; /* the target, when known before */
    struct bound_query *query;         /* NULL: nothing is read */
    VEC(struct target_column) targets;
    struct predicate_list predicates;  /* of the leg itself: MERGE's ON and WHEN, UPDATE's WHERE */
    uint8_t merge_action;              /* enum merge_action + 1; 0: no MERGE */
};

/* What a statement has anywhere, views included: readings that treat it otherwise look closer. */
enum bound_trait {
    TRAIT_WINDOW = 1,        /* a window function */
    TRAIT_DISTINCT = 2,      /* a DISTINCT aggregate */
    TRAIT_TABLE_FUNCTION = 4, /* in FROM */
    TRAIT_SETOP_ALL = 8,     /* INTERSECT ALL, EXCEPT ALL */
    TRAIT_LITERAL = 16,      /* NULL, TRUE, FALSE anywhere, another literal or IS NULL in a condition */
    TRAIT_CHOICE = 32,       /* CASE, IF, COALESCE .. */
    TRAIT_ON = 64,           /* a join with a condition */
    TRAIT_SUBQUERY = 128,    /* in a condition or an item */
    TRAIT_UNPLANNED = 256,   /* what Hive's optimiser takes no statement with: DISTRIBUTE BY, CLUSTER BY, TABLESAMPLE, TRANSFORM,
                                table functions in FROM, LATERAL VIEW OUTER */
    TRAIT_SORT = 512,        /* SORT BY: nor one with this and a LIMIT anywhere */
    TRAIT_LIMIT = 1024,
    TRAIT_REPEAT = 2048      /* the first branch of a set operation gives one column twice */
};

struct bound_statement {
    enum operation operation;
    VEC(struct bound_leg) legs;
    VEC(struct doc_dataset) extra_inputs; /* tables and directories read other than by a query */
    VEC(struct doc_output) extra_outputs; /* written other than by a leg */
    struct source_table *tables;          /* all, linked, newest first */
    uint32_t table_count;
    struct name_map tables_by_name;       /* once there are many */
    VEC(str_t) views;                     /* seen through, in order of use */
    uint32_t source_count;                /* source columns made: ids are below it */
    bool explain;
    str_t dropped;                        /* DROP TABLE, DROP VIEW: its name; empty: none */
    uint32_t traits;                      /* enum bound_trait */
    struct bound_query *view_body;        /* CREATE VIEW: the body, for bind_apply */
};

#endif
