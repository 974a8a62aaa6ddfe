/*
 * Impala's audit event log: `impala_audit_event_log_1.0-<ms>`, one object a line with one key, the time of writing in ms, whose value is
 * the event. `start_time` is local. Views are named beside the tables that they read.
 */
#include "collect/json_lines.h"

/* `yyyy-MM-dd HH:mm:ss.ffffff`, local */
static int64_t local_ms(const struct zone *zone, str_t text)
{
    struct local_clock clock;
    local_clock_init(&clock, zone);
    return local_clock_ms(&clock, text);
}

static bool is_output(str_t privilege)
{
    static const str_t outputs[] = {STR("INSERT"), STR("CREATE"), STR("ALTER"), STR("DROP"), STR("ALL")};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (str_eq(privilege, outputs[i]))
            return true;
    return false;
}

static bool read_objects(struct json_lines *lines, const struct json *list)
{
    lines->inputs.count = lines->outputs.count = 0;
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        str_t type = json_member_text(item, STR("object_type")), name = json_member_text(item, STR("name"));
        str_t privilege = json_member_text(item, STR("privilege"));
        if (name.len == 0 || (!str_eq(type, STR("TABLE")) && !str_eq(type, STR("VIEW"))))
            continue;
        bool ok = true;
        if (str_eq(privilege, STR("SELECT")))
            ok = names_add(&lines->inputs, name);
        else if (is_output(privilege))
            ok = names_add(&lines->outputs, name);
        if (!ok)
            return false;
    }
    return true;
}

static bool fill(struct json_lines *lines, str_t line, const struct json *object, struct raw_record *record, const char **code)
{
    (void)line;
    const struct json *event = object->first;
    *code = "event";
    if (event == NULL || event->next != NULL || event->kind != JSON_OBJECT)
        return false;
    unsigned high, low;
    if (event->key.len != 13 || !digits(event->key, 7, &high) || !digits(str_from(event->key, 7), 6, &low))
        return false;
    record->time_ms = (int64_t)high * 1000000 + (int64_t)low;
    *code = "query_id";
    record->query_id = json_lines_id(lines, json_member_text(event, STR("query_id")));
    if (record->query_id.len == 0)
        return false;
    record->session_id = json_lines_id(lines, json_member_text(event, STR("session_id")));
    record->start_ms = local_ms(lines->base.zone, json_member_text(event, STR("start_time")));
    record->end_ms = record->time_ms;
    record->user = json_member_text(event, STR("user"));
    record->statement_type = json_member_text(event, STR("statement_type"));
    record->sql = json_member_text(event, STR("sql_statement"));
    record->sql_one_line = true;
    record->error = json_member_text(event, STR("status"));
    bool refused = json_member_true(event, STR("authorization_failure"));
    record->status = record->error.len == 0 && !refused ? STR("OK") : STR("ERROR");
    *code = "memory";
    if (!read_objects(lines, json_member(event, STR("catalog_objects"))))
        return false;
    record_tables(record, &lines->inputs, &lines->outputs);
    return true;
}

static void audit_log_begin(struct format *format)
{
    json_lines_begin(format, fill, RAW_QUERY);
}

const struct format_ops audit_log_format = {
    .name = "audit-log",
    .source = RAW_AUDIT_LOG,
    .size = sizeof(struct json_lines),
    .read = json_lines_read,
    .begin = audit_log_begin,
    .release = json_lines_release,
};
