/*
 * Hashing canonical items with XXH3, 128 bits wide. This is the one file that includes xxHash. Items are gathered in a buffer, so that
 * nearly every statement is one call; longer ones go through the streaming state.
 */
#include "fingerprint/fingerprint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fingerprint/canon.h"

enum {
    BUFFER_SIZE = 1024,
    SLACK = 8 /* words are copied eight bytes at a time */
};

struct hasher {
    XXH3_state_t state;
    size_t len;
    bool streaming;
    char buffer[BUFFER_SIZE + SLACK];
};

static void hasher_init(struct hasher *h)
{
    h->len = 0;
    h->streaming = false;
}

static void flush(struct hasher *h)
{
    if (!h->streaming)
        XXH3_128bits_reset(&h->state);
    h->streaming = true;
    XXH3_128bits_update(&h->state, h->buffer, h->len);
    h->len = 0;
}

static void add_byte(struct hasher *h, uint8_t byte)
{
    if (h->len == BUFFER_SIZE)
        flush(h);
    h->buffer[h->len++] = (char)byte;
}

static struct fingerprint finish(struct hasher *h)
{
    XXH128_hash_t hash;
    if (h->streaming) {
        flush(h);
        hash = XXH3_128bits_digest(&h->state);
    } else {
        hash = XXH3_128bits(h->buffer, h->len);
    }
    return (struct fingerprint){hash.high64, hash.low64};
}

/* Eight letters in lower case; other bytes stay. */
static uint64_t fold_word(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
    uint64_t low = word & ~high;
    uint64_t from_a = low + (0x80 - 'A') * ones, beyond_z = low + (0x80 - 'Z' - 1) * ones;
    uint64_t upper = from_a & ~beyond_z & ~word & high;
    return word | upper >> 2;
}

static void add_folded_tail(struct hasher *h, str_t text)
{
    for (size_t i = 0; i < text.len; i++)
        add_byte(h, (uint8_t)ascii_lower(text.ptr[i]));
}

/* Folded bytes of the text; `readable` bytes may be looked at, so that short words need no loop. */
static void add_folded(struct hasher *h, str_t text, size_t readable)
{
    while (text.len > 0 && readable >= 8) {
        uint64_t word;
        size_t used = text.len < 8 ? text.len : 8;
        if (h->len + 8 > BUFFER_SIZE)
            flush(h);
        memcpy(&word, text.ptr, 8);
        word = fold_word(word);
        memcpy(h->buffer + h->len, &word, 8);
        h->len += used;
        text = str_make(text.ptr + used, text.len - used);
        readable -= used;
    }
    add_folded_tail(h, text);
}

/* Bytes as they are, with their length before them so that neighbours cannot run together. */
static void add_bytes(struct hasher *h, str_t text)
{
    for (int shift = 0; shift < 64; shift += 8)
        add_byte(h, (uint8_t)((uint64_t)text.len >> shift));
    for (size_t i = 0; i < text.len; i++)
        add_byte(h, (uint8_t)text.ptr[i]);
}

static void add_item(struct hasher *h, str_t text, const struct canon_item *item)
{
    str_t bytes = str_make(text.ptr + item->span.start, item->span.end - item->span.start);
    switch ((enum canon_kind)item->kind) {
    case CANON_WORD:
        add_folded(h, bytes, text.len - item->span.start);
        break;
    case CANON_VARIABLE:
        add_folded_tail(h, bytes);
        break;
    case CANON_SIGN:
        add_byte(h, item->sign);
        break;
    case CANON_LITERAL:
    case CANON_END:
        break;
    }
    add_byte(h, (uint8_t)(0xF8 + item->kind)); /* no byte of UTF-8: ends the item */
}

struct fingerprint fingerprint_of(str_t text, const struct tokens *tokens, enum dialect dialect, struct arena *arena)
{
    struct canon canon;
    struct canon_item item;
    struct hasher hasher;
    hasher_init(&hasher);
    canon_init(&canon, text, tokens, dialect, arena);
    while (canon_next(&canon, &item))
        add_item(&hasher, text, &item);
    return arena->failed ? (struct fingerprint){0} : finish(&hasher);
}

/* The value of everything that the canonical form leaves out and lineage may depend on. */
static void add_structure(struct hasher *h, str_t text, const struct tokens *tokens, const struct lineage_context *context,
                          struct arena *arena)
{
    struct canon canon;
    struct canon_item item;
    canon_init(&canon, text, tokens, context->options.dialect, arena);
    canon.keep_structure = true;
    canon.keep_all = context->engine;
    for (uint64_t place = 0; canon_next(&canon, &item); place++) {
        bool literal = item.kind == CANON_LITERAL && (item.structure || context->engine);
        if (!literal && !item.quoted)
            continue;
        add_bytes(h, str_make((const char *)&place, sizeof place));
        add_bytes(h, str_make(text.ptr + item.span.start, item.span.end - item.span.start));
    }
}

struct fingerprint lineage_key(str_t text, const struct tokens *tokens, const struct lineage_context *context,
                               struct fingerprint print, struct arena *arena)
{
    struct hasher hasher;
    hasher_init(&hasher);
    add_bytes(&hasher, str_make((const char *)&print, sizeof print));
    add_byte(&hasher, LINEAGE_VERSION);
    add_byte(&hasher, (uint8_t)context->options.dialect);
    add_byte(&hasher, (uint8_t)context->options.quoted_identifiers);
    add_byte(&hasher, context->engine);
    add_bytes(&hasher, context->database);
    add_bytes(&hasher, context->namespace_);
    for (size_t i = 0; i < context->setting_count; i++)
        add_bytes(&hasher, context->settings[i]);
    add_structure(&hasher, text, tokens, context, arena);
    return arena->failed ? (struct fingerprint){0} : finish(&hasher);
}

void fingerprint_hex(struct fingerprint print, char out[32])
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < 16; i++) {
        out[i] = digits[print.high >> (60 - 4 * i) & 15];
        out[16 + i] = digits[print.low >> (60 - 4 * i) & 15];
    }
}
