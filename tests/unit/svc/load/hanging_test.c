/* svc/load/hanging.h: what is on its way is no transaction that hangs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "load/hanging.h"

static void one_that_stands_long_enough_hangs(void **state)
{
    (void)state;
    struct hanging h = {0, 0};
    assert_false(hanging_note(&h, 10, 12, 1000));
    assert_false(hanging_note(&h, 10, 50, 1000 + HANGING_MS - 1));
    assert_true(hanging_note(&h, 10, 50, 1000 + HANGING_MS));
    assert_true(hanging_note(&h, 10, 60, 1000 + 3 * HANGING_MS));
    /* it was ended; the next one stands since now */
    assert_false(hanging_note(&h, 40, 60, 1000 + 4 * HANGING_MS));
    assert_true(hanging_note(&h, 40, 60, 1000 + 5 * HANGING_MS));
    assert_false(hanging_note(&h, 60, 60, 1000 + 6 * HANGING_MS));
}

static void transactions_one_behind_the_other_do_not_hang(void **state)
{
    (void)state;
    struct hanging h = {0, 0};
    for (int64_t i = 0; i < 100; i++)
        assert_false(hanging_note(&h, i, i + 5, i * 10000));
}

static void an_idle_partition_does_not_hang(void **state)
{
    (void)state;
    struct hanging h = {0, 0};
    for (int64_t i = 0; i < 100; i++)
        assert_false(hanging_note(&h, 7, 7, i * 10000));
    /* the time begins with the transaction, not with the rest before it */
    assert_false(hanging_note(&h, 7, 8, 1000000));
    assert_false(hanging_note(&h, 7, 8, 1000000 + HANGING_MS - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_stands_long_enough_hangs),
        cmocka_unit_test(transactions_one_behind_the_other_do_not_hang),
        cmocka_unit_test(an_idle_partition_does_not_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
