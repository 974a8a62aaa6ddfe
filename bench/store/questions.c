/*
 * Each question as the interface asks it, from the name on, without HTTP and JSON. Tables are drawn at random, half of them from the hundredth that is read
 * most; the first tenth of the questions of a kind is not counted. Of each kind: median and 99th percentile by the clock, the median of the processor time (of
 * a server the one process that answers included, so that a busy machine does not show), and how often a server was waited for.
 */
#include "store/questions.h"

#include "ask/column_graph.h"
#include "ask/impact.h"
#include "ask/queries.h"
#include "ask/search.h"
#include "ask/table.h"
#include "store/warehouse.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct asking {
    struct ask ask;
    struct arena arena, kept;
    int64_t now;
    const char *only;    /* the one kind that is asked; NULL: all */
    const str_t *names; /* of datasets, as the interface takes them */
    size_t count;
    int64_t server;    /* the process that answers; 0: none */
    int64_t chain_end; /* a column */
    uint64_t edges;    /* of the last trace */
};

static double ms_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Processor time of a process by the kernel's scheduler; 0 where it does not tell. */
static double ms_of_process(int64_t process)
{
    char path[64];
    double ns = 0;
    snprintf(path, sizeof path, "/proc/%lld/schedstat", (long long)process);
    FILE *file = process == 0 ? NULL : fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lf", &ns) != 1)
        ns = 0;
    fclose(file);
    return ns / 1e6;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

static void ask_page(struct asking *a, int64_t id)
{
    struct ask_table table;
    (void)ask_table(&a->ask, id, 200, &table);
}

static void ask_hop(struct asking *a, int64_t id)
{
    const struct ask_graph_wish wish = {.focus = id, .up = true, .down = true, .depth = 1, .limit = 150};
    (void)ask_graph(&a->ask, &wish);
}

/* Parts of names of one to three words. */
static void ask_part(struct asking *a, int64_t id)
{
    static const char *const parts[] = {"order", "pay_sho", "stock detail", "risk_amt", "城市", "trade_user", "dws_trip", "_rank_1", "户维", "cred"};
    const char *part = parts[(size_t)id % (sizeof parts / sizeof parts[0])];
    const struct ask_search_wish wish = {.parts = str_make(part, strlen(part)), .tables = true, .columns = true, .limit = 20};
    (void)ask_search(&a->ask, &wish);
}

static void ask_trace(struct asking *a, int64_t id)
{
    (void)id;
    const struct ask_column_wish wish = {.focus = a->chain_end, .up = true, .depth = 50, .limit = 20000};
    a->edges = ask_column_graph(&a->ask, &wish).edge_count;
}

static void ask_hit(struct asking *a, int64_t id)
{
    struct ask_impact impact = ask_impact(&a->ask, id, 0, false);
    ask_dependents_fill(&a->ask, impact.items, impact.count < 50 ? impact.count : 50);
    const struct ask_queries_wish wish = {
        .dataset = id, .reads = true, .writes = true, .limit = 50, .from_day = ask_first_day(&a->ask), .to_day = day_of(ask_now(&a->ask))};
    (void)ask_queries(&a->ask, &wish);
}

/* ---- measuring -------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct took {
    double *wall, *cpu;
    uint64_t waits;
    uint32_t count;
};

static void ask_once(struct asking *a, const char *name, void (*ask)(struct asking *a, int64_t id), str_t table, struct took *took)
{
    struct db *db = a->ask.db;
    arena_clear(&a->arena);
    a->ask = ask_of(a->ask.store, &a->arena, a->now);
    uint64_t waits = db_waits(db);
    double server = ms_of_process(a->server), cpu = ms_of(CLOCK_PROCESS_CPUTIME_ID), wall = ms_of(CLOCK_MONOTONIC);
    (void)db_begin_read(db);
    ask_settle_now(&a->ask);
    ask(a, ask_find(&a->ask, STR(""), table).id);
    if (ask_failed(&a->ask)) {
        fprintf(stderr, "%s: %.*s\n", name, (int)db_message(db).len, db_message(db).ptr);
        exit(3);
    }
    db_end_read(db);
    took->wall[took->count] = ms_of(CLOCK_MONOTONIC) - wall;
    took->cpu[took->count++] = ms_of(CLOCK_PROCESS_CPUTIME_ID) - cpu + ms_of_process(a->server) - server;
    took->waits = db_waits(db) - waits;
}

static void measure(struct asking *a, const char *name, void (*ask)(struct asking *a, int64_t id), uint32_t count)
{
    if (a->only != NULL && strcmp(a->only, name) != 0)
        return;
    struct took took = {calloc(count, sizeof(double)), calloc(count, sizeof(double)), 0, 0};
    uint32_t warm = count / 10, kept = count - warm;
    double waits = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u;
        r ^= r >> 29;
        size_t at = (r & 1) != 0 ? (size_t)(r >> 8) % a->count : (size_t)(r >> 8) % (a->count / 100 + 1);
        ask_once(a, name, ask, a->names[at], &took);
        waits += i >= warm ? (double)took.waits : 0;
    }
    qsort(took.wall + warm, kept, sizeof(double), compare);
    qsort(took.cpu + warm, kept, sizeof(double), compare);
    printf("\"%s_ms\": %.2f, \"%s_p99_ms\": %.2f, \"%s_cpu_ms\": %.3f, \"%s_waits\": %.1f, ", name,
           took.wall[warm + kept / 2], name, took.wall[warm + kept * 99 / 100], name, took.cpu[warm + kept / 2], name, waits / kept);
    free(took.wall);
    free(took.cpu);
}

/* By heat: the most read first. */
static str_t *read_names(struct db *db, struct arena *kept, size_t *count)
{
    size_t all = (size_t)db_number(db, "select count(*) from dataset", 0);
    str_t *names = ARENA_ARRAY(kept, str_t, all + 1);
    struct db_query *q = db_query(db, "select n.name, d.name from dataset d join namespace n on n.id = d.namespace order by d.heat desc, d.id");
    for (*count = 0; *count < all && db_step(q); ++*count)
        names[*count] = arena_concat(kept, (const str_t[]){db_text(q, 0), STR("#"), db_text(q, 1)}, 3);
    db_done(q);
    return names;
}

void ask_questions(struct store *store, uint32_t count, int64_t now, const char *only)
{
    struct asking a = {.now = now, .only = only};
    struct db *db = store_db(store);
    arena_init(&a.arena, 0, NULL);
    arena_init(&a.kept, 0, NULL);
    a.ask = ask_of(store, &a.arena, now);
    a.names = read_names(db, &a.kept, &a.count);
    a.server = db_kind_of(db) == DB_SQLITE ? 0 : db_number(db, "select 0 --sqlite\nselect pg_backend_pid() --postgres", 0);
    a.chain_end = db_number(db, "select c.id from col c join dataset d on d.id = c.dataset where d.name = 'chain.step_20' and c.name not in ('', '*') order by c.id limit 1", 0);
    printf("{");
    measure(&a, "table", ask_page, count);
    measure(&a, "hop", ask_hop, count);
    measure(&a, "search", ask_part, count);
    measure(&a, "impact", ask_hit, count / 4 + 10);
    measure(&a, "trace", ask_trace, only != NULL ? count : 20);
    printf("\"trace_edges\": %llu, \"question_count\": %u}\n", (unsigned long long)a.edges, count);
    arena_release(&a.arena);
    arena_release(&a.kept);
}
