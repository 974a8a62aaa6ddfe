/*
 * What a benchmark asks of a broker on 127.0.0.1:
 *
 *     topic create PORT TOPIC PARTITIONS
 *     topic wait PORT TOPIC RECORDS SECONDS      until the topic holds that many or the time is over; prints how many it holds
 *
 * Records are counted by the partitions' offsets, so nothing is read.
 */
#include "bus/kafka_reader.h"
#include "bus/kafka_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    TIMEOUT_MS = 20000,
    LOOK_MS = 50
};

static str_t text_of(const char *text)
{
    return str_make(text, strlen(text));
}

static void pause_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

static bool create(const struct config_kafka *kafka, const char *name, int32_t partitions, struct buf *error)
{
    const struct kafka_topic topic = {.name = text_of(name), .use = "benchmark"};
    struct config_kafka settings = *kafka;
    settings.partitions = partitions;
    return kafka_topics_create(&settings, NULL, &topic, 1, TIMEOUT_MS, error);
}

/* -1 when the broker does not answer. */
static int64_t count_records(struct kafka_reader *reader, int32_t partitions)
{
    int64_t count = 0;
    for (int32_t i = 0; i < partitions; i++) {
        int64_t low, high;
        if (!kafka_reader_bounds(reader, i, TIMEOUT_MS, &low, &high))
            return -1;
        count += high - low;
    }
    return count;
}

static bool wait_for(const struct config_kafka *kafka, const char *name, int64_t records, long seconds, struct buf *error)
{
    struct kafka_reader *reader = kafka_reader_open(kafka, text_of(name), NULL, error);
    int32_t partitions = reader == NULL ? 0 : kafka_reader_partitions(reader, TIMEOUT_MS, error);
    int64_t count = partitions == 0 ? -1 : count_records(reader, partitions);
    for (long looks = seconds * 1000 / LOOK_MS; looks > 0 && partitions > 0 && count < records; looks--) { /* a broker may be coming up */
        pause_ms(LOOK_MS);
        count = count_records(reader, partitions);
    }
    kafka_reader_close(reader);
    if (count >= 0)
        printf("%lld\n", (long long)count);
    return count >= 0;
}

int main(int argc, char **argv)
{
    struct config config;
    struct buf error;
    char broker[64];
    bool makes = argc == 5 && strcmp(argv[1], "create") == 0, waits = argc == 6 && strcmp(argv[1], "wait") == 0, good = false;
    if (!makes && !waits)
        return 2;
    config_init(&config);
    buf_init(&error, 4096);
    (void)snprintf(broker, sizeof broker, "127.0.0.1:%s", argv[2]);
    str_t brokers = text_of(broker);
    config.kafka.brokers = (struct config_list){&brokers, 1};
    if (makes)
        good = create(&config.kafka, argv[3], (int32_t)strtol(argv[4], NULL, 10), &error);
    else
        good = wait_for(&config.kafka, argv[3], strtoll(argv[4], NULL, 10), strtol(argv[5], NULL, 10), &error);
    if (!good)
        (void)fprintf(stderr, "topic: %s: %.*s\n", argv[3], (int)error.len, error.ptr);
    buf_release(&error);
    config_release(&config);
    return good ? 0 : 1;
}
