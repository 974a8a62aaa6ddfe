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

static bool holds(const struct ask_facts *facts, const struct raw_edge *edge)
{
    return edge->src != edge->dst && edge->kind != TABLE_EDGE_INDIRECT &&
           ask_facts_state(facts, edge->lineage, edge->dst) >= STATE_SUPERSEDED;
}

struct ask_reach ask_reach(struct ask *ask, int64_t dataset, bool up, uint32_t most)
{
    struct ask_reach reach = {.exact = true};
    uint32_t edges_most = most * EDGES_EACH > EDGES_LEAST ? most * EDGES_EACH : EDGES_LEAST;
    struct ask_facts facts = ask_facts_at(ask, (struct ask_moment){0});
    struct id_index seen = {0};
    struct ask_ids frontier = {0};
    bool fresh;
    ask_ids_add(&frontier, ask->arena, dataset);
    (void)id_index_place(&seen, ask->arena, dataset, 0, &fresh);
    for (bool first = true; frontier.count > 0 && reach.exact; first = false) {
        struct raw_edges edges = {0};
        struct ask_ids lineages = {0}, targets = {0}, next = {0};
        if (!raw_table_edges(ask, &frontier, up, edges_most, &edges))
            reach.exact = false;
        for (uint32_t i = 0; i < edges.count; i++) {
            ask_ids_add(&lineages, ask->arena, edges.items[i].lineage);
            ask_ids_add(&targets, ask->arena, edges.items[i].dst);
        }
        ask_facts_need(&facts, &lineages);
        ask_facts_need_resets(&facts, &targets);
        for (uint32_t i = 0; i < edges.count; i++) {
            int64_t id = up ? edges.items[i].src : edges.items[i].dst;
            if (holds(&facts, &edges.items[i]) &&
                id_index_place(&seen, ask->arena, id, 0, &fresh) != NULL && fresh)
                ask_ids_add(&next, ask->arena, id);
        }
        if (first)
            reach.direct = next.count;
        reach.total += next.count;
        if (reach.total >= most && next.count > 0)
            reach.exact = false;
        frontier = next;
    }
    return reach;
}

/* ---- use ------------------------------------------------------------------------------------ */

static void read_days(struct ask *ask, struct ask_table *table)
{
    VEC(struct ask_use_day) days = {0};
    struct db_query *q = db_query(ask->db, "select day, sum(reads), sum(writes), count(*) from "
                                           "dataset_day where dataset = $1 and day >= $2"
                                           " and reads + writes > 0 group by day order by day");
    db_bind_int(q, 1, table->dataset.id);
    db_bind_int(q, 2, ask_first_day(ask));
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

#define RUN_ROWS                                                                                 \
    "select x.ended, a.name, x.query_id, x.engine, x.operation, x.status from execution x left " \
    "join account a on a.id = x.account"

/* The statement that wrote it last tells the run. */
static void read_last_write(struct ask *ask, struct ask_table *table)
{
    struct db_query *q = db_query(
        ask->db, "select l.id, l.last_run from lineage_dataset w join lineage l on l.id = w.lineage"
                 " where w.dataset = $1 and w.role = 3 and l.failed = 0 and l.last_run is not null"
                 " order by l.last_run desc limit 1");
    db_bind_int(q, 1, table->dataset.id);
    int64_t lineage = 0, time = 0;
    if (db_step(q)) {
        lineage = db_int(q, 0);
        time = db_int(q, 1);
    }
    db_done(q);
    if (lineage == 0)
        return;
    q = db_query(ask->db, RUN_ROWS " where x.lineage = $1 and x.ended = $2 and x.day between $3 - "
                                   "1 and $3 + 1 order by x.query_id limit 1");
    db_bind_int(q, 1, lineage);
    db_bind_int(q, 2, time);
    db_bind_int(q, 3, day_of(time));
    table->last_write = read_run(ask, q);
    if (table->last_write.time == 0)
        table->last_write.time = time;
}

struct ask_run ask_last_failure(struct ask *ask, int64_t dataset)
{
    struct db_query *q =
        db_query(ask->db, "select max(day) from dataset_day where dataset = $1 and failures > 0");
    db_bind_int(q, 1, dataset);
    int64_t day = db_step(q) && !db_is_null(q, 0) ? db_int(q, 0) : -1;
    db_done(q);
    if (day < 0)
        return (struct ask_run){0};
    q = db_query(
        ask->db, RUN_ROWS
        " join lineage_dataset w on w.lineage = x.lineage where w.dataset = $1 and w.role = 3"
        " and x.day between $2 - 1 and $2 + 1 and x.status in ('ERROR', 'CANCELLED', 'INCOMPLETE')"
        " order by x.ended desc limit 1");
    db_bind_int(q, 1, dataset);
    db_bind_int(q, 2, day);
    return read_run(ask, q);
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

static void read_usual_time(struct ask *ask, struct ask_table *table)
{
    uint16_t minutes[MINUTES] = {0};
    unsigned writes = 0;
    struct db_query *q = db_query(
        ask->db,
        "select x.ended from lineage_dataset w join execution x on x.lineage = w.lineage"
        " where w.dataset = $1 and w.role = 3 and x.day >= $2 and x.status = 'OK' limit $3");
    db_bind_int(q, 1, table->dataset.id);
    db_bind_int(q, 2, ask_first_day(ask));
    db_bind_int(q, 3, RUNS_MOST);
    while (db_step(q)) {
        minutes[db_int(q, 0) / 60000 % MINUTES]++;
        writes++;
    }
    tell_usual_time(table, minutes, writes);
}

static void read_uncertain(struct ask *ask, struct ask_table *table)
{
    struct ask_words codes = {0};
    struct db_query *q = db_query(
        ask->db,
        "select distinct l.uncertain from lineage_dataset w join lineage l on l.id = w.lineage"
        " where w.dataset = $1 and w.role = 3 and l.failed = 0 and l.uncertain <> '' limit 100");
    db_bind_int(q, 1, table->dataset.id);
    while (db_step(q))
        ask_words_split(&codes, ask->arena, arena_copy(ask->arena, db_text(q, 0)));
    for (uint32_t i = 0; i < codes.count; i++)
        table->uncertain =
            i == 0 ? codes.items[i]
                   : arena_concat(ask->arena,
                                  (const str_t[]){table->uncertain, STR(","), codes.items[i]}, 3);
}

bool ask_table(struct ask *ask, int64_t dataset, uint32_t count_to, struct ask_table *table)
{
    struct ask_dataset *datasets = ask_datasets(ask, &dataset, 1);
    *table = (struct ask_table){0};
    if (datasets == NULL || datasets[0].id == 0)
        return false;
    table->dataset = datasets[0];
    struct db_query *q = db_query(
        ask->db, "select view_text, location, first_seen, last_seen from dataset where id = $1");
    db_bind_int(q, 1, dataset);
    if (db_step(q)) {
        table->view_text = arena_copy(ask->arena, db_text(q, 0));
        table->location = arena_copy(ask->arena, db_text(q, 1));
        table->first_seen = db_int(q, 2);
        table->last_seen = db_int(q, 3);
    }
    db_done(q);
    table->up = ask_reach(ask, dataset, true, count_to);
    table->down = ask_reach(ask, dataset, false, count_to);
    read_days(ask, table);
    read_last_write(ask, table);
    table->last_failure = ask_last_failure(ask, dataset);
    read_usual_time(ask, table);
    read_uncertain(ask, table);
    if (str_eq(table->dataset.status, STR("offline")))
        (void)ask_last_rename(ask, dataset, true, &table->renamed_to);
    (void)ask_last_rename(ask, dataset, false, &table->renamed_from);
    return true;
}
