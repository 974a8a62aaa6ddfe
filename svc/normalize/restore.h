/*
 * Open joins back from the compacted topic, a partition at a time, after an assignment or a restart. Reading ends at the high watermark as it
 * was when it began, unfinished transactions included: such a one holds reading back until it is committed or timed out, so
 * nothing that a dead worker had committed is missed.
 */
#ifndef COLLINE_NORMALIZE_RESTORE_H
#define COLLINE_NORMALIZE_RESTORE_H

#include "bus/kafka_reader.h"
#include "normalize/joiner.h"

struct restore;

/* NULL with the reason in `error`. For partitions below `partitions`. */
struct restore *restore_open(const struct config_kafka *kafka, int32_t partitions, struct log *log, struct buf *error);
void restore_close(struct restore *restore);

/* Call it after the committed offset is known, never before. False: the broker does not answer, try again. */
bool restore_begin(struct restore *restore, int32_t partition, int timeout_ms);

/* Reads for up to timeout_ms. */
void restore_poll(struct restore *restore, int timeout_ms);

bool restore_is_complete(const struct restore *restore, int32_t partition);

/* How many records came so far; where it stands still, something holds them back. */
uint64_t restore_records(const struct restore *restore, int32_t partition);

/* Hands the states over and forgets them. Gives how many. */
size_t restore_give(struct restore *restore, int32_t partition, struct joiner *joiner);

/* The partition went away. */
void restore_drop(struct restore *restore, int32_t partition);

#endif
