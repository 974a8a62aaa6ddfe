/* Results of checks: of each the newest, in whatever order they come, on every kind of store. */
#include "support/stores.h"

#include "store/upkeep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { T0 = 20000 }; /* a day */

#define AT(day, second) ((int64_t)(T0 + (day)) * DAY_MS + (second) * 1000LL)

/* clang-format off */
static const struct quality_check results[] = {
    {.v = 1, .check = STR("not_null"), .table = STR("dwd.t"), .column = STR("x"), .time = AT(0, 1), .status = QUALITY_PASS},
    {.v = 1, .check = STR("not_null"), .table = STR("DWD.T"), .column = STR("X"), .time = AT(2, 1), .status = QUALITY_FAIL,
     .message = STR("3 rows"), .source = STR("nightly")},
    {.v = 1, .check = STR("not_null"), .table = STR("dwd.t"), .column = STR("x"), .time = AT(1, 1), .status = QUALITY_PASS},
    /* another check, another column, the whole table, another metastore */
    {.v = 1, .check = STR("in_list"), .table = STR("dwd.t"), .column = STR("x"), .time = AT(1, 1), .status = QUALITY_PASS},
    {.v = 1, .check = STR("not_null"), .table = STR(" `dwd`.`T` "), .column = STR("`Y`"), .time = AT(1, 1), .status = QUALITY_WARN},
    {.v = 1, .check = STR("rows"), .table = STR("dwd.t"), .time = AT(1, 1), .status = QUALITY_PASS},
    {.v = 1, .check = STR("rows"), .table = STR("dwd.t"), .name_space = STR("other"), .time = AT(1, 1), .status = QUALITY_FAIL},
    /* of one time the worse, then the greater text */
    {.v = 1, .check = STR("tie"), .table = STR("alone"), .time = AT(1, 1), .status = QUALITY_PASS, .message = STR("z")},
    {.v = 1, .check = STR("tie"), .table = STR("alone"), .time = AT(1, 1), .status = QUALITY_FAIL, .message = STR("a")},
    {.v = 1, .check = STR("tie"), .table = STR("alone"), .time = AT(1, 1), .status = QUALITY_FAIL, .message = STR("b")},
    {.v = 1, .check = STR("files"), .table = STR("hdfs://n/Raw/in"), .time = AT(1, 1), .status = QUALITY_PASS},
};
/* clang-format on */

enum { RESULTS = sizeof results / sizeof results[0] };

static const char expected[] =
    "{\"is\":\"check\",\"namespace\":\"default\",\"dataset\":\"default.alone\",\"column\":\"\",\"check\":\"tie\",\"status\":3,"
    "\"at\":1728086401000,\"message\":\"b\",\"source\":\"\"}\n"
    "{\"is\":\"check\",\"namespace\":\"default\",\"dataset\":\"dwd.t\",\"column\":\"\",\"check\":\"rows\",\"status\":1,"
    "\"at\":1728086401000,\"message\":\"\",\"source\":\"\"}\n"
    "{\"is\":\"check\",\"namespace\":\"default\",\"dataset\":\"dwd.t\",\"column\":\"x\",\"check\":\"in_list\",\"status\":1,"
    "\"at\":1728086401000,\"message\":\"\",\"source\":\"\"}\n"
    "{\"is\":\"check\",\"namespace\":\"default\",\"dataset\":\"dwd.t\",\"column\":\"x\",\"check\":\"not_null\",\"status\":3,"
    "\"at\":1728172801000,\"message\":\"3 rows\",\"source\":\"nightly\"}\n"
    "{\"is\":\"check\",\"namespace\":\"default\",\"dataset\":\"dwd.t\",\"column\":\"y\",\"check\":\"not_null\",\"status\":2,"
    "\"at\":1728086401000,\"message\":\"\",\"source\":\"\"}\n"
    "{\"is\":\"check\",\"namespace\":\"default\",\"dataset\":\"hdfs://n/Raw/in\",\"column\":\"\",\"check\":\"files\",\"status\":1,"
    "\"at\":1728086401000,\"message\":\"\",\"source\":\"\"}\n"
    "{\"is\":\"check\",\"namespace\":\"other\",\"dataset\":\"dwd.t\",\"column\":\"\",\"check\":\"rows\",\"status\":3,"
    "\"at\":1728086401000,\"message\":\"\",\"source\":\"\"}\n";

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 8;
}

/* Doubled, shuffled, in transactions of any size. */
static void load_shuffled(struct test_store *t, unsigned seed)
{
    size_t order[2 * RESULTS];
    for (size_t i = 0; i < 2 * RESULTS; i++)
        order[i] = i % RESULTS;
    for (size_t i = 2 * RESULTS - 1; i > 0; i--) {
        size_t k = next(&seed) % (i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (size_t i = 0; i < 2 * RESULTS; i++) {
        assert_true(applier_add_check(t->applier, &results[order[i]]));
        if (next(&seed) % 3 == 0)
            test_commit(t);
    }
    test_commit(t);
}

static void the_newest_counts_in_any_order(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++)
        for (unsigned seed = 1; seed <= 20; seed++) {
            struct test_store t;
            test_store_open(&t, kind, "quality");
            load_shuffled(&t, seed);
            char *dump = test_store_dump(&t);
            assert_string_equal(dump, expected);
            assert_int_equal(applier_totals(t.applier).checks, 2 * RESULTS);
            assert_string_equal(test_text(&t, "select kind from dataset where name = 'hdfs://n/Raw/in'"), "path");
            free(dump);
            test_store_close(&t);
        }
}

/* A table that a check made known is the one that a statement then writes. */
static void a_check_may_come_before_its_table(void **state)
{
    char document[1000];
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        test_store_open(&t, kind, "before");
        const struct test_event event = {.query_id = "q1", .ended = AT(1, 1), .inputs = "ods.a", .outputs = "dwd.t",
                                         .document = test_document(document, sizeof document, "insert", "append", "ods.a", "dwd.t", "x")};
        const struct quality_check early = {.v = 1, .check = STR("c"), .name_space = STR("n"), .table = STR("dwd.t"), .time = AT(0, 1)};
        assert_true(applier_add_check(t.applier, &early));
        test_commit(&t);
        test_add(&t, &event);
        test_commit(&t);
        const struct quality_check late = {.v = 1, .check = STR("c"), .name_space = STR("n"), .table = STR("dwd.t"), .time = AT(2, 1)};
        assert_true(applier_add_check(t.applier, &late));
        test_commit(&t);
        assert_int_equal(test_number(&t, "select count(*) from dataset where name = 'dwd.t'"), 1);
        assert_int_equal(test_number(&t, "select at from quality"), AT(2, 1));
        assert_int_equal(test_number(&t, "select runs from lineage"), 1);
        test_store_close(&t);
    }
}

static void what_is_older_than_column_lineage_goes(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct store_pruned pruned;
        test_store_open(&t, kind, "keeping");
        load_shuffled(&t, 1);
        /* seen from the newest result: nothing newer is known, and one of the future does not count */
        const struct quality_check future = {.v = 1, .check = STR("c"), .table = STR("dwd.f"), .time = AT(900, 1)};
        assert_true(applier_add_check(t.applier, &future));
        test_commit(&t);
        assert_true(store_prune(t.store, &(struct store_keeping){.columns = 2}, AT(400, 0), NULL, &pruned));
        assert_int_equal(pruned.checks, 0);
        assert_true(store_prune(t.store, &(struct store_keeping){.columns = 0}, AT(400, 0), NULL, &pruned));
        assert_int_equal(pruned.checks, 0);
        assert_true(store_prune(t.store, &(struct store_keeping){.columns = 1}, AT(400, 0), NULL, &pruned));
        assert_int_equal(pruned.checks, 6);
        assert_string_equal(test_text(&t, "select message from quality where at < 1800000000000"), "3 rows");
        test_store_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_counts_in_any_order),
        cmocka_unit_test(a_check_may_come_before_its_table),
        cmocka_unit_test(what_is_older_than_column_lineage_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
