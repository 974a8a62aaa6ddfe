/*
 * Kafka, as far as Colline uses it: a sink for records (this file), a consumer with transactions (kafka_worker.h), topics
 * (kafka_topics.h). librdkafka is not seen outside svc/bus.
 */
#ifndef COLLINE_BUS_KAFKA_H
#define COLLINE_BUS_KAFKA_H

#include "bus/sink.h"
#include "config/config.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/metrics.h"

struct kafka_sink_options {
    const struct config_kafka *kafka; /* borrowed for the call */
    str_t topic;
    uint32_t in_flight; /* records sent and not acknowledged; 0: 20000 */
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    /* A record that no broker will ever take (too large). True: it is acknowledged; false: asked again later. NULL: only said in the log. */
    bool (*refused)(void *context, str_t key, str_t value, str_t reason);
    void *refused_context;
    void (*refused_release)(void *context); /* called when the sink is closed, also by an open that fails; may be NULL */
};

/*
 * A sink with an idempotent producer: each record is written once and in order within its key, acknowledged when all replicas in
 * sync have it. It waits for ever for a broker; `send` is false when `in_flight` records are unacknowledged. Cookies may be anything.
 * NULL with the reason in `error`; that no broker answers is no reason.
 */
struct sink *kafka_sink_open(const struct kafka_sink_options *options, struct buf *error);

/* Records of this sink that are not acknowledged. */
size_t kafka_sink_waiting(const struct sink *sink);

/* The partition of a key, as the Java clients choose it: murmur2. */
int32_t kafka_partition(str_t key, int32_t partitions);

#endif
