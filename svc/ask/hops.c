/* Whose neighbours may be passed through is found by their names, for all at once; only these are
 * walked from. */
#include "ask/hops.h"

/* More than are temporary, by far the fewest of all. */
#define MAY_BE_PASSED                                                                              \
    " (o.kind = 'temporary' or o.status = 'offline' or o.database like 'tmp%' or o.database like " \
    "'temp%' or o.name like '%.tmp%' or o.name like '%.temp%')"

static void add_found(struct ask *ask, const struct ask_ids *ids, const char *sql,
                      struct ask_ids *found)
{
    struct db_query *q = db_query(ask->db, sql);
    db_bind_ids(q, 1, ids->items, ids->count);
    while (db_step(q))
        ask_ids_add(found, ask->arena, db_int(q, 0));
}

struct ask_hop_counts ask_hop_counts(struct ask *ask, struct ask_ids *datasets)
{
    struct ask_hop_counts counts = {0};
    struct ask_ids found = {0};
    ask_ids_sort(datasets);
    add_found(
        ask, datasets,
        "select distinct e.dst from table_edge e join dataset o on o.id = e.src where e.dst in "
        "ids($1) and" MAY_BE_PASSED,
        &found);
    add_found(
        ask, datasets,
        "select distinct e.src from table_edge e join dataset o on o.id = e.dst where e.src in "
        "ids($1) and" MAY_BE_PASSED,
        &found);
    ask_ids_sort(&found);
    for (uint32_t i = 0; i < found.count; i++) {
        struct ask_hop_count *count = VEC_PUSH(ask->arena, &counts);
        if (count == NULL)
            break;
        count->dataset = found.items[i];
        count->up = ask_step_count(ask, found.items[i], true);
        count->down = ask_step_count(ask, found.items[i], false);
    }
    return counts;
}
