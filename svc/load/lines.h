/*
 * Events and results of checks into the store, line by line: from a file or a pipe. A batch is a transaction; what cannot be read is counted and told to the log, with its line.
 */
#ifndef COLLINE_LOAD_LINES_H
#define COLLINE_LOAD_LINES_H

#include "run/log.h"
#include "store/apply.h"

struct line_loader;

struct line_loader_options {
    struct applier *applier;
    struct log *log;    /* may be NULL */
    const char *name;   /* of the input, for messages */
    str_t name_space;   /* of results of checks that name none */
    size_t batch;       /* events of a transaction at most; 0: 20,000 */
};

/* NULL when out of memory. */
struct line_loader *line_loader_new(const struct line_loader_options *options);
void line_loader_free(struct line_loader *loader);

/* A line without its line break. False when the batch cannot be committed: applier_message says why, and the line counts as not given. */
bool line_loader_give(struct line_loader *loader, str_t line);

/* Commits what was given so far: where nothing comes for a while. */
bool line_loader_flush(struct line_loader *loader);

/* Commits the rest. */
bool line_loader_finish(struct line_loader *loader);

/* Lines that are neither, or of a newer version. */
uint64_t line_loader_unreadable(const struct line_loader *loader);

#endif
