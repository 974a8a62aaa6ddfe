/* How far long work has come, on a terminal only: one line on standard error, from the first half second on, gone at the end. */
#ifndef COLLINE_CMD_PROGRESS_H
#define COLLINE_CMD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct progress {
    bool wanted, shown;
    size_t total; /* 0: not known */
    struct timespec started, last;
};

/* Wanted where standard error is a terminal and standard output, which would mix with it, is none. */
void progress_start(struct progress *progress, size_t total);
void progress_step(struct progress *progress, size_t done);
void progress_end(struct progress *progress);

#endif
