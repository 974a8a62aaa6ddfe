/* The questions of svc/ask, their answers turned into nodes and edges. */
#include "store_walk.h"

#include "ask/column_graph.h"

#include <stdio.h>
#include <time.h>

enum { DATASETS_MOST = 20000, EDGES_MOST = 100000, DEEPEST = 1000 };

struct reading {
    struct facts *facts;
    const struct walk *walk;
    struct ask ask;
    struct arena arena;
    uint32_t *start;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static uint32_t depth_of(const struct walk *walk)
{
    return walk->deepest == 0 ? DEEPEST : walk->deepest;
}

/* ---- columns -------------------------------------------------------------------------------- */

/* The newest run, or the script, that the edge is known by; what was rewritten since says so. */
static void take_origin(struct reading *r, const struct ask_column_edge *edge)
{
    int64_t lineage = edge->lineage;
    struct db_query *q = db_query(
        r->ask.db, "select query_id from lineage_text where lineage = $1 and query_id <> ''");
    db_bind_int(q, 1, lineage);
    if (db_step(q)) {
        const str_t parts[] = {db_text(q, 0),
                               edge->state == STATE_SUPERSEDED ? STR(", superseded") : STR("")};
        facts_statement(r->facts, arena_concat(&r->arena, parts, 2), 0);
        db_done(q);
        return;
    }
    q = db_query(
        r->ask.db,
        "select script, line from script where lineage = $1 order by script, line limit 1");
    db_bind_int(q, 1, lineage);
    bool found = db_step(q);
    facts_statement(r->facts, found ? db_text(q, 0) : STR(""), found ? (uint32_t)db_int(q, 1) : 0);
    db_done(q);
}

static uint32_t node_of(struct reading *r, const struct ask_column_node *node)
{
    return facts_column(r->facts, node->table, node->column);
}

static int read_columns(struct reading *r, int64_t column)
{
    const struct ask_column_wish wish = {.focus = column,
                                         .up = r->walk->up,
                                         .down = !r->walk->up,
                                         .depth = depth_of(r->walk),
                                         .limit = EDGES_MOST,
                                         .indirect = r->walk->indirect,
                                         .expressions = true};
    struct ask_column_graph graph = ask_column_graph(&r->ask, &wish);
    if (ask_failed(&r->ask) || graph.node_count == 0)
        return STATUS_FAILED;
    *r->start = node_of(r, &graph.nodes[0]);
    for (uint32_t i = 0; i < graph.edge_count; i++) {
        const struct ask_column_edge *edge = &graph.edges[i];
        take_origin(r, edge);
        facts_edge(
            r->facts, node_of(r, &graph.nodes[edge->src]), node_of(r, &graph.nodes[edge->dst]),
            edge_kind_name((enum column_edge_kind)edge->kind), edge->expression, edge->direct);
    }
    return graph.complete ? STATUS_DONE : STATUS_PARTLY;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* `31 runs, last 2026-01-22`, in place of a script. */
static void take_runs(struct reading *r, const struct ask_edge *edge)
{
    char text[80], day[11];
    ask_day_name(day_of(edge->last_run), day);
    if (edge->runs == 0)
        (void)snprintf(text, sizeof text, "in a script");
    else
        (void)snprintf(text, sizeof text, "%lld run%s, last %s%s", (long long)edge->runs,
                       edge->runs == 1 ? "" : "s", day,
                       edge->state == STATE_SUPERSEDED ? ", superseded" : "");
    facts_statement(r->facts, str_of(text), 0);
}

static str_t name_in(const struct ask_graph *graph, const struct id_index *places, int64_t id)
{
    uint32_t at = id_index_get(places, id);
    return at == ID_NONE ? STR("?") : graph->nodes[at].dataset.name;
}

static int read_tables(struct reading *r, int64_t dataset)
{
    const struct ask_graph_wish wish = {.focus = dataset,
                                        .up = r->walk->up,
                                        .down = !r->walk->up,
                                        .depth = depth_of(r->walk),
                                        .limit = DATASETS_MOST,
                                        .indirect = r->walk->indirect,
                                        .offline = true,
                                        .temporary = true};
    struct ask_graph graph = ask_graph(&r->ask, &wish);
    struct id_index places = {0};
    if (ask_failed(&r->ask) || graph.node_count == 0)
        return STATUS_FAILED;
    for (uint32_t i = 0; i < graph.node_count; i++) {
        bool fresh;
        (void)id_index_place(&places, &r->arena, graph.nodes[i].dataset.id, i, &fresh);
    }
    *r->start = facts_table(r->facts, graph.nodes[0].dataset.name);
    for (uint32_t i = 0; i < graph.edge_count; i++) {
        const struct ask_edge *edge = &graph.edges[i];
        take_runs(r, edge);
        facts_edge(r->facts, facts_table(r->facts, name_in(&graph, &places, edge->src)),
                   facts_table(r->facts, name_in(&graph, &places, edge->dst)), STR("table"),
                   STR(""), edge->direct);
    }
    return graph.complete && graph.more_up + graph.more_down == 0 ? STATUS_DONE : STATUS_PARTLY;
}

/* ---- the name ------------------------------------------------------------------------------- */

static void suggest(const struct ask_found *found)
{
    for (uint32_t i = 0; i < found->name_count; i++)
        fprintf(stderr, "%s%.*s", i == 0 ? "Did you mean " : ", ", (int)found->names[i].name.len,
                found->names[i].name.ptr);
    if (found->name_count > 0)
        fputs("?\n", stderr);
}

static void say_namespaces(const char *name, const struct ask_found *found)
{
    complain("there are several %s; say which one is meant:", name);
    for (uint32_t i = 0; i < found->name_count; i++)
        fprintf(stderr, "    %.*s#%s\n", (int)found->names[i].name_space.len,
                found->names[i].name_space.ptr, name);
}

/* A table of the name, else a column: the last part behind its table. */
static int read_name(struct reading *r, const char *name)
{
    struct ask_found found = ask_find(&r->ask, STR(""), str_of(name)), table = {0};
    const char *dot = strrchr(name, '.');
    int64_t column = 0;
    if (found.id != 0)
        return read_tables(r, found.id);
    if (dot != NULL)
        table = ask_find(&r->ask, STR(""), str_make(name, (size_t)(dot - name)));
    if (table.id != 0)
        column = ask_find_column(&r->ask, table.id, str_of(dot + 1));
    if (column != 0)
        return read_columns(r, column);
    if (ask_failed(&r->ask))
        return STATUS_FAILED;
    if (found.several > 1 || table.several > 1) {
        say_namespaces(name, found.several > 1 ? &found : &table);
        return STATUS_PARTLY;
    }
    complain("the store knows no table or column %s", name);
    suggest(&found);
    return STATUS_PARTLY;
}

int facts_from_store(struct facts *facts, const struct walk *walk, const char *address,
                     const char *name, uint32_t *start)
{
    struct reading r = {.facts = facts, .walk = walk, .start = start};
    struct buf reason;
    buf_init(&reason, 0);
    *start = NO_NODE;
    arena_init(&r.arena, 0, NULL);
    struct store *store =
        store_open(&(struct store_options){.address = str_of(address), .access = DB_READ}, &reason);
    int status = STATUS_FAILED;
    if (store == NULL) {
        complain("%.*s", (int)reason.len, reason.ptr);
    } else {
        r.ask = ask_of(store, &r.arena, now_ms());
        (void)db_begin_read(r.ask.db);
        status = read_name(&r, name);
        if (status == STATUS_FAILED)
            complain("%s: %.*s", address, (int)db_message(r.ask.db).len, db_message(r.ask.db).ptr);
        else if (status == STATUS_PARTLY && *start != NO_NODE)
            complain("note: there is more than the answer holds");
        db_end_read(r.ask.db);
    }
    store_close(store);
    arena_release(&r.arena);
    buf_release(&reason);
    return status;
}
