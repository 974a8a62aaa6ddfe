/* What a store knows around a table or column, as facts for trace and impact. */
#ifndef COLLINE_CMD_STORE_WALK_H
#define COLLINE_CMD_STORE_WALK_H

#include "walk.h"

/*
 * Fills the facts with all that is reached from `name`, `db.table` or `db.table.column`, and sets
 * *start to its node. STATUS_DONE; STATUS_PARTLY after a message when nothing goes by the name or a
 * limit cut the answer; STATUS_FAILED after a message when the store cannot be read.
 */
int facts_from_store(struct facts *facts, const struct walk *walk, const char *address,
                     const char *name, uint32_t *start);

#endif
