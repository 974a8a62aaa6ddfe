/* UTF-8, and coarse classes of characters in tables of ranges. */
#include "base/unicode.h"

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

size_t utf8_decode(const char *ptr, const char *end, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)*ptr;
    size_t len = lead < 0x80   ? 1
                 : lead < 0xC0 ? 0
                 : lead < 0xE0 ? 2
                 : lead < 0xF0 ? 3
                 : lead < 0xF8 ? 4
                               : 0;
    if (len == 0 || (size_t)(end - ptr) < len)
        return 0;
    *code = len == 1 ? lead : lead & (0x7FU >> len);
    for (size_t i = 1; i < len; i++) {
        if (!is_tail(ptr[i]))
            return 0;
        *code = *code << 6 | ((unsigned char)ptr[i] & 0x3FU);
    }
    if (*code < smallest[len] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF))
        return 0;
    return len;
}

bool unicode_is_blank(uint32_t code)
{
    static const uint32_t blanks[] = {0x85,   0xA0,   0x1680, 0x180E, 0x2028, 0x2029,
                                      0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF};
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++)
        if (code == blanks[i])
            return true;
    return code >= 0x2000 && code <= 0x200B;
}

struct range {
    uint32_t first, last;
};

/* Punctuation, symbols, private and unassigned areas: what stands in no identifier. Sorted. */
static const struct range no_name_parts[] = {
    {0x80, 0xA1},     {0xA6, 0xA9},     {0xAB, 0xB4},       {0xB6, 0xB9},       {0xBB, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2C2, 0x2C5},     {0x2D2, 0x2DF},     {0x37E, 0x37E},
    {0x387, 0x387},   {0x55A, 0x55F},   {0x589, 0x58A},     {0x5BE, 0x5BE},     {0x5C0, 0x5C0},
    {0x5C3, 0x5C3},   {0x606, 0x60A},   {0x60C, 0x60F},     {0x61B, 0x61F},     {0x66A, 0x66D},
    {0x6D4, 0x6D4},   {0x964, 0x965},   {0xE4F, 0xE4F},     {0xE5A, 0xE5B},     {0x1680, 0x1680},
    {0x2000, 0x203E}, {0x2041, 0x2053}, {0x2055, 0x2070},   {0x207A, 0x207E},   {0x208A, 0x208F},
    {0x2100, 0x2101}, {0x2103, 0x2106}, {0x2190, 0x2BFF},   {0x2E00, 0x2E7F},   {0x2FF0, 0x3004},
    {0x3008, 0x3020}, {0x3030, 0x3030}, {0x303D, 0x303F},   {0x30A0, 0x30A0},   {0x30FB, 0x30FB},
    {0x3200, 0x33FF}, {0xA490, 0xA4CF}, {0xD800, 0xF8FF},   {0xFD3E, 0xFD4F},   {0xFE10, 0xFE1F},
    {0xFE30, 0xFE32}, {0xFE35, 0xFE4C}, {0xFE50, 0xFE68},   {0xFE6A, 0xFE6F},   {0xFEFF, 0xFF03},
    {0xFF05, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF3E},   {0xFF40, 0xFF40},   {0xFF5B, 0xFF65},
    {0xFFE2, 0xFFE4}, {0xFFE7, 0xFFFF}, {0x1D000, 0x1D3FF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF},
};

bool unicode_is_name_part(uint32_t code)
{
    size_t low = 0, high = sizeof(no_name_parts) / sizeof(no_name_parts[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > no_name_parts[middle].last)
            low = middle + 1;
        else if (code < no_name_parts[middle].first)
            high = middle;
        else
            return false;
    }
    return true;
}
