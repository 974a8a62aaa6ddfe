/* The columns of a table, and those that nothing is made of. */
#ifndef COLLINE_ASK_COLUMNS_H
#define COLLINE_ASK_COLUMNS_H

#include "ask/ask.h"

struct ask_column {
    int64_t id;
    int64_t dataset;
    str_t name, type, comment, status;
    int64_t ordinal; /* -1: only statements name it */
    bool partition;
    int64_t up_count, down_count, indirect_down_count; /* counted to ASK_COLUMN_COUNT_MOST edges */
};

struct ask_columns_wish {
    int64_t dataset;
    str_t part;      /* of names or comments; empty: all */
    bool by_ordinal; /* else the most used first */
    bool offline;
    uint32_t limit, skip;
};

struct ask_columns {
    struct ask_column *items;
    uint32_t count, total;
};

struct ask_columns ask_columns(struct ask *ask, const struct ask_columns_wish *wish);

struct ask_dead_wish {
    int64_t dataset;    /* 0: all that are read, the hottest first */
    int64_t name_space; /* 0: all */
    str_t database;     /* empty: all */
    uint32_t limit;
    int64_t after_heat, after_dataset,
        after_column; /* the last one of the page before; 0, 0, 0: from the beginning */
};

struct ask_dead_column {
    str_t name_space, table, column, type, comment;
    int64_t heat, dataset, id;
};

struct ask_dead_columns {
    struct ask_dead_column *items;
    uint32_t count;
    bool more;
};

/* Columns that exist and that no statement that holds reads, neither as a source nor in a
 * condition; a SELECT's answer is a reader, too. */
struct ask_dead_columns ask_dead_columns(struct ask *ask, const struct ask_dead_wish *wish);

#endif
