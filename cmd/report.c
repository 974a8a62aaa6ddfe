/* The caret message. Of a long line only what lies around the place is shown. */
#include "report.h"

#include "base/grid.h"
#include "base/utf8.h"

enum {
    BEFORE = 60, /* bytes shown before the place */
    AFTER = 40
};

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The part of the line around byte `at` that is shown, cut at characters. */
static str_t window(str_t text, size_t at, bool *cut_left, bool *cut_right)
{
    size_t start = at, end = at;
    while (start > 0 && text.ptr[start - 1] != '\n' && (at - start < BEFORE || is_tail(text.ptr[start])))
        start--;
    while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r' && (end - at < AFTER || is_tail(text.ptr[end])))
        end++;
    *cut_left = start > 0 && text.ptr[start - 1] != '\n';
    *cut_right = end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r';
    return str_make(text.ptr + start, end - start);
}

/* One character as it can stand on a terminal; returns the bytes taken. */
static size_t add_visible(struct buf *out, str_t text)
{
    uint32_t code;
    size_t length = utf8_next(text, &code);
    if (code < 0x20 || code == 0x7F)
        buf_add_char(out, ' ');
    else if (code == 0xFFFD)
        BUF_ADD(out, "\xEF\xBF\xBD");
    else
        buf_add(out, str_make(text.ptr, length));
    return length;
}

static void add_line(struct buf *out, str_t line, bool cut_left, bool cut_right)
{
    buf_add(out, cut_left ? STR("  …") : STR("  "));
    for (size_t i = 0; i < line.len;)
        i += add_visible(out, str_make(line.ptr + i, line.len - i));
    buf_add(out, cut_right ? STR("…\n") : STR("\n"));
}

void report_error(struct buf *out, colline_analyzer *an, str_t name, str_t text, const colline_statement *st)
{
    uint32_t line = 0, column = 0;
    size_t at = colline_statement_error_span(st).start;
    at = at > text.len ? text.len : at;
    colline_position(an, (uint32_t)at, &line, &column);
    buf_add(out, name);
    buf_add_char(out, ':');
    buf_add_number(out, line);
    buf_add_char(out, ':');
    buf_add_number(out, column);
    BUF_ADD(out, ": ");
    add_one_line(out, str_of_text(colline_statement_error_message(st)), 0);
    buf_add_char(out, '\n');
    bool cut_left, cut_right;
    str_t shown = window(text, at, &cut_left, &cut_right);
    add_line(out, shown, cut_left, cut_right);
    str_t before = str_make(shown.ptr, (size_t)(text.ptr + at - shown.ptr));
    buf_add_repeat(out, ' ', 2 + (cut_left ? 1u : 0u) + utf8_width(before));
    BUF_ADD(out, "^\n");
}
