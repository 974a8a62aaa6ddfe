/*
 * What is worked out from the facts from time to time and not with every event: heat, and what the time of keeping has passed by. A transaction of its own; false
 * after a failure, of which db_rollback clears the handle.
 */
#ifndef COLLINE_STORE_UPKEEP_H
#define COLLINE_STORE_UPKEEP_H

#include "run/clock.h"
#include "store/store.h"

/*
 * Heat of every dataset: 1.0 a read, 0.6 a write, of the last 30 days up to that of the newest query, so that archives have theirs too. `now` bounds it:
 * a query from the future does not cool the rest.
 */
bool store_heat(struct store *store, int64_t now_ms);

/* How long things are kept, in days; 0: for ever. */
struct store_keeping {
    int64_t queries; /* executions and their texts */
    int64_t columns; /* column edges of statements that have not run for so long; results of checks as old */
    int64_t tables;  /* table edges, likewise */
};

struct store_pruned {
    int64_t queries, column_edges, table_edges, checks;
    bool more; /* the time was over before all was done */
};

/* How long one call may work; it ends with the transaction in which the time is over, which takes a second at most. */
struct store_slice {
    struct clock clock;
    int64_t ms;
    int64_t columns_from, tables_from; /* statements that the next call need not look at; 0 at first */
};

/*
 * Takes away what is older, in many transactions; the next call goes on where this one ended, whoever makes it. `slice` may be NULL: all at once. Seen from the day of the newest use, `now` at most: an archive does not go because it is one. Runs and use by day stay, so counts and times of statements do
 * not change.
 */
bool store_prune(struct store *store, const struct store_keeping *keeping, int64_t now_ms, struct store_slice *slice, struct store_pruned *pruned);

#endif
