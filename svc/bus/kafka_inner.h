/* Inner to svc/bus/kafka*.c, and the only file that includes rdkafka.h: how each client is set up, and texts for what went wrong. */
#ifndef COLLINE_BUS_KAFKA_INNER_H
#define COLLINE_BUS_KAFKA_INNER_H

#include "bus/kafka_reader.h"

#include <librdkafka/rdkafka.h>

/*
 * Settings that all clients share: brokers, security, the log. `opaque` of the client becomes its log. NULL with the reason in
 * `error` when librdkafka refuses a setting.
 */
rd_kafka_conf_t *kafka_conf(const struct config_kafka *kafka, struct log *log, struct buf *error);

/* One more setting; after a refusal `*conf` is NULL and `error` says why. Takes a NULL `*conf`. */
void kafka_set(rd_kafka_conf_t **conf, const char *name, str_t value, struct buf *error);

/* The properties that the configuration lists, last, so that they win. */
void kafka_set_properties(rd_kafka_conf_t **conf, const struct config_kafka *kafka, struct buf *error);

/* The client; takes the settings in any case. */
rd_kafka_t *kafka_client(rd_kafka_type_t type, rd_kafka_conf_t *conf, struct buf *error);

void kafka_explain(struct buf *error, const char *what, rd_kafka_resp_err_t code, const char *detail);

/* Partitions of a topic; 0 with the reason. */
int32_t kafka_count_partitions(rd_kafka_t *client, const char *topic, int timeout_ms, struct buf *error);

/*
 * First offset of a partition, and the one behind its last record. A broker that knows a topic may not lead each of its partitions yet, when it
 * was made or the broker started a moment ago; librdkafka then tells at once, so it is asked again until the time is over.
 */
rd_kafka_resp_err_t kafka_ends(rd_kafka_t *client, const char *topic, int32_t partition, int timeout_ms, int64_t *low, int64_t *high);

/* Takes the message over; kafka_input_release frees it. */
void kafka_input_of(struct kafka_input *input, rd_kafka_message_t *message);

static inline str_t kafka_text(const char *text)
{
    return text == NULL ? STR("") : str_make(text, strlen(text));
}

/* A copy with a NUL behind it, to be freed. */
char *kafka_string(str_t text);

#endif
