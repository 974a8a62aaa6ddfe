/*
 * A file of JSON lines that grows by whole batches: what a batch adds is on disk before its length is told, and what lies behind the length
 * that was kept is cut off at the next start. A pipe takes the lines too, but nothing can be taken back from it.
 */
#ifndef COLLINE_NORMALIZE_OUTPUT_FILE_H
#define COLLINE_NORMALIZE_OUTPUT_FILE_H

#include "base/buf.h"

struct output_file {
    int descriptor; /* -1: none */
    bool regular;   /* can be cut */
    int64_t length; /* of what is committed */
    struct buf lines; /* of the present batch */
};

/*
 * `-` is standard output. `length`: what was kept of an earlier run; what lies behind is cut off. Negative: nothing was kept, the file is
 * begun anew. False with errno.
 */
bool output_file_open(struct output_file *file, const char *path, int64_t length);
void output_file_close(struct output_file *file);

void output_file_add(struct output_file *file, str_t json);

/* Writes the batch and waits until it is on disk; false with errno, and the batch stays. */
bool output_file_write(struct output_file *file);

/* The batch written last counts: its lines are forgotten. */
void output_file_commit(struct output_file *file);

/* The batch never was. */
void output_file_abort(struct output_file *file);

#endif
