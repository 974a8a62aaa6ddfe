/* Edges as they are stored, and lists of words. */
#include "ask/graph.h"

#include <stdlib.h>

void ask_words_add(struct ask_words *words, struct arena *arena, str_t word)
{
    if (word.len == 0)
        return;
    for (uint32_t i = 0; i < words->count; i++)
        if (str_eq(words->items[i], word))
            return;
    str_t *place = VEC_PUSH(arena, words);
    if (place != NULL)
        *place = word;
}

void ask_words_split(struct ask_words *words, struct arena *arena, str_t list)
{
    for (size_t at = 0; at < list.len;) {
        size_t end = str_find(list, ',', at);
        ask_words_add(words, arena, str_make(list.ptr + at, end - at));
        at = end + 1;
    }
}

/* Modes are few words: each is kept once. */
static str_t known_mode(struct arena *arena, str_t mode, str_t *last)
{
    if (!str_eq(mode, *last))
        *last = arena_copy(arena, mode);
    return *last;
}

struct db_query *raw_table_edges_start(struct ask *ask, struct ask_ids *ids, bool up, uint32_t most)
{
    static const char up_sql[] =
        "select dst, src, lineage, kind, mode from table_edge where dst in ids($1) limit $2";
    static const char down_sql[] =
        "select dst, src, lineage, kind, mode from table_edge where src in ids($1) limit $2";
    ask_ids_sort(ids);
    struct db_query *q = db_query(ask->db, up ? up_sql : down_sql);
    db_bind_ids(q, 1, ids->items, ids->count);
    db_bind_int(q, 2, (int64_t)most + 1);
    db_start(q);
    return q;
}

bool raw_table_edges_read(struct ask *ask, struct db_query *q, uint32_t most,
                          struct raw_edges *edges)
{
    str_t mode = STR("");
    while (db_step(q)) {
        if (edges->count >= most) {
            db_done(q);
            return false;
        }
        struct raw_edge *edge = VEC_PUSH(ask->arena, edges);
        if (edge != NULL)
            *edge = (struct raw_edge){db_int(q, 0), db_int(q, 1), db_int(q, 2), (int)db_int(q, 3),
                                      known_mode(ask->arena, db_text(q, 4), &mode)};
    }
    return true;
}

bool raw_table_edges(struct ask *ask, struct ask_ids *ids, bool up, uint32_t most,
                     struct raw_edges *edges)
{
    return raw_table_edges_read(ask, raw_table_edges_start(ask, ids, up, most), most, edges);
}

/* ---- hubs ----------------------------------------------------------------------------------- */

#define NEIGHBOURS(other, hub)                                                                    \
    "select " other " as id from table_edge where " hub " = $1 and src <> dst and (kind <> 2 or " \
    "$2 = 1)"

#define HOTTEST(other, hub)                                     \
    "select o.id from (select distinct x.id from (" NEIGHBOURS( \
        other, hub) ") x) n join dataset o"                     \
                    " on o.id = n.id order by o.heat desc, o.id limit $3"

#define COUNTED(other, hub) "select count(distinct x.id) from (" NEIGHBOURS(other, hub) ") x"

#define BETWEEN(other, hub)                                                              \
    "select dst, src, lineage, kind, mode from table_edge where " hub " = $1 and " other \
    " in ids($2)"

static struct db_query *start_hub(struct ask *ask, const char *sql, int64_t hub, bool indirect)
{
    struct db_query *q = db_query(ask->db, sql);
    db_bind_int(q, 1, hub);
    db_bind_int(q, 2, indirect);
    return q;
}

uint32_t raw_hub_edges(struct ask *ask, int64_t hub, bool up, bool indirect, uint32_t most,
                       struct raw_edges *edges)
{
    struct ask_ids ids = {0};
    struct db_query *counted =
        start_hub(ask, up ? COUNTED("src", "dst") : COUNTED("dst", "src"), hub, indirect);
    db_start(counted);
    struct db_query *hottest =
        start_hub(ask, up ? HOTTEST("src", "dst") : HOTTEST("dst", "src"), hub, indirect);
    db_bind_int(hottest, 3, most);
    db_start(hottest);
    while (db_step(hottest))
        ask_ids_add(&ids, ask->arena, db_int(hottest, 0));
    uint32_t count = db_step(counted) ? (uint32_t)db_int(counted, 0) : 0;
    db_done(counted);
    ask_ids_sort(&ids);
    struct db_query *q = db_query(ask->db, up ? BETWEEN("src", "dst") : BETWEEN("dst", "src"));
    db_bind_int(q, 1, hub);
    db_bind_ids(q, 2, ids.items, ids.count);
    (void)raw_table_edges_read(ask, q, UINT32_MAX, edges);
    return count;
}

void raw_edges_need_facts(struct ask_facts *facts, const struct raw_edges *edges, bool columns)
{
    struct ask_ids lineages = {0}, targets = {0};
    for (uint32_t i = 0; i < edges->count; i++) {
        int64_t dst = edges->items[i].dst;
        ask_ids_add(&lineages, facts->ask->arena, edges->items[i].lineage);
        ask_ids_add(&targets, facts->ask->arena, columns ? col_dataset(dst) : dst);
    }
    ask_facts_need(facts, &lineages, &targets);
}

bool raw_table_step(struct ask_facts *facts, struct ask_ids *ids, bool up, uint32_t most,
                    struct raw_edges *edges)
{
    bool whole = raw_table_edges(facts->ask, ids, up, most, edges);
    raw_edges_need_facts(facts, edges, false);
    return whole;
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_edges(const void *a, const void *b)
{
    const struct raw_edge *x = a, *y = b;
    int by_dst = order(x->dst, y->dst), by_src = order(x->src, y->src),
        by_kind = order(x->kind, y->kind);
    if (by_dst != 0)
        return by_dst;
    if (by_src != 0)
        return by_src;
    return by_kind != 0 ? by_kind : order(x->lineage, y->lineage);
}

void raw_edges_sort(struct raw_edges *edges)
{
    uint32_t at = 1;
    while (at < edges->count && compare_edges(&edges->items[at - 1], &edges->items[at]) <= 0)
        at++;
    if (at < edges->count)
        qsort(edges->items, edges->count, sizeof *edges->items, compare_edges);
}
