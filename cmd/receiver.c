/* Kafka behind a spool. */
#include "receiver.h"

#include "cmd.h"

#include "bus/kafka.h"
#include "bus/spooling_sink.h"

#include <stdlib.h>

struct sink *receiver_open(const struct receiver_options *options, struct buf *error)
{
    const struct config *config = options->config;
    const struct kafka_sink_options kafka = {
        .kafka = &config->kafka,
        .topic = config->kafka.topic_raw,
        .in_flight = (uint32_t)config->limits.in_flight,
        .clock = *options->clock,
        .log = options->log,
        .metrics = options->metrics,
    };
    struct sink *broker = kafka_sink_open(&kafka, error);
    if (broker == NULL)
        return NULL;
    char *folder = need_format("%.*s/spool", (int)config->data_dir.len, config->data_dir.ptr);
    const struct spooling_options spooling = {
        .spool = {.folder = folder,
                  .limit = (uint64_t)config->limits.spool,
                  .segment = (uint64_t)config->limits.spool_segment,
                  .clock = *options->clock,
                  .log = options->log,
                  .metrics = options->metrics},
    };
    struct sink *sink = spooling_sink_open(broker, &spooling, error);
    free(folder);
    return sink;
}
