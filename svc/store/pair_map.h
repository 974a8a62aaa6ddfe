/* A hash table from pairs of numbers to numbers, outside of any arena; what the writer remembers of the tables. No removal but of all. */
#ifndef COLLINE_STORE_PAIR_MAP_H
#define COLLINE_STORE_PAIR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair_slot;

/* All zero is the empty map. */
struct pair_map {
    struct pair_slot *slots;
    size_t count, capacity;
};

/* The value; -1 where there is none. */
int64_t pair_map_get(const struct pair_map *map, uint64_t a, uint64_t b);

/* Sets the value, which is not negative; false when memory is out. */
bool pair_map_put(struct pair_map *map, uint64_t a, uint64_t b, int64_t value);

/* Visits the pairs in no order: *a of each, from *at = 0 on; false at the end. */
bool pair_map_next(const struct pair_map *map, size_t *at, uint64_t *a);

void pair_map_clear(struct pair_map *map); /* keeps the memory */
void pair_map_release(struct pair_map *map);

#endif
