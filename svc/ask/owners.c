/* A few batches over the datasets; only those that failed lately are looked at one by one. */
#include "ask/owners.h"

struct batch {
    struct ask *ask;
    struct ask_ids *ids;
    struct ask_keeping *items;
    struct id_index places;
};

static struct ask_keeping *item_of(struct batch *batch, int64_t dataset)
{
    uint32_t at = id_index_get(&batch->places, dataset);
    return at == ID_NONE ? NULL : &batch->items[at];
}

static void read_owners(struct batch *batch)
{
    struct db_query *q =
        db_query(batch->ask->db, "select id, owner from dataset where id in ids($1)");
    db_bind_ids(q, 1, batch->ids->items, batch->ids->count);
    while (db_step(q)) {
        struct ask_keeping *item = item_of(batch, db_int(q, 0));
        if (item != NULL)
            item->owner = arena_copy(batch->ask->arena, db_text(q, 1));
    }
}

static const char writers_sql[] =
    "select x.dataset, a.name, sum(x.writes) from dataset_day x join account a on"
    " a.id = x.account where x.dataset in ids($1) and x.day >= $2 and x.writes > 0"
    " group by x.dataset, a.name order by x.dataset, sum(x.writes) desc, a.name";
static const char readers_sql[] =
    "select x.dataset, a.name, sum(x.reads) from dataset_day x join account a on"
    " a.id = x.account where x.dataset in ids($1) and x.day >= $2 and x.reads > 0"
    " group by x.dataset, a.name order by x.dataset, sum(x.reads) desc, a.name";

static struct db_query *ask_for_users(struct batch *batch, const char *sql)
{
    struct db_query *q = db_query(batch->ask->db, sql);
    db_bind_ids(q, 1, batch->ids->items, batch->ids->count);
    db_bind_int(q, 2, ask_first_day(batch->ask));
    db_start(q);
    return q;
}

static void read_users(struct batch *batch, struct db_query *q, bool readers)
{
    while (db_step(q)) {
        struct ask_keeping *item = item_of(batch, db_int(q, 0));
        struct ask_users *users = item == NULL ? NULL : readers ? &item->readers : &item->writers;
        if (users != NULL && users->count < ASK_USERS_MOST)
            users->items[users->count++] =
                (struct ask_user){arena_copy(batch->ask->arena, db_text(q, 1)), db_int(q, 2)};
    }
}

/* Those whose last failure is not older than the day of their last write. */
static struct ask_ids failing(struct batch *batch)
{
    struct ask_ids found = {0};
    struct db_query *q = db_query(
        batch->ask->db, "select x.dataset from dataset_day x join dataset d on d.id = x.dataset"
                        " where x.dataset in ids($1) and x.day >= $2 and x.failures > 0"
                        " group by x.dataset having max(x.day) >= max(coalesce(d.last_write, 0)) / "
                        "86400000");
    db_bind_ids(q, 1, batch->ids->items, batch->ids->count);
    db_bind_int(q, 2, ask_first_day(batch->ask));
    while (db_step(q))
        ask_ids_add(&found, batch->ask->arena, db_int(q, 0));
    return found;
}

static int64_t last_write(struct ask *ask, int64_t dataset)
{
    struct db_query *q = db_query(ask->db, "select last_write from dataset where id = $1");
    db_bind_int(q, 1, dataset);
    int64_t time = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return time;
}

static void read_failures(struct batch *batch)
{
    struct ask_ids ids = failing(batch);
    for (uint32_t i = 0; i < ids.count; i++) {
        struct ask_keeping *item = item_of(batch, ids.items[i]);
        struct ask_run run = ask_last_failure(batch->ask, ids.items[i]);
        if (item != NULL && run.time > last_write(batch->ask, ids.items[i]))
            item->failed = run;
    }
}

struct ask_keeping *ask_keepings(struct ask *ask, struct ask_ids *datasets)
{
    ask_ids_sort(datasets);
    struct batch batch = {
        .ask = ask,
        .ids = datasets,
        .items = ARENA_ARRAY(ask->arena, struct ask_keeping, (size_t)datasets->count + 1)};
    if (batch.items == NULL)
        return NULL;
    for (uint32_t i = 0; i < datasets->count; i++) {
        bool fresh;
        batch.items[i].dataset = datasets->items[i];
        (void)id_index_place(&batch.places, ask->arena, datasets->items[i], i, &fresh);
    }
    struct db_query *writers = ask_for_users(&batch, writers_sql),
                    *readers = ask_for_users(&batch, readers_sql);
    read_owners(&batch);
    read_users(&batch, writers, false);
    read_users(&batch, readers, true);
    read_failures(&batch);
    return batch.items;
}
