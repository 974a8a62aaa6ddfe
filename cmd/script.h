/*
 * One script from its first statement to its last: its document is written, whoever wants looks at every statement, `source FILE` is
 * followed within the script's folder, and what does not parse is reported.
 */
#ifndef COLLINE_CMD_SCRIPT_H
#define COLLINE_CMD_SCRIPT_H

#include "base/buf.h"
#include "shell_script.h"

struct script {
    str_t id;            /* names the script in documents */
    str_t name;          /* and in messages; empty: the same */
    const char *path;    /* NULL: not from a file */
    const char *root;    /* sourced files must lie in it; NULL: none are followed */
    str_t text;
    const struct shell_sql *sql; /* stands in a shell script, `text`; NULL: is all of the text */
    uint32_t line_at, line;      /* a line of the shell script that is not behind the SQL: where it begins, its number */
    str_t database;
    colline_dialect dialect;
    bool guessed;        /* the dialect was */
};

/* What becomes of a script; members may be left out. */
struct script_sink {
    bool document;
    colline_format format;
    colline_write write;
    void *context;
    bool report; /* carets in `messages` */
    /* Called for every statement; `file` is the sourced file or the script's id. */
    void (*see)(void *context, colline_analyzer *an, str_t file, const colline_statement *st);
    void *see_context;
};

struct script_result {
    size_t statements, broken;
    colline_status status;
};

/* A shell script is run as the scripts that stand in it, each with `:LINE` behind its id. */
struct script_result script_run(colline_analyzer *an, const struct options *options, const struct script *script,
                                const struct script_sink *sink, struct buf *messages);

#endif
