/* svc/run/alarm.h: when an alarm begins and ends, and what each receiver gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/alarm.h"

enum { MINUTE = 60000 };

static void an_alarm_begins_and_ends_once(void **state)
{
    (void)state;
    struct alarm alarm;
    alarm_init(&alarm, 2, 5 * MINUTE);
    assert_int_equal(alarm_feed(&alarm, 2, 0), ALARM_SAME);
    for (int64_t t = 1; t < 6; t++)
        assert_int_equal(alarm_feed(&alarm, 2.5, t * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 9, 6 * MINUTE), ALARM_BEGINS);
    assert_int_equal(alarm_feed(&alarm, 4, 7 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 1, 8 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 1, 13 * MINUTE), ALARM_ENDS);
    assert_true(alarm.worst == 9);
    assert_int_equal(alarm_feed(&alarm, 1, 30 * MINUTE), ALARM_SAME);
}

static void a_break_begins_the_time_anew(void **state)
{
    (void)state;
    struct alarm alarm;
    alarm_init(&alarm, 2, 5 * MINUTE);
    assert_int_equal(alarm_feed(&alarm, 3, 0), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 1, 4 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 3, 5 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 3, 9 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 3, 10 * MINUTE), ALARM_BEGINS);
    assert_int_equal(alarm_feed(&alarm, 1, 11 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 3, 15 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 1, 17 * MINUTE), ALARM_SAME);
    assert_int_equal(alarm_feed(&alarm, 1, 22 * MINUTE), ALARM_ENDS);
}

static void check_notice(enum alarm_shape shape, const char *expected)
{
    struct buf out;
    struct alarm_notice notice = {.name = STR("lag"),
                                  .host = STR("h1"),
                                  .stage = STR("capture"),
                                  .change = ALARM_BEGINS,
                                  .at_ms = 1773584553004,
                                  .figure = 3.25,
                                  .limit = 2,
                                  .unit = STR("s"),
                                  .text = STR("3.25 s for 5 minutes")};
    buf_init(&out, 0);
    alarm_write(&out, shape, &notice);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
}

static void each_receiver_gets_its_shape(void **state)
{
    (void)state;
    check_notice(
        ALARM_GENERIC,
        "{\"alarm\":\"lag\",\"change\":\"begins\",\"stage\":\"capture\",\"host\":\"h1\",\"at\":"
        "1773584553004,"
        "\"figure\":3.250,\"limit\":2.000,\"unit\":\"s\",\"text\":\"3.25 s for 5 minutes\"}");
    check_notice(ALARM_WECHAT, "{\"msgtype\":\"text\",\"text\":{\"content\":\"[Colline] lag "
                               "begins: 3.25 s for 5 minutes (capture on h1)\"}}");
    check_notice(ALARM_DINGTALK, "{\"msgtype\":\"text\",\"text\":{\"content\":\"[Colline] lag "
                                 "begins: 3.25 s for 5 minutes (capture on h1)\"}}");
    check_notice(ALARM_SLACK,
                 "{\"text\":\"[Colline] lag begins: 3.25 s for 5 minutes (capture on h1)\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alarm_begins_and_ends_once),
        cmocka_unit_test(a_break_begins_the_time_anew),
        cmocka_unit_test(each_receiver_gets_its_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
