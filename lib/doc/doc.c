/* The writer's life, and the table of formats. */
#include "doc/doc.h"

#include "doc/format.h"
#include "doc/people.h"

struct format_row {
    str_t name;
    void (*open)(struct doc_writer *w);
    void (*add)(struct doc_writer *w, const struct doc_statement *st);
    void (*close)(struct doc_writer *w);
};

#define FORMAT_NAME(literal) {(literal), sizeof(literal) - 1}

static const struct format_row formats[DOC_FORMAT_COUNT] = {
    [DOC_JSON] = {FORMAT_NAME("json"), json_open, json_add, json_close},
    [DOC_JSONL] = {FORMAT_NAME("jsonl"), json_open, json_add, json_close},
    [DOC_TABLE] = {FORMAT_NAME("table"), table_open, table_add, table_close},
    [DOC_TREE] = {FORMAT_NAME("tree"), tree_open, tree_add, tree_close},
    [DOC_DOT] = {FORMAT_NAME("dot"), NULL, graph_add, dot_close},
    [DOC_MERMAID] = {FORMAT_NAME("mermaid"), NULL, graph_add, mermaid_close},
    [DOC_CSV] = {FORMAT_NAME("csv"), csv_open, csv_add, NULL},
    [DOC_FIELDS] = {FORMAT_NAME("fields"), fields_open, fields_add, fields_close},
    [DOC_TABLES] = {FORMAT_NAME("tables"), NULL, tables_add, NULL},
    [DOC_HIVE] = {FORMAT_NAME("hive"), NULL, hive_add, NULL},
    [DOC_IMPALA] = {FORMAT_NAME("impala"), NULL, impala_add, NULL},
    [DOC_AST] = {FORMAT_NAME("ast"), ast_open, ast_add, NULL},
};

void doc_writer_init(struct doc_writer *w, size_t limit, const struct arena_source *source)
{
    *w = (struct doc_writer){.format = DOC_JSON};
    buf_init(&w->out, limit);
    arena_init(&w->arena, limit, source);
    arena_init(&w->scratch, limit, source);
}

void doc_writer_release(struct doc_writer *w)
{
    buf_release(&w->out);
    arena_release(&w->arena);
    arena_release(&w->scratch);
}

bool doc_writer_failed(const struct doc_writer *w)
{
    return w->out.failed || w->arena.failed || w->scratch.failed;
}

void doc_open(struct doc_writer *w, enum doc_format format, const struct doc_script *script)
{
    w->format = format;
    w->script = *script;
    w->graph = NULL;
    w->statements = w->with_lineage = w->broken = 0;
    buf_clear(&w->out);
    arena_clear(&w->arena);
    doc_set_text(w, STR(""), STR(""));
    jsonw_init(&w->json, &w->out, format == DOC_JSON || format == DOC_FIELDS);
    if (formats[format].open != NULL)
        formats[format].open(w);
}

void doc_set_text(struct doc_writer *w, str_t file, str_t text)
{
    w->file = file;
    w->text = text;
    lines_init(&w->lines, text);
}

void doc_add(struct doc_writer *w, const struct doc_statement *st)
{
    arena_clear(&w->scratch);
    lines_mark(&w->lines, st->span.start);
    formats[w->format].add(w, st);
    w->statements++;
    w->with_lineage += has_lineage(st);
    w->broken += st->error.message.len > 0;
}

void doc_close(struct doc_writer *w)
{
    if (formats[w->format].close != NULL)
        formats[w->format].close(w);
}

bool doc_format_find(str_t name, enum doc_format *format)
{
    for (unsigned i = 0; i < DOC_FORMAT_COUNT; i++) {
        if (str_eq(formats[i].name, name)) {
            *format = (enum doc_format)i;
            return true;
        }
    }
    return false;
}
