/* LIMIT_EXPR_DEPTH: brackets, calls, CASEs, signs and types within one another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "support/nesting.h"

/* The expression itself counts as one level. */
enum { DEEPEST = LIMIT_EXPR_DEPTH - 1 };

static void check_both_sides(const struct nesting *nesting, size_t deepest, enum dialect dialect)
{
    int at_limit = nested_error(nesting, deepest, dialect);
    int beyond = nested_error(nesting, deepest + 1, dialect);
    if (at_limit != -1 || beyond != DIAG_TOO_DEEP)
        fail_msg("%s: %d at the limit, %d beyond it", nesting->open, at_limit, beyond);
}

static void expressions_nest_so_deep(void **state)
{
    (void)state;
    static const struct nesting nestings[] = {
        {"select ", "(", "1", ")", ""},
        {"select ", "f(", "1", ")", ""},
        {"select ", "case when a then ", "1", " end", ""},
        {"select ", "cast(", "1", " as int)", ""},
        {"select ", "a in (", "1", ")", ""},
        {"select ", "not ", "a", "", ""},
        {"select ", "- ", "a", "", ""},
    };
    for (size_t i = 0; i < sizeof nestings / sizeof nestings[0]; i++) {
        check_both_sides(&nestings[i], DEEPEST, DIALECT_HIVE);
        check_both_sides(&nestings[i], DEEPEST, DIALECT_IMPALA);
    }
}

static void types_nest_so_deep(void **state)
{
    (void)state;
    static const struct nesting nesting = {"create table t (a ", "array<", "int", ">", ")"};
    check_both_sides(&nesting, LIMIT_EXPR_DEPTH, DIALECT_HIVE);
    check_both_sides(&nesting, LIMIT_EXPR_DEPTH, DIALECT_IMPALA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_nest_so_deep),
        cmocka_unit_test(types_nest_so_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
