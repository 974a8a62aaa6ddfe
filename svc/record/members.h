/*
 * Reads the members of one JSON object one after the other, without making a tree: what records are
 * read by. Strict about JSON and about UTF-8. Texts without escapes, numbers, and whole inner
 * values are slices of the input.
 *
 *     struct member_reader r = member_reader_of(json);
 *     struct member m;
 *     while (member_next(&r, &m)) …
 *     if (r.message != NULL) …    // wrong at r.at
 */
#ifndef COLLINE_RECORD_MEMBERS_H
#define COLLINE_RECORD_MEMBERS_H

#include "base/arena.h"
#include "base/json.h"

struct member_reader {
    const char *start, *at, *end;
    const char *message; /* first mistake */
    bool array;          /* the items of an array are read, which have no keys */
    bool begun, finished;
};

struct member {
    str_t key;
    enum json_kind kind;
    str_t value;  /* between the quotes; the number; the container with its brackets */
    bool escaped; /* a string that holds escapes: member_text resolves them */
};

/* Over an object or an array; nothing but blanks may follow it. */
struct member_reader member_reader_of(str_t json);

bool member_next(struct member_reader *reader, struct member *member);

/* The value of a string; false where an escape is wrong or memory is out. */
bool member_text(const struct member *member, struct arena *arena, str_t *text);

/* A whole number that fits; false otherwise. */
bool member_unsigned(const struct member *member, uint64_t *number);
bool member_integer(const struct member *member, int64_t *number);

/* Whether the text is one JSON value and nothing else. */
bool json_is_valid(str_t json);

#endif
