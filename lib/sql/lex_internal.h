/*
 * What the files of the lexer share. Each scanner takes the place where its token begins, sets the
 * token's kind and returns the place behind it.
 */
#ifndef COLLINE_SQL_LEX_INTERNAL_H
#define COLLINE_SQL_LEX_INTERNAL_H

#include "sql/keyword.h"

struct lexer {
    const char *start, *end; /* of the text */
    struct tokens *out;
    enum dialect dialect;
    int quoted_identifiers; /* of struct parse_options */
};

/* The token before this one; out of memory, and for the first of a statement, an empty one. */
static inline const struct token *token_before(const struct lexer *lx, const struct token *token)
{
    static const struct token none = {0};
    return token == lx->out->list.items ? &none : token - 1;
}

static inline void set_word(struct token *token, struct keyword_found found)
{
    token->kind = TOKEN_WORD;
    token->reserved = found.word_class;
    token->word = found.word;
}

/* A bare word, or what it turns out to be: one with variables in it. */
const char *scan_word(const struct lexer *lx, const char *p, struct token *token);

/* What begins with a digit; in Impala also with a dot before a digit. */
const char *scan_number(const struct lexer *lx, const char *p, struct token *token);

/* What begins with `$` and is no Impala word: variables, Hive's $elem$ words. */
const char *scan_dollar(const struct lexer *lx, const char *p, struct token *token);

/* Hive: what begins with `_`, a literal with its character set. */
const char *scan_charset(const struct lexer *lx, const char *p, struct token *token);

/* Behind the string that begins at p, or NULL where it has no end. */
const char *string_end(const char *p, const char *end);

/* Behind the digits at p. */
const char *digits_end(const char *p, const char *end);

/* Behind the letters, digits, `_` and what else the dialect takes for a part of a word. */
const char *word_end(const struct lexer *lx, const char *p);

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v');
}

#endif
