/*
 * From the normaliser's state into the store, in one process: a thread reads the events of the state in their order and loads them; how far it got is kept in the
 * store with what was loaded, so a crash at any point loses nothing and doubles nothing. It also keeps heat up to date, and takes away what is too old.
 */
#ifndef COLLINE_LOAD_FEED_H
#define COLLINE_LOAD_FEED_H

#include "load/documents.h"
#include "run/log.h"
#include "run/metrics.h"
#include "store/upkeep.h"

struct feed;

struct feed_options {
    const char *state; /* the normaliser's file */
    str_t store;       /* address; made when there is none */
    struct store_keeping keeping;
    struct load_catalogs catalogs; /* that tell columns, loaded at the start */
    size_t batch; /* events of a transaction at most; fewer where it would take long */
    int64_t batch_wait_ms;
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    void (*taken)(void *context, int64_t number); /* events up to this number are in the store; called by the thread */
    void *context;
};

/* Opens the store, migrates it, and starts the thread. NULL with the reason appended. */
struct feed *feed_start(const struct feed_options *options, struct buf *reason);

/*
 * `drain`: everything that stands in the state is loaded first. Else the batch in hand and one more, a few seconds' work: what is left is loaded by the next start.
 * False when something could not be.
 */
bool feed_stop(struct feed *feed, bool drain);

/* Whether the last batch could be loaded; else why not, appended. From any thread; true of NULL. */
bool feed_is_well(struct feed *feed, struct buf *wrong);

#endif
