/* svc/bus/file_sink.c: what is acknowledged is on the disk; a torn line goes; what was written before is not written again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/file_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char path[] = "file_sink_test.out";

struct acks {
    uint64_t last;
    size_t count;
};

static void acked(void *context, uint64_t cookie)
{
    struct acks *acks = context;
    acks->last = cookie;
    acks->count++;
}

static uint64_t first_letter(str_t value)
{
    return value.len > 0 ? (uint64_t)(unsigned char)value.ptr[0] : 0;
}

static struct sink *open_sink(struct acks *acks, const struct clock *clock, uint64_t covered)
{
    struct sink *sink = file_sink_open(path, covered, first_letter, clock);
    assert_non_null(sink);
    *acks = (struct acks){0};
    sink->acked = acked;
    sink->context = acks;
    return sink;
}

static void assert_file(const char *expected)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(bytes, expected, len);
}

static void put(const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void acknowledged_when_written(void **state)
{
    (void)state;
    int64_t now = 1000;
    struct clock clock = clock_manual(&now);
    struct acks acks;
    unlink(path);
    struct sink *sink = open_sink(&acks, &clock, 0);
    assert_true(sink_send(sink, STR("k"), STR("a1"), 7));
    assert_int_equal(acks.count, 0);
    sink_poll(sink, 0);
    assert_int_equal(acks.count, 1);
    assert_int_equal(acks.last, 7);
    assert_file("a1\n");
    assert_true(sink_send(sink, STR("k"), STR("b1"), 8));
    sink_poll(sink, 0); /* too soon */
    assert_int_equal(acks.count, 1);
    assert_true(sink_flush(sink, 0));
    assert_int_equal(acks.last, 8);
    assert_int_equal(file_sink_length(sink), 6);
    sink_close(sink);
    assert_file("a1\nb1\n");
}

static void torn_line(void **state)
{
    (void)state;
    int64_t now = 1000;
    struct clock clock = clock_manual(&now);
    struct acks acks;
    put("a1\nb1\nc");
    struct sink *sink = open_sink(&acks, &clock, 6);
    assert_file("a1\nb1\n");
    sink_close(sink);
    put("torn");
    sink = open_sink(&acks, &clock, 0);
    assert_file("");
    sink_close(sink);
}

/* Behind what the positions cover stand b, c, c: they come again in another order, and one c more. */
static void written_before(void **state)
{
    (void)state;
    int64_t now = 1000;
    struct clock clock = clock_manual(&now);
    struct acks acks;
    put("a1\nb1\nc1\nc1\n");
    struct sink *sink = open_sink(&acks, &clock, 3);
    static const str_t values[] = {STR("c2"), STR("c3"), STR("a2"), STR("b2"), STR("c4"), STR("b3")};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_true(sink_send(sink, STR("k"), values[i], i));
    assert_true(sink_flush(sink, 0));
    assert_int_equal(acks.count, 6);
    sink_close(sink);
    assert_file("a1\nb1\nc1\nc1\na2\nc4\nb3\n");
    sink = open_sink(&acks, &clock, 3);
    file_sink_caught_up(sink);
    assert_true(sink_send(sink, STR("k"), STR("b9"), 0));
    assert_true(sink_flush(sink, 0));
    sink_close(sink);
    assert_file("a1\nb1\nc1\nc1\na2\nc4\nb3\nb9\n");
    unlink(path);
}

/* While c, written before the start, has not come again, positions cover no more than then: after another crash it is known still. */
static void written_before_and_late(void **state)
{
    (void)state;
    int64_t now = 1000;
    struct clock clock = clock_manual(&now);
    struct acks acks;
    put("a1\nb1\nc1\n");
    struct sink *sink = open_sink(&acks, &clock, 3);
    assert_true(sink_send(sink, STR("k"), STR("b2"), 0) && sink_send(sink, STR("k"), STR("d1"), 1));
    assert_true(sink_flush(sink, 0));
    assert_int_equal(acks.count, 2);
    assert_int_equal(file_sink_length(sink), 12);
    uint64_t covered = file_sink_covered(sink);
    assert_int_equal(covered, 3);
    sink_close(sink);
    sink = open_sink(&acks, &clock, covered);
    assert_true(sink_send(sink, STR("k"), STR("c2"), 0) && sink_send(sink, STR("k"), STR("d2"), 1) && sink_send(sink, STR("k"), STR("b2"), 2));
    assert_int_equal(file_sink_covered(sink), 12); /* all is there again */
    assert_true(sink_flush(sink, 0));
    sink_close(sink);
    assert_file("a1\nb1\nc1\nd1\n");
    unlink(path);
}

/* The disk is full: nothing is acknowledged, and it is tried again. */
static void full_disk(void **state)
{
    (void)state;
    int64_t now = 1000;
    struct clock clock = clock_manual(&now);
    struct acks acks = {0};
    struct sink *sink = file_sink_open("/dev/full", 0, NULL, &clock);
    assert_non_null(sink);
    sink->acked = acked;
    sink->context = &acks;
    assert_true(sink_send(sink, STR("k"), STR("a"), 1));
    assert_false(sink_flush(sink, 0));
    assert_int_not_equal(file_sink_error(sink), 0);
    assert_int_equal(acks.count, 0);
    now += 5000;
    assert_false(sink_flush(sink, 0));
    sink_close(sink);
    assert_null(file_sink_open("nowhere/out", 0, NULL, &clock));
}

static void raw_records_without_place(void **state)
{
    (void)state;
    uint64_t a = file_sink_same_raw(STR("{\"v\":1,\"source\":\"glog\",\"kind\":\"START\",\"query_id\":\"q\",\"position\":{\"offset\":5},\"captured_at\":7}"));
    uint64_t b = file_sink_same_raw(STR("{\"v\":1,\"source\":\"glog\",\"kind\":\"START\",\"query_id\":\"q\",\"backfill\":true,\"position\":{},\"captured_at\":9}"));
    uint64_t c = file_sink_same_raw(STR("{\"v\":1,\"source\":\"glog\",\"kind\":\"START\",\"query_id\":\"r\",\"position\":{\"offset\":5},\"captured_at\":7}"));
    assert_true(a == b);
    assert_true(a != c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acknowledged_when_written), cmocka_unit_test(torn_line),
        cmocka_unit_test(written_before),            cmocka_unit_test(written_before_and_late),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(raw_records_without_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
