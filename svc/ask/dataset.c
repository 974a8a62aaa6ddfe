/* Datasets as lists and pictures show them: a few batches of ids, whatever their number. */
#include "ask/ask.h"

#include "ask/facts.h"
#include "ask/names.h"

enum { FAMILY_LEAST = 3 }; /* members that make dated names a family */

struct ask_dataset_batch {
    struct ask *ask;
    const int64_t *wanted;
    struct ask_dataset *items; /* in the order of those wanted */
    size_t count;
    struct id_index places;
    struct ask_ids ids; /* sorted */
    struct db_query *rows, *counts; /* counts: NULL where nobody asked for them */
};

static struct ask_dataset *item_of(struct ask_dataset_batch *batch, int64_t id)
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
    d->quality = db_int(q, 12);
    d->engine = arena_copy(ask->arena, db_text(q, 13));
    d->layer = layer_of(d->database, d->name);
    d->temporary = str_eq(d->kind, STR("temporary")) || str_eq(d->layer, STR("tmp"));
}

static const char rows_sql[] =
    "select d.id, n.name, d.name, d.database, d.kind, d.status, d.comment, d.owner, d.heat, "
    "d.heat_users, d.last_write, d.last_read, (select max(k.status) from quality k where k.dataset "
    "= d.id), (select l.engine from lineage_dataset w join lineage l on l.id = w.lineage where "
    "w.dataset = d.id and w.role = 3 order by coalesce(l.last_run, 0) desc limit 1) from dataset d "
    "join namespace n on n.id = d.namespace where d.id in ids($1)";

static void read_rows(struct ask_dataset_batch *batch)
{
    while (db_step(batch->rows)) {
        struct ask_dataset *d = item_of(batch, db_int(batch->rows, 0));
        if (d != NULL)
            read_row(batch->ask, batch->rows, d);
    }
}

/*
 * Edges are counted where their statement ran or stands in a script, ran since the reset before the
 * target's last one, and both ends exist. Who has ASK_COUNT_MOST edges or more is a hub: -1, and
 * his neighbours are counted as they stand.
 */
#define EDGES_OF(key, other, t)                                                                    \
    " case when (select count(*) from (select 1 from table_edge where " key " = d.id limit 200) x" \
    ") >= 200 then -1 else (select count(distinct e." other                                        \
    ") from table_edge e join lineage l on "                                                       \
    "l.id = e.lineage join dataset o on o.id = e." other " where e." key                           \
    " = d.id and e.kind <> 2 "                                                                     \
    "and o.status <> 'offline' and o.kind <> 'temporary' and e.src <> e.dst and" ASK_HOLDS(        \
        t) ") end"

static const char counts_sql[] =
    "select d.id,"
    " (select count(*) from col c where c.id between cast(d.id as bigint) * 65536 and cast(d.id as "
    "bigint) * 65536 + 65535 and c.status <> 'offline'"
    "   and c.name <> '' and c.name <> '*')," EDGES_OF("dst", "src", "d")
        "," EDGES_OF("src", "dst", "o") " from dataset d where d.id in ids($1)";

static void read_counts(struct ask_dataset_batch *batch)
{
    struct db_query *q = batch->counts;
    while (q != NULL && db_step(q)) {
        struct ask_dataset *d = item_of(batch, db_int(q, 0));
        if (d == NULL)
            continue;
        d->column_count = db_int(q, 1);
        d->up_count = db_int(q, 2);
        d->down_count = db_int(q, 3);
    }
}

/* ---- hubs ----------------------------------------------------------------------------------- */

static struct db_query *ask_for_hubs(struct ask_dataset_batch *batch, bool up)
{
    struct ask_ids ids = {0};
    for (size_t i = 0; i < batch->count; i++)
        if ((up ? batch->items[i].up_count : batch->items[i].down_count) < 0)
            ask_ids_add(&ids, batch->ask->arena, batch->items[i].id);
    if (ids.count == 0)
        return NULL;
    struct db_query *q =
        db_query(batch->ask->db, up ? "select dst, count(distinct src) from table_edge where dst "
                                      "in ids($1) and src <> dst group by dst"
                                    : "select src, count(distinct dst) from table_edge where src "
                                      "in ids($1) and src <> dst group by src");
    db_bind_ids(q, 1, ids.items, ids.count);
    db_start(q);
    return q;
}

static void read_hubs(struct ask_dataset_batch *batch, struct db_query *q, bool up)
{
    while (q != NULL && db_step(q)) {
        struct ask_dataset *d = item_of(batch, db_int(q, 0));
        if (d != NULL)
            *(up ? &d->up_count : &d->down_count) = db_int(q, 1);
    }
}

/* ---- families ------------------------------------------------------------------------------- */

/* Of each stem some names that begin with it and go on with a digit, in one text. */
static const char members_sql[] =
    "select f.key, (select group_concat(x.name, char(1)) from (select name from dataset where name "
    ">= f.value and name < f.value || ':' limit 50) x) from json_each($1) f --sqlite\n"
    "select f.number - 1, (select string_agg(x.name, chr(1)) from (select name from dataset where "
    "name >= f.stem collate \"C\" and name < (f.stem || ':') collate \"C\" limit 50) x)"
    " from unnest($1::text[]) with ordinality as f(stem, number) --postgres";

struct dated {
    struct ask_dataset *dataset;
    str_t pattern;
};

struct dated_list {
    struct dated *items;
    uint32_t count, capacity;
    str_t *stems;
};

static void find_dated(struct ask_dataset_batch *batch, struct dated_list *list)
{
    struct arena *arena = batch->ask->arena;
    list->stems = ARENA_ARRAY(arena, str_t, batch->count + 1);
    for (size_t i = 0; i < batch->count && list->stems != NULL; i++) {
        size_t stem;
        str_t pattern = family_of(arena, batch->items[i].name, &stem);
        struct dated *place = pattern.len == 0 ? NULL : VEC_PUSH(arena, list);
        if (place == NULL)
            continue;
        *place = (struct dated){&batch->items[i], pattern};
        list->stems[list->count - 1] = str_make(batch->items[i].name.ptr, stem);
    }
}

/* Three or more with the same name up to the date make a family. */
static bool is_family(struct arena *arena, str_t names, str_t pattern)
{
    unsigned members = 0;
    for (size_t at = 0; at < names.len && members < FAMILY_LEAST;) {
        size_t end = str_find(names, '\1', at), stem;
        members += str_eq(family_of(arena, str_make(names.ptr + at, end - at), &stem), pattern);
        at = end + 1;
    }
    return members >= FAMILY_LEAST;
}

static struct db_query *ask_for_members(struct ask_dataset_batch *batch,
                                        const struct dated_list *list)
{
    if (list->count == 0)
        return NULL;
    struct db_query *q = db_query(batch->ask->db, members_sql);
    db_bind_texts(q, 1, list->stems, list->count);
    db_start(q);
    return q;
}

static void read_families(struct ask_dataset_batch *batch, struct db_query *q,
                          const struct dated_list *list)
{
    while (q != NULL && db_step(q)) {
        int64_t at = db_int(q, 0);
        if (at >= 0 && at < list->count &&
            is_family(batch->ask->arena, db_text(q, 1), list->items[at].pattern))
            list->items[at].dataset->family = list->items[at].pattern;
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static struct db_query *start(struct ask_dataset_batch *batch, const char *sql)
{
    struct db_query *q = db_query(batch->ask->db, sql);
    db_bind_ids(q, 1, batch->ids.items, batch->ids.count);
    db_start(q);
    return q;
}

struct ask_dataset_batch *ask_datasets_start(struct ask *ask, const int64_t *ids, size_t count,
                                             bool counted)
{
    struct ask_dataset_batch *batch = ARENA_NEW(ask->arena, struct ask_dataset_batch);
    if (batch == NULL)
        return NULL;
    *batch = (struct ask_dataset_batch){.ask = ask, .wanted = ids, .count = count};
    batch->items = ARENA_ARRAY(ask->arena, struct ask_dataset, count + 1);
    if (batch->items == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        bool fresh;
        if (id_index_place(&batch->places, ask->arena, ids[i], (uint32_t)i, &fresh) != NULL &&
            fresh)
            ask_ids_add(&batch->ids, ask->arena, ids[i]);
    }
    ask_ids_sort(&batch->ids);
    batch->rows = start(batch, rows_sql);
    batch->counts = counted ? start(batch, counts_sql) : NULL;
    return batch;
}

struct ask_dataset *ask_datasets_read(struct ask_dataset_batch *batch)
{
    struct dated_list dated = {0};
    if (batch == NULL)
        return NULL;
    read_rows(batch);
    read_counts(batch);
    find_dated(batch, &dated);
    struct db_query *members = ask_for_members(batch, &dated), *up = ask_for_hubs(batch, true),
                    *down = ask_for_hubs(batch, false);
    read_families(batch, members, &dated);
    read_hubs(batch, up, true);
    read_hubs(batch, down, false);
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t first = id_index_get(&batch->places, batch->wanted[i]);
        if (batch->items[i].id == 0 && first != ID_NONE)
            batch->items[i] = batch->items[first];
    }
    return batch->items;
}

struct ask_dataset *ask_datasets(struct ask *ask, const int64_t *ids, size_t count)
{
    return ask_datasets_read(ask_datasets_start(ask, ids, count, false));
}
