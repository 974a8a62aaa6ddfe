/*
 * What is known of databases, tables, views, columns and macros. A catalog is layered: a base that many analyses share
 * read-only, and a session above it that takes what a script creates, changes and drops. Look-ups go through the layers,
 * the top one first; a dropped object leaves a mark that hides the one below.
 */
#ifndef COLLINE_CATALOG_CATALOG_H
#define COLLINE_CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/buf.h"
#include "sql/ast.h"
#include "sql/diag.h"

struct catalog_column {
    struct name name;
    str_t shown;    /* as written where it was created */
    str_t type;     /* canonical text: `int`, `array<struct<a:int>>`; empty: not known */
    str_t comment;
    const struct type *parsed_type; /* NULL for unknown types; complex types have fields to walk */
};

enum table_kind {
    TABLE_BASE,
    TABLE_VIEW,
    TABLE_MATERIALIZED_VIEW
};

/* How a table is stored, where the engines' rules depend on it. */
enum table_storage {
    STORAGE_HDFS,    /* files: partition columns come last */
    STORAGE_ICEBERG, /* columns in schema order */
    STORAGE_KUDU,
    STORAGE_HBASE,
    STORAGE_OTHER
};

struct catalog_table {
    struct name name;  /* db.table, folded */
    str_t db, table;   /* its two parts, folded */
    str_t shown;       /* as written */
    uint8_t kind;      /* enum table_kind */
    uint8_t storage;   /* enum table_storage */
    bool temporary;
    bool dropped;      /* a mark that hides a lower layer's table */
    bool open;         /* columns beyond those listed may exist (inferred from use, or CTAS over an open star) */
    bool transactional;
    bool arranged;     /* a materialized view whose rows are clustered, distributed or sorted */
    struct catalog_column *columns; /* in order, partition columns last (unless Iceberg keeps their place) */
    uint32_t column_count;
    uint32_t partition_count;       /* how many columns at the end are partition columns; Iceberg: 0 */
    const uint32_t *index;          /* the catalog's own: ordinal + 1 by hash of the name; NULL for few columns */
    uint32_t index_mask;
    str_t comment, location;
    /* views: the query as text, how to read it, and where unqualified names of it live */
    str_t view_text;
    enum dialect view_dialect;
    str_t view_database;
};

struct catalog_macro {
    struct name name;
    const struct create_function *definition; /* params and body */
    str_t text; /* that its spans point into */
};

struct catalog;

/* An empty catalog; `base` may be NULL and must outlive it. NULL when out of memory. `source` may be NULL. */
struct catalog *catalog_new(const struct catalog *base, size_t limit, const struct arena_source *source);
void catalog_free(struct catalog *catalog);

/* Forgets this layer's contents; the base stays. For the next script of a batch. */
void catalog_clear(struct catalog *catalog);

/* The table of this canonical name, NULL when unknown or dropped. */
const struct catalog_table *catalog_find_table(const struct catalog *catalog, struct name name);
const struct catalog_macro *catalog_find_macro(const struct catalog *catalog, struct name name);
bool catalog_has_database(const struct catalog *catalog, struct name name);

/* The column's ordinal, or -1. Linear for few columns, hashed for many. */
int catalog_find_column(const struct catalog_table *table, struct name name);

/*
 * Adds or replaces a table. The catalog copies everything that it keeps; parsed types are made from the texts.
 * A temporary table hides a permanent one of the same name until it is dropped. False when out of memory.
 */
bool catalog_put_table(struct catalog *catalog, const struct catalog_table *table);
bool catalog_drop_table(struct catalog *catalog, struct name name);

/* Gives a known table the text that it is seen through to, as a view has one; empty: none. Its columns stay. */
bool catalog_set_view(struct catalog *catalog, struct name name, str_t text, enum dialect dialect, str_t database);

/* Definition and text must live as long as the catalog's contents; catalog_apply sees to it by parsing them anew. */
bool catalog_put_macro(struct catalog *catalog, struct name name, const struct create_function *definition, str_t text);
bool catalog_drop_macro(struct catalog *catalog, struct name name);
bool catalog_put_database(struct catalog *catalog, struct name name);
bool catalog_drop_database(struct catalog *catalog, struct name name); /* with its tables */

/*
 * Where the dot stands in `db.t` between one pair of quotes, as Hive up to 3 prints it in SHOW CREATE TABLE; 0 for a plain name. No engine
 * has tables with a dot in their names.
 */
size_t catalog_dot_in_name(str_t name);

/* Canonical name of a table as written: `t` in the current database, `db.t`; of three parts the last two. */
struct name catalog_table_name(struct arena *arena, const struct qname *written, str_t database);

/*
 * Applies a DDL statement that needs no lineage: CREATE TABLE (columns, LIKE), ALTER TABLE / VIEW (rename, columns, drop), DROP,
 * CREATE/DROP DATABASE, macros; anything else is ignored. CTAS and views are put by the binder, which knows their columns.
 * `text` is what the statement's spans point into.
 */
bool catalog_apply(struct catalog *catalog, const struct stmt *stmt, str_t text, str_t database, enum dialect dialect);

/* What CREATE TABLE says of a table besides its columns: names, storage, comment, location. For CTAS, whose columns the binder knows. */
void catalog_describe_create(struct arena *arena, const struct create_table *create, str_t text, str_t database,
                             enum dialect dialect, struct catalog_table *out);

/*
 * What was written since a materialized view was built: how the engine rebuilds it depends on that. Nothing is noted before the first
 * such view of the session. False when out of memory.
 */
enum catalog_writes {
    WRITES_NONE, WRITES_ADDED, WRITES_CHANGED
};
bool catalog_note_build(struct catalog *catalog, struct name view);
bool catalog_was_built(const struct catalog *catalog, struct name view);
bool catalog_note_write(struct catalog *catalog, struct name table, enum catalog_writes kind);
enum catalog_writes catalog_writes_since(const struct catalog *catalog, struct name table, struct name view);

/* All tables in byte order of their names, for listing; `visit` returns false to stop. Layers merged. */
bool catalog_each_table(const struct catalog *catalog, bool (*visit)(void *context, const struct catalog_table *table), void *context);

/* One JSON document, sorted, the same bytes for the same contents; catalog_load reads it back (and tables exported by others in that shape). */
void catalog_save(const struct catalog *catalog, struct buf *out);

/* Appends one table as a saved catalog, on one line. */
void catalog_save_table(const struct catalog_table *table, struct buf *out);
/* False with a message (in the catalog's arena) and the byte where it went wrong. */
bool catalog_load(struct catalog *catalog, str_t json, str_t *message, size_t *where);

#endif
