/*
 * Document statements → text in one of the formats. A writer is opened for a script, takes its statements one by one as they
 * are made, and is closed; what is finished stands in `out`, which the caller empties whenever it likes. Formats that draw the
 * whole script keep what they need in the writer's arena and write at the close.
 */
#ifndef COLLINE_DOC_DOC_H
#define COLLINE_DOC_DOC_H

#include "base/grid.h"
#include "base/jsonw.h"
#include "catalog/catalog.h"
#include "doc/lines.h"
#include "lineage/document.h"

enum doc_format {
    DOC_JSON, DOC_JSONL, DOC_TABLE, DOC_TREE, DOC_DOT, DOC_MERMAID, DOC_CSV, DOC_FIELDS, DOC_TABLES, DOC_HIVE, DOC_IMPALA, DOC_AST,
    DOC_FORMAT_COUNT
};

struct doc_script {
    str_t id;
    enum dialect dialect;
    const struct catalog *catalog; /* for the kinds of tables; may be NULL */
    struct look look;
};

struct doc_graph;

struct doc_writer {
    enum doc_format format;
    struct doc_script script;
    str_t text; /* what the statements' spans point into: the script, or a file that it sources */
    str_t file; /* name of the sourced file; empty: the script itself */
    struct line_cursor lines;
    struct buf out;
    struct jsonw json;
    struct arena arena;      /* lives until the close */
    struct arena scratch;    /* one statement */
    struct doc_graph *graph; /* of the formats that draw */
    uint32_t statements, with_lineage, broken; /* written so far */
};

/* A writer with empty buffers; release it after its last use. */
void doc_writer_init(struct doc_writer *w, size_t limit, const struct arena_source *source);
void doc_writer_release(struct doc_writer *w);

/* Whether memory gave out since the open. */
bool doc_writer_failed(const struct doc_writer *w);

void doc_open(struct doc_writer *w, enum doc_format format, const struct doc_script *script);

/* The text that following statements are places in. */
void doc_set_text(struct doc_writer *w, str_t file, str_t text);

void doc_add(struct doc_writer *w, const struct doc_statement *st);
void doc_close(struct doc_writer *w);

/* `jsonl` → DOC_JSONL. */
bool doc_format_find(str_t name, enum doc_format *format);

#endif
