/* Each at its own pace. */
#include "load/keeper.h"

#include "load/pace.h"

enum {
    HEAT_MS = 60000,
    PRUNE_MS = 3600000,
    HEAT_QUICK_MS = 1000
};

static void clear_failure(struct keeper *k, const char *what)
{
    struct db *db = store_db(k->store);
    log_say(k->log, LOG_LEVEL_WARNING, "store.upkeep", STR(""), "%s: %.*s", what, (int)db_message(db).len, db_message(db).ptr);
    (void)db_rollback(db);
}

static void work_out_heat(struct keeper *k)
{
    int64_t start = clock_steady(&k->clock);
    k->changed = false;
    if (!store_heat(k->store, clock_now(&k->clock)))
        clear_failure(k, "heat cannot be worked out");
    k->heat_took = clock_steady(&k->clock) - start;
}

/* No longer at a time than a transaction of loading takes: a process that is told to stop need not wait for all of it. */
static void prune(struct keeper *k, int64_t now)
{
    struct store_pruned pruned;
    k->slice.clock = k->clock;
    k->slice.ms = PACE_QUICK_MS;
    bool good = store_prune(k->store, &k->keeping, clock_now(&k->clock), &k->slice, &pruned);
    k->pruning = good && pruned.more;
    k->prune_at = now + PRUNE_MS;
    if (!good)
        clear_failure(k, "what is old cannot be taken away");
}

void keeper_work(struct keeper *k)
{
    int64_t now = clock_steady(&k->clock);
    if (k->changed && now >= k->heat_at) {
        k->heat_at = now + HEAT_MS;
        work_out_heat(k);
    }
    if (k->pruning || now >= k->prune_at)
        prune(k, now);
}

void keeper_finish(struct keeper *k, bool hurry)
{
    if (k->changed && (!hurry || k->heat_took < HEAT_QUICK_MS))
        work_out_heat(k);
}
