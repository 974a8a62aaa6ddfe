/*
 * What the runs of one transaction add up to, gathered first and written once a row: by lineage, day and account; by dataset, day and account. What a
 * revision takes out cannot be subtracted from a first and a last time, so what it touched is worked out anew from the executions.
 */
#ifndef COLLINE_STORE_SHARES_H
#define COLLINE_STORE_SHARES_H

#include "store/resets.h"

struct share {
    int64_t lineage, day, account, ended;
    bool confirmed;
};

struct lineage_sum {
    int64_t lineage, day, account, runs, confirmed, first, last;
};

struct use_sum {
    int64_t dataset, day, account, reads, writes, failures;
};

/* What changed of a dataset. */
struct dataset_change {
    int64_t dataset, first, last, last_read, last_write; /* 0: not */
    int64_t resets[2]; /* the newest two of the transaction, newest first */
    enum dataset_kind kind; /* the highest that statements tell which count since now */
    bool status, again; /* again: worked out from all its lineages */
};

struct taken_out {
    int64_t lineage, day;
    bool gone; /* it had resets, and has no runs any more */
};

struct shares {
    struct db *db;
    struct known *known;
    struct resets resets;
    struct pair_map lineage_at, use_at, change_at, taken_at; /* → index */
    VEC(struct lineage_sum) lineages;
    VEC(struct use_sum) uses;
    VEC(struct dataset_change) changes;
    VEC(struct taken_out) taken;
    struct arena arena;
};

void shares_init(struct shares *shares, struct db *db, struct known *known);
void shares_release(struct shares *shares);
void shares_clear(struct shares *shares);

/* A run that counts now, or one that does not any more. False after a failure. */
bool shares_add(struct shares *shares, const struct share *share);

/* A run of a day whose queries are not kept: one a day, statement and account at most. */
bool shares_add_history(struct shares *shares, const struct share *share);
bool shares_take_out(struct shares *shares, const struct share *share);

/* A statement stands in a script now, or in one less: what it says of the datasets that it names counts, or may not any more. */
bool shares_touch(struct shares *shares, int64_t lineage);
bool shares_leave(struct shares *shares, int64_t lineage);

/* A dataset whose definition has changed; `unknown`: it has none any more. */
bool shares_define(struct shares *shares, int64_t dataset, bool unknown);

/* Writes everything, after the executions of the transaction are written. */
bool shares_write(struct shares *shares);

#endif
