/*
 * Names for statements. The *fingerprint* is the same for texts that differ in case, white space, comments, hints, literals and the
 * lengths of IN lists and VALUES only: it is what people count by. The *lineage key* adds all that steers lineage, so that two statements
 * with one key have one lineage but for the values of their literals: it is what a cache may look up by. slots.h fills those in.
 */
#ifndef COLLINE_FINGERPRINT_FINGERPRINT_H
#define COLLINE_FINGERPRINT_FINGERPRINT_H

#include "sql/lex.h"

struct fingerprint {
    uint64_t high, low;
};

enum {
    LINEAGE_VERSION = 1 /* goes up when the same statement gets another lineage than before */
};

/* What besides the text steers lineage. */
struct lineage_context {
    struct parse_options options;
    bool engine;        /* the engine's reading: there the values of literals count as well */
    str_t database;     /* the session's */
    str_t namespace_;   /* the metastore's */
    const str_t *settings; /* k=v that matter, in a fixed order */
    size_t setting_count;
};

/* The fingerprint of one statement's tokens. All zero when out of memory, which the arena remembers. */
struct fingerprint fingerprint_of(str_t text, const struct tokens *tokens, enum dialect dialect, struct arena *arena);

/* The key of the same statement. `print` is its fingerprint. */
struct fingerprint lineage_key(str_t text, const struct tokens *tokens, const struct lineage_context *context,
                               struct fingerprint print, struct arena *arena);

/* 32 hexadecimal digits, no NUL. */
void fingerprint_hex(struct fingerprint print, char out[32]);

#endif
