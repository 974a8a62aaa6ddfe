/*
 * Questions to a broker that a person asks: whether it can be reached, why not, and how the consumer group of the configuration stands. Nothing is joined,
 * committed or made. Each call ends within its time.
 */
#ifndef COLLINE_BUS_KAFKA_PROBE_H
#define COLLINE_BUS_KAFKA_PROBE_H

#include "bus/kafka.h"

enum kafka_reach {
    KAFKA_REACHED,
    KAFKA_SILENT,      /* nothing more is known than that nobody answered in time */
    KAFKA_UNCONNECTED, /* no connection, or it is closed at once */
    KAFKA_UNRESOLVED,  /* a name has no address */
    KAFKA_NO_TLS,      /* the certificate, or one side does not speak TLS */
    KAFKA_NO_LOGIN     /* the credentials are refused */
};

struct kafka_probe;

/* NULL with the reason in `error` when a setting is refused. `kafka` is borrowed for the call. */
struct kafka_probe *kafka_probe_open(const struct config_kafka *kafka, struct buf *error);
void kafka_probe_close(struct kafka_probe *probe); /* takes NULL */

/* `brokers` gets their number; `detail` the client's own words when it is not reached. */
enum kafka_reach kafka_probe_reach(struct kafka_probe *probe, int timeout_ms, int *brokers, struct buf *detail);

struct kafka_group {
    char state[32]; /* Stable, Empty … as Kafka calls it */
    size_t members;
    int32_t partitions, uncommitted; /* of the topic; those for which nothing was ever committed */
    int32_t ahead;                   /* committed beyond the end: the topic was made anew */
    uint64_t lag;                    /* records behind what is committed */
    uint64_t lost;                   /* records between what is committed and the first that is still there */
};

/* How the group of the configuration stands with a topic of so many partitions. False with the reason in `error`. */
bool kafka_probe_group(struct kafka_probe *probe, str_t topic, int32_t partitions, int timeout_ms, struct kafka_group *group, struct buf *error);

#endif
