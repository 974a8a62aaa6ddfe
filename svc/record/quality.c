/* The result of a check as a table. */
#include "record/quality.h"

#include "record/fields.h"
#include "record/members.h"

static const str_t status_names[] = {STR("pass"), STR("warn"), STR("fail")};
static const struct field_names statuses = {status_names, QUALITY_STATUS_COUNT};
static const struct quality_check empty_check = {.v = QUALITY_VERSION};

#define AT(member) .offset = offsetof(struct quality_check, member)

static const struct field check_fields[] = {
    {.name = STR("v"), .type = FIELD_VERSION, .needed = true, .limit = QUALITY_VERSION, AT(v)},
    {.name = STR("check"), .type = FIELD_TEXT, .needed = true, AT(check)},
    {.name = STR("namespace"), .type = FIELD_TEXT, AT(name_space)},
    {.name = STR("table"), .type = FIELD_TEXT, .needed = true, AT(table)},
    {.name = STR("column"), .type = FIELD_TEXT, AT(column)},
    {.name = STR("status"), .type = FIELD_NAME, .needed = true, .names = &statuses, AT(status)},
    {.name = STR("time"), .type = FIELD_TIME, .needed = true, AT(time)},
    {.name = STR("message"), .type = FIELD_TEXT, AT(message)},
    {.name = STR("source"), .type = FIELD_TEXT, AT(source)},
};

static const struct field_table check_table = {check_fields,
                                               sizeof check_fields / sizeof check_fields[0],
                                               sizeof(struct quality_check), &empty_check};

str_t quality_status_name(enum quality_status status)
{
    return status_names[status];
}

bool quality_status_by_name(str_t name, enum quality_status *status)
{
    uint32_t value;
    if (!name_to_enum(&statuses, name, &value))
        return false;
    *status = (enum quality_status)value;
    return true;
}

void quality_write(struct buf *out, const struct quality_check *check)
{
    struct jsonw w;
    jsonw_init(&w, out, false);
    fields_write(&w, &check_table, check);
}

static size_t characters(str_t text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
    return count;
}

static void check_length(str_t member, str_t text, size_t most, struct reasons *reasons)
{
    if (characters(text) > most)
        reasons_add(reasons, member, "too long");
}

static void check_lengths(const struct quality_check *check, struct reasons *reasons)
{
    check_length(STR("check"), check->check, QUALITY_NAME_MOST, reasons);
    check_length(STR("namespace"), check->name_space, QUALITY_NAME_MOST, reasons);
    check_length(STR("table"), check->table, QUALITY_NAME_MOST, reasons);
    check_length(STR("column"), check->column, QUALITY_NAME_MOST, reasons);
    check_length(STR("message"), check->message, QUALITY_MESSAGE_MOST, reasons);
    check_length(STR("source"), check->source, QUALITY_NAME_MOST, reasons);
}

static void check_unit(const struct quality_check *check, struct reasons *reasons)
{
    if (check->time > 0 && (check->time < QUALITY_TIME_LEAST || check->time > QUALITY_TIME_MOST))
        reasons_add(reasons, STR("time"), "not in milliseconds since 1970");
}

bool quality_read(str_t json, struct arena *arena, struct quality_check *check, str_t *reason)
{
    struct reasons reasons = {0};
    if (fields_read(json, &check_table, check, arena, &reasons)) {
        fields_check(&check_table, check, &reasons);
        check_lengths(check, &reasons);
        check_unit(check, &reasons);
    }
    return reasons_give(&reasons, arena, reason);
}

bool quality_is_meant(str_t json)
{
    struct member_reader reader = member_reader_of(json);
    struct member member;
    while (!reader.array && member_next(&reader, &member))
        if (str_eq(member.key, STR("check")))
            return true;
    return false;
}
