/* The questions over every kind of store: what holds at which time, what is reached, what is found.
 */
#include "support/asking.h"

#include "ask/catalog.h"
#include "ask/column_graph.h"
#include "ask/columns.h"
#include "ask/edge.h"
#include "ask/heat.h"
#include "ask/history.h"
#include "ask/hops.h"
#include "ask/impact.h"
#include "ask/owners.h"
#include "ask/path.h"
#include "ask/queries.h"
#include "ask/search.h"
#include "ask/statements.h"
#include "ask/table.h"
#include "db/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "store/upkeep.h"

static char documents[8][1000];

/*
 *  ods.a ─▶ dwd.t (overwrite, days 0 to 2; then from ods.b only) ─▶ tmp.work ─▶ ads.r, and dwd.t ─▶
 * ads.s; ods.b ─▶ dwd.t appends on days 0, 1
 */
static void load(struct asking *f)
{
    const char *from_a =
        test_document(documents[0], 1000, "insert_overwrite", "overwrite", "ods.a", "dwd.t", "x");
    const char *from_b =
        test_document(documents[1], 1000, "insert", "append", "ods.b", "dwd.t", "x");
    const char *only_b =
        test_document(documents[2], 1000, "insert_overwrite", "overwrite", "ods.b", "dwd.t", "x");
    const char *work = test_document(documents[3], 1000, "insert_overwrite", "overwrite", "dwd.t",
                                     "tmp.work", "x");
    const char *report =
        test_document(documents[4], 1000, "insert", "append", "tmp.work", "ads.r", "x");
    const char *other =
        test_document(documents[5], 1000, "insert", "append", "dwd.t", "ads.s", "x");
    const struct test_event list[] = {
        {.query_id = "a0",
         .ended = AT(0, 100),
         .document = from_a,
         .inputs = "ods.a",
         .outputs = "dwd.t",
         .sql = "insert a"},
        {.query_id = "b0",
         .ended = AT(0, 200),
         .document = from_b,
         .inputs = "ods.b",
         .outputs = "dwd.t",
         .sql = "insert b"},
        {.query_id = "w0",
         .ended = AT(0, 300),
         .document = work,
         .inputs = "dwd.t",
         .outputs = "tmp.work",
         .sql = "insert w"},
        {.query_id = "r0",
         .ended = AT(0, 400),
         .document = report,
         .inputs = "tmp.work",
         .outputs = "ads.r",
         .sql = "insert r",
         .user = "bob"},
        {.query_id = "s0",
         .ended = AT(0, 500),
         .document = other,
         .inputs = "dwd.t",
         .outputs = "ads.s",
         .sql = "insert s"},
        {.query_id = "a1",
         .ended = AT(1, 100),
         .document = from_a,
         .inputs = "ods.a",
         .outputs = "dwd.t",
         .sql = "insert a"},
        {.query_id = "b1",
         .ended = AT(1, 200),
         .document = from_b,
         .inputs = "ods.b",
         .outputs = "dwd.t",
         .sql = "insert b"},
        {.query_id = "f1",
         .ended = AT(1, 250),
         .status = EVENT_ERROR,
         .inputs = "ods.a",
         .outputs = "dwd.t",
         .sql = "insert a"},
        {.query_id = "a2",
         .ended = AT(2, 100),
         .document = from_a,
         .inputs = "ods.a",
         .outputs = "dwd.t",
         .sql = "insert a"},
        {.query_id = "o3",
         .ended = AT(3, 100),
         .document = only_b,
         .inputs = "ods.b",
         .outputs = "dwd.t",
         .sql = "insert o"},
        {.query_id = "o4",
         .ended = AT(4, 100),
         .document = only_b,
         .inputs = "ods.b",
         .outputs = "dwd.t",
         .sql = "insert o",
         .engine_agrees = true},
    };
    asking_load(f, list, sizeof list / sizeof list[0], AT(4, 200));
}

static void begin(struct asking *f, int kind)
{
    asking_begin(f, kind, "ask", AT(4, 1000));
    load(f);
}

static int64_t column(struct asking *f, const char *name)
{
    int64_t id = ask_find_column(&f->ask, asking_table(f, name), STR("X"));
    assert_true(id > 0);
    return id;
}

/* Nodes as `name:level`, then edges as `source>target:state`, sorted as they come. */
static void check_graph(struct asking *f, const struct ask_graph_wish *wish, const char *wanted)
{
    char text[2000] = "";
    struct ask_graph graph = ask_graph(&f->ask, wish);
    size_t len = 0;
    for (uint32_t i = 0; i < graph.node_count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%.*s:%d ",
                                (int)graph.nodes[i].dataset.name.len,
                                graph.nodes[i].dataset.name.ptr, graph.nodes[i].level);
    for (uint32_t i = 0; i < graph.edge_count; i++) {
        const struct ask_edge *edge = &graph.edges[i];
        str_t src = STR("?"), dst = STR("?");
        for (uint32_t n = 0; n < graph.node_count; n++) {
            if (graph.nodes[n].dataset.id == edge->src)
                src = graph.nodes[n].dataset.name;
            if (graph.nodes[n].dataset.id == edge->dst)
                dst = graph.nodes[n].dataset.name;
        }
        static const char *const changes[] = {"", ":added", ":gone", ":kept"};
        len +=
            (size_t)snprintf(text + len, sizeof text - len, "%.*s>%.*s:%.*s%s%s ", (int)src.len,
                             src.ptr, (int)dst.len, dst.ptr, (int)ask_state_name(edge->state).len,
                             ask_state_name(edge->state).ptr, changes[edge->change],
                             edge->through.count > 0 ? ":through" : "");
    }
    assert_string_equal(text, wanted);
}

static void what_was_rewritten_is_superseded_then_retired(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_graph_wish wish = {
            .focus = asking_table(&f, "dwd.t"), .up = true, .depth = 1, .limit = 10};
        check_graph(&f, &wish, "dwd.t:0 ods.b:-1 ods.b>dwd.t:current ");
        wish.at =
            (struct ask_moment){true, TEST_DAY + 3}; /* from a ran on the day before the reset */
        check_graph(&f, &wish,
                    "dwd.t:0 ods.b:-1 ods.a:-1 ods.a>dwd.t:superseded ods.b>dwd.t:current ");
        wish.at.day = TEST_DAY + 1;
        check_graph(&f, &wish,
                    "dwd.t:0 ods.b:-1 ods.a:-1 ods.a>dwd.t:current ods.b>dwd.t:current ");
        wish.at.day = TEST_DAY - 1;
        check_graph(&f, &wish, "dwd.t:0 ");
        asking_end(&f);
    }
}

static void two_days_differ(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_graph_wish wish = {.focus = asking_table(&f, "dwd.t"),
                                      .up = true,
                                      .depth = 1,
                                      .limit = 10,
                                      .differs = true,
                                      .from = {true, TEST_DAY + 2},
                                      .at = {true, TEST_DAY + 4}};
        check_graph(
            &f, &wish,
            "dwd.t:0 ods.b:-1 ods.a:-1 ods.a>dwd.t:current:gone ods.b>dwd.t:current:added ");
        wish.from.day = TEST_DAY + 1;
        check_graph(&f, &wish,
                    "dwd.t:0 ods.b:-1 ods.a:-1 ods.a>dwd.t:current:gone ods.b>dwd.t:current:kept ");
        asking_end(&f);
    }
}

static void temporary_tables_are_seen_through(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_graph_wish wish = {
            .focus = asking_table(&f, "dwd.t"), .down = true, .depth = 1, .limit = 10};
        check_graph(&f, &wish,
                    "dwd.t:0 ads.r:1 ads.s:1 dwd.t>ads.r:current:through dwd.t>ads.s:current ");
        wish.temporary = true;
        check_graph(&f, &wish,
                    "dwd.t:0 tmp.work:1 ads.s:1 dwd.t>tmp.work:current dwd.t>ads.s:current ");
        wish.limit = 1;
        struct ask_graph graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 2);
        assert_int_equal(graph.more_down, 1);
        assert_int_equal(graph.next_skip, 1);
        wish.skip = 1;
        graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 2);
        assert_int_equal(graph.more_down, 0);
        asking_end(&f);
    }
}

enum { READERS = 1200 };

/* `ods.b` is read by so many tables; reader i is itself read 30 times less than i times. */
static void load_hub(struct test_store *t)
{
    char document[1000], name[32], query[16];
    for (int i = 0; i < READERS; i++) {
        (void)snprintf(name, sizeof name, "dwd.reader_%04d", i);
        (void)snprintf(query, sizeof query, "h%d", i);
        const struct test_event event = {
            .query_id = query,
            .ended = AT(4, 300),
            .document = test_document(document, 1000, "insert", "append", "ods.b", name, "x"),
            .inputs = "ods.b",
            .outputs = name,
            .sql = name};
        test_add(t, &event);
    }
    test_commit(t);
    assert_true(db_script(store_db(t->store),
                          STR("update dataset set heat = id where name like 'dwd.reader%'")));
}

/* Page by page each neighbour comes once, the hottest first, and none is lost. */
static void a_hub_is_paged(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        load_hub(&f.t);
        struct ask_graph_wish wish = {
            .focus = asking_table(&f, "ods.b"), .up = true, .down = true, .depth = 1, .limit = 150};
        struct ask_graph graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 151);
        assert_int_equal(graph.more_down, READERS + 1 - 150);
        assert_true(str_eq(graph.nodes[1].dataset.name, STR("dwd.reader_1199")));
        assert_int_equal(graph.nodes[0].dataset.down_count, READERS + 1);
        wish.up = false;
        int64_t heat = INT64_MAX;
        uint32_t met = 0, pages = 0;
        do {
            graph = ask_graph(&f.ask, &wish);
            for (uint32_t i = 1; i < graph.node_count; i++) {
                assert_true(graph.nodes[i].dataset.heat <= heat);
                heat = graph.nodes[i].dataset.heat;
            }
            met += graph.node_count - 1;
            wish.skip = graph.next_skip;
            pages++;
        } while (wish.skip > 0 && pages < 20);
        assert_int_equal(met, READERS + 1);
        assert_int_equal(pages, 9);
        asking_end(&f);
    }
}

static void hops_through_temporary_tables_are_counted(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        struct ask_ids tables = {0};
        begin(&f, kind);
        ask_ids_add(&tables, &f.arena, asking_table(&f, "dwd.t"));
        ask_ids_add(&tables, &f.arena, asking_table(&f, "ads.s")); /* has no such neighbour */
        struct ask_hop_counts counts = ask_hop_counts(&f.ask, &tables);
        assert_int_equal(counts.count, 1);
        assert_int_equal(counts.items[0].dataset, asking_table(&f, "dwd.t"));
        assert_int_equal(counts.items[0].up, 1);
        assert_int_equal(counts.items[0].down, 2);
        asking_end(&f);
    }
}

/* Many sources of `ods.a`, whose way to `dwd.t` is retired: a trace of `dwd.t` meets none of them. */
static void load_feeders(struct test_store *t)
{
    char document[1000], name[32], query[16];
    for (int i = 0; i < 10; i++) {
        (void)snprintf(name, sizeof name, "src.feeder_%d", i);
        (void)snprintf(query, sizeof query, "feed%d", i);
        const struct test_event event = {
            .query_id = query,
            .ended = AT(4, 300),
            .document = test_document(document, 1000, "insert", "append", name, "ods.a", "x"),
            .inputs = name,
            .outputs = "ods.a",
            .sql = name};
        test_add(t, &event);
    }
    test_commit(t);
}

static void columns_are_traced_and_paths_composed(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        const struct ask_column_wish up = {.focus = column(&f, "ads.r"),
                                           .up = true,
                                           .depth = 10,
                                           .limit = 100,
                                           .expressions = true};
        struct ask_column_graph graph = ask_column_graph(&f.ask, &up);
        assert_int_equal(graph.node_count, 4);
        assert_int_equal(graph.edge_count, 3);
        assert_true(graph.complete && str_eq(graph.nodes[3].table, STR("ods.b")) &&
                    graph.nodes[3].level == -3);
        const struct ask_column_wish conditions = {
            .focus = up.focus, .up = true, .depth = 10, .limit = 100, .indirect = true};
        graph = ask_column_graph(&f.ask, &conditions);
        assert_int_equal(graph.edge_count, 6);
        const struct ask_column_wish little = {
            .focus = up.focus, .up = true, .depth = 10, .limit = 2};
        graph = ask_column_graph(&f.ask, &little);
        assert_true(!graph.complete && graph.edge_count == 2);
        load_feeders(&f.t);
        const struct ask_column_wish just = {
            .focus = up.focus, .up = true, .depth = 10, .limit = 3};
        graph = ask_column_graph(&f.ask, &just);
        assert_true(graph.complete && graph.edge_count == 3 && graph.node_count == 4);
        const struct ask_path_wish way = {
            .src = column(&f, "ods.b"), .dst = up.focus, .columns = true};
        struct ask_path path = ask_path(&f.ask, &way);
        assert_true(path.found && path.complete && path.hop_count == 3 &&
                    str_eq(path.composed, STR("x")));
        const struct ask_path_wish back = {.src = up.focus, .dst = way.src, .columns = true};
        path = ask_path(&f.ask, &back);
        assert_true(!path.found && path.complete && path.hop_count == 0);
        const struct ask_path_wish tables = {.src = asking_table(&f, "ods.b"),
                                             .dst = asking_table(&f, "ads.s")};
        path = ask_path(&f.ask, &tables);
        assert_true(path.found && path.hop_count == 2);
        asking_end(&f);
    }
}

static void what_depends_is_told_by_distance(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_impact impact = ask_impact(&f.ask, asking_table(&f, "ods.b"), 0, false);
        assert_int_equal(impact.count, 4);
        assert_int_equal(impact.near, 1);
        assert_true(impact.complete && impact.items[3].level == 3 && impact.items[0].direct);
        assert_int_equal(ask_impact(&f.ask, asking_table(&f, "ods.a"), 0, false).count,
                         0); /* retired */
        impact = ask_impact(&f.ask, asking_table(&f, "dwd.t"), column(&f, "dwd.t"), false);
        assert_int_equal(impact.count, 3);
        assert_true(impact.items[0].columns.count == 1 &&
                    str_eq(impact.items[0].columns.items[0], STR("x")));
        asking_end(&f);
    }
}

static void queries_come_newest_first(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_queries_wish wish = {.dataset = asking_table(&f, "dwd.t"),
                                        .writes = true,
                                        .to_day = TEST_DAY + 10,
                                        .limit = 3};
        struct ask_queries page = ask_queries(&f.ask, &wish);
        assert_int_equal(page.count, 3);
        assert_true(page.more && str_eq(page.items[0].query_id, STR("o4")) &&
                    str_eq(page.items[2].query_id, STR("a2")));
        wish.before = page.next_before;
        wish.before_query = page.next_query;
        page = ask_queries(&f.ask, &wish);
        assert_true(page.count == 3 && page.more && str_eq(page.items[0].query_id, STR("f1")) &&
                    str_eq(page.items[0].status, STR("ERROR")));
        const struct ask_queries_wish all = {.to_day = TEST_DAY + 10, .limit = 100};
        assert_int_equal(ask_queries(&f.ask, &all).count, 11);
        const struct ask_queries_wish bobs = {
            .to_day = TEST_DAY + 10, .limit = 100, .user = STR("bob")};
        page = ask_queries(&f.ask, &bobs);
        assert_true(page.count == 1 && !page.more && str_eq(page.items[0].query_id, STR("r0")) &&
                    page.items[0].inputs.count == 1);
        struct ask_query_detail detail;
        assert_true(ask_query_detail(&f.ask, STR("a1"), &detail));
        assert_true(str_eq(detail.sql, STR("insert a")) && detail.other_runs == 2 &&
                    detail.document.len > 0);
        assert_false(ask_query_detail(&f.ask, STR("zzz"), &detail));
        asking_end(&f);
    }
}

static void a_table_tells_its_use(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        struct ask_table t;
        begin(&f, kind);
        assert_true(ask_table(&f.ask, asking_table(&f, "dwd.t"), 100, &t));
        assert_true(t.writes == 7 && t.reads == 2 && t.day_count == 5 && t.dataset.heat == 62 &&
                    t.dataset.users == 1);
        assert_true(t.up.total == 1 && t.down.total == 3 && t.down.exact);
        assert_true(str_eq(t.last_write.query_id, STR("o4")) &&
                    str_eq(t.last_failure.query_id, STR("f1")) && t.last_write.time == AT(4, 100));
        assert_true(t.has_usual_time && t.usual_from == 1 && t.usual_share == 100);
        assert_true(t.dataset.up_count == 1 && t.dataset.down_count == 2 &&
                    t.dataset.column_count == 2);
        struct ask_heat heat = ask_heat(&f.ask, &(struct ask_heat_wish){.limit = 2});
        assert_true(heat.count == 2 && heat.more &&
                    str_eq(heat.items[0].dataset.name, STR("dwd.t")));
        heat = ask_heat(&f.ask, &(struct ask_heat_wish){.limit = 10, .unread = true});
        assert_true(heat.count == 2 && str_eq(heat.items[0].dataset.name, STR("ads.s")));
        const struct ask_edge_wish edge = {
            .src = asking_table(&f, "ods.b"), .dst = asking_table(&f, "dwd.t"), .limit = 10};
        struct ask_edge_detail detail = ask_edge_detail(&f.ask, &edge);
        assert_true(detail.found && detail.count == 2 && detail.total == 2 && detail.users == 1 &&
                    detail.edge.runs == 4);
        assert_true(detail.items[0].state == STATE_CURRENT &&
                    detail.items[1].state == STATE_RETIRED &&
                    detail.items[0].evidence == EVIDENCE_CONFIRMED);
        assert_true(detail.items[0].ties.count == 2 &&
                    str_eq(detail.items[0].sql, STR("insert o")));
        asking_end(&f);
    }
}

static void names_are_found_and_offered(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_found found = ask_find(&f.ask, STR("n"), STR("DWD.T"));
        assert_true(found.id > 0 && ask_find(&f.ask, STR(""), STR("n#dwd.t")).id == found.id);
        found = ask_find(&f.ask, STR(""), STR("tmp.wrok"));
        assert_true(found.id == 0 && found.name_count > 0 &&
                    str_eq(found.names[0].name, STR("tmp.work")));
        assert_true(ask_find(&f.ask, STR("elsewhere"), STR("dwd.t")).id == 0);
        struct ask_search_wish wish = {
            .parts = STR("WOR mp"), .tables = true, .columns = true, .limit = 10};
        struct ask_hits hits = ask_search(&f.ask, &wish);
        assert_true(hits.count == 1 && str_eq(hits.items[0].dataset.name, STR("tmp.work")));
        wish.parts = STR("x"); /* one letter: by its beginning */
        hits = ask_search(&f.ask, &wish);
        assert_true(hits.count >= 5 && hits.items[0].is_column);
        wish.parts = STR("nothing");
        assert_int_equal(ask_search(&f.ask, &wish).count, 0);
        asking_end(&f);
    }
}

/* ---- how they are answered ------------------------------------------------------------------ */

/* Each question once, in all its ways. */
static void ask_everything(struct asking *f)
{
    int64_t t = asking_table(f, "dwd.t"), x = column(f, "dwd.t");
    struct ask_table told;
    struct ask_query_detail query;
    struct ask_ids both = {0};
    ask_ids_add(&both, &f->arena, t);
    ask_ids_add(&both, &f->arena, asking_table(f, "ods.b"));
    (void)ask_table(&f->ask, t, 100, &told);
    (void)ask_keepings(&f->ask, &both);
    (void)ask_hop_counts(&f->ask, &both);
    for (int past = 0; past < 2; past++) {
        const struct ask_moment at = {past != 0, TEST_DAY + 3};
        (void)ask_graph(&f->ask, &(struct ask_graph_wish){.focus = t,
                                                          .up = true,
                                                          .down = true,
                                                          .depth = 5,
                                                          .limit = 100,
                                                          .indirect = true,
                                                          .without_hubs = past != 0,
                                                          .at = at,
                                                          .differs = true});
        (void)ask_column_graph(&f->ask, &(struct ask_column_wish){.focus = x,
                                                                  .up = true,
                                                                  .down = true,
                                                                  .depth = 5,
                                                                  .limit = 100,
                                                                  .indirect = true,
                                                                  .without_hubs = past != 0,
                                                                  .expressions = true,
                                                                  .at = at});
        (void)ask_column_edges(&f->ask, &both, &(struct ask_column_wish){.limit = 100, .at = at});
        (void)ask_processes(&f->ask, &both, &(struct ask_processes_wish){.limit = 9, .at = at});
        (void)ask_path(&f->ask,
                       &(struct ask_path_wish){
                           .src = x, .dst = column(f, "ads.r"), .columns = true, .at = at});
    }
    (void)ask_edge_detail(
        &f->ask, &(struct ask_edge_wish){.src = asking_table(f, "ods.b"), .dst = t, .limit = 10});
    (void)ask_edge_detail(&f->ask, &(struct ask_edge_wish){.src = asking_table(f, "ods.b"),
                                                           .dst = t,
                                                           .src_column = column(f, "ods.b"),
                                                           .dst_column = x,
                                                           .limit = 10});
    (void)ask_impact(&f->ask, t, 0, false);
    (void)ask_impact(&f->ask, t, x, true);
    (void)ask_queries(&f->ask, &(struct ask_queries_wish){.to_day = TEST_DAY + 9, .limit = 10});
    (void)ask_queries(&f->ask,
                      &(struct ask_queries_wish){
                          .dataset = t, .reads = true, .to_day = TEST_DAY + 9, .limit = 10});
    (void)ask_queries(
        &f->ask,
        &(struct ask_queries_wish){
            .dataset = t, .column = x, .reads = true, .to_day = TEST_DAY + 9, .limit = 10});
    (void)ask_queries(&f->ask, &(struct ask_queries_wish){
                                   .fingerprint = STR("f"), .to_day = TEST_DAY + 9, .limit = 10});
    (void)ask_query_detail(&f->ask, STR("a1"), &query);
    (void)ask_columns(&f->ask, &(struct ask_columns_wish){.dataset = t, .limit = 10});
    (void)ask_dead_columns(&f->ask, &(struct ask_dead_wish){.dataset = t, .limit = 10});
    (void)ask_dead_columns(&f->ask, &(struct ask_dead_wish){.limit = 10});
    (void)ask_heat(&f->ask, &(struct ask_heat_wish){.limit = 10});
    (void)ask_history(&f->ask, t, 10, 0);
    (void)ask_changes(&f->ask, &(struct ask_changes_wish){.limit = 10});
    (void)ask_search(&f->ask,
                     &(struct ask_search_wish){
                         .parts = STR("wor"), .tables = true, .columns = true, .limit = 10});
    (void)ask_search(&f->ask, &(struct ask_search_wish){
                                  .parts = STR("x"), .tables = true, .columns = true, .limit = 10});
    (void)ask_find(&f->ask, STR("n"), STR("dwd.tt"));
    uint32_t count;
    (void)ask_nearest_columns(&f->ask, t, STR("xx"), &count);
    struct ask_words names = ask_names_in(&f->arena, STR("select * from dwd.t"), STR(""), 10);
    (void)ask_catalog(&f->ask, ask_namespace(&f->ask, STR("n")), &names, true);
    (void)ask_edges_into(&f->ask, t, 100);
}

/* Tables that are small, sets of a question, and walks along an order that end with the page. */
static bool may_be_scanned(const char *step)
{
    static const char *const allowed[] = {"json_each",
                                          "(subquery",
                                          "x",
                                          "n",
                                          "namespace",
                                          "sqlite_master",
                                          "dataset USING INDEX dataset_by_heat",
                                          "d USING INDEX dataset_by_heat",
                                          "execution USING INDEX execution_by_end",
                                          "execution USING COVERING INDEX execution_by_end",
                                          "f USING INDEX definition_by_time",
                                          "f USING COVERING INDEX definition_by_time",
                                          "g VIRTUAL TABLE"};
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        size_t len = strlen(allowed[i]);
        if (strncmp(step, allowed[i], len) == 0 &&
            (step[len] == '\0' || step[len] == ' ' || step[len] == '-'))
            return true;
    }
    return false;
}

/* The text must stay as long as the handle, which knows queries by it. */
static unsigned scans_of(struct asking *f, const char *text)
{
    struct db *db = store_db(f->t.store);
    struct buf sql;
    unsigned found = 0;
    buf_init(&sql, 0);
    BUF_ADD(&sql, "explain query plan ");
    db_translate(DB_SQLITE, str_make(text, strlen(text)), &sql);
    const char *kept = arena_copy(&f->arena, buf_str(&sql)).ptr;
    buf_release(&sql);
    struct db_query *q = db_query(db, kept);
    while (db_step(q)) {
        str_t step = db_text(q, 3);
        char copy[200];
        snprintf(copy, sizeof copy, "%.*s", (int)step.len, step.ptr);
        if (strncmp(copy, "SCAN ", 5) != 0 || may_be_scanned(copy + 5))
            continue;
        print_error("%s\n  in %s\n", copy, text);
        found++;
    }
    return found;
}

static void no_question_looks_through_a_growing_table(void **state)
{
    (void)state;
    struct asking f;
    const char *texts[300];
    size_t count = 0;
    unsigned scans = 0;
    begin(&f, 0);
    ask_everything(&f);
    struct db *db = store_db(f.t.store);
    for (size_t i = 0; i < db->query_capacity && count < 300; i++)
        if (db->queries[i] != NULL && strncmp(db->queries[i]->text, "select", 6) == 0)
            texts[count++] = db->queries[i]->text;
    assert_true(count > 50);
    for (size_t i = 0; i < count; i++)
        scans += scans_of(&f, texts[i]);
    assert_int_equal(scans, 0);
    asking_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_rewritten_is_superseded_then_retired),
        cmocka_unit_test(two_days_differ),
        cmocka_unit_test(temporary_tables_are_seen_through),
        cmocka_unit_test(hops_through_temporary_tables_are_counted),
        cmocka_unit_test(a_hub_is_paged),
        cmocka_unit_test(columns_are_traced_and_paths_composed),
        cmocka_unit_test(what_depends_is_told_by_distance),
        cmocka_unit_test(queries_come_newest_first),
        cmocka_unit_test(a_table_tells_its_use),
        cmocka_unit_test(names_are_found_and_offered),
        cmocka_unit_test(no_question_looks_through_a_growing_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
