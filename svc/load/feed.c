/* One thread over two handles of its own. */
#include "load/feed.h"

#include "load/keeper.h"
#include "load/pace.h"
#include "normalize/state_db.h"
#include "store/apply.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    RETRY_MS = 1000,
    BATCH_BYTES = 16 * 1024 * 1024,
    CACHE_BYTES = 64 * 1024 * 1024 /* of the store */
};

static const str_t source = STR("state");

struct feed {
    struct feed_options options;
    struct store *store;
    struct applier *applier;
    struct state_db *state;
    struct arena arena;
    int64_t position; /* number of the newest event that was given to the applier */
    struct pace pace;
    struct keeper keeper;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t wake;
    bool stop, drain, failed;
    struct buf wrong;
    struct metric *events, *failures;
};

/* ---- one round -------------------------------------------------------------------------------------------------- */

static bool take_event(void *context, int64_t number, str_t json)
{
    struct feed *f = context;
    struct event event;
    str_t reason;
    arena_clear(&f->arena);
    if (!event_read(json, &f->arena, &event, &reason))
        log_say(f->options.log, LOG_LEVEL_ERROR, "load.unreadable", STR(""), "event %lld of the state cannot be read: %.*s", (long long)number,
                (int)reason.len, reason.ptr);
    else if (!applier_add(f->applier, &event))
        return false;
    f->position = number;
    return applier_bytes(f->applier) < BATCH_BYTES;
}

static void say_failed(struct feed *f, bool failed, str_t why)
{
    pthread_mutex_lock(&f->lock);
    f->failed = failed;
    buf_clear(&f->wrong);
    buf_add(&f->wrong, why);
    pthread_mutex_unlock(&f->lock);
    if (!failed)
        return;
    metric_add(f->failures, 1);
    log_say(f->options.log, LOG_LEVEL_ERROR, "load.commit", STR(""), "the store cannot be written (%.*s): it is tried again", (int)why.len, why.ptr);
}

static bool commit(struct feed *f)
{
    uint64_t before = applier_totals(f->applier).events;
    if (!applier_checkpoint(f->applier, source, f->position) || !applier_commit(f->applier)) {
        say_failed(f, true, applier_message(f->applier));
        return false;
    }
    say_failed(f, false, STR(""));
    metric_add(f->events, applier_totals(f->applier).events - before);
    f->keeper.changed = true;
    if (f->options.taken != NULL)
        f->options.taken(f->options.context, f->position);
    return true;
}

enum load { LOAD_FAILED, LOAD_NOTHING, LOAD_SOME, LOAD_FULL /* a whole batch: more may be there */ };

/* Loads what there is, up to a batch. */
static enum load load_some(struct feed *f)
{
    int64_t before = f->position, start = clock_steady(&f->options.clock);
    if (applier_count(f->applier) == 0 && !state_db_each_event(f->state, f->position, (int64_t)f->pace.now, take_event, f))
        return LOAD_FAILED;
    size_t count = applier_count(f->applier);
    bool full = count >= f->pace.now || applier_bytes(f->applier) >= BATCH_BYTES;
    if (count == 0 && f->position == before)
        return LOAD_NOTHING;
    if (!commit(f))
        return LOAD_FAILED;
    pace_took(&f->pace, count, clock_steady(&f->options.clock) - start);
    return full ? LOAD_FULL : LOAD_SOME;
}

/* ---- the thread ------------------------------------------------------------------------------------------------- */

/* Waits for the time, or to be stopped; gives whether it is to stop. */
static bool pause_for(struct feed *f, int64_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&f->lock);
    if (!f->stop)
        (void)pthread_cond_timedwait(&f->wake, &f->lock, &until);
    bool stop = f->stop;
    pthread_mutex_unlock(&f->lock);
    return stop;
}

/* What stands there still: all of it, or one batch more, which is all of it where loading keeps up. */
static void finish(struct feed *f)
{
    enum load last;
    do
        last = load_some(f);
    while (f->drain && last > LOAD_NOTHING);
    if (last == LOAD_NOTHING || last == LOAD_SOME)
        keeper_finish(&f->keeper, !f->drain);
}

static void *run(void *context)
{
    struct feed *f = context;
    bool stop = false;
    while (!stop) {
        enum load last = load_some(f);
        keeper_work(&f->keeper);
        stop = pause_for(f, last == LOAD_FAILED ? RETRY_MS : last == LOAD_FULL ? 0 : f->options.batch_wait_ms);
    }
    finish(f);
    return NULL;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static void release(struct feed *f)
{
    applier_free(f->applier);
    store_close(f->store);
    state_db_close(f->state);
    arena_release(&f->arena);
    buf_release(&f->wrong);
    pthread_cond_destroy(&f->wake);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

static void init_lock(struct feed *f)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&f->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&f->lock, NULL);
}

static bool open_all(struct feed *f, struct buf *reason)
{
    const struct store_options options = {.address = f->options.store, .access = DB_CREATE, .cache_bytes = CACHE_BYTES};
    f->store = store_open(&options, reason);
    if (f->store == NULL)
        return false;
    f->state = state_db_open_to_read(f->options.state, reason);
    if (f->state == NULL)
        return false;
    f->applier = applier_new(f->store);
    if (f->applier == NULL) {
        BUF_ADD(reason, "out of memory");
        return false;
    }
    f->keeper = (struct keeper){.store = f->store, .keeping = f->options.keeping, .clock = f->options.clock, .log = f->options.log, .changed = true};
    f->pace = pace_of(f->options.batch);
    f->position = applier_position(f->applier, source, 0);
    return load_catalog_files(f->applier, &f->options.catalogs, reason);
}

struct feed *feed_start(const struct feed_options *options, struct buf *reason)
{
    struct feed *f = calloc(1, sizeof *f);
    if (f == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    f->options = *options;
    init_lock(f);
    arena_init(&f->arena, 0, NULL);
    buf_init(&f->wrong, 0);
    f->events = metrics_counter(options->metrics, "colline_load_events_total", "Events loaded into the store", METRIC_NO_LABELS);
    f->failures = metrics_counter(options->metrics, "colline_load_failures_total", "Batches that could not be loaded at first", METRIC_NO_LABELS);
    if (!open_all(f, reason)) {
        release(f);
        return NULL;
    }
    f->started = pthread_create(&f->thread, NULL, run, f) == 0;
    if (f->started)
        return f;
    BUF_ADD(reason, "no thread for the store");
    release(f);
    return NULL;
}

bool feed_stop(struct feed *f, bool drain)
{
    if (f == NULL)
        return true;
    pthread_mutex_lock(&f->lock);
    f->stop = true;
    f->drain = drain;
    pthread_cond_signal(&f->wake);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    bool good = !f->failed;
    release(f);
    return good;
}

bool feed_is_well(struct feed *f, struct buf *wrong)
{
    if (f == NULL)
        return true;
    pthread_mutex_lock(&f->lock);
    bool well = !f->failed;
    if (!well) {
        BUF_ADD(wrong, "the store cannot be written: ");
        buf_add(wrong, buf_str(&f->wrong));
    }
    pthread_mutex_unlock(&f->lock);
    return well;
}
