/* Reading back what `colline lineage --format json` wrote. Members that are not needed are not looked at. */
#include "document.h"

#include <jansson.h>

static str_t text_of(const json_t *value)
{
    return json_is_string(value) ? str_make(json_string_value(value), json_string_length(value)) : STR("");
}

static str_t member(const json_t *object, const char *key)
{
    return text_of(json_object_get(object, key));
}

/* Names whose number of parts tells what they are: db.t is a table, db.t.c a column; paths of directories hold slashes. */
static uint32_t name_node(struct facts *facts, str_t name)
{
    size_t first = str_find(name, '.', 0);
    size_t second = str_find(name, '.', first + 1);
    bool table = second >= name.len;
    if (table)
        return facts_table(facts, name);
    return facts_column(facts, str_make(name.ptr, second), str_make(name.ptr + second + 1, name.len - second - 1));
}

/* "db.t.c" or {"column": "db.t.c", "path": ".x"} */
static uint32_t source_node(struct facts *facts, const json_t *source)
{
    return name_node(facts, json_is_string(source) ? text_of(source) : member(source, "column"));
}

static uint32_t target_node(struct facts *facts, str_t target, str_t directory)
{
    bool qualified = str_find(target, '.', str_find(target, '.', 0) + 1) < target.len;
    return qualified ? name_node(facts, target) : facts_column(facts, directory, target);
}

/* "db.t", {"table": ..} or {"path": ..} */
static str_t dataset_of(const json_t *value)
{
    if (json_is_string(value))
        return text_of(value);
    str_t table = member(value, "table");
    return table.len > 0 ? table : member(value, "path");
}

static void add_tables(struct facts *facts, const json_t *outputs, const json_t *inputs, str_t how)
{
    size_t o, i;
    json_t *output, *input;
    json_array_foreach(outputs, o, output) {
        json_array_foreach(inputs, i, input)
            facts_edge(facts, facts_table(facts, dataset_of(input)), facts_table(facts, dataset_of(output)), how, STR(""), true);
    }
}

static bool add_predicates(struct facts *facts, const json_t *predicates, str_t directory)
{
    size_t p, s, t;
    json_t *predicate, *source, *target;
    bool general = false;
    json_array_foreach(predicates, p, predicate) {
        json_t *targets = json_object_get(predicate, "targets");
        str_t clause = member(predicate, "clause"), expression = member(predicate, "expression");
        general |= targets == NULL;
        json_array_foreach(json_object_get(predicate, "sources"), s, source) {
            uint32_t from = source_node(facts, source);
            if (targets == NULL)
                facts_edge(facts, from, facts_rows(facts), clause, expression, false);
            json_array_foreach(targets, t, target)
                facts_edge(facts, from, target_node(facts, text_of(target), directory), clause, expression, false);
        }
    }
    return general;
}

static void add_columns(struct facts *facts, const json_t *columns, str_t directory, bool conditions)
{
    size_t c, s;
    json_t *column, *source;
    json_array_foreach(columns, c, column) {
        uint32_t to = target_node(facts, member(column, "target"), directory);
        json_array_foreach(json_object_get(column, "sources"), s, source)
            facts_edge(facts, source_node(facts, source), to, member(column, "transform"), member(column, "expression"), true);
        if (conditions)
            facts_edge(facts, facts_rows(facts), to, STR(""), STR(""), false);
    }
}

static void add_statement(struct facts *facts, str_t script, const json_t *st)
{
    const json_t *outputs = json_object_get(st, "outputs");
    const json_t *columns = json_object_get(st, "columns");
    if (json_array_size(outputs) == 0 && json_array_size(columns) == 0)
        return;
    str_t file = member(st, "file");
    str_t directory = json_array_size(outputs) == 1 ? member(json_array_get(outputs, 0), "path") : STR("");
    json_int_t line = json_integer_value(json_object_get(json_object_get(st, "span"), "line"));
    facts_statement(facts, file.len > 0 ? file : script, (uint32_t)line);
    add_tables(facts, outputs, json_object_get(st, "inputs"), STR("table"));
    add_tables(facts, outputs, json_object_get(st, "views"), STR("view"));
    bool conditions = add_predicates(facts, json_object_get(st, "predicates"), directory);
    add_columns(facts, columns, directory, conditions);
}

static bool add_one(struct facts *facts, const char *path, const json_t *document)
{
    const json_t *statements = json_object_get(document, "statements");
    if (!json_is_array(statements)) {
        complain("%s: no lineage document: it has no \"statements\"", path);
        return false;
    }
    size_t i;
    json_t *st;
    str_t id = member(document, "id");
    json_array_foreach(statements, i, st)
        add_statement(facts, id.len > 0 ? id : str_of(path), st);
    return true;
}

bool document_add(struct facts *facts, const char *path, str_t text)
{
    bool done = true;
    size_t at = 0;
    for (str_t left = str_trim(text); left.len > 0; left = str_trim(str_make(left.ptr + at, left.len - at))) {
        json_error_t error;
        json_t *document = json_loadb(left.ptr, left.len, JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &error);
        if (document == NULL) {
            complain("%s: broken document at byte %zu: %s", path, (size_t)(left.ptr - text.ptr) + (size_t)error.position, error.text);
            return false;
        }
        at = (size_t)error.position;
        done = add_one(facts, path, document) && done;
        json_decref(document);
    }
    return done;
}
