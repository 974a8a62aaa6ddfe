/* Vertices and edges with one hash table over both. */
#include "doc/log_graph.h"

#include <stdlib.h>

struct log_slot {
    uint32_t hash;
    uint32_t index_plus_one; /* 0: free */
    bool edge;
};

void log_graph_init(struct log_graph *graph, struct arena *arena)
{
    *graph = (struct log_graph){.arena = arena};
}

static bool grow(struct log_graph *graph)
{
    uint32_t larger = graph->slot_count == 0 ? 32 : graph->slot_count * 2;
    struct log_slot *slots = ARENA_ARRAY(graph->arena, struct log_slot, larger);
    if (slots == NULL)
        return false;
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        if (graph->slots[i].index_plus_one == 0)
            continue;
        uint32_t at = graph->slots[i].hash & (larger - 1);
        while (slots[at].index_plus_one != 0)
            at = (at + 1) & (larger - 1);
        slots[at] = graph->slots[i];
    }
    graph->slots = slots;
    graph->slot_count = larger;
    return true;
}

static bool reserve(struct log_graph *graph)
{
    return graph->used < graph->slot_count / 2 || grow(graph);
}

static void take_slot(struct log_graph *graph, uint32_t at, uint32_t hash, bool edge, uint32_t index)
{
    graph->slots[at] = (struct log_slot){hash, index + 1, edge};
    graph->used++;
}

static bool same_vertex(const struct log_vertex *a, const struct log_vertex *b)
{
    return a->is_table == b->is_table && str_eq(a->label, b->label) && str_eq(a->table, b->table);
}

uint32_t log_vertex(struct log_graph *graph, const struct log_vertex *vertex)
{
    if (!reserve(graph))
        return 0;
    uint32_t hash = name_hash(vertex->label.ptr, vertex->label.len) * 31 + name_hash(vertex->table.ptr, vertex->table.len);
    uint32_t at = hash & (graph->slot_count - 1);
    for (; graph->slots[at].index_plus_one != 0; at = (at + 1) & (graph->slot_count - 1)) {
        const struct log_slot *slot = &graph->slots[at];
        if (!slot->edge && slot->hash == hash && same_vertex(&graph->vertices.items[slot->index_plus_one - 1], vertex))
            return slot->index_plus_one - 1;
    }
    struct log_vertex *made = VEC_PUSH(graph->arena, &graph->vertices);
    if (made == NULL)
        return 0;
    *made = *vertex;
    take_slot(graph, at, hash, false, graph->vertices.count - 1);
    return graph->vertices.count - 1;
}

void log_ids_add(struct arena *arena, struct log_ids *list, uint32_t id)
{
    uint32_t *place = VEC_PUSH(arena, list);
    if (place != NULL)
        *place = id;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

void log_ids_sort(struct log_ids *list)
{
    if (list->count < 2)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < list->count; i++)
        if (list->items[i] != list->items[kept - 1])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

struct log_edge *log_edge(struct log_graph *graph, bool predicate, str_t expression)
{
    struct log_edge *edge = VEC_PUSH(graph->arena, &graph->edges);
    if (edge != NULL)
        *edge = (struct log_edge){.predicate = predicate, .expression = expression};
    return edge;
}

static bool same_edge(const struct log_edge *edge, bool predicate, str_t expression, const struct log_ids *sources)
{
    return edge->predicate == predicate && str_eq(edge->expression, expression) && edge->sources.count == sources->count &&
           (sources->count == 0 || memcmp(edge->sources.items, sources->items, sources->count * sizeof *sources->items) == 0);
}

struct log_edge *log_edge_merged(struct log_graph *graph, bool predicate, str_t expression, const struct log_ids *sources)
{
    if (!reserve(graph))
        return NULL;
    uint32_t hash = name_hash(expression.ptr, expression.len) * 31 + predicate;
    if (sources->count > 0)
        hash ^= name_hash((const char *)sources->items, sources->count * sizeof *sources->items);
    uint32_t at = hash & (graph->slot_count - 1);
    for (; graph->slots[at].index_plus_one != 0; at = (at + 1) & (graph->slot_count - 1)) {
        const struct log_slot *slot = &graph->slots[at];
        if (!slot->edge || slot->hash != hash)
            continue;
        struct log_edge *edge = &graph->edges.items[slot->index_plus_one - 1];
        if (same_edge(edge, predicate, expression, sources))
            return edge;
    }
    struct log_edge *edge = log_edge(graph, predicate, expression);
    if (edge == NULL)
        return NULL;
    edge->sources = *sources;
    take_slot(graph, at, hash, true, graph->edges.count - 1);
    return edge;
}

void write_ids(struct jsonw *json, const struct log_ids *ids)
{
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < ids->count; i++)
        jsonw_number(json, ids->items[i]);
    jsonw_array_end(json);
}

void log_edges_write(struct jsonw *json, const struct log_graph *graph)
{
    jsonw_key(json, STR("edges"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        const struct log_edge *edge = &graph->edges.items[i];
        jsonw_object_begin(json);
        jsonw_key(json, STR("sources"));
        write_ids(json, &edge->sources);
        jsonw_key(json, STR("targets"));
        write_ids(json, &edge->targets);
        if (edge->expression.len > 0)
            jsonw_member(json, STR("expression"), edge->expression);
        jsonw_member(json, STR("edgeType"), edge->predicate ? STR("PREDICATE") : STR("PROJECTION"));
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}
