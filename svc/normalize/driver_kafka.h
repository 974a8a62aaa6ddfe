/*
 * Normalising as a member of a Kafka consumer group, exactly once for each query and revision: raw records of a partition become events and
 * states in the partitions of the same number, written in one transaction with the offsets up to which was read.
 *
 * Any number of processes share the work, and may die at any point. One thread a driver.
 */
#ifndef COLLINE_NORMALIZE_DRIVER_KAFKA_H
#define COLLINE_NORMALIZE_DRIVER_KAFKA_H

#include "config/config.h"
#include "normalize/normalizer.h"
#include "run/stop.h"

struct kafka_driver_options {
    struct normalizer_options normalizer;
    const struct config_kafka *kafka; /* borrowed as long as the driver lives */
    str_t instance;                   /* two that run at once need two names */
    size_t batch;                     /* records of one transaction; 0: 20000 */
    int64_t batch_wait_ms;            /* 0: 20 */
    const struct stop *stop;          /* once asked for, a broker that does not answer is not waited for any longer; NULL: none */
};

struct kafka_driver;

/* NULL with the reason in `error`; whether the broker answers shows only later. */
struct kafka_driver *kafka_driver_open(const struct kafka_driver_options *options, struct buf *error);

/* Commits what it has and leaves the group. */
void kafka_driver_close(struct kafka_driver *driver);

/*
 * One round: waits up to timeout_ms for records, at most one transaction. False: it cannot go on, the log says why (topics with
 * unequal numbers of partitions, another process under this instance's name): close and end.
 */
bool kafka_driver_step(struct kafka_driver *driver, int timeout_ms);

/* Whether the broker answered and the topics are as they must be. */
bool kafka_driver_is_ready(const struct kafka_driver *driver);

struct kafka_driver_totals {
    uint64_t records, events, invalid; /* of committed transactions */
    uint64_t commits, aborts;
    int32_t partitions; /* read now */
    int32_t stuck;      /* cannot be read: a transaction that nobody ends holds back their open joins */
};

struct kafka_driver_totals kafka_driver_totals(const struct kafka_driver *driver);

#endif
