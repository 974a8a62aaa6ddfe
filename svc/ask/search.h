/* Tables and columns by any part of their names or comments. */
#ifndef COLLINE_ASK_SEARCH_H
#define COLLINE_ASK_SEARCH_H

#include "ask/ask.h"

struct ask_search_wish {
    str_t parts;      /* separated by blanks; all must be there */
    str_t name_space; /* empty: all */
    str_t database;   /* empty: all */
    bool tables, columns, offline;
    uint32_t limit, skip;
};

struct ask_hit {
    struct ask_dataset dataset;
    str_t column, column_comment; /* of a hit on a column */
    bool is_column, in_comment;
};

struct ask_hits {
    struct ask_hit *items;
    uint32_t count;
    bool more;
};

/* Names that are the text first, then those that begin with it, then by heat. */
struct ask_hits ask_search(struct ask *ask, const struct ask_search_wish *wish);

#endif
