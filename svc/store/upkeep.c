/* Plain SQL over whole tables, bounded by their indexes. */
#include "store/upkeep.h"

#include "store/inner.h"
#include "store/quality.h"

enum { HEAT_DAYS = 30 };

static bool in_transaction(struct store *store, bool good)
{
    return good && db_commit(store_db(store));
}

/* ---- heat ------------------------------------------------------------------------------------------------------- */

static bool write_heat(struct db *db, int64_t behind)
{
    struct db_query *q = db_query(
        db, "update dataset set heat = s.heat, heat_users = s.users from (select dataset, sum(reads) * 10 + sum(writes) * 6 as heat,"
            " count(distinct case when account > 0 then account end) as users from dataset_day where day > $1 group by dataset) as s"
            " where dataset.id = s.dataset and (dataset.heat <> s.heat or dataset.heat_users <> s.users)");
    db_bind_int(q, 1, behind);
    if (!db_run(q))
        return false;
    q = db_query(db, "update dataset set heat = 0, heat_users = 0 where heat > 0 and not exists"
                     " (select 1 from dataset_day d where d.dataset = dataset.id and d.day > $1)");
    db_bind_int(q, 1, behind);
    return db_run(q);
}

/* The day of the newest use, today's at most: of an archive the end of what it tells. */
static int64_t newest_day(struct db *db, int64_t now_ms)
{
    struct db_query *q = db_query(db, "select max(day) from dataset_day where day <= $1");
    db_bind_int(q, 1, day_of(now_ms));
    int64_t newest = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return newest;
}

bool store_heat(struct store *store, int64_t now_ms)
{
    struct db *db = store_db(store);
    int64_t newest = newest_day(db, now_ms);
    return in_transaction(store, !db_failed(db) && store_begin_write(db) && write_heat(db, newest - HEAT_DAYS));
}

/* ---- keeping ---------------------------------------------------------------------------------------------------- */

/* The first day that is kept. */
static int64_t horizon(int64_t days, int64_t newest)
{
    return days == 0 || newest < days ? 0 : newest - days + 1;
}

/* Rows that a deletion gives back. */
static int64_t count_rows(struct db_query *q)
{
    int64_t rows = 0;
    while (db_step(q))
        rows++;
    return rows;
}

/* Later events of days before it count once a day at most: what they could replace is gone. */
static void keep_horizon(struct db *db, int64_t day)
{
    struct db_query *q = db_query(db, "insert into number as n (name, value) values ('queries_from', $1)"
                                      " on conflict (name) do update set value = excluded.value where excluded.value > n.value");
    db_bind_int(q, 1, day);
    (void)db_run(q);
}

/* A day is a transaction: the oldest first, so that nothing is held for long. */
static bool prune_queries(struct db *db, int64_t below, struct store_pruned *pruned)
{
    int64_t day = db_number(db, "select min(day) from execution", below);
    for (; day < below && store_begin_write(db); day++) {
        keep_horizon(db, day + 1);
        struct db_query *q = db_query(db, "delete from execution where day = $1 returning 1");
        db_bind_int(q, 1, day);
        pruned->queries += count_rows(q);
        q = db_query(db, "delete from sql_text where\n"
                         " text between $1 * 4294967296 and $1 * 4294967296 + 4294967295 --sqlite\n"
                         " day = $1 --postgres\n");
        db_bind_int(q, 1, day);
        (void)db_run(q);
        if (!db_commit(db))
            return false;
    }
    return !db_failed(db);
}

/* ---- edges ------------------------------------------------------------------------------------------------------ */

enum {
    PRUNED_COLUMNS = 1,
    PRUNED_TABLES = 2,
    LINEAGES_AT_ONCE = 200
};

struct use {
    int64_t dataset;
    enum store_role role;
};

struct old_lineage {
    int64_t id;
    VEC(struct use) uses;
    bool writes;
};

/* Statements that did not run since, stand in no script, and have not lost these edges yet. */
static uint32_t find_old(struct db *db, int64_t below, int64_t level, int64_t ids[LINEAGES_AT_ONCE])
{
    uint32_t count = 0;
    struct db_query *q = db_query(db, "select id from lineage where last_run < $1 and scripts = 0 and failed = 0 and pruned < $2 order by id limit $3");
    db_bind_int(q, 1, below);
    db_bind_int(q, 2, level);
    db_bind_int(q, 3, LINEAGES_AT_ONCE);
    while (count < LINEAGES_AT_ONCE && db_step(q))
        ids[count++] = db_int(q, 0);
    db_done(q);
    return count;
}

static void read_uses(struct db *db, struct arena *arena, struct old_lineage *old)
{
    struct db_query *q = db_query(db, "select dataset, role from lineage_dataset where lineage = $1 and role in (1, 3)");
    db_bind_int(q, 1, old->id);
    while (db_step(q)) {
        struct use *use = VEC_PUSH(arena, &old->uses);
        if (use == NULL)
            break;
        *use = (struct use){db_int(q, 0), (enum store_role)db_int(q, 1)};
        old->writes |= use->role == ROLE_WRITES;
    }
    db_done(q);
}

/* Column edges stand among those of the columns that are written; of an answer, among those of the columns that are read. */
static int64_t delete_columns(struct db *db, const struct old_lineage *old, const struct use *use)
{
    struct db_query *q;
    if (use->role == ROLE_WRITES)
        q = db_query(db, "delete from column_edge where dst between $2 and $3 and lineage = $1 returning 1");
    else
        q = db_query(db, "delete from column_edge where dst = 0 and src between $2 and $3 and lineage = $1 returning 1");
    db_bind_int(q, 1, old->id);
    db_bind_int(q, 2, col_first(use->dataset));
    db_bind_int(q, 3, col_last(use->dataset));
    return count_rows(q);
}

static int64_t delete_tables(struct db *db, const struct old_lineage *old, const struct use *use)
{
    struct db_query *q = db_query(db, "delete from table_edge where dst = $2 and lineage = $1 returning 1");
    db_bind_int(q, 1, old->id);
    db_bind_int(q, 2, use->dataset);
    return count_rows(q);
}

static void prune_lineage(struct db *db, struct old_lineage *old, int64_t level, struct store_pruned *pruned)
{
    for (uint32_t i = 0; i < old->uses.count; i++) {
        const struct use *use = &old->uses.items[i];
        if (level == PRUNED_COLUMNS && (use->role == ROLE_WRITES) == old->writes)
            pruned->column_edges += delete_columns(db, old, use);
        if (level == PRUNED_TABLES && use->role == ROLE_WRITES)
            pruned->table_edges += delete_tables(db, old, use);
    }
    struct db_query *q = db_query(db, "update lineage set pruned = $2 where id = $1");
    db_bind_int(q, 1, old->id);
    db_bind_int(q, 2, level);
    (void)db_run(q);
}

/* So many in a transaction that others need not wait. Writers must look again at what they remember: they see that somebody else was here. */
static bool prune_some(struct db *db, int64_t below, int64_t level, struct store_pruned *pruned, bool *more)
{
    int64_t ids[LINEAGES_AT_ONCE];
    struct arena arena;
    arena_init(&arena, 0, NULL);
    bool good = store_begin_write(db);
    uint32_t count = good ? find_old(db, below, level, ids) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct old_lineage old = {.id = ids[i]};
        read_uses(db, &arena, &old);
        prune_lineage(db, &old, level, pruned);
    }
    struct db_query *q = db_query(db, "update number set value = value + 1 where name = 'turn'");
    good = db_run(q) && db_commit(db) && !arena.failed;
    arena_release(&arena);
    *more = count == LINEAGES_AT_ONCE;
    return good;
}

static bool prune_edges(struct db *db, int64_t below_day, int64_t level, struct store_pruned *pruned)
{
    bool good = true, more = below_day > 0;
    while (good && more)
        good = prune_some(db, below_day * DAY_MS, level, pruned, &more);
    return good;
}

/* ---- results of checks ------------------------------------------------------------------------------------------ */

static bool prune_checks(struct db *db, int64_t days, int64_t newest, int64_t now_ms, struct store_pruned *pruned)
{
    int64_t checked = day_of(quality_newest(db, now_ms));
    int64_t below = horizon(days, checked > newest ? checked : newest);
    if (below == 0)
        return !db_failed(db);
    if (!store_begin_write(db))
        return false;
    pruned->checks = quality_prune(db, below * DAY_MS);
    return db_commit(db);
}

bool store_prune(struct store *store, const struct store_keeping *keeping, int64_t now_ms, struct store_pruned *pruned)
{
    struct db *db = store_db(store);
    int64_t newest = newest_day(db, now_ms);
    *pruned = (struct store_pruned){0};
    return !db_failed(db) && (keeping->queries == 0 || prune_queries(db, horizon(keeping->queries, newest), pruned)) &&
           prune_edges(db, horizon(keeping->columns, newest), PRUNED_COLUMNS, pruned) &&
           prune_edges(db, horizon(keeping->tables, newest), PRUNED_TABLES, pruned) &&
           prune_checks(db, keeping->columns, newest, now_ms, pruned);
}
