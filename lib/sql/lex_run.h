/*
 * Sixteen bytes of text side by side: which of them are parts of words. Most words are shorter, so their end is found
 * without a loop whose length cannot be guessed. With SSE2, which every x86-64 has, that takes a dozen instructions.
 */
#ifndef COLLINE_SQL_LEX_RUN_H
#define COLLINE_SQL_LEX_RUN_H

#include "base/octets.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    RUN_LENGTH = 16
};

#ifdef __SSE2__

/* All bits of the bytes in [first, first + count). Compared as signed numbers: the range is moved to where these begin. */
static inline __m128i bytes_in(__m128i bytes, char first, int count)
{
    __m128i moved = _mm_sub_epi8(bytes, _mm_set1_epi8((char)(first + INT8_MIN)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(INT8_MIN + count)));
}

/* A bit for each of the sixteen bytes at p, the first the lowest: set for letters, digits and `_`. */
static inline uint32_t plain_parts(const char *p)
{
    __m128i bytes = _mm_loadu_si128((const __m128i_u *)p);
    __m128i letter = bytes_in(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 26);
    __m128i digit = bytes_in(bytes, '0', 10);
    __m128i underscore = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_'));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letter, digit), underscore));
}

#else

/* The same of eight bytes: their upper bits tell, and are gathered by a product that moves each to a place of its own. */
static inline uint32_t plain_octets(uint64_t octets)
{
    uint64_t letter = octets_between(octets | octets_of(0x20), 'a', 'z');
    uint64_t digit = octets_between(octets, '0', '9');
    uint64_t underscore = octets_between(octets, '_', '_');
    uint64_t parts = (letter | digit | underscore) & ~octets;
    return (uint32_t)(parts * UINT64_C(0x0002040810204081) >> 56);
}

static inline uint32_t plain_parts(const char *p)
{
    return plain_octets(octets_load(p)) | plain_octets(octets_load(p + 8)) << 8;
}

#endif

/* How many of the sixteen bytes at p come before the first that is no part of a word. */
static inline size_t plain_length(const char *p)
{
    return (size_t)__builtin_ctz(~plain_parts(p));
}

#endif
