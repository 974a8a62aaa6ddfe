/*
 * normalizer [QUERIES]: how many queries a second one core joins, analyses and writes as events: five raw records of a daemon's log each, as JSON
 * in memory → events as JSON and states, nothing on disk. Prints one line of JSON. Time is the processor's, without making the records.
 * The queries have 20,000 fingerprints and differ in their literals, so hardly a text comes twice; the last figure is of texts that all do.
 */
#include "normalize/normalizer.h"
#include "shared/queries.h"
#include "shared/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum {
    FINGERPRINTS = 20000,
    AT_ONCE = 400 /* queries of a batch */
};

struct given {
    uint64_t events, bytes, states;
};

static void on_event(void *context, const struct event *event, str_t json)
{
    struct given *given = context;
    given->events += event->lineage.len > 0;
    given->bytes += json.len;
}

static void on_invalid(void *context, str_t query_id, str_t json)
{
    (void)context, (void)query_id;
    fprintf(stderr, "invalid: %.*s\n", (int)json.len, json.ptr);
    exit(3);
}

static void on_put(void *context, str_t query_id, str_t state)
{
    struct given *given = context;
    given->states += query_id.len > 0 && state.len > 0;
}

static void on_del(void *context, str_t query_id)
{
    (void)context, (void)query_id;
}

/* States are somebody else's: nothing stays in memory, as with a state in a file. */
static bool on_get(void *context, str_t query_id, struct buf *state)
{
    (void)context, (void)query_id, (void)state;
    return false;
}

static struct normalizer *stage(struct given *given, struct joiner **joiner, int64_t *now)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct normalizer_options options = {
        .limits = {90000000, 300000, 10000, 90000000}, .cache_entries = 100000, .clock_skew_ms = 5000, .clock = clock_manual(now)};
    const struct normalizer_output output = {on_event, on_invalid, on_put, on_del, on_get, NULL, given};
    struct normalizer *n = normalizer_new(&options, &reason);
    *joiner = n == NULL ? NULL : normalizer_joiner(n, &output);
    if (*joiner == NULL)
        exit(3);
    return n;
}

static void feed(struct normalizer *n, struct joiner *joiner, const struct buf *bytes, const size_t *ends, size_t count)
{
    static const struct normalizer_origin origin = {{"raw", 3}, 0, 0};
    for (size_t i = 0, at = 0; i < count; at = ends[i++])
        normalizer_feed(n, joiner, str_make(bytes->ptr + at, ends[i] - at), &origin);
    normalizer_tick(n, joiner);
    joiner_settle(joiner);
    joiner_commit(joiner);
}

/* The records of a query, one behind the other. */
static void add_query(struct buf *out, size_t *ends, unsigned number, bool same)
{
    struct query query;
    query_make(&query, number, FINGERPRINTS, same ? 7 : number);
    for (int kind = 0; kind < QUERY_KINDS; kind++) {
        query_record(out, &query, (enum raw_kind)kind, 1773584553000 + number);
        ends[kind] = out->len;
    }
}

/* Seconds for so many queries. */
static double measure(unsigned queries, bool same, struct given *given)
{
    static size_t ends[AT_ONCE * QUERY_KINDS];
    struct joiner *joiner;
    struct buf bytes;
    int64_t now = 1773584554000;
    double spent = 0;
    struct normalizer *n = stage(given, &joiner, &now);
    buf_init(&bytes, 0);
    for (unsigned query = 0; query < queries; query += AT_ONCE) {
        buf_clear(&bytes);
        for (unsigned i = 0; i < AT_ONCE; i++)
            add_query(&bytes, ends + (size_t)i * QUERY_KINDS, query + i, same);
        now += 10;
        double start = processor_seconds();
        feed(n, joiner, &bytes, ends, AT_ONCE * QUERY_KINDS);
        spent += processor_seconds() - start;
    }
    normalizer_joiner_free(n, joiner);
    normalizer_free(n);
    buf_release(&bytes);
    return spent;
}

int main(int argc, char **argv)
{
    unsigned queries = (argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200000) / AT_ONCE * AT_ONCE;
    struct given given = {0}, again = {0};
    struct rusage usage;
    double spent = measure(queries, false, &given), cached = measure(queries, true, &again);
    getrusage(RUSAGE_SELF, &usage);
    if (given.events != queries || again.events != queries)
        return 1;
    printf("{\"normalize_queries\":%u,\"normalize_records\":%u,\"normalize_fingerprints\":%d,\"normalize_queries_per_second\":%.0f,"
           "\"normalize_us_per_query\":%.1f,\"normalize_queries_per_second_texts_known\":%.0f,\"normalize_event_bytes\":%.0f,"
           "\"normalize_resident_mib\":%ld}\n",
           queries, queries * QUERY_KINDS, FINGERPRINTS, queries / spent, spent / queries * 1e6, queries / cached, (double)given.bytes / queries,
           usage.ru_maxrss / 1024);
    return 0;
}
