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

void buf_add(struct buf *buf, str_t s);
void buf_add_number(struct buf *buf, uint64_t number);
void buf_add_repeat(struct buf *buf, char c, size_t count);

static inline void buf_add_char(struct buf *buf, char c)
{
    if (buf->len == buf->capacity && !buf_reserve(buf, 1))
        return;
    buf->ptr[buf->len++] = c;
}

#define BUF_ADD(buf, literal) buf_add((buf), STR(literal))

static inline str_t buf_str(const struct buf *buf)
{
    return str_make(buf->ptr, buf->len);
}

#endif
