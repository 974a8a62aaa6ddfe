/*
 * `--format csv`: one line an edge, after RFC 4180, with a heading. Direct edges have a target column; conditions are written
 * once for each of their sources, with an empty target where they decide about all outputs.
 */
#include "base/utf8.h"
#include "doc/format.h"

static bool needs_quotes(str_t cell)
{
    for (size_t i = 0; i < cell.len; i++)
        if (cell.ptr[i] == ',' || cell.ptr[i] == '"' || cell.ptr[i] == '\n' || cell.ptr[i] == '\r')
            return true;
    return false;
}

static void add_cell(struct buf *out, str_t cell)
{
    if (!needs_quotes(cell)) {
        add_valid_utf8(out, cell);
        return;
    }
    buf_add_char(out, '"');
    for (size_t at = 0; at < cell.len;) {
        size_t quote = str_find(cell, '"', at);
        add_valid_utf8(out, str_make(cell.ptr + at, quote - at));
        if (quote < cell.len)
            BUF_ADD(out, "\"\"");
        at = quote + 1;
    }
    buf_add_char(out, '"');
}

struct edge {
    str_t kind; /* direct, indirect */
    str_t how;  /* transform or clause */
    str_t table, column;
    str_t expression;
};

static void add_edge(struct doc_writer *w, const struct doc_statement *st, const struct edge *edge, const struct doc_source *source)
{
    static const struct doc_source nothing = {{"", 0}, {"", 0}, {"", 0}};
    struct buf *out = &w->out;
    source = source == NULL ? &nothing : source;
    add_cell(out, w->script.id);
    buf_add_char(out, ',');
    buf_add_number(out, st->index);
    buf_add_char(out, ',');
    buf_add_number(out, lines_find(&w->lines, st->span.start).line);
    buf_add_char(out, ',');
    buf_add(out, operation_text(st->operation));
    const str_t cells[] = {edge->table,   edge->column, source->table, source->column,
                           source->path, edge->kind,   edge->how,     edge->expression};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        buf_add_char(out, ',');
        add_cell(out, cells[i]);
    }
    BUF_ADD(out, "\r\n");
}

static void add_edges(struct doc_writer *w, const struct doc_statement *st, const struct edge *edge, const struct doc_source *sources,
                      uint32_t count)
{
    if (count == 0)
        add_edge(w, st, edge, NULL);
    for (uint32_t i = 0; i < count; i++)
        add_edge(w, st, edge, &sources[i]);
}

static void add_predicate(struct doc_writer *w, const struct doc_statement *st, const struct doc_predicate *predicate)
{
    struct edge edge = {
        .kind = STR("indirect"), .how = clause_kind_text(predicate->clause), .expression = predicate->expression};
    if (predicate->target_count == 0)
        add_edges(w, st, &edge, predicate->sources, predicate->source_count);
    for (uint32_t i = 0; i < predicate->target_count; i++) {
        edge.table = predicate->targets[i].table;
        edge.column = predicate->targets[i].column;
        add_edges(w, st, &edge, predicate->sources, predicate->source_count);
    }
}

/* A statement that moves data without columns to show: table by table. */
static void add_tables(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t out = 0; out < st->output_count; out++) {
        const struct doc_dataset *target = &st->outputs[out].dataset;
        struct edge edge = {.kind = STR("direct"), .how = STR("table"), .table = target->table.len > 0 ? target->table : target->path};
        for (uint32_t in = 0; in < st->input_count; in++) {
            const struct doc_dataset *input = &st->inputs[in];
            struct doc_source source = {.table = input->table.len > 0 ? input->table : input->path};
            add_edge(w, st, &edge, &source);
        }
    }
}

void csv_open(struct doc_writer *w)
{
    BUF_ADD(&w->out, "script,statement,line,operation,target_table,target_column,source_table,source_column,source_path,kind,how,"
                     "expression\r\n");
}

void csv_add(struct doc_writer *w, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->column_count; i++) {
        const struct doc_column *column = &st->columns[i];
        struct edge edge = {STR("direct"), transform_text(column->transform), column->table, column->column, column->expression};
        add_edges(w, st, &edge, column->sources, column->source_count);
    }
    for (uint32_t i = 0; i < st->predicate_count; i++)
        add_predicate(w, st, &st->predicates[i]);
    if (st->column_count == 0)
        add_tables(w, st);
}
