/*
 * Copies of records that a receiver has and has not acknowledged, in the order in which they were sent: what is needed to put them elsewhere
 * when no answer comes. Each gets a number, one more than the one before. One thread.
 */
#ifndef COLLINE_BUS_HELD_H
#define COLLINE_BUS_HELD_H

#include "base/str.h"

enum held_state {
    HELD_NOT,     /* acknowledged, or never there */
    HELD_LIVE,    /* only the receiver has it */
    HELD_STORED,  /* the spool has it too, under `sequence` */
    HELD_ANSWERED, /* the same, and the receiver has acknowledged it since */
    HELD_PASSED   /* the spool has it too, and its reader has passed over it */
};

struct held_block;

struct held_record {
    uint64_t cookie;   /* of its sender */
    uint64_t sequence; /* in the spool */
    struct held_block *block; /* that its bytes are in: key, value */
    const char *bytes;
    size_t key_len, value_len;
    enum held_state state;
};

struct held {
    struct held_record *records; /* ring: number modulo capacity */
    uint64_t first, next;        /* numbers; first: the oldest that is held */
    size_t capacity;
    struct held_block *current, *spare;
    size_t size; /* of all blocks, in bytes */
};

void held_init(struct held *held);
void held_release(struct held *held);

/*
 * Copies; the record is HELD_LIVE and its number is what `next` was. Its bytes stay where they are until it is dropped, the record itself
 * until the next held_add. NULL when memory is out.
 */
struct held_record *held_add(struct held *held, str_t key, str_t value, uint64_t cookie);

/* NULL when it is no longer held. Borrowed until the next held_add. */
struct held_record *held_find(struct held *held, uint64_t number);

/* Forgets it. */
void held_drop(struct held *held, uint64_t number);

static inline str_t held_key(const struct held_record *record)
{
    return str_make(record->bytes, record->key_len);
}

static inline str_t held_value(const struct held_record *record)
{
    return str_make(record->bytes + record->key_len, record->value_len);
}

#endif
