/* svc/bus/replay.h against a real broker: each record is moved once, or kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka_reader.h"
#include "bus/replay.h"
#include "support/kafka_setting.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COUNT = 1000
};

static void send_all(struct setting *setting, str_t topic)
{
    struct kafka_sink_options options = {.kafka = &setting->config.kafka, .topic = topic, .clock = setting->clock, .log = setting->log};
    struct sink *sink = kafka_sink_open(&options, &setting->error);
    assert_non_null(sink);
    for (int n = 0; n < COUNT; n++) {
        char text[32];
        str_t value = str_make(text, (size_t)snprintf(text, sizeof text, "%s %d", n % 2 == 0 ? "good" : "bad", n));
        assert_true(sink_send(sink, STR("any"), value, 0));
    }
    assert_true(sink_flush(sink, TIMEOUT_MS));
    sink_close(sink);
}

/* Counts by the number in the value; all must begin with `word`. */
static size_t count_all(struct setting *setting, str_t topic, const char *word, unsigned char counts[COUNT])
{
    struct kafka_reader *reader = kafka_reader_open(&setting->config.kafka, topic, setting->log, &setting->error);
    size_t total = 0;
    memset(counts, 0, COUNT);
    for (int32_t partition = 0; partition < PARTITIONS; partition++) {
        struct kafka_input input;
        int64_t low, high;
        assert_true(kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high));
        assert_true(kafka_reader_start(reader, partition, low));
        for (bool end = low == high; !end;) {
            enum kafka_read what = kafka_reader_poll(reader, TIMEOUT_MS, &input);
            assert_int_not_equal(what, KAFKA_READ_NOTHING);
            end = what == KAFKA_READ_END && input.offset >= high;
            char text[32] = "";
            if (what == KAFKA_READ_RECORD) {
                memcpy(text, input.value.ptr, input.value.len);
                counts[atoi(strchr(text, ' '))]++;
                total += strncmp(text, word, strlen(word)) == 0;
            }
            kafka_input_release(&input);
        }
        kafka_reader_stop(reader, partition);
    }
    kafka_reader_close(reader);
    return total;
}

static struct replay_verdict judge(void *context, str_t key, str_t value)
{
    (void)context;
    (void)key;
    return (struct replay_verdict){str_starts_with(value, STR("good")), STR("moved"), value};
}

static void what_can_be_used_moves_once_and_the_rest_stays(void **state)
{
    (void)state;
    struct setting setting;
    struct replay_totals totals;
    unsigned char counts[COUNT];
    set_up(&setting, "replay");
    make_topics(&setting);
    const struct config_kafka *kafka = &setting.config.kafka;
    send_all(&setting, kafka->topic_invalid);
    const struct replay_options options = {.kafka = kafka, .from = kafka->topic_invalid, .to = kafka->topic_raw, .judge = judge,
                                           .clock = setting.clock, .log = setting.log};
    assert_true(replay_run(&options, &totals, &setting.error));
    assert_true(totals.moved == COUNT / 2 && totals.put_back == COUNT / 2);
    assert_true(replay_run(&options, &totals, &setting.error));
    assert_true(totals.moved == 0 && totals.put_back == COUNT / 2);
    assert_int_equal(count_all(&setting, kafka->topic_raw, "good", counts), COUNT / 2);
    for (int n = 0; n < COUNT; n++)
        assert_int_equal(counts[n], n % 2 == 0);
    assert_int_equal(count_all(&setting, kafka->topic_invalid, "bad", counts), COUNT / 2 * 3);
    clean_up(&setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_be_used_moves_once_and_the_rest_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
