/*
 * A streaming JSON writer into a buffer. Members come out in the order of the calls; commas and line breaks are the writer's
 * business. Any bytes are taken as text: what is no valid UTF-8 becomes U+FFFD, so the output is always valid JSON.
 *
 * A document is written as it is read: begin, members, end. In the indented layout each member stands on a line of its own,
 * except inside jsonw_row_begin, whose contents stay on one line.
 */
#ifndef COLLINE_BASE_JSONW_H
#define COLLINE_BASE_JSONW_H

#include "base/buf.h"

struct jsonw {
    struct buf *out;
    bool indented;
    bool comma;     /* a value stands before the cursor on this level */
    bool after_key; /* the next value belongs to the key just written */
    uint16_t depth;
    uint16_t row;   /* depth of the container that stands on one line; 0: none */
};

void jsonw_init(struct jsonw *w, struct buf *out, bool indented);

void jsonw_object_begin(struct jsonw *w);
void jsonw_object_end(struct jsonw *w);
void jsonw_array_begin(struct jsonw *w);
void jsonw_array_end(struct jsonw *w);

/* Right before a begin: that container stands on one line, with all that is in it. */
void jsonw_row(struct jsonw *w);

/* The name of the next member; the text needs no escapes. */
void jsonw_key(struct jsonw *w, str_t key);

/* The same, for names that come from outside. */
void jsonw_key_text(struct jsonw *w, str_t key);

void jsonw_string(struct jsonw *w, str_t value);
void jsonw_number(struct jsonw *w, uint64_t value);
void jsonw_bool(struct jsonw *w, bool value);
void jsonw_null(struct jsonw *w);
void jsonw_raw(struct jsonw *w, str_t json); /* a value that is JSON already */

/* A string in pieces: open, any number of adds, close. */
void jsonw_string_open(struct jsonw *w);
void jsonw_string_close(struct jsonw *w);

/* The text with escapes, without quotes. */
void json_escape(struct buf *out, str_t text);

/* key and value at once */
void jsonw_member(struct jsonw *w, str_t key, str_t value);
void jsonw_member_number(struct jsonw *w, str_t key, uint64_t value);

#endif
