/*
 * The text of a shell script, read and never run: where words, quotes and here-documents end, and
 * which simple commands there are. What only a shell can know stays open for shell_values.h.
 */
#ifndef COLLINE_CMD_SHELL_TEXT_H
#define COLLINE_CMD_SHELL_TEXT_H

#include "base/arena.h"
#include "cmd.h"

/* Bytes [start, end) of the script; 0, 0: none. */
struct shell_range {
    uint32_t start, end;
};

struct shell_command {
    VEC(struct shell_range) words;  /* without redirections and words such as `then` */
    struct shell_range in_file;     /* the word behind < */
    struct shell_range out_file;    /* behind > or >> */
    struct shell_range here_string; /* behind <<< */
    struct shell_range here_doc;    /* the lines of a here-document */
    bool here_literal;              /* its delimiter is quoted: nothing in it is put in */
    bool piped;                     /* reads what the command before it writes */
    bool certain; /* runs once whenever the script runs through: not in a branch, loop, function or
                     subshell */
    bool inside;  /* stands in $(..) or `..` */
    uint32_t end; /* where it ends */
};

struct shell_text {
    str_t text;
    struct arena arena;
    VEC(struct shell_command) commands; /* in order; those of $(..) behind the rest */
};

void shell_text_init(struct shell_text *shell, str_t text);
void shell_text_release(struct shell_text *shell);

/* Reads the commands of [start, end); those of substitutions in them too. */
void shell_read(struct shell_text *shell, struct shell_range range);

/* Behind the quoted piece, ${..}, $(..) or `..` that begins at `pos`; behind one character where
 * none does. */
size_t shell_skip(str_t text, size_t pos);

static inline str_t shell_slice(const struct shell_text *shell, struct shell_range range)
{
    return str_make(shell->text.ptr + range.start, range.end - range.start);
}

static inline bool shell_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

#endif
