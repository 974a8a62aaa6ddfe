/* What a picture asks besides its edges: statements between tables, who keeps them, which failed;
 * and what hubs hide. */
#include "support/stores.h"

#include "ask/column_graph.h"
#include "ask/owners.h"
#include "ask/statements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "store/upkeep.h"

enum { T0 = 20000 }; /* a day */

#define AT(day, second) ((int64_t)(T0 + (day)) * DAY_MS + (second) * 1000LL)

struct fixture {
    struct test_store t;
    struct arena arena;
    struct ask ask;
};

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
static void load(struct test_store *t)
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
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        test_add(t, &list[i]);
    test_commit(t);
    assert_true(store_heat(t->store, AT(2, 500)));
}

static void begin(struct fixture *f, int kind)
{
    test_store_open(&f->t, kind, "around");
    load(&f->t);
    arena_init(&f->arena, 0, NULL);
    f->ask = ask_of(f->t.store, &f->arena, AT(2, 1000));
}

static void end(struct fixture *f)
{
    assert_false(ask_failed(&f->ask));
    arena_release(&f->arena);
    test_store_close(&f->t);
}

static int64_t table(struct fixture *f, const char *name)
{
    struct ask_found found = ask_find(&f->ask, STR(""), str_make(name, strlen(name)));
    assert_true(found.id > 0);
    return found.id;
}

static void conditions_over_hubs_are_left_out_and_counted(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct fixture f;
        begin(&f, kind);
        struct ask_graph_wish wish = {
            .focus = table(&f, "dwd.t"), .up = true, .depth = 1, .limit = 10, .indirect = true};
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
        end(&f);
    }
}

static void a_trace_leaves_hubs_out_too(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct fixture f;
        begin(&f, kind);
        struct ask_column_wish wish = {.focus =
                                           ask_find_column(&f.ask, table(&f, "dwd.t"), STR("x")),
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
        end(&f);
    }
}

static void statements_tell_what_they_read_and_write(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct fixture f;
        struct ask_ids tables = {0};
        begin(&f, kind);
        static const char *const names[] = {"ods.a", "dwd.t", "ads.r", "ads.s", "dim.cal"};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            ask_ids_add(&tables, &f.arena, table(&f, names[i]));
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
        wish.at = (struct ask_moment){true, T0 + 1};
        list = ask_processes(&f.ask, &tables, &wish);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].runs, 2);
        end(&f);
    }
}

static void writers_stand_for_owners_and_failures_that_last_are_told(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct fixture f;
        struct ask_ids tables = {0};
        begin(&f, kind);
        ask_ids_add(&tables, &f.arena, table(&f, "dwd.t"));
        ask_ids_add(&tables, &f.arena, table(&f, "ads.r"));
        ask_ids_add(&tables, &f.arena, table(&f, "ods.a"));
        struct ask_keeping *items = ask_keepings(&f.ask, &tables);
        for (uint32_t i = 0; i < tables.count; i++) {
            const struct ask_keeping *item = &items[i];
            if (item->dataset == table(&f, "dwd.t")) {
                assert_int_equal(item->writer_count, 2);
                assert_true(str_eq(item->writers[0].user, STR("ann")));
                assert_int_equal(item->writers[0].writes, 2);
                assert_true(str_eq(item->failed.query_id, STR("t3")));
            } else {
                assert_int_equal(item->failed.time, 0); /* went well since, or never failed */
            }
        }
        end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_over_hubs_are_left_out_and_counted),
        cmocka_unit_test(a_trace_leaves_hubs_out_too),
        cmocka_unit_test(statements_tell_what_they_read_and_write),
        cmocka_unit_test(writers_stand_for_owners_and_failures_that_last_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
