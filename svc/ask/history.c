/* A definition differs from the one before it; a reset is a day on which a statement ran that
 * leaves nothing of what was there; a rename is a statement that drops one name and writes another.
 */
#include "ask/history.h"

#include "ask/id_index.h"
#include "base/json.h"

#include <stdlib.h>

enum { RESETS_MOST = 500, DEFINITIONS_MOST = 12000, SPARE = 100 };

struct changes {
    struct ask_change_item *items;
    uint32_t count, capacity;
};

struct subject {
    struct ask *ask;
    struct ask_change_item base; /* time, dataset, names, query of the definition at hand */
    struct changes *out;
};

static void add(struct subject *s, str_t type, str_t column, str_t before, str_t after)
{
    struct ask_change_item *item = VEC_PUSH(s->ask->arena, s->out);
    if (item == NULL)
        return;
    *item = s->base;
    item->type = type;
    item->column = column;
    item->before = before;
    item->after = after;
}

/* ---- two definitions ------------------------------------------------------------------------ */

static const struct json *columns_of(struct ask *ask, str_t text)
{
    const char *message;
    size_t where;
    const struct json *list = json_read(ask->arena, text, &message, &where);
    return list == NULL || list->kind != JSON_ARRAY ? NULL : list->first;
}

static const struct json *find_column(const struct json *first, str_t name)
{
    for (const struct json *column = first; column != NULL; column = column->next)
        if (str_eq(json_member_text(column, STR("name")), name))
            return column;
    return NULL;
}

static void compare(struct subject *s, str_t before, str_t after)
{
    const struct json *old = columns_of(s->ask, before), *new = columns_of(s->ask, after);
    if (old == NULL || new == NULL) {
        if (new != NULL)
            add(s, STR("table_created"), STR(""), STR(""), STR(""));
        else if (old != NULL)
            add(s, STR("table_dropped"), STR(""), STR(""), STR(""));
        return;
    }
    for (const struct json *column = new; column != NULL; column = column->next) {
        str_t name = json_member_text(column, STR("name")),
              type = json_member_text(column, STR("type"));
        const struct json *same = find_column(old, name);
        if (same == NULL)
            add(s, STR("column_added"), name, STR(""), type);
        else if (!str_eq(json_member_text(same, STR("type")), type))
            add(s, STR("column_retyped"), name, json_member_text(same, STR("type")), type);
    }
    for (const struct json *column = old; column != NULL; column = column->next)
        if (find_column(new, json_member_text(column, STR("name"))) == NULL)
            add(s, STR("column_dropped"), json_member_text(column, STR("name")),
                json_member_text(column, STR("type")), STR(""));
}

/* ---- one dataset ---------------------------------------------------------------------------- */

static bool begin(struct subject *s, int64_t dataset)
{
    struct db_query *q = db_query(s->ask->db, "select n.name, d.name from dataset d join namespace "
                                              "n on n.id = d.namespace where d.id = $1");
    db_bind_int(q, 1, dataset);
    bool found = db_step(q);
    s->base = (struct ask_change_item){.dataset = dataset};
    if (found) {
        s->base.name_space = arena_copy(s->ask->arena, db_text(q, 0));
        s->base.name = arena_copy(s->ask->arena, db_text(q, 1));
    }
    db_done(q);
    return found;
}

static void take_definitions(struct subject *s)
{
    str_t before = STR("");
    struct db_query *q = db_query(
        s->ask->db,
        "select f.at, f.source, f.columns, a.name from definition f left join execution x on"
        " x.day = f.at / 86400000 and x.query_id = f.source left join account a on a.id = x.account"
        " where f.dataset = $1 order by f.at, f.source");
    db_bind_int(q, 1, s->base.dataset);
    while (db_step(q)) {
        str_t after = arena_copy(s->ask->arena, db_text(q, 2));
        if (after.len == 0)
            continue; /* what it changed is not known */
        s->base.time = db_int(q, 0);
        bool query = !str_eq(db_text(q, 1), STR("catalog"));
        s->base.query_id = query ? arena_copy(s->ask->arena, db_text(q, 1)) : STR("");
        s->base.user = arena_copy(s->ask->arena, db_text(q, 3));
        if (!str_eq(before, after))
            compare(s, before, after);
        before = after;
    }
    s->base.query_id = s->base.user = STR("");
}

/* Those that it took part in, under its old name or its new one; of all tables' changes each is
 * told of the old name only. */
static void take_renames(struct subject *s, bool as_target)
{
    struct db_query *q = db_query(
        s->ask->db,
        "select max(x.last_run), a.name, s.name, d.name from lineage_dataset m"
        " join lineage l on l.id = m.lineage and l.operation = 'rename' and l.failed = 0"
        " join lineage_dataset ws on ws.lineage = l.id and ws.role = 4 join dataset s on s.id = "
        "ws.dataset"
        " join lineage_dataset wd on wd.lineage = l.id and wd.role = 3 join dataset d on d.id = "
        "wd.dataset"
        " join lineage_day x on x.lineage = l.id left join account a on a.id = x.account"
        " where m.dataset = $1 and m.role between $2 and 4"
        " group by l.id, x.day, a.name, s.name, d.name order by max(x.last_run) desc limit $3");
    db_bind_int(q, 1, s->base.dataset);
    db_bind_int(q, 2, as_target ? ROLE_WRITES : ROLE_DROPS);
    db_bind_int(q, 3, RESETS_MOST);
    while (db_step(q)) {
        s->base.time = db_int(q, 0);
        s->base.user = arena_copy(s->ask->arena, db_text(q, 1));
        add(s, STR("table_renamed"), STR(""), arena_copy(s->ask->arena, db_text(q, 2)),
            arena_copy(s->ask->arena, db_text(q, 3)));
    }
    s->base.user = STR("");
}

static void take_resets(struct subject *s)
{
    struct db_query *q = db_query(
        s->ask->db, "select max(x.last_run), a.name from lineage_dataset w join lineage_day x on "
                    "x.lineage = w.lineage"
                    " left join account a on a.id = x.account where w.dataset = $1 and w.role = 3 "
                    "and w.resets = 1 and w.mode <> 'rename'"
                    " group by w.lineage, x.day, a.name order by max(x.last_run) desc limit $2");
    db_bind_int(q, 1, s->base.dataset);
    db_bind_int(q, 2, RESETS_MOST);
    while (db_step(q)) {
        s->base.time = db_int(q, 0);
        s->base.user = arena_copy(s->ask->arena, db_text(q, 1));
        add(s, STR("rewritten"), STR(""), STR(""), STR(""));
    }
}

static int newest_first(const void *a, const void *b)
{
    const struct ask_change_item *x = a, *y = b;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    if (x->dataset != y->dataset)
        return x->dataset > y->dataset ? -1 : 1;
    int type = str_compare(x->type, y->type);
    return type != 0 ? type : str_compare(x->column, y->column);
}

static struct ask_changes page(struct changes *all, uint32_t limit, uint32_t skip)
{
    if (all->count > 1)
        qsort(all->items, all->count, sizeof *all->items, newest_first);
    uint32_t from = skip < all->count ? skip : all->count;
    uint32_t count = all->count - from < limit ? all->count - from : limit;
    return (struct ask_changes){count > 0 ? all->items + from : NULL, count,
                                from + count < all->count};
}

struct db_query *ask_last_rename_start(struct ask *ask, int64_t dataset, bool away)
{
    struct db_query *q = db_query(
        ask->db,
        "select o.name, l.last_run from lineage_dataset m join lineage l on l.id = m.lineage"
        " and l.operation = 'rename' and l.failed = 0 and l.last_run is not null"
        " join lineage_dataset w on w.lineage = l.id and w.role = $3 join dataset o on"
        " o.id = w.dataset where m.dataset = $1 and m.role = $2 order by l.last_run desc limit 1");
    db_bind_int(q, 1, dataset);
    db_bind_int(q, 2, away ? ROLE_DROPS : ROLE_WRITES);
    db_bind_int(q, 3, away ? ROLE_WRITES : ROLE_DROPS);
    db_start(q);
    return q;
}

bool ask_last_rename_read(struct ask *ask, struct db_query *q, struct ask_rename *rename)
{
    bool found = db_step(q);
    *rename = (struct ask_rename){0};
    if (found)
        *rename = (struct ask_rename){arena_copy(ask->arena, db_text(q, 0)), db_int(q, 1)};
    db_done(q);
    return found;
}

bool ask_last_rename(struct ask *ask, int64_t dataset, bool away, struct ask_rename *rename)
{
    return ask_last_rename_read(ask, ask_last_rename_start(ask, dataset, away), rename);
}

struct ask_changes ask_history(struct ask *ask, int64_t dataset, uint32_t limit, uint32_t skip)
{
    struct changes all = {0};
    struct subject s = {.ask = ask, .out = &all};
    if (!begin(&s, dataset))
        return (struct ask_changes){0};
    take_definitions(&s);
    take_renames(&s, true);
    take_resets(&s);
    return page(&all, limit, skip);
}

/* ---- all datasets --------------------------------------------------------------------------- */

/* Those whose definitions are the newest; each is then read whole. */
static struct ask_ids newest_datasets(struct ask *ask, const struct ask_changes_wish *wish)
{
    struct ask_ids ids = {0};
    struct db_query *q = db_query(ask->db, "select f.dataset, d.namespace, d.database from "
                                           "definition f join dataset d on d.id = f.dataset"
                                           " order by f.at desc, f.dataset desc limit $1");
    db_bind_int(q, 1, DEFINITIONS_MOST);
    uint32_t wanted = wish->limit + wish->skip + SPARE; /* some definitions change nothing */
    while (ids.count < wanted && db_step(q))
        if ((wish->name_space == 0 || db_int(q, 1) == wish->name_space) &&
            (wish->database.len == 0 || str_eq_fold(db_text(q, 2), wish->database)))
            ask_ids_add(&ids, ask->arena, db_int(q, 0));
    db_done(q);
    ask_ids_sort(&ids);
    return ids;
}

struct ask_changes ask_changes(struct ask *ask, const struct ask_changes_wish *wish)
{
    struct changes all = {0};
    struct subject s = {.ask = ask, .out = &all};
    struct ask_ids ids = newest_datasets(ask, wish);
    for (uint32_t i = 0; i < ids.count; i++)
        if (begin(&s, ids.items[i])) {
            take_definitions(&s);
            take_renames(&s, false);
        }
    return page(&all, wish->limit, wish->skip);
}
