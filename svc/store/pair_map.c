/* Open addressing with linear steps, at most two thirds full. */
#include "store/pair_map.h"

#include <stdlib.h>
#include <string.h>

struct pair_slot {
    uint64_t a, b;
    int64_t value; /* plus 1: 0 is free */
};

static size_t place_of(const struct pair_map *map, uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ (b << 29 | b >> 35)) * 0x9fb21c651e98df25u;
    hash = (hash ^ hash >> 32 ^ b) * 0xd6e8feb86659fd93u;
    size_t mask = map->capacity - 1;
    size_t at = (size_t)(hash ^ hash >> 32) & mask;
    while (map->slots[at].value != 0 && (map->slots[at].a != a || map->slots[at].b != b))
        at = (at + 1) & mask;
    return at;
}

int64_t pair_map_get(const struct pair_map *map, uint64_t a, uint64_t b)
{
    return map->capacity == 0 ? -1 : map->slots[place_of(map, a, b)].value - 1;
}

static bool grow(struct pair_map *map)
{
    const struct pair_map old = *map;
    size_t capacity = old.capacity == 0 ? 64 : old.capacity * 2;
    struct pair_slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    map->slots = slots;
    map->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].value != 0)
            slots[place_of(map, old.slots[i].a, old.slots[i].b)] = old.slots[i];
    free(old.slots);
    return true;
}

bool pair_map_put(struct pair_map *map, uint64_t a, uint64_t b, int64_t value)
{
    if (map->count * 3 >= map->capacity * 2 && !grow(map))
        return false;
    struct pair_slot *slot = &map->slots[place_of(map, a, b)];
    map->count += slot->value == 0;
    *slot = (struct pair_slot){a, b, value + 1};
    return true;
}

bool pair_map_next(const struct pair_map *map, size_t *at, uint64_t *a)
{
    while (*at < map->capacity)
        if (map->slots[(*at)++].value != 0) {
            *a = map->slots[*at - 1].a;
            return true;
        }
    return false;
}

void pair_map_clear(struct pair_map *map)
{
    if (map->count > 0)
        memset(map->slots, 0, map->capacity * sizeof *map->slots);
    map->count = 0;
}

void pair_map_release(struct pair_map *map)
{
    free(map->slots);
    *map = (struct pair_map){0};
}
