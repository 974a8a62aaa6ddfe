/* The questions of svc/ask, their answers turned into nodes and edges. */
#include "store_walk.h"

#include "ask/path.h"

#include <stdio.h>
#include <time.h>

enum { DATASETS_MOST = 20000, EDGES_MOST = 100000, DEEPEST = 1000 };

struct reading {
    struct facts *facts;
    const struct walk *walk;
    const struct store_walk *asked;
    struct ask_moment at;
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
static void take_origin(struct reading *r, int64_t lineage, enum ask_state state)
{
    struct db_query *q = db_query(
        r->ask.db, "select query_id from lineage_text where lineage = $1 and query_id <> ''");
    db_bind_int(q, 1, lineage);
    if (db_step(q)) {
        const str_t parts[] = {db_text(q, 0),
                               state == STATE_SUPERSEDED ? STR(", superseded") : STR("")};
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
                                         .expressions = true,
                                         .at = r->at};
    struct ask_column_graph graph = ask_column_graph(&r->ask, &wish);
    if (ask_failed(&r->ask) || graph.node_count == 0)
        return STATUS_FAILED;
    *r->start = node_of(r, &graph.nodes[0]);
    for (uint32_t i = 0; i < graph.edge_count; i++) {
        const struct ask_column_edge *edge = &graph.edges[i];
        take_origin(r, edge->lineage, edge->state);
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
                                        .temporary = true,
                                        .at = r->at};
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

/* ---- the way between two -------------------------------------------------------------------- */

/* What a name stands for. */
struct place {
    int64_t dataset, column; /* 0: none */
};

static str_t table_name(struct reading *r, int64_t dataset)
{
    struct ask_dataset *found = ask_datasets(&r->ask, &dataset, 1);
    return found == NULL ? STR("?") : found->name;
}

static uint32_t node_by_id(struct reading *r, int64_t id, bool column)
{
    if (!column)
        return facts_table(r->facts, table_name(r, id));
    struct db_query *q = db_query(r->ask.db, "select name from col where id = $1");
    db_bind_int(q, 1, id);
    str_t name = db_step(q) ? arena_copy(&r->arena, db_text(q, 0)) : STR("?");
    db_done(q);
    return facts_column(r->facts, table_name(r, col_dataset(id)), name);
}

static int read_way(struct reading *r, struct place src, struct place dst)
{
    bool columns = src.column != 0 && dst.column != 0;
    const struct ask_path_wish wish = {.src = columns ? src.column : src.dataset,
                                       .dst = columns ? dst.column : dst.dataset,
                                       .columns = columns,
                                       .indirect = r->walk->indirect,
                                       .at = r->at};
    struct ask_path path = ask_path(&r->ask, &wish);
    if (ask_failed(&r->ask))
        return STATUS_FAILED;
    if (!path.found) {
        complain("nothing leads from %s to %s%s", r->asked->from, r->asked->name,
                 path.complete ? "" : ", as far as the search went");
        return STATUS_PARTLY;
    }
    *r->start = node_by_id(r, wish.dst, columns);
    for (uint32_t i = 0; i < path.hop_count; i++) {
        const struct ask_hop *hop = &path.hops[i];
        uint32_t from = node_by_id(r, hop->src, columns), to = node_by_id(r, hop->dst, columns);
        take_origin(r, hop->lineage, hop->state);
        facts_edge(r->facts, from, to,
                   columns ? edge_kind_name((enum column_edge_kind)hop->kind) : STR("table"),
                   hop->expression, hop->direct);
    }
    return STATUS_DONE;
}

/* ---- the name ------------------------------------------------------------------------------- */

/* Names as they stand, or behind the table (may be empty) whose columns they are. */
static void suggest(str_t table, const struct ask_name *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(stderr, "%s%.*s%s%.*s", i == 0 ? "Did you mean " : ", ", (int)table.len, table.ptr,
                table.len > 0 ? "." : "", (int)names[i].name.len, names[i].name.ptr);
    if (count > 0)
        fputs("?\n", stderr);
}

static void say_unknown_column(struct reading *r, int64_t dataset, str_t name)
{
    uint32_t count;
    str_t table = table_name(r, dataset);
    const struct ask_name *nearest = ask_nearest_columns(&r->ask, dataset, name, &count);
    complain("the store knows no column %.*s of %.*s", (int)name.len, name.ptr, (int)table.len,
             table.ptr);
    suggest(table, nearest, count);
}

static void say_namespaces(const char *name, const struct ask_found *found)
{
    complain("there are several %s; say which one is meant:", name);
    for (uint32_t i = 0; i < found->name_count; i++)
        fprintf(stderr, "    %.*s#%s\n", (int)found->names[i].name_space.len,
                found->names[i].name_space.ptr, name);
}

/* A table of the name, else a column: the last part behind its table. False after a message. */
static bool find_place(struct reading *r, const char *name, struct place *place)
{
    struct ask_found found = ask_find(&r->ask, STR(""), str_of(name)), table = {0};
    const char *dot = strrchr(name, '.');
    *place = (struct place){.dataset = found.id};
    if (found.id != 0)
        return true;
    if (dot != NULL)
        table = ask_find(&r->ask, STR(""), str_make(name, (size_t)(dot - name)));
    if (table.id != 0)
        *place = (struct place){table.id, ask_find_column(&r->ask, table.id, str_of(dot + 1))};
    if (place->column != 0)
        return true;
    if (found.several > 1 || table.several > 1) {
        say_namespaces(name, found.several > 1 ? &found : &table);
    } else if (table.id != 0 && !ask_failed(&r->ask)) {
        say_unknown_column(r, table.id, str_of(dot + 1));
    } else if (!ask_failed(&r->ask)) {
        complain("the store knows no table or column %s", name);
        suggest(STR(""), found.names, found.name_count);
    }
    return false;
}

static int answer(struct reading *r)
{
    struct place place, source;
    if (!find_place(r, r->asked->name, &place) ||
        (r->asked->from != NULL && !find_place(r, r->asked->from, &source)))
        return ask_failed(&r->ask) ? STATUS_FAILED : STATUS_PARTLY;
    if (r->asked->from != NULL)
        return read_way(r, source, place);
    return place.column != 0 ? read_columns(r, place.column) : read_tables(r, place.dataset);
}

int facts_from_store(struct facts *facts, const struct walk *walk, const struct store_walk *asked,
                     uint32_t *start)
{
    struct reading r = {.facts = facts,
                        .walk = walk,
                        .asked = asked,
                        .start = start,
                        .at = {.past = asked->as_of != NULL}};
    struct buf reason;
    buf_init(&reason, 0);
    *start = NO_NODE;
    if (r.at.past && !ask_day_by_name(str_of(asked->as_of), &r.at.day))
        return wrong_use(walk->up ? "trace" : "impact",
                         "--as-of %s: a day, `YYYY-MM-DD`, is wanted", asked->as_of);
    arena_init(&r.arena, 0, NULL);
    struct store *store = store_open(
        &(struct store_options){.address = str_of(asked->address), .access = DB_READ}, &reason);
    int status = STATUS_FAILED;
    if (store == NULL) {
        complain("%.*s", (int)reason.len, reason.ptr);
    } else {
        r.ask = ask_of(store, &r.arena, now_ms());
        (void)db_begin_read(r.ask.db);
        status = answer(&r);
        if (status == STATUS_FAILED)
            complain("%s: %.*s", asked->address, (int)db_message(r.ask.db).len,
                     db_message(r.ask.db).ptr);
        else if (status == STATUS_PARTLY && *start != NO_NODE)
            complain("note: there is more than the answer holds");
        db_end_read(r.ask.db);
    }
    store_close(store);
    arena_release(&r.arena);
    buf_release(&reason);
    return status;
}
