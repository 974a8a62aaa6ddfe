/* Names of tables as logs print them, and what of the SQL text tells which of them are no tables. */
#ifndef COLLINE_NORMALIZE_NAMES_H
#define COLLINE_NORMALIZE_NAMES_H

#include "base/arena.h"

/* A set of names, in byte order. */
struct name_list {
    str_t *items;
    uint32_t count, capacity;
};

/* False when it is there already, empty, or memory is out. */
bool names_put(struct name_list *names, str_t name, struct arena *arena);

/* The same; the set keeps a copy of what is new. */
bool names_put_copy(struct name_list *names, str_t name, struct arena *arena);

bool names_have(const struct name_list *names, str_t name);

/* Whether a name's last part is the last part of one of them. */
bool names_have_last(const struct name_list *names, str_t last);

/* `db.table` in lower case, without quotes; `database` is put before a name that has none. */
str_t name_canonical(str_t name, str_t database, struct arena *arena);

/* What stands behind the last dot. */
str_t name_last(str_t name);

/*
 * Whether a text, whole or cut, gives this name to a query of its own: `name [(columns)] AS (`, or `) [AS] name`. Strings and comments
 * are passed over.
 */
bool text_defines(str_t sql, str_t name);

/* Whether a word or quoted name of the text is this one. */
bool text_names(str_t sql, str_t name);

/* Whether `--` stands in a text outside strings and other comments: where line breaks became blanks, it swallows the rest. */
bool text_has_line_comment(str_t sql);

/* The text's word number `index`, from 0, comments and hints passed over; quotes are taken off. Empty when there are fewer. */
str_t text_word(str_t sql, uint32_t index);

#endif
