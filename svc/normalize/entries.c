/* Open addressing with linear probing, and a binary heap over the same entries. */
#include "normalize/entries.h"

#include "run/hash.h"

#include <stdlib.h>

enum {
    FIRST_CAPACITY = 256
};

/* ---- by id ------------------------------------------------------------------------------------------------------ */

static uint32_t slot_of(const struct entries *entries, uint64_t hash, str_t id)
{
    uint32_t mask = entries->capacity - 1, at = (uint32_t)hash & mask;
    while (entries->slots[at] != NULL && (entries->slots[at]->hash != hash || !str_eq(entry_id(entries->slots[at]), id)))
        at = (at + 1) & mask;
    return at;
}

struct entry *entries_find(const struct entries *entries, str_t id)
{
    return entries->capacity == 0 ? NULL : entries->slots[slot_of(entries, hash64(id, 0), id)];
}

static bool grow(struct entries *entries)
{
    uint32_t capacity = entries->capacity == 0 ? FIRST_CAPACITY : entries->capacity * 2;
    struct entry **slots = calloc(capacity, sizeof *slots);
    struct entry **heap = realloc(entries->heap, capacity / 2 * sizeof *heap);
    if (heap != NULL)
        entries->heap = heap;
    if (slots == NULL || heap == NULL) {
        free(slots);
        return false;
    }
    for (uint32_t i = 0; i < entries->count; i++) {
        uint32_t at = (uint32_t)heap[i]->hash & (capacity - 1);
        while (slots[at] != NULL)
            at = (at + 1) & (capacity - 1);
        slots[at] = heap[i];
    }
    free(entries->slots);
    entries->slots = slots;
    entries->capacity = capacity;
    return true;
}

/* Closes the gap: what was pushed on by probing moves back. */
static void vacate(struct entries *entries, uint32_t gap)
{
    uint32_t mask = entries->capacity - 1;
    for (uint32_t at = (gap + 1) & mask; entries->slots[at] != NULL; at = (at + 1) & mask) {
        uint32_t home = (uint32_t)entries->slots[at]->hash & mask;
        if (((at - home) & mask) < ((at - gap) & mask))
            continue;
        entries->slots[gap] = entries->slots[at];
        gap = at;
    }
    entries->slots[gap] = NULL;
}

/* ---- by time ---------------------------------------------------------------------------------------------------- */

static void place(struct entries *entries, uint32_t at, struct entry *entry)
{
    entries->heap[at] = entry;
    entry->heap_at = at;
}

static void sift_up(struct entries *entries, struct entry *entry)
{
    uint32_t at = entry->heap_at;
    while (at > 0 && entries->heap[(at - 1) / 2]->due > entry->due) {
        place(entries, at, entries->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    place(entries, at, entry);
}

static void sift_down(struct entries *entries, struct entry *entry)
{
    uint32_t at = entry->heap_at;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= entries->count)
            break;
        if (child + 1 < entries->count && entries->heap[child + 1]->due < entries->heap[child]->due)
            child++;
        if (entries->heap[child]->due >= entry->due)
            break;
        place(entries, at, entries->heap[child]);
        at = child;
    }
    place(entries, at, entry);
}

void entries_set_due(struct entries *entries, struct entry *entry, int64_t due)
{
    int64_t before = entry->due;
    entry->due = due;
    if (due < before)
        sift_up(entries, entry);
    else if (due > before)
        sift_down(entries, entry);
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

struct entry *entries_add(struct entries *entries, str_t id, int64_t due)
{
    if (entries->count >= entries->capacity / 2 && !grow(entries))
        return NULL;
    struct entry *entry = calloc(1, sizeof *entry);
    char *bytes = malloc(id.len + 1);
    if (entry == NULL || bytes == NULL) {
        free(entry);
        free(bytes);
        return NULL;
    }
    if (id.len > 0)
        memcpy(bytes, id.ptr, id.len);
    *entry = (struct entry){.hash = hash64(id, 0), .due = due, .id_len = (uint32_t)id.len, .bytes = bytes};
    entries->slots[slot_of(entries, entry->hash, id)] = entry;
    entry->heap_at = entries->count++;
    sift_up(entries, entry);
    return entry;
}

static void entry_free(struct entry *entry)
{
    free(entry->bytes);
    free(entry);
}

void entries_remove(struct entries *entries, struct entry *entry)
{
    vacate(entries, slot_of(entries, entry->hash, entry_id(entry)));
    struct entry *last = entries->heap[--entries->count];
    if (last != entry) {
        place(entries, entry->heap_at, last);
        sift_up(entries, last);
        sift_down(entries, last);
    }
    entry_free(entry);
}

bool entry_set_state(struct entry *entry, str_t state)
{
    char *bytes = malloc(entry->id_len + state.len + 1);
    if (bytes == NULL)
        return false;
    memcpy(bytes, entry->bytes, entry->id_len);
    if (state.len > 0)
        memcpy(bytes + entry->id_len, state.ptr, state.len);
    free(entry->bytes);
    entry->bytes = bytes;
    entry->state_len = (uint32_t)state.len;
    return true;
}

void entries_release(struct entries *entries)
{
    for (uint32_t i = 0; i < entries->count; i++)
        entry_free(entries->heap[i]);
    free(entries->slots);
    free(entries->heap);
    *entries = (struct entries){0};
}
