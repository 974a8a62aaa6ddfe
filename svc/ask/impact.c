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

static void read_facts(struct walk *w, const struct raw_edges *edges)
{
    struct ask_ids lineages = {0}, targets = {0};
    for (uint32_t i = 0; i < edges->count; i++) {
        ask_ids_add(&lineages, w->ask->arena, edges->items[i].lineage);
        ask_ids_add(&targets, w->ask->arena, dataset_of(w, edges->items[i].dst));
    }
    ask_facts_need(&w->facts, &lineages);
    ask_facts_need_resets(&w->facts, &targets);
}

static bool is_direct(const struct walk *w, const struct raw_edge *edge)
{
    return w->columns ? edge->kind < EDGE_INDIRECT : edge->kind != TABLE_EDGE_INDIRECT;
}

static struct ask_dependent *dependent_of(struct walk *w, const struct raw_edge *edge,
                                          uint32_t level)
{
    bool fresh;
    int64_t dataset = dataset_of(w, edge->dst);
    uint32_t *place = id_index_place(&w->places, w->ask->arena, dataset, w->found.count, &fresh);
    if (place == NULL)
        return NULL;
    if (!fresh)
        return &w->found.items[*place];
    struct ask_dependent *dependent = VEC_PUSH(w->ask->arena, &w->found);
    if (dependent != NULL)
        *dependent =
            (struct ask_dependent){.id = dataset, .level = level, .via = dataset_of(w, edge->src)};
    return dependent;
}

/* True when the target was not met before. */
static bool take(struct walk *w, const struct raw_edge *edge, uint32_t level)
{
    bool fresh;
    if (edge->src == edge->dst ||
        ask_facts_state(&w->facts, edge->lineage, dataset_of(w, edge->dst)) < STATE_SUPERSEDED)
        return false;
    if (dataset_of(w, edge->dst) != w->subject) {
        struct ask_dependent *dependent = dependent_of(w, edge, level);
        if (dependent != NULL && dependent->level == level)
            dependent->direct = dependent->direct || is_direct(w, edge);
    }
    return id_index_place(&w->met, w->ask->arena, edge->dst, 0, &fresh) != NULL && fresh;
}

/* What a part of the frontier leads to; true while there is room for more. */
static bool step(struct walk *w, struct ask_ids *part, uint32_t level, struct ask_ids *next)
{
    struct raw_edges edges = {0};
    bool whole = w->columns ? raw_column_edges(w->ask, part, false, true, EDGES_MOST, &edges)
                            : raw_table_edges(w->ask, part, false, EDGES_MOST, &edges);
    read_facts(w, &edges);
    for (uint32_t i = 0; i < edges.count; i++)
        if (take(w, &edges.items[i], level))
            ask_ids_add(next, w->ask->arena, edges.items[i].dst);
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
            struct ask_ids part = {.items = frontier.items + at, .count = left < PART ? left : PART};
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

/* Heat alone, and whether they are there, for the order; the rest only of what is shown. */
static void sort(struct walk *w, bool offline)
{
    struct ask_ids ids = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->found.count; i++)
        ask_ids_add(&ids, w->ask->arena, w->found.items[i].id);
    ask_ids_sort(&ids);
    struct db_query *q = db_query(
        w->ask->db,
        "select id, heat from dataset where id in ids($1) and ($2 = 1 or status <> 'offline')");
    db_bind_ids(q, 1, ids.items, ids.count);
    db_bind_int(q, 2, offline);
    while (db_step(q)) {
        uint32_t at = id_index_get(&w->places, db_int(q, 0));
        if (at == ID_NONE || at >= w->found.count)
            continue;
        w->found.items[at].dataset.id = w->found.items[at].id;
        w->found.items[at].dataset.heat = db_int(q, 1);
    }
    for (uint32_t i = 0; i < w->found.count; i++)
        if (w->found.items[i].dataset.id != 0)
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
