/* All columns of a table are read, since the most used come first; the counts of each stop early.
 */
#include "ask/columns.h"

#include "store/term.h"

#include <stdlib.h>

/* Edges count whose statement ran, or stands in a script, and whose target was not wholly rewritten
 * since. */
#define HOLDS                                                                                     \
    " and l.failed = 0 and l.runs + l.scripts > 0"                                                \
    " and (l.last_run is null or coalesce(t.last_reset, 0) = 0 or l.last_run >= t.last_reset or " \
    "l.last_run >= t.reset_before)"

static const char columns_sql[] =
    "select c.id, c.name, c.ordinal, c.type, c.comment, c.is_partition, c.status,"
    " (select count(distinct x.src) from (select e.src from column_edge e join lineage l on l.id = "
    "e.lineage"
    "   join dataset t on t.id = $3 where e.dst = c.id and e.kind < 10 and e.src <> 0" HOLDS
    " limit 200) x),"
    " (select count(distinct x.dst) from (select e.dst from column_edge e join lineage l on l.id = "
    "e.lineage"
    "   join dataset t on t.id = e.dst / 65536 where e.src = c.id and e.kind < 10" HOLDS
    " limit 200) x),"
    " (select count(distinct x.dst) from (select e.dst from column_edge e join lineage l on l.id = "
    "e.lineage"
    "   join dataset t on t.id = e.dst / 65536 where e.src = c.id and e.kind > 10" HOLDS
    " limit 200) x)"
    " from col c where c.id between $1 and $2 and c.name <> '' and c.name <> '*'";

struct columns {
    struct ask_column *items;
    uint32_t count, capacity;
};

static void read_column(struct ask *ask, const struct db_query *q, struct ask_column *column)
{
    column->id = db_int(q, 0);
    column->dataset = col_dataset(column->id);
    column->name = arena_copy(ask->arena, db_text(q, 1));
    column->ordinal = db_is_null(q, 2) ? -1 : db_int(q, 2);
    column->type = arena_copy(ask->arena, db_text(q, 3));
    column->comment = arena_copy(ask->arena, db_text(q, 4));
    column->partition = db_int(q, 5) != 0;
    column->status = arena_copy(ask->arena, db_text(q, 6));
    column->up_count = db_int(q, 7);
    column->down_count = db_int(q, 8);
    column->indirect_down_count = db_int(q, 9);
}

static int in_table_order(const void *a, const void *b)
{
    const struct ask_column *x = a, *y = b;
    uint64_t left = (uint64_t)x->ordinal, right = (uint64_t)y->ordinal; /* -1 comes last */
    if (left != right)
        return left < right ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int most_used_first(const void *a, const void *b)
{
    const struct ask_column *x = a, *y = b;
    if (x->down_count != y->down_count)
        return x->down_count > y->down_count ? -1 : 1;
    if (x->indirect_down_count != y->indirect_down_count)
        return x->indirect_down_count > y->indirect_down_count ? -1 : 1;
    return in_table_order(a, b);
}

struct ask_columns ask_columns(struct ask *ask, const struct ask_columns_wish *wish)
{
    struct columns all = {0};
    struct db_query *q = db_query(ask->db, columns_sql);
    db_bind_int(q, 1, col_first(wish->dataset));
    db_bind_int(q, 2, col_last(wish->dataset));
    db_bind_int(q, 3, wish->dataset);
    while (db_step(q)) {
        if (!wish->offline && str_eq(db_text(q, 6), STR("offline")))
            continue;
        if (!term_has(db_text(q, 1), wish->part) && !term_has(db_text(q, 4), wish->part))
            continue;
        struct ask_column *column = VEC_PUSH(ask->arena, &all);
        if (column != NULL)
            read_column(ask, q, column);
    }
    if (all.count > 0)
        qsort(all.items, all.count, sizeof *all.items,
              wish->by_ordinal ? in_table_order : most_used_first);
    uint32_t from = wish->skip < all.count ? wish->skip : all.count;
    uint32_t count = all.count - from < wish->limit ? all.count - from : wish->limit;
    return (struct ask_columns){count > 0 ? all.items + from : NULL, count, all.count};
}

/* ---- dead columns --------------------------------------------------------------------------- */

#define DEAD                                                                                       \
    " c.status <> 'offline' and c.ordinal is not null and c.is_partition = 0 and not exists "      \
    "(select 1 from column_edge e"                                                                 \
    " join lineage l on l.id = e.lineage left join dataset t on t.id = e.dst / 65536 where e.src " \
    "= c.id" HOLDS ")"

#define DEAD_ROWS "select n.name, d.name, c.name, c.type, c.comment, d.heat, d.id, c.id"

static const char dead_of_one[] = DEAD_ROWS
    " from col c join dataset d on d.id = c.dataset join namespace n on n.id = d.namespace"
    " where c.id > $1 and c.id <= $2 and" DEAD " order by c.id limit $3";

struct dead {
    struct ask_dead_column *items;
    uint32_t count, capacity;
};

static void take_dead(struct ask *ask, int64_t dataset, int64_t after, uint32_t most,
                      struct dead *dead)
{
    struct db_query *q = db_query(ask->db, dead_of_one);
    db_bind_int(q, 1, after >= col_first(dataset) ? after : col_first(dataset) - 1);
    db_bind_int(q, 2, col_last(dataset));
    db_bind_int(q, 3, most);
    while (db_step(q)) {
        struct ask_dead_column *column = VEC_PUSH(ask->arena, dead);
        if (column == NULL)
            continue;
        *column = (struct ask_dead_column){
            .heat = db_int(q, 5), .dataset = db_int(q, 6), .id = db_int(q, 7)};
        str_t *const texts[] = {&column->name_space, &column->table, &column->column, &column->type,
                                &column->comment};
        for (int i = 0; i < 5; i++)
            *texts[i] = arena_copy(ask->arena, db_text(q, i));
    }
}

/* Datasets that somebody reads, the hottest first, from behind the last page. */
static void take_from_all(struct ask *ask, const struct ask_dead_wish *wish, struct dead *dead)
{
    enum { DATASETS_MOST = 5000 };
    int64_t heat = wish->after_dataset == 0 ? INT64_MAX : wish->after_heat,
            id = wish->after_dataset == 0 ? INT64_MAX : wish->after_dataset;
    struct db_query *q = db_query(
        ask->db,
        "select id, namespace, database from dataset where (heat < $1 or (heat = $1 and id <= $2))"
        " and heat > 0 and last_read is not null and status <> 'offline'"
        " order by heat desc, id desc limit $3");
    db_bind_int(q, 1, heat);
    db_bind_int(q, 2, id);
    db_bind_int(q, 3, DATASETS_MOST);
    while (dead->count <= wish->limit && db_step(q)) {
        if ((wish->name_space != 0 && db_int(q, 1) != wish->name_space) ||
            (wish->database.len > 0 && !str_eq_fold(db_text(q, 2), wish->database)))
            continue;
        int64_t dataset = db_int(q, 0);
        take_dead(ask, dataset, dataset == wish->after_dataset ? wish->after_column : 0,
                  wish->limit + 1 - dead->count, dead);
    }
    db_done(q);
}

struct ask_dead_columns ask_dead_columns(struct ask *ask, const struct ask_dead_wish *wish)
{
    struct dead dead = {0};
    if (wish->dataset != 0)
        take_dead(ask, wish->dataset, wish->after_column, wish->limit + 1, &dead);
    else
        take_from_all(ask, wish, &dead);
    bool more = dead.count > wish->limit;
    return (struct ask_dead_columns){dead.items, more ? wish->limit : dead.count, more};
}
