/* The normalised event as a table. */
#include "record/event.h"

#include "record/raw_names.h"

static const str_t status_names[] = {STR("OK"),      STR("ERROR"),      STR("CANCELLED"),
                                     STR("RETRIED"), STR("INCOMPLETE"), STR("UNKNOWN")};
static const struct field_names statuses = {status_names, EVENT_STATUS_COUNT};

#define AT(member) .offset = offsetof(struct event_partition, member)

static const struct field partition_fields[] = {
    {.name = STR("table"), .type = FIELD_TEXT, .needed = true, AT(table)},
    {.name = STR("spec"), .type = FIELD_TEXT, .needed = true, AT(spec)},
};

#undef AT
#define AT(member) .offset = offsetof(struct event_source, member)

static const struct field source_fields[] = {
    {.name = STR("source"), .type = FIELD_NAME, .needed = true, .names = &raw_sources, AT(source)},
    {.name = STR("host"), .type = FIELD_TEXT, AT(host)},
    {.name = STR("kinds"), .type = FIELD_NAME_SET, .needed = true, .names = &raw_kinds, AT(kinds)},
};

#undef AT
#define AT(member) .offset = offsetof(struct event_problem, member)

static const struct field problem_fields[] = {
    {.name = STR("code"), .type = FIELD_TEXT, .needed = true, AT(code)},
    {.name = STR("message"), .type = FIELD_TEXT, .needed = true, AT(message)},
};

#undef AT
#define AT(member) .offset = offsetof(struct event, member)
#define COUNTED(member, counter) AT(member), .count_offset = offsetof(struct event, counter)

static const struct event_partition empty_partition = {0};
static const struct event_source empty_source = {0};
static const struct event_problem empty_problem = {0};
static const struct event empty_event = {.v = EVENT_VERSION,
                                         .revision = 1,
                                         .duration_ms = -1,
                                         .status = EVENT_UNKNOWN,
                                         .is_valid = true};

static const struct field_table partition_table = {
    partition_fields, sizeof partition_fields / sizeof partition_fields[0],
    sizeof(struct event_partition), &empty_partition};
static const struct field_table problem_table = {problem_fields,
                                                 sizeof problem_fields / sizeof problem_fields[0],
                                                 sizeof(struct event_problem), &empty_problem};
static const struct field_table source_table = {source_fields,
                                                sizeof source_fields / sizeof source_fields[0],
                                                sizeof(struct event_source), &empty_source};

static const struct field event_fields[] = {
    {.name = STR("v"), .type = FIELD_VERSION, .needed = true, .limit = EVENT_VERSION, AT(v)},
    {.name = STR("query_id"), .type = FIELD_TEXT, .needed = true, AT(query_id)},
    {.name = STR("revision"), .type = FIELD_NUMBER32, .needed = true, AT(revision)},
    {.name = STR("generation"), .type = FIELD_NUMBER32, .needed = true, AT(generation)},
    {.name = STR("cluster"), .type = FIELD_TEXT, AT(cluster)},
    {.name = STR("namespace"), .type = FIELD_TEXT, AT(name_space)},
    {.name = STR("engine"), .type = FIELD_TEXT, .needed = true, AT(engine)},
    {.name = STR("user"), .type = FIELD_TEXT, AT(user)},
    {.name = STR("database"), .type = FIELD_TEXT, AT(database)},
    {.name = STR("session_id"), .type = FIELD_TEXT, AT(session_id)},
    {.name = STR("timestamp"), .type = FIELD_TIME, AT(timestamp)},
    {.name = STR("duration_ms"), .type = FIELD_DURATION, AT(duration_ms)},
    {.name = STR("status"), .type = FIELD_NAME, .needed = true, .names = &statuses, AT(status)},
    {.name = STR("error"), .type = FIELD_TEXT, AT(error)},
    {.name = STR("operation_type"), .type = FIELD_TEXT, AT(operation_type)},
    {.name = STR("input_tables"),
     .type = FIELD_TEXTS,
     .needed = true,
     COUNTED(input_tables, input_count)},
    {.name = STR("output_tables"),
     .type = FIELD_TEXTS,
     .needed = true,
     COUNTED(output_tables, output_count)},
    {.name = STR("partitions"),
     .type = FIELD_OBJECTS,
     .inside = &partition_table,
     COUNTED(partitions, partition_count)},
    {.name = STR("paths"), .type = FIELD_TEXTS, COUNTED(paths, path_count)},
    {.name = STR("sql"), .type = FIELD_TEXT, AT(sql)},
    {.name = STR("sql_cut"), .type = FIELD_FLAG, AT(sql_cut)},
    {.name = STR("sql_one_line"), .type = FIELD_FLAG, AT(sql_one_line)},
    {.name = STR("fingerprint"), .type = FIELD_TEXT, AT(fingerprint)},
    {.name = STR("lineage"), .type = FIELD_JSON, AT(lineage)},
    {.name = STR("engine_lineage"), .type = FIELD_JSON, AT(engine_lineage)},
    {.name = STR("event_time"), .type = FIELD_TIME, .needed = true, AT(event_time)},
    {.name = STR("first_event_time"), .type = FIELD_TIME, AT(first_event_time)},
    {.name = STR("processing_time"), .type = FIELD_TIME, .needed = true, AT(processing_time)},
    {.name = STR("sources"),
     .type = FIELD_OBJECTS,
     .needed = true,
     .inside = &source_table,
     COUNTED(sources, source_count)},
    {.name = STR("backfill"), .type = FIELD_FLAG, AT(backfill)},
    {.name = STR("incomplete"), .type = FIELD_FLAG, AT(incomplete)},
    {.name = STR("is_valid"), .type = FIELD_FLAG, .needed = true, AT(is_valid)},
    {.name = STR("problems"),
     .type = FIELD_OBJECTS,
     .inside = &problem_table,
     COUNTED(problems, problem_count)},
};

static const struct field_table event_table = {
    event_fields, sizeof event_fields / sizeof event_fields[0], sizeof(struct event), &empty_event};

struct event event_empty(void)
{
    return empty_event;
}

str_t event_status_name(enum event_status status)
{
    return status_names[status];
}

bool event_status_by_name(str_t name, enum event_status *status)
{
    uint32_t value;
    if (!name_to_enum(&statuses, name, &value))
        return false;
    *status = (enum event_status)value;
    return true;
}

void event_write(struct buf *out, const struct event *event)
{
    struct jsonw w;
    jsonw_init(&w, out, false);
    fields_write(&w, &event_table, event);
}

static void check(const struct event *event, struct reasons *reasons)
{
    fields_check(&event_table, event, reasons);
    if (event->revision == 0)
        reasons_add(reasons, STR("revision"), "below 1");
    if (event->incomplete != (event->status == EVENT_INCOMPLETE))
        reasons_add(reasons, STR("incomplete"), "does not agree with the status");
    if (!event->is_valid && event->problem_count == 0)
        reasons_add(reasons, STR("problems"), "missing in an event that is not valid");
}

bool event_read(str_t json, struct arena *arena, struct event *event, str_t *reason)
{
    struct reasons reasons = {0};
    if (fields_read(json, &event_table, event, arena, &reasons))
        check(event, &reasons);
    return reasons_give(&reasons, arena, reason);
}

bool event_validate(const struct event *event, struct arena *arena, str_t *reason)
{
    struct reasons reasons = {0};
    check(event, &reasons);
    return reasons_give(&reasons, arena, reason);
}
