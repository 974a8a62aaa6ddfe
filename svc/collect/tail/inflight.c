/* A ring of entries. */
#include "collect/tail/inflight.h"

#include <stdlib.h>

void inflight_init(struct inflight *inflight, size_t limit)
{
    size_t power = 64;
    while (power < limit)
        power *= 2;
    *inflight = (struct inflight){.first = 1, .next = 1, .limit = power};
}

void inflight_release(struct inflight *inflight)
{
    free(inflight->entries);
    inflight->entries = NULL;
    inflight->capacity = 0;
}

static bool grow(struct inflight *inflight)
{
    size_t capacity = inflight->capacity == 0 ? 64 : inflight->capacity * 2;
    struct inflight_entry *entries = capacity > inflight->limit ? NULL : calloc(capacity, sizeof *entries);
    if (entries == NULL)
        return false;
    for (uint64_t cookie = inflight->first; cookie < inflight->next; cookie++)
        entries[cookie & (capacity - 1)] = inflight->entries[cookie & (inflight->capacity - 1)];
    free(inflight->entries);
    inflight->entries = entries;
    inflight->capacity = capacity;
    return true;
}

bool inflight_room(struct inflight *inflight)
{
    return inflight_count(inflight) < inflight->capacity || grow(inflight);
}

void inflight_push(struct inflight *inflight, struct tail_file *file, uint64_t end, uint32_t generation, bool acked)
{
    inflight->entries[inflight->next & (inflight->capacity - 1)] = (struct inflight_entry){file, end, generation, acked};
    inflight->next++;
}

void inflight_acked(struct inflight *inflight, uint64_t cookie)
{
    if (cookie >= inflight->first && cookie < inflight->next)
        inflight->entries[cookie & (inflight->capacity - 1)].acked = true;
}

uint32_t inflight_move(struct inflight *inflight, const struct tail_file *from, uint32_t generation, struct tail_file *to, uint32_t to_generation)
{
    uint32_t count = 0;
    for (uint64_t cookie = inflight->first; cookie < inflight->next; cookie++) {
        struct inflight_entry *entry = &inflight->entries[cookie & (inflight->capacity - 1)];
        if (entry->file != from || entry->generation != generation)
            continue;
        entry->file = to;
        entry->generation = to_generation;
        count++;
    }
    return count;
}

bool inflight_pop(struct inflight *inflight, struct inflight_entry *entry)
{
    if (inflight_count(inflight) == 0)
        return false;
    *entry = inflight->entries[inflight->first & (inflight->capacity - 1)];
    if (!entry->acked)
        return false;
    inflight->first++;
    return true;
}
