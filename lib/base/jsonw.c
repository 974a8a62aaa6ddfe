/* The JSON writer: layout in the upper half, strings in the lower. */
#include "base/jsonw.h"

#include "base/utf8.h"

enum {
    SLACK = 8 /* bytes that may be written behind a text, so that it is copied eight at a time */
};

void jsonw_init(struct jsonw *w, struct buf *out, bool indented)
{
    *w = (struct jsonw){.out = out, .indented = indented};
}

static void line_break(struct jsonw *w)
{
    buf_add_char(w->out, '\n');
    buf_add_repeat(w->out, ' ', (size_t)2 * w->depth);
}

/* Whether the cursor is inside a container that stands on one line; one that is only announced does not count yet. */
static bool on_row(const struct jsonw *w)
{
    return w->row != 0 && w->row <= w->depth;
}

/* The same in the indented layout, where it matters where the cursor is. */
static void separate_indented(struct jsonw *w, bool first)
{
    if (w->depth == 0)
        return;
    if (!on_row(w))
        line_break(w);
    else if (!first)
        buf_add_char(w->out, ' ');
}

/* What stands before a key, or before a value that has none. */
static inline void separate(struct jsonw *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    bool first = !w->comma;
    w->comma = true;
    if (!first)
        buf_add_char(w->out, ',');
    if (w->indented)
        separate_indented(w, first);
}

static void begin(struct jsonw *w, char bracket)
{
    separate(w);
    buf_add_char(w->out, bracket);
    w->depth++;
    w->comma = false;
}

static void end(struct jsonw *w, char bracket)
{
    bool filled = w->comma;
    w->depth--;
    if (w->indented && filled && w->row == 0)
        line_break(w);
    if (w->row > w->depth)
        w->row = 0;
    buf_add_char(w->out, bracket);
    w->comma = true;
}

void jsonw_object_begin(struct jsonw *w)
{
    begin(w, '{');
}

void jsonw_object_end(struct jsonw *w)
{
    end(w, '}');
}

void jsonw_array_begin(struct jsonw *w)
{
    begin(w, '[');
}

void jsonw_array_end(struct jsonw *w)
{
    end(w, ']');
}

void jsonw_row(struct jsonw *w)
{
    if (w->row == 0)
        w->row = (uint16_t)(w->depth + 1);
}

void jsonw_key(struct jsonw *w, str_t key)
{
    separate(w);
    if (!buf_room(w->out, key.len + 3))
        return;
    char *at = w->out->ptr + w->out->len;
    *at = '"';
    memcpy(at + 1, key.ptr, key.len);
    at[key.len + 1] = '"';
    at[key.len + 2] = ':';
    w->out->len += key.len + 3;
    if (w->indented)
        buf_add_char(w->out, ' ');
    w->after_key = true;
}

void jsonw_key_text(struct jsonw *w, str_t key)
{
    separate(w);
    buf_add_char(w->out, '"');
    json_escape(w->out, key);
    BUF_ADD(w->out, "\":");
    if (w->indented)
        buf_add_char(w->out, ' ');
    w->after_key = true;
}

void jsonw_string_open(struct jsonw *w)
{
    separate(w);
    buf_add_char(w->out, '"');
}

void jsonw_string_close(struct jsonw *w)
{
    buf_add_char(w->out, '"');
}

void jsonw_number(struct jsonw *w, uint64_t value)
{
    separate(w);
    buf_add_number(w->out, value);
}

void jsonw_bool(struct jsonw *w, bool value)
{
    jsonw_raw(w, value ? STR("true") : STR("false"));
}

void jsonw_null(struct jsonw *w)
{
    jsonw_raw(w, STR("null"));
}

void jsonw_raw(struct jsonw *w, str_t json)
{
    separate(w);
    buf_add(w->out, json);
}

void jsonw_member(struct jsonw *w, str_t key, str_t value)
{
    jsonw_key(w, key);
    jsonw_string(w, value);
}

void jsonw_member_number(struct jsonw *w, str_t key, uint64_t value)
{
    jsonw_key(w, key);
    jsonw_number(w, value);
}

/* Control characters, quote and backslash. */
static void escape_char(struct buf *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    buf_add_char(out, '\\');
    switch (c) {
    case '"':
    case '\\':
        buf_add_char(out, (char)c);
        break;
    case '\n':
        buf_add_char(out, 'n');
        break;
    case '\r':
        buf_add_char(out, 'r');
        break;
    case '\t':
        buf_add_char(out, 't');
        break;
    default:
        BUF_ADD(out, "u00");
        buf_add_char(out, hex[c >> 4]);
        buf_add_char(out, hex[c & 15]);
    }
}

/*
 * Whether one of eight bytes is a control character, a quote, a backslash, or not ASCII: a subtraction that borrows sets
 * the byte's upper bit, which is set in the last already. May say yes too often, for bytes behind one that borrows, never no.
 */
static bool has_special(uint64_t word)
{
    uint64_t control = word - octets_of(0x20);
    uint64_t quote = (word ^ octets_of('"')) - octets_of(1), backslash = (word ^ octets_of('\\')) - octets_of(1);
    return ((control | quote | backslash | word) & octets_of(0x80)) != 0;
}

static bool is_special(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\' || c >= 0x80;
}

/*
 * Copies the leading run that needs no escape; gives its length. Up to SLACK bytes may be written behind it. The last eight
 * bytes may overlap those before them.
 */
static inline size_t copy_plain(char *to, const char *from, size_t len)
{
    size_t at = 0;
    uint64_t word = 0;
    for (; len - at > 8; at += 8) {
        word = octets_load(from + at);
        if (has_special(word))
            break;
        octets_store(to + at, word);
    }
    if (len - at <= 8) {
        size_t last = len < 8 ? 0 : len - 8;
        word = len < 8 ? octets_load_part(from, len) | octets_of(0x20) << 8 * len : octets_load(from + last);
        octets_store(to + last, word);
        if (!has_special(word))
            return len;
    }
    for (; at < len && !is_special((unsigned char)from[at]); at++)
        to[at] = from[at];
    return at;
}

/* A character that cannot stand for itself, or one beyond ASCII; gives its length. */
static size_t add_special(struct buf *out, str_t text)
{
    unsigned char c = (unsigned char)text.ptr[0];
    if (c < 0x80) {
        escape_char(out, c);
        return 1;
    }
    size_t used = utf8_sequence(text);
    buf_add(out, used == 0 ? STR("\xEF\xBF\xBD") : str_make(text.ptr, used));
    return used == 0 ? 1 : used;
}

/* Nearly all texts are short and have nothing to escape: they are looked at and copied in one go. */
void json_escape(struct buf *out, str_t text)
{
    while (buf_room(out, text.len + SLACK)) {
        size_t run = copy_plain(out->ptr + out->len, text.ptr, text.len);
        out->len += run;
        if (run == text.len)
            return;
        run += add_special(out, str_make(text.ptr + run, text.len - run));
        text = str_make(text.ptr + run, text.len - run);
    }
}

/* The same between quotes. */
void jsonw_string(struct jsonw *w, str_t value)
{
    struct buf *out = w->out;
    separate(w);
    if (!buf_room(out, value.len + SLACK + 2))
        return;
    char *at = out->ptr + out->len;
    *at = '"';
    size_t run = copy_plain(at + 1, value.ptr, value.len);
    out->len += run + 1;
    if (run < value.len)
        json_escape(out, str_make(value.ptr + run, value.len - run));
    buf_add_char(out, '"');
}
