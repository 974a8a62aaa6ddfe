/*
 * Eight bytes of text at a time, as one number whose lowest byte is the first. Names and words are short: taking all of
 * one at once spares the loops whose ends cannot be guessed.
 */
#ifndef COLLINE_BASE_OCTETS_H
#define COLLINE_BASE_OCTETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The eight bytes at s. */
static inline uint64_t octets_load(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    return (uint64_t)u[0] | (uint64_t)u[1] << 8 | (uint64_t)u[2] << 16 | (uint64_t)u[3] << 24 | (uint64_t)u[4] << 32 |
           (uint64_t)u[5] << 40 | (uint64_t)u[6] << 48 | (uint64_t)u[7] << 56;
}

static inline uint64_t octets_load_half(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    return (uint64_t)u[0] | (uint64_t)u[1] << 8 | (uint64_t)u[2] << 16 | (uint64_t)u[3] << 24;
}

/* The `len` bytes at s, at most eight, and zeros behind them; nothing else is read. The pieces overlap. */
static inline uint64_t octets_load_part(const char *s, size_t len)
{
    if (len >= 4)
        return octets_load_half(s) | octets_load_half(s + len - 4) << 8 * (len - 4);
    if (len == 0)
        return 0;
    const unsigned char *u = (const unsigned char *)s;
    return (uint64_t)u[0] | (uint64_t)u[len / 2] << 8 * (len / 2) | (uint64_t)u[len - 1] << 8 * (len - 1);
}

static inline void octets_store(char *s, uint64_t octets)
{
    for (int i = 0; i < 8; i++)
        s[i] = (char)(octets >> 8 * i);
}

/* The number in each of eight bytes. */
static inline uint64_t octets_of(uint8_t byte)
{
    return byte * UINT64_C(0x0101010101010101);
}

/*
 * The upper bit of each byte that lies between the two ASCII characters; meant for bytes below 128, of others the lower
 * bits count. Adding 128 - x sets the upper bit when the byte is at least x, and nothing here carries into the next.
 */
static inline uint64_t octets_between(uint64_t octets, char first, char last)
{
    uint64_t ascii = octets & octets_of(0x7F);
    return (ascii + octets_of((uint8_t)(0x80 - first))) & ~(ascii + octets_of((uint8_t)(0x7F - last))) & octets_of(0x80);
}

/* Whether one of the eight bytes is below the limit, which is an ASCII character: only then it borrows from its own upper bit. */
static inline bool octets_below(uint64_t octets, char limit)
{
    return ((octets - octets_of((uint8_t)limit)) & ~octets & octets_of(0x80)) != 0;
}

/* Whether one of the eight bytes is this one. */
static inline bool octets_hold(uint64_t octets, char byte)
{
    return octets_below(octets ^ octets_of((uint8_t)byte), 1);
}

/* ASCII letters folded to lower case. */
static inline uint64_t octets_lower(uint64_t octets)
{
    return octets | (octets_between(octets, 'A', 'Z') & ~octets) >> 2;
}

#endif
