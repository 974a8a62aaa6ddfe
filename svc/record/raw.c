/* The raw record as a table, and what a record of each kind must hold. */
#include "record/raw.h"

#include "record/raw_names.h"

static const str_t source_names[] = {STR("daemon-log"),  STR("glog"),      STR("web"),
                                     STR("lineage-log"), STR("audit-log"), STR("profile-log"),
                                     STR("hive-hook"),   STR("sql-file"),  STR("hive-log")};
static const str_t kind_names[] = {STR("START"),  STR("INPUT"), STR("OUTPUT"), STR("SCAN"),
                                   STR("FINISH"), STR("QUERY"), STR("LINEAGE")};
const struct field_names raw_sources = {source_names, RAW_SOURCE_COUNT};
const struct field_names raw_kinds = {kind_names, RAW_KIND_COUNT};

#define AT(member) .offset = offsetof(struct raw_position, member)

static const struct field position_fields[] = {
    {.name = STR("file"), .type = FIELD_TEXT, AT(file)},
    {.name = STR("file_id"), .type = FIELD_HEX, AT(file_id)},
    {.name = STR("offset"), .type = FIELD_NUMBER, AT(offset)},
    {.name = STR("cursor"), .type = FIELD_TEXT, AT(cursor)},
};

#undef AT
#define AT(member) .offset = offsetof(struct raw_record, member)
#define COUNTED(member, counter) AT(member), .count_offset = offsetof(struct raw_record, counter)

static const struct raw_position empty_position = {0};
static const struct raw_record empty_record = {.duration_ms = -1};
static const struct field_table position_table = {
    position_fields, sizeof position_fields / sizeof position_fields[0],
    sizeof(struct raw_position), &empty_position};

static const struct field raw_fields[] = {
    {.name = STR("v"), .type = FIELD_VERSION, .needed = true, .limit = RAW_VERSION, AT(v)},
    {.name = STR("source"), .type = FIELD_NAME, .needed = true, .names = &raw_sources, AT(source)},
    {.name = STR("kind"), .type = FIELD_NAME, .needed = true, .names = &raw_kinds, AT(kind)},
    {.name = STR("query_id"), .type = FIELD_TEXT, .needed = true, AT(query_id)},
    {.name = STR("cluster"), .type = FIELD_TEXT, AT(cluster)},
    {.name = STR("host"), .type = FIELD_TEXT, AT(host)},
    {.name = STR("backfill"), .type = FIELD_FLAG, AT(backfill)},
    {.name = STR("position"),
     .type = FIELD_OBJECT,
     .needed = true,
     .inside = &position_table,
     AT(position)},
    {.name = STR("captured_at"), .type = FIELD_TIME, .needed = true, AT(captured_at)},
    {.name = STR("time_ms"), .type = FIELD_TIME, AT(time_ms)},
    {.name = STR("level"), .type = FIELD_TEXT, AT(level)},
    {.name = STR("user"), .type = FIELD_TEXT, AT(user)},
    {.name = STR("database"), .type = FIELD_TEXT, AT(database)},
    {.name = STR("session_id"), .type = FIELD_TEXT, AT(session_id)},
    {.name = STR("statement_type"), .type = FIELD_TEXT, AT(statement_type)},
    {.name = STR("status"), .type = FIELD_TEXT, AT(status)},
    {.name = STR("state"), .type = FIELD_TEXT, AT(state)},
    {.name = STR("error"), .type = FIELD_TEXT, AT(error)},
    {.name = STR("start_ms"), .type = FIELD_TIME, AT(start_ms)},
    {.name = STR("end_ms"), .type = FIELD_TIME, AT(end_ms)},
    {.name = STR("duration_ms"), .type = FIELD_DURATION, AT(duration_ms)},
    {.name = STR("tables"), .type = FIELD_TEXTS, COUNTED(tables, table_count)},
    {.name = STR("outputs"), .type = FIELD_TEXTS, COUNTED(outputs, output_count)},
    {.name = STR("path"), .type = FIELD_TEXT, AT(path)},
    {.name = STR("sql"), .type = FIELD_TEXT, AT(sql)},
    {.name = STR("sql_cut"), .type = FIELD_FLAG, AT(sql_cut)},
    {.name = STR("sql_one_line"), .type = FIELD_FLAG, AT(sql_one_line)},
    {.name = STR("graph"), .type = FIELD_JSON, AT(graph)},
};

static const struct field_table raw_table = {raw_fields, sizeof raw_fields / sizeof raw_fields[0],
                                             sizeof(struct raw_record), &empty_record};

struct raw_record raw_empty(enum raw_source source, enum raw_kind kind)
{
    struct raw_record record = empty_record;
    record.v = RAW_VERSION;
    record.source = source;
    record.kind = kind;
    return record;
}

str_t raw_source_name(enum raw_source source)
{
    return source_names[source];
}

str_t raw_kind_name(enum raw_kind kind)
{
    return kind_names[kind];
}

bool raw_source_by_name(str_t name, enum raw_source *source)
{
    uint32_t value;
    if (!name_to_enum(&raw_sources, name, &value))
        return false;
    *source = (enum raw_source)value;
    return true;
}

bool raw_kind_by_name(str_t name, enum raw_kind *kind)
{
    uint32_t value;
    if (!name_to_enum(&raw_kinds, name, &value))
        return false;
    *kind = (enum raw_kind)value;
    return true;
}

void raw_write(struct buf *out, const struct raw_record *record)
{
    struct jsonw w;
    jsonw_init(&w, out, false);
    fields_write(&w, &raw_table, record);
}

static bool has_upper(str_t text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != ascii_lower(text.ptr[i]))
            return true;
    return false;
}

static void check_kind(const struct raw_record *record, struct reasons *reasons)
{
    if (record->kind == RAW_SCAN && record->path.len == 0)
        reasons_add(reasons, STR("path"), "missing in a SCAN record");
    if (record->kind == RAW_FINISH && record->status.len == 0)
        reasons_add(reasons, STR("status"), "missing in a FINISH record");
    if (record->kind == RAW_LINEAGE && record->graph.len == 0)
        reasons_add(reasons, STR("graph"), "missing in a LINEAGE record");
}

static void check(const struct raw_record *record, struct reasons *reasons)
{
    fields_check(&raw_table, record, reasons);
    if (has_upper(record->query_id))
        reasons_add(reasons, STR("query_id"), "not in lower case");
    check_kind(record, reasons);
}

bool raw_read(str_t json, struct arena *arena, struct raw_record *record, str_t *reason)
{
    struct reasons reasons = {0};
    if (fields_read(json, &raw_table, record, arena, &reasons))
        check(record, &reasons);
    return reasons_give(&reasons, arena, reason);
}

bool raw_validate(const struct raw_record *record, struct arena *arena, str_t *reason)
{
    struct reasons reasons = {0};
    check(record, &reasons);
    return reasons_give(&reasons, arena, reason);
}

static void add_part(struct buf *out, uint64_t number)
{
    buf_add_char(out, ':');
    buf_add_number(out, number);
}

str_t raw_identity(const struct raw_record *record, struct arena *arena)
{
    const struct raw_position *p = &record->position;
    struct buf out;
    buf_init(&out, 0);
    buf_add(&out, raw_source_name(record->source));
    buf_add_char(&out, ':');
    buf_add(&out, record->host);
    if (p->cursor.len > 0) {
        buf_add_char(&out, ':');
        buf_add(&out, p->cursor);
    } else {
        add_part(&out, p->file_id);
        add_part(&out, p->offset);
    }
    str_t identity = arena_copy(arena, buf_str(&out));
    buf_release(&out);
    return identity;
}
