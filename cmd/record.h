/*
 * One line of `--batch` input: {"id", "sql", "dialect"?, "database"?, "catalogs"?: [names], "options"?: {…}}. Members that it does not know are
 * passed over.
 */
#ifndef COLLINE_CMD_RECORD_H
#define COLLINE_CMD_RECORD_H

#include "base/arena.h"
#include "base/str.h"

struct record {
    str_t id, sql, dialect, database;
    bool has_sql;
    bool expand_complex_types; /* from "options", see the manual */
    VEC(str_t) catalogs;
};

/* Texts are slices of the line or live in the arena. NULL, or what is wrong at byte *where of the line. */
const char *record_read(struct record *record, str_t line, struct arena *arena, size_t *where);

#endif
