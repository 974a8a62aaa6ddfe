/* Written after the standard: eight words of state, blocks of 64 bytes, 64 rounds each. */
#include "run/sha256.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void fill_schedule(uint32_t schedule[64], const unsigned char *block)
{
    for (size_t i = 0; i < 16; i++)
        schedule[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                      (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = schedule[i - 15], b = schedule[i - 2];
        schedule[i] = schedule[i - 16] + schedule[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
                      (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
}

static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t schedule[64], s[8];
    fill_schedule(schedule, block);
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + schedule[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The rest of the bytes, a one, zeros, and the number of bits: one block or two. */
static void take_end(uint32_t state[8], str_t bytes, size_t at)
{
    unsigned char end[128] = {0};
    size_t left = bytes.len - at, blocks = left < 56 ? 1 : 2;
    if (left > 0)
        memcpy(end, bytes.ptr + at, left);
    end[left] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        end[blocks * 64 - 1 - i] = (unsigned char)((uint64_t)bytes.len * 8 >> 8 * i);
    for (size_t i = 0; i < blocks; i++)
        take_block(state, end + 64 * i);
}

void sha256_hex(str_t bytes, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t at = 0;
    for (; bytes.len - at >= 64; at += 64)
        take_block(state, (const unsigned char *)bytes.ptr + at);
    take_end(state, bytes, at);
    for (unsigned i = 0; i < 64; i++)
        hex[i] = digits[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    hex[64] = '\0';
}
