/*
 * Expressions with what subqueries and common table expressions compute put in the place of the
 * names that they give it: of `with c as (select o.amount * 2 as a from dwd.orders o) … select
 * sum(c.a) from c` the expression `sum(c.a)` is `sum(o.amount * 2)`. By the text of the statement
 * alone: names of relations are looked for in it, select items by their aliases. What cannot be
 * told stays as it is written.
 */
#ifndef COLLINE_ASK_INLINE_H
#define COLLINE_ASK_INLINE_H

#include "base/arena.h"

struct inline_wish {
    str_t sql;           /* of the statement; may be empty */
    str_t expression;    /* a part of it */
    str_t table, column; /* the source that is meant, `db.t` */
    str_t inner;         /* what stands for the column; empty: it stays as it is written */
};

/* In the arena. *met tells whether the column was found, so that `inner` is in the text. */
str_t inline_expression(struct arena *arena, const struct inline_wish *wish, bool *met);

#endif
