/*
 * Two statements with one canonical form, side by side. A lineage that was made for the first text names places and pieces of it; here
 * they are found again in the second, whose literals differ. That is how a cached document serves a new execution.
 */
#ifndef COLLINE_FINGERPRINT_SLOTS_H
#define COLLINE_FINGERPRINT_SLOTS_H

#include "sql/lex.h"

/* One canonical item in both texts. */
struct slot {
    span_t before, after;
};

struct slot_map {
    str_t before, after;
    enum dialect dialect;
    struct arena *arena;
    VEC(struct slot) slots; /* in the order of the texts */
};

/* A statement: the text that it stands in, and the byte where it begins. */
struct slot_text {
    str_t text;
    size_t at;
};

/* Lays two statements side by side; false when their canonical forms differ or when out of memory. Spans are of their whole texts. */
bool slots_align(struct slot_map *map, struct slot_text before, struct slot_text after, const struct parse_options *options,
                 struct arena *arena);

/* Where a span that begins and ends with items lies in the second text; false when it does not begin and end so. */
bool slots_span(const struct slot_map *map, span_t before, span_t *after);

/*
 * What stands in the second text for a piece of the first: whole items, or the inside of a string. A text from elsewhere is given back
 * as it is. False for a piece that has no counterpart: an item of a list that counts as one.
 */
bool slots_piece(const struct slot_map *map, str_t piece, str_t *after);

/* Whether the bytes are a part of the first text. */
bool slots_holds(const struct slot_map *map, str_t piece);

#endif
