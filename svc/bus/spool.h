/*
 * Records on disk while their receiver is away: in order, safe from a crash once `stored` was called for them, read back when the receiver is
 * there again. One process and one thread use a spool; its folder is locked.
 *
 *     spool_append …, spool_sync          the records are stored: their sender may forget them
 *     spool_peek, spool_advance …         the oldest that was not read yet is sent on
 *     spool_done(sequence)                the receiver has it; a file whose records are all done is removed
 *
 * After a restart reading begins at the oldest record that was not done (what was done within the last second may come again).
 * Damaged places are named in the log with file and offset and cost only the records that they lie in.
 */
#ifndef COLLINE_BUS_SPOOL_H
#define COLLINE_BUS_SPOOL_H

#include "bus/spool_segment.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/metrics.h"

struct spool_options {
    const char *folder; /* made 0700 when it is not there; files are 0600 */
    uint64_t limit;     /* bytes of all files; 0: 1 GB */
    uint64_t segment;   /* bytes of one file; 0: 16 MiB; never more than a quarter of the limit */
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    /* The record of this cookie is safe on disk. Called within spool_append and spool_sync. */
    void (*stored)(void *context, uint64_t cookie);
    void *context;
};

struct spool;

/* NULL with the reason in `error`: the folder cannot be used, or another process does. */
struct spool *spool_open(const struct spool_options *options, struct buf *error);

/* Syncs, notes what is done, closes. Takes NULL. */
void spool_close(struct spool *spool);

/* Takes a copy. False: the limit is reached or the disk takes no more (said once in the log); nothing was taken. */
bool spool_append(struct spool *spool, str_t key, str_t value, uint64_t cookie);

/* The sequence number of what was appended last. */
uint64_t spool_last(const struct spool *spool);

/* Makes safe what was appended; false when the disk takes it not now: call it again later, it tries once a second. */
bool spool_sync(struct spool *spool);

/* The oldest stored record that was not advanced over, valid until the next call; false when there is none. */
bool spool_peek(struct spool *spool, struct spool_record *record);
void spool_advance(struct spool *spool);

void spool_done(struct spool *spool, uint64_t sequence);

/* Records that were appended and not advanced over; those not done are at least as many. */
bool spool_has_unread(const struct spool *spool);
bool spool_is_empty(const struct spool *spool); /* all is done */
uint64_t spool_bytes(const struct spool *spool);

#endif
