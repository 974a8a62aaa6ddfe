/*
 * Impala's lineage event log: `impala_lineage_log_1.0-<ms>`, one record a line with the statement (line breaks became blanks), its
 * times in seconds, and the graph that Impala computed.
 */
#include "collect/json_lines.h"

static bool fill(struct json_lines *lines, str_t line, const struct json *object, struct raw_record *record, const char **code)
{
    *code = "query_id";
    record->query_id = json_lines_id(lines, json_member_text(object, STR("queryId")));
    if (record->query_id.len == 0)
        return false;
    *code = "graph";
    record->graph = graph_text(&lines->arena, line, object);
    if (record->graph.len == 0)
        return false;
    record->sql = json_member_text(object, STR("queryText"));
    record->sql_one_line = true;
    record->user = json_member_text(object, STR("user"));
    record->statement_type = json_member_text(object, STR("operationType"));
    record->path = json_member_text(object, STR("tableLocation"));
    json_member_seconds(object, STR("timestamp"), &record->start_ms);
    json_member_seconds(object, STR("endTime"), &record->end_ms);
    record->time_ms = record->end_ms;
    *code = "memory";
    if (!graph_tables(&lines->arena, object, &lines->inputs, &lines->outputs))
        return false;
    record_tables(record, &lines->inputs, &lines->outputs);
    return true;
}

static void lineage_log_begin(struct format *format)
{
    json_lines_begin(format, fill, RAW_LINEAGE);
}

const struct format_ops lineage_log_format = {
    .name = "lineage-log",
    .source = RAW_LINEAGE_LOG,
    .size = sizeof(struct json_lines),
    .read = json_lines_read,
    .begin = lineage_log_begin,
    .release = json_lines_release,
};
