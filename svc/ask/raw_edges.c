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

bool raw_table_edges(struct ask *ask, struct ask_ids *ids, bool up, uint32_t most,
                     struct raw_edges *edges)
{
    static const char up_sql[] =
        "select dst, src, lineage, kind, mode from table_edge where dst in ids($1)";
    static const char down_sql[] =
        "select dst, src, lineage, kind, mode from table_edge where src in ids($1)";
    str_t mode = STR("");
    ask_ids_sort(ids);
    struct db_query *q = db_query(ask->db, up ? up_sql : down_sql);
    db_bind_ids(q, 1, ids->items, ids->count);
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
    if (edges->count > 1)
        qsort(edges->items, edges->count, sizeof *edges->items, compare_edges);
}
