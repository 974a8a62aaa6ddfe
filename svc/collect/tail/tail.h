/*
 * The collector that reads log files as they are written: files of many hosts by patterns, through rotation by rename, by copy and truncate, and
 * by a symlink that moves; archives for filling back. A record's position moves on when the receiver has acknowledged it, so after a
 * crash reading goes on there: nothing is lost, and what was acknowledged and saved does not come again.
 *
 * What is read first: a file with a known position from there; at the very first start the others from their end, unless `from_beginning`,
 * `once` or `since_ms` say otherwise; a file that comes later from its beginning.
 */
#ifndef COLLINE_COLLECT_TAIL_H
#define COLLINE_COLLECT_TAIL_H

#include "collect/checkpoint.h"
#include "collect/collector.h"
#include "collect/format.h"
#include "config/config.h"

struct tail_options {
    const struct config_source *source; /* outlives the collector, as all that follows */
    str_t cluster;
    enum config_sql_text sql_text;
    const struct zone *zone;
    struct checkpoint *checkpoint;
    bool from_beginning;
    bool once;        /* read what is there, then finished() */
    int64_t since_ms; /* records of before are left out; 0: none */
    size_t in_flight; /* records that may wait for their acknowledgement */
    int64_t clock_skew_ms; /* a line from further in the future than this: the clocks differ */
};

/* NULL with a reason (static text) when the source's kind is no log, or memory is out. */
struct collector *tail_new(const struct tail_options *options, const struct collector_output *output, const char **reason);

#endif
