/*
 * The markers of done queries of one joiner: many, for a day, so each takes few bytes. Only ids of the usual shapes fit: 16hex:16hex and
 * hexadecimal groups of 8-4-4-4-12, in lower case; others stay entries.
 */
#ifndef COLLINE_NORMALIZE_MARKERS_H
#define COLLINE_NORMALIZE_MARKERS_H

#include "base/str.h"

struct marker {
    uint64_t high, low; /* the 32 digits */
    int64_t due;        /* ms, and in the lowest bit the shape of the id; 0: an empty place */
};

struct markers {
    struct marker *slots; /* open addressing with linear probing, at most 3/4 full */
    size_t capacity, count;
    int64_t soonest;  /* none is due before; INT64_MAX of none */
    int64_t swept_at; /* ms */
    size_t swept_to;  /* the place where sweeping goes on */
    int64_t round_soonest; /* the earliest of those that were passed since it began at the first place, and of those that came since */
};

enum {
    MARKER_ID_MAX = 36
};

void markers_init(struct markers *markers);
void markers_release(struct markers *markers);

bool markers_has(const struct markers *markers, str_t id);

/* Due at that time, to 2 ms. False when the id does not fit or memory is out: nothing is kept. */
bool markers_add(struct markers *markers, str_t id, int64_t due);

/*
 * Takes out what is due by now and calls `due` with each, within a minute of its time and all of a few at once. The callback must not touch the
 * markers. Gives when to sweep next, ms, or INT64_MAX.
 */
int64_t markers_sweep(struct markers *markers, int64_t now_ms, void (*due)(void *context, str_t id, int64_t due), void *context);

#endif
