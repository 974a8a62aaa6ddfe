/* Names as texts, without a store. */
#include "ask/names.h"

static const str_t layers[] = {STR("ods"), STR("dwd"),  STR("dwm"), STR("dwb"), STR("dws"),
                               STR("ads"), STR("app"),  STR("dim"), STR("dm"),  STR("stg"),
                               STR("tmp"), STR("temp"), STR("rpt")};

static str_t first_word(str_t text)
{
    size_t end = 0;
    while (end < text.len && text.ptr[end] != '_' && text.ptr[end] != '.')
        end++;
    return str_make(text.ptr, end);
}

static str_t known_layer(str_t word)
{
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        if (str_eq_fold(layers[i], word))
            return str_eq(layers[i], STR("temp")) ? STR("tmp") : layers[i];
    return STR("");
}

str_t last_name(str_t name)
{
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != '.')
        at--;
    return str_make(name.ptr + at, name.len - at);
}

str_t layer_of(str_t database, str_t name)
{
    str_t of_table = known_layer(first_word(last_name(name)));
    return of_table.len > 0 ? of_table : known_layer(first_word(database));
}

static bool is_date(str_t text)
{
    unsigned month = 0, day = 1;
    if (text.len != 8 && text.len != 6)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    month = (unsigned)(text.ptr[4] - '0') * 10 + (unsigned)(text.ptr[5] - '0');
    if (text.len == 8)
        day = (unsigned)(text.ptr[6] - '0') * 10 + (unsigned)(text.ptr[7] - '0');
    return (text.ptr[0] == '1' || text.ptr[0] == '2') && month >= 1 && month <= 12 && day >= 1 &&
           day <= 31;
}

str_t family_of(struct arena *arena, str_t name, size_t *stem)
{
    size_t start = name.len;
    while (start > 0 && name.ptr[start - 1] >= '0' && name.ptr[start - 1] <= '9')
        start--;
    str_t date = str_make(name.ptr + start, name.len - start);
    if (start < 3 || !is_date(date))
        return STR("");
    *stem = start;
    return arena_join(arena, str_make(name.ptr, start),
                      date.len == 8 ? STR("{yyyymmdd}") : STR("{yyyymm}"));
}

enum { COMPARED_MOST = 120 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned name_distance(str_t a, str_t b, unsigned most)
{
    unsigned before[COMPARED_MOST + 1], last[COMPARED_MOST + 1], row[COMPARED_MOST + 1];
    if (a.len > COMPARED_MOST || b.len > COMPARED_MOST || a.len > b.len + most ||
        b.len > a.len + most)
        return most + 1;
    for (size_t j = 0; j <= b.len; j++)
        last[j] = (unsigned)j;
    memcpy(before, last, sizeof before);
    for (size_t i = 1; i <= a.len; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = ascii_lower(a.ptr[i - 1]), y = ascii_lower(b.ptr[j - 1]);
            row[j] = least(least(last[j] + 1, row[j - 1] + 1), last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == ascii_lower(b.ptr[j - 2]) && ascii_lower(a.ptr[i - 2]) == y)
                row[j] = least(row[j], before[j - 2] + 1);
        }
        memcpy(before, last, sizeof before);
        memcpy(last, row, sizeof last);
    }
    return last[b.len] > most ? most + 1 : last[b.len];
}

str_t name_lower(struct arena *arena, str_t text)
{
    char *copy = arena_alloc(arena, text.len + 1);
    if (copy == NULL)
        return STR("");
    for (size_t i = 0; i < text.len; i++)
        copy[i] = ascii_lower(text.ptr[i]);
    return str_make(copy, text.len);
}
