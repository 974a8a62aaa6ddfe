/* One process: SQLite for the states, SQLite or a file for the events. */
#include "normalize/driver_local.h"

#include "normalize/output_file.h"
#include "normalize/state_db.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    BATCH_DEFAULT = 20000,
    BATCH_BYTES_MAX = 32 * 1024 * 1024,
    BATCH_WAIT_MS = 50,
    TICK_MS = 200,
    DUE_AT_ONCE = 5000,
    OPEN_AT_START = 20000,
    RETRY_MS = 1000,
    WAITS_A_COMMIT = 1, /* where writing is slow, a batch gathers as long as the last one was written */
    PATIENCE_MS = 200,  /* but never longer */
    TAKEN_KEPT = 200000,   /* events that somebody has taken are kept up to so many */
    TAKEN_EVERY = 10000    /* and dropped so many at a time */
};

/* A record of the batch, kept until it is committed. */
struct batch_item {
    size_t at, len;
    uint64_t cookie;
    int64_t offset;
    bool wants_ack;
};

struct local {
    struct sink sink; /* first: the sink is the local */
    struct local_options options;
    struct normalizer *n;
    struct joiner *joiner;
    struct state_db *db;
    struct output_file output, invalid;
    struct buf values; /* of the batch */
    struct batch_item *items;
    size_t count, capacity;
    int64_t batch_began, ticked_at, failed_at; /* steady ms */
    int64_t commit_took; /* ms, the last one */
    bool begun;   /* a transaction is open */
    bool failed;  /* something in it went wrong */
    _Atomic bool stalled; /* the last commit failed */
    _Atomic int64_t taken; /* number of the newest event that somebody else has */
    int64_t dropped;       /* up to there they were dropped */
    uint64_t events, invalids, batch_events, batch_invalids;
    struct metric *commits, *commit_failures;
};

static int64_t steady(const struct local *local)
{
    return clock_steady(&local->options.normalizer.clock);
}

/* ---- what the normaliser gives out ------------------------------------------------------------------------------ */

static void on_event(void *context, const struct event *event, str_t json)
{
    struct local *local = context;
    (void)event;
    local->batch_events++;
    if (local->options.output != NULL) {
        output_file_add(&local->output, json);
        return;
    }
    local->failed |= !state_db_add_event(local->db, json);
}

static void on_invalid(void *context, str_t query_id, str_t json)
{
    struct local *local = context;
    local->batch_invalids++;
    if (local->options.invalid != NULL)
        output_file_add(&local->invalid, json);
    else if (local->db != NULL)
        local->failed |= !state_db_add_invalid(local->db, query_id, json);
}

static void on_put(void *context, str_t query_id, str_t state)
{
    struct local *local = context;
    if (local->db != NULL)
        local->failed |= !state_db_put(local->db, query_id, state, joiner_state_due(state), joiner_state_is_open(state));
}

static void on_del(void *context, str_t query_id)
{
    struct local *local = context;
    if (local->db != NULL)
        local->failed |= !state_db_del(local->db, query_id);
}

static bool on_get(void *context, str_t query_id, struct buf *state)
{
    struct local *local = context;
    return state_db_get(local->db, query_id, state);
}

static void on_catalog(void *context, str_t key, str_t value)
{
    struct local *local = context;
    local->failed |= !state_db_put_catalog(local->db, key, value);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static bool restore_state(void *context, str_t query_id, str_t state)
{
    struct local *local = context;
    str_t reason;
    if (!joiner_restore(local->joiner, query_id, state, &reason))
        log_say(local->options.normalizer.log, LOG_LEVEL_ERROR, "state.broken", query_id, "%.*s", (int)reason.len, reason.ptr);
    return true;
}

static bool restore_catalog(void *context, str_t key, str_t value)
{
    struct local *local = context;
    if (!normalizer_catalog(local->n, key, value))
        log_say(local->options.normalizer.log, LOG_LEVEL_ERROR, "state.catalog", key, "a change of the catalog cannot be read");
    return true;
}

static bool open_file(struct output_file *file, const char *path, int64_t length, struct buf *reason)
{
    if (path == NULL || output_file_open(file, path, length))
        return true;
    const char *why = strerror(errno);
    buf_add(reason, str_make(path, strlen(path)));
    BUF_ADD(reason, ": ");
    buf_add(reason, str_make(why, strlen(why)));
    return false;
}

static bool open_outputs(struct local *local, struct buf *reason)
{
    const struct local_options *o = &local->options;
    if (o->output == NULL && o->state == NULL) {
        BUF_ADD(reason, "neither a state nor an output: nowhere to write to");
        return false;
    }
    if (o->state != NULL && (local->db = state_db_open(o->state, reason)) == NULL)
        return false;
    int64_t length = local->db == NULL ? -1 : state_db_number(local->db, "output_length");
    int64_t invalid_length = local->db == NULL ? -1 : state_db_number(local->db, "invalid_length");
    return open_file(&local->output, o->output, length, reason) && open_file(&local->invalid, o->invalid, invalid_length, reason);
}

static bool open_stage(struct local *local, struct buf *reason)
{
    local->n = normalizer_new(&local->options.normalizer, reason);
    if (local->n == NULL)
        return false;
    const bool kept = local->db != NULL;
    const struct normalizer_output output = {on_event, on_invalid, on_put, on_del, kept ? on_get : NULL, kept ? on_catalog : NULL, local};
    local->joiner = normalizer_joiner(local->n, &output);
    if (local->joiner == NULL) {
        BUF_ADD(reason, "out of memory");
        return false;
    }
    return !kept || (state_db_each_catalog(local->db, restore_catalog, local) &&
                     state_db_each_open(local->db, OPEN_AT_START, restore_state, local));
}

static const struct sink_ops sink_ops;

static void release(struct local *local)
{
    if (local->joiner != NULL)
        normalizer_joiner_free(local->n, local->joiner);
    normalizer_free(local->n);
    if (local->options.output != NULL)
        output_file_close(&local->output);
    if (local->options.invalid != NULL)
        output_file_close(&local->invalid);
    state_db_close(local->db);
    buf_release(&local->values);
    free(local->items);
    free(local);
}

struct local *local_open(const struct local_options *options, struct buf *reason)
{
    struct local *local = calloc(1, sizeof *local);
    if (local == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    local->sink.ops = &sink_ops;
    local->options = *options;
    local->output.descriptor = local->invalid.descriptor = -1;
    buf_init(&local->values, 0);
    if (local->options.batch == 0)
        local->options.batch = BATCH_DEFAULT;
    if (local->options.batch_wait_ms == 0)
        local->options.batch_wait_ms = BATCH_WAIT_MS;
    local->commits = metrics_counter(options->normalizer.metrics, "colline_local_commits_total", "Batches written", METRIC_NO_LABELS);
    local->commit_failures = metrics_counter(options->normalizer.metrics, "colline_local_commit_failures_total",
                                             "Batches that could not be written at first", METRIC_NO_LABELS);
    if (open_outputs(local, reason) && open_stage(local, reason))
        return local;
    release(local);
    return NULL;
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

static bool begin(struct local *local)
{
    if (local->begun)
        return true;
    local->begun = local->db == NULL || state_db_begin(local->db);
    local->failed = false;
    local->batch_began = steady(local);
    return local->begun;
}

static void process(struct local *local, const struct batch_item *item)
{
    const struct normalizer_origin origin = {STR(""), -1, item->offset};
    normalizer_feed(local->n, local->joiner, str_make(local->values.ptr + item->at, item->len), &origin);
}

static bool keep(struct local *local, str_t value, struct batch_item item)
{
    if (local->count == local->capacity) {
        size_t capacity = local->capacity == 0 ? 1024 : local->capacity * 2;
        struct batch_item *items = realloc(local->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        local->items = items;
        local->capacity = capacity;
    }
    item.at = local->values.len;
    item.len = value.len;
    if (!buf_reserve(&local->values, value.len + 1))
        return false;
    buf_add(&local->values, value);
    local->items[local->count++] = item;
    return true;
}

static bool is_full(const struct local *local)
{
    return local->stalled || local->count >= local->options.batch || local->values.len >= BATCH_BYTES_MAX;
}

static bool take(struct local *local, str_t value, struct batch_item item)
{
    if (is_full(local) || !begin(local) || !keep(local, value, item))
        return false;
    process(local, &local->items[local->count - 1]);
    return true;
}

bool local_feed(struct local *local, str_t value, int64_t offset)
{
    return take(local, value, (struct batch_item){.offset = offset});
}

static bool drop_taken(struct local *local)
{
    int64_t taken = local->taken;
    if (taken < local->dropped + TAKEN_EVERY)
        return true;
    local->dropped = taken;
    return state_db_drop_events(local->db, taken, TAKEN_KEPT);
}

static bool write_batch(struct local *local)
{
    joiner_settle(local->joiner);
    if (local->failed || !joiner_is_well(local->joiner))
        return false;
    if (local->options.output != NULL && !output_file_write(&local->output))
        return false;
    if (local->options.invalid != NULL && !output_file_write(&local->invalid))
        return false;
    if (local->db == NULL)
        return true;
    int64_t length = local->output.length + (int64_t)local->output.lines.len;
    int64_t invalid_length = local->invalid.length + (int64_t)local->invalid.lines.len;
    return drop_taken(local) && state_db_set_number(local->db, "output_length", length) &&
           state_db_set_number(local->db, "invalid_length", invalid_length) && state_db_commit(local->db);
}

/* Everything as before the batch; its records stay, to be fed again. */
static void undo(struct local *local)
{
    const char *why = local->db != NULL && local->failed ? state_db_message(local->db) : strerror(errno);
    log_say(local->options.normalizer.log, LOG_LEVEL_ERROR, "local.commit", STR(""), "a batch cannot be written (%s): it is tried again", why);
    metric_add(local->commit_failures, 1);
    if (local->db != NULL)
        state_db_rollback(local->db);
    joiner_abort(local->joiner);
    output_file_abort(&local->output);
    output_file_abort(&local->invalid);
    local->batch_events = local->batch_invalids = 0;
    local->begun = false;
    local->stalled = true;
    local->failed_at = steady(local);
}

/* A batch that was undone, once more. */
static bool again(struct local *local)
{
    if (!begin(local))
        return false;
    for (size_t i = 0; i < local->count; i++)
        process(local, &local->items[i]);
    return true;
}

static void finish(struct local *local)
{
    joiner_commit(local->joiner);
    output_file_commit(&local->output);
    output_file_commit(&local->invalid);
    local->events += local->batch_events;
    local->invalids += local->batch_invalids;
    local->batch_events = local->batch_invalids = 0;
    local->begun = local->stalled = false;
    metric_add(local->commits, 1);
}

static void acknowledge(struct local *local)
{
    size_t count = local->count;
    local->count = 0;
    buf_clear(&local->values);
    for (size_t i = 0; i < count; i++)
        if (local->items[i].wants_ack && local->sink.acked != NULL)
            local->sink.acked(local->sink.context, local->items[i].cookie);
}

bool local_commit(struct local *local)
{
    if (local->stalled && !again(local))
        return false;
    if (!local->begun)
        return true;
    int64_t start = steady(local);
    if (!write_batch(local)) {
        undo(local);
        return false;
    }
    local->commit_took = steady(local) - start;
    finish(local);
    acknowledge(local);
    return true;
}

/* How long a batch that is not full waits for more. */
static int64_t patience(const struct local *local)
{
    int64_t slow = local->commit_took * WAITS_A_COMMIT;
    slow = slow < PATIENCE_MS ? slow : PATIENCE_MS;
    return slow > local->options.batch_wait_ms ? slow : local->options.batch_wait_ms;
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

void local_tick(struct local *local)
{
    int64_t now = clock_now(&local->options.normalizer.clock);
    local->ticked_at = steady(local);
    if (local->stalled)
        return;
    /* All states are in the file, so only what is due there needs a transaction. */
    if (local->db == NULL || state_db_next_due(local->db) <= now) {
        if (!begin(local))
            return;
        if (local->db != NULL)
            local->failed |= !state_db_each_due(local->db, now, DUE_AT_ONCE, restore_state, local);
    }
    (void)normalizer_tick(local->n, local->joiner);
}

bool local_is_due(const struct local *local)
{
    return local->db != NULL && state_db_next_due(local->db) <= clock_now(&local->options.normalizer.clock);
}

void local_all_read(struct local *local)
{
    joiner_all_read(local->joiner, clock_now(&local->options.normalizer.clock));
}

bool local_drain(struct local *local)
{
    bool more = true;
    if (!local_commit(local))
        return false;
    while (more) {
        if (!begin(local))
            return false;
        more = joiner_drain(local->joiner, clock_now(&local->options.normalizer.clock), (uint32_t)local->options.batch / 4 + 1);
        (void)normalizer_tick(local->n, local->joiner); /* for the figures */
        if (!local_commit(local))
            return false;
    }
    return true;
}

/* ---- as a sink -------------------------------------------------------------------------------------------------- */

static bool sink_take(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    (void)key;
    return take((struct local *)sink, value, (struct batch_item){.cookie = cookie, .offset = -1, .wants_ack = true});
}

static void sink_work(struct sink *sink, int timeout_ms)
{
    struct local *local = (struct local *)sink;
    int64_t now = steady(local);
    (void)timeout_ms; /* nothing is waited for */
    if (local->stalled) {
        if (now - local->failed_at >= RETRY_MS)
            (void)local_commit(local);
        return;
    }
    if (now - local->ticked_at >= TICK_MS)
        local_tick(local);
    if (local->begun && (local->count >= local->options.batch || now - local->batch_began >= patience(local)))
        (void)local_commit(local);
}

static bool sink_finish(struct sink *sink, int timeout_ms)
{
    (void)timeout_ms;
    return local_commit((struct local *)sink);
}

static void sink_leave(struct sink *sink)
{
    (void)sink;
}

static const struct sink_ops sink_ops = {sink_take, sink_work, sink_finish, sink_leave, NULL};

struct sink *local_sink(struct local *local)
{
    return &local->sink;
}

bool local_close(struct local *local)
{
    if (local == NULL)
        return true;
    bool committed = local_commit(local);
    if (local->begun && local->db != NULL)
        state_db_rollback(local->db);
    release(local);
    return committed;
}

bool local_is_well(const struct local *local)
{
    return local == NULL || !local->stalled;
}

void local_events_taken(struct local *local, int64_t number)
{
    local->taken = number;
}

struct local_totals local_totals(const struct local *local)
{
    return (struct local_totals){local->events, local->invalids, joiner_counts(local->joiner)};
}
