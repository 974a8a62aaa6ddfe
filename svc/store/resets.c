/* Circles are looked for a few steps up, by the statements that rebuild tables; what was found straight is remembered until a new statement is made. */
#include "store/resets.h"

enum {
    STEPS_MOST = 4,
    SEEN_MOST = 100
};

void resets_init(struct resets *resets, struct db *db, const struct known *known)
{
    *resets = (struct resets){.db = db, .known = known};
}

void resets_release(struct resets *resets)
{
    pair_map_release(&resets->straight);
}

void add_reset(int64_t resets[2], int64_t at)
{
    if (at > resets[0]) {
        resets[1] = resets[0];
        resets[0] = at;
    } else if (at < resets[0] && at > resets[1]) {
        resets[1] = at;
    }
}

static void put(struct resets *r, int64_t dataset, const int64_t times[2])
{
    struct db_query *q = db_query(r->db, "update dataset set last_reset = $2, reset_before = $3 where id = $1");
    db_bind_int(q, 1, dataset);
    if (times[0] > 0)
        db_bind_int(q, 2, times[0]);
    if (times[1] > 0)
        db_bind_int(q, 3, times[1]);
    (void)db_run(q);
}

/* ---- circles ---------------------------------------------------------------------------------------------------- */

struct list {
    int64_t items[SEEN_MOST];
    size_t count;
};

/* False when it is full. */
static bool list_add(struct list *list, int64_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    if (list->count == SEEN_MOST)
        return false;
    list->items[list->count++] = item;
    return true;
}

static bool list_has(const struct list *list, int64_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

static void read_list(struct db_query *q, int64_t parameter, struct list *list)
{
    db_bind_int(q, 1, parameter);
    while (db_step(q))
        (void)list_add(list, db_int(q, 0));
}

/* Tables that a statement reads; tables that those statements read which rebuild a table. */
static void inputs_of(struct resets *r, int64_t lineage, struct list *list)
{
    read_list(db_query(r->db, "select dataset from lineage_dataset where lineage = $1 and role = 1 order by dataset"), lineage, list);
}

static void sources_of(struct resets *r, int64_t dataset, struct list *list)
{
    read_list(db_query(r->db, "select distinct i.dataset from lineage_dataset o join lineage l on l.id = o.lineage"
                              " join lineage_dataset i on i.lineage = o.lineage and i.role = 1"
                              " where o.dataset = $1 and o.role = 3 and o.resets = 1 and l.runs > 0 order by i.dataset"),
              dataset, list);
}

/* A few steps up from what was seen, until a dataset is met. */
static void find_sources(struct resets *r, struct list *seen, int64_t until)
{
    size_t at = 0;
    for (unsigned step = 0; step < STEPS_MOST && !list_has(seen, until); step++)
        for (size_t end = seen->count; at < end; at++)
            sources_of(r, seen->items[at], seen);
}

/* Whether the target is met from the statement's inputs on; what was met stands in `seen`. */
static bool reads_in_circle(struct resets *r, int64_t dataset, int64_t lineage, struct list *seen)
{
    if (pair_map_get(&r->straight, (uint64_t)dataset, (uint64_t)lineage) >= 0)
        return false;
    inputs_of(r, lineage, seen);
    find_sources(r, seen, dataset);
    bool found = list_has(seen, dataset);
    if (!found)
        (void)pair_map_put(&r->straight, (uint64_t)dataset, (uint64_t)lineage, 1);
    return found;
}

/* Statements that rewrite, empty or drop all of a dataset. */
static void resetting(struct resets *r, int64_t dataset, struct list *list)
{
    read_list(db_query(r->db, "select d.lineage from lineage_dataset d join lineage l on l.id = d.lineage where d.dataset = $1 and d.role in (3, 4)"
                              " and d.resets = 1 and l.runs > 0 order by l.last_run desc, d.lineage"),
              dataset, list);
}

/* ---- times ------------------------------------------------------------------------------------------------------ */

/* The newest two runs of a statement: by the queries as long as they are kept, else by the days. */
static void add_runs(struct resets *r, int64_t lineage, int64_t times[2])
{
    struct db_query *q = db_query(r->db, "select distinct ended from execution where lineage = $1 order by ended desc limit 2");
    db_bind_int(q, 1, lineage);
    while (db_step(q))
        add_reset(times, db_int(q, 0));
    q = db_query(r->db, "select first_run, last_run from lineage_day where lineage = $1 order by day desc limit 4");
    db_bind_int(q, 1, lineage);
    while (db_step(q)) {
        add_reset(times, db_int(q, 0));
        add_reset(times, db_int(q, 1));
    }
}

/* All that a statement reads, a few steps up: of a circle that it is in every table stands there, of a long one behind a short one too. */
static void upstream_of(struct resets *r, int64_t lineage, struct list *list)
{
    inputs_of(r, lineage, list);
    find_sources(r, list, 0);
}

/* What may be on circles is added to `circle`. */
static void find(struct resets *r, int64_t dataset, struct list *circle)
{
    struct list lineages = {.count = 0};
    int64_t times[2] = {0, 0};
    resetting(r, dataset, &lineages);
    for (size_t i = 0; i < lineages.count; i++) {
        struct list seen = {.count = 0};
        if (!reads_in_circle(r, dataset, lineages.items[i], &seen))
            add_runs(r, lineages.items[i], times);
        else if (circle != NULL)
            upstream_of(r, lineages.items[i], circle);
    }
    put(r, dataset, times);
}

static void forget_when_new(struct resets *r)
{
    if (r->made == r->known->made)
        return;
    pair_map_clear(&r->straight);
    r->made = r->known->made;
}

/* Those of the circle too. */
static void find_all(struct resets *r, int64_t dataset)
{
    struct list circle = {.count = 0};
    find(r, dataset, &circle);
    for (size_t i = 0; i < circle.count; i++)
        if (circle.items[i] != dataset)
            find(r, circle.items[i], NULL);
}

bool resets_find(struct resets *r, int64_t dataset)
{
    forget_when_new(r);
    find_all(r, dataset);
    return !db_failed(r->db);
}

bool resets_find_before(struct resets *r, int64_t lineage)
{
    struct list seen = {.count = 0};
    forget_when_new(r);
    upstream_of(r, lineage, &seen);
    for (size_t i = 0; i < seen.count; i++)
        find(r, seen.items[i], NULL);
    return !db_failed(r->db);
}

static bool has_circle(struct resets *r, int64_t dataset)
{
    struct list lineages = {.count = 0};
    bool found = false;
    resetting(r, dataset, &lineages);
    for (size_t i = 0; i < lineages.count && !found; i++) {
        struct list seen = {.count = 0};
        found = reads_in_circle(r, dataset, lineages.items[i], &seen);
    }
    return found;
}

bool resets_add(struct resets *r, int64_t dataset, const int64_t times[2])
{
    forget_when_new(r);
    if (has_circle(r, dataset)) {
        find_all(r, dataset);
        return !db_failed(r->db);
    }
    int64_t both[2] = {0, 0};
    struct db_query *q = db_query(r->db, "select last_reset, reset_before from dataset where id = $1");
    db_bind_int(q, 1, dataset);
    if (db_step(q)) {
        both[0] = db_int(q, 0);
        both[1] = db_int(q, 1);
    }
    db_done(q);
    add_reset(both, times[0]);
    add_reset(both, times[1]);
    put(r, dataset, both);
    return !db_failed(r->db);
}
