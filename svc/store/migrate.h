/* The store's version: numbered scripts that lead from each to the next, forward only, under a lock. */
#ifndef COLLINE_STORE_MIGRATE_H
#define COLLINE_STORE_MIGRATE_H

#include "db/db.h"

/* Embedded from schema/NNNN.sql; the last one's number is the version that this program knows. */
struct migration {
    int number;
    const char *sql;
};

extern const struct migration store_migrations[];
extern const int store_migration_count;

/* Version of the store behind the handle, 0 when it is empty; -1 after a failure. */
int64_t store_version(struct db *db);

/* Brings an empty or older store to this program's version; false with the reason appended, also of a newer one. */
bool store_migrate(struct db *db, str_t address, struct buf *reason);

/* Whether the store is of this program's version; false with the reason appended. */
bool store_is_current(struct db *db, struct buf *reason);

#endif
