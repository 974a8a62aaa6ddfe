/*
 * Writes answers: as JSON, or the items of a list as CSV, from the same calls. In CSV a member of
 * an object within an item is a column `object.member`, a list of texts is one cell with `;`
 * between, and what stands outside of the items is left out.
 */
#ifndef COLLINE_API_OUT_H
#define COLLINE_API_OUT_H

#include "base/jsonw.h"

struct out {
    bool csv;
    struct buf *body;
    struct jsonw json;
    bool in_row, headed; /* of CSV */
    struct buf head, row, prefix;
};

void out_init(struct out *out, struct buf *body, bool csv);
void out_release(struct out *out);

void out_begin(struct out *out, str_t key); /* an object; an empty key: no member's */
void out_end(struct out *out);
void out_list(struct out *out, str_t key);
void out_list_end(struct out *out);

/* An item of the list whose items are lines in CSV. */
void out_row(struct out *out);
void out_row_end(struct out *out);

void out_text(struct out *out, str_t key, str_t value); /* null when empty */
void out_word(struct out *out, str_t key, str_t value); /* a text when empty, too */
void out_number(struct out *out, str_t key, int64_t value);
void out_time(struct out *out, str_t key, int64_t value);  /* null when 0 */
void out_known(struct out *out, str_t key, int64_t value); /* null when negative */
void out_tenths(struct out *out, str_t key, int64_t value);
void out_hundredths(struct out *out, str_t key, int64_t value);
void out_flag(struct out *out, str_t key, bool value);
void out_null(struct out *out, str_t key);
void out_texts(struct out *out, str_t key, const str_t *items, size_t count);
void out_json(struct out *out, str_t key,
              str_t json); /* a value that is JSON already; null when empty */

#endif
