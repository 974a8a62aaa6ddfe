/*
 * What the files of the binder share. One binder binds one statement; it is made on the stack by bind_statement.
 *
 * statement.c targets.c  statements → legs        query.c    queries, blocks, set operations, CTEs
 * from.c join.c          FROM → relations          expr.c     expressions → dependencies
 * scope.c                names → columns           star.c     stars of every form
 * relation.c             relations and scans       lateral.c  table functions
 * view.c                 views seen through        function.c what functions are
 * macro.c                macros put in place
 */
#ifndef COLLINE_BIND_BINDER_H
#define COLLINE_BIND_BINDER_H

#include "base/limits.h"
#include "bind/bind.h"

/* A WITH list in force. Its entries are bound when first used. */
struct cte_entry {
    const struct cte *cte;
    struct bound_query *query; /* NULL until bound */
    bool binding;              /* being bound: a use now is a recursion */
    struct bound_query *recursion; /* what a recursive use reads */
};

struct cte_scope {
    struct cte_scope *outer;
    struct cte_entry *entries;
    uint32_t count;
    uint32_t visible; /* Impala: entries before this one; Hive: all */
    struct scope *parent; /* of the query that has the WITH */
};

struct view_entry {
    struct name name;
    struct bound_query *query;
    bool binding;
    struct view_entry *next;
};

struct macro_entry;

/* An expression that a walk comes to later, with the roles that the way down has gathered. */
struct walk_frame {
    const struct expr *expr;
    uint32_t roles; /* enum dep_role */
};

/* Whether a bare name may be a select alias. */
enum alias_use {
    ALIAS_NONE,
    ALIAS_FIRST, /* ORDER BY: before columns */
    ALIAS_LAST   /* HAVING: when no column has the name */
};

struct binder {
    const struct bind_input *in;
    struct arena *arena;
    enum dialect dialect;
    struct bound_statement *stmt;
    str_t text;              /* of the tree in hand: the script or a view */
    bool in_script;
    str_t database;          /* of the text in hand */
    struct cte_scope *ctes;
    struct view_entry *views;
    struct macro_entry *macros;
    uint32_t view_depth, query_depth, macro_depth;
    bool names_by_position;  /* Impala below CREATE .. AS: unnamed outputs are _c0, _c1 (impala.md 7.2) */
    uint8_t aliases;         /* enum alias_use: of select aliases in the expression in hand */
    uint8_t clause_override; /* enum clause_kind + 1: predicates of a subquery in a condition count as this; 0: as their own */
    uint32_t window_calls;   /* in the items of the block in hand */
    VEC(struct walk_frame) walks; /* the stack of all walks in hand, each above those around it */
    struct bound_query *query; /* the block whose parts are being bound: takes subqueries */
};

/* ---- diagnostics ---- */
void binder_note(struct binder *b, enum diag_code code, span_t span, str_t prefix, str_t name, str_t suffix);

/* The bytes of the text in hand; of a span that is none of it, nothing. */
static inline str_t binder_slice(const struct binder *b, span_t span)
{
    bool good = span.end <= b->text.len && span.start <= span.end;
    return good ? str_make(b->text.ptr + span.start, span.end - span.start) : STR("");
}

/* 0,0 unless in the script */
static inline span_t binder_span(const struct binder *b, span_t span)
{
    return b->in_script ? span : (span_t){0, 0};
}

/* ---- relation.c ---- */
/* The statement's table of that name, which the catalog knows as `known`, or does not know: NULL. */
struct source_table *binder_known_table(struct binder *b, struct name name, const struct catalog_table *known);
/* The same of a name that is yet to be looked up. */
struct source_table *binder_table(struct binder *b, struct name name);
struct source_column *source_column_named(struct binder *b, struct source_table *table, struct name name, bool create);
struct relation *relation_new(struct binder *b, enum relation_kind kind, struct name alias);
struct relation *relation_scan(struct binder *b, struct source_table *table);
struct relation *relation_of_query(struct binder *b, struct bound_query *query, struct name alias);
/* The column of that name; NULL when the relation has none, or may have it only because it is open. */
struct column *relation_find(struct binder *b, struct relation *relation, struct name name);
/* The same by ordinal: makes the vertex of a scan's column when needed. */
struct column *relation_column(struct binder *b, struct relation *relation, uint32_t ordinal);
/* A column of an open relation that nothing lists. */
struct column *relation_assume(struct binder *b, struct relation *relation, struct name name, str_t shown);
/* Adds a column that was made for this relation; NULL when out of memory. */
struct column *relation_add(struct binder *b, struct relation *relation, struct column *column);
/* The columns added so far are all that the relation lists. */
void relation_close(struct relation *relation);
struct column *relation_star(struct binder *b, struct relation *relation);
struct column *column_new(struct binder *b, struct name name, str_t shown);
void deps_add(struct binder *b, struct deps *deps, struct column *column, str_t path, uint32_t roles);
void deps_add_rows(struct binder *b, struct deps *deps, struct bound_query *query, uint32_t roles);
void deps_add_all(struct binder *b, struct deps *deps, const struct deps *more, uint32_t roles);

/* ---- scope.c ---- */
struct scope *scope_new(struct binder *b, struct scope *parent);
void scope_add(struct binder *b, struct scope *scope, struct relation *relation);
struct resolved {
    struct column *column; /* NULL: not found */
    str_t path;            /* fields below it */
    struct relation *relation; /* that has it; NULL: merged, or not known */
};
/* Looks a name up, inner scopes first; makes columns of open relations; says what is wrong. Ambiguous: the first candidate, others in deps. */
struct resolved scope_resolve(struct binder *b, struct scope *scope, const struct qname *name, struct deps *candidates);
/* The same without outer scopes and without diagnostics. */
struct resolved scope_try(struct binder *b, struct scope *scope, const struct qname *name);
void scope_say_unresolved(struct binder *b, struct scope *scope, const struct qname *name);
/* The relation that a qualifier (t, db.t) means in this scope alone; NULL: none. */
struct relation *scope_relation(struct scope *scope, const struct ident *parts, uint32_t count);
/* The select item of the block whose alias is this name; NULL: none. */
struct column *scope_alias(struct scope *scope, struct name name);

/* ---- expr.c ---- */
/* Collects what `expr` reads into `deps`. `column`: takes conditions and windows as predicates of its own; NULL: they count as plain parts. */
void bind_expr(struct binder *b, struct scope *scope, const struct expr *expr, struct deps *deps, struct column *column);
/* A predicate over `expr`. */
struct predicate *bind_predicate(struct binder *b, struct scope *scope, const struct expr *expr, enum clause_kind clause);
/* A predicate over several keys, with the text from the first to the last. */
struct predicate *bind_keys(struct binder *b, struct scope *scope, struct expr *const *keys, uint32_t count, enum clause_kind clause);
/* An empty predicate over the text of a span. */
struct predicate *predicate_new(struct binder *b, struct scope *scope, enum clause_kind clause, span_t span);
/* NULL adds nothing. */
void predicate_append(struct predicate_list *list, struct predicate *predicate);

/* ---- query.c ---- */
struct bound_query *bind_query(struct binder *b, const struct query *query, struct scope *parent);
/* A block whose FROM was bound before, for the legs of a multi-insert. */
struct bound_query *bind_block_on(struct binder *b, const struct query *ast, struct scope *from_scope, struct bound_query *from);
/* The query's columns under other names; the query itself when there are none. */
struct bound_query *query_rename(struct binder *b, struct bound_query *inner, const struct ident *names, uint32_t count);
struct cte_scope *cte_push(struct binder *b, const struct cte *ctes, uint32_t count, struct scope *parent);
void cte_pop(struct binder *b, struct cte_scope *ctes);
struct bound_query *bind_cte(struct binder *b, struct cte_scope *scope, struct cte_entry *entry);
struct cte_entry *cte_find(struct binder *b, struct name name, struct cte_scope **where);
struct bound_query *bound_query_new(struct binder *b, enum bound_kind kind);
void query_add_child(struct binder *b, struct bound_query *query, struct bound_query *child);
/* A child whose rows become the query's: read by FROM, or a branch. */
void query_add_source(struct binder *b, struct bound_query *query, struct bound_query *child);

/* ---- from.c, join.c, lateral.c ---- */
void bind_from(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *from);
/* The canonical name of a physical table as written. */
struct name binder_table_name(struct binder *b, const struct qname *written);
struct relation *bind_table(struct binder *b, struct scope *scope, struct bound_query *query, const struct qname *name);
void bind_lateral(struct binder *b, struct scope *scope, struct bound_query *query, const struct lateral_view *lateral);
/* The prefix with a number behind it: _c7, col0. */
struct name numbered_name(struct binder *b, str_t prefix, uint32_t number);
/* Names of what a table function gives; `arg` is the type of its argument, when known. */
uint32_t table_function_columns(struct binder *b, const struct expr *call, const struct type *arg, struct name **out);
/* Impala's t.arr and db.t.arr; NULL when the name is no collection. */
struct relation *bind_collection(struct binder *b, struct scope *scope, struct bound_query *query, const struct qname *name);
void bind_unnest(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item);
/* ON, USING or NATURAL of a step whose right side is relations [first_right, ..) of the scope. */
void bind_join_condition(struct binder *b, struct scope *scope, struct bound_query *query, const struct join_step *step, uint32_t first_right);
struct relation *bind_pivot(struct binder *b, struct relation *input, const struct pivot *pivot);

/* ---- star.c ---- */
void bind_star(struct binder *b, struct scope *scope, struct bound_query *query, const struct expr *star);
bool is_regex_item(const struct binder *b, const struct select_item *item);
void bind_regex(struct binder *b, struct scope *scope, struct bound_query *query, const struct expr *expr);
/* Every visible column of a scope, in star order. */
typedef void star_visit(void *context, struct relation *relation, struct column *column); /* relation NULL: merged, or a struct's field */
void star_columns(struct binder *b, struct scope *scope, const struct qname *qualifier, star_visit *visit, void *context);

/* ---- view.c ---- */
struct bound_query *bind_view(struct binder *b, const struct catalog_table *view);

/* ---- function.c ---- */
enum function_kind {
    FUNCTION_SCALAR,
    FUNCTION_AGGREGATE,
    FUNCTION_RANKING, /* window functions without an argument that carries the value: row_number, rank, ntile .. */
    FUNCTION_TABLE    /* explode and the like */
};
enum function_kind function_kind(struct name name);
/* Whether an argument of a scalar function is a condition: the first of IF, .. */
/* IF, COALESCE and their like: what is left of them may depend on constants. */
bool function_is_choice(struct name name);
bool function_argument_is_condition(struct name name, uint32_t argument);

/* ---- targets.c, dml.c ---- */
void bind_insert(struct binder *b, const struct stmt *stmt);
void bind_select(struct binder *b, const struct query *query);
void bind_update(struct binder *b, const struct update_stmt *update);
void bind_delete(struct binder *b, const struct delete_stmt *delete_);
void bind_merge(struct binder *b, const struct merge_stmt *merge);
void bind_create_table(struct binder *b, const struct create_table *create);
/* ---- rebuild.c ---- */
void bind_rebuild(struct binder *b, struct name name);
void bind_create_view(struct binder *b, const struct create_view *create);
struct bound_leg *leg_new(struct binder *b, struct name table, enum write_mode mode);
struct target_column *leg_target(struct binder *b, struct bound_leg *leg, str_t name, struct column *column);

#endif
