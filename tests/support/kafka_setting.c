#include "support/kafka_setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static str_t keep(struct setting *setting, const char *text)
{
    return arena_copy(&setting->config.arena, str_make(text, strlen(text)));
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

void set_up(struct setting *setting, const char *topics)
{
    static const char *const uses[] = {"raw", "normalized", "invalid", "open", "catalog"};
    char text[128];
    const char *port = getenv("COLLINE_KAFKA_PORT");
    if (port == NULL)
        fail("COLLINE_KAFKA_PORT is not set: tests/services/run sets it");
    config_init(&setting->config);
    struct config_kafka *kafka = &setting->config.kafka;
    str_t *of[] = {&kafka->topic_raw, &kafka->topic_normalized, &kafka->topic_invalid, &kafka->topic_open, &kafka->topic_catalog};
    snprintf(text, sizeof text, "127.0.0.1:%s", port);
    kafka->brokers.items = ARENA_NEW(&setting->config.arena, str_t);
    kafka->brokers.count = 1;
    kafka->brokers.items[0] = keep(setting, text);
    kafka->partitions = PARTITIONS;
    for (size_t i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "%s-%d-%s", topics, (int)getpid(), uses[i]);
        *of[i] = keep(setting, text);
    }
    snprintf(text, sizeof text, "%s-%d", topics, (int)getpid());
    kafka->group = keep(setting, text);
    setting->clock = clock_system();
    setting->log = log_open(&(struct log_options){.level = LOG_LEVEL_ERROR}, &setting->clock);
    buf_init(&setting->error, 0);
}

void clean_up(struct setting *setting)
{
    config_release(&setting->config);
    log_close(setting->log);
    buf_release(&setting->error);
}

void make_topics(struct setting *setting)
{
    struct kafka_topic topics[KAFKA_TOPICS];
    kafka_topics_of(&setting->config.kafka, topics);
    if (!kafka_topics_create(&setting->config.kafka, setting->log, topics, KAFKA_TOPICS, TIMEOUT_MS, &setting->error))
        fail("topics cannot be made");
}

void be_quiet(struct setting *setting)
{
    log_close(setting->log);
    setting->log = NULL;
}

/* ---- transactions ----------------------------------------------------------------------------------------------- */

void ignore_assigned(void *context, int32_t partition)
{
    (void)context;
    (void)partition;
}

void ignore_revoked(void *context, bool lost)
{
    (void)context;
    (void)lost;
}

/* The end of the log shows that it is there. */
static void wait_for_record(struct setting *setting, str_t topic, int32_t partition)
{
    struct kafka_reader *reader = kafka_reader_open(&setting->config.kafka, topic, setting->log, &setting->error);
    int64_t low, high = 0, until = clock_steady(&setting->clock) + TIMEOUT_MS;
    while (reader != NULL && high == 0 && clock_steady(&setting->clock) < until)
        (void)kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high);
    kafka_reader_close(reader);
    if (high != 1)
        fail("the record of the open transaction is not there");
}

struct kafka_worker *leave_a_transaction_open(struct setting *setting, str_t topic, int32_t partition)
{
    struct config_kafka kafka = setting->config.kafka;
    kafka.group = STR("gone"); /* what never polls must not hold up the others' group */
    struct kafka_worker_options options = {.kafka = &kafka,
                                           .instance = STR("gone"),
                                           .topic = setting->config.kafka.topic_raw,
                                           .outputs = {{topic, false}},
                                           .output_count = 1,
                                           .log = setting->log,
                                           .assigned = ignore_assigned,
                                           .revoked = ignore_revoked};
    struct kafka_worker *worker = kafka_worker_open(&options, &setting->error);
    if (worker == NULL || kafka_worker_init(worker, TIMEOUT_MS, &setting->error) != KAFKA_DONE || kafka_worker_begin(worker) != KAFKA_DONE ||
        kafka_worker_send(worker, 0, partition, STR("q"), STR(""), true) != KAFKA_DONE)
        fail("no transaction can be begun");
    wait_for_record(setting, topic, partition);
    return worker;
}

static int64_t shifted_now(void *context)
{
    const struct shifted_clock *shifted = context;
    return clock_now(&shifted->real);
}

static int64_t shifted_steady(void *context)
{
    const struct shifted_clock *shifted = context;
    return clock_steady(&shifted->real) + shifted->ahead;
}

struct clock clock_shifted(struct shifted_clock *shifted)
{
    return (struct clock){shifted_now, shifted_steady, shifted};
}
