/* Downstream, breadth first, over tables or over columns; columns are gathered by their datasets.
 */
#include "ask/impact.h"

#include <stdlib.h>

enum { EDGES_MOST = 200000, PART = 500, COLUMNS_MOST = 100 };

struct walk {
    struct ask *ask;
    struct ask_facts facts;
    int64_t subject; /* the dataset */
    bool columns;
    struct id_index met;    /* datasets or columns → 0 */
    struct id_index places; /* dataset → place in `found` */
    struct id_index gone;   /* datasets that are offline → 0 */
    struct {
        struct ask_dependent *items;
        uint32_t count, capacity;
    } found;
    bool complete;
};

static int64_t dataset_of(const struct walk *w, int64_t id)
{
    return w->columns ? col_dataset(id) : id;
}

/* An edge that holds; what of it counts for the dataset. */
struct hit {
    int64_t src, dst; /* datasets or columns */
    bool direct, offline;
    int64_t heat;
};

static struct ask_dependent *dependent_of(struct walk *w, const struct hit *hit, uint32_t level)
{
    bool fresh;
    int64_t dataset = dataset_of(w, hit->dst);
    uint32_t *place = id_index_place(&w->places, w->ask->arena, dataset, w->found.count, &fresh);
    if (place == NULL)
        return NULL;
    if (!fresh)
        return &w->found.items[*place];
    struct ask_dependent *dependent = VEC_PUSH(w->ask->arena, &w->found);
    if (dependent == NULL)
        return NULL;
    *dependent =
        (struct ask_dependent){.id = dataset, .level = level, .via = dataset_of(w, hit->src)};
    dependent->dataset.heat = hit->heat;
    if (hit->offline)
        (void)id_index_place(&w->gone, w->ask->arena, dataset, 0, &fresh);
    return dependent;
}

/* A target that was not met before is of the next level. */
static void take(struct walk *w, const struct hit *hit, uint32_t level, struct ask_ids *next)
{
    bool fresh;
    if (dataset_of(w, hit->dst) != w->subject) {
        struct ask_dependent *dependent = dependent_of(w, hit, level);
        if (dependent != NULL && dependent->level == level)
            dependent->direct = dependent->direct || hit->direct;
    }
    if (id_index_place(&w->met, w->ask->arena, hit->dst, 0, &fresh) != NULL && fresh)
        ask_ids_add(next, w->ask->arena, hit->dst);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Of tables all that counts is read with the edge. */
static bool step_tables(struct walk *w, struct ask_ids *part, uint32_t level, struct ask_ids *next)
{
    uint32_t count = 0;
    ask_ids_sort(part);
    struct db_query *q = db_query(
        w->ask->db,
        "select e.src, e.dst, e.kind, t.heat, case when t.status = 'offline' then 1 else 0 end from"
        " table_edge e join lineage l on l.id = e.lineage join dataset t on t.id = e.dst"
        " where e.src in ids($1) and e.src <> e.dst and" ASK_HOLDS("t") "limit $2");
    db_bind_ids(q, 1, part->items, part->count);
    db_bind_int(q, 2, EDGES_MOST + 1);
    for (; count <= EDGES_MOST && db_step(q); count++) {
        const struct hit hit = {.src = db_int(q, 0),
                                .dst = db_int(q, 1),
                                .direct = db_int(q, 2) != TABLE_EDGE_INDIRECT,
                                .heat = db_int(q, 3),
                                .offline = db_int(q, 4) != 0};
        take(w, &hit, level, next);
    }
    db_done(q);
    return count <= EDGES_MOST;
}

/* Of columns very many edges are of one statement. */
static bool step_columns(struct walk *w, struct ask_ids *part, uint32_t level, struct ask_ids *next)
{
    struct raw_edges edges = {0};
    bool whole = raw_column_step(&w->facts, part, false, true, EDGES_MOST, &edges);
    for (uint32_t i = 0; i < edges.count; i++) {
        const struct raw_edge *edge = &edges.items[i];
        int64_t dataset = col_dataset(edge->dst);
        const struct ask_target *target = ask_facts_target(&w->facts, dataset);
        if (target == NULL || ask_facts_state(&w->facts, edge->lineage, dataset) < STATE_SUPERSEDED)
            continue;
        const struct hit hit = {.src = edge->src,
                                .dst = edge->dst,
                                .direct = edge->kind < EDGE_INDIRECT,
                                .heat = target->heat,
                                .offline = target->offline};
        take(w, &hit, level, next);
    }
    return whole;
}

/* What a part of the frontier leads to; true while there is room for more. */
static bool step(struct walk *w, struct ask_ids *part, uint32_t level, struct ask_ids *next)
{
    bool whole =
        w->columns ? step_columns(w, part, level, next) : step_tables(w, part, level, next);
    w->complete = w->complete && whole;
    return w->found.count < ASK_WALK_MOST;
}

/* The frontier goes in parts, so that what is read is bounded by the limit, not by the store. */
static void walk(struct walk *w, int64_t from)
{
    struct ask_ids frontier = {0};
    bool fresh;
    ask_ids_add(&frontier, w->ask->arena, from);
    (void)id_index_place(&w->met, w->ask->arena, from, 0, &fresh);
    for (uint32_t level = 1; frontier.count > 0; level++) {
        struct ask_ids next = {0};
        for (uint32_t at = 0; at < frontier.count; at += PART) {
            uint32_t left = frontier.count - at;
            struct ask_ids part = {.items = frontier.items + at,
                                   .count = left < PART ? left : PART};
            if (!step(w, &part, level, &next) && (left > PART || next.count > 0)) {
                w->complete = false;
                return;
            }
        }
        frontier = next;
    }
}

/* ---- order ---------------------------------------------------------------------------------- */

static int nearer(const void *a, const void *b)
{
    const struct ask_dependent *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->dataset.heat != y->dataset.heat)
        return x->dataset.heat > y->dataset.heat ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* By heat alone; the rest is read only of what is shown. */
static void sort(struct walk *w, bool offline)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->found.count; i++)
        if (offline || id_index_get(&w->gone, w->found.items[i].id) == ID_NONE)
            w->found.items[kept++] = w->found.items[i];
    w->found.count = kept;
    if (kept > 1)
        qsort(w->found.items, kept, sizeof *w->found.items, nearer);
}

/* ---- columns that are hit ------------------------------------------------------------------- */

static void add_columns(struct walk *w)
{
    struct ask_ids columns = {0};
    w->places = (struct id_index){0};
    for (uint32_t i = 0; i < w->found.count; i++) {
        bool fresh;
        (void)id_index_place(&w->places, w->ask->arena, w->found.items[i].id, i, &fresh);
    }
    for (uint32_t i = 0; i < w->met.capacity; i++)
        if (w->met.slots[i].used)
            ask_ids_add(&columns, w->ask->arena, w->met.slots[i].key);
    ask_ids_sort(&columns);
    struct db_query *q = db_query(w->ask->db, "select dataset, name from col where id in ids($1) "
                                              "and name <> '' and name <> '*' order by id");
    db_bind_ids(q, 1, columns.items, columns.count);
    while (db_step(q)) {
        uint32_t at = id_index_get(&w->places, db_int(q, 0));
        if (at != ID_NONE && w->found.items[at].columns.count < COLUMNS_MOST)
            ask_words_add(&w->found.items[at].columns, w->ask->arena,
                          arena_copy(w->ask->arena, db_text(q, 1)));
    }
}

struct ask_impact ask_impact(struct ask *ask, int64_t dataset, int64_t column, bool offline)
{
    struct walk w = {.ask = ask,
                     .facts = ask_facts_at(ask, (struct ask_moment){0}),
                     .subject = dataset,
                     .columns = column != 0,
                     .complete = true};
    struct ask_impact impact = {0};
    walk(&w, column != 0 ? column : dataset);
    sort(&w, offline);
    if (column != 0 && !ask_failed(ask))
        add_columns(&w);
    impact.items = w.found.items;
    impact.count = w.found.count;
    impact.complete = w.complete;
    while (impact.near < impact.count && impact.items[impact.near].level == 1)
        impact.near++;
    return impact;
}

void ask_dependents_fill(struct ask *ask, struct ask_dependent *items, uint32_t count)
{
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < count; i++)
        ask_ids_add(&ids, ask->arena, items[i].id);
    struct ask_dataset *datasets = ask_datasets(ask, ids.items, ids.count);
    for (uint32_t i = 0; i < count && datasets != NULL && i < ids.count; i++)
        items[i].dataset = datasets[i];
}
