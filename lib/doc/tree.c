/*
 * `--format tree`: for each statement its targets, below each the columns that it comes from, and last what decides about the rows.
 *
 *     ads.total  <- insert, line 1
 *     ├─ uid = uid
 *     │  └─ dws.daily.uid
 *     └─ total = sum(amt)  aggregation
 *        └─ dws.daily.amt
 */
#include "doc/format.h"
#include "doc/people.h"

/* Begins the line of an item below a branch. */
static void begin_item(struct doc_writer *w, str_t indent, bool last)
{
    paint_on(&w->out, &w->script.look, PAINT_DIM);
    buf_add(&w->out, indent);
    buf_add(&w->out, last ? STR("└─ ") : STR("├─ "));
    paint_off(&w->out, &w->script.look, PAINT_DIM);
}

static void write_sources(struct doc_writer *w, const struct doc_source *sources, uint32_t count, str_t indent)
{
    for (uint32_t i = 0; i < count; i++) {
        begin_item(w, indent, i + 1 == count);
        paint(&w->out, &w->script.look, PAINT_CYAN, source_text(&w->scratch, &sources[i]));
        buf_add_char(&w->out, '\n');
    }
}

/* How much of a line is left for an expression behind `used` columns. */
static size_t room(const struct doc_writer *w, size_t used)
{
    enum { LEAST = 30 };
    size_t width = w->script.look.width;
    if (width == 0)
        return 0;
    return width > used + LEAST ? width - used : LEAST;
}

static void write_column(struct doc_writer *w, const struct doc_column *column, bool last)
{
    struct buf *out = &w->out;
    begin_item(w, STR(""), last);
    paint(out, &w->script.look, PAINT_GREEN, column->column);
    if (column->expression.len > 0) {
        BUF_ADD(out, " = ");
        add_one_line(out, column->expression, room(w, column->column.len + 24));
    }
    if (column->transform != TRANSFORM_IDENTITY) {
        BUF_ADD(out, "  ");
        paint(out, &w->script.look, PAINT_DIM, transform_text(column->transform));
    }
    buf_add_char(out, '\n');
    write_sources(w, column->sources, column->source_count, last ? STR("   ") : STR("│  "));
}

static void write_predicate(struct doc_writer *w, const struct doc_predicate *predicate, bool last)
{
    struct buf *out = &w->out;
    begin_item(w, STR(""), last);
    paint(out, &w->script.look, PAINT_BOLD, spaced(&w->scratch, clause_kind_text(predicate->clause)));
    for (uint32_t i = 0; i < predicate->target_count; i++) {
        buf_add(out, i == 0 ? STR(" of ") : STR(", "));
        buf_add(out, predicate->targets[i].column);
    }
    BUF_ADD(out, ": ");
    add_one_line(out, predicate->expression, room(w, 24));
    buf_add_char(out, '\n');
    write_sources(w, predicate->sources, predicate->source_count, last ? STR("   ") : STR("│  "));
}

static void write_title(struct doc_writer *w, const struct doc_statement *st, str_t target)
{
    struct buf *out = &w->out;
    buf_add_char(out, '\n');
    paint(out, &w->script.look, PAINT_BOLD, target);
    BUF_ADD(out, "  <- ");
    buf_add(out, spaced(&w->scratch, operation_text(st->operation)));
    BUF_ADD(out, ", ");
    if (w->file.len > 0) {
        buf_add(out, w->file);
        buf_add_char(out, ' ');
    }
    BUF_ADD(out, "line ");
    buf_add_number(out, lines_find(&w->lines, st->span.start).line);
    buf_add_char(out, '\n');
}

/* The columns of one output: a directory's and a SELECT's have no table. */
static void write_columns_of(struct doc_writer *w, const struct doc_statement *st, str_t table, bool more)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < st->column_count; i++)
        if (str_eq(st->columns[i].table, table))
            last = i;
    for (uint32_t i = 0; last != UINT32_MAX && i <= last; i++)
        if (str_eq(st->columns[i].table, table))
            write_column(w, &st->columns[i], i == last && !more);
}

/* Tables that are read without a column to show it. */
static void write_inputs(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; st->column_count == 0 && i < st->input_count; i++) {
        begin_item(w, STR(""), i + 1 == st->input_count && st->predicate_count == 0);
        paint(&w->out, &w->script.look, PAINT_CYAN, dataset_text(&st->inputs[i]));
        buf_add_char(&w->out, '\n');
    }
}

void tree_open(struct doc_writer *w)
{
    write_heading(w);
}

void tree_add(struct doc_writer *w, const struct doc_statement *st)
{
    uint32_t outputs = has_lineage(st) ? st->output_count : 0;
    if (has_lineage(st) && outputs == 0) {
        write_title(w, st, STR("result"));
        write_columns_of(w, st, STR(""), st->predicate_count > 0);
    }
    for (uint32_t i = 0; i < outputs; i++) {
        write_title(w, st, output_text(&w->scratch, &st->outputs[i]));
        write_columns_of(w, st, st->outputs[i].dataset.table, i + 1 == outputs && st->predicate_count > 0);
    }
    if (has_lineage(st))
        write_inputs(w, st);
    for (uint32_t i = 0; i < st->predicate_count; i++)
        write_predicate(w, &st->predicates[i], i + 1 == st->predicate_count);
    write_warnings(w, st);
}

void tree_close(struct doc_writer *w)
{
    write_summary(w);
}
