/*
 * topic_dump PORT TOPIC: what was committed to a topic of the broker on 127.0.0.1:PORT, a record a line: partition, offset, key, value, with tabs
 * between. For scripts that look at what the services wrote.
 */
#include "bus/kafka_reader.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    TIMEOUT_MS = 60000
};

static void print_record(const struct kafka_input *input)
{
    printf("%d\t%lld\t%.*s\t", (int)input->partition, (long long)input->offset, (int)input->key.len, input->key.ptr);
    fwrite(input->value.ptr, 1, input->value.len, stdout);
    putchar('\n');
}

/* False when the broker does not answer. */
static bool dump_partition(struct kafka_reader *reader, int32_t partition)
{
    struct kafka_input input;
    int64_t low, high;
    if (!kafka_reader_bounds(reader, partition, TIMEOUT_MS, &low, &high))
        return false;
    if (low == high)
        return true;
    if (!kafka_reader_start(reader, partition, low))
        return false;
    enum kafka_read what;
    bool end = false;
    while (!end && (what = kafka_reader_poll(reader, TIMEOUT_MS, &input)) != KAFKA_READ_NOTHING) {
        if (what == KAFKA_READ_RECORD)
            print_record(&input);
        end = what == KAFKA_READ_END && input.offset >= high;
        kafka_input_release(&input);
    }
    kafka_reader_stop(reader, partition);
    return end;
}

int main(int argc, char **argv)
{
    struct config config;
    struct buf error;
    char broker[64];
    if (argc != 3)
        return 2;
    config_init(&config);
    buf_init(&error, 4096);
    snprintf(broker, sizeof broker, "127.0.0.1:%s", argv[1]);
    str_t brokers = str_make(broker, strlen(broker));
    config.kafka.brokers = (struct config_list){&brokers, 1};
    struct kafka_reader *reader = kafka_reader_open(&config.kafka, str_make(argv[2], strlen(argv[2])), NULL, &error);
    int32_t partitions = reader == NULL ? 0 : kafka_reader_partitions(reader, TIMEOUT_MS, &error);
    bool good = partitions > 0;
    for (int32_t i = 0; good && i < partitions; i++)
        good = dump_partition(reader, i);
    if (!good)
        fprintf(stderr, "topic_dump: %s cannot be read to its end: %.*s\n", argv[2], (int)error.len, error.ptr);
    kafka_reader_close(reader);
    buf_release(&error);
    config_release(&config);
    return good ? 0 : 1;
}
