/*
 * A growing output buffer with a declared maximum. Appending never fails loudly: past the maximum, or out of
 * memory, `failed` is set and stays set, and what follows is dropped.
 */
#ifndef COLLINE_BASE_BUF_H
#define COLLINE_BASE_BUF_H

#include "base/str.h"

struct buf {
    char *ptr;
    size_t len, capacity;
    size_t limit; /* 0: none */
    bool failed;
};

void buf_init(struct buf *buf, size_t limit);
void buf_release(struct buf *buf);

/* Empties it and keeps the memory. */
void buf_clear(struct buf *buf);

/* Makes room for `more` bytes; false and `failed` when it cannot. */
bool buf_reserve(struct buf *buf, size_t more);

void buf_add_number(struct buf *buf, uint64_t number);
void buf_add_repeat(struct buf *buf, char c, size_t count);

/* Whether `more` bytes can be written at ptr + len; makes room where there is none yet. */
static inline bool buf_room(struct buf *buf, size_t more)
{
    return (buf->capacity - buf->len >= more && !buf->failed) || buf_reserve(buf, more);
}

static inline void buf_add(struct buf *buf, str_t s)
{
    if (s.len == 0 || !buf_room(buf, s.len))
        return;
    memcpy(buf->ptr + buf->len, s.ptr, s.len);
    buf->len += s.len;
}

static inline void buf_add_char(struct buf *buf, char c)
{
    if (!buf_room(buf, 1))
        return;
    buf->ptr[buf->len++] = c;
}

#define BUF_ADD(buf, literal) buf_add((buf), STR(literal))

static inline str_t buf_str(const struct buf *buf)
{
    return str_make(buf->ptr, buf->len);
}

#endif
