/* Hashes of bytes for tables and for telling texts apart; nothing here is for security. */
#ifndef COLLINE_RUN_HASH_H
#define COLLINE_RUN_HASH_H

#include "base/str.h"

struct hash128 {
    uint64_t high, low;
};

uint64_t hash64(str_t bytes, uint64_t seed);
struct hash128 hash128(str_t bytes, uint64_t seed);

#endif
