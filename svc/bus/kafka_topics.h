/* Topics: what the broker has, and making what is missing. */
#ifndef COLLINE_BUS_KAFKA_TOPICS_H
#define COLLINE_BUS_KAFKA_TOPICS_H

#include "bus/kafka.h"

enum {
    KAFKA_TOPICS = 5
};

/* One of the topics of the configuration. */
struct kafka_topic {
    str_t name;
    const char *use; /* for people: raw records */
    bool compacted;
    int32_t partitions;  /* 0: there is no such topic */
    int32_t replication;
    int32_t behind; /* partitions with a copy that is not in sync */
    bool cleanup_known, is_compacted; /* as the broker has it */
};

/* Raw, normalised, invalid, open, catalog, in this order; nothing is asked yet. */
void kafka_topics_of(const struct config_kafka *kafka, struct kafka_topic topics[KAFKA_TOPICS]);

/* Asks the broker; false with the reason when it does not answer within timeout_ms. */
bool kafka_topics_ask(const struct config_kafka *kafka, struct log *log, struct kafka_topic *topics, size_t count, int timeout_ms, struct buf *error);

/* Makes those with partitions == 0; false when one could not be made, `error` says which and why. One that is there by now is fine. */
bool kafka_topics_create(const struct config_kafka *kafka, struct log *log, const struct kafka_topic *topics, size_t count, int timeout_ms,
                         struct buf *error);

/* What is wrong with what was found: `name: …` and a line break each. True when nothing is. */
bool kafka_topics_judge(const struct config_kafka *kafka, const struct kafka_topic *topics, size_t count, struct buf *wrong);

#endif
