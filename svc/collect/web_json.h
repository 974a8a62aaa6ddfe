/*
 * Impala's web pages as JSON: the list of queries (/queries?json) and the text of one
 * (/query_stmt?json). Pure functions over the answers; what they give borrows from the answer and
 * the arena.
 */
#ifndef COLLINE_COLLECT_WEB_JSON_H
#define COLLINE_COLLECT_WEB_JSON_H

#include "base/arena.h"
#include "collect/id_table.h"
#include "run/zone.h"

struct web_query {
    struct id128 id;
    str_t id_text; /* lower case */
    str_t user, database, type, state;
    str_t sql;
    bool cut;                 /* the text ends in `...`, so it may go on */
    bool completed;           /* else in flight */
    bool waiting;             /* in flight, but done: its client has not closed it */
    int64_t start_ms, end_ms; /* UTC; 0 unknown */
    int64_t duration_ms;      /* -1 unknown */
};

struct web_page {
    struct web_query *queries; /* completed ones, oldest first, then those in flight */
    size_t count, completed;
    size_t unreadable; /* entries without a good id */
    str_t error;       /* what the daemon says went wrong, in an answer that is otherwise good */
};

/* False, with what is wrong, when the answer is no such page: cut off, or something else's. */
bool web_page_read(str_t json, const struct zone *zone, struct arena *arena, struct web_page *page,
                   const char **message);

/* From the end of the oldest completed query to that of the newest; 0 when not known. */
int64_t web_page_span(const struct web_page *page);

struct web_text {
    str_t sql;    /* whole; empty when the daemon does not have it any more */
    str_t status; /* OK, or the error of a query that failed */
    str_t error;
};

bool web_text_read(str_t json, struct arena *arena, struct web_text *text, const char **message);

#endif
