/* A worker with one job: from one topic to two. It ends when it has reached the ends that it saw at first, or nothing comes any more. */
#include "bus/replay.h"

#include "bus/kafka_worker.h"

#include <stdlib.h>

enum {
    TIMEOUT_MS = 20000,
    IDLE_MS = 3000, /* ends of transactions use up offsets, so the last one may never come */
    BATCH = 500
};

enum { TO, BACK };

struct replay_part {
    int64_t next, end;
    bool assigned, reading, touched;
};

struct replay {
    const struct replay_options *options;
    struct kafka_worker *worker;
    struct replay_part *parts;
    int32_t count;
    struct replay_totals open; /* of the transaction */
};

static void assigned(void *context, int32_t partition)
{
    struct replay *replay = context;
    if (partition < replay->count)
        replay->parts[partition].assigned = true;
}

static void revoked(void *context, bool lost)
{
    struct replay *replay = context;
    (void)lost;
    for (int32_t i = 0; i < replay->count; i++)
        replay->parts[i].assigned = replay->parts[i].reading = false;
}

/* Reading begins where the last run ended. */
static void bring_up(struct replay *replay)
{
    for (int32_t i = 0; i < replay->count; i++) {
        struct replay_part *part = &replay->parts[i];
        if (part->assigned && !part->reading && kafka_worker_committed(replay->worker, i, TIMEOUT_MS, &part->next))
            part->reading = kafka_worker_resume(replay->worker, i, part->next);
    }
}

static bool is_finished(const struct replay *replay)
{
    for (int32_t i = 0; i < replay->count; i++)
        if (!replay->parts[i].reading || replay->parts[i].next < replay->parts[i].end)
            return false;
    return true;
}

static enum kafka_outcome pass_on(struct replay *replay, const struct kafka_input *input)
{
    struct replay_verdict verdict = replay->options->judge(replay->options->context, input->key, input->value);
    enum kafka_outcome outcome;
    do
        outcome = verdict.moved ? kafka_worker_send(replay->worker, TO, 0, verdict.key, verdict.value, false)
                                : kafka_worker_send(replay->worker, BACK, 0, input->key, input->value, input->tombstone);
    while (outcome == KAFKA_AGAIN);
    replay->open.moved += verdict.moved;
    replay->open.put_back += !verdict.moved;
    replay->parts[input->partition].next = input->offset + 1;
    replay->parts[input->partition].touched = true;
    return outcome;
}

static enum kafka_outcome finish(struct replay *replay)
{
    struct kafka_offset *offsets = calloc((size_t)replay->count, sizeof *offsets);
    size_t touched = 0;
    enum kafka_outcome outcome;
    if (offsets == NULL)
        return KAFKA_FATAL;
    for (int32_t i = 0; i < replay->count; i++)
        if (replay->parts[i].touched)
            offsets[touched++] = (struct kafka_offset){i, replay->parts[i].next};
    outcome = kafka_worker_offsets(replay->worker, offsets, touched);
    if (outcome == KAFKA_DONE)
        outcome = kafka_worker_commit(replay->worker, TIMEOUT_MS);
    free(offsets);
    return outcome;
}

/* One transaction; false when something failed. `*came`: records it moved or put back. */
static bool take_batch(struct replay *replay, size_t *came)
{
    struct kafka_input input;
    enum kafka_outcome outcome = KAFKA_DONE;
    *came = 0;
    for (int wait = 200; *came < BATCH && outcome == KAFKA_DONE && kafka_worker_poll(replay->worker, wait, &input); wait = 20) {
        bool ours = input.offset >= replay->parts[input.partition].next && input.offset < replay->parts[input.partition].end;
        if (ours && *came == 0)
            outcome = kafka_worker_begin(replay->worker);
        if (ours && outcome == KAFKA_DONE)
            outcome = pass_on(replay, &input);
        *came += ours;
        kafka_input_release(&input);
    }
    if (*came > 0 && outcome == KAFKA_DONE)
        outcome = finish(replay);
    if (*came > 0 && outcome != KAFKA_DONE)
        kafka_worker_abort(replay->worker, TIMEOUT_MS);
    return outcome == KAFKA_DONE;
}

static void count_batch(struct replay *replay, struct replay_totals *totals)
{
    totals->moved += replay->open.moved;
    totals->put_back += replay->open.put_back;
    replay->open = (struct replay_totals){0, 0};
    for (int32_t i = 0; i < replay->count; i++)
        replay->parts[i].touched = false;
}

static bool run(struct replay *replay, struct replay_totals *totals, struct buf *error)
{
    const struct clock *clock = &replay->options->clock;
    int64_t heard_at = clock_steady(clock) + TIMEOUT_MS; /* the group takes its time at first */
    while (!is_finished(replay) && clock_steady(clock) - heard_at < IDLE_MS) {
        size_t came;
        bring_up(replay);
        if (!take_batch(replay, &came)) {
            BUF_ADD(error, "a transaction failed; what was moved before it is moved");
            return false;
        }
        if (came > 0)
            heard_at = clock_steady(clock);
        count_batch(replay, totals);
    }
    return true;
}

/* The ends as they are now: what is put back comes behind them. */
static bool find_ends(struct replay *replay, struct buf *error)
{
    const struct replay_options *options = replay->options;
    struct kafka_reader *reader = kafka_reader_open(options->kafka, options->from, options->log, error);
    replay->count = reader == NULL ? 0 : kafka_reader_partitions(reader, TIMEOUT_MS, error);
    replay->parts = replay->count == 0 ? NULL : calloc((size_t)replay->count, sizeof *replay->parts);
    bool good = replay->parts != NULL;
    for (int32_t i = 0; good && i < replay->count; i++) {
        int64_t low;
        good = kafka_reader_bounds(reader, i, TIMEOUT_MS, &low, &replay->parts[i].end);
        if (!good)
            BUF_ADD(error, "the broker does not tell where the topic ends");
        if (replay->parts[i].end == low)
            replay->parts[i].end = 0;
    }
    kafka_reader_close(reader);
    return good;
}

static bool open_worker(struct replay *replay, struct buf *error)
{
    struct config_kafka kafka = *replay->options->kafka;
    struct buf group;
    buf_init(&group, 0);
    buf_add(&group, kafka.group);
    BUF_ADD(&group, "-replay");
    kafka.group = buf_str(&group);
    const struct kafka_worker_options options = {
        .kafka = &kafka,
        .instance = STR("replay"),
        .topic = replay->options->from,
        .outputs = {[TO] = {replay->options->to, true}, [BACK] = {replay->options->from, true}},
        .output_count = 2,
        .log = replay->options->log,
        .assigned = assigned,
        .revoked = revoked,
        .context = replay,
    };
    replay->worker = kafka_worker_open(&options, error);
    buf_release(&group);
    return replay->worker != NULL && kafka_worker_init(replay->worker, TIMEOUT_MS, error) == KAFKA_DONE;
}

bool replay_run(const struct replay_options *options, struct replay_totals *totals, struct buf *error)
{
    struct replay replay = {.options = options};
    *totals = (struct replay_totals){0, 0};
    bool good = find_ends(&replay, error) && open_worker(&replay, error) && run(&replay, totals, error);
    kafka_worker_close(replay.worker);
    free(replay.parts);
    return good;
}
