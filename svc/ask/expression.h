/* Expressions of edges, out of the documents of their statements. */
#ifndef COLLINE_ASK_EXPRESSION_H
#define COLLINE_ASK_EXPRESSION_H

#include "ask/ask.h"
#include "base/json.h"

/* The statement of a lineage document with its SQL, read; `tree` NULL when there is none. */
struct ask_document {
    struct store_sample sample;
    struct json *tree;
};

struct ask_document document_of(struct ask *ask, int64_t lineage);

/* One item of `columns` or `predicates` that ties the source to the target. */
struct ask_tie {
    str_t source, target; /* names of columns; empty: the rows of the dataset */
    str_t how;            /* transform, or clause */
    str_t expression;
    bool direct, has_span;
    int64_t start, end;
};

struct ask_ties {
    struct ask_tie *items;
    uint32_t count, capacity;
};

/* All ties between two tables in a document; of two columns only where those are not empty. */
struct ask_ties document_ties(struct ask *ask, const struct json *tree, str_t src_table,
                              str_t src_column, str_t dst_table, str_t dst_column);

/* How the target's column is computed from the source's, as written; empty when the document does
 * not tell. */
str_t expression_of(struct ask *ask, int64_t lineage, str_t src_table, str_t src_column,
                    str_t dst_table, str_t dst_column, bool direct);
str_t expression_in(struct ask *ask, const struct json *tree, str_t src_table, str_t src_column,
                    str_t dst_table, str_t dst_column, bool direct);

#endif
