/* The options of the commands that read sources: `capture` and `serve`. */
#ifndef COLLINE_CMD_STAGE_OPTIONS_H
#define COLLINE_CMD_STAGE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum stage_command { STAGE_CAPTURE = 1, STAGE_SERVE = 2 };

/* Texts are those of the command line; NULL, false and 0: not given. */
struct stage_choices {
    const char *data, *config, *to, *store;
    bool from_beginning, once, help;
    int64_t since_ms; /* UTC */
    long port;
};

/* STATUS_DONE, else what to exit with, after a message. */
int stage_choices_read(enum stage_command command, int argc, char **argv, struct stage_choices *choices);

#endif
