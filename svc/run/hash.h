/* Hashes of bytes for tables and for telling texts apart; nothing here is for security. */
#ifndef COLLINE_RUN_HASH_H
#define COLLINE_RUN_HASH_H

#include "base/str.h"

struct hash128 {
    uint64_t high, low;
};

uint64_t hash64(str_t bytes, uint64_t seed);

/* 47 bits: not negative, and short where numbers are stored in as few bytes as they need. Of the keys of stored rows, so it never changes. */
int64_t hash47(str_t bytes);

struct hash128 hash128(str_t bytes, uint64_t seed);

#endif
