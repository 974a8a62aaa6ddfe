/*
 * svc/bus/refused.h against a real broker: a record that this side refuses and one that the broker refuses are kept and told, what stands
 * around them arrives. tests/services/run starts the broker.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka_reader.h"
#include "bus/refused.h"
#include "record/invalid.h"
#include "support/kafka_setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    TOO_LARGE_HERE = 19000000,  /* message.max.bytes below */
    TOO_LARGE_THERE = 17500000, /* max.message.bytes of the topic: 16 MiB */
    RECORDS = 40                /* 0 and 20 are too large */
};

static void note_acked(void *context, uint64_t cookie)
{
    ((unsigned char *)context)[cookie]++;
}

/* Of letters, all the same but for the first one. */
static str_t big_text(size_t length, char first)
{
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, 'x', length);
    text[0] = first;
    return str_make(text, length);
}

static void send(struct sink *sink, str_t value, uint64_t cookie)
{
    while (!sink_send(sink, STR("a:b"), value, cookie))
        sink_poll(sink, 10);
}

/* Reads a topic to its end; calls `take` for each value. */
static size_t read_topic(struct setting *setting, str_t topic, void (*take)(void *context, str_t value), void *context)
{
    struct kafka_reader *reader = kafka_reader_open(&setting->config.kafka, topic, setting->log, &setting->error);
    size_t count = 0;
    assert_non_null(reader);
    for (int32_t partition = 0; partition < PARTITIONS; partition++) {
        int64_t low, high;
        struct kafka_input input;
        assert_true(kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high));
        assert_true(kafka_reader_start(reader, partition, low));
        for (bool end = high == 0; !end;) {
            enum kafka_read what = kafka_reader_poll(reader, TIMEOUT_MS, &input);
            assert_int_not_equal(what, KAFKA_READ_NOTHING);
            end = what == KAFKA_READ_END && input.offset >= high;
            if (what == KAFKA_READ_RECORD) {
                take(context, input.value);
                count++;
            }
            kafka_input_release(&input);
        }
        kafka_reader_stop(reader, partition);
    }
    kafka_reader_close(reader);
    return count;
}

static void take_small(void *context, str_t value)
{
    (void)context;
    assert_int_equal(value.len, 5);
}

static void take_note(void *context, str_t value)
{
    struct arena arena;
    struct invalid_record note;
    str_t reason;
    arena_init(&arena, 0, NULL);
    assert_true(invalid_read(value, &arena, &note, &reason));
    assert_int_equal(note.value.len, 0);
    assert_true(str_eq(note.stage, STR("capture")));
    char *text = strndup(note.reason.ptr, note.reason.len);
    assert_non_null(strstr(text, "; it is kept in refused-"));
    *(unsigned *)context |= strstr(text, "a record of 19000000 bytes: ") != NULL ? 1U : 0U;
    *(unsigned *)context |= strstr(text, "a record of 17500000 bytes: ") != NULL ? 2U : 0U;
    free(text);
    arena_release(&arena);
}

/* The values of the file's lines, in order. */
static void check_file(const char *path, const str_t *values, size_t count)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        struct arena arena;
        struct invalid_record record;
        str_t reason;
        ssize_t length = getline(&line, &size, file);
        assert_true(length > 0);
        arena_init(&arena, 0, NULL);
        assert_true(invalid_read(str_make(line, (size_t)length), &arena, &record, &reason));
        assert_true(str_eq(record.value, values[i]));
        arena_release(&arena);
    }
    assert_true(getline(&line, &size, file) < 0);
    free(line);
    fclose(file);
}

static void what_is_refused_is_kept_and_told(void **state)
{
    (void)state;
    struct setting setting;
    char path[64];
    unsigned char acked[RECORDS] = {0};
    unsigned told = 0;
    str_t big[] = {big_text(TOO_LARGE_HERE, 'a'), big_text(TOO_LARGE_THERE, 'b')};
    str_t properties[] = {STR("message.max.bytes=18000000"), STR("queue.buffering.max.kbytes=65536")};
    set_up(&setting, "refused");
    make_topics(&setting);
    be_quiet(&setting);
    setting.config.kafka.compression = STR("none");
    setting.config.kafka.properties = (struct config_list){properties, 2};
    snprintf(path, sizeof path, "refused-%d.jsonl", (int)getpid());
    unlink(path);
    const struct refused_options options = {.path = path, .limit = 100000000, .kafka = &setting.config.kafka, .clock = setting.clock,
                                            .log = setting.log};
    const struct kafka_sink_options sink_options = {.kafka = &setting.config.kafka, .topic = setting.config.kafka.topic_raw,
                                                    .clock = setting.clock, .log = setting.log, .refused = refused_keep,
                                                    .refused_context = refused_new(&options), .refused_release = refused_free};
    struct sink *sink = kafka_sink_open(&sink_options, &setting.error);
    assert_non_null(sink);
    sink->acked = note_acked;
    sink->context = acked;
    for (uint64_t n = 0; n < RECORDS; n++)
        send(sink, n % 20 == 0 ? big[n / 20] : STR("small"), n);
    assert_true(sink_flush(sink, TIMEOUT_MS));
    for (size_t n = 0; n < RECORDS; n++)
        assert_int_equal(acked[n], 1);
    sink_close(sink);
    check_file(path, big, 2);
    assert_int_equal(read_topic(&setting, setting.config.kafka.topic_raw, take_small, NULL), RECORDS - 2);
    assert_int_equal(read_topic(&setting, setting.config.kafka.topic_invalid, take_note, &told), 2);
    assert_int_equal(told, 3);
    unlink(path);
    free((void *)(uintptr_t)big[0].ptr);
    free((void *)(uintptr_t)big[1].ptr);
    setting.config.kafka.properties = (struct config_list){NULL, 0};
    clean_up(&setting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused_is_kept_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
