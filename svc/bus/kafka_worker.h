/*
 * A member of a consumer group that writes what it makes in transactions, together with the offsets up to which it has read: every input
 * has its effect exactly once. One thread uses a worker.
 *
 *     assigned: the partition is paused; restore its state; kafka_worker_resume(partition, committed offset)
 *     poll …, then kafka_worker_begin, _send …, _offsets, _commit; after KAFKA_ABORT _abort, and resume from the committed offsets
 */
#ifndef COLLINE_BUS_KAFKA_WORKER_H
#define COLLINE_BUS_KAFKA_WORKER_H

#include "bus/kafka_reader.h"

enum kafka_outcome {
    KAFKA_DONE,
    KAFKA_AGAIN, /* not now: the same call again */
    KAFKA_ABORT, /* abort the transaction, nothing of it was done */
    KAFKA_FATAL  /* another process took over this instance's name, or the like: end */
};

/* One topic that is written to. */
struct kafka_output {
    str_t topic;
    bool by_key; /* the partition follows from the key; else the sender names it */
};

enum {
    KAFKA_OUTPUTS = 4
};

struct kafka_worker_options {
    const struct config_kafka *kafka; /* borrowed for the call */
    str_t instance;                   /* the transactional id is group + instance: two that run at once need two; without outputs there is none */
    str_t topic;                      /* that is read */
    struct kafka_output outputs[KAFKA_OUTPUTS];
    size_t output_count;
    struct log *log;
    /* Called within kafka_worker_poll and kafka_worker_close. A partition comes paused. Revoked: all of them go; lost: they are another's already. */
    void (*assigned)(void *context, int32_t partition);
    void (*revoked)(void *context, bool lost);
    void *context;
};

struct kafka_worker;

/* Joins the group with the first poll. NULL with the reason in `error`. */
struct kafka_worker *kafka_worker_open(const struct kafka_worker_options *options, struct buf *error);
void kafka_worker_close(struct kafka_worker *worker);

/* Partitions of any topic; 0 with the reason. */
int32_t kafka_worker_partitions(struct kafka_worker *worker, str_t topic, int timeout_ms, struct buf *error);

/*
 * Ends what an earlier process of this instance left unfinished; once, before anything else. KAFKA_AGAIN while the broker
 * is away.
 */
enum kafka_outcome kafka_worker_init(struct kafka_worker *worker, int timeout_ms, struct buf *error);

/* True with a record of a partition that was resumed. */
bool kafka_worker_poll(struct kafka_worker *worker, int timeout_ms, struct kafka_input *input);

/* The committed offset, or the first one there is when nothing was committed yet. False when the broker does not tell in time, as while a transaction is unfinished. */
bool kafka_worker_committed(struct kafka_worker *worker, int32_t partition, int timeout_ms, int64_t *offset);

/* Where a partition ends now: the offset of the record that comes next. False when the broker does not tell in time. */
bool kafka_worker_end(struct kafka_worker *worker, int32_t partition, int timeout_ms, int64_t *end);

/* Goes to an offset and reads on from there; false when it cannot be done now: try again. */
bool kafka_worker_resume(struct kafka_worker *worker, int32_t partition, int64_t offset);
void kafka_worker_pause(struct kafka_worker *worker, int32_t partition);

enum kafka_outcome kafka_worker_begin(struct kafka_worker *worker);

/* Copies. `tombstone`: no value. KAFKA_AGAIN: its queue is full, after a while there is room. */
enum kafka_outcome kafka_worker_send(struct kafka_worker *worker, size_t output, int32_t partition, str_t key, str_t value, bool tombstone);

/* Where reading goes on after this transaction; at least one, even when nothing was read, for it is what fences a worker that lost its partitions. */
struct kafka_offset {
    int32_t partition;
    int64_t next;
};

/* For a worker without outputs, whose effects keep their own places: tells the group, for others to see; nothing depends on it. */
void kafka_worker_tell(struct kafka_worker *worker, const struct kafka_offset *offsets, size_t count);

enum kafka_outcome kafka_worker_offsets(struct kafka_worker *worker, const struct kafka_offset *offsets, size_t count);
enum kafka_outcome kafka_worker_commit(struct kafka_worker *worker, int timeout_ms);
enum kafka_outcome kafka_worker_abort(struct kafka_worker *worker, int timeout_ms);

#endif
