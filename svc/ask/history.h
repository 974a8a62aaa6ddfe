/* What became of tables. */
#ifndef COLLINE_ASK_HISTORY_H
#define COLLINE_ASK_HISTORY_H

#include "ask/ask.h"

struct ask_change_item {
    int64_t time, dataset;
    str_t type; /* table_created, column_added … */
    str_t name_space, name, column, before, after, user,
        query_id; /* none of the last two: a catalog says so */
};

struct ask_rename {
    str_t name; /* of the other one, in the same namespace */
    int64_t time;
};

/* The newest rename of the dataset to another name (`away`), or from one; false when there is none.
 */
bool ask_last_rename(struct ask *ask, int64_t dataset, bool away, struct ask_rename *rename);

/* The same in two steps: other questions may be started between them. */
struct db_query *ask_last_rename_start(struct ask *ask, int64_t dataset, bool away);
bool ask_last_rename_read(struct ask *ask, struct db_query *q, struct ask_rename *rename);

struct ask_changes {
    struct ask_change_item *items; /* the newest first */
    uint32_t count;
    bool more;
};

/* Of one dataset, whole rewrites too. */
struct ask_changes ask_history(struct ask *ask, int64_t dataset, uint32_t limit, uint32_t skip);

struct ask_changes_wish {
    int64_t name_space; /* 0: all */
    str_t database;     /* empty: all */
    uint32_t limit, skip;
};

/* Of all datasets: what became of their columns. */
struct ask_changes ask_changes(struct ask *ask, const struct ask_changes_wish *wish);

#endif
