/*
 * From the normalised topic into the store: a member of the loaders' consumer group. How far each partition was loaded is kept in the store and moves in the
 * transaction that loads, so nothing is lost or counted twice however often it is killed; the group's own offsets only tell others of the lag.
 *
 * One thread, but topic_loader_is_well, which any may ask.
 */
#ifndef COLLINE_LOAD_TOPIC_H
#define COLLINE_LOAD_TOPIC_H

#include "config/config.h"
#include "load/documents.h"
#include "run/log.h"
#include "run/metrics.h"
#include "store/upkeep.h"

struct topic_loader;

struct topic_loader_options {
    const struct config_kafka *kafka; /* borrowed */
    str_t group;
    str_t store; /* address; made when there is none */
    struct store_keeping keeping;
    struct load_catalogs catalogs; /* that tell columns, loaded at the start */
    size_t batch; /* events of a transaction at most; fewer where it would take long */
    int64_t batch_wait_ms;
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
};

/* Opens and migrates the store; joins the group with the first step. NULL with the reason appended. */
struct topic_loader *topic_loader_open(const struct topic_loader_options *options, struct buf *reason);

/* Loads what was read first, if it can be. */
void topic_loader_close(struct topic_loader *loader);

/* Waits for records, and commits when it is time. */
void topic_loader_step(struct topic_loader *loader, int wait_ms);

/* Whether the last batch could be written, and every partition be read; else why not, appended. True of NULL. */
bool topic_loader_is_well(struct topic_loader *loader, struct buf *wrong);

#endif
