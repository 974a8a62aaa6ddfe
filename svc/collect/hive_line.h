/* The lines of Hive's log4j: time, level, thread, message; in the layouts of Hive 1 to 4 and of the distributions. */
#ifndef COLLINE_COLLECT_HIVE_LINE_H
#define COLLINE_COLLECT_HIVE_LINE_H

#include "collect/line.h"

/* A line that begins a message: `2026-03-01T10:11:12,345  INFO [thread] ql.Driver: text`. */
struct hive_line {
    str_t time;    /* `2026-03-01T10:11:12,345` */
    str_t level;   /* INFO … */
    str_t thread;  /* its name, without the session that may stand before it */
    str_t session; /* the session's id in the thread's name; empty when there is none */
    str_t message; /* the first line of it */
};

/* Whether a line begins a message; others continue one. */
bool hive_line_begins(str_t line);

/* False when it does not. */
bool hive_line_read(str_t line, struct hive_line *parts);

#endif
