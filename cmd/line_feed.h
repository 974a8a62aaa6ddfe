/* The lines of a file, or of a pipe that may be silent for long, one by one. */
#ifndef COLLINE_CMD_LINE_FEED_H
#define COLLINE_CMD_LINE_FEED_H

#include "cmd.h"
#include "run/stop.h"

struct line_feed {
    const char *name; /* a file, `-`: standard input */
    /* A line without its `\n`, and the byte where it begins. False: no more. */
    bool (*take)(void *context, str_t line, int64_t offset);
    /* After each reading, and every second without anything to read (`silent`). False: no more.
     * NULL: nothing is to be done then. */
    bool (*pause)(void *context, bool silent);
    void *context;
    const struct stop *stop; /* NULL: only the end of the input ends it */
};

enum feed_end { FEED_FAILED, FEED_STOPPED, FEED_DONE };

/* FEED_FAILED when the input cannot be read, after a message, and when no more was wanted. A line
 * of over 256 MB comes in pieces. */
enum feed_end line_feed_run(const struct line_feed *feed);

#endif
