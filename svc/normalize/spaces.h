/*
 * The catalogs of the metastores whose queries are seen, one a namespace: what was configured, and what DDL has changed since. Each table that
 * changes gets a new version, so that a lineage made before is known to be old.
 */
#ifndef COLLINE_NORMALIZE_SPACES_H
#define COLLINE_NORMALIZE_SPACES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/name_map.h"
#include "colline.h"

/* One namespace. */
struct space {
    str_t name;
    colline_catalog *catalog;
    colline_analyzer *value, *engine; /* over the catalog, for the two readings */
    uint64_t number;  /* tells spaces apart */
    uint64_t version; /* goes up with every change */
    struct name_map changed;   /* table → version of its last change */
    struct name_map locations; /* directory → table */
    struct arena arena;
    uint32_t changes; /* since the catalog was written anew */
};

struct spaces;

/* The files are read at once; NULL, with the reason appended, when one cannot be, or memory is out. */
struct spaces *spaces_new(const str_t *paths, size_t count, struct buf *reason);
void spaces_free(struct spaces *all);

/* The space of a namespace, made when it is new; NULL when memory is out. */
struct space *spaces_get(struct spaces *all, str_t name);

/* Runs one statement of DDL in a database. */
void space_run(struct space *space, str_t sql, bool hive, str_t database);

/* Adds or replaces what a saved catalog holds; false when it is none. */
bool space_add_json(struct space *space, str_t json);

/* Takes a table away; no matter whether it was there. */
void space_drop(struct space *space, str_t table);

/* The catalog of one table as JSON, appended; false, with nothing appended, when there is no such table. */
bool space_table_json(const struct space *space, str_t table, struct buf *out);

/* What a table looks like, as a number: 0 when there is none. */
uint64_t space_table_digest(const struct space *space, str_t table);

/* Says that the table is another one now. */
void space_touch(struct space *space, str_t table);

/* The version of the table's last change; 0: none since the start. */
uint64_t space_table_version(const struct space *space, str_t table);

#endif
