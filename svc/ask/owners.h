/* Who keeps and who reads tables, and whether their last write failed. */
#ifndef COLLINE_ASK_OWNERS_H
#define COLLINE_ASK_OWNERS_H

#include "ask/id_index.h"
#include "ask/table.h"

enum { ASK_USERS_MOST = 5 };

struct ask_user {
    str_t user;
    int64_t times; /* of 30 days */
};

struct ask_users {
    struct ask_user items[ASK_USERS_MOST]; /* most often first */
    uint32_t count;
};

struct ask_keeping {
    int64_t dataset;
    str_t owner; /* as the catalog says; empty: it does not */
    struct ask_users writers, readers;
    struct ask_run failed; /* time 0: the last write went well, or there is none */
};

/* Of these datasets, each once and in the order of their ids; sorts the list. NULL when memory is
 * out. */
struct ask_keeping *ask_keepings(struct ask *ask, struct ask_ids *datasets);

#endif
