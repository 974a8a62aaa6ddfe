/*
 * Shell script → the SQL that it hands to hive, beeline or impala-shell, as far as it stands there:
 * -e and -q texts, here-documents, here-strings, what echo or cat pipe in, files named by -f, and
 * SQL files that here-documents write. docs/shell-scripts.md tells the rules. Nothing is run.
 */
#ifndef COLLINE_CMD_SHELL_SCRIPT_H
#define COLLINE_CMD_SHELL_SCRIPT_H

#include "input.h"
#include "options.h"

struct shell_sql {
    colline_dialect dialect;
    bool guessed; /* a file whose name does not tell it */
    uint32_t at;  /* byte of the script: the text's first, or the word that leads to it */
    str_t text;
    const colline_piece *pieces;
    size_t piece_count;
    str_t database;               /* empty: the client is not told */
    const struct define *defines; /* --hivevar, --var and the like */
    size_t define_count;
};

struct shell_script {
    const struct shell_sql *items; /* in order of `at` */
    size_t count;
    struct shell_source *source;
};

/* Whether a file is a shell script: by its name, or by a first line such as #!/bin/bash. */
bool is_shell_script(const char *path, str_t text);

/* `text` must stay until the release. */
struct shell_script shell_script_read(str_t text);
void shell_script_release(struct shell_script *script);

#endif
