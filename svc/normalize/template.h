/*
 * Texts that differ in values only, and documents made for one of them that serve the others. A value is what stands in a literal that steers
 * nothing: the inside of a string, the digits of a number. All other bytes, white space too, are the same, and so is which values are equal.
 *
 * A template is made from the document of a text in which every value is a mark: where a mark stands in the document, the value goes, and
 * places move with the lengths.
 */
#ifndef COLLINE_NORMALIZE_TEMPLATE_H
#define COLLINE_NORMALIZE_TEMPLATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "colline.h"
#include "run/hash.h"

enum { SLOTS_MAX = 64 };

/* Where a value stands: bytes of the text. */
struct slot {
    uint32_t start, end;
    uint16_t value; /* equal values share a number */
    bool digits;
};

struct slotted {
    str_t text; /* borrowed */
    uint32_t count, values;
    struct slot slots[SLOTS_MAX];
};

/* Finds the values of a text of one statement, by the analyzer's dialect; false when there are none, or it is not for templates. */
bool slotted_read(struct slotted *slotted, colline_analyzer *an, str_t text);

/* The same for texts that differ in values only. */
struct hash128 slotted_key(const struct slotted *slotted, uint64_t seed, struct buf *scratch);

/* The text with marks for values, which goes into `out`; false when out of memory, or when the text looks as if it had marks in it. */
bool slotted_mark(const struct slotted *slotted, struct buf *out, struct slotted *marked);

/* Whether there is a mark in a text, whatever became of its case. */
bool marks_in(str_t text);

/* Appends the text with values for its marks, each as `add` adds it. */
void marks_fill(struct buf *out, str_t text, const struct slotted *values, void (*add)(struct buf *out, str_t value));

struct template;

/* From the document, JSON of one statement, of the marked text; lives in the arena. NULL when that cannot be. */
const struct template *template_make(const struct slotted *marked, str_t document, struct arena *arena);

/* Appends the document of the text. False when it cannot be said so: a value would become part of a name, and is more than a word. */
bool template_fill(const struct template *template, const struct slotted *slotted, struct buf *out);

#endif
