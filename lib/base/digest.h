/* The two digests that the engines' lineage logs carry: they identify a text, nothing here is for security. */
#ifndef COLLINE_BASE_DIGEST_H
#define COLLINE_BASE_DIGEST_H

#include "base/arena.h"
#include "base/buf.h"

/* Appends MD5 (RFC 1321) of the bytes as 32 hexadecimal digits. */
void add_md5(struct buf *out, str_t bytes);

/* Appends MurmurHash3 (x64, 128 bits, seed 0) of the bytes as 32 hexadecimal digits, first half first, each byte in memory order. */
void add_murmur3(struct buf *out, str_t bytes);

/* The text as UTF-16, low byte first; what is no valid UTF-8 becomes U+FFFD. Empty when out of memory. */
str_t utf16le(struct arena *arena, str_t text);

#endif
