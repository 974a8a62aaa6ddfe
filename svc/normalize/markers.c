/* A hash table of 24 bytes a place. What is due is found by going around, a part at a time. */
#include "normalize/markers.h"

#include "run/hash.h"

#include <stdlib.h>

enum {
    FIRST_CAPACITY = 64,
    AT_ONCE = 4096,    /* places that are always looked at */
    AROUND_MS = 60000, /* as long as once around takes */
    SHAPE_UUID = 1
};

/* ---- ids -------------------------------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_mark(size_t at, bool uuid)
{
    return uuid ? at == 8 || at == 13 || at == 18 || at == 23 : at == 16;
}

/* False when it has neither shape. */
static bool pack(str_t id, struct marker *marker)
{
    bool uuid = id.len == MARKER_ID_MAX;
    if (!uuid && id.len != 33)
        return false;
    *marker = (struct marker){.due = uuid ? SHAPE_UUID : 0};
    for (size_t i = 0, digits = 0; i < id.len; i++) {
        if (is_mark(i, uuid)) {
            if (id.ptr[i] != (uuid ? '-' : ':'))
                return false;
            continue;
        }
        int digit = digit_of(id.ptr[i]);
        uint64_t *half = digits++ < 16 ? &marker->high : &marker->low;
        if (digit < 0)
            return false;
        *half = *half << 4 | (uint64_t)digit;
    }
    return true;
}

static str_t unpack(const struct marker *marker, char id[MARKER_ID_MAX])
{
    bool uuid = marker->due & SHAPE_UUID;
    size_t len = uuid ? MARKER_ID_MAX : 33;
    for (size_t i = 0, digits = 0; i < len; i++) {
        if (is_mark(i, uuid)) {
            id[i] = uuid ? '-' : ':';
            continue;
        }
        uint64_t half = digits < 16 ? marker->high : marker->low;
        id[i] = "0123456789abcdef"[half >> (60 - 4 * (digits++ & 15)) & 15];
    }
    return str_make(id, len);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

void markers_init(struct markers *markers)
{
    *markers = (struct markers){.soonest = INT64_MAX, .round_soonest = INT64_MAX};
}

void markers_release(struct markers *markers)
{
    free(markers->slots);
    markers_init(markers);
}

static size_t home_of(const struct markers *markers, const struct marker *marker)
{
    uint64_t halves[2] = {marker->high, marker->low};
    return hash64(str_make((const char *)halves, sizeof halves), 0) & (markers->capacity - 1);
}

static bool is_same(const struct marker *a, const struct marker *b)
{
    return a->high == b->high && a->low == b->low && (a->due & SHAPE_UUID) == (b->due & SHAPE_UUID);
}

/* The place of it, or the empty one where it belongs. */
static struct marker *place_of(const struct markers *markers, const struct marker *marker)
{
    size_t at = home_of(markers, marker);
    while (markers->slots[at].due != 0 && !is_same(&markers->slots[at], marker))
        at = (at + 1) & (markers->capacity - 1);
    return &markers->slots[at];
}

static bool grow(struct markers *markers)
{
    struct markers larger = *markers;
    larger.capacity = markers->capacity == 0 ? FIRST_CAPACITY : markers->capacity * 2;
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < markers->capacity; i++)
        if (markers->slots[i].due != 0)
            *place_of(&larger, &markers->slots[i]) = markers->slots[i];
    free(markers->slots);
    larger.swept_to = 0;
    larger.round_soonest = INT64_MAX;
    *markers = larger;
    return true;
}

bool markers_has(const struct markers *markers, str_t id)
{
    struct marker marker;
    return markers->count > 0 && pack(id, &marker) && place_of(markers, &marker)->due != 0;
}

bool markers_add(struct markers *markers, str_t id, int64_t due)
{
    struct marker marker;
    if (due < 2 || !pack(id, &marker))
        return false;
    if (markers->count >= markers->capacity / 4 * 3 && !grow(markers))
        return false;
    marker.due |= due & ~(int64_t)SHAPE_UUID;
    struct marker *place = place_of(markers, &marker);
    markers->count += place->due == 0;
    *place = marker;
    if (due < markers->soonest)
        markers->soonest = due;
    if (due < markers->round_soonest)
        markers->round_soonest = due;
    return true;
}

/* Closes the gap: what was pushed on by probing moves back. */
static void vacate(struct markers *markers, size_t gap)
{
    size_t mask = markers->capacity - 1;
    for (size_t at = (gap + 1) & mask; markers->slots[at].due != 0; at = (at + 1) & mask) {
        size_t home = home_of(markers, &markers->slots[at]);
        if (((at - home) & mask) < ((at - gap) & mask))
            continue;
        markers->slots[gap] = markers->slots[at];
        gap = at;
    }
    markers->slots[gap].due = 0;
    markers->count--;
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

/* Places to look at now: all of a small table, of a large one a part in proportion to the time that went by. */
static size_t part_of(const struct markers *markers, int64_t now_ms)
{
    int64_t gone = now_ms - markers->swept_at;
    if (markers->capacity <= AT_ONCE || gone >= AROUND_MS || gone < 0)
        return markers->capacity;
    size_t part = markers->capacity / AROUND_MS * (size_t)gone;
    return part < AT_ONCE ? AT_ONCE : part;
}

/* The next place; after the last one it is known again what is due first. */
static void step(struct markers *markers)
{
    markers->swept_to = (markers->swept_to + 1) & (markers->capacity - 1);
    if (markers->swept_to != 0)
        return;
    markers->soonest = markers->round_soonest;
    markers->round_soonest = INT64_MAX;
}

int64_t markers_sweep(struct markers *markers, int64_t now_ms, void (*due)(void *context, str_t id, int64_t due), void *context)
{
    char id[MARKER_ID_MAX];
    if (markers->count == 0 || now_ms < markers->soonest)
        return markers->count == 0 ? INT64_MAX : markers->soonest;
    for (size_t left = part_of(markers, now_ms); left > 0;) {
        struct marker *marker = &markers->slots[markers->swept_to];
        int64_t time = marker->due & ~(int64_t)SHAPE_UUID;
        if (time != 0 && time <= now_ms) {
            due(context, unpack(marker, id), time);
            vacate(markers, markers->swept_to); /* another one may have moved here: the same place again */
            continue;
        }
        if (time != 0 && time < markers->round_soonest)
            markers->round_soonest = time;
        step(markers);
        left--;
    }
    markers->swept_at = now_ms;
    if (markers->count == 0)
        return INT64_MAX;
    return now_ms < markers->soonest ? markers->soonest : now_ms + AROUND_MS / 60;
}
