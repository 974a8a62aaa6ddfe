/* Edges of a script beside those of the store. */
#include "api/analysis.h"

#include "base/name_map.h"

#include <stdlib.h>

enum { CHANGES_MOST = 2000, STORED_MOST = 50000, HITS_MOST = 200 };

static void add_change(struct call *call, struct analysis *a, const struct analysis_change *change)
{
    struct analysis_change *place =
        a->changes.count < CHANGES_MOST ? VEC_PUSH(call->ask.arena, &a->changes) : NULL;
    if (place != NULL)
        *place = *change;
}

void analysis_change(struct call *call, struct analysis *a, str_t type, str_t table, str_t column,
                     str_t before, str_t after)
{
    struct arena *arena = call->ask.arena;
    add_change(call, a,
               &(struct analysis_change){type, STR(""), arena_copy(arena, table),
                                         arena_copy(arena, column), arena_copy(arena, before),
                                         arena_copy(arena, after)});
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* A pair as one name: no name has a line break. */
static struct name pair_name(struct arena *arena, const struct ask_pair *pair)
{
    return name_of(arena_concat(arena, (const str_t[]){pair->source, STR("\n"), pair->target}, 3));
}

static struct name_map map_of(struct arena *arena, const struct ask_pairs *pairs)
{
    struct name_map map = {0};
    for (uint32_t i = 0; i < pairs->count; i++) {
        void **place = name_map_place(&map, arena, pair_name(arena, &pairs->items[i]));
        if (place != NULL)
            *place = &pairs->items[i];
    }
    return map;
}

static void add_edge(struct call *call, struct analysis *a, str_t type, const struct ask_pair *pair)
{
    add_change(
        call, a,
        &(struct analysis_change){type, pair->source, pair->target, STR(""), STR(""), STR("")});
}

static bool has_word(const struct ask_words *words, str_t word)
{
    for (uint32_t i = 0; i < words->count; i++)
        if (str_eq(words->items[i], word))
            return true;
    return false;
}

static bool is_column_of(str_t column, str_t table)
{
    return column.len > table.len && column.ptr[table.len] == '.' && str_starts_with(column, table);
}

static int64_t stored(struct call *call, const struct analysis *a, str_t table)
{
    return a->name_space == 0 ? 0 : ask_find(&call->ask, a->name_space_name, table).id;
}

static void compare_table(struct call *call, struct analysis *a, str_t table,
                          const struct name_map *own)
{
    struct arena *arena = call->ask.arena;
    int64_t dataset = stored(call, a, table);
    struct ask_pairs there = {0};
    if (dataset != 0)
        there = ask_edges_into(&call->ask, dataset, STORED_MOST);
    struct name_map known = map_of(arena, &there), told = {0};
    for (uint32_t i = 0; i < a->edges.count; i++) {
        const struct ask_pair *pair = &a->edges.items[i];
        struct name name = pair_name(arena, pair);
        if (!is_column_of(pair->target, table) || name_map_get(&known, name) != NULL ||
            name_map_get(&told, name) != NULL)
            continue;
        void **place = name_map_place(&told, arena, name);
        if (place != NULL)
            *place = &a->edges.items[i];
        add_edge(call, a, STR("edge_added"), pair);
    }
    for (uint32_t i = 0; i < there.count && has_word(&a->rewritten, table); i++)
        if (name_map_get(own, pair_name(arena, &there.items[i])) == NULL)
            add_edge(call, a, STR("edge_gone"), &there.items[i]);
}

void analysis_edges(struct call *call, struct analysis *a)
{
    struct name_map own = map_of(call->ask.arena, &a->edges);
    for (uint32_t i = 0; i < a->written.count; i++)
        compare_table(call, a, a->written.items[i], &own);
}

/* ---- who is hit ----------------------------------------------------------------------------- */

struct hits {
    struct ask_dependent *items;
    uint32_t count, capacity;
};

static void add_hits(struct call *call, struct hits *hits, struct id_index *seen, int64_t dataset,
                     int64_t column)
{
    struct ask_impact impact = ask_impact(&call->ask, dataset, column, false);
    for (uint32_t i = 0; i < impact.count; i++) {
        bool fresh;
        if (id_index_place(seen, call->ask.arena, impact.items[i].id, 0, &fresh) == NULL || !fresh)
            continue;
        struct ask_dependent *place = VEC_PUSH(call->ask.arena, hits);
        if (place != NULL)
            *place = impact.items[i];
    }
}

static int nearer(const void *a, const void *b)
{
    const struct ask_dependent *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* The last dot parts the column from its table. */
static void hit_by(struct call *call, struct analysis *a, const struct analysis_change *change,
                   struct hits *hits, struct id_index *seen)
{
    bool edge = str_eq(change->type, STR("edge_gone"));
    size_t dot = change->target.len;
    while (edge && dot > 0 && change->target.ptr[dot - 1] != '.')
        dot--;
    str_t table = edge && dot > 0 ? str_make(change->target.ptr, dot - 1) : change->target;
    str_t column =
        edge ? str_make(change->target.ptr + dot, change->target.len - dot) : change->column;
    int64_t dataset = stored(call, a, table);
    int64_t id = dataset != 0 && column.len > 0 ? ask_find_column(&call->ask, dataset, column) : 0;
    if (dataset != 0 && (column.len == 0 || id != 0))
        add_hits(call, hits, seen, dataset, id);
}

struct analysis_hits analysis_hits(struct call *call, struct analysis *a)
{
    static const str_t types[] = {STR("edge_gone"), STR("table_dropped"), STR("column_dropped"),
                                  STR("column_retyped")};
    enum { WALKS_MOST = 50 };
    struct hits hits = {0};
    struct id_index seen = {0};
    unsigned walks = 0;
    for (uint32_t i = 0; i < a->changes.count && walks < WALKS_MOST; i++) {
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            if (!str_eq(a->changes.items[i].type, types[t]))
                continue;
            hit_by(call, a, &a->changes.items[i], &hits, &seen);
            walks++;
        }
    }
    if (hits.count > 1)
        qsort(hits.items, hits.count, sizeof *hits.items, nearer);
    if (hits.count > HITS_MOST)
        hits.count = HITS_MOST;
    ask_dependents_fill(&call->ask, hits.items, hits.count);
    return (struct analysis_hits){hits.items, hits.count};
}
