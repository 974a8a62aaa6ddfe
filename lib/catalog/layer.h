/*
 * Inside of the catalog: one layer's maps. Only the files of this folder know it.
 */
#ifndef COLLINE_CATALOG_LAYER_H
#define COLLINE_CATALOG_LAYER_H

#include "base/name_map.h"
#include "catalog/catalog.h"

struct stored_table {
    struct catalog_table table;
    struct stored_table *under; /* the permanent table of this layer that a temporary one hides */
    uint32_t generation;        /* its database's when it was put: older ones went with DROP DATABASE */
    uint32_t column_capacity, index_capacity;
};

struct stored_database {
    uint32_t generation; /* counts the drops */
    bool dropped;
    bool hides_below;
};

struct stored_type {
    str_t text;
    const struct type *parsed; /* NULL: ill-formed */
};

/* When it happened last, by the layer's clock; 0: never. */
struct stored_writes {
    uint32_t built, added, changed;
};

struct catalog {
    const struct catalog *base;
    struct arena arena;
    struct arena scratch;      /* emptied after each statement that is applied */
    struct name_map tables;    /* db.table → struct stored_table */
    struct name_map databases; /* → struct stored_database */
    struct name_map macros;    /* → struct catalog_macro; without definition: dropped */
    struct name_map types;     /* text → struct stored_type: columns of one type share it */
    struct name_map writes;    /* → struct stored_writes */
    uint32_t write_clock;      /* counts what is noted there; 0: nothing yet */
    bool has_dropped_databases;
};

/*
 * This layer's own copy of a visible table, to be changed in place; NULL when there is no such table or no memory.
 * Whoever changes columns ends with table_reindex.
 */
struct stored_table *catalog_edit_table(struct catalog *catalog, struct name name);

/* A place for one more column before the one at `ordinal`; NULL when out of memory. */
struct catalog_column *table_insert_column(struct catalog *catalog, struct stored_table *stored, uint32_t ordinal);

/* Copies a column's texts into the catalog and makes its parsed type. */
bool column_keep(struct catalog *catalog, struct catalog_column *column);

/* Brings the look-up of columns by name up to date. */
bool table_reindex(struct catalog *catalog, struct stored_table *stored);

#endif
