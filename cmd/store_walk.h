/* What a store knows around a table or column, as facts for trace and impact. */
#ifndef COLLINE_CMD_STORE_WALK_H
#define COLLINE_CMD_STORE_WALK_H

#include "walk.h"

struct store_walk {
    const char *address; /* of the store */
    const char *name;  /* `db.table` or `db.table.column`, with `NAMESPACE#` before it where several
                          metastores have it */
    const char *from;  /* NULL, or a source: only the shortest way from it to `name` */
    const char *as_of; /* NULL: now; else a day, at its end */
};

/*
 * Fills the facts with all that is reached from the name, and sets *start to its node. STATUS_DONE;
 * STATUS_PARTLY after a message when nothing goes by a name, no way leads there, or a limit cut the
 * answer; STATUS_USAGE after one for a day that is none; STATUS_FAILED after one when the store
 * cannot be read.
 */
int facts_from_store(struct facts *facts, const struct walk *walk, const struct store_walk *asked,
                     uint32_t *start);

#endif
