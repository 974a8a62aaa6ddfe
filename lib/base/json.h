/*
 * A small JSON reader: text → tree in an arena. It is strict about JSON and takes any nesting, for it keeps its own stack.
 * Texts without escapes are slices of the input.
 */
#ifndef COLLINE_BASE_JSON_H
#define COLLINE_BASE_JSON_H

#include "base/arena.h"

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER, /* text as written */
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

/* A value; the children of an array or object are a list. */
struct json {
    enum json_kind kind;
    size_t at;  /* byte of the text where it begins */
    str_t key;  /* of a member */
    str_t text; /* of a string or number */
    struct json *first, *next, *parent;
};

/* Reads one value and nothing behind it; NULL with a message and the byte where it went wrong. */
struct json *json_read(struct arena *arena, str_t text, const char **message, size_t *where);

/*
 * For texts that are large: containers are entered one by one, and what stands in them is read as trees, each of which may be
 * forgotten before the next. After a mistake every call gives false or NULL, so loops end by themselves.
 */
struct json_cursor {
    str_t text;
    size_t pos;          /* of the mistake, when there is one */
    const char *message; /* NULL: all is well */
    bool behind_value;   /* a comma or a closing bracket is due */
};

/* Whether the next value is an object or array, which is then entered. */
bool json_enter(struct json_cursor *cursor, enum json_kind kind);

/* Steps to the next member of the object entered last, or leaves the object and gives false. */
bool json_next_member(struct json_cursor *cursor, struct arena *arena, str_t *key);

/* The same for an array. */
bool json_next_item(struct json_cursor *cursor);

/* The value at the cursor, whole. */
struct json *json_take(struct json_cursor *cursor, struct arena *arena);

/* Whether only blanks are left. */
bool json_at_end(struct json_cursor *cursor);

/* The member of an object, the last one when there are several; NULL when there is none, or `object` is no object. */
const struct json *json_member(const struct json *object, str_t key);

/* The member's text when it is a string, else the empty slice. */
str_t json_member_text(const struct json *object, str_t key);

bool json_member_true(const struct json *object, str_t key);

#endif
