/*
 * Tree + catalog → bound statement. Names are looked up, stars expanded, views and CTEs seen through; what could not be known
 * becomes a diagnostic. Statements that create or change tables and views are applied to the session's catalog afterwards.
 */
#ifndef COLLINE_BIND_BIND_H
#define COLLINE_BIND_BIND_H

#include "bind/graph.h"

struct bind_input {
    struct arena *arena;
    struct catalog *catalog; /* session layer */
    const struct parse_options *parse_options;
    str_t text; /* that the tree's spans point into */
    str_t database;
    bool expand_complex_types;
    bool engine; /* the engine's own reading: names and columns as its log has them */
    struct diag_list *diags;
};

/* The bound statement, in the arena; NULL when out of memory. Unknown things are diagnostics. */
struct bound_statement *bind_statement(const struct bind_input *input, const struct stmt *stmt);

/* Tells the session's catalog what the statement made or changed. False when out of memory. */
bool bind_apply(const struct bind_input *input, const struct stmt *stmt, const struct bound_statement *bound);

/* The column that a name means in a scope, without diagnostics; NULL when it means none. For readings that look into conditions. */
struct column *bind_lookup(struct arena *arena, struct bound_statement *bound, struct scope *scope, const struct qname *name,
                           enum dialect dialect);

/* What a name means, and where it was found; relation is NULL for a column that USING merged. */
struct bound_name {
    struct scope *scope;
    struct relation *relation;
    struct column *column;
    str_t path; /* fields below the column */
};

/* The same with the place; columns of open relations count. False when it means nothing. */
bool bind_find(struct arena *arena, struct bound_statement *bound, struct scope *scope, const struct qname *name, enum dialect dialect,
               struct bound_name *out);

/* A relation's column by place, and by name (NULL: none). */
struct column *bind_relation_column(struct arena *arena, struct bound_statement *bound, struct relation *relation, uint32_t ordinal);
struct column *bind_relation_find(struct arena *arena, struct bound_statement *bound, struct relation *relation, struct name name);

#endif
