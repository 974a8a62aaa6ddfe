/*
 * The hash behind the table of keywords. tools/gen_keywords.c searches, when the project is built,
 * for displacements that give every word of keywords.def a slot of its own; lib/sql/keyword.c looks
 * words up with the same functions. Whether a word is a keyword cannot be guessed, so nothing here
 * branches on it.
 */
#ifndef COLLINE_SQL_KEYWORD_HASH_H
#define COLLINE_SQL_KEYWORD_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { KEYWORD_MAX_LENGTH = 32, KEYWORD_BUCKETS = 256, KEYWORD_SLOTS = 1024 };

/*
 * A word as it is compared: its first eight bytes and its last eight, the case of letters folded;
 * shorter words end in zeros.
 */
struct keyword_key {
    uint64_t head, tail;
};

static inline uint64_t keyword_load(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    return (uint64_t)u[0] | (uint64_t)u[1] << 8 | (uint64_t)u[2] << 16 | (uint64_t)u[3] << 24 |
           (uint64_t)u[4] << 32 | (uint64_t)u[5] << 40 | (uint64_t)u[6] << 48 |
           (uint64_t)u[7] << 56;
}

/*
 * The key of a word behind which, from its start, at least eight bytes may be read. Setting bit
 * 0x20 of each byte folds the case: it maps no two different characters of words onto one.
 */
static inline struct keyword_key keyword_key_of(const char *word, size_t len)
{
    uint64_t mask = len >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * len)) - 1;
    const char *tail = len > 8 ? word + len - 8 : word;
    uint64_t fold = UINT64_C(0x2020202020202020);
    return (struct keyword_key){(keyword_load(word) | fold) & mask,
                                (keyword_load(tail) | fold) & mask};
}

static inline uint32_t keyword_hash(struct keyword_key key, size_t len)
{
    uint64_t mixed = (key.head * UINT64_C(0x9E3779B97F4A7C15)) ^
                     ((key.tail + len) * UINT64_C(0xC2B2AE3D27D4EB4F));
    return (uint32_t)((mixed ^ mixed >> 32) * UINT64_C(0x94D049BB133111EB) >> 32);
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
