/* svc/normalize/driver_kafka.h against a real broker: exactly once when workers come, go, are fenced, and when offsets are reset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka_worker.h"
#include "normalize/driver_kafka.h"
#include "support/kafka_setting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    QUERIES = 500
};

/* ---- records in ---- */

static size_t id_of(char id[64], uint64_t number)
{
    return (size_t)snprintf(id, 64, "00000000-0000-4000-8000-%012" PRIu64, number);
}

static void send_record(struct sink *sink, const struct raw_record *record)
{
    struct buf json;
    buf_init(&json, 0);
    raw_write(&json, record);
    while (!sink_send(sink, record->query_id, buf_str(&json), 0))
        sink_poll(sink, 10);
    buf_release(&json);
}

/* What a log tells of a query: its text first, its end last. `what` says which of the two. */
static void send_half(struct sink *sink, uint64_t number, enum raw_kind what, int64_t now_ms)
{
    char id[64], sql[128];
    size_t id_length = id_of(id, number);
    int sql_length = snprintf(sql, sizeof sql, "INSERT INTO app.t SELECT a FROM ods.s WHERE b = %" PRIu64, number);
    struct raw_record record = raw_empty(RAW_DAEMON_LOG, what);
    record.cluster = STR("c1");
    record.host = STR("h1");
    record.position.file = STR("impalad.INFO");
    record.position.file_id = 1;
    record.position.offset = number * 2 + (what == RAW_FINISH);
    record.captured_at = record.time_ms = now_ms;
    record.query_id = str_make(id, id_length);
    if (what == RAW_START) {
        record.user = STR("etl");
        record.sql = str_make(sql, (size_t)sql_length);
    } else {
        record.status = STR("OK");
        record.duration_ms = 5;
    }
    send_record(sink, &record);
}

static void send_queries(struct setting *setting, uint64_t first, uint64_t last, bool starts, bool ends)
{
    struct kafka_sink_options options = {.kafka = &setting->config.kafka, .topic = setting->config.kafka.topic_raw, .clock = setting->clock,
                                         .log = setting->log};
    struct sink *sink = kafka_sink_open(&options, &setting->error);
    assert_non_null(sink);
    int64_t now = clock_now(&setting->clock);
    for (uint64_t n = first; n < last && starts; n++)
        send_half(sink, n, RAW_START, now);
    for (uint64_t n = first; n < last && ends; n++)
        send_half(sink, n, RAW_FINISH, now);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    sink_close(sink);
}

/* ---- events out ---- */

/* How often each query's event stands in the topic, counted over all revisions; asserts that each is whole. */
static uint64_t count_events(struct setting *setting, unsigned char counts[QUERIES])
{
    struct kafka_reader *reader = kafka_reader_open(&setting->config.kafka, setting->config.kafka.topic_normalized, setting->log, &setting->error);
    uint64_t total = 0;
    memset(counts, 0, QUERIES);
    for (int32_t partition = 0; partition < PARTITIONS; partition++) {
        struct kafka_input input;
        int64_t low, high;
        assert_true(kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high));
        assert_true(kafka_reader_start(reader, partition, low));
        for (bool end = low == high; !end;) {
            enum kafka_read what = kafka_reader_poll(reader, TIMEOUT_MS, &input);
            assert_int_not_equal(what, KAFKA_READ_NOTHING);
            end = what == KAFKA_READ_END && input.offset >= high;
            if (what == KAFKA_READ_RECORD) {
                assert_non_null(memmem(input.value.ptr, input.value.len, "WHERE b = ", 10));
                assert_int_equal(input.partition, kafka_partition(input.key, PARTITIONS));
                counts[strtoull(input.key.ptr + input.key.len - 12, NULL, 10)]++;
                total++;
            }
            kafka_input_release(&input);
        }
        kafka_reader_stop(reader, partition);
    }
    kafka_reader_close(reader);
    return total;
}

static void expect_once_each(struct setting *setting, uint64_t count)
{
    unsigned char counts[QUERIES];
    assert_int_equal(count_events(setting, counts), count);
    for (uint64_t n = 0; n < count; n++)
        assert_int_equal(counts[n], 1);
}

/* ---- drivers ---- */

static struct kafka_driver *open_driver_with(struct setting *setting, const char *instance, size_t batch)
{
    struct kafka_driver_options options = {
        .normalizer = {.limits = {90000000, 300000, 10000, 90000000}, .clock = setting->clock, .log = setting->log},
        .kafka = &setting->config.kafka,
        .instance = str_make(instance, strlen(instance)),
        .batch = batch,
        .batch_wait_ms = 10,
    };
    struct kafka_driver *driver = kafka_driver_open(&options, &setting->error);
    assert_non_null(driver);
    return driver;
}

/* With small batches, for many transactions. */
static struct kafka_driver *open_driver(struct setting *setting, const char *instance)
{
    return open_driver_with(setting, instance, 100);
}

/* Until the drivers have given `events` events together, or the time is over. */
static void run_drivers(struct setting *setting, struct kafka_driver **drivers, size_t count, uint64_t events)
{
    int64_t until = clock_steady(&setting->clock) + TIMEOUT_MS * 2;
    uint64_t given = 0;
    while (given < events && clock_steady(&setting->clock) < until) {
        given = 0;
        for (size_t i = 0; i < count; i++) {
            assert_true(kafka_driver_step(drivers[i], 20));
            given += kafka_driver_totals(drivers[i]).events;
        }
    }
    assert_int_equal(given, events);
}

static void run_until_records(struct setting *setting, struct kafka_driver *driver, uint64_t records)
{
    int64_t until = clock_steady(&setting->clock) + TIMEOUT_MS * 2;
    while (kafka_driver_totals(driver).records < records && clock_steady(&setting->clock) < until)
        assert_true(kafka_driver_step(driver, 20));
    assert_int_equal(kafka_driver_totals(driver).records, records);
}

static void two_workers_share_and_hand_over_open_joins(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "share");
    make_topics(&setting);
    send_queries(&setting, 0, 300, true, false);
    struct kafka_driver *drivers[2] = {open_driver(&setting, "a"), NULL};
    run_until_records(&setting, drivers[0], 300);
    assert_int_equal(kafka_driver_totals(drivers[0]).partitions, PARTITIONS);
    drivers[1] = open_driver(&setting, "b"); /* takes half of the partitions, with the texts that it has never seen */
    for (int i = 0; i < 300 && kafka_driver_totals(drivers[1]).partitions == 0; i++)
        for (size_t d = 0; d < 2; d++)
            assert_true(kafka_driver_step(drivers[d], 20));
    send_queries(&setting, 0, 300, false, true);
    run_drivers(&setting, drivers, 2, 300);
    assert_true(kafka_driver_totals(drivers[1]).events > 0);
    kafka_driver_close(drivers[0]);
    send_queries(&setting, 300, QUERIES, true, true);
    uint64_t own = kafka_driver_totals(drivers[1]).events;
    run_drivers(&setting, &drivers[1], 1, own + QUERIES - 300);
    kafka_driver_close(drivers[1]);
    expect_once_each(&setting, QUERIES);
    clean_up(&setting);
}

static void a_second_process_of_the_same_name_ends_the_first(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "fence");
    make_topics(&setting);
    be_quiet(&setting);
    send_queries(&setting, 0, 100, true, true);
    struct kafka_driver *first = open_driver(&setting, "a");
    run_until_records(&setting, first, 200);
    struct kafka_driver *second = open_driver(&setting, "a");
    for (int i = 0; i < 100 && !kafka_driver_is_ready(second); i++)
        assert_true(kafka_driver_step(second, 20));
    send_queries(&setting, 100, 200, true, true);
    bool alive = true;
    int64_t until = clock_steady(&setting.clock) + TIMEOUT_MS * 2;
    while ((alive || kafka_driver_totals(second).events < 100) && clock_steady(&setting.clock) < until) {
        alive = alive && kafka_driver_step(first, 20);
        if (!alive && first != NULL) {
            kafka_driver_close(first);
            first = NULL;
        }
        assert_true(kafka_driver_step(second, 20));
    }
    assert_false(alive);
    kafka_driver_close(second);
    expect_once_each(&setting, 200);
    clean_up(&setting);
}

/* As an operator would: the group's offsets back to the beginning, in a transaction of a worker that does nothing else. */
static void reset_offsets(struct setting *setting)
{
    struct kafka_worker_options options = {.kafka = &setting->config.kafka, .instance = STR("reset"), .topic = setting->config.kafka.topic_raw,
                                           .outputs = {{setting->config.kafka.topic_normalized, false}}, .output_count = 1,
                                           .log = setting->log, .assigned = ignore_assigned, .revoked = ignore_revoked};
    struct kafka_worker *worker = kafka_worker_open(&options, &setting->error);
    struct kafka_offset offsets[PARTITIONS];
    struct kafka_input input;
    assert_non_null(worker);
    assert_int_equal(kafka_worker_init(worker, TIMEOUT_MS, &setting->error), KAFKA_DONE);
    for (int i = 0; i < 100; i++)
        kafka_worker_poll(worker, 50, &input);
    for (int32_t i = 0; i < PARTITIONS; i++)
        offsets[i] = (struct kafka_offset){i, 0};
    assert_int_equal(kafka_worker_begin(worker), KAFKA_DONE);
    assert_int_equal(kafka_worker_offsets(worker, offsets, PARTITIONS), KAFKA_DONE);
    assert_int_equal(kafka_worker_commit(worker, TIMEOUT_MS), KAFKA_DONE);
    kafka_worker_close(worker);
}

static void offsets_that_are_reset_make_no_event_anew(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "reset");
    make_topics(&setting);
    send_queries(&setting, 0, 200, true, true);
    struct kafka_driver *driver = open_driver(&setting, "a");
    run_until_records(&setting, driver, 400);
    kafka_driver_close(driver);
    reset_offsets(&setting);
    driver = open_driver(&setting, "a");
    run_until_records(&setting, driver, 400);
    assert_int_equal(kafka_driver_totals(driver).events, 0);
    kafka_driver_close(driver);
    expect_once_each(&setting, 200);
    clean_up(&setting);
}

static void unequal_numbers_of_partitions_are_refused(void **state)
{
    (void)state;
    struct setting setting;
    struct kafka_topic topics[KAFKA_TOPICS];
    set_up(&setting, "unequal");
    kafka_topics_of(&setting.config.kafka, topics);
    assert_true(kafka_topics_create(&setting.config.kafka, setting.log, topics, 1, TIMEOUT_MS, &setting.error));
    setting.config.kafka.partitions = PARTITIONS + 1;
    assert_true(kafka_topics_create(&setting.config.kafka, setting.log, topics + 1, KAFKA_TOPICS - 1, TIMEOUT_MS, &setting.error));
    be_quiet(&setting);
    struct kafka_driver *driver = open_driver(&setting, "a");
    bool alive = true;
    for (int i = 0; i < 100 && alive; i++)
        alive = kafka_driver_step(driver, 50);
    assert_false(alive);
    assert_false(kafka_driver_is_ready(driver));
    kafka_driver_close(driver);
    clean_up(&setting);
}

/* Topics that were just made are known before their partitions have a leader. */
static void a_worker_waits_for_topics_that_are_being_made(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        char name[32];
        struct setting setting;
        snprintf(name, sizeof name, "fresh-%d", round);
        set_up(&setting, name);
        be_quiet(&setting);
        struct kafka_driver *driver = open_driver(&setting, "a");
        assert_true(kafka_driver_step(driver, 20));
        assert_false(kafka_driver_is_ready(driver));
        make_topics(&setting);
        int64_t until = clock_steady(&setting.clock) + TIMEOUT_MS;
        while (!kafka_driver_is_ready(driver) && clock_steady(&setting.clock) < until)
            assert_true(kafka_driver_step(driver, 20));
        assert_true(kafka_driver_is_ready(driver));
        kafka_driver_close(driver);
        clean_up(&setting);
    }
}

/* A transaction that nobody ends holds back what stands behind it: that is said, and reading goes on when it ends. */
static void step_until_stuck_is(struct kafka_driver *driver, int32_t stuck, int32_t partitions)
{
    for (int i = 0; i < 300 && (kafka_driver_totals(driver).stuck != stuck || kafka_driver_totals(driver).partitions != partitions); i++)
        assert_true(kafka_driver_step(driver, 20));
    assert_int_equal(kafka_driver_totals(driver).stuck, stuck);
    assert_int_equal(kafka_driver_totals(driver).partitions, partitions);
}

static void a_transaction_that_nobody_ends_is_told(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "stuck");
    make_topics(&setting);
    be_quiet(&setting);
    struct kafka_worker *gone = leave_a_transaction_open(&setting, setting.config.kafka.topic_open, 1);
    struct shifted_clock shifted = {setting.clock, 0};
    setting.clock = clock_shifted(&shifted);
    struct kafka_driver *driver = open_driver(&setting, "a");
    step_until_stuck_is(driver, 0, PARTITIONS - 1);
    shifted.ahead = 31000;
    step_until_stuck_is(driver, 1, PARTITIONS - 1);
    assert_int_equal(kafka_worker_abort(gone, TIMEOUT_MS), KAFKA_DONE);
    step_until_stuck_is(driver, 0, PARTITIONS);
    kafka_driver_close(driver);
    kafka_worker_close(gone);
    setting.clock = shifted.real;
    clean_up(&setting);
}

/* Processor time of a record, for the report; no bound is asserted, the machine is shared. */
static void the_price_of_a_query(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    struct setting setting;
    struct timespec before, after;
    set_up(&setting, "price");
    make_topics(&setting);
    send_queries(&setting, 0, COUNT, true, true);
    struct kafka_driver *driver = open_driver_with(&setting, "a", 0);
    while (kafka_driver_totals(driver).partitions < PARTITIONS && kafka_driver_totals(driver).records == 0)
        assert_true(kafka_driver_step(driver, 20));
    uint64_t already = kafka_driver_totals(driver).records;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    run_until_records(&setting, driver, COUNT * 2);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double us = (double)(after.tv_sec - before.tv_sec) * 1e6 + (double)(after.tv_nsec - before.tv_nsec) * 1e-3;
    printf("{\"kafka_driver_us_per_query_of_2_records\": %.1f}\n", us / (double)(COUNT * 2 - already) * 2);
    kafka_driver_close(driver);
    clean_up(&setting);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_workers_share_and_hand_over_open_joins),
        cmocka_unit_test(a_second_process_of_the_same_name_ends_the_first),
        cmocka_unit_test(offsets_that_are_reset_make_no_event_anew),
        cmocka_unit_test(unequal_numbers_of_partitions_are_refused),
        cmocka_unit_test(a_worker_waits_for_topics_that_are_being_made),
        cmocka_unit_test(a_transaction_that_nobody_ends_is_told),
        cmocka_unit_test(the_price_of_a_query),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
