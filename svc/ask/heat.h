/* Lists of tables by use, and what there is. */
#ifndef COLLINE_ASK_HEAT_H
#define COLLINE_ASK_HEAT_H

#include "ask/ask.h"

struct ask_heat_wish {
    int64_t name_space; /* 0: all */
    str_t database;     /* empty: all */
    bool unread;        /* only tables that exist and were not read in 30 days */
    uint32_t limit;
    int64_t after_heat,
        after_dataset; /* the last one of the page before; dataset 0: from the beginning */
};

struct ask_heat_item {
    struct ask_dataset dataset;
    int64_t reads, writes, users;
};

struct ask_heat {
    struct ask_heat_item *items;
    uint32_t count;
    bool more;
};

/* The hottest first. */
struct ask_heat ask_heat(struct ask *ask, const struct ask_heat_wish *wish);

struct ask_database {
    str_t name_space, database;
    int64_t tables;
};

struct ask_databases {
    struct ask_database *items;
    uint32_t count;
};

/* By name; `name_space` empty: of all. */
struct ask_databases ask_databases(struct ask *ask, str_t name_space);

struct ask_counts {
    int64_t datasets, statements;
    int64_t columns, column_edges; /* -1: counting would take long */
    int64_t last_event;
};

struct ask_counts ask_counts(struct ask *ask);

#endif
