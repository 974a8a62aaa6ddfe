/* Open addressing, grown at three quarters. */
#include "ask/id_index.h"

#include <stdlib.h>

static uint32_t place_of(int64_t key, uint32_t capacity)
{
    uint64_t mixed = (uint64_t)key * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 32) & (capacity - 1);
}

static struct id_index_slot *find(const struct id_index *map, int64_t key)
{
    uint32_t at = place_of(key, map->capacity);
    while (map->slots[at].used && map->slots[at].key != key)
        at = (at + 1) & (map->capacity - 1);
    return &map->slots[at];
}

uint32_t id_index_get(const struct id_index *map, int64_t key)
{
    if (map->capacity == 0)
        return ID_NONE;
    const struct id_index_slot *slot = find(map, key);
    return slot->used ? slot->value : (uint32_t)ID_NONE;
}

static bool grow(struct id_index *map, struct arena *arena)
{
    struct id_index larger = {.capacity = map->capacity == 0 ? 64 : map->capacity * 2,
                              .count = map->count};
    larger.slots = ARENA_ARRAY(arena, struct id_index_slot, larger.capacity);
    if (larger.slots == NULL)
        return false;
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->slots[i].used)
            *find(&larger, map->slots[i].key) = map->slots[i];
    *map = larger;
    return true;
}

uint32_t *id_index_place(struct id_index *map, struct arena *arena, int64_t key, uint32_t value,
                         bool *fresh)
{
    if (map->count >= map->capacity / 4 * 3 && !grow(map, arena))
        return NULL;
    struct id_index_slot *slot = find(map, key);
    *fresh = !slot->used;
    if (*fresh) {
        *slot = (struct id_index_slot){key, value, true};
        map->count++;
    }
    return &slot->value;
}

void ask_ids_add(struct ask_ids *list, struct arena *arena, int64_t id)
{
    int64_t *place = VEC_PUSH(arena, list);
    if (place != NULL)
        *place = id;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Without those that are as the one before; true when the others ascend. */
static bool drop_repeated(struct ask_ids *list)
{
    uint32_t kept = 0;
    bool ascends = true;
    for (uint32_t i = 1; i < list->count; i++)
        if (list->items[i] != list->items[kept]) {
            ascends = ascends && list->items[i] > list->items[kept];
            list->items[++kept] = list->items[i];
        }
    list->count = kept + 1;
    return ascends;
}

/* What is read in the order of an index repeats and ascends more often than not. */
void ask_ids_sort(struct ask_ids *list)
{
    if (list->count == 0 || drop_repeated(list))
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
    (void)drop_repeated(list);
}
