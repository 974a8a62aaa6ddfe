/* UTF-8: where a character ends, and how wide text is on a terminal. */
#ifndef COLLINE_BASE_UTF8_H
#define COLLINE_BASE_UTF8_H

#include "base/buf.h"

/* Bytes of the valid character at the start of a non-empty text; 0 when there is none. */
size_t utf8_sequence(str_t text);

/* The first character of a non-empty text, U+FFFD for a bad byte; returns the bytes taken. */
size_t utf8_next(str_t text, uint32_t *code);

/* Writes the code (at most U+10FFFF, surrogates as they are) in one to four bytes; returns how many. */
size_t utf8_put(char *out, uint32_t code);

/* Whether all of the text is valid; otherwise *where is the first bad byte. */
bool utf8_valid(str_t text, size_t *where);

/* Appends the text with U+FFFD in place of every bad byte. */
void add_valid_utf8(struct buf *out, str_t text);

/* Columns that the text takes on a terminal: East Asian wide characters take two, combining marks none. */
size_t utf8_width(str_t text);

/* The longest beginning of the text that is at most `width` columns wide, ending at a character. */
str_t utf8_cut(str_t text, size_t width);

#endif
