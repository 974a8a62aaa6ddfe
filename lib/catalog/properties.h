/*
 * Reading 'key' = 'value' lists out of the clauses of a statement that no other stage looks into.
 */
#ifndef COLLINE_CATALOG_PROPERTIES_H
#define COLLINE_CATALOG_PROPERTIES_H

#include "sql/ast.h"

/*
 * The unquoted value of a property in any of the statement's property lists; empty when it is not there. `text` is what the
 * clauses' spans point into.
 */
str_t find_property(struct arena *arena, const struct clause *options, str_t text, enum dialect dialect, str_t key);

/* Whether there is a clause of this label. */
bool has_clause(const struct clause *options, str_t label);

#endif
