/*
 * Any bytes are a raw record, an event, the result of a check or an invalid record, or are refused
 * with a reason; a good one is written, and read back to the same. What the member reader takes for
 * JSON the tree reader takes too.
 */
#include "record/event.h"
#include "record/invalid.h"
#include "record/members.h"
#include "record/quality.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* False when refused. */
typedef bool rewrite(str_t json, struct arena *arena, struct buf *out);

static bool refused(str_t reason)
{
    if (reason.len == 0)
        abort();
    return false;
}

static bool rewrite_raw(str_t json, struct arena *arena, struct buf *out)
{
    struct raw_record record;
    str_t reason;
    if (!raw_read(json, arena, &record, &reason))
        return refused(reason);
    raw_write(out, &record);
    return true;
}

static bool rewrite_event(str_t json, struct arena *arena, struct buf *out)
{
    struct event event;
    str_t reason;
    if (!event_read(json, arena, &event, &reason))
        return refused(reason);
    event_write(out, &event);
    return true;
}

static bool rewrite_check(str_t json, struct arena *arena, struct buf *out)
{
    struct quality_check check;
    str_t reason;
    (void)quality_is_meant(json);
    if (!quality_read(json, arena, &check, &reason))
        return refused(reason);
    quality_write(out, &check);
    return true;
}

static bool rewrite_invalid(str_t json, struct arena *arena, struct buf *out)
{
    struct invalid_record record;
    str_t reason;
    if (!invalid_read(json, arena, &record, &reason))
        return refused(reason);
    invalid_write(out, &record);
    return true;
}

static void check(rewrite *rewrite, str_t json)
{
    struct arena arena;
    struct buf first, second;
    arena_init(&arena, (size_t)64 << 20, NULL);
    buf_init(&first, 0);
    buf_init(&second, 0);
    if (rewrite(json, &arena, &first) &&
        (!rewrite(buf_str(&first), &arena, &second) || !str_eq(buf_str(&first), buf_str(&second))))
        abort();
    buf_release(&first);
    buf_release(&second);
    arena_release(&arena);
}

static void check_json(str_t json)
{
    struct arena arena;
    const char *message;
    size_t where;
    arena_init(&arena, (size_t)64 << 20, NULL);
    if (json_is_valid(json) && json_read(&arena, json, &message, &where) == NULL && !arena.failed)
        abort();
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str_t json = str_make((const char *)data, size);
    check_json(json);
    check(rewrite_raw, json);
    check(rewrite_event, json);
    check(rewrite_check, json);
    check(rewrite_invalid, json);
    return 0;
}
