/* A page of statements, each with what its document says of this edge. */
#include "ask/edge.h"

#include <stdlib.h>

enum { USERS_MOST = 20 };

struct reading {
    struct ask *ask;
    const struct ask_edge_wish *wish;
    struct ask_facts facts;
    str_t src_table, dst_table, src_column, dst_column;
};

static str_t text_of(struct ask *ask, const char *sql, int64_t id)
{
    struct db_query *q = db_query(ask->db, sql);
    db_bind_int(q, 1, id);
    str_t text = db_step(q) ? arena_copy(ask->arena, db_text(q, 0)) : STR("");
    db_done(q);
    return text;
}

static struct raw_edges statements_of(struct reading *r)
{
    struct raw_edges edges = {0};
    const struct ask_edge_wish *wish = r->wish;
    struct db_query *q = db_query(
        r->ask->db, wish->src_column != 0
                        ? "select distinct lineage, '' from column_edge where dst = $1 and src = $2"
                        : "select lineage, mode from table_edge where dst = $1 and src = $2");
    db_bind_int(q, 1, wish->src_column != 0 ? wish->dst_column : wish->dst);
    db_bind_int(q, 2, wish->src_column != 0 ? wish->src_column : wish->src);
    while (db_step(q)) {
        struct raw_edge *edge = VEC_PUSH(r->ask->arena, &edges);
        if (edge != NULL)
            *edge = (struct raw_edge){wish->dst, wish->src, db_int(q, 0), 0,
                                      arena_copy(r->ask->arena, db_text(q, 1))};
    }
    return edges;
}

/* The time of each statement's last run stands in `src`, so that they can be sorted by it. */
static int newest_first(const void *a, const void *b)
{
    const struct raw_edge *x = a, *y = b;
    if (x->src != y->src)
        return x->src > y->src ? -1 : 1;
    return (x->lineage > y->lineage) - (x->lineage < y->lineage);
}

static void sort_by_time(struct reading *r, struct raw_edges *edges)
{
    struct ask_ids lineages = {0}, targets = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < edges->count; i++)
        ask_ids_add(&lineages, r->ask->arena, edges->items[i].lineage);
    ask_ids_add(&targets, r->ask->arena, r->wish->dst);
    ask_facts_need(&r->facts, &lineages, &targets);
    for (uint32_t i = 0; i < edges->count; i++) {
        const struct ask_fact *fact = ask_facts_of(&r->facts, edges->items[i].lineage);
        if (fact == NULL || fact->absent)
            continue;
        edges->items[kept] = edges->items[i];
        edges->items[kept++].src = fact->last_run;
    }
    edges->count = kept;
    if (kept > 1)
        qsort(edges->items, kept, sizeof *edges->items, newest_first);
}

static void read_users(struct ask *ask, int64_t lineage, struct ask_statement *statement)
{
    VEC(struct ask_user_runs) users = {0};
    struct db_query *q = db_query(
        ask->db,
        "select a.name, sum(x.runs) from lineage_day x join account a on a.id = x.account"
        " where x.lineage = $1 group by a.name order by sum(x.runs) desc, a.name limit $2");
    db_bind_int(q, 1, lineage);
    db_bind_int(q, 2, USERS_MOST);
    while (db_step(q)) {
        struct ask_user_runs *user = VEC_PUSH(ask->arena, &users);
        if (user != NULL)
            *user = (struct ask_user_runs){arena_copy(ask->arena, db_text(q, 0)), db_int(q, 1)};
    }
    statement->users = users.items;
    statement->user_count = users.count;
}

static void read_statement(struct reading *r, const struct raw_edge *edge,
                           struct ask_statement *statement)
{
    const struct ask_fact *fact = ask_facts_of(&r->facts, edge->lineage);
    struct ask_document document = document_of(r->ask, edge->lineage);
    *statement = (struct ask_statement){
        .fingerprint = fact->fingerprint,
        .engine = fact->engine,
        .operation = fact->operation,
        .mode = edge->mode,
        .state = ask_facts_state(&r->facts, edge->lineage, r->wish->dst),
        .evidence = ask_facts_evidence(fact),
        .runs = fact->runs,
        .first_run = fact->first_run,
        .last_run = fact->last_run,
        .uncertain = fact->uncertain,
        .query_id = document.sample.query_id,
        .sql = document.sample.sql,
    };
    statement->script =
        text_of(r->ask, "select script from script where lineage = $1 order by script limit 1",
                edge->lineage);
    read_users(r->ask, edge->lineage, statement);
    if (document.tree == NULL)
        return;
    statement->database = json_member_text(document.tree, STR("database"));
    statement->ties = document_ties(r->ask, document.tree, r->src_table, r->src_column,
                                    r->dst_table, r->dst_column);
}

static int64_t count_users(struct ask *ask, const struct raw_edges *edges)
{
    struct ask_ids lineages = {0};
    for (uint32_t i = 0; i < edges->count; i++)
        ask_ids_add(&lineages, ask->arena, edges->items[i].lineage);
    ask_ids_sort(&lineages);
    struct db_query *q = db_query(ask->db, "select count(distinct account) from lineage_day where "
                                           "lineage in ids($1) and account <> 0");
    db_bind_ids(q, 1, lineages.items, lineages.count);
    int64_t count = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    return count;
}

struct ask_edge_detail ask_edge_detail(struct ask *ask, const struct ask_edge_wish *wish)
{
    static const char table_sql[] = "select name from dataset where id = $1",
                      column_sql[] = "select name from col where id = $1";
    struct ask_edge_detail detail = {0};
    struct reading r = {
        .ask = ask, .wish = wish, .facts = ask_facts_at(ask, (struct ask_moment){0})};
    r.src_table = text_of(ask, table_sql, wish->src);
    r.dst_table = text_of(ask, table_sql, wish->dst);
    detail.found = wish->src_column != 0
                       ? ask_column_edge(ask, wish->src_column, wish->dst_column, &detail.column)
                       : ask_table_edge(ask, wish->src, wish->dst, &detail.edge);
    if (wish->src_column != 0) {
        r.src_column = text_of(ask, column_sql, wish->src_column);
        r.dst_column = text_of(ask, column_sql, wish->dst_column);
    }
    struct raw_edges edges = statements_of(&r);
    sort_by_time(&r, &edges);
    detail.users = count_users(ask, &edges);
    detail.total = edges.count;
    uint32_t from = wish->skip < edges.count ? wish->skip : edges.count;
    detail.count = edges.count - from < wish->limit ? edges.count - from : wish->limit;
    detail.items = ARENA_ARRAY(ask->arena, struct ask_statement, detail.count + 1);
    if (detail.items == NULL)
        return (struct ask_edge_detail){0};
    for (uint32_t i = 0; i < detail.count; i++)
        read_statement(&r, &edges.items[from + i], &detail.items[i]);
    return detail;
}
