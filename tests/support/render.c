/* Statements → lines. */
#include "support/render.h"

#include <stdlib.h>
#include <string.h>

static void add(struct text *out, colline_text text)
{
    text_add(out, text.ptr, text.len);
}

/* An expression on one line: blanks of any kind and number are one. */
static void add_flat(struct text *out, colline_text text)
{
    bool blank = false;
    for (size_t i = 0; i < text.len; i++) {
        bool is_blank = strchr(" \t\r\n", text.ptr[i]) != NULL && text.ptr[i] != '\0';
        if (is_blank && !blank)
            text_add_z(out, " ");
        if (!is_blank)
            text_add(out, text.ptr + i, 1);
        blank = is_blank;
    }
}

static void separate(struct text *out, size_t i)
{
    if (i > 0)
        text_add_z(out, ", ");
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static void render_inputs(struct text *out, const colline_statement *st)
{
    size_t count = colline_statement_input_count(st);
    for (size_t i = 0; i < count; i++) {
        const colline_dataset *input = colline_statement_input(st, i);
        text_add_z(out, i == 0 ? "inputs: " : ", ");
        add(out, colline_dataset_table(input).len > 0 ? colline_dataset_table(input) : colline_dataset_path(input));
    }
    if (count > 0)
        text_add_z(out, "\n");
}

static void render_views(struct text *out, const colline_statement *st)
{
    size_t count = colline_statement_view_count(st);
    for (size_t i = 0; i < count; i++) {
        text_add_z(out, i == 0 ? "views: " : ", ");
        add(out, colline_statement_view(st, i));
    }
    if (count > 0)
        text_add_z(out, "\n");
}

static void render_partition(struct text *out, const colline_output *output)
{
    size_t count = colline_output_partition_count(output);
    for (size_t i = 0; i < count; i++) {
        colline_text value;
        text_add_z(out, i == 0 ? " (" : ", ");
        add(out, colline_output_partition_key(output, i));
        if (colline_output_partition_value(output, i, &value)) {
            text_add_z(out, "='");
            add(out, value);
            text_add_z(out, "'");
        }
    }
    if (count > 0)
        text_add_z(out, ")");
}

static void render_outputs(struct text *out, const colline_statement *st)
{
    size_t count = colline_statement_output_count(st);
    for (size_t i = 0; i < count; i++) {
        const colline_output *output = colline_statement_output(st, i);
        text_add_z(out, i == 0 ? "outputs: " : ", ");
        add(out, colline_output_table(output).len > 0 ? colline_output_table(output) : colline_output_path(output));
        text_add_z(out, " ");
        add(out, colline_output_write_mode(output));
        render_partition(out, output);
    }
    if (count > 0)
        text_add_z(out, "\n");
}

static void render_dropped(struct text *out, const colline_statement *st)
{
    if (colline_statement_dropped(st).len == 0)
        return;
    text_add_z(out, "dropped: ");
    add(out, colline_statement_dropped(st));
    text_add_z(out, "\n");
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

static void render_source(struct text *out, const colline_source *source)
{
    colline_text table = colline_source_table(source), name = colline_source_name(source), path = colline_source_path(source);
    add(out, table);
    if (name.len > 0) {
        text_add_z(out, table.len > 0 ? "." : "");
        add(out, name);
    }
    if (path.len > 0)
        text_add_format(out, "{%.*s}", (int)path.len, path.ptr);
}

static void add_column_name(struct text *out, colline_text table, colline_text name)
{
    add(out, table);
    text_add_z(out, table.len > 0 ? "." : "");
    add_flat(out, name);
}

static void render_column(struct text *out, const colline_column *column, const struct render_options *options)
{
    size_t count = colline_column_source_count(column);
    add_column_name(out, colline_column_table(column), colline_column_name(column));
    text_add_z(out, count == 0 ? " <- -" : " <- ");
    for (size_t i = 0; i < count; i++) {
        separate(out, i);
        render_source(out, colline_column_source(column, i));
    }
    text_add_z(out, " : ");
    add(out, colline_column_transform(column));
    if (options->expressions && colline_column_expression(column).len > 0) {
        text_add_z(out, " = ");
        add_flat(out, colline_column_expression(column));
    }
    if (options->spans)
        text_add_format(out, " @%u-%u", colline_column_span(column).start, colline_column_span(column).end);
    for (size_t i = 0; options->steps && i < colline_column_step_count(column); i++) {
        text_add_z(out, "\n    ");
        add_flat(out, colline_column_step(column, i));
    }
    text_add_z(out, "\n");
}

static void render_predicate(struct text *out, const colline_predicate *predicate, const struct render_options *options)
{
    size_t targets = colline_predicate_target_count(predicate), sources = colline_predicate_source_count(predicate);
    if (targets == 0)
        text_add_z(out, "*");
    for (size_t i = 0; i < targets; i++) {
        separate(out, i);
        add_column_name(out, colline_predicate_target_table(predicate, i), colline_predicate_target_name(predicate, i));
    }
    text_add_z(out, sources == 0 ? " <~ -" : " <~ ");
    for (size_t i = 0; i < sources; i++) {
        separate(out, i);
        render_source(out, colline_predicate_source(predicate, i));
    }
    text_add_z(out, " : ");
    add(out, colline_predicate_clause(predicate));
    if (options->expressions) {
        text_add_z(out, " = ");
        add_flat(out, colline_predicate_expression(predicate));
    }
    if (options->spans)
        text_add_format(out, " @%u-%u", colline_predicate_span(predicate).start, colline_predicate_span(predicate).end);
    text_add_z(out, "\n");
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

/* Takes the line that begins at `start` away again when an equal one stands between `from` and it. */
static void drop_repeated(struct text *out, size_t from, size_t start)
{
    size_t len = out->len - start;
    for (size_t at = from; at + len <= start; at++) {
        bool whole = at == from || out->ptr[at - 1] == '\n';
        if (whole && memcmp(out->ptr + at, out->ptr + start, len) == 0) {
            out->len = start;
            out->ptr[start] = '\0';
            return;
        }
    }
}

static void render_error(struct text *out, colline_analyzer *an, const colline_statement *st)
{
    uint32_t line = 0, column = 0;
    colline_position(an, colline_statement_error_span(st).start, &line, &column);
    text_add_z(out, "error: ");
    add(out, colline_statement_error_code(st));
    text_add_format(out, " %u:%u ", line, column);
    add(out, colline_statement_error_message(st));
    text_add_z(out, "\n");
}

void render_statement(struct text *out, colline_analyzer *an, const colline_statement *st, const struct render_options *options)
{
    render_inputs(out, st);
    render_views(out, st);
    render_outputs(out, st);
    render_dropped(out, st);
    size_t from = out->len;
    for (size_t i = 0; i < colline_statement_column_count(st); i++) {
        size_t start = out->len;
        render_column(out, colline_statement_column(st, i), options);
        drop_repeated(out, from, start);
    }
    from = out->len;
    for (size_t i = 0; i < colline_statement_predicate_count(st); i++) {
        size_t start = out->len;
        render_predicate(out, colline_statement_predicate(st, i), options);
        drop_repeated(out, from, start);
    }
    from = out->len;
    for (size_t i = 0; i < colline_statement_diagnostic_count(st); i++) {
        size_t start = out->len;
        text_add_z(out, "diag: ");
        add(out, colline_diagnostic_code(colline_statement_diagnostic(st, i)));
        text_add_z(out, "\n");
        drop_repeated(out, from, start);
    }
    if (colline_statement_failed(st))
        render_error(out, an, st);
}

static void add_heading(struct text *out, const colline_statement *st)
{
    text_add_format(out, "# %u ", colline_statement_index(st));
    add(out, colline_statement_type(st));
    text_add_z(out, " ");
    add(out, colline_statement_operation(st));
    text_add_z(out, "\n");
}

void render_script(struct text *out, colline_analyzer *an, const struct render_options *options)
{
    struct text first_heading = {0};
    size_t begin = out->len, count = 0;
    for (const colline_statement *st; (st = colline_next(an)) != NULL; count++) {
        add_heading(count == 0 ? &first_heading : out, st);
        render_statement(out, an, st, options);
    }
    /* A lone statement needs no heading, unless nothing else would stand there. */
    if (count > 1 || (count == 1 && (out->len == begin || options->headings))) {
        struct text body = {0};
        text_add(&body, out->ptr + begin, out->len - begin);
        out->len = begin;
        text_add(out, first_heading.ptr, first_heading.len);
        text_add(out, body.ptr, body.len);
        text_free(&body);
    }
    text_free(&first_heading);
}
