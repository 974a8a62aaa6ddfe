/*
 * Records as tables: one row a member says its name in the JSON, its type, and where it stands in
 * the struct. Writing, reading and checking follow the table, so that what is written can be read.
 * A member that is absent (see the types) is not written.
 */
#ifndef COLLINE_RECORD_FIELDS_H
#define COLLINE_RECORD_FIELDS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsonw.h"

enum field_type {
    FIELD_VERSION,   /* uint32_t; always written; a newer one than `limit` is refused */
    FIELD_NUMBER32,  /* uint32_t; 0 absent */
    FIELD_NUMBER,    /* uint64_t; 0 absent, but always written when needed */
    FIELD_HEX,       /* uint64_t as 16 hexadecimal digits, for which JSON's numbers are too small; 0
                        absent */
    FIELD_TIME,      /* int64_t, ms since 1970 or an offset; 0 absent; never negative */
    FIELD_DURATION,  /* int64_t; -1 absent; never less */
    FIELD_PARTITION, /* int32_t; -1 absent; never less */
    FIELD_FLAG,      /* bool; false absent, but always written when needed */
    FIELD_TEXT,      /* str_t; "" absent, but always written when needed */
    FIELD_TEXTS,     /* str_t * and uint32_t count; 0 absent */
    FIELD_JSON,      /* str_t of raw JSON; "" absent */
    FIELD_NAME,      /* an enum by its name; always written */
    FIELD_NAME_SET,  /* uint32_t with a bit a name, as an array; always written */
    FIELD_OBJECT,    /* a struct inside; always written */
    FIELD_OBJECTS    /* pointer to structs and uint32_t count; 0 absent */
};

/* Rows of the enum-typed: names by value. */
struct field_names {
    const str_t *names;
    uint32_t count;
};

struct field {
    str_t name;
    enum field_type type;
    bool needed; /* absent is a mistake */
    uint16_t offset, count_offset;
    uint32_t limit;                   /* FIELD_VERSION */
    const struct field_names *names;  /* FIELD_NAME, FIELD_NAME_SET */
    const struct field_table *inside; /* FIELD_OBJECT, FIELD_OBJECTS */
};

struct field_table {
    const struct field *fields;
    uint32_t count;
    uint32_t size;     /* of the struct */
    const void *empty; /* a struct of which nothing is known */
};

/* What is wrong with a record, separated by `; `. */
struct reasons {
    struct buf text;
};

void reasons_add(struct reasons *reasons, str_t member, const char *what);

/* Whether there are none; the text goes into the arena, the buffer is given back. */
bool reasons_give(struct reasons *reasons, struct arena *arena, str_t *text);

void fields_write(struct jsonw *w, const struct field_table *table, const void *record);

/*
 * Fills the record, which need not be initialised. False when something could not be read; each
 * mistake is a reason. Of a version that is newer than known only that is said, for nothing else
 * can be judged.
 */
bool fields_read(str_t json, const struct field_table *table, void *record, struct arena *arena,
                 struct reasons *reasons);

/* Needed members that are absent, and values out of range. */
void fields_check(const struct field_table *table, const void *record, struct reasons *reasons);

bool name_to_enum(const struct field_names *names, str_t name, uint32_t *value);

#endif
