/*
 * Reads partitions of one topic from a place to a place, outside any consumer group: open joins and catalogs after a restart, invalid records
 * to be replayed, what tests want to see. Only what was committed is read. Not for several threads.
 */
#ifndef COLLINE_BUS_KAFKA_READER_H
#define COLLINE_BUS_KAFKA_READER_H

#include "bus/kafka.h"

/* A record that was read. Borrowed until kafka_input_release. */
struct kafka_input {
    int32_t partition;
    int64_t offset;
    int64_t timestamp; /* ms, as Kafka has it */
    str_t key, value;
    bool tombstone; /* no value at all, which is not an empty one */
    void *message;
};

void kafka_input_release(struct kafka_input *input);

struct kafka_reader;

/* NULL with the reason in `error`. `kafka` is borrowed for the call. */
struct kafka_reader *kafka_reader_open(const struct config_kafka *kafka, str_t topic, struct log *log, struct buf *error);
void kafka_reader_close(struct kafka_reader *reader);

/* Number of partitions; 0 with the reason when there is no such topic or no broker. */
int32_t kafka_reader_partitions(struct kafka_reader *reader, int timeout_ms, struct buf *error);

/* First offset, and the one behind the last record of all, of unfinished transactions too. False when the broker does not tell in time. */
bool kafka_reader_bounds(struct kafka_reader *reader, int32_t partition, int timeout_ms, int64_t *low, int64_t *high);

/* Begins to read a partition; ends it. */
bool kafka_reader_start(struct kafka_reader *reader, int32_t partition, int64_t from);
void kafka_reader_stop(struct kafka_reader *reader, int32_t partition);

enum kafka_read {
    KAFKA_READ_NOTHING,
    KAFKA_READ_RECORD,
    KAFKA_READ_END /* all that is committed of input->partition was read up to input->offset, which is one behind it; more may come */
};

enum kafka_read kafka_reader_poll(struct kafka_reader *reader, int timeout_ms, struct kafka_input *input);

#endif
