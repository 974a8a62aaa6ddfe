/* Two rings: of records, and of their bytes. Both are made larger when they are full, and never smaller. */
#include "bus/held.h"

#include <stdlib.h>

enum {
    RECORDS_AT_FIRST = 1024,
    BYTES_AT_FIRST = 64 << 10
};

void held_init(struct held *held)
{
    *held = (struct held){.first = 1, .next = 1};
}

void held_release(struct held *held)
{
    free(held->records);
    free(held->bytes);
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

/* Place for `len` bytes in one piece behind what is held; false when there is none. */
static bool find_place(const struct held *held, size_t len, uint64_t *at)
{
    uint64_t start = held->first == held->next ? held->bytes_next : record_at(held, held->first)->at;
    *at = held->bytes_next;
    if (held->size == 0)
        return false;
    size_t to_the_end = held->size - (size_t)(*at % held->size);
    if (to_the_end < len)
        *at += to_the_end;
    return *at + len - start <= held->size;
}

static bool grow_bytes(struct held *held, size_t len)
{
    size_t size = held->size == 0 ? BYTES_AT_FIRST : held->size + held->size / 2;
    while (size < held->size + 2 * len)
        size += size / 2;
    char *bytes = malloc(size);
    if (bytes == NULL)
        return false;
    uint64_t next = 0;
    for (uint64_t number = held->first; number < held->next; number++) {
        struct held_record *record = record_at(held, number);
        if (record->state != HELD_NOT)
            memcpy(bytes + next, held->bytes + record->at % held->size, record->key_len + record->value_len);
        record->at = next;
        next += record->state == HELD_NOT ? 0 : record->key_len + record->value_len;
    }
    free(held->bytes);
    held->bytes = bytes;
    held->size = size;
    held->bytes_next = next;
    return true;
}

static void copy_to(char *to, str_t text)
{
    if (text.len > 0)
        memcpy(to, text.ptr, text.len);
}

bool held_add(struct held *held, str_t key, str_t value, uint64_t cookie)
{
    size_t len = key.len + value.len;
    uint64_t at;
    if (held->next - held->first == held->capacity && !grow_records(held))
        return false;
    if (!find_place(held, len, &at) && (!grow_bytes(held, len) || !find_place(held, len, &at)))
        return false;
    char *to = held->bytes + at % held->size;
    copy_to(to, key);
    copy_to(to + key.len, value);
    held->bytes_next = at + len;
    *record_at(held, held->next) = (struct held_record){.cookie = cookie, .at = at, .key_len = key.len, .value_len = value.len, .state = HELD_LIVE};
    held->next++;
    return true;
}

struct held_record *held_find(struct held *held, uint64_t number)
{
    struct held_record *record = number < held->first || number >= held->next ? NULL : record_at(held, number);
    return record == NULL || record->state == HELD_NOT ? NULL : record;
}

void held_drop(struct held *held, uint64_t number)
{
    struct held_record *record = held_find(held, number);
    if (record != NULL)
        record->state = HELD_NOT;
    while (held->first < held->next && record_at(held, held->first)->state == HELD_NOT)
        held->first++;
}

str_t held_key(const struct held *held, const struct held_record *record)
{
    return str_make(held->bytes + record->at % held->size, record->key_len);
}

str_t held_value(const struct held *held, const struct held_record *record)
{
    return str_make(held->bytes + record->at % held->size + record->key_len, record->value_len);
}
