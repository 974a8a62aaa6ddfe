/*
 * The lexer's way into the table of keywords; everybody else uses keyword_find and keyword_text of
 * lex.h.
 */
#ifndef COLLINE_SQL_KEYWORD_H
#define COLLINE_SQL_KEYWORD_H

#include "sql/lex.h"

/*
 * The keyword of a word of letters, digits, `_`, `$` and `-`; KW_NONE and WORD_PLAIN where the
 * dialect has no such word. `end` is that of the text around the word.
 */
enum keyword keyword_lookup(const char *word, size_t len, const char *end, enum dialect dialect,
                            uint8_t *word_class);

#endif
