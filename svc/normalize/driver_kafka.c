/*
 * The driver over Kafka. A partition goes through phases after its assignment:
 *
 *     ASSIGNED ─committed offset known─▶ LOCATED ─end of its open joins known─▶ RESTORING ─all read─▶ RESTORED ─sought─▶ READING
 *
 * The order matters: were the end of the open joins asked for before the committed offset, a commit of the former owner between the two would
 * be skipped. Until READING the partition is paused.
 *
 * A transaction begins with the first thing that is written or read. What goes wrong in it ends in `outcome`; whatever it is, the joiners go back
 * to their last commit, and reading to the committed offsets. Read top down: writing, ending a transaction, partitions, rounds, life.
 */
#include "normalize/driver_kafka.h"

#include "bus/kafka_worker.h"
#include "normalize/restore.h"

#include <stdlib.h>

enum {
    BATCH = 20000,
    BATCH_WAIT_MS = 20,
    BATCH_BYTES = 32 << 20,
    BATCH_LASTS_MS = 1000, /* however much there is: the broker gives a transaction ten seconds */
    TICK_MS = 200,
    RETRY_MS = 500,
    OFFSETS_MS = 10000,
    ASK_MS = 1000,      /* for an answer of the broker while others wait */
    GIVE_UP_MS = 60000, /* for the end of a transaction */
    LEAVE_MS = 4000,    /* likewise, once the process is told to stop: what is not committed then is done again by the next owner */
    STUCK_MS = 30000,   /* three times what a transaction may last */
    CATALOG_AT_ONCE = 1000
};

enum output { OUT_EVENTS, OUT_INVALID, OUT_OPEN, OUT_CATALOG };

enum phase { PHASE_NONE, PHASE_ASSIGNED, PHASE_LOCATED, PHASE_RESTORING, PHASE_RESTORED, PHASE_READING };

struct part {
    struct kafka_driver *driver;
    int32_t number;
    enum phase phase;
    int64_t committed, next;
    struct joiner *joiner;
    bool touched; /* something of it is in the transaction */
    int64_t due;  /* of the next tick, wall clock */
    int64_t retry_at;
    int64_t mark, marked_at; /* an end of the partition, and the wall clock when it was there; 0: none is waited for */
    int64_t ask_at; /* for the next one, steady */
    uint64_t restored; /* records, as last looked at */
    int64_t restored_at; /* when that grew last, steady */
};

/* What stood in a partition of the catalog at the start: no record is looked at before all of it is read. */
struct stretch {
    int64_t from, until;
    bool behind; /* not read that far yet */
};

struct kafka_driver {
    struct kafka_driver_options options;
    struct clock clock;
    struct log *log;
    struct normalizer *n;
    struct kafka_worker *worker;
    struct restore *restore;
    struct kafka_reader *catalog_reader;
    struct stretch *catalog; /* by partition */
    int32_t catalog_behind;  /* partitions that are not read up to `until` */
    struct part *parts;
    int32_t part_count; /* 0: not ready */
    struct kafka_offset *offsets;
    enum kafka_outcome outcome; /* worst of this transaction */
    bool begun;
    size_t count, bytes; /* records of this transaction */
    uint64_t events, invalid;
    int64_t began_at, ticked_at, retry_at; /* steady */
    int64_t leave_at; /* steady: since then nothing is waited for; 0: the process goes on */
    struct kafka_driver_totals totals;
    struct metric *records, *commits, *aborts, *lag, *partitions, *stuck, *commit_seconds;
};

static int64_t steady(const struct kafka_driver *driver)
{
    return clock_steady(&driver->clock);
}

/* ---- writing ---- */

static void worsen(struct kafka_driver *driver, enum kafka_outcome outcome)
{
    if (outcome > driver->outcome)
        driver->outcome = outcome;
}

static void begin(struct kafka_driver *driver)
{
    if (driver->begun)
        return;
    driver->begun = true;
    driver->began_at = steady(driver);
    worsen(driver, kafka_worker_begin(driver->worker));
}

static void put(struct part *part, enum output output, str_t key, str_t value, bool tombstone)
{
    struct kafka_driver *driver = part->driver;
    begin(driver);
    part->touched = true;
    enum kafka_outcome outcome = driver->outcome;
    if (outcome == KAFKA_DONE)
        while ((outcome = kafka_worker_send(driver->worker, output, part->number, key, value, tombstone)) == KAFKA_AGAIN &&
               steady(driver) - driver->began_at < GIVE_UP_MS)
            continue;
    worsen(driver, outcome == KAFKA_AGAIN ? KAFKA_ABORT : outcome);
}

static void on_event(void *context, const struct event *event, str_t json)
{
    struct part *part = context;
    part->driver->events++;
    put(part, OUT_EVENTS, event->query_id, json, false);
}

static void on_invalid(void *context, str_t query_id, str_t json)
{
    struct part *part = context;
    part->driver->invalid++;
    put(part, OUT_INVALID, query_id, json, false);
}

static void on_put(void *context, str_t query_id, str_t state)
{
    put(context, OUT_OPEN, query_id, state, false);
}

static void on_del(void *context, str_t query_id)
{
    put(context, OUT_OPEN, query_id, STR(""), true);
}

static void on_catalog(void *context, str_t key, str_t value)
{
    put(context, OUT_CATALOG, key, value, value.len == 0);
}

/* ---- the end of a transaction ---- */

static bool is_stopping(const struct kafka_driver *driver)
{
    return driver->options.stop != NULL && stop_asked(driver->options.stop);
}

/* Whether it has been told to stop for so long that what the broker has not answered is left as it is. */
static bool must_leave(struct kafka_driver *driver)
{
    if (!is_stopping(driver))
        return false;
    if (driver->leave_at == 0)
        driver->leave_at = steady(driver) + LEAVE_MS;
    return steady(driver) >= driver->leave_at;
}

/* The same call until it says something else than KAFKA_AGAIN. */
static enum kafka_outcome insist(struct kafka_driver *driver, enum kafka_outcome (*call)(struct kafka_worker *worker, int timeout_ms),
                                 enum kafka_outcome at_last)
{
    int64_t until = steady(driver) + GIVE_UP_MS;
    enum kafka_outcome outcome = KAFKA_AGAIN;
    while (outcome == KAFKA_AGAIN && steady(driver) < until && !must_leave(driver))
        outcome = call(driver->worker, RETRY_MS * 10);
    return outcome == KAFKA_AGAIN ? at_last : outcome;
}

static size_t collect_offsets(struct kafka_driver *driver)
{
    size_t count = 0;
    for (int32_t i = 0; i < driver->part_count; i++)
        if (driver->parts[i].touched)
            driver->offsets[count++] = (struct kafka_offset){i, driver->parts[i].next};
    return count;
}

static void send_offsets(struct kafka_driver *driver)
{
    size_t count = collect_offsets(driver);
    int64_t until = steady(driver) + OFFSETS_MS;
    enum kafka_outcome outcome = KAFKA_AGAIN;
    while (outcome == KAFKA_AGAIN && steady(driver) < until && !must_leave(driver))
        outcome = kafka_worker_offsets(driver->worker, driver->offsets, count);
    worsen(driver, outcome == KAFKA_AGAIN ? KAFKA_ABORT : outcome);
}

/* Net changes of all joiners that were fed or ticked; the first one that has any begins the transaction. */
static void settle(struct kafka_driver *driver)
{
    for (int32_t i = 0; i < driver->part_count && driver->outcome == KAFKA_DONE; i++) {
        if (!driver->parts[i].touched)
            continue;
        joiner_settle(driver->parts[i].joiner);
        if (!joiner_is_well(driver->parts[i].joiner)) {
            log_say(driver->log, LOG_LEVEL_ERROR, "normalize.memory", STR(""), "memory is out");
            worsen(driver, KAFKA_FATAL);
        }
    }
}

static void fold_in(struct kafka_driver *driver)
{
    for (int32_t i = 0; i < driver->part_count; i++) {
        struct part *part = &driver->parts[i];
        if (!part->touched)
            continue;
        joiner_commit(part->joiner);
        part->committed = part->next;
        part->touched = false;
    }
    if (!driver->begun)
        return;
    driver->totals.records += driver->count;
    driver->totals.events += driver->events;
    driver->totals.invalid += driver->invalid;
    driver->totals.commits++;
    metric_add(driver->records, driver->count);
    metric_add(driver->commits, 1);
    metric_observe(driver->commit_seconds, (double)(steady(driver) - driver->began_at) * 1e-3);
}

/* `stay`: the partitions are still ours, so reading goes back to what is committed. */
static void fall_back(struct kafka_driver *driver, bool stay)
{
    for (int32_t i = 0; i < driver->part_count; i++) {
        struct part *part = &driver->parts[i];
        if (!part->touched)
            continue;
        joiner_abort(part->joiner);
        part->next = part->committed;
        part->touched = false;
        if (stay) {
            kafka_worker_pause(driver->worker, part->number);
            part->phase = PHASE_RESTORED;
        }
    }
    driver->totals.aborts++;
    metric_add(driver->aborts, 1);
}

static void forget_transaction(struct kafka_driver *driver)
{
    driver->begun = false;
    driver->count = driver->bytes = 0;
    driver->events = driver->invalid = 0;
}

static void abort_transaction(struct kafka_driver *driver, bool stay)
{
    if (driver->outcome != KAFKA_FATAL && driver->begun)
        worsen(driver, insist(driver, kafka_worker_abort, KAFKA_FATAL));
    fall_back(driver, stay);
    forget_transaction(driver);
}

/* False: it cannot go on. */
static bool end_transaction(struct kafka_driver *driver)
{
    settle(driver);
    if (driver->outcome == KAFKA_DONE && driver->begun)
        send_offsets(driver);
    if (driver->outcome == KAFKA_DONE && driver->begun)
        worsen(driver, insist(driver, kafka_worker_commit, KAFKA_FATAL));
    if (driver->outcome == KAFKA_DONE) {
        fold_in(driver);
        forget_transaction(driver);
        return true;
    }
    abort_transaction(driver, true);
    return driver->outcome != KAFKA_FATAL;
}

/* ---- partitions ---- */

static void on_assigned(void *context, int32_t partition)
{
    struct kafka_driver *driver = context;
    if (partition < driver->part_count)
        driver->parts[partition].phase = PHASE_ASSIGNED;
    else
        log_say(driver->log, LOG_LEVEL_ERROR, "normalize.partitions", driver->options.kafka->topic_raw,
                "partition %d was made after this process began: numbers of partitions are fixed once made", (int)partition);
}

static void give_up(struct kafka_driver *driver, struct part *part)
{
    if (part->joiner != NULL)
        normalizer_joiner_free(driver->n, part->joiner);
    if (part->phase == PHASE_RESTORING)
        restore_drop(driver->restore, part->number);
    part->joiner = NULL;
    part->phase = PHASE_NONE;
    part->retry_at = 0;
    part->marked_at = 0;
}

/* Within a poll. What was read is committed while the partitions are still ours; else the others read it again. */
static void on_revoked(void *context, bool lost)
{
    struct kafka_driver *driver = context;
    if (!lost && driver->outcome == KAFKA_DONE)
        end_transaction(driver);
    if (driver->begun)
        abort_transaction(driver, false);
    for (int32_t i = 0; i < driver->part_count; i++)
        if (driver->parts[i].phase != PHASE_NONE)
            give_up(driver, &driver->parts[i]);
}

static bool locate(struct kafka_driver *driver, struct part *part)
{
    if (!kafka_worker_committed(driver->worker, part->number, ASK_MS, &part->committed))
        return false;
    part->next = part->committed;
    part->phase = PHASE_LOCATED;
    return true;
}

static bool begin_restoring(struct kafka_driver *driver, struct part *part)
{
    if (!restore_begin(driver->restore, part->number, ASK_MS))
        return false;
    part->phase = PHASE_RESTORING;
    part->restored = restore_records(driver->restore, part->number);
    part->restored_at = steady(driver);
    return true;
}

/*
 * A transaction of a worker that died ends by its time-out. Kafka can lose sight of one, when a broker dies at the wrong moment (KIP-890): then
 * nothing behind it is ever given out, and only its administrator can end it.
 */
static bool is_stuck(struct kafka_driver *driver, struct part *part)
{
    uint64_t records = restore_records(driver->restore, part->number);
    if (records != part->restored) {
        part->restored = records;
        part->restored_at = steady(driver);
    }
    if (part->phase != PHASE_RESTORING || steady(driver) - part->restored_at < STUCK_MS)
        return false;
    log_say(driver->log, LOG_LEVEL_ERROR, "normalize.stuck", driver->options.kafka->topic_open,
            "partition %d cannot be read to its end, for a transaction there is not ended by anybody: look for it with `kafka-transactions.sh find-hanging`, end "
            "it with `abort`; nothing is lost meanwhile",
            (int)part->number);
    return true;
}

static bool end_restoring(struct kafka_driver *driver, struct part *part)
{
    const struct normalizer_output output = {on_event, on_invalid, on_put, on_del, NULL, on_catalog, part};
    if (!restore_is_complete(driver->restore, part->number))
        return true;
    part->joiner = normalizer_joiner(driver->n, &output);
    if (part->joiner == NULL)
        return false;
    size_t given = restore_give(driver->restore, part->number, part->joiner);
    log_say(driver->log, LOG_LEVEL_INFO, "normalize.restored", driver->options.kafka->topic_raw,
            "partition %d goes on at %lld with %zu open and done queries", (int)part->number, (long long)part->committed, given);
    part->due = 0;
    part->phase = PHASE_RESTORED;
    return true;
}

static bool go_to_place(struct kafka_driver *driver, struct part *part)
{
    if (driver->catalog_behind > 0)
        return true;
    if (!kafka_worker_resume(driver->worker, part->number, part->next))
        return false;
    part->phase = PHASE_READING;
    return true;
}

static bool advance(struct kafka_driver *driver, struct part *part)
{
    switch (part->phase) {
    case PHASE_ASSIGNED:
        return locate(driver, part);
    case PHASE_LOCATED:
        return begin_restoring(driver, part);
    case PHASE_RESTORING:
        return end_restoring(driver, part);
    case PHASE_RESTORED:
        return go_to_place(driver, part);
    case PHASE_NONE:
    case PHASE_READING:
        break;
    }
    return true;
}

/* One step for each partition that does not read yet; true when there are any. */
static bool bring_up(struct kafka_driver *driver)
{
    bool waiting = false, restoring = false;
    int32_t reading = 0, stuck = 0;
    for (int32_t i = 0; i < driver->part_count; i++) {
        struct part *part = &driver->parts[i];
        if (part->phase != PHASE_NONE && part->phase != PHASE_READING && steady(driver) >= part->retry_at && !is_stopping(driver) &&
            !advance(driver, part))
            part->retry_at = steady(driver) + RETRY_MS;
        restoring = restoring || part->phase == PHASE_RESTORING;
        waiting = waiting || (part->phase != PHASE_NONE && part->phase != PHASE_READING);
        reading += part->phase == PHASE_READING;
        stuck += is_stuck(driver, part);
    }
    if (restoring)
        restore_poll(driver->restore, 5);
    driver->totals.partitions = reading;
    driver->totals.stuck = stuck;
    metric_set(driver->partitions, reading);
    metric_set(driver->stuck, stuck);
    return waiting;
}

/* ---- the catalog of all workers ---- */

static void note_catalog_end(struct kafka_driver *driver, const struct kafka_input *input)
{
    struct stretch *stretch = &driver->catalog[input->partition];
    if (!stretch->behind || input->offset < stretch->until)
        return;
    stretch->behind = false;
    driver->catalog_behind--;
}

static void read_catalog(struct kafka_driver *driver)
{
    struct kafka_input input;
    for (int i = 0; i < CATALOG_AT_ONCE; i++) {
        enum kafka_read what = kafka_reader_poll(driver->catalog_reader, 0, &input);
        if (what == KAFKA_READ_NOTHING)
            return;
        if (what == KAFKA_READ_END)
            note_catalog_end(driver, &input);
        else if (!normalizer_catalog(driver->n, input.key, input.value))
            log_say(driver->log, LOG_LEVEL_WARNING, "normalize.catalog", input.key, "a change of the catalog cannot be read");
        kafka_input_release(&input);
    }
}

/* Where the catalog begins and ends. False: the broker does not tell yet, as while topics are being made. */
static bool locate_catalog(struct kafka_driver *driver, int32_t partitions)
{
    free(driver->catalog);
    driver->catalog = calloc((size_t)partitions, sizeof *driver->catalog);
    if (driver->catalog == NULL)
        return false;
    driver->catalog_behind = 0;
    for (int32_t i = 0; i < partitions; i++) {
        struct stretch *stretch = &driver->catalog[i];
        if (!kafka_reader_bounds(driver->catalog_reader, i, ASK_MS * 5, &stretch->from, &stretch->until))
            return false;
        stretch->behind = stretch->until > stretch->from;
        driver->catalog_behind += stretch->behind;
    }
    return true;
}

static bool start_catalog(struct kafka_driver *driver, int32_t partitions)
{
    for (int32_t i = 0; i < partitions; i++)
        if (!kafka_reader_start(driver->catalog_reader, i, driver->catalog[i].from))
            return false;
    return true;
}

/* ---- rounds ---- */

static void take_input(struct kafka_driver *driver, const struct kafka_input *input)
{
    struct part *part = &driver->parts[input->partition];
    const struct normalizer_origin origin = {driver->options.kafka->topic_raw, input->partition, input->offset};
    if (part->phase != PHASE_READING || input->offset < part->next)
        return;
    begin(driver);
    part->touched = true;
    part->due = 0; /* it may be due earlier than all before */
    part->next = input->offset + 1;
    driver->count++;
    driver->bytes += input->value.len;
    normalizer_feed(driver->n, part->joiner, input->value, &origin);
    if (input->timestamp > 0 && driver->count == 1)
        metric_set(driver->lag, (double)(clock_now(&driver->clock) - input->timestamp) * 1e-3);
}

static bool is_full(const struct kafka_driver *driver)
{
    return driver->count >= driver->options.batch || driver->bytes >= BATCH_BYTES ||
           (driver->begun && steady(driver) - driver->began_at >= BATCH_LASTS_MS);
}

static void gather(struct kafka_driver *driver, int timeout_ms)
{
    struct kafka_input input;
    int64_t until = steady(driver) + timeout_ms;
    while (!is_full(driver) && driver->outcome == KAFKA_DONE) {
        int64_t now = steady(driver);
        if (driver->begun && until > driver->began_at + driver->options.batch_wait_ms)
            until = driver->began_at + driver->options.batch_wait_ms;
        if (kafka_worker_poll(driver->worker, until > now ? (int)(until - now) : 0, &input)) {
            take_input(driver, &input);
            kafka_input_release(&input);
        } else if (until <= steady(driver)) {
            return;
        }
    }
}

/*
 * Tells the joiner when everything that stood in its partition at some time was read, where windows wait for that. False: the broker does not answer, and
 * need not be asked about others.
 */
static bool mark_progress(struct kafka_driver *driver, struct part *part, int64_t now)
{
    if (part->marked_at == 0) {
        if (!joiner_is_waiting(part->joiner, now) || steady(driver) < part->ask_at)
            return true;
        part->ask_at = steady(driver) + ASK_MS;
        if (!kafka_worker_end(driver->worker, part->number, ASK_MS, &part->mark))
            return false;
        part->marked_at = now;
    }
    if (part->next >= part->mark) {
        joiner_all_read(part->joiner, part->marked_at);
        part->marked_at = 0;
    }
    return true;
}

static void tick(struct kafka_driver *driver)
{
    int64_t now = clock_now(&driver->clock);
    if (steady(driver) - driver->ticked_at < TICK_MS)
        return;
    driver->ticked_at = steady(driver);
    bool answers = !is_stopping(driver);
    for (int32_t i = 0; i < driver->part_count && answers; i++)
        if (driver->parts[i].phase == PHASE_READING)
            answers = mark_progress(driver, &driver->parts[i], now);
    for (int32_t i = 0; i < driver->part_count && driver->outcome == KAFKA_DONE; i++)
        if (driver->parts[i].phase == PHASE_READING && driver->parts[i].due <= now) {
            driver->parts[i].touched = true;
            driver->parts[i].due = normalizer_tick(driver->n, driver->parts[i].joiner);
        }
    log_tick(driver->log);
}

static bool judge_partitions(struct kafka_driver *driver, const int32_t counts[3])
{
    const struct config_kafka *kafka = driver->options.kafka;
    if (counts[0] == counts[1] && counts[0] == counts[2])
        return true;
    log_say(driver->log, LOG_LEVEL_ERROR, "normalize.partitions", kafka->topic_raw,
            "raw, normalised and open topic must have the same number of partitions, but have %d, %d and %d: `colline topics check`", (int)counts[0],
            (int)counts[1], (int)counts[2]);
    return false;
}

static bool not_yet(struct kafka_driver *driver, struct buf *error)
{
    log_say(driver->log, LOG_LEVEL_WARNING, "normalize.waiting", STR(""), "Kafka is not ready: %.*s", (int)error->len, error->ptr);
    driver->retry_at = steady(driver) + RETRY_MS;
    buf_release(error);
    return true;
}

static bool make_parts(struct kafka_driver *driver, int32_t count)
{
    driver->parts = calloc((size_t)count, sizeof *driver->parts);
    driver->offsets = calloc((size_t)count, sizeof *driver->offsets);
    for (int32_t i = 0; driver->parts != NULL && i < count; i++)
        driver->parts[i] = (struct part){.driver = driver, .number = i};
    return driver->parts != NULL && driver->offsets != NULL;
}

/* What can only be done when the broker answers. False: it cannot go on; true: look at part_count. */
static bool get_ready(struct kafka_driver *driver)
{
    const struct config_kafka *kafka = driver->options.kafka;
    const str_t topics[] = {kafka->topic_raw, kafka->topic_normalized, kafka->topic_open, kafka->topic_catalog};
    int32_t counts[4];
    struct buf error;
    buf_init(&error, 4096);
    for (size_t i = 0; i < 4; i++)
        if ((counts[i] = kafka_worker_partitions(driver->worker, topics[i], ASK_MS * 5, &error)) == 0)
            return not_yet(driver, &error);
    if (!judge_partitions(driver, counts))
        return false;
    if (!locate_catalog(driver, counts[3])) {
        BUF_ADD(&error, "where the catalog ends is not known yet");
        return not_yet(driver, &error);
    }
    enum kafka_outcome outcome = kafka_worker_init(driver->worker, ASK_MS * 5, &error);
    if (outcome == KAFKA_AGAIN)
        return not_yet(driver, &error);
    if (outcome == KAFKA_DONE && make_parts(driver, counts[0]) && start_catalog(driver, counts[3]))
        driver->restore = restore_open(kafka, counts[0], driver->log, &error);
    if (driver->restore == NULL)
        log_say(driver->log, LOG_LEVEL_ERROR, "normalize.start", STR(""), "Kafka failed at the start: %.*s", (int)error.len, error.ptr);
    buf_release(&error);
    driver->part_count = driver->restore == NULL ? 0 : counts[0];
    return driver->restore != NULL;
}

/* The first rounds. */
static bool wait_for_kafka(struct kafka_driver *driver, int timeout_ms)
{
    struct kafka_input none;
    if (steady(driver) >= driver->retry_at)
        return get_ready(driver);
    kafka_reader_poll(driver->catalog_reader, timeout_ms, &none); /* nothing is read yet: it only waits */
    return true;
}

bool kafka_driver_step(struct kafka_driver *driver, int timeout_ms)
{
    if (driver->part_count == 0)
        return wait_for_kafka(driver, timeout_ms);
    read_catalog(driver);
    if (bring_up(driver) && timeout_ms > 10)
        timeout_ms = 10;
    driver->outcome = KAFKA_DONE;
    gather(driver, timeout_ms < TICK_MS ? timeout_ms : TICK_MS);
    tick(driver);
    return end_transaction(driver) && driver->outcome != KAFKA_FATAL;
}

/* ---- life ---- */

bool kafka_driver_is_ready(const struct kafka_driver *driver)
{
    return driver->part_count > 0;
}

struct kafka_driver_totals kafka_driver_totals(const struct kafka_driver *driver)
{
    return driver->totals;
}

static void make_metrics(struct kafka_driver *driver, struct metrics *metrics, str_t instance)
{
    driver->records = metrics_counter(metrics, "colline_normalize_read_total", "Raw records of committed transactions.", METRIC_LABELS({"worker", instance}));
    driver->commits = metrics_counter(metrics, "colline_normalize_commits_total", "Transactions committed.", METRIC_LABELS({"worker", instance}));
    driver->aborts = metrics_counter(metrics, "colline_normalize_aborts_total", "Transactions aborted.", METRIC_LABELS({"worker", instance}));
    driver->lag = metrics_gauge(metrics, "colline_normalize_lag_seconds", "Age of the record that was read last.", METRIC_LABELS({"worker", instance}));
    driver->partitions = metrics_gauge(metrics, "colline_normalize_partitions", "Partitions read now.", METRIC_LABELS({"worker", instance}));
    driver->stuck = metrics_gauge(metrics, "colline_normalize_stuck_partitions", "Partitions behind a transaction that nobody ends.", METRIC_LABELS({"worker", instance}));
    driver->commit_seconds = metrics_histogram(metrics, "colline_normalize_transaction_seconds", "From the first record of a transaction to its commit.",
                                               NULL, 0, METRIC_LABELS({"worker", instance}));
}

static bool open_clients(struct kafka_driver *driver, struct buf *error)
{
    const struct config_kafka *kafka = driver->options.kafka;
    const struct kafka_worker_options options = {
        .kafka = kafka,
        .instance = driver->options.instance,
        .topic = kafka->topic_raw,
        .outputs = {[OUT_EVENTS] = {kafka->topic_normalized, false},
                    [OUT_INVALID] = {kafka->topic_invalid, true},
                    [OUT_OPEN] = {kafka->topic_open, false},
                    [OUT_CATALOG] = {kafka->topic_catalog, true}},
        .output_count = KAFKA_OUTPUTS,
        .log = driver->log,
        .assigned = on_assigned,
        .revoked = on_revoked,
        .context = driver,
    };
    driver->worker = kafka_worker_open(&options, error);
    driver->catalog_reader = driver->worker == NULL ? NULL : kafka_reader_open(kafka, kafka->topic_catalog, driver->log, error);
    return driver->catalog_reader != NULL;
}

struct kafka_driver *kafka_driver_open(const struct kafka_driver_options *options, struct buf *error)
{
    struct kafka_driver *driver = calloc(1, sizeof *driver);
    if (driver == NULL)
        return NULL;
    driver->options = *options;
    driver->clock = options->normalizer.clock;
    driver->log = options->normalizer.log;
    if (driver->options.batch == 0)
        driver->options.batch = BATCH;
    if (driver->options.batch_wait_ms == 0)
        driver->options.batch_wait_ms = BATCH_WAIT_MS;
    make_metrics(driver, options->normalizer.metrics, options->instance);
    driver->n = normalizer_new(&options->normalizer, error);
    if (driver->n != NULL && open_clients(driver, error))
        return driver;
    kafka_driver_close(driver);
    return NULL;
}

void kafka_driver_close(struct kafka_driver *driver)
{
    if (driver == NULL)
        return;
    if (driver->begun)
        end_transaction(driver);
    kafka_worker_close(driver->worker); /* gives the partitions up */
    restore_close(driver->restore);
    kafka_reader_close(driver->catalog_reader);
    normalizer_free(driver->n);
    free(driver->catalog);
    free(driver->parts);
    free(driver->offsets);
    free(driver);
}
