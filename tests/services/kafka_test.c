/*
 * svc/bus against a real broker: $COLLINE_KAFKA is its folder, $COLLINE_KAFKA_PORT its port; tests/services/run starts it. Each test has topics
 * of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka_topics.h"
#include "bus/kafka_worker.h"
#include "bus/spooling_sink.h"
#include "support/kafka_setting.h"
#include "support/spool_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- topics ---- */

static void topics_are_made_once_and_judged(void **state)
{
    (void)state;
    struct setting setting;
    struct kafka_topic topics[KAFKA_TOPICS];
    struct buf wrong;
    set_up(&setting, "topics");
    buf_init(&wrong, 0);
    struct config_kafka *kafka = &setting.config.kafka;
    kafka_topics_of(kafka, topics);
    assert_true(kafka_topics_ask(kafka, setting.log, topics, KAFKA_TOPICS, TIMEOUT_MS, &setting.error));
    assert_false(kafka_topics_judge(kafka, topics, KAFKA_TOPICS, &wrong));
    make_topics(&setting);
    make_topics(&setting); /* as by another process at the same time */
    assert_true(kafka_topics_ask(kafka, setting.log, topics, KAFKA_TOPICS, TIMEOUT_MS, &setting.error));
    buf_clear(&wrong);
    assert_true(kafka_topics_judge(kafka, topics, KAFKA_TOPICS, &wrong));
    for (size_t i = 0; i < KAFKA_TOPICS; i++) {
        assert_int_equal(topics[i].partitions, PARTITIONS);
        assert_true(topics[i].cleanup_known && topics[i].is_compacted == (i >= 3));
    }
    kafka->partitions = PARTITIONS + 1;
    assert_false(kafka_topics_judge(kafka, topics, KAFKA_TOPICS, &wrong));
    buf_release(&wrong);
    clean_up(&setting);
}

/* The broker knows a topic a moment before it serves all partitions of it. */
static void a_topic_that_was_just_made_tells_its_ends(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "ends");
    str_t group = setting.config.kafka.group;
    for (int round = 0; round < 20; round++) {
        char name[64];
        int64_t low, high;
        struct kafka_topic topic = {.name = str_make(name, (size_t)snprintf(name, sizeof name, "%.*s-%d", (int)group.len, group.ptr, round))};
        assert_true(kafka_topics_create(&setting.config.kafka, setting.log, &topic, 1, TIMEOUT_MS, &setting.error));
        struct kafka_reader *reader = kafka_reader_open(&setting.config.kafka, topic.name, setting.log, &setting.error);
        for (int32_t partition = 0; partition < PARTITIONS; partition++) {
            assert_true(kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high));
            assert_true(low == 0 && high == 0);
        }
        kafka_reader_close(reader);
    }
    clean_up(&setting);
}

static void a_broker_that_is_not_there_is_told(void **state)
{
    (void)state;
    struct setting setting;
    struct kafka_topic topics[KAFKA_TOPICS];
    set_up(&setting, "nobody");
    setting.config.kafka.brokers.items[0] = STR("127.0.0.1:1");
    be_quiet(&setting);
    kafka_topics_of(&setting.config.kafka, topics);
    assert_false(kafka_topics_ask(&setting.config.kafka, NULL, topics, KAFKA_TOPICS, 500, &setting.error));
    assert_true(str_starts_with(buf_str(&setting.error), STR("the broker does not answer: ")));
    clean_up(&setting);
}

/* ---- the sink ---- */

struct receipts {
    unsigned char *count; /* by cookie */
    uint64_t total;
};

static void acked(void *context, uint64_t cookie)
{
    struct receipts *receipts = context;
    receipts->count[cookie]++;
    receipts->total++;
}

static size_t text_of(char text[64], const char *format, uint64_t number)
{
    (void)format;
    return (size_t)snprintf(text, 64, "%" PRIu64, number);
}

/* Sends the numbers from first on, ten a key; polls while the sink is full. */
static void send_numbers(struct sink *sink, uint64_t first, uint64_t last)
{
    char key[64], value[64];
    for (uint64_t n = first; n < last; n++) {
        size_t key_length = text_of(key, "", n % 1000), value_length = text_of(value, "", n);
        while (!sink_send(sink, str_make(key, key_length), str_make(value, value_length), n))
            sink_poll(sink, 10);
        if (n % 64 == 0)
            sink_poll(sink, 0);
    }
}

static uint64_t number_of(str_t text)
{
    uint64_t number = 0;
    for (size_t i = 0; i < text.len; i++)
        number = number * 10 + (uint64_t)(text.ptr[i] - '0');
    return number;
}

struct found {
    unsigned char *count; /* by number */
    uint64_t total, last_of_key[1000], backwards;
};

static void note_found(struct found *found, const struct kafka_input *input)
{
    uint64_t number = number_of(input->value), key = number_of(input->key);
    assert_int_equal(input->partition, kafka_partition(input->key, PARTITIONS));
    assert_int_equal(number % 1000, key);
    found->backwards += found->total > 0 && number < found->last_of_key[key];
    found->last_of_key[key] = number;
    found->count[number]++;
    found->total++;
}

/* Reads a topic up to its end as it is now. */
static void read_topic(struct setting *setting, str_t topic, struct found *found)
{
    struct kafka_reader *reader = kafka_reader_open(&setting->config.kafka, topic, setting->log, &setting->error);
    assert_non_null(reader);
    for (int32_t partition = 0; partition < PARTITIONS; partition++) {
        int64_t low, high;
        struct kafka_input input;
        assert_true(kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high));
        assert_true(kafka_reader_start(reader, partition, low));
        for (bool end = high == 0; !end;) {
            enum kafka_read what = kafka_reader_poll(reader, TIMEOUT_MS, &input);
            assert_int_not_equal(what, KAFKA_READ_NOTHING);
            if (what == KAFKA_READ_RECORD)
                note_found(found, &input);
            end = what == KAFKA_READ_END && input.offset >= high;
            kafka_input_release(&input);
        }
        kafka_reader_stop(reader, partition);
    }
    kafka_reader_close(reader);
}

static struct sink *open_sink(struct setting *setting, uint32_t in_flight)
{
    struct kafka_sink_options options = {.kafka = &setting->config.kafka, .topic = setting->config.kafka.topic_raw, .in_flight = in_flight,
                                         .clock = setting->clock, .log = setting->log};
    struct sink *sink = kafka_sink_open(&options, &setting->error);
    assert_non_null(sink);
    return sink;
}

static double processor_seconds(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void records_arrive_once_in_order_by_the_partition_of_their_key(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct setting setting;
    struct receipts receipts = {.count = calloc(COUNT, 1)};
    struct found found = {.count = calloc(COUNT, 1)};
    set_up(&setting, "sink");
    make_topics(&setting);
    struct sink *sink = open_sink(&setting, 0);
    sink->acked = acked;
    sink->context = &receipts;
    send_numbers(sink, 0, COUNT);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    assert_int_equal(receipts.total, COUNT);
    sink_close(sink);
    read_topic(&setting, setting.config.kafka.topic_raw, &found);
    assert_int_equal(found.total, COUNT);
    assert_int_equal(found.backwards, 0);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(receipts.count[i] == 1 && found.count[i] == 1);
    free(receipts.count);
    free(found.count);
    clean_up(&setting);
}

static void a_full_sink_says_so(void **state)
{
    (void)state;
    struct setting setting;
    struct receipts receipts = {.count = calloc(200, 1)};
    set_up(&setting, "full");
    make_topics(&setting);
    struct sink *sink = open_sink(&setting, 100);
    sink->acked = acked;
    sink->context = &receipts;
    uint64_t sent = 0;
    while (sink_send(sink, STR("1"), STR("1"), sent))
        sent++;
    assert_int_equal(sent, 100);
    assert_int_equal(kafka_sink_waiting(sink), 100);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    assert_int_equal(receipts.total, 100);
    assert_true(sink_send(sink, STR("1"), STR("1"), sent));
    assert_true(sink_flush(sink, TIMEOUT_MS));
    sink_close(sink);
    free(receipts.count);
    clean_up(&setting);
}

/* Takes it only when asked a second time, as when the disk was full. */
struct refusals {
    size_t asked, length;
};

static bool note_refusal(void *context, str_t key, str_t value, str_t reason)
{
    struct refusals *refusals = context;
    (void)reason;
    assert_true(str_eq(key, STR("big")));
    refusals->length = value.len;
    return ++refusals->asked > 1;
}

static void what_no_broker_takes_is_refused_and_holds_up_nothing(void **state)
{
    (void)state;
    enum { BIG = 17000000 };
    struct setting setting;
    struct receipts receipts = {.count = calloc(2, 1)};
    struct refusals refused = {0};
    char *big = calloc(BIG, 1);
    set_up(&setting, "big");
    make_topics(&setting);
    be_quiet(&setting);
    struct kafka_sink_options options = {.kafka = &setting.config.kafka, .topic = setting.config.kafka.topic_raw, .clock = setting.clock,
                                         .refused = note_refusal, .refused_context = &refused};
    struct sink *sink = kafka_sink_open(&options, &setting.error);
    sink->acked = acked;
    sink->context = &receipts;
    assert_false(sink_send(sink, STR("big"), str_make(big, BIG), 0));
    assert_false(sink_send(sink, STR("big"), str_make(big, BIG), 0));
    assert_int_equal(refused.asked, 1); /* not asked again at once */
    usleep(600000);
    assert_true(sink_send(sink, STR("big"), str_make(big, BIG), 0));
    assert_true(sink_send(sink, STR("small"), STR("1"), 1));
    assert_true(sink_flush(sink, TIMEOUT_MS));
    assert_true(refused.length == BIG && refused.asked == 2 && receipts.count[0] == 1 && receipts.count[1] == 1);
    sink_close(sink);
    free(big);
    free(receipts.count);
    clean_up(&setting);
}

static void a_topic_that_comes_later_gets_its_records(void **state)
{
    (void)state;
    struct setting setting;
    struct receipts receipts = {.count = calloc(2000, 1)};
    struct found found = {.count = calloc(2000, 1)};
    set_up(&setting, "later");
    struct log *log = setting.log;
    setting.log = NULL;
    setting.config.kafka.properties.items = (str_t[]){STR("topic.metadata.propagation.max.ms=500"), STR("topic.metadata.refresh.interval.ms=500")};
    setting.config.kafka.properties.count = 2;
    struct sink *sink = open_sink(&setting, 0);
    setting.config.kafka.properties.count = 0;
    sink->acked = acked;
    sink->context = &receipts;
    send_numbers(sink, 0, 2000);
    assert_false(sink_flush(sink, 2000));
    make_topics(&setting);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    sink_close(sink);
    read_topic(&setting, setting.config.kafka.topic_raw, &found);
    for (size_t i = 0; i < 2000; i++)
        assert_true(receipts.count[i] == 1 && found.count[i] == 1);
    setting.log = log;
    free(receipts.count);
    free(found.count);
    clean_up(&setting);
}

/* ---- the spool ---- */

static void control_broker(const char *verb)
{
    char command[512];
    snprintf(command, sizeof command, "%s/tests/services/kafka %s '%s'", SOURCE_DIR, verb, getenv("COLLINE_KAFKA"));
    assert_int_equal(system(command), 0);
}

static struct sink *open_spooling(struct setting *setting, struct spool_folder *folder, struct receipts *receipts)
{
    struct spooling_options options = {
        .spool = {.folder = folder->path, .segment = 65536, .clock = setting->clock, .log = folder->log}, .away_ms = 500};
    struct sink *sink = spooling_sink_open(open_sink(setting, 2000), &options, &setting->error);
    assert_non_null(sink);
    sink->acked = acked;
    sink->context = receipts;
    return sink;
}

static void drain(struct sink *sink)
{
    for (int i = 0; i < 3000 && !spooling_sink_is_drained(sink); i++)
        sink_poll(sink, 10);
    assert_true(spooling_sink_is_drained(sink));
}

/* What the receiver has not acknowledged when the broker goes stays with it; all later records are on disk. */
static void the_spool_bridges_a_broker_that_goes_away(const char *down, const char *up)
{
    enum { COUNT = 30000 };
    struct setting setting;
    struct spool_folder folder;
    struct receipts receipts = {.count = calloc(COUNT, 1)};
    struct found found = {.count = calloc(COUNT, 1)};
    set_up(&setting, down);
    make_topics(&setting);
    be_quiet(&setting);
    spool_folder_make(&folder);
    struct sink *sink = open_spooling(&setting, &folder, &receipts);
    send_numbers(sink, 0, 10000);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    drain(sink); /* a slow start may have used it already */
    control_broker(down);
    send_numbers(sink, 10000, 20000);
    assert_true(spooling_sink_is_away(sink));
    assert_false(spooling_sink_is_drained(sink));
    control_broker(up);
    send_numbers(sink, 20000, COUNT);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    drain(sink);
    assert_false(spooling_sink_is_away(sink));
    sink_close(sink);
    assert_int_equal(receipts.total, COUNT);
    read_topic(&setting, setting.config.kafka.topic_raw, &found);
    assert_int_equal(found.total, COUNT);
    assert_int_equal(found.backwards, 0);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(receipts.count[i] == 1 && found.count[i] == 1);
    spool_folder_remove(&folder);
    free(receipts.count);
    free(found.count);
    clean_up(&setting);
}

static void a_killed_broker_loses_and_doubles_nothing(void **state)
{
    (void)state;
    the_spool_bridges_a_broker_that_goes_away("kill", "start");
}

static void a_broker_that_hangs_loses_and_doubles_nothing(void **state)
{
    (void)state;
    the_spool_bridges_a_broker_that_goes_away("pause", "resume");
}

/* The processor time of a record, for the report; no bound is asserted, the machine is shared. */
static void the_price_of_a_record(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    struct setting setting;
    struct receipts receipts = {.count = calloc(COUNT, 1)};
    char value[200];
    memset(value, 'x', sizeof value);
    set_up(&setting, "price");
    make_topics(&setting);
    struct sink *sink = open_sink(&setting, 0);
    sink->acked = acked;
    sink->context = &receipts;
    double before = processor_seconds();
    for (uint64_t n = 0; n < COUNT; n++) {
        char key[64];
        size_t length = text_of(key, "", n / 5 * 7919);
        while (!sink_send(sink, str_make(key, length), str_make(value, sizeof value - n % 50), n))
            sink_poll(sink, 10);
        if (n % 256 == 0)
            sink_poll(sink, 0);
    }
    assert_true(sink_flush(sink, 60000));
    printf("{\"kafka_sink_us_per_record\": %.3f}\n", (processor_seconds() - before) / (double)COUNT * 1e6);
    assert_int_equal(receipts.total, COUNT);
    sink_close(sink);
    free(receipts.count);
    clean_up(&setting);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_are_made_once_and_judged),
        cmocka_unit_test(a_topic_that_was_just_made_tells_its_ends),
        cmocka_unit_test(a_broker_that_is_not_there_is_told),
        cmocka_unit_test(records_arrive_once_in_order_by_the_partition_of_their_key),
        cmocka_unit_test(a_full_sink_says_so),
        cmocka_unit_test(what_no_broker_takes_is_refused_and_holds_up_nothing),
        cmocka_unit_test(a_topic_that_comes_later_gets_its_records),
        cmocka_unit_test(a_killed_broker_loses_and_doubles_nothing),
        cmocka_unit_test(a_broker_that_hangs_loses_and_doubles_nothing),
        cmocka_unit_test(the_price_of_a_record),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
