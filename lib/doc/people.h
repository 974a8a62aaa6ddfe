/* Words and phrases that the formats for people share. */
#ifndef COLLINE_DOC_PEOPLE_H
#define COLLINE_DOC_PEOPLE_H

#include "doc/doc.h"

/* Whether the statement moves data: something to show. */
bool has_lineage(const struct doc_statement *st);

/* `db.t.c` with its path, `db.t (rows)`, or a bare output name. */
str_t source_text(struct arena *arena, const struct doc_source *source);
str_t source_list(struct arena *arena, const struct doc_source *sources, uint32_t count);

/* Name of a table or path of a directory. */
str_t dataset_text(const struct doc_dataset *dataset);

/* `ads.user (ds=2024-03-15, hr=*)` */
str_t output_text(struct arena *arena, const struct doc_output *output);

/* `create_table_as_select` → `create table as select` */
str_t spaced(struct arena *arena, str_t words);

/* The script's name as a heading. */
void write_heading(struct doc_writer *w);

/* Warnings about the statement, a line each; what does not parse is told elsewhere. */
void write_warnings(struct doc_writer *w, const struct doc_statement *st);

/* `3 statements, 1 with lineage` and what else there is to say at the end. */
void write_summary(struct doc_writer *w);

#endif
