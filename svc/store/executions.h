/*
 * Rows of queries and of their texts, within the writer's transaction. A file and a server keep them by different keys (schema/0003.sql): random
 * places are dear in a file, questions of one row are dear to a server.
 */
#ifndef COLLINE_STORE_EXECUTIONS_H
#define COLLINE_STORE_EXECUTIONS_H

#include "store/batch.h"

struct executions {
    struct db *db;
    struct idents *idents;
    struct pair_map texts;   /* day, hash → key of sql_text: those that were stored lately */
    struct pair_map numbers; /* of this transaction: day → the last text's number in it */
};

void executions_init(struct executions *executions, struct db *db, struct idents *idents);
void executions_release(struct executions *executions);

void executions_begin(struct executions *executions);  /* of a transaction */
void executions_forget(struct executions *executions); /* after a rollback */

/* 0 for no text. */
int64_t text_hash(str_t sql);

/* The key of a text that was stored lately; else 0. */
int64_t executions_text(const struct executions *executions, int64_t day, int64_t hash);

/* Once before the rows of a batch: a server tells of all at once. False after a failure. */
bool executions_look(struct executions *executions, struct batch *batch);

/* What is stored of the query. */
struct stored executions_stored(struct executions *executions, const struct pending *p);

/* Writes its row, anew or in the place of the one that was `found`, and its text. */
bool executions_put(struct executions *executions, const struct pending *p, bool found, int64_t lineage, int64_t account);

#endif
