/*
 * Records that no broker will ever take (too large, mostly): each is kept in a file as a line of JSON (record/invalid.h), with the reason,
 * and told in another topic without its value. A record that is kept may count as acknowledged.
 */
#ifndef COLLINE_BUS_REFUSED_H
#define COLLINE_BUS_REFUSED_H

#include "bus/kafka.h"

struct refused_options {
    const char *path;                 /* appended to; made 0600 with the first record. Copied */
    uint64_t limit;                   /* bytes of the file; what would make it larger is only said and counted */
    const struct config_kafka *kafka; /* lives longer than the result: `topic_raw` refused it, `topic_invalid` is told */
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
};

struct refused;

/* Opens nothing yet. NULL when memory is out. */
struct refused *refused_new(const struct refused_options *options);

/* As kafka_sink_options asks for it; `context` is the struct refused. False when the disk takes it not now: keep it, and give it again later. */
bool refused_keep(void *context, str_t key, str_t value, str_t reason);

/* Gives the last notes a second to reach the topic. Takes NULL. */
void refused_free(void *context);

#endif
