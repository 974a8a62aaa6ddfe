/* Standard output and messages in the order of the inputs: small pieces are gathered, large ones go out at once. */
#ifndef COLLINE_CMD_OUTPUT_H
#define COLLINE_CMD_OUTPUT_H

#include "base/buf.h"
#include "cmd.h"

struct output {
    struct buf pending;
};

void output_init(struct output *output);
void output_add(struct output *output, str_t bytes);

/* Messages for standard error, after the output that was added before them. */
void output_message(struct output *output, str_t message);
void output_flush(struct output *output);
void output_release(struct output *output);

#endif
