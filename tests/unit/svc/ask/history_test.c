/* What becomes of tables: other columns between two catalogs, other names, who did it. */
#include "support/asking.h"

#include "ask/graph.h"
#include "ask/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "store/upkeep.h"

static void begin(struct asking *f, int kind)
{
    asking_begin(f, kind, "history", AT(9, 0));
}

/* Changes as `day type column before>after user`, newest first. */
static void check_history(struct asking *f, const char *name, const char *wanted)
{
    char text[2000] = "";
    size_t len = 0;
    struct ask_changes changes = ask_history(&f->ask, asking_table(f, name), 50, 0);
    for (uint32_t i = 0; i < changes.count; i++) {
        const struct ask_change_item *c = &changes.items[i];
        len +=
            (size_t)snprintf(text + len, sizeof text - len, "%d %.*s %.*s %.*s>%.*s %.*s\n",
                             (int)(c->time / DAY_MS - TEST_DAY), (int)c->type.len, c->type.ptr,
                             (int)c->column.len, c->column.ptr, (int)c->before.len, c->before.ptr,
                             (int)c->after.len, c->after.ptr, (int)c->user.len, c->user.ptr);
    }
    assert_string_equal(text, wanted);
}

/* A catalog of one table; `columns` are its members `columns`. */
static void load_catalog(struct asking *f, int day, const char *columns)
{
    char json[600];
    snprintf(json, sizeof json,
             "{\"format\":1,\"tables\":[{\"name\":\"dim.city\",\"columns\":[%s]}]}", columns);
    const struct catalog_table row = {STR("c.json"), STR("n"), STR("dim.city"), str_make(json, strlen(json)),
                                      AT(day, 0)};
    assert_true(applier_add_table(f->t.applier, &row));
    test_commit(&f->t);
}

#define CODE_COLUMN "{\"name\":\"code\",\"type\":\"int\"}"
#define NAME_COLUMN "{\"name\":\"name\",\"type\":\"string\"}"

static void columns_change_between_two_catalogs(void **state)
{
    static const char long_code[] = "{\"name\":\"code\",\"type\":\"bigint\"}," NAME_COLUMN;
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        load_catalog(&f, 0, CODE_COLUMN "," NAME_COLUMN);
        load_catalog(&f, 1, CODE_COLUMN "," NAME_COLUMN);
        load_catalog(&f, 2, CODE_COLUMN "," NAME_COLUMN);
        load_catalog(&f, 3, long_code);
        load_catalog(&f, 3, long_code); /* once more: nothing new */
        load_catalog(&f, 4, "{\"name\":\"code\",\"type\":\"bigint\"}");
        check_history(&f, "dim.city",
                      "4 column_dropped name string> \n"
                      "3 column_retyped code int>bigint \n"
                      "0 table_created  > \n");
        /* Of the three that say the same the first and the last are kept. */
        assert_int_equal(test_number(&f.t, "select count(*) from definition"), 4);
        asking_end(&f);
    }
}

static void a_query_that_changes_columns_tells_who_it_was(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        load_catalog(&f, 0, CODE_COLUMN);
        test_add(&f.t, &(struct test_event){.query_id = "d",
                                            .ended = AT(1, 100),
                                            .operation = "ALTER",
                                            .outputs = "dim.city",
                                            .user = "lin",
                                            .sql = "alter table dim.city change code code string"});
        test_commit(&f.t);
        check_history(&f, "dim.city",
                      "1 column_retyped code int>string lin\n"
                      "0 table_created  > \n");
        asking_end(&f);
    }
}

static char documents[2][1000];

static void load_renamed(struct asking *f)
{
    const char *insert =
        test_document(documents[0], 1000, "insert", "append", "ods.s", "dws.old", "x");
    const char *rename =
        test_document(documents[1], 1000, "rename", "rename", "dws.old", "dws.fresh", "x");
    test_add(&f->t, &(struct test_event){.query_id = "i",
                                         .ended = AT(0, 100),
                                         .document = insert,
                                         .inputs = "ods.s",
                                         .outputs = "dws.old",
                                         .sql = "insert i"});
    test_add(&f->t, &(struct test_event){.query_id = "r",
                                         .ended = AT(1, 100),
                                         .operation = "ALTER",
                                         .document = rename,
                                         .inputs = "dws.old",
                                         .outputs = "dws.fresh",
                                         .user = "lin",
                                         .sql = "alter table dws.old rename to dws.fresh"});
    test_commit(&f->t);
}

static void a_renamed_table_is_found_by_both_names(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        struct ask_table told;
        begin(&f, kind);
        load_renamed(&f);
        check_history(&f, "dws.old", "1 table_renamed  dws.old>dws.fresh lin\n");
        check_history(&f, "dws.fresh", "1 table_renamed  dws.old>dws.fresh lin\n");
        assert_true(ask_table(&f.ask, asking_table(&f, "dws.old"), 10, &told));
        assert_true(str_eq(told.renamed_to.name, STR("dws.fresh")));
        assert_int_equal(told.renamed_to.time, AT(1, 100));
        assert_int_equal(told.renamed_from.name.len, 0);
        assert_true(ask_table(&f.ask, asking_table(&f, "dws.fresh"), 10, &told));
        assert_true(str_eq(told.renamed_from.name, STR("dws.old")));
        assert_int_equal(told.renamed_to.name.len, 0);
        struct ask_changes newest = ask_changes(&f.ask, &(struct ask_changes_wish){.limit = 10});
        assert_int_equal(newest.count, 1); /* once, not once for each name */
        asking_end(&f);
    }
}

/* What fed the old name feeds the table still. */
static void lineage_leads_through_the_former_name(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct asking f;
        begin(&f, kind);
        load_renamed(&f);
        struct ask_graph_wish wish = {
            .focus = asking_table(&f, "dws.fresh"), .up = true, .depth = 1, .limit = 10};
        struct ask_graph graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 2);
        assert_true(str_eq(graph.nodes[1].dataset.name, STR("ods.s")));
        assert_int_equal(graph.edge_count, 1);
        assert_int_equal(graph.edges[0].through.count, 1);
        assert_true(str_eq(graph.edges[0].through.items[0], STR("dws.old")));
        wish.offline = true;
        graph = ask_graph(&f.ask, &wish);
        assert_int_equal(graph.node_count, 2);
        assert_true(str_eq(graph.nodes[1].dataset.name, STR("dws.old")));
        asking_end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_change_between_two_catalogs),
        cmocka_unit_test(a_query_that_changes_columns_tells_who_it_was),
        cmocka_unit_test(a_renamed_table_is_found_by_both_names),
        cmocka_unit_test(lineage_leads_through_the_former_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
