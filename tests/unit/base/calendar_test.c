/* lib/base/calendar.h: which texts are days. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/calendar.h"

static void days_of_the_calendar_are_dates(void **state)
{
    (void)state;
    static const char *const dates[] = {"2024-03-15", "2024-3-5",   "2024-02-29",
                                        "2000-02-29", "0001-01-01", "9999-12-31"};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        assert_true(is_calendar_date(str_make(dates[i], strlen(dates[i]))));
}

static void other_texts_are_none(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",           "2023-02-29",         "1900-02-29", "2024-13-01",
        "2024-00-10", "2024-04-31",         "2024-04-00", "0000-01-01",
        "24-01-01",   "12024-01-01",        "2024-001-1", "2024-01-001",
        "2024-01-",   "2024--01",           "2024/01/01", "2024-01-01 ",
        "2024-jan-1", "2024-01-01 00:00:00"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(is_calendar_date(str_make(others[i], strlen(others[i]))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_of_the_calendar_are_dates),
        cmocka_unit_test(other_texts_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
