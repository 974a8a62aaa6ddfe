/*
 * The lineage document as JSON, which docs/lineage-document.md and its schema define. Members stand in one order, and
 * lists that are mostly empty (`expression`, `steps`, `views` ..) follow the rules given there.
 */
#include "doc/format.h"

static void write_span(struct doc_writer *w, span_t span)
{
    struct jsonw *json = &w->json;
    struct line_column place = lines_find(&w->lines, span.start);
    jsonw_key(json, STR("span"));
    jsonw_row(json);
    jsonw_object_begin(json);
    jsonw_member_number(json, STR("start"), span.start);
    jsonw_member_number(json, STR("end"), span.end);
    jsonw_member_number(json, STR("line"), place.line);
    jsonw_member_number(json, STR("column"), place.column);
    jsonw_object_end(json);
}

/* Spans of expressions: bytes only, and none for what does not stand in the script. */
static void write_expression(struct jsonw *json, str_t expression, span_t span)
{
    if (expression.len > 0)
        jsonw_member(json, STR("expression"), expression);
    if (span.end == 0)
        return;
    jsonw_key(json, STR("span"));
    jsonw_row(json);
    jsonw_object_begin(json);
    jsonw_member_number(json, STR("start"), span.start);
    jsonw_member_number(json, STR("end"), span.end);
    jsonw_object_end(json);
}

static void write_dotted(struct jsonw *json, str_t table, str_t column)
{
    jsonw_string_open(json);
    json_escape(json->out, table);
    if (table.len > 0 && column.len > 0)
        buf_add_char(json->out, '.');
    json_escape(json->out, column);
    jsonw_string_close(json);
}

/* "db.t.c", or with a path {"column": "db.t.c", "path": ".x"}. */
static void write_source(struct jsonw *json, const struct doc_source *source)
{
    if (source->path.len == 0) {
        write_dotted(json, source->table, source->column);
        return;
    }
    jsonw_object_begin(json);
    jsonw_key(json, STR("column"));
    write_dotted(json, source->table, source->column);
    jsonw_member(json, STR("path"), source->path);
    jsonw_object_end(json);
}

static void write_sources(struct jsonw *json, const struct doc_source *sources, uint32_t count)
{
    jsonw_key(json, STR("sources"));
    jsonw_row(json);
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < count; i++)
        write_source(json, &sources[i]);
    jsonw_array_end(json);
}

static void write_inputs(struct jsonw *json, const struct doc_statement *st)
{
    jsonw_key(json, STR("inputs"));
    jsonw_row(json);
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->input_count; i++) {
        const struct doc_dataset *input = &st->inputs[i];
        if (input->table.len > 0) {
            jsonw_string(json, input->table);
            continue;
        }
        jsonw_object_begin(json);
        jsonw_member(json, STR("path"), input->path);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}

static void write_partition(struct jsonw *json, const struct doc_output *output)
{
    jsonw_key(json, STR("partition"));
    jsonw_object_begin(json);
    for (uint32_t i = 0; i < output->partition_count; i++) {
        jsonw_key_text(json, output->partitions[i].key);
        if (output->partitions[i].has_value)
            jsonw_string(json, output->partitions[i].value);
        else
            jsonw_null(json);
    }
    jsonw_object_end(json);
}

static void write_outputs(struct jsonw *json, const struct doc_statement *st)
{
    jsonw_key(json, STR("outputs"));
    jsonw_row(json);
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->output_count; i++) {
        const struct doc_output *output = &st->outputs[i];
        jsonw_object_begin(json);
        if (output->dataset.table.len > 0)
            jsonw_member(json, STR("table"), output->dataset.table);
        else
            jsonw_member(json, STR("path"), output->dataset.path);
        jsonw_member(json, STR("write_mode"), write_mode_text(output->mode));
        if (output->partition_count > 0)
            write_partition(json, output);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}

static void write_steps(struct jsonw *json, const struct doc_column *column)
{
    jsonw_key(json, STR("steps"));
    jsonw_row(json);
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < column->step_count; i++)
        jsonw_string(json, column->steps[i]);
    jsonw_array_end(json);
}

static void write_columns(struct jsonw *json, const struct doc_statement *st)
{
    jsonw_key(json, STR("columns"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->column_count; i++) {
        const struct doc_column *column = &st->columns[i];
        jsonw_object_begin(json);
        jsonw_key(json, STR("target"));
        write_dotted(json, column->table, column->column);
        jsonw_member_number(json, STR("ordinal"), column->ordinal);
        jsonw_member(json, STR("transform"), transform_text(column->transform));
        write_sources(json, column->sources, column->source_count);
        write_expression(json, column->expression, column->span);
        if (column->step_count > 0)
            write_steps(json, column);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}

static void write_targets(struct jsonw *json, const struct doc_predicate *predicate)
{
    jsonw_key(json, STR("targets"));
    jsonw_row(json);
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < predicate->target_count; i++)
        write_dotted(json, predicate->targets[i].table, predicate->targets[i].column);
    jsonw_array_end(json);
}

static void write_predicates(struct jsonw *json, const struct doc_statement *st)
{
    jsonw_key(json, STR("predicates"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->predicate_count; i++) {
        const struct doc_predicate *predicate = &st->predicates[i];
        jsonw_object_begin(json);
        jsonw_member(json, STR("clause"), clause_kind_text(predicate->clause));
        write_expression(json, predicate->expression, predicate->span);
        write_sources(json, predicate->sources, predicate->source_count);
        if (predicate->target_count > 0)
            write_targets(json, predicate);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}

static void write_views(struct jsonw *json, const struct doc_statement *st)
{
    jsonw_key(json, STR("views"));
    jsonw_row(json);
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->view_count; i++)
        jsonw_string(json, st->views[i]);
    jsonw_array_end(json);
}

static void write_diagnostics(struct doc_writer *w, const struct doc_statement *st)
{
    struct jsonw *json = &w->json;
    jsonw_key(json, STR("diagnostics"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < st->diags.list.count; i++) {
        const struct diag *diag = &st->diags.list.items[i];
        jsonw_object_begin(json);
        jsonw_member(json, STR("code"), diag_code_text(diag->code));
        jsonw_member(json, STR("severity"), diag_severity_text(diag_code_severity(diag->code)));
        jsonw_member(json, STR("message"), diag->message);
        write_span(w, diag->span);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
    if (st->diags.dropped > 0)
        jsonw_member_number(json, STR("diagnostics_dropped"), st->diags.dropped);
}

static void write_error(struct doc_writer *w, const struct parse_error *error)
{
    struct jsonw *json = &w->json;
    jsonw_key(json, STR("error"));
    if (error->message.len == 0) {
        jsonw_null(json);
        return;
    }
    struct line_column place = lines_find(&w->lines, error->at);
    jsonw_row(json);
    jsonw_object_begin(json);
    jsonw_member(json, STR("code"), diag_code_text(error->code));
    jsonw_member(json, STR("message"), error->message);
    jsonw_member_number(json, STR("line"), place.line);
    jsonw_member_number(json, STR("column"), place.column);
    jsonw_object_end(json);
}

static void write_fingerprint(struct jsonw *json, const uint64_t fingerprint[2])
{
    static const char digits[] = "0123456789abcdef";
    char hex[32];
    for (unsigned i = 0; i < 32; i++)
        hex[i] = digits[fingerprint[i / 16] >> (60 - 4 * (i % 16)) & 15];
    jsonw_member(json, STR("fingerprint"), str_make(hex, sizeof hex));
}

void json_open(struct doc_writer *w)
{
    struct jsonw *json = &w->json;
    jsonw_object_begin(json);
    jsonw_member(json, STR("id"), w->script.id);
    jsonw_member(json, STR("dialect"), w->script.dialect == DIALECT_HIVE ? STR("hive") : STR("impala"));
    jsonw_key(json, STR("statements"));
    jsonw_array_begin(json);
}

void json_add(struct doc_writer *w, const struct doc_statement *st)
{
    struct jsonw *json = &w->json;
    jsonw_object_begin(json);
    jsonw_member_number(json, STR("index"), st->index);
    if (w->file.len > 0)
        jsonw_member(json, STR("file"), w->file);
    jsonw_member(json, STR("type"), str_make(st->type, strlen(st->type)));
    write_span(w, st->span);
    jsonw_member(json, STR("database"), st->database);
    uint64_t print[2];
    doc_fingerprint(st, print);
    write_fingerprint(json, print);
    jsonw_member(json, STR("operation"), operation_text(st->operation));
    write_inputs(json, st);
    write_outputs(json, st);
    write_columns(json, st);
    write_predicates(json, st);
    write_views(json, st);
    if (st->dropped.len > 0)
        jsonw_member(json, STR("dropped"), st->dropped);
    write_diagnostics(w, st);
    write_error(w, &st->error);
    jsonw_object_end(json);
}

void json_close(struct doc_writer *w)
{
    jsonw_array_end(&w->json);
    jsonw_object_end(&w->json);
    buf_add_char(&w->out, '\n');
}
