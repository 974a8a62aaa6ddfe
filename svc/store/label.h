/*
 * What the store calls a target column that has no name: Impala labels an expression by its text, and a label with literals in it would be another
 * column with every run. Such a column is called by its place, `_c1`, as Hive does.
 */
#ifndef COLLINE_STORE_LABEL_H
#define COLLINE_STORE_LABEL_H

#include "base/arena.h"
#include "base/json.h"

/* Target of an item of a statement's `columns`: `db.table.column`, of a directory `column`. A slice of the document, or in the arena. */
str_t label_target(struct arena *arena, const struct json *column);

/* The same of a target that a condition names. */
str_t label_named(struct arena *arena, const struct json *statement, str_t target);

/* Strings are quoted, numbers are words that begin with a digit. */
bool label_holds_literal(str_t text);

#endif
