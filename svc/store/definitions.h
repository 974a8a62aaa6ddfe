/*
 * What datasets look like: the DDL of each, kept with the time at which it ran, and run again from the beginning in the order of those times whenever one
 * is added; so the order in which it is loaded does not matter. What follows from it is written to dataset and col.
 */
#ifndef COLLINE_STORE_DEFINITIONS_H
#define COLLINE_STORE_DEFINITIONS_H

#include "record/event.h"
#include "store/idents.h"

struct definition {
    str_t name_space, dataset;
    str_t source;    /* the query, or `catalog` */
    str_t form;      /* hive, impala, json */
    str_t database, statement;
    int64_t at;
};

/*
 * The datasets whose definition a query that succeeded may have changed, by its text: names[0..1], as canonical names in the arena; 0 when it is no DDL,
 * or of a temporary table.
 */
size_t defined_by(const struct event *event, struct arena *arena, str_t names[2]);

/* Whether a text makes a temporary table. */
bool makes_temporary(str_t sql);

/* Keeps it, in place of another one of the same source; catalogs of different times stand beside each other. Gives the dataset, 0 after a failure. */
int64_t definition_put(struct idents *idents, const struct definition *definition);

/* What follows from all definitions of a dataset. False after a failure. */
bool definitions_run(struct idents *idents, int64_t dataset);

#endif
