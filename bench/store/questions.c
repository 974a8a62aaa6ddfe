/*
 * Each question as the interface asks it, without HTTP. Tables are drawn at random, half of them from the hundredth that is read most; the first tenth of the
 * questions of a kind is not counted.
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
    struct arena arena;
    const int64_t *ids; /* of datasets */
    size_t count;
    int64_t chain_end; /* a column */
    uint64_t edges;    /* of the last answer */
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
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
    a->edges = ask_graph(&a->ask, &wish).edge_count;
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
    const struct ask_queries_wish wish = {.dataset = id, .reads = true, .writes = true, .limit = 50, .from_day = ask_first_day(&a->ask), .to_day = day_of(a->ask.now)};
    (void)ask_queries(&a->ask, &wish);
}

/* ---- measuring -------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(struct asking *a, const char *name, void (*ask)(struct asking *a, int64_t id), uint32_t count, const char *comma)
{
    double *times = calloc(count, sizeof *times);
    uint32_t warm = count / 10, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u;
        r ^= r >> 29;
        size_t at = (r & 1) != 0 ? (size_t)(r >> 8) % a->count : (size_t)(r >> 8) % (a->count / 100 + 1);
        arena_clear(&a->arena);
        a->ask = ask_of(a->ask.store, &a->arena, a->ask.now);
        double start = now_ms();
        ask(a, a->ids[at]);
        double took = now_ms() - start;
        if (i >= warm)
            times[kept++] = took;
        if (ask_failed(&a->ask)) {
            fprintf(stderr, "%s: %.*s\n", name, (int)db_message(a->ask.db).len, db_message(a->ask.db).ptr);
            exit(3);
        }
    }
    qsort(times, kept, sizeof *times, compare);
    printf("\"%s_ms\": %.2f, \"%s_p99_ms\": %.2f%s", name, times[kept / 2], name, times[kept * 99 / 100], comma);
    free(times);
}

/* By heat: the most read first. */
static int64_t *read_ids(struct db *db, size_t *count)
{
    size_t all = (size_t)db_number(db, "select count(*) from dataset", 0);
    int64_t *ids = calloc(all + 1, sizeof *ids);
    struct db_query *q = db_query(db, "select id from dataset order by heat desc, id");
    for (*count = 0; *count < all && db_step(q); ++*count)
        ids[*count] = db_int(q, 0);
    db_done(q);
    return ids;
}

void ask_questions(struct store *store, uint32_t count, int64_t now)
{
    struct asking a = {.chain_end = 0};
    struct db *db = store_db(store);
    arena_init(&a.arena, 0, NULL);
    a.ask = ask_of(store, &a.arena, now);
    int64_t *ids = read_ids(db, &a.count);
    a.ids = ids;
    a.chain_end = db_number(db, "select c.id from col c join dataset d on d.id = c.dataset where d.name = 'chain.step_20' and c.name not in ('', '*') order by c.id limit 1", 0);
    printf("{");
    measure(&a, "question_table", ask_page, count, ", ");
    measure(&a, "question_hop", ask_hop, count, ", ");
    measure(&a, "question_search", ask_part, count, ", ");
    measure(&a, "question_impact", ask_hit, count / 4 + 10, ", ");
    measure(&a, "question_trace", ask_trace, 20, ", ");
    printf("\"question_trace_edges\": %llu, \"question_count\": %u}\n", (unsigned long long)a.edges, count);
    arena_release(&a.arena);
    free(ids);
}
