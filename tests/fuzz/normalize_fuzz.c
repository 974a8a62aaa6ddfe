/*
 * Any bytes to the normaliser: lines as raw records, in batches that are committed or given up, states, records of the catalog. What
 * comes out as an event agrees with its schema and can be read back; a state that was put can be restored.
 */
#include "normalize/normalizer.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct run {
    int64_t now;
    struct normalizer *n;
    struct joiner *joiner;
    struct arena arena;
    bool restored; /* from now on states may hold what no record could */
};

static void on_event(void *context, const struct event *event, str_t json)
{
    struct run *run = context;
    struct event again;
    str_t reason;
    if (run->restored)
        return;
    if (event->revision == 0 || !event_read(json, &run->arena, &again, &reason) || !str_eq(event->query_id, again.query_id))
        abort();
}

static void on_invalid(void *context, str_t query_id, str_t json)
{
    (void)context, (void)query_id;
    if (json.len == 0)
        abort();
}

static void on_put(void *context, str_t query_id, str_t state)
{
    struct run *run = context;
    str_t reason;
    if (!joiner_restore(run->joiner, query_id, state, &reason))
        abort();
}

static void on_del(void *context, str_t query_id)
{
    (void)context, (void)query_id;
}

static void on_catalog(void *context, str_t key, str_t value)
{
    (void)context, (void)value;
    if (key.len == 0)
        abort();
}

/* One line; its first letter tells what it is. */
static void take(struct run *run, str_t line)
{
    str_t reason, rest = line.len == 0 ? line : str_make(line.ptr + 1, line.len - 1);
    const struct normalizer_origin origin = {STR("raw"), 0, 1};
    if (line.len == 0) {
        run->now += 100000;
        normalizer_tick(run->n, run->joiner);
        joiner_settle(run->joiner);
        joiner_commit(run->joiner);
    } else if (line.ptr[0] == '-') {
        joiner_settle(run->joiner);
        joiner_abort(run->joiner);
    } else if (line.ptr[0] == '=') {
        size_t blank = str_find(rest, ' ', 0);
        run->restored = true;
        if (blank < rest.len)
            (void)joiner_restore(run->joiner, str_make(rest.ptr, blank), str_make(rest.ptr + blank + 1, rest.len - blank - 1), &reason);
    } else if (line.ptr[0] == '+') {
        size_t brace = str_find(rest, '{', 0);
        (void)normalizer_catalog(run->n, str_make(rest.ptr, brace), str_make(rest.ptr + brace, rest.len - brace));
    } else {
        normalizer_feed(run->n, run->joiner, line, &origin);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run run = {.now = 1773584553000};
    struct buf reason;
    buf_init(&reason, 0);
    arena_init(&run.arena, (size_t)256 << 20, NULL);
    const struct normalizer_options options = {
        .limits = {90000000, 300000, 10000, 90000000}, .cache_entries = 64, .clock_skew_ms = 5000, .clock = clock_manual(&run.now)};
    run.n = normalizer_new(&options, &reason);
    const struct normalizer_output output = {on_event, on_invalid, on_put, on_del, NULL, on_catalog, &run};
    run.joiner = run.n == NULL ? NULL : normalizer_joiner(run.n, &output);
    if (run.joiner == NULL)
        abort();
    str_t text = str_make((const char *)data, size);
    for (size_t at = 0; at < size;) {
        size_t end = str_find(text, '\n', at);
        take(&run, str_make(text.ptr + at, end - at));
        at = end + 1;
    }
    while (joiner_drain(run.joiner, run.now, 3)) {
        joiner_settle(run.joiner);
        joiner_commit(run.joiner);
    }
    joiner_settle(run.joiner);
    joiner_commit(run.joiner);
    normalizer_joiner_free(run.n, run.joiner);
    normalizer_free(run.n);
    arena_release(&run.arena);
    buf_release(&reason);
    return 0;
}
