/*
 * `--format fields` and `--format tables`: two small shapes for programs that want columns or tables and nothing else.
 *
 *     [{"targetField": {"dbName", "tableName", "fieldName"}, "sourceFields": [{"dbName", "tableName", "fieldName", "process"}]}]
 *     {"inputTables": [..], "outputTable": ".."}   a line for each output
 *
 * `process` is the chain of expressions that computes the target: those that are more than a column's name, outermost first,
 * with ` <- ` between; where there is none, the innermost name.
 */
#include "doc/format.h"

static bool is_plain_name(str_t expression)
{
    for (size_t i = 0; i < expression.len; i++) {
        char c = ascii_lower(expression.ptr[i]);
        bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '`' || (unsigned char)c >= 0x80;
        if (!part)
            return false;
    }
    return true;
}

/* `b.town` → `town` */
static str_t last_part(str_t name)
{
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != '.')
        at--;
    return str_make(name.ptr + at, name.len - at);
}

static void write_process(struct jsonw *json, const struct doc_column *column)
{
    bool any = false;
    jsonw_string_open(json);
    for (uint32_t i = 0; i < column->step_count; i++) {
        if (is_plain_name(column->steps[i]))
            continue;
        if (any)
            BUF_ADD(json->out, " <- ");
        json_escape(json->out, column->steps[i]);
        any = true;
    }
    if (!any && column->step_count > 0)
        json_escape(json->out, last_part(column->steps[column->step_count - 1]));
    else if (!any)
        json_escape(json->out, is_plain_name(column->expression) ? last_part(column->expression) : column->expression);
    jsonw_string_close(json);
}

/* db.t, c → three members; a directory is a table without database. */
static void write_field(struct jsonw *json, str_t table, str_t column)
{
    size_t dot = table.len > 0 && memchr(table.ptr, '/', table.len) == NULL ? str_find(table, '.', 0) : table.len;
    bool dotted = dot < table.len;
    jsonw_member(json, STR("dbName"), dotted ? str_make(table.ptr, dot) : STR(""));
    jsonw_member(json, STR("tableName"), dotted ? str_make(table.ptr + dot + 1, table.len - dot - 1) : table);
    jsonw_member(json, STR("fieldName"), column);
}

static void write_source_fields(struct jsonw *json, const struct doc_column *column)
{
    for (uint32_t i = 0; i < column->source_count; i++) {
        const struct doc_source *source = &column->sources[i];
        jsonw_row(json);
        jsonw_object_begin(json);
        write_field(json, source->table, source->column);
        jsonw_key(json, STR("process"));
        write_process(json, column);
        jsonw_object_end(json);
    }
}

static bool same_target(const struct doc_column *a, const struct doc_column *b)
{
    return a->ordinal == b->ordinal && str_eq(a->column, b->column) && str_eq(a->table, b->table);
}

/* The table of a target, or the directory that is written. */
static str_t owner_of(const struct doc_statement *st, const struct doc_column *column)
{
    bool directory = column->table.len == 0 && st->output_count == 1;
    return directory ? st->outputs[0].dataset.path : column->table;
}

void fields_open(struct doc_writer *w)
{
    jsonw_array_begin(&w->json);
}

/* Items of one target that differ in transform follow one another. */
void fields_add(struct doc_writer *w, const struct doc_statement *st)
{
    struct jsonw *json = &w->json;
    for (uint32_t i = 0; i < st->column_count;) {
        const struct doc_column *column = &st->columns[i];
        jsonw_object_begin(json);
        jsonw_key(json, STR("targetField"));
        jsonw_row(json);
        jsonw_object_begin(json);
        write_field(json, owner_of(st, column), column->column);
        jsonw_object_end(json);
        jsonw_key(json, STR("sourceFields"));
        jsonw_array_begin(json);
        for (; i < st->column_count && same_target(column, &st->columns[i]); i++)
            write_source_fields(json, &st->columns[i]);
        jsonw_array_end(json);
        jsonw_object_end(json);
    }
}

void fields_close(struct doc_writer *w)
{
    jsonw_array_end(&w->json);
    buf_add_char(&w->out, '\n');
}

static str_t dataset_name(const struct doc_dataset *dataset)
{
    return dataset->table.len > 0 ? dataset->table : dataset->path;
}

static void write_tables(struct doc_writer *w, const struct doc_statement *st, const struct doc_dataset *output)
{
    struct jsonw *json = &w->json;
    jsonw_init(json, &w->out, false);
    jsonw_object_begin(json);
    jsonw_key(json, STR("inputTables"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->input_count; i++)
        jsonw_string(json, dataset_name(&st->inputs[i]));
    jsonw_array_end(json);
    jsonw_key(json, STR("outputTable"));
    if (output == NULL)
        jsonw_null(json);
    else
        jsonw_string(json, dataset_name(output));
    jsonw_object_end(json);
    buf_add_char(&w->out, '\n');
}

void tables_add(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->output_count; i++)
        write_tables(w, st, &st->outputs[i].dataset);
    if (st->output_count == 0 && st->input_count > 0)
        write_tables(w, st, NULL);
}
