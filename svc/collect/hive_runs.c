/* A ring, with two tables that lead to the newest run of a thread and of a query; a thread's runs are chained. */
#include "collect/hive_runs.h"

#include "collect/line.h"
#include "run/hash.h"

#include <stdlib.h>

enum {
    RUNS_MAX = 4096,
    TEXTS_MAX = 4 << 20 /* bytes of texts that are kept */
};

void hive_runs_init(struct hive_runs *runs)
{
    *runs = (struct hive_runs){0};
    id_table_init(&runs->threads, RUNS_MAX);
    id_table_init(&runs->queries, RUNS_MAX);
}

void hive_runs_release(struct hive_runs *runs)
{
    for (size_t i = 0; runs->ring != NULL && i < RUNS_MAX; i++)
        buf_release(&runs->ring[i].text);
    free(runs->ring);
    id_table_release(&runs->threads);
    id_table_release(&runs->queries);
}

static struct id128 key_of(str_t text)
{
    struct hash128 hash = hash128(text, 0);
    return (struct id128){hash.high, hash.low};
}

/* The run of that number; NULL when it has made room. */
static struct hive_run *run_of(const struct hive_runs *runs, uint64_t number)
{
    struct hive_run *run = runs->ring == NULL || number == 0 ? NULL : &runs->ring[number % RUNS_MAX];
    return run != NULL && run->number == number ? run : NULL;
}

static struct hive_run *newest(const struct hive_runs *runs, const struct id_table *table, struct id128 key)
{
    const struct id_entry *entry = id_table_find(table, key);
    return entry == NULL ? NULL : run_of(runs, entry->other.high);
}

static bool set_newest(struct id_table *table, struct id128 key, uint64_t number)
{
    struct id_entry *entry = id_table_add(table, key);
    if (entry != NULL)
        entry->other.high = number;
    return entry != NULL;
}

struct hive_run *hive_runs_newest(const struct hive_runs *runs, str_t thread)
{
    return newest(runs, &runs->threads, key_of(thread));
}

struct hive_run *hive_runs_at(const struct hive_runs *runs, str_t thread, int64_t time_ms)
{
    struct hive_run *run = hive_runs_newest(runs, thread);
    while (run != NULL && !(run->begun_ms <= time_ms && time_ms <= run->ended_ms))
        run = run_of(runs, run->before);
    return run;
}

static bool make_ring(struct hive_runs *runs)
{
    if (runs->ring == NULL)
        runs->ring = calloc(RUNS_MAX, sizeof *runs->ring);
    return runs->ring != NULL;
}

/* A run of a query that may have run elsewhere before: what is known of it comes along. */
static struct hive_run new_run(const struct hive_runs *runs, str_t id, const struct hive_run *other, int64_t time_ms)
{
    struct hive_run run = {
        .number = runs->last + 1,
        .id_len = (uint8_t)id.len,
        .start_ms = other != NULL && other->start_ms > 0 ? other->start_ms : time_ms,
        .begun_ms = INT64_MAX,
        .ended_ms = INT64_MAX,
    };
    memcpy(run.id, id.ptr, id.len);
    if (other != NULL) {
        run.session_len = other->session_len;
        memcpy(run.session, other->session, sizeof run.session);
    }
    return run;
}

struct hive_run *hive_runs_begin(struct hive_runs *runs, str_t thread, str_t query_id, int64_t time_ms)
{
    char lower[HIVE_ID_MAX];
    if (query_id.len == 0 || query_id.len > HIVE_ID_MAX || !make_ring(runs))
        return NULL;
    folded_copy(lower, query_id);
    str_t id = str_make(lower, query_id.len);
    struct id128 thread_key = key_of(thread), query_key = key_of(id);
    struct hive_run *current = newest(runs, &runs->threads, thread_key);
    if (current != NULL && current->ended_ms == INT64_MAX && str_eq(hive_run_id(current), id))
        return current;
    struct hive_run made = new_run(runs, id, newest(runs, &runs->queries, query_key), time_ms);
    made.before = current == NULL ? 0 : current->number;
    if (!set_newest(&runs->threads, thread_key, made.number) || !set_newest(&runs->queries, query_key, made.number))
        return NULL;
    struct hive_run *place = &runs->ring[made.number % RUNS_MAX];
    hive_runs_drop_text(runs, place);
    *place = made;
    runs->last = made.number;
    return place;
}

void hive_runs_keep_text(struct hive_runs *runs, struct hive_run *run, str_t text)
{
    hive_runs_drop_text(runs, run);
    if (text.len > TEXTS_MAX - runs->text_bytes)
        return;
    buf_add(&run->text, text);
    if (run->text.failed)
        buf_release(&run->text);
    runs->text_bytes += run->text.len;
}

void hive_runs_drop_text(struct hive_runs *runs, struct hive_run *run)
{
    runs->text_bytes -= run->text.len;
    buf_release(&run->text);
}

bool hive_runs_went_on(const struct hive_runs *runs, const struct hive_run *run)
{
    return newest(runs, &runs->queries, key_of(hive_run_id(run))) != run;
}
