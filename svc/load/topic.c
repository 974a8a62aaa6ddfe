/*
 * A partition that is assigned is read on from the place that the store has of it. Revoked: what was read is loaded first, where it can be; if not, the next
 * owner reads it again, for the place has not moved.
 */
#include "load/topic.h"

#include "load/hanging.h"
#include "load/keeper.h"
#include "load/pace.h"
#include "store/apply.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    BATCH_BYTES = 64 * 1024 * 1024,
    RETRY_MS = 1000,
    LOOK_MS = 10000 /* for transactions that nobody ends */
};

/* One of ours. */
struct partition {
    int32_t number;
    bool waiting; /* not read on yet */
    bool moved;   /* since the last commit */
    bool hangs;   /* behind a transaction that nobody ends */
    int64_t next;
    int64_t looked; /* `next`, when we looked for such a one */
    struct hanging hanging;
};

struct topic_loader {
    struct topic_loader_options options;
    struct config_kafka kafka; /* with the loaders' group */
    struct store *store;
    struct applier *applier;
    struct kafka_worker *worker;
    struct hanging_watch *watch;
    struct keeper keeper;
    struct pace pace;
    struct arena arena, names;
    struct partition *partitions;
    size_t partition_count, partition_capacity;
    int64_t began_at, failed_at; /* steady ms; 0: no batch, no failure */
    int64_t looked_at;
    pthread_mutex_t lock;        /* guards the next two */
    struct buf wrong;            /* empty: all is well */
    int32_t stuck;               /* partitions that hang */
    struct metric *events, *failures, *unreadable, *stuck_metric;
};

static int64_t steady(const struct topic_loader *l)
{
    return clock_steady(&l->options.clock);
}

static void say_wrong(struct topic_loader *l, str_t why)
{
    pthread_mutex_lock(&l->lock);
    buf_clear(&l->wrong);
    buf_add(&l->wrong, why);
    pthread_mutex_unlock(&l->lock);
}

/* `topic/partition`, the name of its place in the store. */
static str_t place_name(struct topic_loader *l, int32_t partition)
{
    struct buf name;
    buf_init(&name, 0);
    buf_add(&name, l->kafka.topic_normalized);
    buf_add_char(&name, '/');
    buf_add_number(&name, (uint64_t)partition);
    str_t copy = arena_copy(&l->names, buf_str(&name));
    buf_release(&name);
    return copy;
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

static bool put_places(struct topic_loader *l)
{
    bool good = true;
    for (size_t i = 0; i < l->partition_count && good; i++)
        if (l->partitions[i].moved)
            good = applier_checkpoint(l->applier, place_name(l, l->partitions[i].number), l->partitions[i].next);
    return good;
}

static void finish(struct topic_loader *l, uint64_t events)
{
    struct kafka_offset offsets[64];
    size_t count = 0;
    for (size_t i = 0; i < l->partition_count; i++) {
        if (l->partitions[i].moved && count < sizeof offsets / sizeof offsets[0])
            offsets[count++] = (struct kafka_offset){l->partitions[i].number, l->partitions[i].next};
        l->partitions[i].moved = false;
    }
    kafka_worker_tell(l->worker, offsets, count);
    arena_clear(&l->names);
    l->began_at = l->failed_at = 0;
    l->keeper.changed = true;
    metric_add(l->events, events);
    say_wrong(l, STR(""));
}

/* False when it could not be written: everything stays for the next try. */
static bool commit(struct topic_loader *l)
{
    uint64_t before = applier_totals(l->applier).events;
    size_t count = applier_count(l->applier);
    int64_t start = steady(l);
    if (l->began_at == 0)
        return true;
    if (put_places(l) && applier_commit(l->applier)) {
        pace_took(&l->pace, count, steady(l) - start);
        finish(l, applier_totals(l->applier).events - before);
        return true;
    }
    str_t why = applier_message(l->applier);
    l->failed_at = steady(l);
    metric_add(l->failures, 1);
    say_wrong(l, why);
    log_say(l->options.log, LOG_LEVEL_ERROR, "load.commit", STR(""), "the store cannot be written (%.*s): it is tried again", (int)why.len, why.ptr);
    return false;
}

/* ---- partitions ------------------------------------------------------------------------------------------------- */

static struct partition *find_partition(struct topic_loader *l, int32_t number)
{
    for (size_t i = 0; i < l->partition_count; i++)
        if (l->partitions[i].number == number)
            return &l->partitions[i];
    return NULL;
}

static void on_assigned(void *context, int32_t number)
{
    struct topic_loader *l = context;
    if (l->partition_count == l->partition_capacity) {
        size_t capacity = l->partition_capacity == 0 ? 16 : l->partition_capacity * 2;
        struct partition *partitions = realloc(l->partitions, capacity * sizeof *partitions);
        if (partitions == NULL)
            return; /* nobody reads it until the next assignment */
        l->partitions = partitions;
        l->partition_capacity = capacity;
    }
    l->partitions[l->partition_count++] = (struct partition){.number = number, .waiting = true};
}

/* What was read is loaded, where it can be now; what cannot stays in the batch, and its place moves with it. */
static void on_revoked(void *context, bool lost)
{
    struct topic_loader *l = context;
    (void)lost; /* loading it is right in any case: another one that loads it too changes nothing */
    (void)commit(l);
    for (size_t i = 0; i < l->partition_count; i++)
        if (l->partitions[i].moved && !applier_checkpoint(l->applier, place_name(l, l->partitions[i].number), l->partitions[i].next))
            log_say(l->options.log, LOG_LEVEL_ERROR, "load.memory", STR(""), "out of memory: what was read is read again by the next owner");
    l->partition_count = 0;
}

/* Those that were assigned read on from the store's place. */
static void read_on(struct topic_loader *l)
{
    for (size_t i = 0; i < l->partition_count; i++) {
        struct partition *p = &l->partitions[i];
        if (!p->waiting)
            continue;
        p->next = applier_position(l->applier, place_name(l, p->number), 0);
        struct db *db = store_db(l->store);
        if (db_failed(db)) {
            say_wrong(l, db_message(db));
            (void)db_rollback(db);
            return;
        }
        p->waiting = !kafka_worker_resume(l->worker, p->number, p->next);
    }
}

/* ---- what hangs ------------------------------------------------------------------------------------------------- */

/* One that is read on does not hang: the broker is asked of the others. */
static bool look_at(struct topic_loader *l, struct partition *p)
{
    if (p->next != p->looked) {
        p->looked = p->next;
        p->hanging = (struct hanging){0, 0};
        p->hangs = false;
        return true;
    }
    return hanging_watch_look(l->watch, p->number, &p->hanging, steady(l), &p->hangs);
}

static void look_for_hanging(struct topic_loader *l)
{
    int32_t stuck = 0;
    bool good = true;
    l->looked_at = steady(l);
    for (size_t i = 0; i < l->partition_count; i++) {
        struct partition *p = &l->partitions[i];
        good = good && (p->waiting || look_at(l, p));
        stuck += p->hangs;
    }
    metric_set(l->stuck_metric, stuck);
    pthread_mutex_lock(&l->lock);
    l->stuck = stuck;
    pthread_mutex_unlock(&l->lock);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static bool add_value(struct topic_loader *l, const struct kafka_input *input)
{
    struct event event;
    str_t reason;
    arena_clear(&l->arena);
    if (event_read(input->value, &l->arena, &event, &reason))
        return applier_add(l->applier, &event);
    metric_add(l->unreadable, 1);
    log_say(l->options.log, LOG_LEVEL_ERROR, "load.unreadable", input->key, "partition %d, offset %lld: no event: %.*s", (int)input->partition,
            (long long)input->offset, (int)reason.len, reason.ptr);
    return true;
}

static void take(struct topic_loader *l, struct kafka_input *input)
{
    struct partition *p = find_partition(l, input->partition);
    if (p != NULL && !p->waiting && input->offset >= p->next) {
        if (l->began_at == 0)
            l->began_at = steady(l);
        if (add_value(l, input)) {
            p->next = input->offset + 1;
            p->moved = true;
        } else {
            p->waiting = true; /* out of memory: it is read again behind the commit */
            kafka_worker_pause(l->worker, p->number);
        }
    }
    kafka_input_release(input);
}

static bool is_full(const struct topic_loader *l)
{
    return applier_count(l->applier) >= l->pace.now || applier_bytes(l->applier) >= BATCH_BYTES;
}

static bool is_due(const struct topic_loader *l)
{
    return l->began_at != 0 && (is_full(l) || steady(l) - l->began_at >= l->options.batch_wait_ms);
}

void topic_loader_step(struct topic_loader *l, int wait_ms)
{
    struct kafka_input input;
    read_on(l);
    if (l->failed_at > 0 && is_full(l)) { /* nothing more is taken until it could be written */
        if (steady(l) - l->failed_at >= RETRY_MS)
            (void)commit(l);
        return;
    }
    int64_t until = steady(l) + wait_ms;
    while (!is_full(l) && steady(l) < until)
        if (kafka_worker_poll(l->worker, l->began_at == 0 ? wait_ms : 5, &input))
            take(l, &input);
        else if (l->began_at != 0)
            break;
    if (is_due(l) && (l->failed_at == 0 || steady(l) - l->failed_at >= RETRY_MS))
        (void)commit(l);
    if (l->began_at == 0)
        keeper_work(&l->keeper);
    if (steady(l) - l->looked_at >= LOOK_MS)
        look_for_hanging(l);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static bool open_all(struct topic_loader *l, struct buf *reason)
{
    const struct store_options store_options = {.address = l->options.store, .access = DB_CREATE, .cache_bytes = 128 << 20};
    l->store = store_open(&store_options, reason);
    l->applier = l->store == NULL ? NULL : applier_new(l->store);
    if (l->applier == NULL || !load_catalog_files(l->applier, &l->options.catalogs, reason))
        return false;
    const struct kafka_worker_options worker_options = {
        .kafka = &l->kafka,
        .topic = l->kafka.topic_normalized,
        .log = l->options.log,
        .assigned = on_assigned,
        .revoked = on_revoked,
        .context = l,
    };
    l->worker = kafka_worker_open(&worker_options, reason);
    l->keeper = (struct keeper){.store = l->store, .keeping = l->options.keeping, .clock = l->options.clock, .log = l->options.log, .changed = true};
    l->pace = pace_of(l->options.batch);
    if (l->worker != NULL)
        l->watch = hanging_watch_open(&l->kafka, l->kafka.topic_normalized, l->worker, l->options.log, reason);
    return l->watch != NULL;
}

static void release(struct topic_loader *l)
{
    applier_free(l->applier);
    store_close(l->store);
    arena_release(&l->arena);
    arena_release(&l->names);
    buf_release(&l->wrong);
    pthread_mutex_destroy(&l->lock);
    free(l->partitions);
    free(l);
}

struct topic_loader *topic_loader_open(const struct topic_loader_options *options, struct buf *reason)
{
    struct topic_loader *l = calloc(1, sizeof *l);
    if (l == NULL) {
        BUF_ADD(reason, "out of memory");
        return NULL;
    }
    l->options = *options;
    l->kafka = *options->kafka;
    l->kafka.group = options->group;
    arena_init(&l->arena, 0, NULL);
    arena_init(&l->names, 0, NULL);
    buf_init(&l->wrong, 0);
    pthread_mutex_init(&l->lock, NULL);
    l->events = metrics_counter(options->metrics, "colline_load_events_total", "Events loaded into the store", METRIC_NO_LABELS);
    l->failures = metrics_counter(options->metrics, "colline_load_failures_total", "Batches that could not be loaded at first", METRIC_NO_LABELS);
    l->stuck_metric =
        metrics_gauge(options->metrics, "colline_load_stuck_partitions", "Partitions behind a transaction that nobody ends.", METRIC_NO_LABELS);
    l->unreadable = metrics_counter(options->metrics, "colline_load_unreadable_total", "Values of the topic that are no events", METRIC_NO_LABELS);
    if (open_all(l, reason))
        return l;
    hanging_watch_close(l->watch);
    kafka_worker_close(l->worker);
    release(l);
    return NULL;
}

void topic_loader_close(struct topic_loader *l)
{
    if (l == NULL)
        return;
    hanging_watch_close(l->watch);
    kafka_worker_close(l->worker); /* gives the partitions back, and so commits */
    l->worker = NULL;
    keeper_finish(&l->keeper, true);
    release(l);
}

bool topic_loader_is_well(struct topic_loader *l, struct buf *wrong)
{
    if (l == NULL)
        return true;
    pthread_mutex_lock(&l->lock);
    bool well = l->wrong.len == 0;
    if (!well) {
        BUF_ADD(wrong, "the store cannot be written: ");
        buf_add(wrong, buf_str(&l->wrong));
    }
    if (l->stuck > 0) {
        buf_add(wrong, well ? STR("") : STR("; "));
        buf_add_number(wrong, (uint64_t)l->stuck);
        BUF_ADD(wrong, " partitions are behind a transaction that nobody ends");
        well = false;
    }
    pthread_mutex_unlock(&l->lock);
    return well;
}
