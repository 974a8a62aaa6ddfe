/*
 * A map from names to pointers, by open addressing on the names' own hashes. It lives in an arena, grows by doubling, and has no removal:
 * an absent value is NULL. Looking up changes nothing, so a finished map may be shared between threads.
 */
#ifndef COLLINE_BASE_NAME_MAP_H
#define COLLINE_BASE_NAME_MAP_H

#include "base/arena.h"

struct name_map_slot {
    struct name name;
    void *value;
    bool used;
};

/* All zero is the empty map. */
struct name_map {
    struct name_map_slot *slots;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;
};

/* The value under a name, NULL when there is none. */
void *name_map_get(const struct name_map *map, struct name name);

/*
 * Where the value under the name is kept, made empty when it was not there; NULL when out of memory. The name's text must outlive
 * the map unless it was there before. Valid until the next call.
 */
void **name_map_place(struct name_map *map, struct arena *arena, struct name name);

#endif
