/* Open addressing with linear probing, at most three quarters full. */
#include "base/name_map.h"

enum {
    FIRST_CAPACITY = 16
};

/* The slot that holds the name, or the free one where it belongs. The map is never full. */
static struct name_map_slot *find_slot(const struct name_map *map, struct name name)
{
    uint32_t mask = map->capacity - 1;
    uint32_t at = name.hash & mask;
    while (map->slots[at].used && !name_eq(map->slots[at].name, name))
        at = (at + 1) & mask;
    return &map->slots[at];
}

void *name_map_get(const struct name_map *map, struct name name)
{
    if (map->count == 0)
        return NULL;
    const struct name_map_slot *slot = find_slot(map, name);
    return slot->used ? slot->value : NULL;
}

static bool grow(struct name_map *map, struct arena *arena)
{
    struct name_map larger = {.capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2, .count = map->count};
    larger.slots = ARENA_ARRAY(arena, struct name_map_slot, larger.capacity);
    if (larger.slots == NULL)
        return false;
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->slots[i].used)
            *find_slot(&larger, map->slots[i].name) = map->slots[i];
    *map = larger;
    return true;
}

void **name_map_place(struct name_map *map, struct arena *arena, struct name name)
{
    bool full = map->count >= map->capacity - map->capacity / 4;
    if (full && !grow(map, arena))
        return NULL;
    struct name_map_slot *slot = find_slot(map, name);
    if (!slot->used) {
        *slot = (struct name_map_slot){.name = name, .used = true};
        map->count++;
    }
    return &slot->value;
}
