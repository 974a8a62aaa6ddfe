/* svc/record/event.h: events there and back, and what is wrong with one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/event.h"

#include <stdio.h>

static const char full_json[] =
    "{\"v\":1,\"query_id\":\"a:b\",\"revision\":2,\"generation\":0,\"cluster\":\"prod\","
    "\"namespace\":\"hive://ms:9083\",\"engine\":\"impala\","
    "\"user\":\"etl\",\"database\":\"dwd\",\"session_id\":\"s\",\"timestamp\":1000,\"duration_ms\":"
    "667,\"status\":\"OK\",\"error\":\"\\\"\","
    "\"operation_type\":\"OVERWRITE\",\"input_tables\":[\"ods.a\",\"ods.b\"],\"output_tables\":["
    "\"ads.t\"],"
    "\"partitions\":[{\"table\":\"ads.t\",\"spec\":\"ds=2024-03-15/hr=*\"}],\"paths\":[\"hdfs://ns/"
    "x\"],\"sql\":\"select\\n1\",\"sql_cut\":true,"
    "\"sql_one_line\":true,\"fingerprint\":\"9c\",\"lineage\":{\"index\":0},\"engine_lineage\":{"
    "\"edges\":[]},\"event_time\":1667,"
    "\"processing_time\":1700,\"sources\":[{\"source\":\"daemon-log\",\"host\":\"h\",\"kinds\":["
    "\"START\",\"FINISH\"]},"
    "{\"source\":\"web\",\"kinds\":[\"QUERY\"]}],\"backfill\":true,\"is_valid\":true,\"problems\":["
    "{\"code\":\"x\",\"message\":\"m\"}]}";

static void events_are_read_and_written_the_same(void **state)
{
    (void)state;
    struct arena arena;
    struct event event;
    struct buf out;
    str_t reason;
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    assert_true(event_read(str_make(full_json, sizeof full_json - 1), &arena, &event, &reason));
    assert_int_equal(event.sources[0].kinds, 1u << RAW_START | 1u << RAW_FINISH);
    assert_true(str_eq(event.partitions[0].spec, STR("ds=2024-03-15/hr=*")));
    event_write(&out, &event);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, full_json);
    buf_release(&out);
    arena_release(&arena);
}

static void check_reason(const struct event *event, const char *expected)
{
    struct arena arena;
    str_t reason;
    char text[500];
    arena_init(&arena, 0, NULL);
    assert_int_equal(event_validate(event, &arena, &reason), expected[0] == '\0');
    snprintf(text, sizeof text, "%.*s", (int)reason.len, reason.ptr);
    assert_string_equal(text, expected);
    arena_release(&arena);
}

static void what_is_wrong_is_told_completely(void **state)
{
    (void)state;
    struct event_source sources[] = {{.source = RAW_GLOG, .kinds = 1}};
    struct event event = event_empty();
    check_reason(&event, "query_id: empty; engine: empty; event_time: empty; processing_time: "
                         "empty; sources: empty");
    event.query_id = STR("a");
    event.engine = STR("hive");
    event.event_time = event.processing_time = 1;
    event.sources = sources;
    event.source_count = 1;
    check_reason(&event, "");
    event.is_valid = false;
    event.incomplete = true;
    event.revision = 0;
    check_reason(&event, "revision: below 1; incomplete: does not agree with the status; problems: "
                         "missing in an event that is not valid");
}

static void newer_events_and_wrong_members_are_refused(void **state)
{
    (void)state;
    struct arena arena;
    struct event event;
    str_t reason;
    arena_init(&arena, 0, NULL);
    assert_false(event_read(STR("{\"v\":7}"), &arena, &event, &reason));
    assert_true(str_eq(reason, STR("v: version 7 is newer than 1, the newest that is known here")));
    assert_false(
        event_read(STR("{\"v\":1,\"sources\":[{\"source\":\"web\"},1]}"), &arena, &event, &reason));
    assert_true(str_starts_with(
        reason, STR("kinds: missing; sources: expected an array of objects; query_id: missing; ")));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_read_and_written_the_same),
        cmocka_unit_test(what_is_wrong_is_told_completely),
        cmocka_unit_test(newer_events_and_wrong_members_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
