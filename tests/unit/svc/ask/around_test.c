/* What a picture asks besides its edges: statements between tables, who keeps them, which failed,
 * what checks said, who is hit; and what hubs hide. */
#include "support/asking.h"

#include "ask/checks.h"
#include "ask/column_graph.h"
#include "ask/owners.h"
#include "ask/statements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "store/upkeep.h"

#define DOCUMENT(inputs, outputs, columns, predicates)                                 \
    "{\"index\":0,\"type\":\"INSERT\",\"database\":\"default\",\"fingerprint\":\"f\"," \
    "\"operation\":\"insert\",\"inputs\":[" inputs "],\"outputs\":[" outputs           \
    "],\"columns\":[" columns "],\"predicates\":[" predicates                          \
    "],\"views\":[],\"diagnostics\":[],\"error\":null}"
#define OUTPUT(name) "{\"table\":\"" name "\",\"write_mode\":\"append\"}"
#define COLUMN(target, source)                                                                   \
    "{\"target\":\"" target "\",\"ordinal\":0,\"transform\":\"identity\",\"sources\":[\"" source \
    "\"],\"expression\":\"x\"}"
#define FILTER(source) "{\"clause\":\"filter\",\"expression\":\"f\",\"sources\":[\"" source "\"]}"

/* ods.a ─▶ dwd.t ─▶ ads.r and ads.s by one statement; dim.cal.ds (a partition) and dim.city.code
 * decide about dwd.t. */
static void load(struct asking *f)
{
    static const char into_t[] =
        DOCUMENT("\"ods.a\",\"dim.cal\",\"dim.city\"", OUTPUT("dwd.t"),
                 COLUMN("dwd.t.x", "ods.a.x"), FILTER("dim.cal.ds") "," FILTER("dim.city.code"));
    static const char both[] =
        DOCUMENT("\"dwd.t\"", OUTPUT("ads.r") "," OUTPUT("ads.s"),
                 COLUMN("ads.r.x", "dwd.t.x") "," COLUMN("ads.s.x", "dwd.t.x"), FILTER("dwd.t.x"));
    const struct test_event list[] = {
        {.query_id = "c",
         .ended = AT(0, 1),
         .operation = "CREATE",
         .outputs = "dim.cal",
         .sql = "create table dim.cal (k int) partitioned by (ds string)"},
        {.query_id = "t0",
         .ended = AT(0, 100),
         .document = into_t,
         .inputs = "ods.a,dim.cal,dim.city",
         .outputs = "dwd.t",
         .sql = "insert t",
         .user = "bob"},
        {.query_id = "t1",
         .ended = AT(1, 100),
         .document = into_t,
         .inputs = "ods.a,dim.cal,dim.city",
         .outputs = "dwd.t",
         .sql = "insert t"},
        {.query_id = "t2",
         .ended = AT(2, 100),
         .document = into_t,
         .inputs = "ods.a,dim.cal,dim.city",
         .outputs = "dwd.t",
         .sql = "insert t"},
        {.query_id = "t3",
         .ended = AT(2, 200),
         .status = EVENT_ERROR,
         .inputs = "ods.a",
         .outputs = "dwd.t",
         .sql = "insert t"},
        {.query_id = "r0",
         .ended = AT(2, 300),
         .status = EVENT_ERROR,
         .inputs = "dwd.t",
         .outputs = "ads.r,ads.s",
         .sql = "insert r"},
        {.query_id = "r1",
         .ended = AT(2, 400),
         .document = both,
         .inputs = "dwd.t",
         .outputs = "ads.r,ads.s",
         .sql = "insert r"},
    };
    asking_load(f, list, sizeof list / sizeof list[0], AT(2, 500));
}

static void begin(struct asking *f, int kind)
{
    asking_begin(f, kind, "around", AT(2, 1000));
    load(f);
}

static void conditions_over_hubs_are_left_out_and_counted(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_graph_wish wish = {.focus = asking_table(&f, "dwd.t"),
                                      .up = true,
                                      .depth = 1,
                                      .limit = 10,
                                      .indirect = true};
        struct ask_graph graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 4);
        assert_int_equal(graph.hub_edges, 0);
        wish.without_hubs = true;
        graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 3);
        assert_int_equal(graph.edge_count, 2);
        assert_int_equal(graph.hub_edges, 1);
        for (uint32_t i = 0; i < graph.node_count; i++)
            assert_false(str_eq(graph.nodes[i].dataset.name, STR("dim.cal")));
        asking_end(&f);
    }
}

static void a_trace_leaves_hubs_out_too(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_column_wish wish = {
            .focus = ask_find_column(&f.ask, asking_table(&f, "dwd.t"), STR("x")),
            .up = true,
            .depth = 9,
            .limit = 100,
            .indirect = true};
        struct ask_column_graph graph = ask_column_graph(&f.ask, &wish);
        assert_int_equal(graph.edge_count, 3); /* x, ds and code */
        wish.without_hubs = true;
        graph = ask_column_graph(&f.ask, &wish);
        assert_int_equal(graph.edge_count, 2);
        assert_int_equal(graph.hub_edges, 1);
        asking_end(&f);
    }
}

static void statements_tell_what_they_read_and_write(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        struct ask_ids tables = {0};
        begin(&f, kind);
        static const char *const names[] = {"ods.a", "dwd.t", "ads.r", "ads.s", "dim.cal"};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            ask_ids_add(&tables, &f.arena, asking_table(&f, names[i]));
        struct ask_processes_wish wish = {.limit = 10};
        struct ask_processes list = ask_processes(&f.ask, &tables, &wish);
        assert_int_equal(list.count, 2);
        assert_true(str_eq(list.items[0].query_id, STR("r1"))); /* the newest first */
        assert_int_equal(list.items[0].sources.count, 1);
        assert_int_equal(list.items[0].targets.count, 2);
        assert_int_equal(list.items[1].runs, 3);
        assert_int_equal(list.items[1].sources.count, 1);
        wish.indirect = true;
        wish.limit = 1;
        list = ask_processes(&f.ask, &tables, &wish);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.total, 2);
        wish.limit = 2;
        list = ask_processes(&f.ask, &tables, &wish);
        assert_int_equal(list.items[1].sources.count, 2); /* the calendar decides */
        wish.at = (struct ask_moment){true, TEST_DAY + 1};
        list = ask_processes(&f.ask, &tables, &wish);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].runs, 2);
        asking_end(&f);
    }
}

static void writers_stand_for_owners_and_failures_that_last_are_told(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        struct ask_ids tables = {0};
        begin(&f, kind);
        ask_ids_add(&tables, &f.arena, asking_table(&f, "dwd.t"));
        ask_ids_add(&tables, &f.arena, asking_table(&f, "ads.r"));
        ask_ids_add(&tables, &f.arena, asking_table(&f, "ods.a"));
        struct ask_keeping *items = ask_keepings(&f.ask, &tables);
        for (uint32_t i = 0; i < tables.count; i++) {
            const struct ask_keeping *item = &items[i];
            if (item->dataset == asking_table(&f, "dwd.t")) {
                assert_int_equal(item->writers.count, 2);
                assert_true(str_eq(item->writers.items[0].user, STR("ann")));
                assert_int_equal(item->writers.items[0].times, 2);
                assert_true(str_eq(item->failed.query_id, STR("t3")));
            } else {
                assert_int_equal(item->failed.time, 0); /* went well since, or never failed */
            }
        }
        asking_end(&f);
    }
}

static void add_check(struct asking *f, const char *table, const char *column,
                      enum quality_status status, int64_t time)
{
    const struct quality_check check = {.v = 1,
                                        .check = STR("c"),
                                        .name_space = STR("n"),
                                        .table = str_make(table, strlen(table)),
                                        .column = str_make(column, strlen(column)),
                                        .status = status,
                                        .time = time};
    assert_true(applier_add_check(f->t.applier, &check));
}

static void the_worst_of_a_table_counts_and_lists_begin_with_it(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        struct ask_table table;
        begin(&f, kind);
        add_check(&f, "dwd.t", "x", QUALITY_FAIL, AT(1, 1));
        add_check(&f, "dwd.t", "y", QUALITY_PASS, AT(1, 3));
        add_check(&f, "dwd.t", "", QUALITY_WARN, AT(1, 2));
        add_check(&f, "ads.r", "x", QUALITY_FAIL, AT(1, 2));
        test_commit(&f.t);
        struct ask_checks_wish wish = {.limit = 3};
        struct ask_checks list = ask_checks(&f.ask, &wish);
        assert_int_equal(list.count, 3);
        assert_true(list.more && str_eq(list.items[0].table, STR("ads.r")));
        assert_true(str_eq(list.items[1].column, STR("x")));
        wish =
            (struct ask_checks_wish){.limit = 9, .skip = 1, .dataset = asking_table(&f, "dwd.t")};
        list = ask_checks(&f.ask, &wish);
        assert_int_equal(list.count, 2);
        assert_true(str_eq(ask_check_status(list.items[0].status), STR("warn")));
        wish = (struct ask_checks_wish){.limit = 9, .database = STR("DWD"), .status = 1};
        list = ask_checks(&f.ask, &wish);
        assert_int_equal(list.count, 1);
        assert_true(str_eq(list.items[0].column, STR("y")) && !list.more);
        assert_true(ask_table(&f.ask, asking_table(&f, "dwd.t"), 100, &table));
        assert_int_equal(table.dataset.quality, 3);
        assert_int_equal(table.checks[1], 1);
        assert_int_equal(table.checks[3], 1);
        assert_true(ask_table(&f.ask, asking_table(&f, "ods.a"), 100, &table));
        assert_int_equal(table.dataset.quality, 0);
        asking_end(&f);
    }
}

static void who_is_hit_is_the_table_and_what_is_made_of_it(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        struct ask_hit_wish wish = {.dataset = asking_table(&f, "ods.a"), .limit = 2};
        wish.column = ask_find_column(&f.ask, wish.dataset, STR("x"));
        struct ask_hit_tables hit = ask_hit_tables(&f.ask, &wish);
        assert_int_equal(hit.total, 4);
        assert_int_equal(hit.count, 2);
        assert_int_equal(hit.items[0].dependent.level, 0);
        assert_true(str_eq(hit.items[0].dependent.columns.items[0], STR("x")));
        assert_int_equal(hit.items[0].people->writers.count, 0);
        assert_true(str_eq(hit.items[0].people->readers.items[0].user, STR("ann")));
        assert_true(str_eq(hit.items[1].dependent.dataset.name, STR("dwd.t")));
        assert_true(str_eq(hit.items[1].people->writers.items[0].user, STR("ann")));
        wish.skip = 2;
        hit = ask_hit_tables(&f.ask, &wish);
        assert_int_equal(hit.count, 2);
        assert_int_equal(hit.items[1].dependent.level, 2);
        wish.skip = 9;
        hit = ask_hit_tables(&f.ask, &wish);
        assert_int_equal(hit.count, 0);
        asking_end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_over_hubs_are_left_out_and_counted),
        cmocka_unit_test(a_trace_leaves_hubs_out_too),
        cmocka_unit_test(statements_tell_what_they_read_and_write),
        cmocka_unit_test(the_worst_of_a_table_counts_and_lists_begin_with_it),
        cmocka_unit_test(who_is_hit_is_the_table_and_what_is_made_of_it),
        cmocka_unit_test(writers_stand_for_owners_and_failures_that_last_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
