/*
 * Figures of the store.
 *
 *   store warehouse ADDRESS TABLES [CATALOGS]   loads a generated warehouse through the applier, CATALOGS of its tables with types; prints how long it took
 *   store rates ADDRESS ROWS SECONDS            fills a store until it has ROWS executions, then measures loading into it, each kind for so many seconds; 0: only fills
 *   store questions ADDRESS COUNT [KIND]        asks each kind of question so often, or one kind: table, hop, search, impact, trace
 *   store stream ADDRESS TABLES SECONDS         loads into a warehouse of so many tables further, known and new statements, as fast as it goes
 *
 * One line of JSON. One thread; time is the wall clock's and, as `cpu`, the process's own.
 */
#include "store/questions.h"
#include "store/warehouse.h"

#include "load/lines.h"
#include "record/event.h"
#include "store/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { BATCH = 20000, BATCH_BYTES = 64 << 20, DAY0 = 20400 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void fail(const char *what, str_t why)
{
    fprintf(stderr, "%s: %.*s\n", what, (int)why.len, why.ptr);
    exit(3);
}

struct bench {
    struct store *store;
    struct applier *applier;
    struct warehouse w;
    struct buf document, sql, text;
    uint64_t query; /* number of the next one */
};

static void commit(struct bench *b)
{
    if (!applier_commit(b->applier))
        fail("commit", applier_message(b->applier));
}

static void commit_when_full(struct bench *b)
{
    if (applier_count(b->applier) >= BATCH || applier_bytes(b->applier) >= BATCH_BYTES)
        commit(b);
}

static void open_bench(struct bench *b, const char *address)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct store_options options = {.address = str_make(address, strlen(address)), .access = DB_CREATE, .cache_bytes = 384 << 20};
    b->store = store_open(&options, &reason);
    if (b->store == NULL)
        fail("open", buf_str(&reason));
    b->applier = applier_new(b->store);
    buf_init(&b->document, 0);
    buf_init(&b->sql, 0);
    buf_init(&b->text, 0);
}

static void close_bench(struct bench *b)
{
    applier_free(b->applier);
    store_close(b->store);
    buf_release(&b->document);
    buf_release(&b->sql);
    buf_release(&b->text);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

struct parts {
    char id[40], user[16], fingerprint[40];
    str_t inputs[SOURCES_MAX], output;
    struct event_source source;
    struct event event;
};

/* An event over b->document and b->sql; the texts live in them and in `p`. */
static void make_event(struct bench *b, struct parts *p, int64_t day, int64_t at)
{
    uint64_t hash = b->query * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 31;
    p->event = event_empty();
    snprintf(p->id, sizeof p->id, "%016" PRIx64 ":%016" PRIx64, hash * 0xbf58476d1ce4e5b9u, b->query);
    /* scheduled statements run as one account each; every tenth run is somebody's own */
    uint64_t owner = b->query % 10 == 0 ? hash : (b->sql.len > 40 ? (uint64_t)b->sql.ptr[40] * 7 + b->sql.len : 0);
    snprintf(p->user, sizeof p->user, "user_%u", (unsigned)(owner % 97));
    b->query++;
    p->source = (struct event_source){.source = RAW_DAEMON_LOG, .host = STR("host-1"), .kinds = 1};
    p->event.query_id = str_make(p->id, strlen(p->id));
    p->event.cluster = p->event.name_space = STR("bench");
    p->event.engine = (hash >> 8) % 3 == 0 ? STR("hive") : STR("impala");
    p->event.engine = STR("impala");
    p->event.user = str_make(p->user, strlen(p->user));
    p->event.database = STR("default");
    p->event.event_time = day * DAY_MS + at;
    p->event.timestamp = p->event.event_time - 1500;
    p->event.duration_ms = 1500;
    p->event.processing_time = p->event.event_time + 20;
    p->event.status = EVENT_OK;
    p->event.operation_type = STR("OVERWRITE");
    p->event.sql = buf_str(&b->sql);
    p->event.lineage = buf_str(&b->document);
    p->event.sources = &p->source;
    p->event.source_count = 1;
}

static void add_event(struct bench *b, const struct event *event)
{
    if (!applier_add(b->applier, event))
        fail("add", STR("out of memory"));
    commit_when_full(b);
}

/* The statement of a table into b->document, its SQL into b->sql; the number of its edges. */
static uint32_t make_statement(struct bench *b, uint32_t number, uint32_t most, int64_t day)
{
    buf_clear(&b->document);
    buf_clear(&b->sql);
    uint32_t edges = warehouse_statement(&b->w, number, most, &b->document);
    warehouse_sql(&b->w, number, day, &b->sql);
    return edges;
}

/* ---- the warehouse ---------------------------------------------------------------------------------------------- */

static void load_catalogs(struct bench *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct buf name;
        buf_init(&name, 0);
        warehouse_name(&b->w, i, &name);
        buf_clear(&b->text);
        warehouse_catalog(&b->w, i, &b->text);
        const struct catalog_table table = {STR("bench.json"), STR("bench"), buf_str(&name), buf_str(&b->text), (int64_t)DAY0 * DAY_MS};
        if (!applier_add_table(b->applier, &table))
            fail("catalog", STR("out of memory"));
        commit_when_full(b);
        buf_release(&name);
    }
    commit(b);
}

static void load_warehouse(struct bench *b)
{
    double start = now(CLOCK_MONOTONIC), last = start;
    uint64_t edges = 0;
    for (uint32_t i = 0; i < b->w.tables + CHAIN_TABLES; i++) {
        struct parts p;
        uint32_t some = make_statement(b, i, 0, DAY0);
        if (some == 0)
            continue;
        edges += some;
        make_event(b, &p, DAY0, (int64_t)i % 80000 * 1000 + 1);
        add_event(b, &p.event);
        if (now(CLOCK_MONOTONIC) - last > 20) {
            last = now(CLOCK_MONOTONIC);
            fprintf(stderr, "%.0f s: %u tables, %" PRIu64 " edges, %.0f MiB\n", last - start, i, edges, peak_mib());
        }
    }
    commit(b);
}

/* Answers, mostly of the hubs, so that there is heat and there are queries to find: on 30 days. */
static void load_use(struct bench *b)
{
    static const char template[] = "{\"index\":0,\"type\":\"SELECT\",\"database\":\"default\",\"fingerprint\":\"%016llx\",\"operation\":\"select\",\"inputs\":[\"%s\"],"
                                   "\"outputs\":[],\"columns\":[{\"target\":\"x\",\"ordinal\":0,\"transform\":\"identity\",\"sources\":[\"%s.%s\"]}],"
                                   "\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    uint32_t count = b->w.tables * 2;
    for (uint32_t i = 0; i < count; i++) {
        struct parts p;
        struct buf name, column;
        char document[2000];
        double u = (double)((uint64_t)i * 0x9e3779b97f4a7c15u >> 11) / 9007199254740992.0;
        uint32_t number = (uint32_t)((double)b->w.tables * u * u * u);
        struct table table = warehouse_table(&b->w, number);
        buf_init(&name, 0);
        buf_init(&column, 0);
        warehouse_name(&b->w, number, &name);
        buf_add_char(&name, '\0');
        warehouse_column(&b->w, &table, i % table.columns, &column);
        buf_add_char(&column, '\0');
        snprintf(document, sizeof document, template, (unsigned long long)number * 7919 + i % table.columns, name.ptr, name.ptr, column.ptr);
        buf_clear(&b->document);
        buf_add(&b->document, str_make(document, strlen(document)));
        buf_clear(&b->sql);
        BUF_ADD(&b->sql, "select x from t");
        make_event(b, &p, DAY0 - 29 + i % 30, (int64_t)i % 80000 * 1000 + 1);
        p.event.operation_type = STR("SELECT");
        add_event(b, &p.event);
        buf_release(&name);
        buf_release(&column);
    }
    commit(b);
}

static int warehouse(int argc, char **argv)
{
    struct bench b = {.w = {.tables = (uint32_t)strtoul(argv[3], NULL, 10), .seed = 42}};
    uint32_t catalogs = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : b.w.tables;
    open_bench(&b, argv[2]);
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    load_catalogs(&b, catalogs);
    double catalog_seconds = now(CLOCK_MONOTONIC) - start;
    load_warehouse(&b);
    double lineage_seconds = now(CLOCK_MONOTONIC) - start - catalog_seconds;
    load_use(&b);
    if (!store_heat(b.store, (int64_t)(DAY0 + 1) * DAY_MS))
        fail("heat", db_message(store_db(b.store)));
    double seconds = now(CLOCK_MONOTONIC) - start;
    struct db *db = store_db(b.store);
    printf("{\"tables\": %" PRId64 ", \"columns\": %" PRId64 ", \"column_edges\": %" PRId64 ", \"statements\": %" PRId64 ", \"load_seconds\": %.1f,"
           " \"load_catalog_seconds\": %.1f, \"load_lineage_seconds\": %.1f, \"load_cpu_seconds\": %.1f, \"load_peak_mib\": %.0f}\n",
           db_number(db, "select count(*) from dataset", 0), db_number(db, "select count(*) from col", 0),
           db_number(db, "select count(*) from column_edge", 0), db_number(db, "select count(*) from lineage", 0), seconds, catalog_seconds, lineage_seconds,
           now(CLOCK_PROCESS_CPUTIME_ID) - cpu, peak_mib());
    close_bench(&b);
    return 0;
}

/* ---- rates ------------------------------------------------------------------------------------------------------ */

/* Known statements: which ones, with a text of the day each. */
static void make_known(struct bench *b, struct parts *p, uint64_t turn, int64_t day)
{
    uint32_t number = b->w.tables - 1 - (uint32_t)(turn * 2654435761u % (b->w.tables / 2));
    (void)make_statement(b, number, 10, day);
    make_event(b, p, day, (int64_t)(turn % 86000) * 1000 + 1);
}

static double rate_of(uint64_t count, double start)
{
    return (double)count / (now(CLOCK_PROCESS_CPUTIME_ID) - start);
}

/* JSON lines made beforehand, then only their loading is timed. */
static double known_from_json(struct bench *b, double seconds, int64_t day, double *wall)
{
    enum { LINES = 20000 };
    struct arena arena;
    struct buf lines;
    uint64_t count = 0;
    double spent = 0, spent_wall = 0;
    arena_init(&arena, 0, NULL);
    buf_init(&lines, 0);
    while (spent < seconds) {
        buf_clear(&lines);
        for (uint32_t i = 0; i < LINES; i++) {
            struct parts p;
            make_known(b, &p, count + i, day + (int64_t)(count / 1000000));
            event_write(&lines, &p.event);
            buf_add_char(&lines, '\n');
        }
        const struct line_loader_options options = {.applier = b->applier, .name = "bench"};
        struct line_loader *loader = line_loader_new(&options);
        double start = now(CLOCK_PROCESS_CPUTIME_ID), start_wall = now(CLOCK_MONOTONIC);
        for (size_t at = 0; at < lines.len;) {
            const char *end = memchr(lines.ptr + at, '\n', lines.len - at);
            size_t len = (size_t)(end - lines.ptr) - at;
            if (!line_loader_give(loader, str_make(lines.ptr + at, len)))
                fail("load", applier_message(b->applier));
            at += len + 1;
        }
        (void)line_loader_finish(loader);
        spent += now(CLOCK_PROCESS_CPUTIME_ID) - start;
        spent_wall += now(CLOCK_MONOTONIC) - start_wall;
        count += LINES;
        line_loader_free(loader);
    }
    buf_release(&lines);
    arena_release(&arena);
    *wall = (double)count / spent_wall;
    return (double)count / spent;
}

/* Events as structs; the making of each is not counted. */
static double known_decoded(struct bench *b, double seconds, int64_t day, double *wall)
{
    enum { KINDS = 2000 };
    struct parts *parts = calloc(KINDS, sizeof *parts);
    struct buf *texts = calloc(2 * KINDS, sizeof *texts);
    for (uint32_t i = 0; i < KINDS; i++) {
        make_known(b, &parts[i], i, day);
        buf_add(&texts[2 * i], buf_str(&b->document));
        buf_add(&texts[2 * i + 1], buf_str(&b->sql));
    }
    uint64_t count = 0;
    double start = now(CLOCK_PROCESS_CPUTIME_ID), start_wall = now(CLOCK_MONOTONIC);
    while (now(CLOCK_PROCESS_CPUTIME_ID) - start < seconds) {
        for (uint32_t k = 0; k < 10000; k++) {
            struct parts p;
            uint32_t i = (uint32_t)(count % KINDS);
            make_event(b, &p, day, (int64_t)(count % 86000) * 1000 + 1);
            p.event.lineage = buf_str(&texts[2 * i]);
            p.event.sql = buf_str(&texts[2 * i + 1]);
            add_event(b, &p.event);
            count++;
        }
    }
    commit(b);
    double rate = rate_of(count, start);
    *wall = (double)count / (now(CLOCK_MONOTONIC) - start_wall);
    for (uint32_t i = 0; i < 2 * KINDS; i++)
        buf_release(&texts[i]);
    free(texts);
    free(parts);
    return rate;
}

/* Statements of ten edges that nobody has seen, as structs with their document. */
static double new_statements(struct bench *b, double seconds, int64_t day, double *wall)
{
    struct warehouse kept = b->w;
    uint64_t count = 0, turn = 0;
    double spent = 0, spent_wall = 0;
    while (spent < seconds) {
        struct parts p;
        uint32_t number = b->w.tables / 2 + (uint32_t)(turn++ % (b->w.tables / 2));
        if (number == b->w.tables / 2)
            b->w.variant++;
        if (make_statement(b, number, 10, day) == 0)
            continue;
        make_event(b, &p, day, (int64_t)(count % 86000) * 1000 + 1);
        double start = now(CLOCK_PROCESS_CPUTIME_ID), start_wall = now(CLOCK_MONOTONIC);
        add_event(b, &p.event);
        spent += now(CLOCK_PROCESS_CPUTIME_ID) - start;
        spent_wall += now(CLOCK_MONOTONIC) - start_wall;
        count++;
    }
    double start = now(CLOCK_PROCESS_CPUTIME_ID), start_wall = now(CLOCK_MONOTONIC);
    commit(b);
    spent += now(CLOCK_PROCESS_CPUTIME_ID) - start;
    spent_wall += now(CLOCK_MONOTONIC) - start_wall;
    b->w = kept;
    *wall = (double)count / spent_wall;
    return (double)count / spent;
}

static int rates(char **argv)
{
    struct bench b = {.w = {.tables = 20000, .seed = 7}};
    uint64_t rows = strtoull(argv[3], NULL, 10);
    double seconds = strtod(argv[4], NULL), json_wall, decoded_wall, new_wall;
    open_bench(&b, argv[2]);
    double start = now(CLOCK_MONOTONIC);
    b.query = (uint64_t)db_number(store_db(b.store), "select count(*) from execution", 0);
    for (uint64_t i = b.query; i < rows; i++) {
        struct parts p;
        make_known(&b, &p, i, DAY0 + (int64_t)(i / 500000));
        add_event(&b, &p.event);
    }
    commit(&b);
    fprintf(stderr, "%.0f s to fill it\n", now(CLOCK_MONOTONIC) - start);
    if (seconds <= 0) {
        close_bench(&b);
        return 0;
    }
    double json = known_from_json(&b, seconds, DAY0 + 10, &json_wall);
    double decoded = known_decoded(&b, seconds, DAY0 + 20, &decoded_wall);
    double fresh = new_statements(&b, seconds, DAY0 + 30, &new_wall);
    printf("{\"known_json\": %.0f, \"known_json_wall\": %.0f, \"known_decoded\": %.0f, \"known_decoded_wall\": %.0f, \"new_statements\": %.0f,"
           " \"new_statements_wall\": %.0f, \"rates_rows\": %" PRIu64 ", \"rates_peak_mib\": %.0f}\n",
           json, json_wall, decoded, decoded_wall, fresh, new_wall, rows, peak_mib());
    close_bench(&b);
    return 0;
}

static int stream(char **argv)
{
    struct bench b = {.w = {.tables = (uint32_t)strtoul(argv[3], NULL, 10), .seed = 42, .variant = 1000}};
    double seconds = strtod(argv[4], NULL), start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall;
    open_bench(&b, argv[2]);
    b.query = (uint64_t)db_number(store_db(b.store), "select count(*) from execution", 0) + ((uint64_t)1 << 40);
    uint64_t before = b.query;
    for (int64_t day = DAY0 + 1; now(CLOCK_MONOTONIC) - start < seconds; b.w.variant++) {
        (void)known_decoded(&b, 0.5, day, &wall);
        (void)new_statements(&b, 0.5, day, &wall);
    }
    printf("{\"stream_events\": %" PRIu64 ", \"stream_seconds\": %.1f, \"stream_cpu_seconds\": %.1f}\n", b.query - before, now(CLOCK_MONOTONIC) - start,
           now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    close_bench(&b);
    return 0;
}

static int questions(int argc, char **argv)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct store_options options = {.address = str_make(argv[2], strlen(argv[2])), .access = DB_READ, .cache_bytes = 256 << 20};
    struct store *store = store_open(&options, &reason);
    if (store == NULL)
        fail("open", buf_str(&reason));
    ask_questions(store, (uint32_t)strtoul(argv[3], NULL, 10), (int64_t)(DAY0 + 1) * DAY_MS - 1, argc > 4 ? argv[4] : NULL);
    store_close(store);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 4 && strcmp(argv[1], "questions") == 0)
        return questions(argc, argv);
    if (argc >= 4 && strcmp(argv[1], "warehouse") == 0)
        return warehouse(argc, argv);
    if (argc == 5 && strcmp(argv[1], "stream") == 0)
        return stream(argv);
    if (argc == 5 && strcmp(argv[1], "rates") == 0)
        return rates(argv);
    fprintf(stderr, "usage: store warehouse ADDRESS TABLES [CATALOGS] | store rates ADDRESS ROWS SECONDS | store questions ADDRESS COUNT [KIND] |"
                    " store stream ADDRESS TABLES SECONDS\n");
    return 2;
}
