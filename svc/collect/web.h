/*
 * The collector of a daemon's web pages: polls /queries?json, in-flight and completed queries, and
 * fetches by id what the list shows cut. A QUERY record when a query is first seen, a FINISH record
 * when it ends; one QUERY record for a query that had ended when it was first seen.
 *
 * Seen by metrics: whether the polls were quick enough to see every query
 * (colline_web_completeness), and what the daemon is put to: requests, bytes, and the time that its
 * answers took.
 */
#ifndef COLLINE_COLLECT_WEB_H
#define COLLINE_COLLECT_WEB_H

#include "collect/checkpoint.h"
#include "collect/collector.h"
#include "config/config.h"
#include "run/zone.h"

struct web_options {
    const struct config_source *source; /* outlives the collector, as all that follows */
    str_t cluster;
    enum config_sql_text sql_text;
    const struct zone *zone;
    struct checkpoint *checkpoint;
    int64_t clock_skew_ms;
    bool once; /* one page */
};

/* NULL when memory, threads or descriptors are out. */
struct collector *web_new(const struct web_options *options, const struct collector_output *output);

#endif
