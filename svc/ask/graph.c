/*
 * First the datasets are found, step by step, the hottest of each step first; then the edges
 * between them are read once. Temporary tables, and names that a table had before it was renamed,
 * are walked through within a step, and taken out of the picture at the end: an edge that leads
 * through them stands for the whole way.
 */
#include "ask/graph.h"

#include "ask/hubs.h"
#include "ask/names.h"

#include <stdlib.h>

enum {
    EDGES_MOST = 200000, /* that are read for one step */
    HUB_LEAST = 1000, /* edges of the focus above which only its hottest neighbours are looked at */
    THROUGH_MOST = 20, /* temporary tables one behind the other */
    COMPOSED_MOST = 5000
};

/* What the walk must know of a dataset. */
struct light {
    int64_t id, heat;
    bool offline, temporary;
    str_t name; /* of those that may be walked through */
};

struct lights {
    struct light *items;
    uint32_t count, capacity;
};

struct walk {
    struct ask *ask;
    const struct ask_graph_wish *wish;
    struct ask_facts facts[2]; /* of the time asked about, and of the earlier one */
    struct raw_edges first;    /* of the focus, both ways: read at once */
    uint32_t beyond[2];        /* neighbours of a hub that were not looked at: down, up */
    struct id_index lit;       /* id → place in `lights` */
    struct lights lights;      /* of all that was met */
    struct id_index seen;      /* id → 0 shown, 1 walked through, 2 left out */
    struct ask_ids shown, hidden;
    struct {
        int *items;
        uint32_t count, capacity;
    } levels; /* of those shown */
    struct ask_hubs hubs;
    struct ask_graph *graph;
};

/* ---- whether edges hold --------------------------------------------------------------------- */

static void read_facts(struct walk *w, const struct raw_edges *edges)
{
    for (unsigned i = 0; i < (w->wish->differs ? 2u : 1u); i++)
        raw_edges_need_facts(&w->facts[i], edges, false);
}

static bool wanted_kind(const struct walk *w, const struct raw_edge *edge)
{
    return edge->src != edge->dst && (edge->kind != TABLE_EDGE_INDIRECT || w->wish->indirect);
}

/*
 * Whether an edge is there at the time asked about (0), or at the earlier one (1). What is
 * superseded counts, so that an append between two overwrites does not flicker; only where two days
 * are compared it does not, for at the end of a day all that belongs to it has run.
 */
static bool is_there(const struct walk *w, const struct raw_edge *edge, unsigned when)
{
    if (when == 1 && !w->wish->differs)
        return false;
    bool strict = w->wish->differs && w->facts[when].at.past;
    return ask_facts_state(&w->facts[when], edge->lineage, edge->dst) >=
           (strict ? STATE_CURRENT : STATE_SUPERSEDED);
}

static bool holds(const struct walk *w, const struct raw_edge *edge)
{
    return wanted_kind(w, edge) && (is_there(w, edge, 0) || is_there(w, edge, 1));
}

/* ---- finding datasets ----------------------------------------------------------------------- */

/* Of the ends of these edges that are not known yet; NULL: all are. */
static struct db_query *ask_for_lights(struct walk *w, const struct raw_edges *edges)
{
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < edges->count; i++) {
        const int64_t ends[] = {edges->items[i].src, edges->items[i].dst};
        for (int k = 0; k < 2; k++)
            if (id_index_get(&w->lit, ends[k]) == ID_NONE)
                ask_ids_add(&ids, w->ask->arena, ends[k]);
    }
    if (ids.count == 0)
        return NULL;
    ask_ids_sort(&ids);
    struct db_query *q =
        db_query(w->ask->db,
                 "select id, heat, status, kind, database, name from dataset where id in ids($1)");
    db_bind_ids(q, 1, ids.items, ids.count);
    db_start(q);
    return q;
}

static void read_lights(struct walk *w, struct db_query *q)
{
    while (q != NULL && db_step(q)) {
        bool fresh;
        struct light *light = VEC_PUSH(w->ask->arena, &w->lights);
        if (light == NULL)
            continue;
        *light = (struct light){.id = db_int(q, 0),
                                .heat = db_int(q, 1),
                                .offline = str_eq(db_text(q, 2), STR("offline")),
                                .temporary = str_eq(db_text(q, 3), STR("temporary"))};
        if (str_eq(layer_of(db_text(q, 4), db_text(q, 5)), STR("tmp")))
            light->temporary = true;
        if (light->temporary || light->offline)
            light->name = arena_copy(w->ask->arena, db_text(q, 5));
        (void)id_index_place(&w->lit, w->ask->arena, light->id, w->lights.count - 1, &fresh);
    }
}

static const struct light *light_of(const struct walk *w, int64_t id)
{
    uint32_t at = id_index_get(&w->lit, id);
    return at == ID_NONE ? NULL : &w->lights.items[at];
}

/* What has to be known of edges and their ends, by one wait. */
static void know(struct walk *w, struct raw_edges *edges)
{
    if (w->wish->indirect && w->wish->without_hubs)
        ask_hubs_drop_tables(&w->hubs, edges);
    struct db_query *lights = ask_for_lights(w, edges);
    read_facts(w, edges);
    read_lights(w, lights);
}

/* Names that are gone because their table got another one. */
static struct id_index former_names(struct walk *w, const struct lights *lights)
{
    struct id_index found = {0};
    struct ask_ids gone = {0};
    for (uint32_t i = 0; i < lights->count; i++)
        if (lights->items[i].offline)
            ask_ids_add(&gone, w->ask->arena, lights->items[i].id);
    if (gone.count == 0)
        return found;
    ask_ids_sort(&gone);
    struct db_query *q = db_query(
        w->ask->db,
        "select m.dataset from lineage_dataset m join lineage l on l.id = m.lineage where"
        " m.dataset in ids($1) and m.role = 4 and l.operation = 'rename' and l.failed = 0");
    db_bind_ids(q, 1, gone.items, gone.count);
    while (db_step(q)) {
        bool fresh;
        (void)id_index_place(&found, w->ask->arena, db_int(q, 0), 1, &fresh);
    }
    return found;
}

static struct lights lights_of(struct walk *w, const struct ask_ids *ids)
{
    struct lights list = {0};
    for (uint32_t i = 0; i < ids->count; i++) {
        const struct light *light = light_of(w, ids->items[i]);
        struct light *place = light == NULL ? NULL : VEC_PUSH(w->ask->arena, &list);
        if (place != NULL)
            *place = *light;
    }
    return list;
}

static int hotter(const void *a, const void *b)
{
    const struct light *x = a, *y = b;
    if (x->heat != y->heat)
        return x->heat > y->heat ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* How many neighbours these edges lead to, those of other kinds and times left out. */
static uint32_t holding(const struct walk *w, const struct raw_edges *edges, bool up)
{
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < edges->count; i++)
        if (holds(w, &edges->items[i]))
            ask_ids_add(&ids, w->ask->arena, up ? edges->items[i].src : edges->items[i].dst);
    ask_ids_sort(&ids);
    return ids.count;
}

/* As many of a hub's neighbours as the page may need, the hottest. */
static void read_hub(struct walk *w, bool up)
{
    uint32_t wanted = w->wish->skip + w->wish->limit, total = 0;
    uint32_t most = wanted + wanted / 4;
    struct raw_edges edges = {0};
    for (bool enough = false; !enough; most *= 4) {
        edges = (struct raw_edges){0};
        total = raw_hub_edges(w->ask, w->wish->focus, up, w->wish->indirect, most, &edges);
        know(w, &edges);
        enough = most >= total || holding(w, &edges, up) >= wanted || ask_failed(w->ask);
        w->beyond[up] = total > most ? total - most : 0;
    }
    for (uint32_t i = 0; i < edges.count; i++) {
        struct raw_edge *place = VEC_PUSH(w->ask->arena, &w->first);
        if (place != NULL)
            *place = edges.items[i];
    }
}

/* False where the focus is a hub. */
static bool read_direction(struct walk *w, struct db_query *q, uint32_t most)
{
    uint32_t before = w->first.count;
    if (q == NULL || raw_table_edges_read(w->ask, q, before + most, &w->first))
        return true;
    if (most == EDGES_MOST) {
        w->graph->complete = false;
        return true;
    }
    w->first.count = before;
    return false;
}

/* The edges of the focus in the directions that are wanted. Of the past all are looked at. */
static void read_first(struct walk *w)
{
    const struct ask_graph_wish *wish = w->wish;
    uint32_t most = wish->at.past || wish->differs ? EDGES_MOST : HUB_LEAST;
    struct ask_ids focus = {0};
    struct db_query *up = NULL, *down = NULL;
    ask_ids_add(&focus, w->ask->arena, wish->focus);
    if (wish->up)
        up = raw_table_edges_start(w->ask, &focus, true, most);
    if (wish->down)
        down = raw_table_edges_start(w->ask, &focus, false, most);
    bool up_whole = read_direction(w, up, most), down_whole = read_direction(w, down, most);
    know(w, &w->first);
    if (!up_whole)
        read_hub(w, true);
    if (!down_whole)
        read_hub(w, false);
}

/* Neighbours of these that were not met before, in no order. */
static struct ask_ids neighbours(struct walk *w, struct ask_ids *from, bool up)
{
    struct raw_edges read = {0};
    const struct raw_edges *edges = &w->first;
    struct ask_ids found = {0};
    int64_t only = from->count == 1 ? from->items[0] : 0;
    if (only != w->wish->focus) {
        if (!raw_table_edges(w->ask, from, up, EDGES_MOST, &read))
            w->graph->complete = false;
        know(w, &read);
        edges = &read;
        only = 0;
    }
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct raw_edge *edge = &edges->items[i];
        int64_t id = up ? edge->src : edge->dst, other = up ? edge->dst : edge->src;
        if ((only == 0 || other == only) && holds(w, edge) && id_index_get(&w->seen, id) == ID_NONE)
            ask_ids_add(&found, w->ask->arena, id);
    }
    ask_ids_sort(&found);
    return found;
}

static void mark(struct walk *w, int64_t id, uint32_t how)
{
    bool fresh;
    (void)id_index_place(&w->seen, w->ask->arena, id, how, &fresh);
}

/* One step: through temporary tables to those that can be shown. */
static void step(struct walk *w, struct ask_ids *from, bool up, struct lights *reached)
{
    struct ask_ids frontier = *from;
    for (unsigned round = 0; round < THROUGH_MOST && frontier.count > 0; round++) {
        struct ask_ids found = neighbours(w, &frontier, up), through = {0};
        struct lights lights = lights_of(w, &found);
        bool hides = !w->wish->offline && !w->wish->at.past && !w->wish->differs;
        struct id_index former = hides ? former_names(w, &lights) : (struct id_index){0};
        for (uint32_t i = 0; i < lights.count; i++) {
            const struct light *light = &lights.items[i];
            bool collapsed = (light->temporary && !w->wish->temporary) ||
                             id_index_get(&former, light->id) != ID_NONE;
            bool left_out = light->offline && hides;
            mark(w, light->id, collapsed ? 1 : 2);
            if (collapsed) {
                ask_ids_add(&through, w->ask->arena, light->id);
                ask_ids_add(&w->hidden, w->ask->arena, light->id);
            } else if (!left_out) {
                struct light *place = VEC_PUSH(w->ask->arena, reached);
                if (place != NULL)
                    *place = *light;
            }
        }
        frontier = through;
    }
}

static void show(struct walk *w, int64_t id, int level)
{
    int *place = VEC_PUSH(w->ask->arena, &w->levels);
    bool fresh;
    uint32_t *how = id_index_place(&w->seen, w->ask->arena, id, 0, &fresh);
    if (place == NULL || how == NULL)
        return;
    *place = level;
    *how = 0;
    ask_ids_add(&w->shown, w->ask->arena, id);
}

static void walk_direction(struct walk *w, bool up, uint32_t room)
{
    struct ask_ids frontier = {0};
    ask_ids_add(&frontier, w->ask->arena, w->wish->focus);
    uint32_t *more = up ? &w->graph->more_up : &w->graph->more_down;
    for (uint32_t depth = 1; depth <= w->wish->depth && frontier.count > 0; depth++) {
        struct lights reached = {0};
        struct ask_ids next = {0};
        step(w, &frontier, up, &reached);
        if (reached.count > 0)
            qsort(reached.items, reached.count, sizeof *reached.items, hotter);
        uint32_t skip = depth == 1 ? w->wish->skip : 0;
        uint32_t from = skip < reached.count ? skip : reached.count;
        uint32_t count = reached.count - from < room ? reached.count - from : room;
        for (uint32_t i = from; i < from + count; i++) {
            show(w, reached.items[i].id, up ? -(int)depth : (int)depth);
            ask_ids_add(&next, w->ask->arena, reached.items[i].id);
        }
        uint32_t left = reached.count - from - count + (depth == 1 ? w->beyond[up] : 0);
        room -= count;
        *more += left;
        if (depth == 1 && w->wish->depth == 1 && left > 0)
            w->graph->next_skip = from + count;
        frontier = next;
    }
}

/* With both directions the sources may take half of the room, the consumers all that is left. */
static void find_datasets(struct walk *w)
{
    const struct ask_graph_wish *wish = w->wish;
    uint32_t half = wish->down ? (wish->limit + 1) / 2 : wish->limit;
    read_first(w);
    if (wish->up)
        walk_direction(w, true, half);
    if (wish->down)
        walk_direction(w, false, wish->limit + 1 - w->shown.count);
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void add_statement(struct walk *w, struct ask_edge *edge, const struct raw_edge *raw,
                          unsigned when)
{
    struct arena *arena = w->ask->arena;
    const struct ask_fact *fact = ask_facts_of(&w->facts[when], raw->lineage);
    enum ask_state state = ask_facts_state(&w->facts[when], raw->lineage, raw->dst);
    if (state > edge->state)
        edge->state = state;
    if (ask_facts_evidence(fact) > edge->evidence)
        edge->evidence = ask_facts_evidence(fact);
    edge->direct = edge->direct || raw->kind != TABLE_EDGE_INDIRECT;
    ask_words_add(&edge->modes, arena, raw->mode);
    ask_words_add(&edge->engines, arena, fact->engine);
    ask_words_split(&edge->uncertain, arena, fact->uncertain);
    edge->runs += fact->runs;
    if (fact->first_run > 0 && (edge->first_run == 0 || fact->first_run < edge->first_run))
        edge->first_run = fact->first_run;
    if (fact->last_run > edge->last_run)
        edge->last_run = fact->last_run;
    edge->statements++;
}

/* Of the statements [from, to) of one pair; false when none of them holds. */
static bool make_edge(struct walk *w, const struct raw_edge *raw, uint32_t count,
                      struct ask_edge *edge)
{
    bool now = false, before = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!wanted_kind(w, &raw[i]))
            continue;
        now = now || is_there(w, &raw[i], 0);
        before = before || is_there(w, &raw[i], 1);
    }
    if (!now && !before)
        return false;
    *edge = (struct ask_edge){.src = raw->src, .dst = raw->dst};
    for (uint32_t i = 0; i < count; i++)
        if (wanted_kind(w, &raw[i]) && is_there(w, &raw[i], now ? 0 : 1))
            add_statement(w, edge, &raw[i], now ? 0 : 1);
    if (w->wish->differs)
        edge->change = !now ? CHANGE_GONE : before ? CHANGE_KEPT : CHANGE_ADDED;
    return true;
}

struct edges {
    struct ask_edge *items;
    uint32_t count, capacity;
};

static uint32_t same_pair(const struct raw_edges *raw, uint32_t from)
{
    uint32_t to = from;
    while (to < raw->count && raw->items[to].dst == raw->items[from].dst &&
           raw->items[to].src == raw->items[from].src)
        to++;
    return to;
}

static struct db_query *ask_for_edges(struct walk *w)
{
    struct ask_ids all = {0};
    for (uint32_t i = 0; i < w->shown.count; i++)
        ask_ids_add(&all, w->ask->arena, w->shown.items[i]);
    for (uint32_t i = 0; i < w->hidden.count; i++)
        ask_ids_add(&all, w->ask->arena, w->hidden.items[i]);
    return raw_table_edges_start(w->ask, &all, true, EDGES_MOST);
}

/* All edges between datasets that are shown or walked through, by target. */
static void read_edges(struct walk *w, struct db_query *q, struct edges *edges)
{
    struct raw_edges raw = {0}, within = {0};
    if (!raw_table_edges_read(w->ask, q, EDGES_MOST, &raw))
        w->graph->complete = false;
    for (uint32_t i = 0; i < raw.count; i++) {
        struct raw_edge *place;
        if (id_index_get(&w->seen, raw.items[i].src) > 1)
            continue;
        place = VEC_PUSH(w->ask->arena, &within);
        if (place != NULL)
            *place = raw.items[i];
    }
    if (w->wish->indirect && w->wish->without_hubs)
        ask_hubs_drop_tables(&w->hubs, &within);
    read_facts(w, &within);
    raw_edges_sort(&within);
    for (uint32_t from = 0, to; from < within.count; from = to) {
        struct ask_edge edge;
        to = same_pair(&within, from);
        if (!make_edge(w, within.items + from, to - from, &edge))
            continue;
        struct ask_edge *place = VEC_PUSH(w->ask->arena, edges);
        if (place != NULL)
            *place = edge;
    }
}

/* ---- through temporary tables --------------------------------------------------------------- */

static bool is_hidden(const struct walk *w, int64_t id)
{
    return id_index_get(&w->seen, id) == 1;
}

/* The first edge into the dataset; they stand together. */
static uint32_t first_into(const struct edges *edges, int64_t dst)
{
    uint32_t low = 0, high = edges->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edges->items[middle].dst < dst)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The edge `late` behind the edge `early`, as one. */
static struct ask_edge composed(const struct ask_edge *early, const struct ask_edge *late)
{
    struct ask_edge edge = *late;
    edge.src = early->src;
    edge.direct = early->direct && late->direct;
    edge.state = early->state < late->state ? early->state : late->state;
    edge.evidence = early->evidence < late->evidence ? early->evidence : late->evidence;
    edge.runs = early->runs < late->runs ? early->runs : late->runs;
    edge.first_run = early->first_run > late->first_run ? early->first_run : late->first_run;
    edge.last_run = early->last_run < late->last_run ? early->last_run : late->last_run;
    edge.statements = early->statements + late->statements;
    if (early->change == CHANGE_GONE || late->change == CHANGE_GONE)
        edge.change = CHANGE_GONE;
    else if (early->change == CHANGE_ADDED || late->change == CHANGE_ADDED)
        edge.change = CHANGE_ADDED;
    return edge;
}

/* Ways from what is shown through `late`'s source, which is hidden, to its target. */
static void compose(struct walk *w, const struct edges *edges, struct ask_edge late,
                    struct edges *out)
{
    struct edges open = {0};
    struct id_index passed = {0};
    struct ask_edge *place = VEC_PUSH(w->ask->arena, &open);
    if (place != NULL)
        *place = late;
    while (open.count > 0 && out->count < COMPOSED_MOST) {
        struct ask_edge edge = open.items[--open.count];
        bool fresh;
        if (!is_hidden(w, edge.src)) {
            place = edge.src == edge.dst ? NULL : VEC_PUSH(w->ask->arena, out);
            if (place != NULL)
                *place = edge;
            continue;
        }
        if (id_index_place(&passed, w->ask->arena, edge.src, 0, &fresh) == NULL || !fresh)
            continue;
        struct ask_words through = {0};
        ask_words_add(&through, w->ask->arena, light_of(w, edge.src)->name);
        for (uint32_t i = 0; i < edge.through.count; i++)
            ask_words_add(&through, w->ask->arena, edge.through.items[i]);
        for (uint32_t i = first_into(edges, edge.src);
             i < edges->count && edges->items[i].dst == edge.src; i++) {
            place = VEC_PUSH(w->ask->arena, &open);
            if (place == NULL)
                return;
            *place = composed(&edges->items[i], &edge);
            place->through = through;
        }
    }
}

static int by_pair(const void *a, const void *b)
{
    const struct ask_edge *x = a, *y = b;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->through.count > y->through.count) - (x->through.count < y->through.count);
}

/* One edge a pair: the straight one, else the one through fewest. */
static void keep_one_each(struct edges *edges)
{
    uint32_t kept = 0;
    if (edges->count == 0)
        return;
    qsort(edges->items, edges->count, sizeof *edges->items, by_pair);
    for (uint32_t i = 1; i < edges->count; i++)
        if (edges->items[i].src != edges->items[kept].src ||
            edges->items[i].dst != edges->items[kept].dst)
            edges->items[++kept] = edges->items[i];
    edges->count = kept + 1;
}

static void collapse(struct walk *w, const struct edges *edges, struct edges *out)
{
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct ask_edge *edge = &edges->items[i];
        if (is_hidden(w, edge->dst))
            continue;
        if (is_hidden(w, edge->src)) {
            compose(w, edges, *edge, out);
            continue;
        }
        struct ask_edge *place = VEC_PUSH(w->ask->arena, out);
        if (place != NULL)
            *place = *edge;
    }
    keep_one_each(out);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static enum ask_change change_of(const struct ask_graph *graph, int64_t id)
{
    bool added = false, gone = false, kept = false;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct ask_edge *edge = &graph->edges[i];
        if (edge->src != id && edge->dst != id)
            continue;
        added = added || edge->change == CHANGE_ADDED;
        gone = gone || edge->change == CHANGE_GONE;
        kept = kept || edge->change == CHANGE_KEPT;
    }
    return kept || added == gone ? CHANGE_KEPT : added ? CHANGE_ADDED : CHANGE_GONE;
}

static void fill_nodes(struct walk *w, struct ask_dataset_batch *batch)
{
    struct ask_graph *graph = w->graph;
    struct ask_dataset *datasets = ask_datasets_read(batch);
    graph->nodes = ARENA_ARRAY(w->ask->arena, struct ask_node, w->shown.count + 1);
    if (datasets == NULL || graph->nodes == NULL)
        return;
    for (uint32_t i = 0; i < w->shown.count && i < w->levels.count; i++) {
        graph->nodes[i] = (struct ask_node){.dataset = datasets[i], .level = w->levels.items[i]};
        if (w->wish->differs)
            graph->nodes[i].change = i == 0 ? CHANGE_KEPT : change_of(graph, datasets[i].id);
    }
    graph->node_count = w->shown.count;
}

struct ask_graph ask_graph(struct ask *ask, const struct ask_graph_wish *wish)
{
    struct ask_graph graph = {.complete = true};
    struct walk w = {.ask = ask, .wish = wish, .hubs = ask_hubs_of(ask), .graph = &graph};
    struct edges all = {0}, out = {0};
    w.facts[0] = ask_facts_at(ask, wish->at);
    w.facts[1] = ask_facts_at(ask, wish->from);
    show(&w, wish->focus, 0);
    find_datasets(&w);
    struct db_query *edges = ask_for_edges(&w);
    struct ask_dataset_batch *batch = ask_datasets_start(ask, w.shown.items, w.shown.count, true);
    read_edges(&w, edges, &all);
    collapse(&w, &all, &out);
    graph.edges = out.items;
    graph.edge_count = out.count;
    graph.hub_edges = w.hubs.left_out;
    fill_nodes(&w, batch);
    return graph;
}

uint32_t ask_step_count(struct ask *ask, int64_t dataset, bool up)
{
    const struct ask_graph_wish wish = {
        .focus = dataset, .up = up, .down = !up, .depth = 1, .limit = HUB_LEAST};
    struct ask_graph graph = {.complete = true};
    struct walk w = {.ask = ask, .wish = &wish, .hubs = ask_hubs_of(ask), .graph = &graph};
    struct ask_ids from = {0};
    struct lights reached = {0};
    w.facts[0] = ask_facts_at(ask, wish.at);
    show(&w, dataset, 0);
    read_first(&w);
    ask_ids_add(&from, ask->arena, dataset);
    step(&w, &from, up, &reached);
    return reached.count + w.beyond[up];
}

bool ask_table_edge(struct ask *ask, int64_t src, int64_t dst, struct ask_edge *edge)
{
    const struct ask_graph_wish wish = {.indirect = true};
    struct ask_graph graph = {.complete = true};
    struct walk w = {.ask = ask, .wish = &wish, .graph = &graph};
    struct raw_edges edges = {0};
    w.facts[0] = ask_facts_at(ask, (struct ask_moment){0});
    *edge = (struct ask_edge){.src = src, .dst = dst};
    struct db_query *q =
        db_query(ask->db, "select lineage, kind, mode from table_edge where dst = $1 and src = $2");
    db_bind_int(q, 1, dst);
    db_bind_int(q, 2, src);
    while (db_step(q)) {
        struct raw_edge *raw = VEC_PUSH(ask->arena, &edges);
        if (raw != NULL)
            *raw = (struct raw_edge){dst, src, db_int(q, 0), (int)db_int(q, 1),
                                     arena_copy(ask->arena, db_text(q, 2))};
    }
    read_facts(&w, &edges);
    for (uint32_t i = 0; i < edges.count; i++)
        if (ask_facts_state(&w.facts[0], edges.items[i].lineage, dst) != STATE_ABSENT)
            add_statement(&w, edge, &edges.items[i], 0);
    return edge->statements > 0;
}
