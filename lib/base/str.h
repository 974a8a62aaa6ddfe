/*
 * Slices of bytes. Every text in the library is a pointer and a length; nothing is NUL-terminated and a NUL
 * byte is an ordinary byte. A slice never owns what it points to: the arena or the caller's text does.
 */
#ifndef COLLINE_BASE_STR_H
#define COLLINE_BASE_STR_H

#include "base/octets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *ptr;
    size_t len;
} str_t;

/* Bytes [start, end) of the text being analysed. */
typedef struct {
    uint32_t start, end;
} span_t;

/* A slice of a string literal. */
#define STR(literal) ((str_t){(literal), sizeof(literal) - 1})

static inline str_t str_make(const char *ptr, size_t len)
{
    return (str_t){ptr, len};
}

static inline bool str_eq(str_t a, str_t b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether `len` bytes are the same with ASCII case folded. */
bool same_folded(const char *a, const char *b, size_t len);

/* Equality with ASCII case folded. */
static inline bool str_eq_fold(str_t a, str_t b)
{
    return a.len == b.len && same_folded(a.ptr, b.ptr, a.len);
}

/* Byte order, shorter first on a tie: negative, zero or positive. */
int str_compare(str_t a, str_t b);

bool str_starts_with(str_t s, str_t prefix);
bool str_ends_with(str_t s, str_t suffix);

/* The slice without ASCII white space at both ends. */
str_t str_trim(str_t s);

/* Position of the first c at or after `from`; s.len where there is none. */
size_t str_find(str_t s, char c, size_t from);

/*
 * An identifier as the engines compare it: folded to lower case, with its hash. Two names are the same
 * when name_eq says so; there is no table of names, so they are freely shared between threads and arenas.
 */
struct name {
    const char *ptr;
    uint32_t len;
    uint32_t hash;
};

/* Takes eight bytes more into a hash. A product's upper bits depend on all bits of its factor, the lower ones on few. */
static inline uint64_t name_hash_add(uint64_t hash, uint64_t octets)
{
    hash = (hash ^ octets) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

static inline uint32_t name_hash_finish(uint64_t hash)
{
    return (uint32_t)(hash * 0xd6e8feb86659fd93u >> 32);
}

/* name_hash of a name of at most eight bytes. */
static inline uint32_t name_hash_short(uint64_t octets, size_t len)
{
    return name_hash_finish(name_hash_add(0xcbf29ce484222325u ^ len, octets));
}

/* Hash of bytes that are folded already. */
uint32_t name_hash(const char *ptr, size_t len);

/* A name over text that is folded already and outlives the name. */
static inline struct name name_of(str_t folded)
{
    return (struct name){folded.ptr, (uint32_t)folded.len, name_hash(folded.ptr, folded.len)};
}

/* The name of a short literal; the compiler makes its hash. */
#define NAME(literal) name_of_short(STR(literal))

/* A name of at most eight bytes, likewise. */
static inline struct name name_of_short(str_t folded)
{
    return (struct name){folded.ptr, (uint32_t)folded.len, name_hash_short(octets_load_part(folded.ptr, folded.len), folded.len)};
}

static inline bool name_eq(struct name a, struct name b)
{
    return a.hash == b.hash && a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline str_t name_str(struct name n)
{
    return (str_t){n.ptr, n.len};
}

#endif
