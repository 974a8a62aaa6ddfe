/*
 * Text → tokens, by each dialect's rules. The lexer holds no state but the text and the rules; lexing one statement
 * ends at its `;` (outside strings, quoted names and comments) or at the end of the text.
 */
#ifndef COLLINE_SQL_LEX_H
#define COLLINE_SQL_LEX_H

#include "sql/parse.h"

/*
 * Lexes from byte `pos` to the end of the statement. Returns the byte behind the statement's `;`, or text.len.
 * Bytes that begin no token, and quotes without end, give TOKEN_BAD and lexing goes on. Out of memory: text.len, and no TOKEN_END.
 */
size_t lex_statement(str_t text, size_t pos, const struct parse_options *options, struct arena *arena, struct tokens *out);

/* The first byte at or after pos that is neither blank (Unicode spaces and BOM too) nor in a plain comment. */
size_t lex_skip_blanks(str_t text, size_t pos, enum dialect dialect);

/* Text of a keyword, upper case, for messages. */
str_t keyword_text(enum keyword word);

/* The keyword of a bare word, case folded; KW_NONE where the dialect has no such word. */
enum keyword keyword_find(str_t word, enum dialect dialect, enum word_class *word_class);

#endif
