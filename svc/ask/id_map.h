/* A map from identifiers to small numbers, in an arena; all zero is the empty map. There is no removal. */
#ifndef COLLINE_ASK_ID_MAP_H
#define COLLINE_ASK_ID_MAP_H

#include "base/arena.h"

struct id_map_slot {
    int64_t key;
    uint32_t value;
    bool used;
};

struct id_map {
    struct id_map_slot *slots;
    uint32_t capacity, count;
};

enum { ID_NONE = UINT32_MAX };

/* The value under the key, ID_NONE when there is none. */
uint32_t id_map_get(const struct id_map *map, int64_t key);

/* Where the value under the key is kept; when it was not there it is `value` and *fresh is true. NULL when memory is out. */
uint32_t *id_map_place(struct id_map *map, struct arena *arena, int64_t key, uint32_t value, bool *fresh);

/* A growing list of identifiers. */
struct id_list {
    int64_t *items;
    uint32_t count, capacity;
};

void id_list_add(struct id_list *list, struct arena *arena, int64_t id);

/* Sorts, and leaves each only once. */
void id_list_sort(struct id_list *list);

#endif
