/* What each format's file gives to the table in doc.c: what comes before, for each statement, and after. NULL: nothing. */
#ifndef COLLINE_DOC_FORMAT_H
#define COLLINE_DOC_FORMAT_H

#include "doc/doc.h"

/* The statement as it was read, variables put in. */
static inline str_t doc_statement_text(const struct doc_statement *st)
{
    span_t span = st->text.span;
    return str_make(st->text.text.ptr + span.start, span.end - span.start);
}

void json_open(struct doc_writer *w);
void json_add(struct doc_writer *w, const struct doc_statement *st);
void json_close(struct doc_writer *w);

void table_open(struct doc_writer *w);
void table_add(struct doc_writer *w, const struct doc_statement *st);
void table_close(struct doc_writer *w);

void tree_open(struct doc_writer *w);
void tree_add(struct doc_writer *w, const struct doc_statement *st);
void tree_close(struct doc_writer *w);

void graph_add(struct doc_writer *w, const struct doc_statement *st);
void dot_close(struct doc_writer *w);
void mermaid_close(struct doc_writer *w);

void csv_open(struct doc_writer *w);
void csv_add(struct doc_writer *w, const struct doc_statement *st);

void fields_open(struct doc_writer *w);
void fields_add(struct doc_writer *w, const struct doc_statement *st);
void fields_close(struct doc_writer *w);

void tables_add(struct doc_writer *w, const struct doc_statement *st);

void hive_add(struct doc_writer *w, const struct doc_statement *st);
void impala_add(struct doc_writer *w, const struct doc_statement *st);

void ast_open(struct doc_writer *w);
void ast_add(struct doc_writer *w, const struct doc_statement *st);

#endif
