/* LIMIT_NAME_PARTS: parts of a dotted name, in expressions and in FROM. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "support/nesting.h"

static void check_both_sides(const struct nesting *nesting, enum dialect dialect)
{
    assert_int_equal(nested_error(nesting, LIMIT_NAME_PARTS - 1, dialect), -1);
    assert_int_equal(nested_error(nesting, LIMIT_NAME_PARTS, dialect), DIAG_TOO_DEEP);
}

static void names_have_so_many_parts(void **state)
{
    (void)state;
    static const struct nesting column = {"select ", "a.", "b", "", " from t"};
    static const struct nesting table = {"select 1 from ", "a.", "b", "", ""};
    check_both_sides(&column, DIALECT_HIVE);
    check_both_sides(&column, DIALECT_IMPALA);
    check_both_sides(&table, DIALECT_IMPALA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_have_so_many_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
