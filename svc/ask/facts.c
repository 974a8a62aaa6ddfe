/* Sums that the store keeps tell the present; the past is added up from the days. */
#include "ask/facts.h"

struct ask_facts ask_facts_at(struct ask *ask, struct ask_moment at)
{
    return (struct ask_facts){.ask = ask, .at = at};
}

str_t ask_state_name(enum ask_state state)
{
    static const str_t names[] = {STR("retired"), STR("retired"), STR("superseded"),
                                  STR("current")};
    return names[state];
}

str_t ask_evidence_name(enum ask_evidence evidence)
{
    static const str_t names[] = {STR("script"), STR("ran"), STR("engine_confirmed")};
    return names[evidence];
}

/* Those that are not in the map, each with its place behind `count`. */
static struct ask_ids missing(struct ask_facts *facts, struct id_index *places,
                              struct ask_ids *wanted, uint32_t count)
{
    struct ask_ids list = {0};
    ask_ids_sort(wanted);
    for (uint32_t i = 0; i < wanted->count; i++) {
        bool fresh;
        if (id_index_place(places, facts->ask->arena, wanted->items[i], count + list.count,
                           &fresh) != NULL &&
            fresh)
            ask_ids_add(&list, facts->ask->arena, wanted->items[i]);
    }
    return list;
}

/* ---- statements ----------------------------------------------------------------------------- */

static struct ask_fact *own_fact(struct ask_facts *facts, int64_t lineage)
{
    uint32_t at = id_index_get(&facts->places, lineage);
    return at == ID_NONE || at >= facts->facts.count ? NULL : &facts->facts.items[at];
}

const struct ask_fact *ask_facts_of(const struct ask_facts *facts, int64_t lineage)
{
    uint32_t at = id_index_get(&facts->places, lineage);
    return at == ID_NONE || at >= facts->facts.count || facts->facts.items[at].lineage == 0
               ? NULL
               : &facts->facts.items[at];
}

static str_t known_engine(struct arena *arena, str_t engine)
{
    static const str_t engines[] = {STR("hive"), STR("impala")};
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (str_eq(engine, engines[i]))
            return engines[i];
    return arena_copy(arena, engine);
}

static struct db_query *ask_for_facts(struct ask_facts *facts, const struct ask_ids *list)
{
    struct db_query *q = db_query(
        facts->ask->db,
        "select id, engine, operation, fingerprint, uncertain, failed, runs, first_run, last_run,"
        " confirmed, scripts from lineage where id in ids($1)");
    db_bind_ids(q, 1, list->items, list->count);
    db_start(q);
    return q;
}

static void read_facts(struct ask_facts *facts, struct db_query *q)
{
    struct arena *arena = facts->ask->arena;
    while (db_step(q)) {
        struct ask_fact *fact = own_fact(facts, db_int(q, 0));
        if (fact == NULL)
            continue;
        *fact = (struct ask_fact){.lineage = db_int(q, 0),
                                  .engine = known_engine(arena, db_text(q, 1)),
                                  .operation = arena_copy(arena, db_text(q, 2)),
                                  .fingerprint = arena_copy(arena, db_text(q, 3)),
                                  .uncertain = arena_copy(arena, db_text(q, 4)),
                                  .absent = db_int(q, 5) != 0,
                                  .runs = db_int(q, 6),
                                  .first_run = db_int(q, 7),
                                  .last_run = db_int(q, 8),
                                  .confirmed = db_int(q, 9),
                                  .scripts = db_int(q, 10)};
    }
}

/* Runs up to the day instead of all. */
static void read_past(struct ask_facts *facts, const struct ask_ids *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct ask_fact *fact = own_fact(facts, list->items[i]);
        if (fact != NULL)
            fact->runs = fact->first_run = fact->last_run = fact->confirmed = 0;
    }
    struct db_query *q = db_query(
        facts->ask->db,
        "select lineage, sum(runs), min(first_run), max(last_run), sum(confirmed) from lineage_day"
        " where lineage in ids($1) and day <= $2 group by lineage");
    db_bind_ids(q, 1, list->items, list->count);
    db_bind_int(q, 2, facts->at.day);
    while (db_step(q)) {
        struct ask_fact *fact = own_fact(facts, db_int(q, 0));
        if (fact == NULL)
            continue;
        fact->runs = db_int(q, 1);
        fact->first_run = db_int(q, 2);
        fact->last_run = db_int(q, 3);
        fact->confirmed = db_int(q, 4);
    }
}

/* Those of the list that are new, behind those that were known. */
static void finish_facts(struct ask_facts *facts, const struct ask_ids *list, uint32_t before)
{
    if (facts->at.past)
        read_past(facts, list);
    for (uint32_t i = before; i < facts->facts.count; i++) {
        struct ask_fact *fact = &facts->facts.items[i];
        fact->absent = fact->absent || fact->runs + fact->scripts == 0;
    }
}

/* ---- targets -------------------------------------------------------------------------------- */

static struct ask_target *own_target(const struct ask_facts *facts, int64_t dataset)
{
    uint32_t at = id_index_get(&facts->target_places, dataset);
    return at == ID_NONE || at >= facts->targets.count ? NULL : &facts->targets.items[at];
}

const struct ask_target *ask_facts_target(const struct ask_facts *facts, int64_t dataset)
{
    return own_target(facts, dataset);
}

static struct db_query *ask_for_targets(struct ask_facts *facts, const struct ask_ids *list)
{
    struct db_query *q = db_query(
        facts->ask->db,
        "select id, last_reset, reset_before, heat, status from dataset where id in ids($1)");
    db_bind_ids(q, 1, list->items, list->count);
    db_start(q);
    return q;
}

static void read_targets(struct ask_facts *facts, struct db_query *q)
{
    while (db_step(q)) {
        struct ask_target *target = own_target(facts, db_int(q, 0));
        if (target != NULL)
            *target = (struct ask_target){db_int(q, 1), db_int(q, 2), db_int(q, 3),
                                          str_eq(db_text(q, 4), STR("offline"))};
    }
}

static void take_reset(struct ask_target *resets, int64_t time)
{
    if (time > resets->last) {
        resets->before = resets->last;
        resets->last = time;
    } else if (time > resets->before && time < resets->last) {
        resets->before = time;
    }
}

/* The last two days of each statement that resets; within a day only the last run is known. */
static void read_past_resets(struct ask_facts *facts, const struct ask_ids *list)
{
    struct ask_ids lineages = {0}, datasets = {0};
    struct db_query *q = db_query(
        facts->ask->db,
        "select dataset, lineage from lineage_dataset where dataset in ids($1) and role in (3, 4)"
        " and resets = 1");
    db_bind_ids(q, 1, list->items, list->count);
    while (db_step(q)) {
        ask_ids_add(&datasets, facts->ask->arena, db_int(q, 0));
        ask_ids_add(&lineages, facts->ask->arena, db_int(q, 1));
    }
    for (uint32_t i = 0; i < lineages.count && i < datasets.count; i++) {
        struct ask_target *resets = own_target(facts, datasets.items[i]);
        q = db_query(facts->ask->db, "select max(last_run) from lineage_day where lineage = $1 and "
                                     "day <= $2 group by day order by day desc limit 2");
        db_bind_int(q, 1, lineages.items[i]);
        db_bind_int(q, 2, facts->at.day);
        while (db_step(q))
            if (resets != NULL)
                take_reset(resets, db_int(q, 0));
    }
}

/* ---- both --------------------------------------------------------------------------------- */

void ask_facts_need(struct ask_facts *facts, struct ask_ids *lineages, struct ask_ids *datasets)
{
    uint32_t before = facts->facts.count;
    struct ask_ids statements = missing(facts, &facts->places, lineages, before);
    struct ask_ids targets = missing(facts, &facts->target_places, datasets, facts->targets.count);
    struct db_query *facts_query = NULL, *targets_query = NULL;
    for (uint32_t i = 0; i < statements.count; i++)
        (void)VEC_PUSH(facts->ask->arena, &facts->facts);
    for (uint32_t i = 0; i < targets.count; i++)
        (void)VEC_PUSH(facts->ask->arena, &facts->targets);
    if (statements.count > 0)
        facts_query = ask_for_facts(facts, &statements);
    if (targets.count > 0 && !facts->at.past)
        targets_query = ask_for_targets(facts, &targets);
    if (facts_query != NULL) {
        read_facts(facts, facts_query);
        finish_facts(facts, &statements, before);
    }
    if (targets_query != NULL)
        read_targets(facts, targets_query);
    else if (targets.count > 0)
        read_past_resets(facts, &targets);
}

/* ---- what follows --------------------------------------------------------------------------- */

enum ask_state ask_facts_state(const struct ask_facts *facts, int64_t lineage, int64_t dataset)
{
    const struct ask_fact *fact = ask_facts_of(facts, lineage);
    const struct ask_target *target = ask_facts_target(facts, dataset);
    if (fact == NULL || fact->absent)
        return STATE_ABSENT;
    if (target == NULL || fact->runs == 0 || fact->last_run >= target->last)
        return STATE_CURRENT;
    return target->before > 0 && fact->last_run >= target->before ? STATE_SUPERSEDED
                                                                  : STATE_RETIRED;
}

enum ask_evidence ask_facts_evidence(const struct ask_fact *fact)
{
    if (fact->confirmed > 0)
        return EVIDENCE_CONFIRMED;
    return fact->runs > 0 ? EVIDENCE_RAN : EVIDENCE_SCRIPT;
}
