/*
 * normalizer [QUERIES]: how many queries a second one core joins, analyses and writes as events: five raw records of a daemon's log each, as JSON
 * in memory → events as JSON and states, nothing on disk. Prints one line of JSON. Time is the processor's, without making the records.
 * The queries have 20,000 fingerprints and differ in their literals, so hardly a text comes twice; the last figure is of texts that all do.
 */
#include "normalize/normalizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum {
    FINGERPRINTS = 20000,
    AT_ONCE = 400, /* queries of a batch */
    RECORDS = 5
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

static double processor_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The statement of a fingerprint; `literal` differs from run to run. */
static void write_sql(char *out, size_t size, unsigned f, unsigned literal)
{
    switch (f % 5) {
    case 0:
        snprintf(out, size,
                 "insert overwrite table dwd.t%u partition (dt='2024-03-%02u') select a.c%u, a.c%u, d.name from ods.t%u_raw a join ods.dim%u d on "
                 "a.id = d.id where a.dt = '2024-03-%02u' and a.x%u > %u", f % 3000, literal % 28 + 1, f % 40, f % 37, f % 3000, f % 50, literal % 28 + 1, f, literal);
        break;
    case 1:
        snprintf(out, size, "select c%u, c%u, count(*) cnt from dwd.t%u where dt = '2024-03-%02u' and k%u = 'v%u' group by c%u, c%u limit 100",
                 f % 40, f % 37, f % 3000, literal % 28 + 1, f, literal, f % 40, f % 37);
        break;
    case 2:
        snprintf(out, size,
                 "with tmp as (select uid, c%u, amt from dws.t%u where dt = '2024-03-%02u') insert into ads.r%u select uid, c%u, sum(amt) s%u from tmp "
                 "group by uid, c%u having sum(amt) > %u", f % 40, f % 3000, literal % 28 + 1, f % 2000, f % 40, f, f % 40, literal);
        break;
    case 3:
        snprintf(out, size,
                 "insert into ads.u%u select a.c%u, coalesce(b.c%u, 'n%u'), case when a.lv = 'VIP' then 'Y' else 'N' end f%u from dwd.t%u a left join "
                 "dws.p%u b on a.id = b.id", f % 2000, f % 40, f % 37, literal, f, f % 3000, f % 100);
        break;
    default:
        snprintf(out, size, "select max(c%u) m, min(c%u) n%u from ads.t%u where dt between '2024-03-01' and '2024-03-%02u' and z < %u", f % 40, f % 37, f,
                 f % 3000, literal % 28 + 1, literal);
    }
}

static void add_record(struct buf *out, size_t *ends, struct raw_record *record, enum raw_kind kind)
{
    record->kind = kind;
    raw_write(out, record);
    *ends = out->len;
}

/* The five records of a query, one behind the other. */
static void add_query(struct buf *out, size_t *ends, unsigned query, bool same)
{
    char id[40], sql[1024], input[32], output[32], path[96];
    unsigned f = query * 2654435761u % FINGERPRINTS;
    write_sql(sql, sizeof sql, f, same ? 7 : query);
    snprintf(id, sizeof id, "%08x%08x:%08x00000000", query * 2246822519u, query * 3266489917u, query);
    snprintf(input, sizeof input, "dwd.t%u", f % 3000);
    snprintf(output, sizeof output, "ads.r%u", f % 2000);
    snprintf(path, sizeof path, "hdfs://ns1/user/hive/warehouse/dwd.db/t%u/dt=2024-03-15", f % 3000);
    str_t in = str_make(input, strlen(input)), written = str_make(output, strlen(output)), whole = str_make(sql, strlen(sql));
    struct raw_record record = raw_empty(RAW_DAEMON_LOG, RAW_START);
    record.cluster = STR("warehouse");
    record.host = STR("impala-1");
    record.position = (struct raw_position){
        .file = STR("/var/log/impalad/impalad.INFO"), .file_id = 0xfedcba9876543210, .offset = query * 900u};
    record.query_id = str_make(id, strlen(id));
    record.captured_at = record.time_ms = 1773584553000 + query;
    record.level = STR("INFO");
    record.user = STR("etl");
    record.sql = whole;
    add_record(out, ends++, &record, RAW_START);
    record.user = record.sql = STR("");
    record.tables = &in;
    record.table_count = 1;
    add_record(out, ends++, &record, RAW_INPUT);
    record.tables = &written;
    add_record(out, ends++, &record, RAW_OUTPUT);
    record.table_count = 0;
    record.path = str_make(path, strlen(path));
    add_record(out, ends++, &record, RAW_SCAN);
    record.path = STR("");
    record.status = STR("OK");
    record.duration_ms = 667;
    add_record(out, ends, &record, RAW_FINISH);
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

/* Seconds for so many queries. */
static double measure(unsigned queries, bool same, struct given *given)
{
    static size_t ends[AT_ONCE * RECORDS];
    struct joiner *joiner;
    struct buf bytes;
    int64_t now = 1773584554000;
    double spent = 0;
    struct normalizer *n = stage(given, &joiner, &now);
    buf_init(&bytes, 0);
    for (unsigned query = 0; query < queries; query += AT_ONCE) {
        buf_clear(&bytes);
        for (unsigned i = 0; i < AT_ONCE; i++)
            add_query(&bytes, ends + (size_t)i * RECORDS, query + i, same);
        now += 10;
        double start = processor_seconds();
        feed(n, joiner, &bytes, ends, AT_ONCE * RECORDS);
        spent += processor_seconds() - start;
    }
    normalizer_joiner_free(n, joiner);
    normalizer_free(n);
    buf_release(&bytes);
    return spent;
}

int main(int argc, char **argv)
{
    unsigned queries = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) / AT_ONCE * AT_ONCE : 200000;
    struct given given = {0}, again = {0};
    struct rusage usage;
    double spent = measure(queries, false, &given), cached = measure(queries, true, &again);
    getrusage(RUSAGE_SELF, &usage);
    if (given.events != queries || again.events != queries)
        return 1;
    printf("{\"queries\":%u,\"records\":%u,\"fingerprints\":%d,\"queries_per_second\":%.0f,\"microseconds_per_query\":%.1f,"
           "\"queries_per_second_texts_known\":%.0f,\"event_bytes\":%.0f,\"resident_mib\":%ld}\n",
           queries, queries * RECORDS, FINGERPRINTS, queries / spent, spent / queries * 1e6, queries / cached, (double)given.bytes / queries,
           usage.ru_maxrss / 1024);
    return 0;
}
