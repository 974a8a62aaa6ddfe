/* What names tell: layers, dated families; and how far one is from another. */
#ifndef COLLINE_ASK_NAMES_H
#define COLLINE_ASK_NAMES_H

#include "base/arena.h"

/* ods, dwd, dws, ads, dim, tmp … by the database or the first word of the table's name; empty when
 * neither is one. */
str_t layer_of(str_t database, str_t name);

/* `db.t_{yyyymmdd}` of `db.t_20240315` (a month too: `{yyyymm}`), with the length of what stands
 * before the date; empty when no date ends it. */
str_t family_of(struct arena *arena, str_t name, size_t *stem);

/* Changes of single characters (swaps too) that make one of the other; at most `most` + 1. */
unsigned name_distance(str_t a, str_t b, unsigned most);

/* The part behind the last dot. */
str_t last_name(str_t name);

str_t name_lower(struct arena *arena, str_t text);

#endif
