/* Datasets as lists and pictures show them: three batches of ids, whatever their number. */
#include "ask/ask.h"

#include "ask/id_index.h"
#include "ask/names.h"

enum { FAMILY_LEAST = 3 }; /* members that make dated names a family */

struct batch {
    struct ask *ask;
    struct ask_dataset *items; /* in the order of the ids */
    size_t count;
    struct id_index places;
    struct ask_ids ids; /* sorted */
};

static struct ask_dataset *item_of(struct batch *batch, int64_t id)
{
    uint32_t at = id_index_get(&batch->places, id);
    return at == ID_NONE ? NULL : &batch->items[at];
}

static void read_row(struct ask *ask, const struct db_query *q, struct ask_dataset *d)
{
    d->id = db_int(q, 0);
    d->name_space = arena_copy(ask->arena, db_text(q, 1));
    d->name = arena_copy(ask->arena, db_text(q, 2));
    d->database = arena_copy(ask->arena, db_text(q, 3));
    d->kind = arena_copy(ask->arena, db_text(q, 4));
    d->status = arena_copy(ask->arena, db_text(q, 5));
    d->comment = arena_copy(ask->arena, db_text(q, 6));
    d->owner = arena_copy(ask->arena, db_text(q, 7));
    d->heat = db_int(q, 8);
    d->users = db_int(q, 9);
    d->last_written = db_int(q, 10);
    d->last_read = db_int(q, 11);
    d->layer = layer_of(d->database, d->name);
    d->temporary = str_eq(d->kind, STR("temporary")) || str_eq(d->layer, STR("tmp"));
}

static void read_rows(struct batch *batch)
{
    struct db_query *q =
        db_query(batch->ask->db, "select d.id, n.name, d.name, d.database, d.kind, d.status, "
                                 "d.comment, d.owner, d.heat, d.heat_users,"
                                 " d.last_write, d.last_read from dataset d join namespace n on "
                                 "n.id = d.namespace where d.id in ids($1)");
    db_bind_ids(q, 1, batch->ids.items, batch->ids.count);
    while (db_step(q)) {
        struct ask_dataset *d = item_of(batch, db_int(q, 0));
        if (d != NULL)
            read_row(batch->ask, q, d);
    }
}

/*
 * Edges are counted where their statement ran or stands in a script, ran since the reset before the
 * target's last one, and both ends exist. Looking ends at ASK_COUNT_MOST edges: who has more has
 * his neighbours counted as they stand.
 */
#define COUNTED                                                                                   \
    " and e.kind <> 2 and l.failed = 0 and l.runs + l.scripts > 0 and o.status <> 'offline' and " \
    "o.kind <> 'temporary' and e.src <> e.dst"                                                    \
    " and (l.last_run is null or coalesce(t.last_reset, 0) = 0 or l.last_run >= t.last_reset or " \
    "l.last_run >= t.reset_before)"

static const char counts_sql[] =
    "select d.id,"
    " (select count(*) from col c where c.id between cast(d.id as bigint) * 65536 and cast(d.id as "
    "bigint) * 65536 + 65535 and c.status <> 'offline'"
    "   and c.name <> '' and c.name <> '*'),"
    " (select count(distinct x.src) from (select e.src from table_edge e join lineage l on l.id = "
    "e.lineage join dataset o on o.id = e.src"
    "   join dataset t on t.id = e.dst where e.dst = d.id" COUNTED " limit 200) x),"
    " (select count(distinct x.dst) from (select e.dst from table_edge e join lineage l on l.id = "
    "e.lineage join dataset o on o.id = e.dst"
    "   join dataset t on t.id = e.dst where e.src = d.id" COUNTED " limit 200) x),"
    " (select l.engine from lineage_dataset w join lineage l on l.id = w.lineage where w.dataset = "
    "d.id and w.role = 3"
    "   order by coalesce(l.last_run, 0) desc limit 1)"
    " from dataset d where d.id in ids($1)";

static int64_t all_neighbours(struct ask *ask, const char *sql, int64_t id)
{
    struct db_query *q = db_query(ask->db, sql);
    db_bind_int(q, 1, id);
    int64_t count = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return count;
}

static void count_hubs(struct batch *batch)
{
    for (size_t i = 0; i < batch->count && batch->items != NULL; i++) {
        struct ask_dataset *d = &batch->items[i];
        if (d->up_count >= ASK_COUNT_MOST)
            d->up_count = all_neighbours(
                batch->ask,
                "select count(distinct src) from table_edge where dst = $1 and src <> dst", d->id);
        if (d->down_count >= ASK_COUNT_MOST)
            d->down_count = all_neighbours(
                batch->ask,
                "select count(distinct dst) from table_edge where src = $1 and src <> dst", d->id);
    }
}

static void read_counts(struct batch *batch)
{
    struct db_query *q = db_query(batch->ask->db, counts_sql);
    db_bind_ids(q, 1, batch->ids.items, batch->ids.count);
    while (db_step(q)) {
        struct ask_dataset *d = item_of(batch, db_int(q, 0));
        if (d == NULL)
            continue;
        d->column_count = db_int(q, 1);
        d->up_count = db_int(q, 2);
        d->down_count = db_int(q, 3);
        d->engine = arena_copy(batch->ask->arena, db_text(q, 4));
    }
    count_hubs(batch);
}

/* Three or more with the same name up to the date make a family. */
static void find_family(struct ask *ask, struct ask_dataset *d)
{
    size_t stem;
    str_t pattern = family_of(ask->arena, d->name, &stem), own;
    unsigned members = 0;
    if (pattern.len == 0)
        return;
    struct db_query *q =
        db_query(ask->db, "select name from dataset where name >= $1 and name < $2 limit 50");
    str_t from = str_make(d->name.ptr, stem);
    db_bind_text(q, 1, from);
    db_bind_text(q, 2, arena_join(ask->arena, from, STR(":"))); /* behind all digits */
    while (members < FAMILY_LEAST && db_step(q)) {
        size_t other;
        own = family_of(ask->arena, db_text(q, 0), &other);
        members += str_eq(own, pattern);
    }
    db_done(q);
    if (members >= FAMILY_LEAST)
        d->family = pattern;
}

struct ask_dataset *ask_datasets(struct ask *ask, const int64_t *ids, size_t count)
{
    struct batch batch = {.ask = ask,
                          .items = ARENA_ARRAY(ask->arena, struct ask_dataset, count + 1),
                          .count = count};
    if (batch.items == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        bool fresh;
        if (id_index_place(&batch.places, ask->arena, ids[i], (uint32_t)i, &fresh) != NULL && fresh)
            ask_ids_add(&batch.ids, ask->arena, ids[i]);
    }
    ask_ids_sort(&batch.ids);
    read_rows(&batch);
    read_counts(&batch);
    for (size_t i = 0; i < count; i++) {
        uint32_t first = id_index_get(&batch.places, ids[i]);
        if (batch.items[i].id == 0 && first != ID_NONE)
            batch.items[i] = batch.items[first];
        find_family(ask, &batch.items[i]);
    }
    return batch.items;
}
