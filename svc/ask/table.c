/* A few look-ups by index; the totals are walks that stop early. */
#include "ask/table.h"

#include "ask/facts.h"
#include "ask/graph.h"

enum {
    RUNS_MOST = 400, /* writes by which the usual time is told */
    WRITES_LEAST = 5,
    WINDOW = 30, /* minutes */
    MINUTES = 1440,
    SHARE_LEAST = 60,  /* hundredths */
    EDGES_EACH = 4,    /* that are read at most for each dataset that is counted … */
    EDGES_LEAST = 2000 /* … or so many */
};

/* ---- how far it reaches --------------------------------------------------------------------- */

/* Neighbours of datasets, and whether the edge to each holds. */
#define STEP(other, key)                                                                 \
    "select e." other ", case when" ASK_HOLDS(                                           \
        "t") "then 1 else 0 end from table_edge e join "                                 \
             "lineage l on l.id = e.lineage join dataset t on t.id = e.dst where e." key \
             " in ids($1) and e.kind <> 2 and "                                          \
             "e.src <> e.dst limit $2"

/* A walk in one direction. */
struct reaching {
    struct ask_reach reach;
    struct ask_ids frontier;
    struct id_index seen;
    struct db_query *edges;
    bool up;
};

static uint32_t edges_most(uint32_t most)
{
    return most * EDGES_EACH > EDGES_LEAST ? most * EDGES_EACH : EDGES_LEAST;
}

/* The next step is asked for; none where the walk has ended. */
static void start_step(struct ask *ask, struct reaching *r, uint32_t most)
{
    r->edges = NULL;
    if (r->frontier.count == 0 || !r->reach.exact)
        return;
    ask_ids_sort(&r->frontier);
    r->edges = db_query(ask->db, r->up ? STEP("src", "dst") : STEP("dst", "src"));
    db_bind_ids(r->edges, 1, r->frontier.items, r->frontier.count);
    db_bind_int(r->edges, 2, edges_most(most) + 1);
    db_start(r->edges);
}

static void take_step(struct ask *ask, struct reaching *r, uint32_t most)
{
    struct ask_ids next = {0};
    uint32_t seen = 0;
    bool fresh;
    while (db_step(r->edges)) {
        r->reach.exact = ++seen <= edges_most(most);
        if (r->reach.exact && db_int(r->edges, 1) != 0 &&
            id_index_place(&r->seen, ask->arena, db_int(r->edges, 0), 0, &fresh) != NULL && fresh)
            ask_ids_add(&next, ask->arena, db_int(r->edges, 0));
    }
    if (r->reach.total == 0)
        r->reach.direct = next.count;
    r->reach.total += next.count;
    if (r->reach.total >= most && next.count > 0)
        r->reach.exact = false;
    r->frontier = next;
}

static struct reaching reaching_from(struct ask *ask, int64_t dataset, bool up)
{
    struct reaching r = {.reach = {.exact = true}, .up = up};
    bool fresh;
    ask_ids_add(&r.frontier, ask->arena, dataset);
    (void)id_index_place(&r.seen, ask->arena, dataset, 0, &fresh);
    return r;
}

/* Both directions step by step together; the first steps have been started. */
static void reach_both(struct ask *ask, struct reaching *both, uint32_t most)
{
    while (both[0].edges != NULL || both[1].edges != NULL)
        for (int i = 0; i < 2; i++) {
            if (both[i].edges != NULL)
                take_step(ask, &both[i], most);
            start_step(ask, &both[i], most);
        }
}

/* ---- use ------------------------------------------------------------------------------------ */

static struct db_query *ask_of_dataset(struct ask *ask, const char *sql, int64_t dataset)
{
    struct db_query *q = db_query(ask->db, sql);
    db_bind_int(q, 1, dataset);
    db_start(q);
    return q;
}

static struct db_query *ask_for_days(struct ask *ask, int64_t dataset)
{
    struct db_query *q = db_query(ask->db, "select day, sum(reads), sum(writes), count(*) from "
                                           "dataset_day where dataset = $1 and day >= $2"
                                           " and reads + writes > 0 group by day order by day");
    db_bind_int(q, 1, dataset);
    db_bind_int(q, 2, ask_first_day(ask));
    db_start(q);
    return q;
}

static void read_days(struct ask *ask, struct db_query *q, struct ask_table *table)
{
    VEC(struct ask_use_day) days = {0};
    while (db_step(q)) {
        struct ask_use_day *day = VEC_PUSH(ask->arena, &days);
        if (day != NULL)
            *day = (struct ask_use_day){db_int(q, 0), db_int(q, 1), db_int(q, 2), db_int(q, 3)};
        table->reads += db_int(q, 1);
        table->writes += db_int(q, 2);
    }
    table->days = days.items;
    table->day_count = days.count;
}

static struct ask_run read_run(struct ask *ask, struct db_query *q)
{
    struct ask_run run = {0};
    if (db_step(q))
        run = (struct ask_run){db_int(q, 0),
                               arena_copy(ask->arena, db_text(q, 1)),
                               arena_copy(ask->arena, db_text(q, 2)),
                               arena_copy(ask->arena, db_text(q, 3)),
                               arena_copy(ask->arena, db_text(q, 4)),
                               arena_copy(ask->arena, db_text(q, 5))};
    db_done(q);
    return run;
}

/* The run by which it was written last: that of the statement that ran last. */
static const char last_write_sql[] =
    "select n.last_run, a.name, x.query_id, x.engine, x.operation, x.status from (select l.id, "
    "l.last_run from lineage_dataset w join lineage l on l.id = w.lineage where w.dataset = $1 and "
    "w.role = 3 and l.failed = 0 and l.last_run is not null order by l.last_run desc limit 1) n"
    " left join execution x on x.lineage = n.id and x.ended = n.last_run and x.day between "
    "n.last_run / 86400000 - 1 and n.last_run / 86400000 + 1"
    " left join account a on a.id = x.account order by x.query_id limit 1";

/* On the newest day on which something failed. */
static const char last_failure_sql[] =
    "select x.ended, a.name, x.query_id, x.engine, x.operation, x.status from (select max(day) as "
    "day from dataset_day where dataset = $1 and failures > 0) n join lineage_dataset w on "
    "w.dataset = $1 and w.role = 3 join execution x on x.lineage = w.lineage and x.day between "
    "n.day - 1 and n.day + 1 and x.status in ('ERROR', 'CANCELLED', 'INCOMPLETE')"
    " left join account a on a.id = x.account where n.day is not null"
    " order by x.ended desc limit 1";

struct ask_run ask_last_failure(struct ask *ask, int64_t dataset)
{
    return read_run(ask, ask_of_dataset(ask, last_failure_sql, dataset));
}

/* The half hour with most of the writes. */
static void tell_usual_time(struct ask_table *table, const uint16_t *minutes, unsigned writes)
{
    unsigned best = 0, best_at = 0, sum = 0;
    for (unsigned i = 0; i < WINDOW; i++)
        sum += minutes[i];
    for (unsigned at = 0; at < MINUTES; at++) {
        if (sum > best) {
            best = sum;
            best_at = at;
        }
        sum += minutes[(at + WINDOW) % MINUTES];
        sum -= minutes[at];
    }
    if (writes < WRITES_LEAST || best * 100 < writes * SHARE_LEAST)
        return;
    while (minutes[best_at] == 0)
        best_at = (best_at + 1) % MINUTES;
    table->has_usual_time = true;
    table->usual_from = best_at;
    table->usual_to = (best_at + WINDOW - 1) % MINUTES;
    table->usual_share = best * 100 / writes;
}

static struct db_query *ask_for_usual_time(struct ask *ask, int64_t dataset)
{
    struct db_query *q = db_query(
        ask->db,
        "select x.ended from lineage_dataset w join execution x on x.lineage = w.lineage"
        " where w.dataset = $1 and w.role = 3 and x.day >= $2 and x.status = 'OK' limit $3");
    db_bind_int(q, 1, dataset);
    db_bind_int(q, 2, ask_first_day(ask));
    db_bind_int(q, 3, RUNS_MOST);
    db_start(q);
    return q;
}

static void read_usual_time(struct db_query *q, struct ask_table *table)
{
    uint16_t minutes[MINUTES] = {0};
    unsigned writes = 0;
    while (db_step(q)) {
        minutes[db_int(q, 0) / 60000 % MINUTES]++;
        writes++;
    }
    tell_usual_time(table, minutes, writes);
}

static void read_uncertain(struct ask *ask, struct db_query *q, struct ask_table *table)
{
    struct ask_words codes = {0};
    while (db_step(q))
        ask_words_split(&codes, ask->arena, arena_copy(ask->arena, db_text(q, 0)));
    for (uint32_t i = 0; i < codes.count; i++)
        table->uncertain =
            i == 0 ? codes.items[i]
                   : arena_concat(ask->arena,
                                  (const str_t[]){table->uncertain, STR(","), codes.items[i]}, 3);
}

static void read_checks(struct db_query *q, struct ask_table *table)
{
    while (db_step(q))
        table->checks[db_int(q, 0) & 3] = db_int(q, 1);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void read_own(struct ask *ask, struct db_query *q, struct ask_table *table)
{
    if (db_step(q)) {
        table->view_text = arena_copy(ask->arena, db_text(q, 0));
        table->location = arena_copy(ask->arena, db_text(q, 1));
        table->first_seen = db_int(q, 2);
        table->last_seen = db_int(q, 3);
    }
    db_done(q);
}

/* Questions that need no other answer first, by one wait. */
struct table_questions {
    struct ask_dataset_batch *batch;
    struct db_query *own, *days, *last_write, *last_failure, *usual_time, *uncertain, *renamed,
        *checks;
    struct reaching both[2];
};

static void start_questions(struct ask *ask, const int64_t *dataset, uint32_t count_to,
                            struct table_questions *t)
{
    int64_t id = *dataset;
    t->days = ask_for_days(ask, id); /* it asks what day it is */
    t->batch = ask_datasets_start(ask, dataset, 1, true);
    t->own = ask_of_dataset(
        ask, "select view_text, location, first_seen, last_seen from dataset where id = $1", id);
    t->last_write = ask_of_dataset(ask, last_write_sql, id);
    t->last_failure = ask_of_dataset(ask, last_failure_sql, id);
    t->usual_time = ask_for_usual_time(ask, id);
    t->uncertain = ask_of_dataset(
        ask,
        "select distinct l.uncertain from lineage_dataset w join lineage l on l.id = w.lineage"
        " where w.dataset = $1 and w.role = 3 and l.failed = 0 and l.uncertain <> '' limit 100",
        id);
    t->renamed = ask_last_rename_start(ask, id, false);
    t->checks = ask_of_dataset(
        ask, "select status, count(*) from quality where dataset = $1 group by status", id);
    for (int i = 0; i < 2; i++) {
        t->both[i] = reaching_from(ask, id, i == 0);
        start_step(ask, &t->both[i], count_to);
    }
}

bool ask_table(struct ask *ask, int64_t dataset, uint32_t count_to, struct ask_table *table)
{
    struct table_questions t;
    *table = (struct ask_table){0};
    start_questions(ask, &dataset, count_to, &t);
    read_own(ask, t.own, table);
    read_days(ask, t.days, table);
    table->last_write = read_run(ask, t.last_write);
    table->last_failure = read_run(ask, t.last_failure);
    read_usual_time(t.usual_time, table);
    read_uncertain(ask, t.uncertain, table);
    read_checks(t.checks, table);
    (void)ask_last_rename_read(ask, t.renamed, &table->renamed_from);
    reach_both(ask, t.both, count_to);
    table->up = t.both[0].reach;
    table->down = t.both[1].reach;
    struct ask_dataset *datasets = ask_datasets_read(t.batch);
    if (datasets == NULL || datasets[0].id == 0)
        return false;
    table->dataset = datasets[0];
    if (str_eq(table->dataset.status, STR("offline")))
        (void)ask_last_rename(ask, dataset, true, &table->renamed_to);
    return true;
}
