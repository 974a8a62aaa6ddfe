/*
 * Of a table: its statements by the time of their last run, the newest first, and the newest runs
 * of each, until no older statement can have a newer one. Of all: along the index of ends.
 */
#include "ask/queries.h"

#include "ask/id_index.h"

#include <stdlib.h>

enum {
    NAMES_MOST = 100,
    FEW = 500,
    BATCH = 64,            /* statements whose runs a server is asked for at once */
    FAILED_MOST = 300,     /* statements that never succeeded, of which no last run is known */
    LOOKED_AT_MOST = 20000 /* runs of one page without a table */
};

#define ROWS                                                                                  \
    "select x.query_id, x.engine, a.name, x.database, x.status, x.operation, l.fingerprint, " \
    "x.started, x.ended, x.duration,"                                                         \
    " x.lineage, x.day, x.text from "
#define JOINS " left join account a on a.id = x.account left join lineage l on l.id = x.lineage"
#define FILTERS                                                                                    \
    " ($2 = '' or a.name = $2) and ($3 = '' or x.engine = $3) and ($4 = '' or x.status = $4) and " \
    "x.day between $5 and $6"                                                                      \
    " and (x.ended < $7 or (x.ended = $7 and x.query_id > $8))"

struct queries {
    struct ask_query *items;
    uint32_t count, capacity;
};

static void read_query(struct ask *ask, const struct db_query *q, struct ask_query *query)
{
    str_t *const texts[] = {&query->query_id,   &query->engine, &query->user,
                            &query->database,   &query->status, &query->operation,
                            &query->fingerprint};
    for (int i = 0; i < 7; i++)
        *texts[i] = arena_copy(ask->arena, db_text(q, i));
    query->started = db_int(q, 7);
    query->ended = db_int(q, 8);
    query->duration_ms = db_int(q, 9);
    query->lineage = db_int(q, 10);
    query->day = db_int(q, 11);
    query->text = db_int(q, 12);
}

static void bind_filters(struct db_query *q, const struct ask_queries_wish *wish)
{
    db_bind_text(q, 2, wish->user);
    db_bind_text(q, 3, wish->engine);
    db_bind_text(q, 4, wish->status);
    db_bind_int(q, 5, wish->from_day);
    db_bind_int(q, 6, wish->to_day);
    db_bind_int(q, 7, wish->before > 0 ? wish->before : INT64_MAX);
    db_bind_text(q, 8, wish->before_query);
}

static int newest_first(const void *a, const void *b)
{
    const struct ask_query *x = a, *y = b;
    if (x->ended != y->ended)
        return x->ended > y->ended ? -1 : 1;
    return str_compare(x->query_id, y->query_id);
}

/* ---- names of inputs and outputs ------------------------------------------------------------ */

/* Of all statements at once; queries of one statement share what was read. */
static void read_names(struct ask *ask, struct ask_query *queries, uint32_t count)
{
    struct id_index places = {0};
    struct ask_ids lineages = {0};
    for (uint32_t i = 0; i < count; i++) {
        bool fresh;
        if (queries[i].lineage != 0 &&
            id_index_place(&places, ask->arena, queries[i].lineage, i, &fresh) != NULL && fresh)
            ask_ids_add(&lineages, ask->arena, queries[i].lineage);
    }
    struct db_query *q =
        db_query(ask->db, "select x.lineage, x.role, d.name from lineage_dataset x join dataset d"
                          " on d.id = x.dataset where x.lineage in ids($1) order by d.name");
    db_bind_ids(q, 1, lineages.items, lineages.count);
    while (lineages.count > 0 && db_step(q)) {
        struct ask_query *query = &queries[id_index_get(&places, db_int(q, 0))];
        struct ask_words *words = db_int(q, 1) >= ROLE_WRITES ? &query->outputs : &query->inputs;
        if (words->count < NAMES_MOST)
            ask_words_add(words, ask->arena, arena_copy(ask->arena, db_text(q, 2)));
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = id_index_get(&places, queries[i].lineage);
        if (first == ID_NONE || first == i)
            continue;
        queries[i].inputs = queries[first].inputs;
        queries[i].outputs = queries[first].outputs;
    }
}

/* ---- of a table, or a statement ------------------------------------------------------------- */

struct timed {
    int64_t lineage, last;
};

struct timed_list {
    struct timed *items;
    uint32_t count, capacity;
};

static int by_last(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    return (x->lineage > y->lineage) - (x->lineage < y->lineage);
}

static void take_timed(struct ask *ask, struct db_query *q, struct timed_list *list)
{
    uint32_t failed = 0;
    while (db_step(q)) {
        bool unknown = db_int(q, 2) != 0 || db_is_null(q, 1);
        if (unknown && ++failed > FAILED_MOST)
            continue;
        struct timed *timed = VEC_PUSH(ask->arena, list);
        if (timed != NULL)
            *timed = (struct timed){db_int(q, 0), unknown ? INT64_MAX : db_int(q, 1)};
    }
}

static struct timed_list statements_of(struct ask *ask, const struct ask_queries_wish *wish)
{
    struct timed_list list = {0};
    struct db_query *q;
    if (wish->fingerprint.len > 0 && wish->dataset == 0) {
        q = db_query(ask->db, "select id, last_run, failed from lineage where fingerprint = $1");
        db_bind_text(q, 1, wish->fingerprint);
    } else if (wish->column != 0) {
        q = db_query(ask->db, "select distinct l.id, l.last_run, l.failed from column_edge e join "
                              "lineage l on l.id = e.lineage where e.src = $1");
        db_bind_int(q, 1, wish->column);
    } else {
        q = db_query(ask->db, "select distinct l.id, l.last_run, l.failed from lineage_dataset x "
                              "join lineage l on l.id = x.lineage"
                              " where x.dataset = $1 and x.role between $2 and $3 and ($4 = '' or "
                              "l.fingerprint = $4)");
        db_bind_int(q, 1, wish->dataset);
        db_bind_int(q, 2, wish->reads ? ROLE_READS : ROLE_WRITES);
        db_bind_int(q, 3, wish->writes ? ROLE_DROPS : ROLE_READS_THROUGH);
        db_bind_text(q, 4, wish->fingerprint);
    }
    take_timed(ask, q, &list);
    if (list.count > 1)
        qsort(list.items, list.count, sizeof *list.items, by_last);
    return list;
}

/* The newest runs of each of these statements: a server is asked for all at once, a file for one
 * after the other. */
static void take_runs(struct ask *ask, const struct ask_queries_wish *wish, const int64_t *lineages,
                      uint32_t count, struct queries *found)
{
    static const char sql[] =
        ROWS "execution x" JOINS " where x.lineage = $1 and" FILTERS
             " order by x.day desc, x.ended desc limit $9 --sqlite\n"
             "select r.* from unnest($1::bigint[]) as n(id) cross join lateral (" ROWS
             "execution x" JOINS " where x.lineage = n.id and" FILTERS
             " order by x.day desc, x.ended desc limit $9) r --postgres";
    struct db_query *q = db_query(ask->db, sql);
    if (db_kind_of(ask->db) == DB_SQLITE)
        db_bind_int(q, 1, lineages[0]);
    else
        db_bind_ids(q, 1, lineages, count);
    bind_filters(q, wish);
    db_bind_int(q, 9, (int64_t)wish->limit + 1);
    while (db_step(q)) {
        struct ask_query *query = VEC_PUSH(ask->arena, found);
        if (query != NULL)
            read_query(ask, q, query);
    }
}

static void keep_newest(struct queries *found, uint32_t most)
{
    if (found->count > 1)
        qsort(found->items, found->count, sizeof *found->items, newest_first);
    if (found->count > most)
        found->count = most;
}

static void take_of_statements(struct ask *ask, const struct ask_queries_wish *wish,
                               struct queries *found)
{
    struct timed_list list = statements_of(ask, wish);
    uint32_t wanted = wish->limit + 1;
    uint32_t batch = db_kind_of(ask->db) == DB_SQLITE ? 1 : BATCH;
    for (uint32_t i = 0; i < list.count; i += batch) {
        bool full = found->items != NULL && found->count >= wanted;
        int64_t ids[BATCH];
        uint32_t count = list.count - i < batch ? list.count - i : batch;
        if (full && list.items[i].last < found->items[wanted - 1].ended)
            break;
        for (uint32_t k = 0; k < count; k++)
            ids[k] = list.items[i + k].lineage;
        take_runs(ask, wish, ids, count, found);
        if (found->count >= wanted)
            keep_newest(found, wanted);
    }
    keep_newest(found, wanted);
}

/* ---- of all --------------------------------------------------------------------------------- */

static void read_newest(struct ask *ask, const struct ask_queries_wish *wish, int64_t before,
                        int64_t looked_at, struct queries *found)
{
    struct db_query *q =
        db_query(ask->db, ROWS
                 "(select * from execution where ended <= $1 order by ended desc limit $10) x" JOINS
                 " where" FILTERS " order by x.ended desc, x.query_id limit $9");
    db_bind_int(q, 1, before);
    bind_filters(q, wish);
    db_bind_int(q, 9, (int64_t)wish->limit + 1);
    db_bind_int(q, 10, looked_at);
    found->count = 0;
    while (db_step(q)) {
        struct ask_query *query = VEC_PUSH(ask->arena, found);
        if (query != NULL)
            read_query(ask, q, query);
    }
}

/*
 * Along the index of ends, a few runs first, then many. Where the page's runs are rare even among
 * those, the next page goes on behind them.
 */
static void take_of_all(struct ask *ask, const struct ask_queries_wish *wish, struct queries *found,
                        struct ask_queries *answer)
{
    int64_t end = (wish->to_day + 1) * DAY_MS;
    int64_t before = wish->before > 0 && wish->before < end ? wish->before : end;
    read_newest(ask, wish, before, (int64_t)wish->limit + FEW, found);
    if (found->count <= wish->limit)
        read_newest(ask, wish, before, LOOKED_AT_MOST, found);
    if (found->count > wish->limit)
        return;
    struct db_query *q = db_query(
        ask->db,
        "select ended from execution where ended <= $1 order by ended desc limit 1 offset $2");
    db_bind_int(q, 1, before);
    db_bind_int(q, 2, LOOKED_AT_MOST - 1);
    if (db_step(q) && db_int(q, 0) >= wish->from_day * DAY_MS) {
        answer->more = true;
        answer->next_before = db_int(q, 0);
    }
    db_done(q);
}

struct ask_queries ask_queries(struct ask *ask, const struct ask_queries_wish *wish)
{
    struct queries found = {0};
    struct ask_queries answer = {0};
    if (wish->dataset != 0 || wish->fingerprint.len > 0)
        take_of_statements(ask, wish, &found);
    else
        take_of_all(ask, wish, &found, &answer);
    if (found.count > wish->limit) {
        found.count = wish->limit;
        answer.more = true;
        answer.next_before = found.items[found.count - 1].ended;
        answer.next_query = found.items[found.count - 1].query_id;
    }
    read_names(ask, found.items, found.count);
    answer.items = found.items;
    answer.count = found.count;
    return answer;
}

/* ---- one query ------------------------------------------------------------------------------ */

/* The day stands first in the key: all days are tried at once. */
static bool find_query(struct ask *ask, str_t query_id, struct ask_query *query, str_t *error)
{
    struct ask_ids days = {0};
    int64_t first = db_number(ask->db, "select coalesce(min(day), 0) from execution", 0);
    int64_t last = db_number(ask->db, "select coalesce(max(day), -1) from execution", -1);
    for (int64_t day = first; day <= last; day++)
        ask_ids_add(&days, ask->arena, day);
    struct db_query *q = db_query(
        ask->db, "select x.query_id, x.engine, a.name, x.database, x.status, x.operation, "
                 "l.fingerprint, x.started,"
                 " x.ended, x.duration, x.lineage, x.day, x.text, x.error from execution x" JOINS
                 " where x.day in ids($1) and x.query_id = $2\n"
                 " and x.query = hash47($2) --sqlite\n"
                 " order by x.day desc limit 1");
    db_bind_ids(q, 1, days.items, days.count);
    db_bind_text(q, 2, query_id);
    bool found = db_step(q);
    if (found) {
        read_query(ask, q, query);
        *error = arena_copy(ask->arena, db_text(q, 13));
    }
    db_done(q);
    return found;
}

static void read_text(struct ask *ask, struct ask_query_detail *detail)
{
    struct db_query *q =
        db_query(ask->db, "select body from sql_text where day = $1 and text = $2");
    db_bind_int(q, 1, detail->query.day);
    db_bind_int(q, 2, detail->query.text);
    if (db_step(q))
        detail->sql = arena_copy(ask->arena, db_text(q, 0));
    db_done(q);
}

static void read_lineage(struct ask *ask, struct ask_query_detail *detail)
{
    struct db_query *q = db_query(ask->db, "select uncertain, runs from lineage where id = $1");
    db_bind_int(q, 1, detail->query.lineage);
    if (db_step(q)) {
        detail->uncertain = arena_copy(ask->arena, db_text(q, 0));
        detail->other_runs = db_int(q, 1) - str_eq(detail->query.status, STR("OK"));
    }
    db_done(q);
    struct ask_document document = document_of(ask, detail->query.lineage);
    detail->document = document.tree == NULL ? STR("") : document.sample.document;
    if (detail->sql.len == 0)
        detail->sql = document.sample.sql;
}

bool ask_query_detail(struct ask *ask, str_t query_id, struct ask_query_detail *detail)
{
    *detail = (struct ask_query_detail){.other_runs = -1};
    if (!find_query(ask, query_id, &detail->query, &detail->error))
        return false;
    if (detail->query.text != 0)
        read_text(ask, detail);
    if (detail->query.lineage != 0)
        read_lineage(ask, detail);
    read_names(ask, &detail->query, 1);
    detail->marks = ask_marks(ask->arena, detail->sql, detail->query.database,
                              &detail->query.inputs, &detail->query.outputs, &detail->mark_count);
    return true;
}
