/* From directories of the warehouse to the names of tables. */
#ifndef COLLINE_NORMALIZE_PATHS_H
#define COLLINE_NORMALIZE_PATHS_H

#include "normalize/spaces.h"

struct path_table {
    str_t table; /* db.table in lower case; empty: it could not be told */
    str_t spec;  /* `ds=2024-03-15/hr=09`; empty when the path names no partition */
};

/*
 * The table that a path lies in: by the locations of the catalog, else by the rule of the warehouse: `<warehouse>/<db>.db/<table>`, and
 * `<warehouse>/<table>` of the database default. Texts live in the arena or are the path's.
 */
struct path_table path_to_table(const struct space *space, str_t warehouse, str_t path, struct arena *arena);

/* The directory of a table as the catalog has it; empty when it does not tell. */
str_t table_to_path(const struct space *space, str_t table);

/* The path without scheme, authority and slashes at its end: `/user/hive/warehouse/t`. */
str_t path_plain(str_t path);

#endif
