/* A map from identifiers to small numbers, in an arena; all zero is the empty map. There is no
 * removal. */
#ifndef COLLINE_ASK_ID_INDEX_H
#define COLLINE_ASK_ID_INDEX_H

#include "base/arena.h"

struct id_index_slot {
    int64_t key;
    uint32_t value;
    bool used;
};

struct id_index {
    struct id_index_slot *slots;
    uint32_t capacity, count;
};

enum { ID_NONE = UINT32_MAX };

/* The value under the key, ID_NONE when there is none. */
uint32_t id_index_get(const struct id_index *map, int64_t key);

/* Where the value under the key is kept; when it was not there it is `value` and *fresh is true.
 * NULL when memory is out. */
uint32_t *id_index_place(struct id_index *map, struct arena *arena, int64_t key, uint32_t value,
                         bool *fresh);

/* A growing list of identifiers. */
struct ask_ids {
    int64_t *items;
    uint32_t count, capacity;
};

void ask_ids_add(struct ask_ids *list, struct arena *arena, int64_t id);

/* Sorts, and leaves each only once. */
void ask_ids_sort(struct ask_ids *list);

#endif
