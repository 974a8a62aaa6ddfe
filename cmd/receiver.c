/* Kafka behind a spool; what Kafka refuses is kept beside the spool. */
#include "receiver.h"

#include "cmd.h"

#include "bus/kafka.h"
#include "bus/refused.h"
#include "bus/spooling_sink.h"

#include <stdlib.h>

static struct refused *open_refused(const struct receiver_options *options)
{
    const struct config *config = options->config;
    char *path = need_format("%.*s/refused.jsonl", (int)config->data_dir.len, config->data_dir.ptr);
    const struct refused_options refused = {
        .path = path,
        .limit = (uint64_t)config->limits.spool,
        .kafka = &config->kafka,
        .clock = *options->clock,
        .log = options->log,
        .metrics = options->metrics,
    };
    struct refused *result = need(refused_new(&refused));
    free(path);
    return result;
}

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
        .refused = refused_keep,
        .refused_context = open_refused(options),
        .refused_release = refused_free,
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
