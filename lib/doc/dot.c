/*
 * `--format dot`: the script for Graphviz. A table is one node with a line for each column; plain arrows carry values, dashed ones
 * decide about rows.
 */
#include "doc/format.h"
#include "doc/graph.h"

/* Text inside an HTML-like label. */
static void add_html(struct buf *out, str_t text)
{
    for (size_t i = 0; i < text.len; i++) {
        switch (text.ptr[i]) {
        case '<':
            BUF_ADD(out, "&lt;");
            break;
        case '>':
            BUF_ADD(out, "&gt;");
            break;
        case '&':
            BUF_ADD(out, "&amp;");
            break;
        case '"':
            BUF_ADD(out, "&quot;");
            break;
        default:
            buf_add_char(out, text.ptr[i]);
        }
    }
}

static void write_table(struct doc_writer *w, uint32_t index)
{
    struct buf *out = &w->out;
    const struct graph_table *table = &w->graph->tables.items[index];
    BUF_ADD(out, "  t");
    buf_add_number(out, index);
    buf_add(out, STR(" [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\"><tr><td port=\"t\" bgcolor=\""));
    buf_add(out, table->result ? STR("#eeeeee") : STR("#dde7f3"));
    BUF_ADD(out, "\"><b>");
    add_html(out, table->name);
    BUF_ADD(out, "</b></td></tr>");
    for (uint32_t i = 0; i < table->columns.count; i++) {
        const struct graph_column *column = &w->graph->columns.items[table->columns.items[i]];
        BUF_ADD(out, "<tr><td port=\"c");
        buf_add_number(out, column->id);
        BUF_ADD(out, "\" align=\"left\">");
        add_html(out, column->name);
        BUF_ADD(out, "</td></tr>");
    }
    BUF_ADD(out, "</table>>];\n");
}

static void add_end(struct doc_writer *w, struct graph_end end)
{
    uint32_t table = end.table ? end.index : w->graph->columns.items[end.index].table;
    buf_add_char(&w->out, 't');
    buf_add_number(&w->out, table);
    buf_add(&w->out, end.table ? STR(":t") : STR(":c"));
    if (!end.table)
        buf_add_number(&w->out, end.index);
}

static void write_edge(struct doc_writer *w, const struct graph_edge *edge)
{
    struct buf *out = &w->out;
    BUF_ADD(out, "  ");
    add_end(w, edge->from);
    BUF_ADD(out, " -> ");
    add_end(w, edge->to);
    if (edge->clause.len > 0) {
        BUF_ADD(out, " [style=dashed, color=\"#888888\", tooltip=\"");
        buf_add(out, edge->clause);
        BUF_ADD(out, "\"]");
    }
    BUF_ADD(out, ";\n");
}

/* The script's name as a quoted string. */
static void write_name(struct doc_writer *w)
{
    buf_add_char(&w->out, '"');
    for (size_t i = 0; i < w->script.id.len; i++) {
        if (w->script.id.ptr[i] == '"' || w->script.id.ptr[i] == '\\')
            buf_add_char(&w->out, '\\');
        buf_add_char(&w->out, w->script.id.ptr[i]);
    }
    buf_add_char(&w->out, '"');
}

void dot_close(struct doc_writer *w)
{
    const struct doc_graph *graph = w->graph;
    BUF_ADD(&w->out, "digraph ");
    write_name(w);
    BUF_ADD(&w->out, " {\n  rankdir=LR;\n  node [shape=plain, fontname=\"Helvetica\"];\n");
    for (uint32_t i = 0; graph != NULL && i < graph->tables.count; i++)
        write_table(w, i);
    for (uint32_t i = 0; graph != NULL && i < graph->edges.count; i++)
        write_edge(w, &graph->edges.items[i]);
    BUF_ADD(&w->out, "}\n");
}
