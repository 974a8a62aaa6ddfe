/* The record of what could not be used, as a table; bytes that are no UTF-8 travel as base64. */
#include "record/invalid.h"

#include "base/utf8.h"
#include "record/base64.h"
#include "record/fields.h"

enum { INVALID_VERSION = 1 };

/* As it stands in the JSON: the reasons apart, the value perhaps encoded. */
struct shape {
    struct invalid_record record;
    str_t *reasons;
    uint32_t reason_count;
    bool base64;
};

#define AT(member) .offset = offsetof(struct shape, member)

static const struct field fields[] = {
    {.name = STR("v"),
     .type = FIELD_VERSION,
     .needed = true,
     .limit = INVALID_VERSION,
     AT(record.v)},
    {.name = STR("stage"), .type = FIELD_TEXT, .needed = true, AT(record.stage)},
    {.name = STR("at"), .type = FIELD_TIME, .needed = true, AT(record.at)},
    {.name = STR("reasons"),
     .type = FIELD_TEXTS,
     .needed = true,
     AT(reasons),
     .count_offset = offsetof(struct shape, reason_count)},
    {.name = STR("topic"), .type = FIELD_TEXT, AT(record.topic)},
    {.name = STR("partition"), .type = FIELD_PARTITION, AT(record.partition)},
    {.name = STR("offset"), .type = FIELD_DURATION, AT(record.offset)},
    {.name = STR("base64"), .type = FIELD_FLAG, AT(base64)},
    {.name = STR("value"), .type = FIELD_TEXT, AT(record.value)},
};

static const struct shape empty = {.record = {.partition = -1, .offset = -1}};
static const struct field_table table = {fields, sizeof fields / sizeof fields[0],
                                         sizeof(struct shape), &empty};

enum {
    REASONS_MAX = 64 /* of one record; more are left with the last */
};

/* `a; b` → a, b */
static uint32_t split_reasons(str_t text, str_t *reasons)
{
    uint32_t count = 0;
    size_t from = 0;
    for (size_t i = 0; i + 1 < text.len && count < REASONS_MAX - 1; i++)
        if (text.ptr[i] == ';' && text.ptr[i + 1] == ' ') {
            reasons[count++] = str_make(text.ptr + from, i - from);
            from = i + 2;
        }
    reasons[count++] = str_make(text.ptr + from, text.len - from);
    return count;
}

void invalid_write(struct buf *out, const struct invalid_record *record)
{
    str_t reasons[REASONS_MAX];
    struct shape shape = {.record = *record, .reasons = reasons};
    struct buf encoded;
    struct jsonw w;
    size_t where;
    buf_init(&encoded, 0);
    shape.record.v = INVALID_VERSION;
    shape.reason_count = record->reason.len == 0 ? 0 : split_reasons(record->reason, reasons);
    shape.base64 = !utf8_valid(record->value, &where);
    if (shape.base64) {
        add_base64(&encoded, record->value);
        shape.record.value = buf_str(&encoded);
    }
    jsonw_init(&w, out, false);
    fields_write(&w, &table, &shape);
    out->failed |= encoded.failed;
    buf_release(&encoded);
}

static void join_reasons(struct shape *shape, struct arena *arena)
{
    for (uint32_t i = 0; i < shape->reason_count; i++) {
        str_t before = i == 0 ? STR("") : arena_join(arena, shape->record.reason, STR("; "));
        shape->record.reason = arena_join(arena, before, shape->reasons[i]);
    }
}

static void decode(struct shape *shape, struct arena *arena, struct reasons *reasons)
{
    struct buf bytes;
    buf_init(&bytes, 0);
    if (base64_decode(&bytes, shape->record.value))
        shape->record.value = arena_copy(arena, buf_str(&bytes));
    else
        reasons_add(reasons, STR("value"), "expected base64");
    buf_release(&bytes);
}

bool invalid_read(str_t json, struct arena *arena, struct invalid_record *record, str_t *reason)
{
    struct reasons reasons = {0};
    struct shape shape;
    if (fields_read(json, &table, &shape, arena, &reasons))
        fields_check(&table, &shape, &reasons);
    join_reasons(&shape, arena);
    if (shape.base64)
        decode(&shape, arena, &reasons);
    *record = shape.record;
    return reasons_give(&reasons, arena, reason);
}
