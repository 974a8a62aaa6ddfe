/* Text as characters: validity, and width on a terminal by ranges after Unicode's East Asian Width. */
#include "base/utf8.h"

#include "base/unicode.h"

size_t utf8_sequence(str_t text)
{
    uint32_t code;
    return utf8_decode(text.ptr, text.ptr + text.len, &code);
}

size_t utf8_next(str_t text, uint32_t *code)
{
    size_t length = utf8_decode(text.ptr, text.ptr + text.len, code);
    if (length == 0)
        *code = 0xFFFD;
    return length == 0 ? 1 : length;
}

size_t utf8_put(char *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)((0xF00 >> len & 0xFF) | code);
    return len;
}

bool utf8_valid(str_t text, size_t *where)
{
    size_t at = 0;
    while (at < text.len) {
        uint64_t word;
        if (text.len - at >= 8 && (memcpy(&word, text.ptr + at, 8), (word & 0x8080808080808080u) == 0)) {
            at += 8;
            continue;
        }
        size_t length = utf8_sequence(str_make(text.ptr + at, text.len - at));
        if (length == 0) {
            *where = at;
            return false;
        }
        at += length;
    }
    return true;
}

void add_valid_utf8(struct buf *out, str_t text)
{
    size_t bad;
    while (!utf8_valid(text, &bad)) {
        buf_add(out, str_make(text.ptr, bad));
        BUF_ADD(out, "\xEF\xBF\xBD");
        text = str_make(text.ptr + bad + 1, text.len - bad - 1);
    }
    buf_add(out, text);
}

struct code_range {
    uint32_t first, last;
};

static const struct code_range zero_width[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}};

static const struct code_range double_width[] = {
    {0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},  {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

static bool in_ranges(uint32_t code, const struct code_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static size_t code_width(uint32_t code)
{
    if (code < 0x300)
        return 1;
    if (in_ranges(code, zero_width, sizeof zero_width / sizeof zero_width[0]))
        return 0;
    return in_ranges(code, double_width, sizeof double_width / sizeof double_width[0]) ? 2 : 1;
}

/* Width and length of the first character; a bad byte counts as one of each. */
static size_t first_character(str_t text, size_t *width)
{
    uint32_t code;
    size_t length = utf8_next(text, &code);
    *width = code_width(code);
    return length;
}

size_t utf8_width(str_t text)
{
    size_t total = 0;
    for (size_t at = 0; at < text.len;) {
        size_t width;
        at += first_character(str_make(text.ptr + at, text.len - at), &width);
        total += width;
    }
    return total;
}

str_t utf8_cut(str_t text, size_t limit)
{
    size_t at = 0, total = 0;
    while (at < text.len) {
        size_t width;
        size_t length = first_character(str_make(text.ptr + at, text.len - at), &width);
        if (total + width > limit)
            break;
        total += width;
        at += length;
    }
    return str_make(text.ptr, at);
}
