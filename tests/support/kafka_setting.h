/*
 * For tests against a real broker: a configuration with topics of its own. $COLLINE_KAFKA is the broker's folder, $COLLINE_KAFKA_PORT its port;
 * without them, or when the topics cannot be made, the program ends as failed.
 */
#ifndef COLLINE_TESTS_KAFKA_SETTING_H
#define COLLINE_TESTS_KAFKA_SETTING_H

#include "bus/kafka_topics.h"
#include "bus/kafka_worker.h"

enum {
    TIMEOUT_MS = 60000,
    PARTITIONS = 4
};

struct setting {
    struct config config;
    struct clock clock;
    struct log *log;
    struct buf error;
};

/* `topics` begins the names of the topics and of the group. */
void set_up(struct setting *setting, const char *topics);
void clean_up(struct setting *setting);

void make_topics(struct setting *setting);

/* From now on nothing is said; for tests in which the broker goes away. */
void be_quiet(struct setting *setting);

/* What a worker tells of partitions, where nobody minds. */
void ignore_assigned(void *context, int32_t partition);
void ignore_revoked(void *context, bool lost);

/* A worker that has begun a transaction in a partition that was empty, and does not end it by itself. */
struct kafka_worker *leave_a_transaction_open(struct setting *setting, str_t topic, int32_t partition);

/* A clock whose steady time is some ms ahead of another one's. */
struct shifted_clock {
    struct clock real;
    int64_t ahead;
};

struct clock clock_shifted(struct shifted_clock *shifted);

#endif
