/* Values of string literals and quoted names. Without escapes a value is a slice of the text. */
#include "sql/parser.h"

#include "base/utf8.h"

/* ---- characters ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code of the four hexadecimal digits at `p`; -1 when they are none. */
static int32_t hex4(const char *p, const char *end)
{
    int32_t code = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* ---- escapes ---- */

static bool is_octal_escape(const char *p, const char *end)
{
    return end - p >= 3 && (p[0] == '0' || p[0] == '1') && p[1] >= '0' && p[1] <= '7' &&
           p[2] >= '0' && p[2] <= '7';
}

/* uXXXX, a pair of surrogates as one character; `*p` stands at the u. */
static char *put_unicode(char *out, const char **p, const char *end)
{
    int32_t code = hex4(*p + 1, end);
    const char *next = *p + 5;
    if (code >= 0xD800 && code < 0xDC00 && end - next >= 6 && next[0] == '\\' && next[1] == 'u') {
        int32_t low = hex4(next + 2, end);
        if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            next += 6;
        }
    }
    if (code >= 0xD800 && code < 0xE000)
        code = 0xFFFD;
    *p = next;
    return out + utf8_put(out, (uint32_t)code);
}

static char simple_escape(char c)
{
    switch (c) {
    case '0':
        return '\0';
    case 'b':
        return '\b';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'Z':
        return 0x1A;
    default:
        return c;
    }
}

/* What the backslash before `*p` makes of what follows. Both engines have the same escapes. */
static char *put_escape(char *out, const char **p, const char *end)
{
    char c = **p;
    if (c == 'u' && hex4(*p + 1, end) >= 0)
        return put_unicode(out, p, end);
    if (is_octal_escape(*p, end)) {
        out += utf8_put(out, (uint32_t)(((*p)[0] - '0') * 64 + ((*p)[1] - '0') * 8 + ((*p)[2] - '0')));
        *p += 3;
        return out;
    }
    if (c == '%' || c == '_')
        *out++ = '\\';
    *out++ = simple_escape(c);
    (*p)++;
    return out;
}

/* ---- strings ---- */

/* The bytes [p, end) with their escapes resolved, at out; returns the place behind them. */
static char *unescape(char *out, const char *p, const char *end)
{
    while (p < end) {
        if (*p != '\\' || p + 1 == end) {
            *out++ = *p++;
            continue;
        }
        p++;
        out = put_escape(out, &p, end);
    }
    return out;
}

/* The quote that closes the one at `p`; `end` when there is none. */
static const char *closing_quote(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote)
        p += *p == '\\' && end - p >= 2 ? 2 : 1;
    return p;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Pieces 'a' 'b' of one literal: each is unescaped behind the one before. */
static str_t join_pieces(str_t token, struct arena *arena)
{
    char *value = arena_alloc(arena, token.len);
    if (value == NULL)
        return STR("");
    char *out = value;
    const char *p = token.ptr, *end = token.ptr + token.len;
    while (p < end && (*p == '\'' || *p == '"')) {
        const char *close = closing_quote(p, end);
        out = unescape(out, p + 1, close);
        p = close < end ? close + 1 : end;
        while (p < end && is_blank(*p))
            p++;
    }
    return str_make(value, (size_t)(out - value));
}

str_t string_literal_value(str_t token, enum dialect dialect, struct arena *arena)
{
    (void)dialect;
    if (token.len < 2 || (token.ptr[0] != '\'' && token.ptr[0] != '"'))
        return token;
    const char *end = token.ptr + token.len;
    bool one_piece = closing_quote(token.ptr, end) + 1 == end;
    if (one_piece && str_find(token, '\\', 0) == token.len)
        return str_make(token.ptr + 1, token.len - 2);
    return join_pieces(token, arena);
}

/* ---- names ---- */

str_t quoted_name_value(str_t text, enum dialect dialect, struct arena *arena)
{
    if (text.len < 2)
        return text;
    char quote = text.ptr[0];
    str_t inner = str_make(text.ptr + 1, text.len - 2);
    if (dialect == DIALECT_IMPALA)
        return str_trim(inner);
    if (str_find(inner, quote, 0) == inner.len)
        return inner;
    char *value = arena_alloc(arena, inner.len);
    if (value == NULL)
        return STR("");
    size_t len = 0;
    for (size_t i = 0; i < inner.len; i++) {
        value[len++] = inner.ptr[i];
        if (inner.ptr[i] == quote && i + 1 < inner.len && inner.ptr[i + 1] == quote)
            i++;
    }
    return str_make(value, len);
}
