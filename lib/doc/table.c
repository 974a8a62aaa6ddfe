/* `--format table`: for each statement with lineage what it writes and reads, then its columns and conditions in aligned columns. */
#include "doc/format.h"
#include "doc/people.h"

static void write_title(struct doc_writer *w, const struct doc_statement *st)
{
    struct buf *out = &w->out;
    const struct look *look = &w->script.look;
    BUF_ADD(out, "\n");
    if (w->file.len > 0) {
        paint(out, look, PAINT_DIM, w->file);
        buf_add_char(out, ' ');
    }
    paint_on(out, look, PAINT_DIM);
    BUF_ADD(out, "line ");
    buf_add_number(out, lines_find(&w->lines, st->span.start).line);
    paint_off(out, look, PAINT_DIM);
    BUF_ADD(out, "  ");
    paint(out, look, PAINT_BOLD, spaced(&w->scratch, operation_text(st->operation)));
    buf_add_char(out, '\n');
}

static void write_outputs(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->output_count; i++) {
        BUF_ADD(&w->out, "   writes  ");
        paint(&w->out, &w->script.look, PAINT_GREEN, output_text(&w->scratch, &st->outputs[i]));
        BUF_ADD(&w->out, "  ");
        buf_add(&w->out, spaced(&w->scratch, write_mode_text(st->outputs[i].mode)));
        buf_add_char(&w->out, '\n');
    }
}

static void write_dropped(struct doc_writer *w, const struct doc_statement *st)
{
    if (st->dropped.len == 0)
        return;
    BUF_ADD(&w->out, "   drops   ");
    paint(&w->out, &w->script.look, PAINT_GREEN, st->dropped);
    buf_add_char(&w->out, '\n');
}

static void write_inputs(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->input_count; i++) {
        buf_add(&w->out, i == 0 ? STR("   reads   ") : STR(", "));
        paint(&w->out, &w->script.look, PAINT_CYAN, dataset_text(&st->inputs[i]));
    }
    if (st->input_count > 0)
        buf_add_char(&w->out, '\n');
    for (uint32_t i = 0; i < st->view_count; i++) {
        buf_add(&w->out, i == 0 ? STR("   through ") : STR(", "));
        buf_add(&w->out, st->views[i]);
    }
    if (st->view_count > 0)
        buf_add_char(&w->out, '\n');
}

/* The target's name; with its table where the statement writes several. */
static str_t target_text(struct doc_writer *w, const struct doc_statement *st, str_t table, str_t column)
{
    if (st->output_count < 2 || table.len == 0)
        return column;
    return arena_dotted(&w->scratch, (const str_t[]){table, column}, 2);
}

static void write_columns(struct doc_writer *w, const struct doc_statement *st)
{
    static const str_t heading[] = {{"column", 6}, {"how", 3}, {"from", 4}, {"expression", 10}};
    if (st->column_count == 0)
        return;
    struct grid grid;
    grid_init(&grid, &w->scratch, heading, 4);
    grid.colours[0] = PAINT_GREEN;
    grid.colours[2] = PAINT_CYAN;
    for (uint32_t i = 0; i < st->column_count; i++) {
        const struct doc_column *column = &st->columns[i];
        str_t *cells = grid_row(&grid);
        if (cells == NULL)
            return;
        cells[0] = target_text(w, st, column->table, column->column);
        cells[1] = transform_text(column->transform);
        cells[2] = source_list(&w->scratch, column->sources, column->source_count);
        cells[3] = column->expression;
    }
    grid_print(&grid, &w->out, &w->script.look, 3);
}

static str_t predicate_targets(struct doc_writer *w, const struct doc_statement *st, const struct doc_predicate *predicate)
{
    str_t list = predicate->target_count == 0 ? STR("all") : STR("");
    for (uint32_t i = 0; i < predicate->target_count; i++) {
        str_t name = target_text(w, st, predicate->targets[i].table, predicate->targets[i].column);
        list = i == 0 ? name : arena_join(&w->scratch, arena_join(&w->scratch, list, STR(", ")), name);
    }
    return list;
}

static void write_predicates(struct doc_writer *w, const struct doc_statement *st)
{
    static const str_t heading[] = {{"decides", 7}, {"clause", 6}, {"from", 4}, {"expression", 10}};
    if (st->predicate_count == 0)
        return;
    struct grid grid;
    grid_init(&grid, &w->scratch, heading, 4);
    grid.colours[2] = PAINT_CYAN;
    for (uint32_t i = 0; i < st->predicate_count; i++) {
        const struct doc_predicate *predicate = &st->predicates[i];
        str_t *cells = grid_row(&grid);
        if (cells == NULL)
            return;
        cells[0] = predicate_targets(w, st, predicate);
        cells[1] = spaced(&w->scratch, clause_kind_text(predicate->clause));
        cells[2] = source_list(&w->scratch, predicate->sources, predicate->source_count);
        cells[3] = predicate->expression;
    }
    grid_print(&grid, &w->out, &w->script.look, 3);
}

void table_open(struct doc_writer *w)
{
    write_heading(w);
}

void table_add(struct doc_writer *w, const struct doc_statement *st)
{
    if (has_lineage(st)) {
        write_title(w, st);
        write_outputs(w, st);
    write_dropped(w, st);
        write_inputs(w, st);
        write_columns(w, st);
        write_predicates(w, st);
    }
    write_warnings(w, st);
}

void table_close(struct doc_writer *w)
{
    write_summary(w);
}
