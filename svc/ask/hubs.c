/* What was found out of a column or a pair is kept for the rest of the answer. */
#include "ask/hubs.h"

enum { PAIRS_MOST = 2000, HUB = 1, DROPPED = 2 };

struct ask_hubs ask_hubs_of(struct ask *ask)
{
    return (struct ask_hubs){.ask = ask};
}

/* ---- columns -------------------------------------------------------------------------------- */

static void need_columns(struct ask_hubs *hubs, struct ask_ids *columns)
{
    struct ask_ids fresh_ones = {0};
    ask_ids_sort(columns);
    for (uint32_t i = 0; i < columns->count; i++) {
        bool fresh;
        if (id_index_place(&hubs->columns, hubs->ask->arena, columns->items[i], 0, &fresh) !=
                NULL &&
            fresh)
            ask_ids_add(&fresh_ones, hubs->ask->arena, columns->items[i]);
    }
    if (fresh_ones.count == 0)
        return;
    struct db_query *q =
        db_query(hubs->ask->db,
                 "select c.id from col c where c.id in ids($1) and c.name <> '' and c.name <> '*'"
                 " and (c.is_partition = 1 or (select count(*) from (select 1 from column_edge e"
                 " where e.src = c.id and e.kind > 10 limit $2) x) >= $2)");
    db_bind_ids(q, 1, fresh_ones.items, fresh_ones.count);
    db_bind_int(q, 2, HUB_EDGES_LEAST);
    while (db_step(q)) {
        bool fresh;
        uint32_t *is = id_index_place(&hubs->columns, hubs->ask->arena, db_int(q, 0), HUB, &fresh);
        if (is != NULL)
            *is = HUB;
    }
}

static bool is_hub(const struct ask_hubs *hubs, int64_t column)
{
    return id_index_get(&hubs->columns, column) == HUB;
}

void ask_hubs_drop_columns(struct ask_hubs *hubs, struct raw_edges *edges)
{
    struct ask_ids sources = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edges->count; i++)
        if (edges->items[i].kind > EDGE_INDIRECT)
            ask_ids_add(&sources, hubs->ask->arena, edges->items[i].src);
    need_columns(hubs, &sources);
    for (uint32_t i = 0; i < edges->count; i++) {
        if (edges->items[i].kind > EDGE_INDIRECT && is_hub(hubs, edges->items[i].src))
            hubs->left_out++;
        else
            edges->items[kept++] = edges->items[i];
    }
    edges->count = kept;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* Identifiers of datasets have 31 bits. */
static int64_t pair_of(const struct raw_edge *edge)
{
    return edge->dst * ((int64_t)1 << 31) + edge->src;
}

/* Columns of the source that decide about the target, in whatever statement. */
static struct ask_ids deciding_columns(struct ask *ask, const struct raw_edge *edge)
{
    struct ask_ids columns = {0};
    struct db_query *q = db_query(ask->db, "select distinct src from column_edge where dst between "
                                           "$1 and $2 and src between $3 and $4 and kind > 10");
    db_bind_int(q, 1, col_first(edge->dst));
    db_bind_int(q, 2, col_last(edge->dst));
    db_bind_int(q, 3, col_first(edge->src));
    db_bind_int(q, 4, col_last(edge->src));
    while (db_step(q))
        ask_ids_add(&columns, ask->arena, db_int(q, 0));
    return columns;
}

static bool all_hubs(struct ask_hubs *hubs, const struct raw_edge *edge)
{
    struct ask_ids columns = deciding_columns(hubs->ask, edge);
    need_columns(hubs, &columns);
    for (uint32_t i = 0; i < columns.count; i++)
        if (!is_hub(hubs, columns.items[i]))
            return false;
    return columns.count > 0;
}

static bool drops(struct ask_hubs *hubs, const struct raw_edge *edge)
{
    bool fresh;
    if (edge->kind != TABLE_EDGE_INDIRECT || edge->src == edge->dst)
        return false;
    if (hubs->pairs.count >= PAIRS_MOST)
        return id_index_get(&hubs->pairs, pair_of(edge)) == DROPPED;
    uint32_t *known = id_index_place(&hubs->pairs, hubs->ask->arena, pair_of(edge), 0, &fresh);
    if (known == NULL || !fresh)
        return known != NULL && *known == DROPPED;
    if (!all_hubs(hubs, edge))
        return false;
    hubs->left_out++;
    *known = DROPPED;
    return true;
}

void ask_hubs_drop_tables(struct ask_hubs *hubs, struct raw_edges *edges)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edges->count; i++)
        if (!drops(hubs, &edges->items[i]))
            edges->items[kept++] = edges->items[i];
    edges->count = kept;
}
