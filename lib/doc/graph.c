/* Collects statements into the graph; one hash table tells what is there already. */
#include "doc/graph.h"

#include "doc/format.h"
#include "doc/people.h"

enum slot_kind {
    SLOT_FREE, SLOT_TABLE, SLOT_COLUMN, SLOT_EDGE
};

struct graph_slot {
    uint32_t hash;
    uint32_t kind; /* enum slot_kind */
    uint32_t index;
};

/* What is looked for: a table or column by its name, an edge by its ends. */
struct graph_key {
    enum slot_kind kind;
    uint32_t a, b, c;
    str_t name;
};

static uint32_t key_hash(const struct graph_key *key)
{
    uint32_t parts[] = {(uint32_t)key->kind, key->a, key->b, key->c, name_hash(key->name.ptr, key->name.len)};
    return name_hash((const char *)parts, sizeof parts);
}

/* Which ends are tables. */
static uint32_t edge_flags(struct graph_end from, struct graph_end to)
{
    return (from.table ? 1u : 0u) | (to.table ? 2u : 0u);
}

static bool slot_matches(const struct doc_graph *graph, const struct graph_slot *slot, const struct graph_key *key)
{
    if (slot->kind != (uint32_t)key->kind)
        return false;
    if (key->kind == SLOT_TABLE)
        return str_eq(graph->tables.items[slot->index].name, key->name);
    if (key->kind == SLOT_COLUMN)
        return graph->columns.items[slot->index].table == key->a && str_eq(graph->columns.items[slot->index].name, key->name);
    const struct graph_edge *edge = &graph->edges.items[slot->index];
    return edge_flags(edge->from, edge->to) == key->a && edge->from.index == key->b && edge->to.index == key->c &&
           str_eq(edge->clause, key->name);
}

static struct graph_slot *find_slot(struct doc_graph *graph, const struct graph_key *key, uint32_t hash)
{
    uint32_t mask = graph->slot_count - 1;
    uint32_t at = hash & mask;
    while (graph->slots[at].kind != SLOT_FREE && (graph->slots[at].hash != hash || !slot_matches(graph, &graph->slots[at], key)))
        at = (at + 1) & mask;
    return &graph->slots[at];
}

static bool grow(struct doc_graph *graph, struct arena *arena)
{
    uint32_t larger = graph->slot_count == 0 ? 64 : graph->slot_count * 2;
    struct graph_slot *slots = ARENA_ARRAY(arena, struct graph_slot, larger);
    if (slots == NULL)
        return false;
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        if (graph->slots[i].kind == SLOT_FREE)
            continue;
        uint32_t at = graph->slots[i].hash & (larger - 1);
        while (slots[at].kind != SLOT_FREE)
            at = (at + 1) & (larger - 1);
        slots[at] = graph->slots[i];
    }
    graph->slots = slots;
    graph->slot_count = larger;
    return true;
}

/* The slot of the key, new (*index is `next` then) or old; false when out of memory. */
static bool place(struct doc_writer *w, const struct graph_key *key, uint32_t next, uint32_t *index)
{
    struct doc_graph *graph = w->graph;
    if (graph->used >= graph->slot_count / 2 && !grow(graph, &w->arena))
        return false;
    uint32_t hash = key_hash(key);
    struct graph_slot *slot = find_slot(graph, key, hash);
    if (slot->kind == SLOT_FREE) {
        *slot = (struct graph_slot){hash, (uint32_t)key->kind, next};
        graph->used++;
    }
    *index = slot->index;
    return true;
}

/* Index of the table, UINT32_MAX when out of memory. */
static uint32_t table_of(struct doc_writer *w, str_t name)
{
    struct doc_graph *graph = w->graph;
    uint32_t index, next = graph->tables.count;
    if (!place(w, &(struct graph_key){.kind = SLOT_TABLE, .name = name}, next, &index))
        return UINT32_MAX;
    if (index == next) {
        struct graph_table *table = VEC_PUSH(&w->arena, &graph->tables);
        if (table == NULL)
            return UINT32_MAX;
        table->name = arena_copy(&w->arena, name);
    }
    return index;
}

static struct graph_end table_end(uint32_t table)
{
    return (struct graph_end){true, table};
}

/* A column of the table; with an empty name the table itself. */
static struct graph_end column_of(struct doc_writer *w, uint32_t table, str_t name)
{
    static const struct graph_end none = {false, UINT32_MAX};
    struct doc_graph *graph = w->graph;
    uint32_t index, next = graph->columns.count;
    if (name.len == 0)
        return table_end(table);
    if (table == UINT32_MAX || !place(w, &(struct graph_key){.kind = SLOT_COLUMN, .a = table, .name = name}, next, &index))
        return none;
    if (index == next) {
        struct graph_column *column = VEC_PUSH(&w->arena, &graph->columns);
        uint32_t *entry = VEC_PUSH(&w->arena, &graph->tables.items[table].columns);
        if (column == NULL || entry == NULL)
            return none;
        *column = (struct graph_column){next, table, arena_copy(&w->arena, name)};
        *entry = next;
    }
    return (struct graph_end){false, index};
}

static void add_edge(struct doc_writer *w, struct graph_end from, struct graph_end to, str_t clause)
{
    struct doc_graph *graph = w->graph;
    uint32_t index, next = graph->edges.count;
    struct graph_key key = {SLOT_EDGE, edge_flags(from, to), from.index, to.index, clause};
    if (from.index == UINT32_MAX || to.index == UINT32_MAX || !place(w, &key, next, &index) || index != next)
        return;
    struct graph_edge *edge = VEC_PUSH(&w->arena, &graph->edges);
    if (edge != NULL)
        *edge = (struct graph_edge){from, to, clause};
}

static uint32_t dataset_of(struct doc_writer *w, const struct doc_dataset *dataset)
{
    return table_of(w, dataset_text(dataset));
}

/* The table that a statement's columns without a table belong to: a directory, or the result of a SELECT. */
static uint32_t result_of(struct doc_writer *w, const struct doc_statement *st)
{
    if (st->output_count == 1)
        return dataset_of(w, &st->outputs[0].dataset);
    struct buf name;
    buf_init(&name, 0);
    BUF_ADD(&name, "result of line ");
    buf_add_number(&name, lines_find(&w->lines, st->span.start).line);
    uint32_t table = table_of(w, buf_str(&name));
    buf_release(&name);
    if (table != UINT32_MAX)
        w->graph->tables.items[table].result = true;
    return table;
}

static uint32_t target_table(struct doc_writer *w, const struct doc_statement *st, str_t table)
{
    return table.len > 0 ? table_of(w, table) : result_of(w, st);
}

static struct graph_end source_of(struct doc_writer *w, const struct doc_source *source)
{
    return column_of(w, table_of(w, source->table), source->column);
}

static void add_columns(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->column_count; i++) {
        const struct doc_column *column = &st->columns[i];
        struct graph_end target = column_of(w, target_table(w, st, column->table), column->column);
        for (uint32_t s = 0; s < column->source_count; s++)
            add_edge(w, source_of(w, &column->sources[s]), target, STR(""));
    }
}

static void add_condition(struct doc_writer *w, const struct doc_predicate *predicate, struct graph_end target)
{
    for (uint32_t s = 0; s < predicate->source_count; s++)
        add_edge(w, source_of(w, &predicate->sources[s]), target, clause_kind_text(predicate->clause));
}

/* A condition leads to the columns that it is about, or to the tables that the statement writes. */
static void add_predicate(struct doc_writer *w, const struct doc_statement *st, const struct doc_predicate *predicate)
{
    for (uint32_t i = 0; i < predicate->target_count; i++) {
        const struct doc_target *target = &predicate->targets[i];
        add_condition(w, predicate, column_of(w, target_table(w, st, target->table), target->column));
    }
    if (predicate->target_count > 0)
        return;
    if (st->output_count == 0)
        add_condition(w, predicate, table_end(result_of(w, st)));
    for (uint32_t out = 0; out < st->output_count; out++)
        add_condition(w, predicate, table_end(dataset_of(w, &st->outputs[out].dataset)));
}

static void add_tables(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t out = 0; out < st->output_count; out++)
        for (uint32_t in = 0; in < st->input_count; in++)
            add_edge(w, table_end(dataset_of(w, &st->inputs[in])), table_end(dataset_of(w, &st->outputs[out].dataset)), STR(""));
}

void graph_add(struct doc_writer *w, const struct doc_statement *st)
{
    if (!has_lineage(st))
        return;
    if (w->graph == NULL)
        w->graph = ARENA_NEW(&w->arena, struct doc_graph);
    if (w->graph == NULL)
        return;
    add_columns(w, st);
    for (uint32_t i = 0; i < st->predicate_count; i++)
        add_predicate(w, st, &st->predicates[i]);
    if (st->column_count == 0)
        add_tables(w, st);
}
