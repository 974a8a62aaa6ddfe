/* What the lexers must know of characters beyond ASCII. */
#ifndef COLLINE_BASE_UNICODE_H
#define COLLINE_BASE_UNICODE_H

#include "base/str.h"

/*
 * Decodes the character at ptr, which must be before end. Returns its number of bytes and sets
 * *code; for bytes that are no UTF-8 (overlong forms and surrogates too) returns 0.
 */
size_t utf8_decode(const char *ptr, const char *end, uint32_t *code);

/* Spaces and line separators beyond ASCII, and the byte order mark. */
bool unicode_is_blank(uint32_t code);

/*
 * Whether a character beyond ASCII may stand in an identifier of Java: letters, digits, marks,
 * currency signs.
 */
bool unicode_is_name_part(uint32_t code);

#endif
