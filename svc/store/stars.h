/*
 * Stars over tables whose columns were not known when the statement was analysed: they stay open as an edge from the column `*`, and are closed, column by column,
 * when a definition of the table comes in, whichever of the two comes first.
 */
#ifndef COLLINE_STORE_STARS_H
#define COLLINE_STORE_STARS_H

#include "store/idents.h"

/* A star of a statement: the first of its columns is the target's output column `ordinal`. */
struct star {
    int64_t dst, src, lineage; /* datasets */
    int64_t ordinal;
};

/* Keeps it, and closes it as far as the tables are known. False after a failure. */
bool star_put(struct idents *idents, const struct star *star);

/*
 * Closes all stars from or into a dataset anew, after its definition has changed. Those from one of which nothing is known any more are not closed then, nor
 * open: the edges of their statements must be put once more.
 */
bool stars_close(struct idents *idents, int64_t dataset);

#endif
