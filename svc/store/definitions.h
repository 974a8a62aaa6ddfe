/*
 * What datasets look like: the DDL of each, kept with the time at which it ran, beside what catalogs said of it (catalogs.h), and run from the beginning in the
 * order of those times whenever something of it changes; so the order in which it is loaded does not matter. What follows is written to dataset and col.
 *
 * A table that is renamed takes its definition with it: the statement stands with both names, and whenever the old name's are run, what it
 * was at that time is put with the new name.
 */
#ifndef COLLINE_STORE_DEFINITIONS_H
#define COLLINE_STORE_DEFINITIONS_H

#include "store/idents.h"

struct definition {
    str_t name_space, dataset;
    str_t source;    /* the query, or for a catalog its file */
    str_t form;      /* hive, impala; json: a catalog's; rename: it was another dataset before, which `database` names */
    str_t database, statement;
    int64_t at;
};

/* Keeps what a query says, in place of another one of its. Gives the dataset, 0 after a failure. */
int64_t definition_put(struct idents *idents, const struct definition *definition);

/*
 * What follows from all definitions of a dataset. *unknown: nothing is known of it any more, though it was. Datasets that were renamed from it, and are
 * others now, are added to `more`: they must be run again. False after a failure.
 */
bool definitions_run(struct idents *idents, int64_t dataset, bool *unknown, struct pair_map *more);

#endif
