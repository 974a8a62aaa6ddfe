/*
 * The queries that a joiner holds, found by id and by the time when each is due. An entry keeps the committed state as bytes; while a batch
 * works on it, `live` is that state opened.
 */
#ifndef COLLINE_NORMALIZE_ENTRIES_H
#define COLLINE_NORMALIZE_ENTRIES_H

#include "base/arena.h"

struct live;

struct entry {
    uint64_t hash;
    int64_t due;       /* not later than the state's: looked at again when the time comes */
    struct live *live; /* NULL: no batch has touched it */
    uint32_t heap_at;
    uint32_t id_len, state_len; /* a state of 0 bytes: nothing is committed yet */
    bool open;         /* the committed state has no end yet */
    char *bytes;       /* the id, then the state */
};

struct entries {
    struct entry **slots; /* open addressing, at most half full */
    uint32_t capacity, count;
    struct entry **heap; /* the earliest first */
    uint32_t heap_capacity;
};

static inline str_t entry_id(const struct entry *entry)
{
    return str_make(entry->bytes, entry->id_len);
}

static inline str_t entry_state(const struct entry *entry)
{
    return str_make(entry->bytes + entry->id_len, entry->state_len);
}

void entries_release(struct entries *entries);

/* NULL when there is none. */
struct entry *entries_find(const struct entries *entries, str_t id);

/* A new one, without a state; NULL when memory is out. There must be none of that id. */
struct entry *entries_add(struct entries *entries, str_t id, int64_t due);

void entries_remove(struct entries *entries, struct entry *entry);

/* Replaces the committed state; false when memory is out. */
bool entry_set_state(struct entry *entry, str_t state);

/* Moves it to another time. */
void entries_set_due(struct entries *entries, struct entry *entry, int64_t due);

/* The one that is due first; NULL when there is none. */
static inline struct entry *entries_first(const struct entries *entries)
{
    return entries->count == 0 ? NULL : entries->heap[0];
}

#endif
