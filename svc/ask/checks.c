/* A look-up by index; who is hit is the impact of what was checked, with the people of one page of
 * it. */
#include "ask/checks.h"

#include "ask/names.h"
#include "record/quality.h"

str_t ask_check_status(int64_t status)
{
    bool known = status > 0 && status <= QUALITY_STATUS_COUNT;
    return known ? quality_status_name((enum quality_status)(status - 1)) : STR("");
}

/* ---- results -------------------------------------------------------------------------------- */

#define RESULTS                                                                                 \
    "select k.dataset, n.name, d.name, k.col, k.name, k.message, k.source, k.status, k.at"      \
    " from quality k join dataset d on d.id = k.dataset join namespace n on n.id = d.namespace" \
    " where "
#define WANTED                                                                                  \
    " and ($2 = 0 or d.namespace = $2) and ($3 = '' or lower(d.database) = lower($3))"          \
    " and ($4 = 0 or k.status = $4) order by k.status desc, k.at desc, n.name, d.name, k.col, " \
    "k.name limit $5 offset $6"

static const char of_all_sql[] = RESULTS "$1 = 0" WANTED;
static const char of_one_sql[] = RESULTS "k.dataset = $1" WANTED;

static struct ask_check read_check(struct ask *ask, const struct db_query *q)
{
    return (struct ask_check){.dataset = db_int(q, 0),
                              .name_space = arena_copy(ask->arena, db_text(q, 1)),
                              .table = arena_copy(ask->arena, db_text(q, 2)),
                              .column = arena_copy(ask->arena, db_text(q, 3)),
                              .check = arena_copy(ask->arena, db_text(q, 4)),
                              .message = arena_copy(ask->arena, db_text(q, 5)),
                              .source = arena_copy(ask->arena, db_text(q, 6)),
                              .status = db_int(q, 7),
                              .time = db_int(q, 8)};
}

struct ask_checks ask_checks(struct ask *ask, const struct ask_checks_wish *wish)
{
    VEC(struct ask_check) list = {0};
    struct ask_checks checks = {0};
    struct db_query *q = db_query(ask->db, wish->dataset == 0 ? of_all_sql : of_one_sql);
    db_bind_int(q, 1, wish->dataset);
    db_bind_int(q, 2, wish->name_space);
    db_bind_text(q, 3, wish->database);
    db_bind_int(q, 4, wish->status);
    db_bind_int(q, 5, (int64_t)wish->limit + 1);
    db_bind_int(q, 6, wish->skip);
    while (list.count < wish->limit && db_step(q)) {
        struct ask_check *check = VEC_PUSH(ask->arena, &list);
        if (check != NULL)
            *check = read_check(ask, q);
    }
    checks.more = list.count == wish->limit && db_step(q);
    db_done(q);
    checks.items = list.items;
    checks.count = list.count;
    return checks;
}

bool ask_column_checked(struct ask *ask, int64_t dataset, str_t column)
{
    struct db_query *q =
        db_query(ask->db, "select 1 from quality where dataset = $1 and col = $2 limit 1");
    db_bind_int(q, 1, dataset);
    db_bind_text(q, 2, name_lower(ask->arena, column));
    return db_any(q);
}

/* ---- who is hit ----------------------------------------------------------------------------- */

static void add_itself(struct ask *ask, const struct ask_hit_wish *wish,
                       struct ask_dependent *itself)
{
    *itself = (struct ask_dependent){.id = wish->dataset, .direct = true};
    if (wish->column == 0)
        return;
    struct db_query *q = db_query(ask->db, "select name from col where id = $1");
    db_bind_int(q, 1, wish->column);
    if (db_step(q))
        ask_words_add(&itself->columns, ask->arena, arena_copy(ask->arena, db_text(q, 0)));
    db_done(q);
}

/* Of the page: ask_keepings gives them in the order of their ids. */
static void add_people(struct ask *ask, struct ask_hit_tables *hit)
{
    struct ask_ids ids = {0};
    struct id_index places = {0};
    for (uint32_t i = 0; i < hit->count; i++)
        ask_ids_add(&ids, ask->arena, hit->items[i].dependent.id);
    struct ask_keeping *keepings = ask_keepings(ask, &ids);
    for (uint32_t i = 0; i < ids.count; i++) {
        bool fresh;
        (void)id_index_place(&places, ask->arena, ids.items[i], i, &fresh);
    }
    for (uint32_t i = 0; i < hit->count && keepings != NULL; i++) {
        uint32_t at = id_index_get(&places, hit->items[i].dependent.id);
        hit->items[i].people = at == ID_NONE ? NULL : &keepings[at];
    }
}

struct ask_hit_tables ask_hit_tables(struct ask *ask, const struct ask_hit_wish *wish)
{
    struct ask_impact impact = ask_impact(ask, wish->dataset, wish->column, wish->offline);
    struct ask_hit_tables hit = {.total = impact.count + 1, .complete = impact.complete};
    uint32_t from = wish->skip < hit.total ? wish->skip : hit.total;
    uint32_t count = hit.total - from < wish->limit ? hit.total - from : wish->limit;
    struct ask_dependent *page = ARENA_ARRAY(ask->arena, struct ask_dependent, (size_t)count + 1);
    hit.items = ARENA_ARRAY(ask->arena, struct ask_hit_table, (size_t)count + 1);
    if (page == NULL || hit.items == NULL)
        return hit;
    for (uint32_t i = 0; i < count; i++) {
        if (from + i == 0)
            add_itself(ask, wish, &page[i]);
        else
            page[i] = impact.items[from + i - 1];
    }
    ask_dependents_fill(ask, page, count);
    hit.count = count;
    for (uint32_t i = 0; i < count; i++)
        hit.items[i].dependent = page[i];
    add_people(ask, &hit);
    return hit;
}
