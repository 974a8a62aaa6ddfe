/*
 * The hash behind the table of keywords. tools/gen_keywords.c searches, when the project is built,
 * for displacements that give every word of keywords.def a slot of its own; lib/sql/keyword.c looks
 * words up with the same functions. Whether a word is a keyword cannot be guessed, so nothing here
 * branches on it.
 */
#ifndef COLLINE_SQL_KEYWORD_HASH_H
#define COLLINE_SQL_KEYWORD_HASH_H

#include "base/octets.h"

enum { KEYWORD_MAX_LENGTH = 32, KEYWORD_BUCKETS = 256, KEYWORD_SLOTS = 1024 };

/*
 * A word as it is compared: its first eight bytes and its last eight, the case of letters folded;
 * shorter words end in zeros.
 */
struct keyword_key {
    uint64_t head, tail;
};

/*
 * Setting bit 0x20 of each byte folds the case: it maps no two different characters of words onto
 * one.
 */
static inline uint64_t keyword_fold(uint64_t octets)
{
    return octets | octets_of(0x20);
}

/* The key of any word. */
static inline struct keyword_key keyword_key_of(const char *word, size_t len)
{
    if (len >= 8)
        return (struct keyword_key){keyword_fold(octets_load(word)),
                                    keyword_fold(octets_load(word + len - 8))};
    uint64_t mask = (UINT64_C(1) << 8 * len) - 1;
    uint64_t all = keyword_fold(octets_load_part(word, len)) & mask;
    return (struct keyword_key){all, all};
}

/*
 * The same for a word of at least one byte where, from its start, eight bytes may be read: how long
 * it is cannot be guessed, so nothing here branches on it.
 */
static inline struct keyword_key keyword_key_within(const char *word, size_t len)
{
    size_t in_head = len < 8 ? len : 8;
    /* cppcheck-suppress shiftTooManyBits ; a word has at least one byte */
    uint64_t mask = UINT64_MAX >> 8 * (8 - in_head);
    return (struct keyword_key){keyword_fold(octets_load(word)) & mask,
                                keyword_fold(octets_load(word + len - in_head)) & mask};
}

static inline uint32_t keyword_hash(struct keyword_key key, size_t len)
{
    uint64_t mixed = (key.head * UINT64_C(0x9E3779B97F4A7C15)) ^
                     ((key.tail + len) * UINT64_C(0xC2B2AE3D27D4EB4F));
    return (uint32_t)(mixed >> 32);
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
