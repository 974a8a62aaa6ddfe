/*
 * The normalising stage without its input and output: raw records as bytes in, events, invalid records and states out. A driver (Kafka,
 * or one process with a file) brings the bytes and keeps what comes out.
 *
 *     n = normalizer_new(&options, &reason);
 *     j = normalizer_joiner(n, &output);           // one for each partition, or one for all
 *     normalizer_feed(n, j, value, &origin);       // any number
 *     normalizer_tick(n, j);
 *     joiner_settle(j); … make it safe … ; joiner_commit(j);
 *
 * One thread a normaliser. All joiners of it share the catalogs and the cache of lineages.
 */
#ifndef COLLINE_NORMALIZE_NORMALIZER_H
#define COLLINE_NORMALIZE_NORMALIZER_H

#include "normalize/joiner.h"
#include "run/clock.h"
#include "run/log.h"
#include "run/metrics.h"

struct normalizer;

/* What the configuration says of a cluster. */
struct normalizer_cluster {
    str_t name, name_space;
    str_t warehouse; /* directory of the default database: /user/hive/warehouse */
};

struct normalizer_options {
    struct joiner_limits limits;
    const struct normalizer_cluster *clusters; /* copied; a record of another cluster has the cluster's name as namespace */
    size_t cluster_count;
    const str_t *catalogs; /* paths of DDL scripts and saved catalogs, read once, for all namespaces */
    size_t catalog_count;
    size_t cache_entries; /* lineages kept; 0: 20,000 */
    int64_t clock_skew_ms; /* a record captured so far in the future is said */
    struct clock clock;
    struct log *log;         /* may be NULL */
    struct metrics *metrics; /* may be NULL */
};

/* Where a raw record came from, for what goes to the invalid topic. */
struct normalizer_origin {
    str_t topic;
    int32_t partition; /* -1 unknown */
    int64_t offset;    /* -1 unknown */
};

/* All borrowed for the call only. */
struct normalizer_output {
    void (*event)(void *context, const struct event *event, str_t json); /* a valid one */
    void (*invalid)(void *context, str_t query_id, str_t json);          /* a record or an event that is not; the id may be empty */
    void (*put)(void *context, str_t query_id, str_t state);             /* these three as in joiner.h */
    void (*del)(void *context, str_t query_id);
    bool (*get)(void *context, str_t query_id, struct buf *state);
    /*
     * DDL was seen: what the catalog now says of a table, for the compacted topic. An empty value: it was dropped. NULL: nobody else
     * needs to know.
     */
    void (*catalog)(void *context, str_t key, str_t value);
    void *context;
};

/* NULL, with the reason appended, when memory is out or a catalog cannot be read. */
struct normalizer *normalizer_new(const struct normalizer_options *options, struct buf *reason);
void normalizer_free(struct normalizer *n);

/* To be freed with normalizer_joiner_free, before the normaliser. NULL when memory is out. */
struct joiner *normalizer_joiner(struct normalizer *n, const struct normalizer_output *output);
void normalizer_joiner_free(struct normalizer *n, struct joiner *joiner);

/* One raw record as JSON. What cannot be read goes to `invalid` with every reason. */
void normalizer_feed(struct normalizer *n, struct joiner *joiner, str_t value, const struct normalizer_origin *origin);

/* The same of a record that was made in this process. */
void normalizer_feed_record(struct normalizer *n, struct joiner *joiner, const struct raw_record *record);

/* joiner_tick by the normaliser's clock. */
int64_t normalizer_tick(struct normalizer *n, struct joiner *joiner);

/* Something that another worker wrote into the catalog topic; an empty value is a drop. False when it cannot be read. */
bool normalizer_catalog(struct normalizer *n, str_t key, str_t value);

#endif
