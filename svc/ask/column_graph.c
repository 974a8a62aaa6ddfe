/*
 * A trace: step by step over sorted batches of columns, to the very source where the depth allows.
 * With conditions, the rows of each table that is met count as a column of it: what decides about
 * all rows decides about each column.
 */
#include "ask/column_graph.h"

#include "ask/expression.h"
#include "ask/hubs.h"

#include <stdlib.h>

enum { EXPRESSIONS_MOST = 200 };

struct walk {
    struct ask *ask;
    const struct ask_column_wish *wish;
    struct ask_facts facts;
    struct id_index levels_of; /* column → place in `columns` */
    struct ask_ids columns;
    struct {
        int *items;
        uint32_t count, capacity;
    } levels;
    struct raw_edges edges; /* that hold */
    struct ask_hubs hubs;
    struct ask_column_graph *graph;
};

static bool read_column_edges(struct ask *ask, struct db_query *q, uint32_t most,
                              struct raw_edges *edges)
{
    while (db_step(q)) {
        if (edges->count >= most) {
            db_done(q);
            return false;
        }
        struct raw_edge *edge = VEC_PUSH(ask->arena, edges);
        if (edge != NULL)
            *edge = (struct raw_edge){db_int(q, 0), db_int(q, 1), db_int(q, 2), (int)db_int(q, 3),
                                      STR("")};
    }
    return true;
}

#define WANTED " and dst <> 0 and src <> 0 and dst <> src and (kind < 10 or $3 = 1) limit $2"

static struct db_query *start_step(struct ask *ask, struct ask_ids *ids, bool up, bool indirect,
                                   uint32_t most)
{
    static const char up_sql[] =
        "select dst, src, lineage, kind from column_edge where dst in ids($1)" WANTED;
    static const char down_sql[] =
        "select dst, src, lineage, kind from column_edge where src in ids($1)" WANTED;
    ask_ids_sort(ids);
    struct db_query *q = db_query(ask->db, up ? up_sql : down_sql);
    db_bind_ids(q, 1, ids->items, ids->count);
    db_bind_int(q, 2, (int64_t)most + 1);
    db_bind_int(q, 3, indirect);
    db_start(q);
    return q;
}

bool raw_column_step(struct ask_facts *facts, struct ask_ids *ids, bool up, bool indirect,
                     uint32_t most, struct raw_edges *edges)
{
    struct db_query *q = start_step(facts->ask, ids, up, indirect, most);
    bool whole = read_column_edges(facts->ask, q, most, edges);
    raw_edges_need_facts(facts, edges, true);
    return whole;
}

static bool holds(const struct walk *w, const struct raw_edge *edge)
{
    return ask_facts_state(&w->facts, edge->lineage, col_dataset(edge->dst)) >= STATE_SUPERSEDED;
}

/* True when the column was not met before. */
static bool meet(struct walk *w, int64_t column, int level)
{
    bool fresh;
    if (id_index_place(&w->levels_of, w->ask->arena, column, w->columns.count, &fresh) == NULL ||
        !fresh)
        return false;
    int *place = VEC_PUSH(w->ask->arena, &w->levels);
    if (place != NULL)
        *place = level;
    ask_ids_add(&w->columns, w->ask->arena, column);
    return true;
}

/* The rows of the datasets of these columns, as columns. */
static void add_rows(struct walk *w, struct ask_ids *frontier, int level)
{
    struct ask_ids datasets = {0};
    for (uint32_t i = 0; i < frontier->count; i++)
        ask_ids_add(&datasets, w->ask->arena, col_dataset(frontier->items[i]));
    ask_ids_sort(&datasets);
    struct db_query *q = db_query(
        w->ask->db,
        "select c.id from dataset d join col c on c.id between cast(d.id as bigint) * 65536"
        " and cast(d.id as bigint) * 65536 + 65535 where d.id in ids($1) and c.name = ''");
    db_bind_ids(q, 1, datasets.items, datasets.count);
    while (db_step(q))
        if (meet(w, db_int(q, 0), level))
            ask_ids_add(frontier, w->ask->arena, db_int(q, 0));
}

/*
 * One direction. Whether an edge holds shows only when the facts of its statement are known; so that
 * a server is waited for once a step, the next step is asked for along with them, from all ends that
 * may be reached, and what turns out to begin elsewhere is passed over.
 */
struct direction {
    struct walk *w;
    bool up;
    int level; /* of the frontier */
    struct ask_ids frontier;
    struct db_query *asked; /* for the edges of the frontier; NULL: not yet */
};

static int64_t near_end(const struct direction *d, const struct raw_edge *edge)
{
    return d->up ? edge->dst : edge->src;
}

static int64_t far_end(const struct direction *d, const struct raw_edge *edge)
{
    return d->up ? edge->src : edge->dst;
}

static void ask_for_step(struct direction *d, struct ask_ids *from)
{
    const struct ask_column_wish *wish = d->w->wish;
    d->asked = start_step(d->w->ask, from, d->up, wish->indirect, wish->limit + 1);
}

static bool begins_in_frontier(const struct direction *d, const struct raw_edge *edge)
{
    uint32_t at = id_index_get(&d->w->levels_of, near_end(d, edge));
    return at != ID_NONE && d->w->levels.items[at] == d->level;
}

/* The edges of the frontier. Where the step that was asked for ahead has too many it is asked for
 * once more, from the frontier alone. */
static bool read_step(struct direction *d, struct raw_edges *edges)
{
    struct raw_edges found = {0};
    uint32_t most = d->w->wish->limit + 1, kept = 0;
    bool ahead = d->asked != NULL;
    if (!ahead)
        ask_for_step(d, &d->frontier);
    bool whole = read_column_edges(d->w->ask, d->asked, most, &found);
    d->asked = NULL;
    if (!whole && ahead)
        return read_step(d, edges);
    for (uint32_t i = 0; i < found.count; i++)
        if (begins_in_frontier(d, &found.items[i]))
            found.items[kept++] = found.items[i];
    found.count = kept;
    *edges = found;
    return whole;
}

static void ask_ahead(struct direction *d, const struct raw_edges *edges)
{
    struct ask_ids ends = {0};
    for (uint32_t i = 0; i < edges->count; i++)
        if (id_index_get(&d->w->levels_of, far_end(d, &edges->items[i])) == ID_NONE)
            ask_ids_add(&ends, d->w->ask->arena, far_end(d, &edges->items[i]));
    if (ends.count > 0)
        ask_for_step(d, &ends);
}

/* What holds is kept; its far ends are the next frontier. */
static void take_step(struct direction *d, const struct raw_edges *edges)
{
    struct walk *w = d->w;
    struct ask_ids next = {0};
    d->level += d->up ? -1 : 1;
    for (uint32_t i = 0; i < edges->count && w->graph->complete; i++) {
        if (!holds(w, &edges->items[i]))
            continue;
        w->graph->complete = w->edges.count < w->wish->limit;
        struct raw_edge *place = w->graph->complete ? VEC_PUSH(w->ask->arena, &w->edges) : NULL;
        if (place == NULL)
            break;
        *place = edges->items[i];
        if (meet(w, far_end(d, place), d->level))
            ask_ids_add(&next, w->ask->arena, far_end(d, place));
    }
    d->frontier = next;
}

static void walk_direction(struct walk *w, bool up)
{
    struct direction d = {.w = w, .up = up};
    const struct ask_column_wish *wish = w->wish;
    bool with_rows = up && wish->indirect;
    ask_ids_add(&d.frontier, w->ask->arena, wish->focus);
    for (uint32_t depth = 1; depth <= wish->depth && d.frontier.count > 0 && w->graph->complete;
         depth++) {
        struct raw_edges edges = {0};
        if (with_rows)
            add_rows(w, &d.frontier, d.level);
        bool whole = read_step(&d, &edges);
        if (wish->without_hubs)
            ask_hubs_drop_columns(&w->hubs, &edges);
        if (whole && depth < wish->depth && !with_rows)
            ask_ahead(&d, &edges);
        raw_edges_need_facts(&w->facts, &edges, true);
        raw_edges_sort(&edges);
        take_step(&d, &edges);
        w->graph->complete = w->graph->complete && whole;
    }
    if (d.asked != NULL)
        db_done(d.asked);
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void add_statement(struct walk *w, struct ask_column_edge *edge, const struct raw_edge *raw)
{
    const struct ask_fact *fact = ask_facts_of(&w->facts, raw->lineage);
    enum ask_state state = ask_facts_state(&w->facts, raw->lineage, col_dataset(raw->dst));
    bool newest = edge->statements == 0 || fact->last_run > edge->last_run;
    if (newest) {
        edge->kind = raw->kind;
        edge->lineage = raw->lineage;
    }
    if (state > edge->state)
        edge->state = state;
    if (ask_facts_evidence(fact) > edge->evidence)
        edge->evidence = ask_facts_evidence(fact);
    if (fact->last_run > edge->last_run)
        edge->last_run = fact->last_run;
    ask_words_split(&edge->uncertain, w->ask->arena, fact->uncertain);
    edge->runs += fact->runs;
    edge->statements++;
}

static bool same_edge(const struct raw_edge *a, const struct raw_edge *b)
{
    return a->dst == b->dst && a->src == b->src &&
           (a->kind > EDGE_INDIRECT) == (b->kind > EDGE_INDIRECT);
}

/* One edge for each pair and of each of the two kinds. */
static void gather(struct walk *w)
{
    VEC(struct ask_column_edge) edges = {0};
    raw_edges_sort(&w->edges);
    for (uint32_t i = 0; i < w->edges.count; i++) {
        const struct raw_edge *raw = &w->edges.items[i];
        if (i == 0 || !same_edge(raw, raw - 1)) {
            struct ask_column_edge *edge = VEC_PUSH(w->ask->arena, &edges);
            if (edge == NULL)
                return;
            edge->src = id_index_get(&w->levels_of, raw->src);
            edge->dst = id_index_get(&w->levels_of, raw->dst);
            edge->direct = raw->kind < EDGE_INDIRECT;
        }
        if (edges.count > 0 &&
            !(i > 0 && same_edge(raw, raw - 1) && raw->lineage == (raw - 1)->lineage))
            add_statement(w, &edges.items[edges.count - 1], raw);
    }
    w->graph->edges = edges.items;
    w->graph->edge_count = edges.count;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

struct table_names {
    struct id_index places; /* of datasets */
    struct ask_name *items;
};

static void read_tables(struct walk *w, struct db_query *q, struct table_names *names,
                        uint32_t count)
{
    names->items = ARENA_ARRAY(w->ask->arena, struct ask_name, count + 1);
    for (uint32_t i = 0; names->items != NULL && i < count && db_step(q); i++) {
        bool fresh;
        names->items[i] = (struct ask_name){arena_copy(w->ask->arena, db_text(q, 1)),
                                            arena_copy(w->ask->arena, db_text(q, 2))};
        (void)id_index_place(&names->places, w->ask->arena, db_int(q, 0), i, &fresh);
    }
    db_done(q);
}

static void read_node(struct ask *ask, const struct db_query *q, const struct table_names *names,
                      struct ask_column_node *node)
{
    uint32_t at = id_index_get(&names->places, node->dataset);
    if (at != ID_NONE) {
        node->name_space = names->items[at].name_space;
        node->table = names->items[at].name;
    }
    node->column = arena_copy(ask->arena, db_text(q, 1));
    node->type = arena_copy(ask->arena, db_text(q, 2));
    node->status = arena_copy(ask->arena, db_text(q, 3));
    node->whole = node->column.len == 0 || str_eq(node->column, STR("*"));
}

static struct db_query *ask_by_ids(struct ask *ask, const char *sql, struct ask_ids *ids)
{
    ask_ids_sort(ids);
    struct db_query *q = db_query(ask->db, sql);
    db_bind_ids(q, 1, ids->items, ids->count);
    db_start(q);
    return q;
}

static void fill_nodes(struct walk *w)
{
    struct ask *ask = w->ask;
    struct ask_column_graph *graph = w->graph;
    struct ask_ids columns = {0}, datasets = {0};
    struct table_names names = {0};
    graph->nodes = ARENA_ARRAY(ask->arena, struct ask_column_node, w->columns.count + 1);
    if (graph->nodes == NULL)
        return;
    for (uint32_t i = 0; i < w->columns.count && i < w->levels.count; i++) {
        int64_t id = w->columns.items[i];
        graph->nodes[i] = (struct ask_column_node){
            .id = id, .dataset = col_dataset(id), .level = w->levels.items[i]};
        ask_ids_add(&columns, ask->arena, id);
        ask_ids_add(&datasets, ask->arena, col_dataset(id));
    }
    struct db_query *tables =
        ask_by_ids(ask,
                   "select d.id, n.name, d.name from dataset d join namespace n on n.id = "
                   "d.namespace where d.id in ids($1)",
                   &datasets);
    struct db_query *q =
        ask_by_ids(ask, "select id, name, type, status from col where id in ids($1)", &columns);
    read_tables(w, tables, &names, datasets.count);
    while (db_step(q)) {
        uint32_t at = id_index_get(&w->levels_of, db_int(q, 0));
        if (at != ID_NONE)
            read_node(ask, q, &names, &graph->nodes[at]);
    }
    graph->node_count = w->columns.count;
}

/* Rows that decide about nothing were met for nothing; their nodes have no edge. */
static void drop_lonely(struct ask *ask, struct ask_column_graph *graph)
{
    uint32_t *places = ARENA_ARRAY(ask->arena, uint32_t, graph->node_count + 1), kept = 0;
    if (places == NULL || graph->nodes == NULL)
        return;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        places[graph->edges[i].src] = places[graph->edges[i].dst] = 1;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        bool stays = i == 0 || places[i] != 0;
        places[i] = kept;
        if (stays)
            graph->nodes[kept++] = graph->nodes[i];
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        graph->edges[i].src = places[graph->edges[i].src];
        graph->edges[i].dst = places[graph->edges[i].dst];
    }
    graph->node_count = kept;
}

static void add_expressions(struct ask *ask, struct ask_column_graph *graph)
{
    uint32_t most = graph->edge_count < EXPRESSIONS_MOST ? graph->edge_count : EXPRESSIONS_MOST;
    for (uint32_t i = 0; i < most; i++) {
        struct ask_column_edge *edge = &graph->edges[i];
        const struct ask_column_node *src = &graph->nodes[edge->src],
                                     *dst = &graph->nodes[edge->dst];
        edge->expression = expression_of(ask, edge->lineage, src->table, src->column, dst->table,
                                         dst->column, edge->direct);
    }
}

static void finish(struct walk *w)
{
    gather(w);
    w->graph->hub_edges = w->hubs.left_out;
    fill_nodes(w);
    drop_lonely(w->ask, w->graph);
    if (w->wish->expressions && !w->ask->arena->failed)
        add_expressions(w->ask, w->graph);
}

struct ask_column_graph ask_column_graph(struct ask *ask, const struct ask_column_wish *wish)
{
    struct ask_column_graph graph = {.complete = true};
    struct walk w = {.ask = ask,
                     .wish = wish,
                     .facts = ask_facts_at(ask, wish->at),
                     .hubs = ask_hubs_of(ask),
                     .graph = &graph};
    meet(&w, wish->focus, 0);
    if (wish->up)
        walk_direction(&w, true);
    if (wish->down)
        walk_direction(&w, false);
    finish(&w);
    return graph;
}

/* ---- between tables ------------------------------------------------------------------------- */

struct ask_column_graph ask_column_edges(struct ask *ask, struct ask_ids *datasets,
                                         const struct ask_column_wish *wish)
{
    struct ask_column_graph graph = {.complete = true};
    struct walk w = {.ask = ask,
                     .wish = wish,
                     .facts = ask_facts_at(ask, wish->at),
                     .hubs = ask_hubs_of(ask),
                     .graph = &graph};
    struct raw_edges within = {0};
    struct id_index wanted = {0};
    bool fresh;
    ask_ids_sort(datasets);
    for (uint32_t i = 0; i < datasets->count; i++)
        (void)id_index_place(&wanted, ask->arena, datasets->items[i], 0, &fresh);
    for (uint32_t i = 0; i < datasets->count && graph.complete; i++) {
        struct db_query *q = db_query(
            ask->db, "select dst, src, lineage, kind from column_edge where dst between $1 and $2");
        db_bind_int(q, 1, col_first(datasets->items[i]));
        db_bind_int(q, 2, col_last(datasets->items[i]));
        while (db_step(q) && graph.complete) {
            int kind = (int)db_int(q, 3);
            int64_t src = db_int(q, 1);
            if (src == 0 || src == db_int(q, 0) || (kind > EDGE_INDIRECT && !wish->indirect) ||
                id_index_get(&wanted, col_dataset(src)) == ID_NONE)
                continue;
            graph.complete = within.count < wish->limit;
            struct raw_edge *place = graph.complete ? VEC_PUSH(ask->arena, &within) : NULL;
            if (place != NULL)
                *place = (struct raw_edge){db_int(q, 0), src, db_int(q, 2), kind, STR("")};
        }
        db_done(q);
    }
    if (wish->without_hubs)
        ask_hubs_drop_columns(&w.hubs, &within);
    raw_edges_need_facts(&w.facts, &within, true);
    for (uint32_t i = 0; i < within.count; i++) {
        struct raw_edge *place =
            holds(&w, &within.items[i]) ? VEC_PUSH(ask->arena, &w.edges) : NULL;
        if (place == NULL)
            continue;
        *place = within.items[i];
        meet(&w, place->src, 0);
        meet(&w, place->dst, 0);
    }
    finish(&w);
    return graph;
}

bool ask_column_edge(struct ask *ask, int64_t src, int64_t dst, struct ask_column_graph *graph)
{
    const struct ask_column_wish wish = {.indirect = true, .expressions = true};
    struct walk w = {.ask = ask,
                     .wish = &wish,
                     .facts = ask_facts_at(ask, (struct ask_moment){0}),
                     .graph = graph};
    struct raw_edges edges = {0};
    *graph = (struct ask_column_graph){.complete = true};
    struct db_query *q =
        db_query(ask->db, "select lineage, kind from column_edge where dst = $1 and src = $2");
    db_bind_int(q, 1, dst);
    db_bind_int(q, 2, src);
    while (db_step(q)) {
        struct raw_edge *raw = VEC_PUSH(ask->arena, &edges);
        if (raw != NULL)
            *raw = (struct raw_edge){dst, src, db_int(q, 0), (int)db_int(q, 1), STR("")};
    }
    meet(&w, src, 0);
    meet(&w, dst, 1);
    raw_edges_need_facts(&w.facts, &edges, true);
    for (uint32_t i = 0; i < edges.count; i++) {
        struct raw_edge *place =
            ask_facts_state(&w.facts, edges.items[i].lineage, col_dataset(dst)) == STATE_ABSENT
                ? NULL
                : VEC_PUSH(ask->arena, &w.edges);
        if (place != NULL)
            *place = edges.items[i];
    }
    finish(&w);
    return graph->edge_count > 0;
}
