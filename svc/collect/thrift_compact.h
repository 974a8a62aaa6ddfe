/*
 * Reads Thrift's compact protocol from memory, forward only and without making anything of it: the
 * caller asks for the fields that it wants and skips the others. Nothing recurses and nothing is
 * allocated; every count is held against the bytes that are left.
 *
 *     for (struct thrift_field f = {0}; thrift_next_field(&t, &f);)
 *         if (f.id == 1 && f.type == THRIFT_BINARY) name = thrift_binary(&t); else thrift_skip(&t,
 * f.type);
 *
 * After a mistake `failed` is set and every call gives nothing, so loops end by themselves.
 */
#ifndef COLLINE_COLLECT_THRIFT_COMPACT_H
#define COLLINE_COLLECT_THRIFT_COMPACT_H

#include "base/str.h"

/* As on the wire. */
enum thrift_type {
    THRIFT_STOP,
    THRIFT_TRUE,
    THRIFT_FALSE,
    THRIFT_BYTE,
    THRIFT_I16,
    THRIFT_I32,
    THRIFT_I64,
    THRIFT_DOUBLE,
    THRIFT_BINARY,
    THRIFT_LIST,
    THRIFT_SET,
    THRIFT_MAP,
    THRIFT_STRUCT,
    THRIFT_UUID
};

enum {
    THRIFT_DEPTH_MAX = 64 /* of what is skipped */
};

struct thrift {
    const char *at, *end;
    bool failed;
};

/* Zeroed before the first field of each struct; the id of a field is told relative to the one
 * before. */
struct thrift_field {
    int16_t id;
    enum thrift_type type;
};

/* A list, a set, or a map. */
struct thrift_items {
    size_t count;                /* at most as many as bytes are left */
    enum thrift_type key, value; /* a list's items are `value` */
};

static inline struct thrift thrift_of(str_t bytes)
{
    return (struct thrift){.at = bytes.ptr, .end = bytes.ptr + bytes.len};
}

/* False at the end of the struct, and after a mistake. */
bool thrift_next_field(struct thrift *thrift, struct thrift_field *field);

/* I16, I32 and I64. */
int64_t thrift_integer(struct thrift *thrift);

/* Borrowed from the bytes. */
str_t thrift_binary(struct thrift *thrift);

struct thrift_items thrift_list(struct thrift *thrift);
struct thrift_items thrift_map(struct thrift *thrift);

/* Passes over the value of a field. */
void thrift_skip(struct thrift *thrift, enum thrift_type type);

#endif
