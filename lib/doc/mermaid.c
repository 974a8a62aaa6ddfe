/*
 * `--format mermaid`: the script as a Mermaid flowchart, which many code hosts draw in Markdown. A table is a subgraph of its columns;
 * plain arrows carry values, dotted ones decide about rows.
 */
#include "doc/format.h"
#include "doc/graph.h"

/* Text inside a quoted label; Mermaid takes entity codes for what would end it. */
static void add_label(struct buf *out, str_t text)
{
    BUF_ADD(out, "[\"");
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '"' || c == '<' || c == '>' || c == '#' || c == '`') {
            BUF_ADD(out, "#");
            buf_add_number(out, (unsigned char)c);
            buf_add_char(out, ';');
        } else {
            buf_add_char(out, (unsigned char)c < ' ' ? ' ' : c);
        }
    }
    BUF_ADD(out, "\"]");
}

static void add_id(struct buf *out, char kind, uint32_t number)
{
    buf_add_char(out, kind);
    buf_add_number(out, number);
}

static void write_table(struct doc_writer *w, uint32_t index)
{
    struct buf *out = &w->out;
    const struct graph_table *table = &w->graph->tables.items[index];
    bool alone = table->columns.count == 0;
    buf_add(out, alone ? STR("  ") : STR("  subgraph "));
    add_id(out, 't', index);
    add_label(out, table->name);
    buf_add_char(out, '\n');
    for (uint32_t i = 0; i < table->columns.count; i++) {
        const struct graph_column *column = &w->graph->columns.items[table->columns.items[i]];
        BUF_ADD(out, "    ");
        add_id(out, 'c', column->id);
        add_label(out, column->name);
        buf_add_char(out, '\n');
    }
    if (!alone)
        BUF_ADD(out, "  end\n");
}

static void write_edge(struct doc_writer *w, const struct graph_edge *edge)
{
    struct buf *out = &w->out;
    BUF_ADD(out, "  ");
    add_id(out, edge->from.table ? 't' : 'c', edge->from.index);
    if (edge->clause.len > 0) {
        BUF_ADD(out, " -.->|");
        buf_add(out, edge->clause);
        BUF_ADD(out, "| ");
    } else {
        BUF_ADD(out, " --> ");
    }
    add_id(out, edge->to.table ? 't' : 'c', edge->to.index);
    buf_add_char(out, '\n');
}

void mermaid_close(struct doc_writer *w)
{
    const struct doc_graph *graph = w->graph;
    BUF_ADD(&w->out, "flowchart LR\n");
    for (uint32_t i = 0; graph != NULL && i < graph->tables.count; i++)
        write_table(w, i);
    for (uint32_t i = 0; graph != NULL && i < graph->edges.count; i++)
        write_edge(w, &graph->edges.items[i]);
}
