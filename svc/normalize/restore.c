/* Restoring: the newest state of each query, until the end is reached. */
#include "normalize/restore.h"

#include "normalize/entries.h"

#include <stdlib.h>

enum {
    AT_ONCE = 5000 /* records in one poll */
};

struct restoring {
    struct entries newest; /* by query id; `due` is not used */
    int64_t until;
    uint64_t records; /* that came */
    bool running, complete;
};

struct restore {
    struct kafka_reader *reader;
    struct log *log;
    int32_t partitions;
    struct restoring parts[];
};

struct restore *restore_open(const struct config_kafka *kafka, int32_t partitions, struct log *log, struct buf *error)
{
    struct restore *restore = calloc(1, sizeof *restore + (size_t)partitions * sizeof restore->parts[0]);
    if (restore == NULL)
        return NULL;
    restore->partitions = partitions;
    restore->log = log;
    restore->reader = kafka_reader_open(kafka, kafka->topic_open, log, error);
    if (restore->reader != NULL)
        return restore;
    free(restore);
    return NULL;
}

void restore_close(struct restore *restore)
{
    if (restore == NULL)
        return;
    for (int32_t i = 0; i < restore->partitions; i++)
        entries_release(&restore->parts[i].newest);
    kafka_reader_close(restore->reader);
    free(restore);
}

bool restore_begin(struct restore *restore, int32_t partition, int timeout_ms)
{
    struct restoring *part = &restore->parts[partition];
    int64_t low;
    restore_drop(restore, partition);
    if (!kafka_reader_bounds(restore->reader, partition, timeout_ms, &low, &part->until))
        return false;
    part->complete = part->until <= low;
    part->running = !part->complete && kafka_reader_start(restore->reader, partition, low);
    return part->complete || part->running;
}

static void take_state(struct restore *restore, const struct kafka_input *input)
{
    struct entries *newest = &restore->parts[input->partition].newest;
    struct entry *entry = entries_find(newest, input->key);
    if (input->tombstone) {
        if (entry != NULL)
            entries_remove(newest, entry);
        return;
    }
    if (entry == NULL)
        entry = entries_add(newest, input->key, 0);
    if (entry == NULL || !entry_set_state(entry, input->value))
        log_say(restore->log, LOG_LEVEL_ERROR, "restore.memory", input->key, "memory is out: the state of a query is not restored");
}

static void end_reading(struct restore *restore, int32_t partition)
{
    if (restore->parts[partition].running)
        kafka_reader_stop(restore->reader, partition);
    restore->parts[partition].running = false;
}

void restore_poll(struct restore *restore, int timeout_ms)
{
    struct kafka_input input;
    for (int i = 0; i < AT_ONCE; i++) {
        enum kafka_read what = kafka_reader_poll(restore->reader, timeout_ms, &input);
        timeout_ms = 0;
        if (what == KAFKA_READ_NOTHING)
            return;
        struct restoring *part = &restore->parts[input.partition];
        part->records += what == KAFKA_READ_RECORD;
        if (what == KAFKA_READ_RECORD && part->running)
            take_state(restore, &input);
        if (what == KAFKA_READ_END && part->running && input.offset >= part->until) {
            part->complete = true;
            end_reading(restore, input.partition);
        }
        kafka_input_release(&input);
    }
}

bool restore_is_complete(const struct restore *restore, int32_t partition)
{
    return restore->parts[partition].complete;
}

uint64_t restore_records(const struct restore *restore, int32_t partition)
{
    return restore->parts[partition].records;
}

size_t restore_give(struct restore *restore, int32_t partition, struct joiner *joiner)
{
    struct entries *newest = &restore->parts[partition].newest;
    size_t given = 0;
    for (uint32_t i = 0; i < newest->count; i++) {
        str_t reason = STR("");
        if (joiner_restore(joiner, entry_id(newest->heap[i]), entry_state(newest->heap[i]), &reason))
            given++;
        else
            log_say(restore->log, LOG_LEVEL_ERROR, "state.broken", entry_id(newest->heap[i]), "%.*s", (int)reason.len, reason.ptr);
    }
    restore_drop(restore, partition);
    return given;
}

void restore_drop(struct restore *restore, int32_t partition)
{
    struct restoring *part = &restore->parts[partition];
    end_reading(restore, partition);
    entries_release(&part->newest);
    part->newest = (struct entries){0};
    part->complete = false;
}
