/* Datasets along the index of heat. */
#include "ask/heat.h"

#include "ask/id_index.h"

enum { COUNTED_MOST = 5000 /* datasets of a store that is small enough to be counted */ };

static const char heat_sql[] =
    "select id, namespace, database, status, kind, coalesce(last_read, 0), heat from dataset"
    " where heat < $1 or (heat = $1 and id < $2) order by heat desc, id desc";

static bool wanted(struct ask *ask, const struct ask_heat_wish *wish, const struct db_query *q)
{
    if ((wish->name_space != 0 && db_int(q, 1) != wish->name_space) ||
        (wish->database.len > 0 && !str_eq_fold(db_text(q, 2), wish->database)) ||
        str_eq(db_text(q, 3), STR("offline")))
        return false;
    if (!wish->unread)
        return db_int(q, 6) > 0;
    return !str_eq(db_text(q, 4), STR("path")) && !str_eq(db_text(q, 4), STR("temporary")) &&
           db_int(q, 5) < ask_first_day(ask) * DAY_MS;
}

static void read_use(struct ask *ask, struct ask_heat *heat, struct ask_ids *ids)
{
    struct id_index places = {0};
    for (uint32_t i = 0; i < heat->count; i++) {
        bool fresh;
        (void)id_index_place(&places, ask->arena, ids->items[i], i, &fresh);
    }
    struct db_query *q = db_query(
        ask->db, "select dataset, sum(reads), sum(writes), count(distinct account) from dataset_day"
                 " where dataset in ids($1) and day >= $2 and reads + writes > 0 group by dataset");
    db_bind_ids(q, 1, ids->items, heat->count);
    db_bind_int(q, 2, ask_first_day(ask));
    while (db_step(q)) {
        uint32_t at = id_index_get(&places, db_int(q, 0));
        if (at == ID_NONE)
            continue;
        heat->items[at].reads = db_int(q, 1);
        heat->items[at].writes = db_int(q, 2);
        heat->items[at].users = db_int(q, 3);
    }
}

struct ask_heat ask_heat(struct ask *ask, const struct ask_heat_wish *wish)
{
    struct ask_heat heat = {0};
    struct ask_ids ids = {0};
    bool first = wish->after_dataset == 0;
    struct db_query *q = db_query(ask->db, heat_sql);
    db_bind_int(q, 1, first ? INT64_MAX : wish->after_heat);
    db_bind_int(q, 2, first ? 0 : wish->after_dataset);
    while (ids.count <= wish->limit && db_step(q)) {
        if (!wish->unread && db_int(q, 6) == 0)
            break;
        if (wanted(ask, wish, q))
            ask_ids_add(&ids, ask->arena, db_int(q, 0));
    }
    db_done(q);
    heat.more = ids.count > wish->limit;
    heat.count = heat.more ? wish->limit : ids.count;
    struct ask_dataset *datasets = ask_datasets(ask, ids.items, heat.count);
    heat.items = ARENA_ARRAY(ask->arena, struct ask_heat_item, heat.count + 1);
    if (datasets == NULL || heat.items == NULL)
        return (struct ask_heat){0};
    for (uint32_t i = 0; i < heat.count; i++)
        heat.items[i].dataset = datasets[i];
    read_use(ask, &heat, &ids);
    return heat;
}

struct ask_databases ask_databases(struct ask *ask, str_t name_space)
{
    VEC(struct ask_database) list = {0};
    struct db_query *q = db_query(
        ask->db,
        "select n.name, d.database, count(*) from dataset d join namespace n on n.id = d.namespace"
        " where d.status <> 'offline' and d.database <> '' and ($1 = '' or n.name = $1)"
        " group by n.name, d.database order by n.name, d.database");
    db_bind_text(q, 1, name_space);
    while (db_step(q)) {
        struct ask_database *database = VEC_PUSH(ask->arena, &list);
        if (database != NULL)
            *database = (struct ask_database){arena_copy(ask->arena, db_text(q, 0)),
                                              arena_copy(ask->arena, db_text(q, 1)), db_int(q, 2)};
    }
    return (struct ask_databases){list.items, list.count};
}

struct ask_counts ask_counts(struct ask *ask)
{
    struct ask_counts counts = {.columns = -1, .column_edges = -1};
    counts.datasets = db_number(ask->db, "select count(*) from dataset", 0);
    counts.statements = db_number(ask->db, "select coalesce(max(id), 0) from lineage", 0);
    counts.last_event = db_number(ask->db, "select coalesce(max(ended), 0) from execution", 0);
    if (counts.datasets > COUNTED_MOST)
        return counts;
    counts.statements = db_number(ask->db, "select count(*) from lineage", 0);
    counts.columns =
        db_number(ask->db, "select count(*) from col where name <> '' and name <> '*'", 0);
    counts.column_edges = db_number(ask->db, "select count(*) from column_edge where src <> 0", 0);
    return counts;
}
