/*
 * The hash behind the table of keywords. tools/gen_keywords.c searches, when the project is built, for displacements that
 * give every word of keywords.def a slot of its own; lib/sql/keyword.c looks words up with the same functions.
 */
#ifndef COLLINE_SQL_KEYWORD_HASH_H
#define COLLINE_SQL_KEYWORD_HASH_H

#include <stddef.h>
#include <stdint.h>

enum {
    KEYWORD_MIN_LENGTH = 2,
    KEYWORD_MAX_LENGTH = 32,
    KEYWORD_BUCKETS = 256,
    KEYWORD_SLOTS = 1024
};

static inline uint32_t keyword_load(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    return (uint32_t)u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

/*
 * Looks at the first and the last four bytes, at the one in the middle and at the length, which tell all keywords apart.
 * Setting bit 0x20 of each byte folds the case: within words it maps no two different characters onto one.
 */
static inline uint32_t keyword_hash(const char *word, size_t len)
{
    uint32_t head, tail;
    if (len >= 4) {
        head = keyword_load(word);
        tail = keyword_load(word + len - 4);
    } else {
        const unsigned char *u = (const unsigned char *)word;
        head = (uint32_t)u[0] | (uint32_t)u[1] << 8;
        tail = (uint32_t)u[len - 1] << 24;
    }
    head |= UINT32_C(0x20202020);
    tail |= UINT32_C(0x20202020);
    uint64_t shape = (uint64_t)len << 40 | (uint64_t)((unsigned char)word[len / 2] | 0x20) << 32 | tail;
    uint64_t mixed = (head * UINT64_C(0x9E3779B97F4A7C15)) ^ (shape * UINT64_C(0xC2B2AE3D27D4EB4F));
    mixed ^= mixed >> 32;
    return (uint32_t)(mixed * UINT64_C(0x94D049BB133111EB) >> 32);
}

static inline uint32_t keyword_bucket(uint32_t hash)
{
    return hash & (KEYWORD_BUCKETS - 1);
}

static inline uint32_t keyword_slot(uint32_t hash, uint32_t displacement)
{
    return (hash * (2 * displacement + 1)) >> 22; /* the upper bits: 2^10 is KEYWORD_SLOTS */
}

#endif
