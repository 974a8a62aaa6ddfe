/*
 * The parts of the tree's dump. The dump walks with a stack of its own: what is taken from it
 * prints its line and pushes what stands below it, so the deepest tree costs no C stack. ast_dump.c
 * the walk, expressions, types, clauses     ast_dump_query.c   queries     ast_dump_stmt.c
 * statements
 */
#ifndef COLLINE_SQL_AST_DUMP_H
#define COLLINE_SQL_AST_DUMP_H

#include "base/buf.h"
#include "sql/parse.h"

struct dumper;

/* Prints what `node` holds behind the label, and pushes its children. */
typedef void dump_function(struct dumper *d, const void *node);

struct dump_item {
    dump_function *print;
    const void *node;
    str_t label; /* `where`; empty: none */
    uint32_t depth;
};

struct dumper {
    struct buf *out;
    str_t text;
    struct arena arena;
    VEC(struct dump_item) stack;
    uint32_t depth; /* of the node that is being printed */
};

/*
 * Has the node printed below the one at hand, after what was pushed before it; nothing when it is
 * NULL.
 */
void dump_push(struct dumper *d, str_t label, dump_function *print, const void *node);

/* A line that is only a label and a text. */
void dump_push_text(struct dumper *d, str_t label, str_t text);

/* The same for each element of an array; `size` of one. */
void dump_push_array(struct dumper *d, str_t label, dump_function *print, const void *items,
                     uint32_t count, size_t size);
void dump_push_exprs(struct dumper *d, str_t label, struct expr *const *items, uint32_t count);

/* Names on the line at hand: ` a.b`, ` x, y`. */
void dump_word(struct dumper *d, str_t word);
void dump_name(struct dumper *d, const struct qname *name);
void dump_ident(struct dumper *d, const struct ident *ident);
void dump_idents(struct dumper *d, const struct ident *idents, uint32_t count);
void dump_span(struct dumper *d, span_t span);

/* ` word` where it is so */
void dump_flag(struct dumper *d, bool flag, str_t word);

/* A line `label a, b`. */
void dump_push_idents(struct dumper *d, str_t label, const struct ident *idents, uint32_t count);

dump_function dump_expr, dump_type, dump_clause, dump_sort_key, dump_window, dump_query, dump_from,
    dump_cte, dump_ident_line;
void dump_push_ctes(struct dumper *d, const struct cte *ctes, uint32_t count);

/* A whole statement. */
dump_function dump_stmt;

#endif
