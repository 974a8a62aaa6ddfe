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

/* Later events of days before it count once a day at most: what they could replace is gone. */
static void keep_horizon(struct db *db, int64_t day)
{
    struct db_query *q = db_query(db, "insert into number as n (name, value) values ('queries_from', $1)"
                                      " on conflict (name) do update set value = excluded.value where excluded.value > n.value");
    db_bind_int(q, 1, day);
    (void)db_run(q);
}

/* What one call does, and whether its time is over. */
struct pruning {
    struct db *db;
    struct store_slice *slice; /* may be NULL */
    int64_t until;
    struct store_pruned *pruned;
};

/* Between two transactions; false when it is to end here: in a failure, or because the time is over. */
static bool goes_on(struct pruning *p)
{
    if (p->slice != NULL && clock_steady(&p->slice->clock) >= p->until)
        p->pruned->more = true;
    return !p->pruned->more && !db_failed(p->db);
}

enum { ROWS_AT_ONCE = 5000 };

static const char delete_queries[] = "delete from execution where\n"
                                     " rowid in (select rowid from execution where day = $1 limit $2) --sqlite\n"
                                     " ctid = any(array(select ctid from execution where day = $1 limit $2)) --postgres\n"
                                     " returning 1";

static const char delete_texts[] = "delete from sql_text where\n"
                                   " text in (select text from sql_text where text between $1 * 4294967296 and $1 * 4294967296 + 4294967295 limit $2) --sqlite\n"
                                   " ctid = any(array(select ctid from sql_text where day = $1 limit $2)) --postgres\n"
                                   " returning 1";

/* Some rows of a day in a transaction; gives how many, -1 after a failure. From the first on, later events of the day count as of one whose queries are gone. */
static int64_t prune_rows(struct pruning *p, const char *sql, int64_t day)
{
    if (!store_begin_write(p->db))
        return -1;
    keep_horizon(p->db, day + 1);
    struct db_query *q = db_query(p->db, sql);
    db_bind_int(q, 1, day);
    db_bind_int(q, 2, ROWS_AT_ONCE);
    int64_t rows = db_count(q);
    return db_commit(p->db) ? rows : -1;
}

/* All of a day; false when it ended before. */
static bool prune_rows_of_day(struct pruning *p, const char *sql, int64_t day, int64_t *count)
{
    int64_t rows = ROWS_AT_ONCE;
    while (rows == ROWS_AT_ONCE) {
        rows = prune_rows(p, sql, day);
        *count += rows > 0 ? rows : 0;
        if (rows < 0 || !goes_on(p))
            return false;
    }
    return true;
}

static int64_t first_text_day(struct db *db, int64_t none)
{
    return db_number(db, "select min(text) / 4294967296 from sql_text --sqlite\n"
                         "select min(day) from sql_text --postgres\n", none);
}

/* The oldest day first. Texts behind queries, so that a day is there until nothing of it is. */
static bool prune_queries(struct pruning *p, int64_t below)
{
    int64_t texts = 0;
    bool good = true;
    while (good) {
        int64_t day = db_number(p->db, "select min(day) from execution", below), text_day = first_text_day(p->db, below);
        if (db_failed(p->db) || (day >= below && text_day >= below))
            break;
        good = day <= text_day ? prune_rows_of_day(p, delete_queries, day, &p->pruned->queries) : prune_rows_of_day(p, delete_texts, text_day, &texts);
    }
    return good && !db_failed(p->db);
}

/* ---- edges ------------------------------------------------------------------------------------------------------ */

enum {
    PRUNED_COLUMNS = 1,
    PRUNED_TABLES = 2,
    LINEAGES_AT_ONCE = 200,
    EDGES_AT_ONCE = 20000
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
static uint32_t find_old(struct db *db, int64_t below, int64_t level, int64_t from, int64_t ids[LINEAGES_AT_ONCE])
{
    uint32_t count = 0;
    struct db_query *q = db_query(db, "select id from lineage where id > $4 and last_run < $1 and scripts = 0 and failed = 0 and pruned < $2 order by id"
                                     " limit $3");
    db_bind_int(q, 1, below);
    db_bind_int(q, 2, level);
    db_bind_int(q, 3, LINEAGES_AT_ONCE);
    db_bind_int(q, 4, from);
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
    return db_count(q);
}

static int64_t delete_tables(struct db *db, const struct old_lineage *old, const struct use *use)
{
    struct db_query *q = db_query(db, "delete from table_edge where dst = $2 and lineage = $1 returning 1");
    db_bind_int(q, 1, old->id);
    db_bind_int(q, 2, use->dataset);
    return db_count(q);
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
static bool prune_some(struct pruning *p, int64_t below, int64_t level, int64_t *from, bool *more)
{
    int64_t ids[LINEAGES_AT_ONCE], before = p->pruned->column_edges + p->pruned->table_edges;
    struct arena arena;
    arena_init(&arena, 0, NULL);
    bool good = store_begin_write(p->db);
    uint32_t count = good ? find_old(p->db, below, level, *from, ids) : 0, done = 0;
    for (; done < count && p->pruned->column_edges + p->pruned->table_edges - before < EDGES_AT_ONCE; done++) {
        struct old_lineage old = {.id = ids[done]};
        read_uses(p->db, &arena, &old);
        prune_lineage(p->db, &old, level, p->pruned);
    }
    struct db_query *q = db_query(p->db, "update number set value = value + 1 where name = 'turn'");
    good = db_run(q) && db_commit(p->db) && !arena.failed;
    arena_release(&arena);
    *more = count == LINEAGES_AT_ONCE || done < count;
    *from = good && *more ? ids[done - 1] : 0;
    return good;
}

static bool prune_edges(struct pruning *p, int64_t below_day, int64_t level)
{
    bool good = true, more = below_day > 0;
    int64_t first = 0, *from = p->slice == NULL ? &first : level == PRUNED_COLUMNS ? &p->slice->columns_from : &p->slice->tables_from;
    while (good && more)
        good = prune_some(p, below_day * DAY_MS, level, from, &more) && (!more || goes_on(p));
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

bool store_prune(struct store *store, const struct store_keeping *keeping, int64_t now_ms, struct store_slice *slice, struct store_pruned *pruned)
{
    struct db *db = store_db(store);
    struct pruning p = {.db = db, .slice = slice, .pruned = pruned};
    int64_t newest = newest_day(db, now_ms);
    *pruned = (struct store_pruned){0};
    p.until = slice == NULL ? 0 : clock_steady(&slice->clock) + slice->ms;
    bool done = !db_failed(db) && (keeping->queries == 0 || prune_queries(&p, horizon(keeping->queries, newest))) &&
                prune_edges(&p, horizon(keeping->columns, newest), PRUNED_COLUMNS) && prune_edges(&p, horizon(keeping->tables, newest), PRUNED_TABLES) &&
                prune_checks(db, keeping->columns, newest, now_ms, pruned);
    return done || (pruned->more && !db_failed(db));
}
