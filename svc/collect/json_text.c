/* Reading lineage records of Hive and Impala: both have edges between numbered vertices. */
#include "collect/json_text.h"

#include <stdlib.h>

static const int64_t SECONDS_MAX = 100000000000; /* the year 5138 */

bool json_member_integer(const struct json *object, str_t key, int64_t *number)
{
    const struct json *member = json_member(object, key);
    if (member == NULL || (member->kind != JSON_NUMBER && member->kind != JSON_STRING))
        return false;
    str_t s = member->text;
    bool negative = str_take(&s, STR("-"));
    if (s.len == 0 || s.len > 18)
        return false;
    int64_t value = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
        value = value * 10 + (s.ptr[i] - '0');
    }
    *number = negative ? -value : value;
    return true;
}

void json_member_seconds(const struct json *object, str_t key, int64_t *ms)
{
    int64_t seconds;
    if (json_member_integer(object, key, &seconds) && seconds > 0 && seconds < SECONDS_MAX)
        *ms = seconds * 1000;
}

/* ---- pieces of text --------------------------------------------------------------------------------------------- */

/* Behind the string whose opening quote is at `pos`; 0 when it has no end. */
static size_t string_end(str_t text, size_t pos)
{
    for (pos++; pos < text.len; pos++) {
        if (text.ptr[pos] == '\\')
            pos++;
        else if (text.ptr[pos] == '"')
            return pos + 1;
    }
    return 0;
}

/* Behind the array or object that begins at `pos`; 0 when it has no end. */
static size_t container_end(str_t text, size_t pos)
{
    size_t depth = 0;
    while (pos < text.len) {
        char c = text.ptr[pos];
        if (c == '"') {
            pos = string_end(text, pos);
            if (pos == 0)
                return 0;
            continue;
        }
        pos++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            return pos;
    }
    return 0;
}

size_t json_object_length(str_t bytes)
{
    return container_end(bytes, 0);
}

str_t json_slice(str_t text, size_t at)
{
    if (at >= text.len)
        return str_make(text.ptr, 0);
    char c = text.ptr[at];
    size_t end = at;
    if (c == '{' || c == '[')
        end = container_end(text, at);
    else if (c == '"')
        end = string_end(text, at);
    else
        while (end < text.len && memchr(",]} \t\r\n", text.ptr[end], 7) == NULL)
            end++;
    return end > at ? str_make(text.ptr + at, end - at) : str_make(text.ptr, 0);
}

str_t graph_text(struct arena *arena, str_t text, const struct json *record)
{
    const struct json *edges = json_member(record, STR("edges")), *vertices = json_member(record, STR("vertices"));
    if (edges == NULL || vertices == NULL || edges->kind != JSON_ARRAY || vertices->kind != JSON_ARRAY)
        return str_make(text.ptr, 0);
    str_t graph = arena_join(arena, STR("{\"edges\":"), json_slice(text, edges->at));
    graph = arena_join(arena, graph, STR(",\"vertices\":"));
    graph = arena_join(arena, graph, json_slice(text, vertices->at));
    return arena_join(arena, graph, STR("}"));
}

/* ---- tables of a graph ------------------------------------------------------------------------------------------ */

enum {
    IS_SOURCE = 1,
    IS_TARGET = 2
};

struct vertex {
    int64_t id;
    const struct json *json;
    uint8_t role;
};

static int by_id(const void *a, const void *b)
{
    const struct vertex *left = a, *right = b;
    return left->id < right->id ? -1 : left->id > right->id;
}

static size_t child_count(const struct json *array)
{
    size_t count = 0;
    for (const struct json *item = array == NULL ? NULL : array->first; item != NULL; item = item->next)
        count++;
    return count;
}

static int64_t whole_number(const struct json *value)
{
    unsigned number;
    bool fits = value->kind == JSON_NUMBER && value->text.len > 0 && value->text.len < 10;
    return fits && digits(value->text, value->text.len, &number) ? (int64_t)number : -1;
}

static void mark(struct vertex *vertices, size_t count, const struct json *ids, uint8_t role)
{
    for (const struct json *id = ids == NULL ? NULL : ids->first; id != NULL; id = id->next) {
        struct vertex wanted = {.id = whole_number(id)};
        struct vertex *hit = bsearch(&wanted, vertices, count, sizeof *vertices, by_id);
        if (hit != NULL)
            hit->role |= role;
    }
}

/*
 * The table of a vertex: what its metadata says; else the label of a whole table, or a column's label without its last part, when
 * that still has a dot. Labels of a result have none.
 */
static str_t vertex_table(const struct json *vertex)
{
    str_t table = json_member_text(json_member(vertex, STR("metadata")), STR("tableName"));
    if (table.len > 0)
        return table;
    str_t label = json_member_text(vertex, STR("vertexId"));
    if (str_eq(json_member_text(vertex, STR("vertexType")), STR("TABLE")))
        return label;
    size_t dot = label.len;
    while (dot > 0 && label.ptr[dot - 1] != '.')
        dot--;
    table = str_make(label.ptr, dot > 0 ? dot - 1 : 0);
    return str_find(table, '.', 0) < table.len ? table : str_make(label.ptr, 0);
}

static int by_text(const void *a, const void *b)
{
    return str_compare(*(const str_t *)a, *(const str_t *)b);
}

/* Sorts the names and keeps each once. */
static void sort_names(struct names *names)
{
    if (names->count == 0)
        return;
    qsort(names->items, names->count, sizeof *names->items, by_text);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < names->count; i++)
        if (!str_eq(names->items[i], names->items[kept - 1]))
            names->items[kept++] = names->items[i];
    names->count = kept;
}

bool graph_tables(struct arena *arena, const struct json *record, struct names *inputs, struct names *outputs)
{
    inputs->count = outputs->count = 0;
    const struct json *list = json_member(record, STR("vertices"));
    size_t count = child_count(list), at = 0;
    if (count == 0)
        return true;
    struct vertex *vertices = ARENA_ARRAY(arena, struct vertex, count);
    if (vertices == NULL)
        return false;
    for (const struct json *item = list->first; item != NULL; item = item->next) {
        const struct json *id = json_member(item, STR("id"));
        vertices[at++] = (struct vertex){.id = id == NULL ? -1 : whole_number(id), .json = item};
    }
    qsort(vertices, count, sizeof *vertices, by_id);
    const struct json *edges = json_member(record, STR("edges"));
    for (const struct json *edge = edges == NULL ? NULL : edges->first; edge != NULL; edge = edge->next) {
        mark(vertices, count, json_member(edge, STR("sources")), IS_SOURCE);
        mark(vertices, count, json_member(edge, STR("targets")), IS_TARGET);
    }
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        str_t table = vertices[i].role == 0 ? STR("") : vertex_table(vertices[i].json);
        if (table.len == 0)
            continue;
        ok = ok && (!(vertices[i].role & IS_SOURCE) || names_add(inputs, table));
        ok = ok && (!(vertices[i].role & IS_TARGET) || names_add(outputs, table));
    }
    sort_names(inputs);
    sort_names(outputs);
    return ok;
}

void record_tables(struct raw_record *record, const struct names *inputs, const struct names *outputs)
{
    record->tables = inputs->items;
    record->table_count = inputs->count;
    record->outputs = outputs->items;
    record->output_count = outputs->count;
}
