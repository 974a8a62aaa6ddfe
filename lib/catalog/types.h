/*
 * Column types as text and as trees. The canonical text is what Hive's metastore would print: lower case, no blanks,
 * `array<struct<a:int,b:map<string,double>>>`. Field names that are no plain words stand in backquotes.
 */
#ifndef COLLINE_CATALOG_TYPES_H
#define COLLINE_CATALOG_TYPES_H

#include "sql/ast.h"

/* The canonical text; empty for NULL or when out of memory. */
str_t type_text(struct arena *arena, const struct type *type);

/* Canonical text → tree, whose names point into `text`; NULL for an empty or ill-formed text, or when out of memory. */
const struct type *type_read(struct arena *arena, str_t text);

#endif
