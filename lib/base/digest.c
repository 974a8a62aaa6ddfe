/* MD5 and MurmurHash3 after their published descriptions. */
#include "base/digest.h"

#include "base/utf8.h"

static void add_hex(struct buf *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        buf_add_char(out, digits[bytes[i] >> 4]);
        buf_add_char(out, digits[bytes[i] & 15]);
    }
}

static uint32_t rotate32(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

/* floor(2^32 * |sin(i + 1)|) */
static const uint32_t md5_sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/* The round's function of three words, and which word of the block step i takes. */
static uint32_t md5_mix(unsigned i, uint32_t b, uint32_t c, uint32_t d, unsigned *word)
{
    switch (i / 16) {
    case 0:
        *word = i;
        return (b & c) | (~b & d);
    case 1:
        *word = (5 * i + 1) % 16;
        return (d & b) | (~d & c);
    case 2:
        *word = (3 * i + 5) % 16;
        return b ^ c ^ d;
    default:
        *word = 7 * i % 16;
        return c ^ (b | ~d);
    }
}

static uint32_t load32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void md5_block(uint32_t state[4], const unsigned char *block)
{
    static const unsigned char shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        unsigned word;
        uint32_t mixed = md5_mix(i, b, c, d, &word) + a + md5_sines[i] + load32(block + 4 * (size_t)word);
        a = d;
        d = c;
        c = b;
        b += rotate32(mixed, shifts[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void add_md5(struct buf *out, str_t bytes)
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t left = bytes.len;
    for (; left >= 64; at += 64, left -= 64)
        md5_block(state, at);
    unsigned char tail[128] = {0};
    if (left > 0)
        memcpy(tail, at, left);
    tail[left] = 0x80;
    size_t size = left < 56 ? 64 : 128;
    for (unsigned i = 0; i < 8; i++)
        tail[size - 8 + i] = (unsigned char)((uint64_t)bytes.len * 8 >> (8 * i));
    for (size_t i = 0; i < size; i += 64)
        md5_block(state, tail + i);
    unsigned char digest[16];
    for (unsigned i = 0; i < 16; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (8 * (i % 4)));
    add_hex(out, digest, sizeof digest);
}

static const uint64_t murmur_c1 = 0x87c37b91114253d5, murmur_c2 = 0x4cf5ad432745937f;

static uint64_t rotate64(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t load64(const unsigned char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static uint64_t murmur_k1(uint64_t k)
{
    return rotate64(k * murmur_c1, 31) * murmur_c2;
}

static uint64_t murmur_k2(uint64_t k)
{
    return rotate64(k * murmur_c2, 33) * murmur_c1;
}

static uint64_t murmur_finish(uint64_t k)
{
    k = (k ^ k >> 33) * 0xff51afd7ed558ccd;
    k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53;
    return k ^ k >> 33;
}

void add_murmur3(struct buf *out, str_t bytes)
{
    uint64_t h1 = 0, h2 = 0;
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t left = bytes.len;
    for (; left >= 16; at += 16, left -= 16) {
        h1 = (rotate64(h1 ^ murmur_k1(load64(at, 8)), 27) + h2) * 5 + 0x52dce729;
        h2 = (rotate64(h2 ^ murmur_k2(load64(at + 8, 8)), 31) + h1) * 5 + 0x38495ab5;
    }
    if (left > 8)
        h2 ^= murmur_k2(load64(at + 8, left - 8));
    if (left > 0)
        h1 ^= murmur_k1(load64(at, left < 8 ? left : 8));
    h1 ^= bytes.len;
    h2 ^= bytes.len;
    h1 += h2;
    h2 += h1;
    h1 = murmur_finish(h1);
    h2 = murmur_finish(h2);
    h1 += h2;
    h2 += h1;
    unsigned char digest[16];
    for (unsigned i = 0; i < 16; i++)
        digest[i] = (unsigned char)((i < 8 ? h1 : h2) >> (8 * (i % 8)));
    add_hex(out, digest, sizeof digest);
}

static char *put_unit(char *at, uint32_t unit)
{
    at[0] = (char)(unit & 0xFF);
    at[1] = (char)(unit >> 8);
    return at + 2;
}

str_t utf16le(struct arena *arena, str_t text)
{
    char *units = arena_alloc(arena, text.len * 2);
    if (units == NULL)
        return STR("");
    char *at = units;
    while (text.len > 0) {
        uint32_t code;
        size_t used = utf8_next(text, &code);
        text = str_make(text.ptr + used, text.len - used);
        if (code < 0x10000) {
            at = put_unit(at, code);
        } else {
            at = put_unit(at, 0xD800 + ((code - 0x10000) >> 10));
            at = put_unit(at, 0xDC00 + ((code - 0x10000) & 0x3FF));
        }
    }
    return str_make(units, (size_t)(at - units));
}
