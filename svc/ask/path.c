/* From the target towards its sources, breadth first; there a step is narrow even where the source
 * is a hub. */
#include "ask/path.h"

#include "ask/expression.h"
#include "ask/inline.h"

enum { EDGES_MOST = 200000 };

struct walk {
    struct ask *ask;
    const struct ask_path_wish *wish;
    struct ask_facts facts;
    struct id_index met; /* id → place in `via` */
    struct raw_edges
        via; /* the edge that leads from it towards the target; the target's own is empty */
    bool complete;
};

static int64_t target_of(const struct walk *w, int64_t id)
{
    return w->wish->columns ? col_dataset(id) : id;
}

static bool holds(const struct walk *w, const struct raw_edge *edge)
{
    if (!w->wish->columns && edge->kind == TABLE_EDGE_INDIRECT && !w->wish->indirect)
        return false;
    return edge->src != edge->dst &&
           ask_facts_state(&w->facts, edge->lineage, target_of(w, edge->dst)) >= STATE_SUPERSEDED;
}

static bool meet(struct walk *w, int64_t id, struct raw_edge via)
{
    bool fresh;
    if (id_index_place(&w->met, w->ask->arena, id, w->via.count, &fresh) == NULL || !fresh)
        return false;
    struct raw_edge *place = VEC_PUSH(w->ask->arena, &w->via);
    if (place != NULL)
        *place = via;
    return true;
}

/* Of several statements for one pair the newest is taken, so the edges of a step are looked at by
 * the time of their last run. */
static void take_step(struct walk *w, const struct raw_edges *edges, struct ask_ids *next)
{
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct raw_edge *edge = &edges->items[i];
        uint32_t at = id_index_get(&w->met, edge->src);
        if (!holds(w, edge))
            continue;
        if (at == ID_NONE) {
            if (meet(w, edge->src, *edge))
                ask_ids_add(next, w->ask->arena, edge->src);
            continue;
        }
        struct raw_edge *via = &w->via.items[at];
        if (via->dst == edge->dst && ask_facts_of(&w->facts, edge->lineage)->last_run >
                                         ask_facts_of(&w->facts, via->lineage)->last_run)
            *via = *edge;
    }
}

static bool search(struct walk *w)
{
    struct ask_ids frontier = {0};
    meet(w, w->wish->dst, (struct raw_edge){.lineage = 0});
    ask_ids_add(&frontier, w->ask->arena, w->wish->dst);
    while (frontier.count > 0 && id_index_get(&w->met, w->wish->src) == ID_NONE) {
        struct raw_edges edges = {0};
        struct ask_ids next = {0};
        bool whole =
            w->wish->columns
                ? raw_column_step(&w->facts, &frontier, true, w->wish->indirect, EDGES_MOST, &edges)
                : raw_table_step(&w->facts, &frontier, true, EDGES_MOST, &edges);
        take_step(w, &edges, &next);
        w->complete = w->complete && whole;
        frontier = next;
        if (w->met.count > ASK_WALK_MOST * 4 && frontier.count > 0) {
            w->complete = false;
            break;
        }
    }
    return id_index_get(&w->met, w->wish->src) != ID_NONE;
}

/* ---- expressions ---------------------------------------------------------------------------- */

struct column_name {
    str_t table, column;
};

static struct column_name column_name_of(struct ask *ask, int64_t column)
{
    struct column_name name = {STR(""), STR("")};
    struct db_query *q = db_query(
        ask->db,
        "select d.name, c.name from col c join dataset d on d.id = c.dataset where c.id = $1");
    db_bind_int(q, 1, column);
    if (db_step(q))
        name = (struct column_name){arena_copy(ask->arena, db_text(q, 0)),
                                    arena_copy(ask->arena, db_text(q, 1))};
    db_done(q);
    return name;
}

/* Column by column from the source on: each expression with the one before it in the place of its
 * column. Where one does not tell how it uses the column, nothing is composed. */
static void compose(struct walk *w, struct ask_path *path)
{
    struct ask *ask = w->ask;
    bool known = true;
    for (uint32_t i = 0; i < path->hop_count; i++) {
        struct ask_hop *hop = &path->hops[i];
        struct column_name src = column_name_of(ask, hop->src), dst = column_name_of(ask, hop->dst);
        const struct raw_edge *via = &w->via.items[id_index_get(&w->met, hop->src)];
        struct ask_document document = document_of(ask, via->lineage);
        hop->expression = expression_in(ask, document.tree, src.table, src.column, dst.table,
                                        dst.column, hop->direct);
        const struct inline_wish wish = {.sql = document.sample.sql,
                                         .expression =
                                             hop->expression.len > 0 ? hop->expression : src.column,
                                         .table = src.table,
                                         .column = src.column,
                                         .inner = path->composed};
        bool met;
        path->composed = inline_expression(ask->arena, &wish, &met);
        if (!met) {
            path->composed = STR("");
            known = false;
        }
    }
    if (!known)
        path->composed = STR("");
}

static void read_hops(struct walk *w, struct ask_path *path)
{
    VEC(struct ask_hop) hops = {0};
    for (int64_t at = w->wish->src; at != w->wish->dst;) {
        const struct raw_edge *via = &w->via.items[id_index_get(&w->met, at)];
        struct ask_hop *hop = VEC_PUSH(w->ask->arena, &hops);
        if (hop == NULL)
            break;
        *hop = (struct ask_hop){
            .src = at,
            .dst = via->dst,
            .direct =
                w->wish->columns ? via->kind < EDGE_INDIRECT : via->kind != TABLE_EDGE_INDIRECT,
            .kind = w->wish->columns ? via->kind : 0,
            .state = ask_facts_state(&w->facts, via->lineage, target_of(w, via->dst)),
            .lineage = via->lineage,
            .fingerprint = ask_facts_of(&w->facts, via->lineage)->fingerprint};
        at = via->dst;
    }
    path->hops = hops.items;
    path->hop_count = hops.count;
}

struct ask_path ask_path(struct ask *ask, const struct ask_path_wish *wish)
{
    struct walk w = {
        .ask = ask, .wish = wish, .facts = ask_facts_at(ask, wish->at), .complete = true};
    struct ask_path path = {.found = search(&w)};
    path.complete = w.complete;
    if (!path.found || ask_failed(ask))
        return path;
    read_hops(&w, &path);
    if (wish->columns)
        compose(&w, &path);
    return path;
}
