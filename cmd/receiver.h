/* Where captured records go when they go to Kafka: the raw topic, with a spool on disk for when the broker is away. */
#ifndef COLLINE_CMD_RECEIVER_H
#define COLLINE_CMD_RECEIVER_H

#include "bus/sink.h"
#include "config/config.h"
#include "run/log.h"
#include "run/metrics.h"

/* All borrowed as long as the sink lives. */
struct receiver_options {
    const struct config *config;
    const struct clock *clock;
    struct log *log;
    struct metrics *metrics;
};

/* NULL with the reason in `error`; that no broker answers is no reason. */
struct sink *receiver_open(const struct receiver_options *options, struct buf *error);

#endif
