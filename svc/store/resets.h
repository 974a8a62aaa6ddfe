/*
 * When a dataset was wholly rewritten last. A statement that reads its own target, through tables that are themselves rebuilt from it, leaves what was there in
 * place: it resets nothing. (One that reads it directly has no `resets` in lineage_dataset.)
 */
#ifndef COLLINE_STORE_RESETS_H
#define COLLINE_STORE_RESETS_H

#include "store/known.h"

struct resets {
    struct db *db;
    const struct known *known;
    struct pair_map straight; /* dataset, lineage: it is known not to read its target; until there is a new statement */
    uint64_t made;            /* as of known */
};

void resets_init(struct resets *resets, struct db *db, const struct known *known);
void resets_release(struct resets *resets);

/* Adds the newest two different times, newest first, to two that are there. */
void add_reset(int64_t resets[2], int64_t at);

/*
 * Resets of a dataset that came in this transaction, after its executions and days were written: they are added to what is known, unless some of its statements
 * read it in a circle; then it is worked out anew, and so are the others of the circle. False after a failure.
 */
bool resets_add(struct resets *resets, int64_t dataset, const int64_t times[2]);

/* All of it anew, and of those that are in a circle with it. */
bool resets_find(struct resets *resets, int64_t dataset);

/* The same of what a statement read that has no runs any more: circles that it closed are open. */
bool resets_find_before(struct resets *resets, int64_t lineage);

#endif
