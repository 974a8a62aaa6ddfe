/*
 * Tells of partitions behind a transaction that nobody ends. One of a worker that died ends by its time-out; Kafka can lose sight of one, when a broker dies at
 * the wrong moment (KIP-890): then nothing behind it is ever given out, and only its administrator can end it.
 */
#ifndef COLLINE_LOAD_HANGING_H
#define COLLINE_LOAD_HANGING_H

#include "bus/kafka_worker.h"
#include "run/log.h"

enum { HANGING_MS = 30000 /* three times what a transaction may last */ };

/* Of one partition, all zero at first. */
struct hanging {
    int64_t stable; /* the offset up to which all transactions are ended, when it was asked for last */
    int64_t since;  /* steady ms: it stands there, and there is more behind it; 0: there is not */
};

/* Whether one hangs, by what was told at a time; `end` is the offset behind the last record of all. */
bool hanging_note(struct hanging *hanging, int64_t stable, int64_t end, int64_t now_ms);

struct hanging_watch;

/* `worker` reads the topic, and outlives it. NULL with the reason in `error`. */
struct hanging_watch *hanging_watch_open(const struct config_kafka *kafka, str_t topic, struct kafka_worker *worker, struct log *log, struct buf *error);
void hanging_watch_close(struct hanging_watch *watch);

/* Asks the broker of a partition, and says in the log when one hangs. False when the broker does not tell in time; then *hangs stays what it was. */
bool hanging_watch_look(struct hanging_watch *watch, int32_t partition, struct hanging *hanging, int64_t now_ms, bool *hangs);

#endif
