/* Base64: three bytes are four letters. */
#include "record/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static uint32_t byte_at(str_t bytes, size_t i)
{
    return i < bytes.len ? (unsigned char)bytes.ptr[i] : 0;
}

void add_base64(struct buf *out, str_t bytes)
{
    if (bytes.len > SIZE_MAX / 2 || !buf_room(out, (bytes.len + 2) / 3 * 4))
        return;
    for (size_t i = 0; i < bytes.len; i += 3) {
        uint32_t word =
            byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        size_t there = bytes.len - i < 3 ? bytes.len - i : 3;
        for (size_t j = 0; j < 4; j++)
            out->ptr[out->len++] = j <= there ? letters[word >> (18 - 6 * j) & 63] : '=';
    }
}

/* Value of a letter; 64 for what is none. */
static uint32_t value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (uint32_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0') + 52;
    return c == '+' ? 62 : c == '/' ? 63 : 64;
}

bool base64_decode(struct buf *out, str_t text)
{
    size_t before = out->len;
    uint32_t word = 0, bits = 0;
    if (text.len % 4 == 0 && str_ends_with(text, STR("==")))
        text.len -= 2;
    else if (text.len % 4 == 0 && str_ends_with(text, STR("=")))
        text.len--;
    bool good = text.len % 4 != 1 && buf_room(out, text.len / 4 * 3 + 3);
    for (size_t i = 0; good && i < text.len; i++) {
        uint32_t value = value_of(text.ptr[i]);
        good = value < 64;
        word = word << 6 | (value & 63);
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        out->ptr[out->len++] = (char)(word >> bits & 0xFF);
    }
    good = good && (word & ((1u << bits) - 1)) == 0;
    if (!good)
        out->len = before;
    return good;
}
