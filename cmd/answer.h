/* A call of /api/v1 to a store, answered in this process and printed: as JSON and CSV what a server
 * would answer, as a table some members of it. */
#ifndef COLLINE_CMD_ANSWER_H
#define COLLINE_CMD_ANSWER_H

#include "cmd.h"

#include "base/grid.h"
#include "run/http.h"

enum { ARGUMENTS_MOST = 32 };

enum answer_format { ANSWER_TABLE, ANSWER_JSON, ANSWER_CSV };

enum shown_as {
    SHOWN_TEXT,
    SHOWN_DAY,  /* of ms, UTC */
    SHOWN_TIME, /* the same with the time of day */
    SHOWN_LIST, /* of texts, with commas between */
    SHOWN_KEY   /* `NAMESPACE#db.table`; without the namespace where all rows have the same */
};

/* A column of the table: its heading, and the members that lead to it. */
struct shown {
    str_t title;
    const char *members; /* with dots between */
    enum shown_as as;
};

/* What of an answer is shown as a table. */
struct answer_view {
    const char *list; /* members that lead to it, with dots between */
    struct shown columns[GRID_COLUMNS];
    const char *unless;  /* an item whose member `change` is this is not shown */
    const char *nothing; /* a line in place of a table without rows */
};

struct store_call {
    const char *store, *path;
    enum answer_format format;
    struct http_pair arguments[ARGUMENTS_MOST];
    size_t count;
};

/* The value lives as long as the call. */
void store_call_add(struct store_call *call, const char *name, str_t value);

/*
 * STATUS_DONE; after a message STATUS_PARTLY when there is no such thing, STATUS_USAGE when the
 * call is wrong, STATUS_FAILED when the store cannot be read. `rows`, unless NULL, becomes how many
 * rows the table had.
 */
int store_call_print(struct store_call *call, const struct answer_view *view, size_t *rows);

#endif
