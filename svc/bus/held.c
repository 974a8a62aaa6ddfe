/* A ring of records, and blocks of their bytes, which never move: the receiver may read them until it has acknowledged. */
#include "bus/held.h"

#include <stdlib.h>

enum {
    RECORDS_AT_FIRST = 1024,
    BLOCK = 16 << 10 /* small, for one record of a partition that is stuck keeps all of it */
};

/* Filled from the front; emptied when none of its records is held any more. */
struct held_block {
    size_t size, used;
    uint32_t records; /* of it that are held */
    char bytes[];
};

void held_init(struct held *held)
{
    *held = (struct held){.first = 1, .next = 1};
}

static void free_block(struct held *held, struct held_block *block)
{
    held->size -= block == NULL ? 0 : block->size;
    free(block);
}

void held_release(struct held *held)
{
    for (uint64_t number = held->first; number < held->next; number++)
        held_drop(held, number);
    free_block(held, held->current);
    free_block(held, held->spare);
    free(held->records);
    held_init(held);
}

static struct held_record *record_at(const struct held *held, uint64_t number)
{
    return &held->records[number & (held->capacity - 1)];
}

static bool grow_records(struct held *held)
{
    size_t capacity = held->capacity == 0 ? RECORDS_AT_FIRST : held->capacity * 2;
    struct held_record *records = calloc(capacity, sizeof *records);
    if (records == NULL)
        return false;
    for (uint64_t number = held->first; number < held->next; number++)
        records[number & (capacity - 1)] = *record_at(held, number);
    free(held->records);
    held->records = records;
    held->capacity = capacity;
    return true;
}

/* Nothing of the block is held any more. One of the usual size is kept for the next need. */
static void give_back(struct held *held, struct held_block *block)
{
    block->used = 0;
    if (block == held->current)
        return;
    if (block->size == BLOCK && held->spare == NULL)
        held->spare = block;
    else
        free_block(held, block);
}

static struct held_block *new_block(struct held *held, size_t len)
{
    struct held_block *block = held->spare;
    if (block != NULL && len <= BLOCK) {
        held->spare = NULL;
        return block;
    }
    size_t size = len > BLOCK ? len : BLOCK;
    block = malloc(sizeof *block + size);
    if (block == NULL)
        return NULL;
    *block = (struct held_block){.size = size};
    held->size += size;
    return block;
}

/* The block that has room for `len` bytes more. */
static struct held_block *find_block(struct held *held, size_t len)
{
    struct held_block *full = held->current;
    if (full != NULL && full->size - full->used >= len)
        return full;
    struct held_block *block = new_block(held, len);
    if (block == NULL)
        return NULL;
    held->current = block;
    if (full != NULL && full->records == 0)
        give_back(held, full);
    return block;
}

static void copy_to(char *to, str_t text)
{
    if (text.len > 0)
        memcpy(to, text.ptr, text.len);
}

struct held_record *held_add(struct held *held, str_t key, str_t value, uint64_t cookie)
{
    size_t len = key.len + value.len;
    struct held_block *block = held->next - held->first == held->capacity && !grow_records(held) ? NULL : find_block(held, len);
    if (block == NULL)
        return NULL;
    char *to = block->bytes + block->used;
    copy_to(to, key);
    copy_to(to + key.len, value);
    block->used += len;
    block->records++;
    struct held_record *record = record_at(held, held->next++);
    *record = (struct held_record){.cookie = cookie, .block = block, .bytes = to, .key_len = key.len, .value_len = value.len, .state = HELD_LIVE};
    return record;
}

struct held_record *held_find(struct held *held, uint64_t number)
{
    struct held_record *record = number < held->first || number >= held->next ? NULL : record_at(held, number);
    return record == NULL || record->state == HELD_NOT ? NULL : record;
}

void held_drop(struct held *held, uint64_t number)
{
    struct held_record *record = held_find(held, number);
    if (record == NULL)
        return;
    struct held_block *block = record->block;
    record->state = HELD_NOT;
    if (record->bytes + record->key_len + record->value_len == block->bytes + block->used)
        block->used = (size_t)(record->bytes - block->bytes); /* the last one: a full receiver did not take it */
    if (--block->records == 0)
        give_back(held, block);
    while (held->first < held->next && record_at(held, held->first)->state == HELD_NOT)
        held->first++;
}
