/* Pieces of log lines. */
#include "collect/line.h"

#include <stdlib.h>

size_t str_find_text(str_t s, str_t needle, size_t from)
{
    if (from > s.len)
        return s.len;
    const char *hit = needle.len == 0 ? NULL : memmem(s.ptr + from, s.len - from, needle.ptr, needle.len);
    return hit == NULL ? s.len : (size_t)(hit - s.ptr);
}

bool digits(str_t s, size_t count, unsigned *number)
{
    if (s.len < count)
        return false;
    unsigned value = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = (unsigned)(unsigned char)s.ptr[i] - '0';
        if (digit > 9)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

/* Without a branch a byte: nearly always all are digits. */
static bool hex_run(str_t s, size_t from, size_t count)
{
    static const unsigned char is_hex[256] = {
        ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1, ['a'] = 1,
        ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1,
    };
    unsigned char all = 1;
    if (s.len < from + count)
        return false;
    for (size_t i = from; i < from + count; i++)
        all &= is_hex[(unsigned char)s.ptr[i]];
    return all != 0;
}

size_t query_id_length(str_t s)
{
    if (s.len >= 33 && s.ptr[16] == ':')
        return hex_run(s, 0, 16) && hex_run(s, 17, 16) ? 33 : 0;
    bool dashes = s.len >= 36 && s.ptr[8] == '-' && s.ptr[13] == '-' && s.ptr[18] == '-' && s.ptr[23] == '-';
    return dashes && hex_run(s, 0, 8) && hex_run(s, 9, 4) && hex_run(s, 14, 4) && hex_run(s, 19, 4) && hex_run(s, 24, 12)
               ? 36
               : 0;
}

void folded_copy(char *to, str_t id)
{
    for (size_t i = 0; i < id.len; i++)
        to[i] = ascii_lower(id.ptr[i]);
}

/* ---- times ------------------------------------------------------------------------------------------------------ */

void local_clock_init(struct local_clock *clock, const struct zone *zone)
{
    *clock = (struct local_clock){.zone = zone, .utc = INT64_MIN};
}

/* YYYY-MM-DD?HH:MM:SS as seconds since 1970 on the same wall */
static bool wall_seconds(str_t s, int64_t *seconds)
{
    unsigned year, month, day, hour, minute, second;
    if (!digits(s, 4, &year) || !digits(str_from(s, 5), 2, &month) || !digits(str_from(s, 8), 2, &day) ||
        !digits(str_from(s, 11), 2, &hour) || !digits(str_from(s, 14), 2, &minute) || !digits(str_from(s, 17), 2, &second))
        return false;
    if (s.ptr[4] != '-' || s.ptr[7] != '-' || s.ptr[13] != ':' || s.ptr[16] != ':')
        return false;
    if (year < 1971 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
        return false;
    *seconds = zone_days(year, month, day) * 86400 + (int64_t)hour * 3600 + (int64_t)minute * 60 + (int64_t)second;
    return true;
}

bool local_clock_read(struct local_clock *clock, str_t text, int64_t *seconds)
{
    if (text.len < sizeof clock->text)
        return false;
    if (clock->utc == INT64_MIN || memcmp(clock->text, text.ptr, sizeof clock->text) != 0) {
        int64_t local;
        if (!wall_seconds(text, &local))
            return false;
        clock->utc = zone_utc(clock->zone, local, clock->utc);
        memcpy(clock->text, text.ptr, sizeof clock->text);
    }
    *seconds = clock->utc;
    return true;
}

int64_t local_clock_ms(struct local_clock *clock, str_t text)
{
    int64_t seconds;
    unsigned millis = 0;
    if (!local_clock_read(clock, text, &seconds))
        return 0;
    if (text.len >= 23)
        digits(str_from(text, 20), 3, &millis);
    return seconds * 1000 + (int64_t)millis;
}

/* unit: "ms" | "us" | "ns" | "d" | "h" | "m" | "s" → nanoseconds; its length in *len, 0 when there is none */
static int64_t unit_ns(str_t s, size_t *len)
{
    static const struct {
        str_t name;
        int64_t ns;
    } units[] = {
        {STR("ms"), 1000000},        {STR("us"), 1000},           {STR("ns"), 1},          {STR("d"), 86400000000000},
        {STR("h"), 3600000000000},   {STR("m"), 60000000000},     {STR("s"), 1000000000},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (str_starts_with(s, units[i].name)) {
            *len = units[i].name.len;
            return units[i].ns;
        }
    *len = 0;
    return 0;
}

/* digits ["." digits], at most 12 digits before and 9 behind the point count */
static bool take_decimal(str_t *s, double *value)
{
    size_t pos = 0;
    double whole = 0, scale = 1;
    for (; pos < s->len && s->ptr[pos] >= '0' && s->ptr[pos] <= '9'; pos++)
        whole = whole * 10 + (s->ptr[pos] - '0');
    if (pos == 0 || pos > 12)
        return false;
    if (pos < s->len && s->ptr[pos] == '.')
        for (pos++; pos < s->len && s->ptr[pos] >= '0' && s->ptr[pos] <= '9'; pos++) {
            scale /= 10;
            whole += (s->ptr[pos] - '0') * scale;
        }
    *value = whole;
    *s = str_from(*s, pos);
    return true;
}

bool duration_ms(str_t text, int64_t *ms)
{
    double total = 0;
    text = str_trim(text);
    if (text.len == 0)
        return false;
    while (text.len > 0) {
        double value;
        size_t len;
        if (!take_decimal(&text, &value))
            return false;
        int64_t unit = unit_ns(text, &len);
        if (len == 0)
            return false;
        total += value * ((double)unit / 1e6);
        text = str_from(text, len);
    }
    if (total > 9e15)
        return false;
    *ms = (int64_t)(total + 0.5);
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

bool names_add(struct names *names, str_t name)
{
    if (names->count == names->capacity) {
        uint32_t capacity = names->capacity == 0 ? 16 : names->capacity * 2;
        str_t *items = capacity < names->capacity ? NULL : realloc(names->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        names->items = items;
        names->capacity = capacity;
    }
    names->items[names->count++] = name;
    return true;
}

void names_release(struct names *names)
{
    free(names->items);
    *names = (struct names){0};
}

bool names_split(struct names *names, str_t list)
{
    names->count = 0;
    for (size_t at = 0; at <= list.len;) {
        size_t end = str_find(list, ',', at);
        str_t name = str_trim(str_make(list.ptr + at, end - at));
        if (name.len > 0 && !names_add(names, name))
            return false;
        at = end + 1;
    }
    return true;
}

bool names_read(struct names *names, str_t list)
{
    names->count = 0;
    list = str_trim(list);
    if (list.len < 2 || list.ptr[0] != '[' || list.ptr[list.len - 1] != ']')
        return false;
    return names_split(names, str_make(list.ptr + 1, list.len - 2));
}
