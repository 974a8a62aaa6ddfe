/*
 * What words of a shell script come to, as far as the script itself says it. A variable is known
 * when the script gives it a value in one place only, which is sure to run, is passed before the
 * use, and is made of known pieces; everything else becomes ${NAME}, or ${(TEXT)} for a command,
 * and stays open.
 */
#ifndef COLLINE_CMD_SHELL_VALUES_H
#define COLLINE_CMD_SHELL_VALUES_H

#include "base/buf.h"
#include "base/name_map.h"
#include "shell_text.h"

struct shell_values {
    struct shell_text *shell;
    struct name_map variables;
    VEC(uint32_t) opaque; /* places where any variable may change: source, eval */
    size_t held;          /* bytes of known values */
};

/* A text put together from a script, and where its pieces come from. */
struct shell_result {
    struct buf text;
    struct arena *arena;
    VEC(colline_piece) pieces;
};

/* Reads the values that the commands give. */
void shell_values_init(struct shell_values *values, struct shell_text *shell);

/* Into `out`, cleared: what the word is, seen from byte `at`; a word that is nothing but a known
 * variable leads to that one's value. */
void shell_expand_word(const struct shell_values *values, struct shell_range word, uint32_t at,
                       struct shell_result *out);

/* The same for a here-document. */
void shell_expand_here(const struct shell_values *values, const struct shell_command *command,
                       struct shell_result *out);

#endif
