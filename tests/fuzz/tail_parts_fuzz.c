/* Any bytes as an archive, a zone file's name, a pattern and its path, SQL to be redacted, times and lists: nothing is read behind them. */
#include "run/gzip.h"
#include "collect/line.h"
#include "collect/privacy.h"
#include "collect/tail/scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void unpack(str_t text)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    inflate_whole(text, &out);
    buf_release(&out);
}

static void match(str_t text)
{
    struct arena arena;
    struct stars stars = {.count = 0};
    size_t middle = text.len / 2;
    str_t pattern = str_make(text.ptr, middle), path = str_from(text, middle);
    arena_init(&arena, 0, NULL);
    scan_matches(pattern, path, &stars);
    for (size_t i = 0; i < stars.count; i++)
        if (stars.items[i].ptr < path.ptr || stars.items[i].ptr + stars.items[i].len > path.ptr + path.len)
            abort();
    scan_host(pattern, &stars, &arena);
    arena_release(&arena);
}

static void redact(str_t text)
{
    static const enum config_sql_text levels[] = {SQL_TEXT_REDACTED, SQL_TEXT_NONE};
    for (size_t i = 0; i < 2; i++) {
        struct arena arena;
        struct raw_record record = raw_empty(RAW_HIVE_HOOK, RAW_LINEAGE);
        arena_init(&arena, 0, NULL);
        record.sql = record.error = record.path = record.graph = text;
        if (!privacy_apply(levels[i], &record, &arena))
            abort();
        arena_release(&arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str_t text = str_make((const char *)data, size);
    struct names names = {0};
    struct local_clock clock;
    int64_t number;
    local_clock_init(&clock, NULL);
    names_read(&names, text);
    names_release(&names);
    local_clock_read(&clock, text, &number);
    duration_ms(text, &number);
    unpack(text);
    match(text);
    redact(text);
    return 0;
}
