/* LIMIT_QUERY_DEPTH: queries within one another, wherever a query may stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "support/nesting.h"

static void check_both_sides(const struct nesting *nesting, enum dialect dialect)
{
    /* The statement's own query does not count. */
    int at_limit = nested_error(nesting, LIMIT_QUERY_DEPTH, dialect);
    int beyond = nested_error(nesting, LIMIT_QUERY_DEPTH + 1, dialect);
    if (at_limit != -1 || beyond != DIAG_TOO_DEEP)
        fail_msg("%s: %d at the limit, %d beyond it", nesting->open, at_limit, beyond);
}

static void queries_nest_so_deep(void **state)
{
    (void)state;
    static const struct nesting nestings[] = {
        {"", "select * from (", "select 1", ") t", ""},
        {"", "select (", "select 1", ")", ""},
        {"", "select a from t where exists (", "select 1", ")", ""},
        {"", "select a from t where b in (", "select 1", ")", ""},
        {"", "select 1 union all (", "select 1", ")", ""},
    };
    for (size_t i = 0; i < sizeof nestings / sizeof nestings[0]; i++) {
        check_both_sides(&nestings[i], DIALECT_HIVE);
        check_both_sides(&nestings[i], DIALECT_IMPALA);
    }
}

static void common_tables_nest_so_deep(void **state)
{
    (void)state;
    static const struct nesting nesting = {"", "with t as (", "select 1", ") select * from t", ""};
    check_both_sides(&nesting, DIALECT_HIVE);
    check_both_sides(&nesting, DIALECT_IMPALA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_nest_so_deep),
        cmocka_unit_test(common_tables_nest_so_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
