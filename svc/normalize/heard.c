/* A small table; keys are hashes, and two logs that share one would only wait for each other. */
#include "normalize/heard.h"

#include "run/hash.h"

#include <stdlib.h>

enum {
    FIRST_CAPACITY = 64,
    LOGS_MAX = 1 << 16
};

void heard_release(struct heard *heard)
{
    free(heard->logs);
    *heard = (struct heard){0};
}

void heard_forget(struct heard *heard)
{
    if (heard->count > 0)
        memset(heard->logs, 0, heard->capacity * sizeof *heard->logs);
    heard->count = 0;
    heard->all_read_at = 0;
}

static uint64_t key_of(enum raw_source source, str_t host)
{
    return hash64(host, (uint64_t)source + 1) | 1;
}

/* The log of a key, or the empty place where it belongs. */
static struct heard_log *place_of(struct heard_log *logs, uint32_t capacity, uint64_t key)
{
    uint32_t at = (uint32_t)(key >> 32) & (capacity - 1);
    while (logs[at].key != 0 && logs[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &logs[at];
}

static bool grow(struct heard *heard)
{
    uint32_t capacity = heard->capacity == 0 ? FIRST_CAPACITY : heard->capacity * 2;
    struct heard_log *logs = capacity > LOGS_MAX ? NULL : calloc(capacity, sizeof *logs);
    if (logs == NULL)
        return false;
    for (uint32_t i = 0; i < heard->capacity; i++)
        if (heard->logs[i].key != 0)
            *place_of(logs, capacity, heard->logs[i].key) = heard->logs[i];
    free(heard->logs);
    heard->logs = logs;
    heard->capacity = capacity;
    return true;
}

void heard_record(struct heard *heard, const struct raw_record *record, int64_t now_ms)
{
    int64_t captured = record->captured_at < now_ms ? record->captured_at : now_ms; /* clocks may be wrong */
    int64_t line = record->time_ms > 0 ? record->time_ms : captured;
    if (heard->count * 2 >= heard->capacity && !grow(heard))
        return;
    uint64_t key = key_of(record->source, record->host);
    struct heard_log *log = place_of(heard->logs, heard->capacity, key);
    heard->count += log->key == 0;
    if (log->key != 0 && line < log->line_ms)
        return;
    *log = (struct heard_log){key, line, captured};
}

bool heard_until(const struct heard *heard, enum raw_source source, str_t host, int64_t line_ms, int64_t clock_ms)
{
    const struct heard_log *log = heard->capacity == 0 ? NULL : place_of(heard->logs, heard->capacity, key_of(source, host));
    if (log == NULL || log->key == 0)
        return heard->all_read_at >= clock_ms;
    if (log->line_ms >= line_ms)
        return true;
    return heard->all_read_at >= log->captured_ms && log->line_ms + (heard->all_read_at - log->captured_ms) >= line_ms;
}
