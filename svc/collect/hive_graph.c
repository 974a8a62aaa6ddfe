/* LineageLogger's object: times in seconds, the statement, edges and vertices. */
#include "collect/hive_graph.h"

#include "base/digest.h"

enum {
    DURATION_MAX_MS = INT32_MAX /* 24 days */
};

void hive_graph_init(struct hive_graph *graph)
{
    *graph = (struct hive_graph){0};
    arena_init(&graph->arena, 0, NULL);
}

void hive_graph_release(struct hive_graph *graph)
{
    arena_release(&graph->arena);
    names_release(&graph->inputs);
    names_release(&graph->outputs);
}

static void fill_times(const struct json *object, struct raw_record *record)
{
    int64_t number;
    json_member_seconds(object, STR("timestamp"), &record->start_ms);
    if (json_member_integer(object, STR("duration"), &number) && number >= 0 && number < DURATION_MAX_MS)
        record->duration_ms = number;
    if (record->start_ms > 0 && record->duration_ms >= 0)
        record->end_ms = record->start_ms + record->duration_ms;
}

bool hive_graph_fill(struct hive_graph *graph, str_t text, struct raw_record *record, const char **code)
{
    const char *message;
    size_t where;
    arena_clear(&graph->arena);
    *code = "json";
    const struct json *object = json_read(&graph->arena, text, &message, &where);
    if (object == NULL)
        return false;
    *code = "graph";
    record->graph = graph_text(&graph->arena, text, object);
    if (record->graph.len == 0 || !graph_tables(&graph->arena, object, &graph->inputs, &graph->outputs))
        return false;
    *code = "memory";
    record->user = json_member_text(object, STR("user"));
    record->database = json_member_text(object, STR("database"));
    record->sql = json_member_text(object, STR("queryText"));
    record->status = STR("OK"); /* the hook runs after success only */
    fill_times(object, record);
    record_tables(record, &graph->inputs, &graph->outputs);
    return !graph->arena.failed;
}

str_t hive_graph_id(struct buf *id, str_t host, str_t time, str_t thread, str_t object)
{
    const str_t parts[] = {host, time, thread, object};
    struct buf text;
    buf_init(&text, 0);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (i > 0)
            buf_add_char(&text, '\n');
        buf_add(&text, parts[i]);
    }
    buf_clear(id);
    add_murmur3(id, buf_str(&text));
    bool ok = !text.failed && !id->failed;
    buf_release(&text);
    return ok ? buf_str(id) : STR("");
}
