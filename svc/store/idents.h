/*
 * Identifiers of namespaces, accounts, datasets and columns: found, or given anew, within the writer's transaction. What was found is remembered;
 * after a rollback idents_forget is due, for then what was given anew is not there.
 */
#ifndef COLLINE_STORE_IDENTS_H
#define COLLINE_STORE_IDENTS_H

#include "db/db.h"
#include "store/pair_map.h"
#include "store/term.h"

struct idents {
    struct db *db;
    struct terms *terms; /* every name goes into the index for search */
    struct pair_map spaces, accounts, datasets;
    struct pair_map numbers; /* dataset → how many columns it has, once they were read */
    struct pair_map columns; /* dataset, hash of the name → column */
    int64_t next_space, next_account, next_dataset, next_lineage;
    int64_t turn; /* counts the commits of all writers; as after our last one */
};

/* False when memory is out; idents_release all the same. */
bool idents_init(struct idents *idents, struct db *db);
void idents_release(struct idents *idents);

/* Forgets all: after a rollback, and where the memory grew too large. */
void idents_forget(struct idents *idents);

/*
 * At the beginning of a transaction: reads the counters. *alone: no other writer was here since our last commit; else, and where too much is
 * remembered, all is forgotten.
 */
bool idents_begin(struct idents *idents, bool *alone);

/* Before its end: writes the counters. */
bool idents_end(struct idents *idents);

/* 0 after a failure, and account_id of an empty name. */
int64_t space_id(struct idents *idents, str_t name);
int64_t account_id(struct idents *idents, str_t name);

struct dataset_key {
    int64_t space;
    str_t name;
    bool path;    /* a directory */
};

int64_t dataset_id(struct idents *idents, const struct dataset_key *key);

/* 0 too when the dataset has as many columns as there can be. */
int64_t column_id(struct idents *idents, int64_t dataset, str_t name);

int64_t new_lineage_id(struct idents *idents);

#endif
