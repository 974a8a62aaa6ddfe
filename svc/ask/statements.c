/* The tables' edges are read once and gathered by statement. */
#include "ask/statements.h"

#include <stdlib.h>

enum { EDGES_MOST = 200000 };

struct reading {
    struct ask *ask;
    const struct ask_processes_wish *wish;
    struct ask_facts facts;
    struct id_index wanted, places; /* datasets; lineage → place of its process */
    VEC(struct ask_process) found;
};

static bool is_wanted(const struct reading *r, const struct raw_edge *edge)
{
    return edge->src != edge->dst && (edge->kind != TABLE_EDGE_INDIRECT || r->wish->indirect) &&
           id_index_get(&r->wanted, edge->src) != ID_NONE;
}

static struct raw_edges edges_between(struct reading *r, struct ask_ids *datasets)
{
    struct raw_edges all = {0};
    struct ask_ids lineages = {0};
    uint32_t kept = 0;
    (void)raw_table_edges(r->ask, datasets, true, EDGES_MOST, &all);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!is_wanted(r, &all.items[i]))
            continue;
        ask_ids_add(&lineages, r->ask->arena, all.items[i].lineage);
        all.items[kept++] = all.items[i];
    }
    all.count = kept;
    ask_facts_need(&r->facts, &lineages, datasets);
    return all;
}

static void take(struct reading *r, const struct raw_edge *edge)
{
    struct arena *arena = r->ask->arena;
    const struct ask_fact *fact = ask_facts_of(&r->facts, edge->lineage);
    enum ask_state state = ask_facts_state(&r->facts, edge->lineage, edge->dst);
    bool fresh;
    if (fact == NULL || state < STATE_SUPERSEDED)
        return;
    uint32_t *at = id_index_place(&r->places, arena, edge->lineage, r->found.count, &fresh);
    struct ask_process *added = at != NULL && fresh ? VEC_PUSH(arena, &r->found) : NULL;
    if (at == NULL || (fresh && added == NULL))
        return;
    struct ask_process *process = &r->found.items[*at];
    if (fresh)
        *process = (struct ask_process){.lineage = edge->lineage,
                                        .fingerprint = fact->fingerprint,
                                        .engine = fact->engine,
                                        .operation = fact->operation,
                                        .mode = edge->mode,
                                        .evidence = ask_facts_evidence(fact),
                                        .runs = fact->runs,
                                        .last_run = fact->last_run};
    if (state > process->state)
        process->state = state;
    ask_ids_add(&process->sources, arena, edge->src);
    ask_ids_add(&process->targets, arena, edge->dst);
}

static int newest_first(const void *a, const void *b)
{
    const struct ask_process *x = a, *y = b;
    if (x->last_run != y->last_run)
        return x->last_run > y->last_run ? -1 : 1;
    return (x->lineage > y->lineage) - (x->lineage < y->lineage);
}

/* Where each of them was seen last: a query, and a script that it stands in. */
static void read_places(struct ask *ask, struct ask_processes *list)
{
    struct ask_ids lineages = {0};
    struct id_index places = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        bool fresh;
        ask_ids_add(&lineages, ask->arena, list->items[i].lineage);
        (void)id_index_place(&places, ask->arena, list->items[i].lineage, i, &fresh);
    }
    ask_ids_sort(&lineages);
    struct db_query *q = db_query(
        ask->db, "select l.id, t.query_id, (select min(s.script) from script s where s.lineage = "
                 "l.id) from lineage l left join lineage_text t on t.lineage = l.id where l.id in "
                 "ids($1)");
    db_bind_ids(q, 1, lineages.items, lineages.count);
    while (db_step(q)) {
        uint32_t at = id_index_get(&places, db_int(q, 0));
        if (at == ID_NONE)
            continue;
        list->items[at].query_id = arena_copy(ask->arena, db_text(q, 1));
        list->items[at].script = arena_copy(ask->arena, db_text(q, 2));
    }
}

struct ask_processes ask_processes(struct ask *ask, struct ask_ids *datasets,
                                   const struct ask_processes_wish *wish)
{
    struct reading r = {.ask = ask, .wish = wish, .facts = ask_facts_at(ask, wish->at)};
    ask_ids_sort(datasets);
    for (uint32_t i = 0; i < datasets->count; i++) {
        bool fresh;
        (void)id_index_place(&r.wanted, ask->arena, datasets->items[i], 0, &fresh);
    }
    struct raw_edges edges = edges_between(&r, datasets);
    for (uint32_t i = 0; i < edges.count; i++)
        take(&r, &edges.items[i]);
    if (r.found.count > 1)
        qsort(r.found.items, r.found.count, sizeof *r.found.items, newest_first);
    struct ask_processes list = {.items = r.found.items,
                                 .count = r.found.count < wish->limit ? r.found.count : wish->limit,
                                 .total = r.found.count};
    for (uint32_t i = 0; i < list.count; i++) {
        ask_ids_sort(&list.items[i].sources);
        ask_ids_sort(&list.items[i].targets);
    }
    if (list.count > 0)
        read_places(ask, &list);
    return list;
}
