/* The lines of Google's logging library as Impala writes them: prefix, thread, instance id, message. */
#ifndef COLLINE_COLLECT_GLOG_H
#define COLLINE_COLLECT_GLOG_H

#include "collect/id_table.h"
#include "collect/line.h"

/* A line that begins a message: `I0315 14:22:33.456789 12345 file.cc:123] [instance] ] text`. */
struct glog_line {
    char severity; /* I W E F */
    unsigned year; /* 0: the line has none */
    unsigned month, day, hour, minute, second, millis;
    uint64_t thread;
    bool has_instance;
    struct id128 query; /* of the instance id */
    str_t message;      /* the first line of it */
};

/* False when the line has no such prefix: it continues a message, or is another program's. */
bool glog_line_read(str_t line, struct glog_line *parts);

/* Whether a line begins a message, without taking it apart. */
bool glog_line_begins(str_t line);

/* Modified UTF-8 of the JVM → UTF-8 in place: surrogate pairs of three bytes each, NUL as C0 80. Gives the new length. */
size_t glog_mend_text(char *text, size_t len);

#endif
