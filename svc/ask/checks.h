/* What checks of data said, and who is hit where one failed. */
#ifndef COLLINE_ASK_CHECKS_H
#define COLLINE_ASK_CHECKS_H

#include "ask/impact.h"
#include "ask/owners.h"

/* The newest result of a check. */
struct ask_check {
    int64_t dataset;
    str_t name_space, table, column, check, message, source; /* an empty column: the whole table */
    int64_t status; /* as in the store: 1 pass, 2 warn, 3 fail */
    int64_t time;
};

struct ask_checks_wish {
    int64_t dataset, name_space; /* 0: all */
    str_t database;              /* empty: all */
    int64_t status;              /* 0: any */
    uint32_t limit, skip;
};

struct ask_checks {
    struct ask_check *items; /* the worst first, then the newest */
    uint32_t count;
    bool more;
};

struct ask_checks ask_checks(struct ask *ask, const struct ask_checks_wish *wish);

/* Whether a check names the column of the dataset, in any case. */
bool ask_column_checked(struct ask *ask, int64_t dataset, str_t column);

/* The word of a status in the store; empty for 0. */
str_t ask_check_status(int64_t status);

/* A table that is hit, with who keeps and who reads it. */
struct ask_hit_table {
    struct ask_dependent dependent; /* level 0: the table itself */
    const struct ask_keeping *people;
};

struct ask_hit_tables {
    struct ask_hit_table *items;
    uint32_t count, total;
    bool complete;
};

struct ask_hit_wish {
    int64_t dataset, column; /* column 0: the whole table */
    bool offline;
    uint32_t limit, skip;
};

/* The table itself and all downstream of it, as ask_impact finds it, with their people. */
struct ask_hit_tables ask_hit_tables(struct ask *ask, const struct ask_hit_wish *wish);

#endif
