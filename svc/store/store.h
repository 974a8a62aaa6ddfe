/*
 * The store: what statements read and write, when they ran, and what follows from it. Its tables are in schema/, docs/store.md tells what
 * they mean; questions are asked over store_db by SQL, events come in through apply.h.
 *
 * One file of SQLite or one database of PostgreSQL. Any number of readers; one applier at a time writes (a lock sees to it). A handle belongs to
 * one thread at a time.
 */
#ifndef COLLINE_STORE_STORE_H
#define COLLINE_STORE_STORE_H

#include "base/arena.h"
#include "db/db.h"

struct store;

struct store_options {
    str_t address;       /* path of a file, or postgres://… */
    enum db_access access;
    int64_t cache_bytes; /* as in db_options */
    bool careless;       /* as in db_options: for loads that can be repeated */
};

/*
 * NULL with the reason appended: it cannot be opened, is no store, or one of a newer version than this program knows. To read, it must be of
 * this version; to write, an older one is migrated first, a file after a copy of it was put beside it (NAME.before-N, N its version).
 */
struct store *store_open(const struct store_options *options, struct buf *reason);
void store_close(struct store *store);

struct db *store_db(struct store *store);

/* The namespace of all that the store knows, in the arena; empty: there are several, or none. */
str_t store_only_namespace(struct store *store, struct arena *arena);

/* ---- what the numbers in the tables mean ------------------------------------------------------------------------ */

enum { STORE_COLUMNS_MAX = 65536 }; /* of a dataset; further ones are left out of the lineage, and it says so */

static inline int64_t col_dataset(int64_t col)
{
    return col / STORE_COLUMNS_MAX;
}

/* Columns of a dataset are those with first ≤ id ≤ last. */
static inline int64_t col_first(int64_t dataset)
{
    return dataset * STORE_COLUMNS_MAX;
}

static inline int64_t col_last(int64_t dataset)
{
    return dataset * STORE_COLUMNS_MAX + STORE_COLUMNS_MAX - 1;
}

enum store_role { ROLE_READS = 1, ROLE_READS_THROUGH, ROLE_WRITES, ROLE_DROPS, ROLE_DEFINES };

/* Of kinds that statements tell of one dataset the highest counts. */
enum dataset_kind { KIND_TABLE, KIND_TEMPORARY, KIND_VIEW, KIND_MATERIALIZED_VIEW, KIND_COUNT };

/* As in the table dataset. */
str_t dataset_kind_name(enum dataset_kind kind);

enum table_edge_kind { TABLE_EDGE_DIRECT = 1, TABLE_EDGE_INDIRECT, TABLE_EDGE_VIEW };

/* Above 10 a condition decides, up to it values flow. */
enum column_edge_kind {
    EDGE_IDENTITY = 1,
    EDGE_TRANSFORMATION,
    EDGE_AGGREGATION,
    EDGE_SCRIPT,
    EDGE_CONSTANT,
    EDGE_STAR, /* an identity by a star that was closed when the catalog learned its table */
    EDGE_INDIRECT = 10,
    EDGE_JOIN,
    EDGE_FILTER,
    EDGE_GROUP_BY,
    EDGE_SORT,
    EDGE_WINDOW,
    EDGE_CONDITIONAL,
    EDGE_DISTINCT
};

/* Both ways by the words of lineage documents; EDGE_INDIRECT (no kind) for an unknown word, the empty text for no kind. */
enum column_edge_kind edge_kind_by_name(str_t name);
str_t edge_kind_name(enum column_edge_kind kind);

enum { DAY_MS = 86400000 };

/* The day of a time, from 1970-01-01 UTC. */
static inline int64_t day_of(int64_t ms)
{
    return ms / DAY_MS;
}

/* A lineage with at least one run or script counts; the others are what is left of revised events, and are as if they were not there. */

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* The statement of a lineage document, its SQL, and the run that both are of; texts in the arena. False when there is none. */
struct store_sample {
    str_t document, sql, query_id;
    int64_t at;
};

bool store_document(struct store *store, int64_t lineage, struct arena *arena, struct store_sample *sample);

#endif
