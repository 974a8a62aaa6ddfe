/* One face over the JSON writer and lines of CSV. */
#include "api/out.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>

void out_init(struct out *out, struct buf *body, bool csv)
{
    *out = (struct out){.csv = csv, .body = body};
    jsonw_init(&out->json, body, false);
    buf_init(&out->head, 0);
    buf_init(&out->row, 0);
    buf_init(&out->prefix, 0);
}

void out_release(struct out *out)
{
    buf_release(&out->head);
    buf_release(&out->row);
    buf_release(&out->prefix);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

/* A cell that a spreadsheet would take for a formula is told apart by a quote. */
static void add_cell(struct buf *row, str_t value, bool text)
{
    bool formula = text && value.len > 0 && memchr("=+-@\t\r", value.ptr[0], 6) != NULL;
    bool quoted = formula;
    for (size_t i = 0; i < value.len && !quoted; i++)
        quoted = value.ptr[i] == ',' || value.ptr[i] == '"' || value.ptr[i] == '\n' ||
                 value.ptr[i] == '\r';
    if (!quoted) {
        add_valid_utf8(row, value);
        return;
    }
    buf_add_char(row, '"');
    if (formula)
        buf_add_char(row, '\'');
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '"')
            buf_add_char(row, '"');
        buf_add_char(row, value.ptr[i]);
    }
    buf_add_char(row, '"');
}

static void cell(struct out *out, str_t key, str_t value, bool text)
{
    if (!out->in_row)
        return;
    if (!out->headed) {
        if (out->head.len > 0)
            buf_add_char(&out->head, ',');
        buf_add(&out->head, buf_str(&out->prefix));
        buf_add(&out->head, key);
    }
    add_cell(&out->row, value, text);
    buf_add_char(&out->row, ',');
}

static void push_prefix(struct out *out, str_t key)
{
    buf_add(&out->prefix, key);
    buf_add_char(&out->prefix, '.');
}

static void pop_prefix(struct out *out)
{
    if (out->prefix.len > 0)
        out->prefix.len--;
    while (out->prefix.len > 0 && out->prefix.ptr[out->prefix.len - 1] != '.')
        out->prefix.len--;
}

/* ---- containers ----------------------------------------------------------------------------- */

static void key_of(struct out *out, str_t key)
{
    if (key.len > 0)
        jsonw_key(&out->json, key);
}

void out_begin(struct out *out, str_t key)
{
    if (out->csv) {
        if (out->in_row)
            push_prefix(out, key);
        return;
    }
    key_of(out, key);
    jsonw_object_begin(&out->json);
}

void out_end(struct out *out)
{
    if (out->csv) {
        if (out->in_row)
            pop_prefix(out);
        return;
    }
    jsonw_object_end(&out->json);
}

void out_list(struct out *out, str_t key)
{
    if (out->csv)
        return;
    key_of(out, key);
    jsonw_array_begin(&out->json);
}

void out_list_end(struct out *out)
{
    if (!out->csv)
        jsonw_array_end(&out->json);
}

void out_row(struct out *out)
{
    if (!out->csv) {
        jsonw_object_begin(&out->json);
        return;
    }
    out->in_row = true;
    buf_clear(&out->row);
}

static void add_line(struct buf *body, str_t line)
{
    buf_add(body, line);
    BUF_ADD(body, "\r\n");
}

void out_row_end(struct out *out)
{
    if (!out->csv) {
        jsonw_object_end(&out->json);
        return;
    }
    out->in_row = false;
    if (!out->headed)
        add_line(out->body, buf_str(&out->head));
    out->headed = true;
    add_line(out->body, str_make(out->row.ptr, out->row.len > 0 ? out->row.len - 1
                                                                : 0)); /* without the last comma */
}

/* ---- values --------------------------------------------------------------------------------- */

void out_word(struct out *out, str_t key, str_t value)
{
    if (out->csv) {
        cell(out, key, value, true);
        return;
    }
    key_of(out, key);
    jsonw_string(&out->json, value);
}

void out_null(struct out *out, str_t key)
{
    if (out->csv) {
        cell(out, key, STR(""), false);
        return;
    }
    key_of(out, key);
    jsonw_null(&out->json);
}

void out_text(struct out *out, str_t key, str_t value)
{
    if (value.len == 0)
        out_null(out, key);
    else
        out_word(out, key, value);
}

/* Digits and the like, the same in both. */
static void out_plain(struct out *out, str_t key, const char *text, int len)
{
    str_t value = str_make(text, (size_t)len);
    if (out->csv) {
        cell(out, key, value, false);
        return;
    }
    key_of(out, key);
    jsonw_raw(&out->json, value);
}

void out_number(struct out *out, str_t key, int64_t value)
{
    char text[32];
    out_plain(out, key, text, snprintf(text, sizeof text, "%" PRId64, value));
}

void out_time(struct out *out, str_t key, int64_t value)
{
    if (value == 0)
        out_null(out, key);
    else
        out_number(out, key, value);
}

void out_known(struct out *out, str_t key, int64_t value)
{
    if (value < 0)
        out_null(out, key);
    else
        out_number(out, key, value);
}

void out_tenths(struct out *out, str_t key, int64_t value)
{
    char text[40];
    if (value % 10 == 0)
        out_number(out, key, value / 10);
    else
        out_plain(out, key, text,
                  snprintf(text, sizeof text, "%" PRId64 ".%d", value / 10, (int)(value % 10)));
}

void out_hundredths(struct out *out, str_t key, int64_t value)
{
    char text[40];
    out_plain(out, key, text,
              snprintf(text, sizeof text, "%" PRId64 ".%02d", value / 100, (int)(value % 100)));
}

void out_flag(struct out *out, str_t key, bool value)
{
    out_plain(out, key, value ? "true" : "false", value ? 4 : 5);
}

static void join(struct buf *joined, const str_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(joined, ';');
        buf_add(joined, items[i]);
    }
}

void out_texts(struct out *out, str_t key, const str_t *items, size_t count)
{
    if (out->csv) {
        struct buf joined;
        buf_init(&joined, 0);
        join(&joined, items, count);
        cell(out, key, buf_str(&joined), true);
        buf_release(&joined);
        return;
    }
    key_of(out, key);
    jsonw_array_begin(&out->json);
    for (size_t i = 0; i < count; i++)
        jsonw_string(&out->json, items[i]);
    jsonw_array_end(&out->json);
}

void out_json(struct out *out, str_t key, str_t json)
{
    if (json.len == 0) {
        out_null(out, key);
        return;
    }
    if (out->csv)
        return;
    key_of(out, key);
    jsonw_raw(&out->json, json);
}
