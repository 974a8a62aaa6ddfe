/* Which datasets a statement of DDL is about, by its text: the words are looked at, nothing is parsed. */
#ifndef COLLINE_STORE_DEFINED_H
#define COLLINE_STORE_DEFINED_H

#include "record/event.h"

/*
 * The datasets whose definition a query that succeeded may have changed, as canonical names in the arena: names[0], and where it renames that one names[1].
 * Gives how many: 0 when it is no DDL, or of a temporary table.
 */
size_t defined_by(const struct event *event, struct arena *arena, str_t names[2]);

/* Whether a text makes a temporary table. */
bool makes_temporary(str_t sql);

/* Whether a text says IF NOT EXISTS: an object that is there already stays as it is. */
bool spares_what_is_there(str_t sql);

/* Of a text that creates something, what of it is in no lineage document: the two above, as a number below 4. */
unsigned manner_of_creating(str_t sql);

/* Whether a text drops something. */
bool drops(str_t sql);

/* Whether a text gives a table or view another name. */
bool renames(str_t sql);

#endif
