/* Results of checks into the store: of each check the newest, whatever the order in which they come. */
#ifndef COLLINE_STORE_QUALITY_H
#define COLLINE_STORE_QUALITY_H

#include "record/quality.h"
#include "store/idents.h"

/* The check with its texts in the arena, names as the store has them: without backquotes and folded to lower case, `t` as `default.t`, a path as it is. */
struct quality_check quality_copy(struct arena *arena, const struct quality_check *check);

/*
 * Within the writer's transaction. The newest result stays; of two of one time the worse one, then the one whose texts are greater. A dataset that is not
 * known is made. False after a failure.
 */
bool quality_put(struct idents *idents, const struct quality_check *check);

/* Takes away results from before that time; gives how many. */
int64_t quality_prune(struct db *db, int64_t before_ms);

/* The newest time of a result up to `now`; 0: there is none. */
int64_t quality_newest(struct db *db, int64_t now_ms);

#endif
