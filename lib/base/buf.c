/* The output buffer: doubling growth up to its maximum. */
#include "base/buf.h"

#include <stdlib.h>

void buf_init(struct buf *buf, size_t limit)
{
    *buf = (struct buf){.limit = limit};
}

void buf_release(struct buf *buf)
{
    free(buf->ptr);
    *buf = (struct buf){.limit = buf->limit};
}

void buf_clear(struct buf *buf)
{
    buf->len = 0;
    buf->failed = false;
}

bool buf_reserve(struct buf *buf, size_t more)
{
    size_t wanted;
    if (buf->failed || __builtin_add_overflow(buf->len, more, &wanted) || (buf->limit != 0 && wanted > buf->limit)) {
        buf->failed = true;
        return false;
    }
    if (wanted <= buf->capacity)
        return true;
    size_t capacity = buf->capacity == 0 ? 1024 : buf->capacity;
    while (capacity < wanted)
        capacity *= 2;
    if (buf->limit != 0 && capacity > buf->limit)
        capacity = buf->limit;
    char *grown = realloc(buf->ptr, capacity);
    if (grown == NULL) {
        buf->failed = true;
        return false;
    }
    buf->ptr = grown;
    buf->capacity = capacity;
    return true;
}

void buf_add_number(struct buf *buf, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    /* Division of 32 bits is several times faster: nearly all numbers are small, and of the others eight digits are taken at once. */
    for (uint32_t eight; number > UINT32_MAX; number /= 100000000) {
        eight = (uint32_t)(number % 100000000);
        for (int i = 0; i < 8; i++, eight /= 10)
            digits[--at] = (char)('0' + eight % 10);
    }
    uint32_t rest = (uint32_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    buf_add(buf, str_make(digits + at, sizeof digits - at));
}

void buf_add_repeat(struct buf *buf, char c, size_t count)
{
    if (count == 0 || !buf_reserve(buf, count))
        return;
    memset(buf->ptr + buf->len, c, count);
    buf->len += count;
}
