/* Pieces of log lines that several formats share: words, query ids, local times, lists of names. Pure functions over slices. */
#ifndef COLLINE_COLLECT_LINE_H
#define COLLINE_COLLECT_LINE_H

#include "base/str.h"
#include "run/zone.h"

/* The rest of `s` from byte `from` on. */
static inline str_t str_from(str_t s, size_t from)
{
    return str_make(s.ptr + from, s.len - from);
}

/* Takes the prefix off; false, and nothing changed, when it is not there. */
static inline bool str_take(str_t *s, str_t prefix)
{
    if (!str_starts_with(*s, prefix))
        return false;
    *s = str_from(*s, prefix.len);
    return true;
}

/* Position of the first `needle` at or after `from`; s.len where there is none. */
size_t str_find_text(str_t s, str_t needle, size_t from);

/* The line from `from` on without its end (`\n`, `\r\n`); *next is behind it. False when there is no `\n` any more. */
static inline bool line_at(str_t bytes, size_t from, str_t *line, size_t *next)
{
    size_t end = str_find(bytes, '\n', from);
    if (end == bytes.len)
        return false;
    *next = end + 1;
    *line = str_make(bytes.ptr + from, end - from);
    if (line->len > 0 && line->ptr[line->len - 1] == '\r')
        line->len--;
    return true;
}

/* The same; when nothing more comes (`last`) also what stands behind the last `\n`, as it is. */
static inline bool line_or_rest(str_t bytes, size_t from, bool last, str_t *line, size_t *next)
{
    if (line_at(bytes, from, line, next))
        return true;
    *line = str_from(bytes, from);
    *next = bytes.len;
    return last;
}

/* `count` decimal digits at the front; false when there are others. */
bool digits(str_t s, size_t count, unsigned *number);

/* Bytes of a query id at the front of `s`: 16hex:16hex, or hexadecimal groups of 8-4-4-4-12; 0 when there is none. */
size_t query_id_length(str_t s);

/* Copies in lower case; `to` has room for id.len. */
void folded_copy(char *to, str_t id);

/* A clock that reads local times of one log, one after the other; the second it saw last costs next to nothing again. */
struct local_clock {
    const struct zone *zone;
    char text[19]; /* of the last second read */
    int64_t utc;   /* of it, seconds; INT64_MIN at first */
};

void local_clock_init(struct local_clock *clock, const struct zone *zone);

/* `YYYY-MM-DD?HH:MM:SS` at the front, any byte between; UTC seconds. False when it is no time. */
bool local_clock_read(struct local_clock *clock, str_t text, int64_t *seconds);

/* The same with the milliseconds behind it, where `.mmm` or `,mmm` follows; UTC milliseconds, 0 when it is no time. */
int64_t local_clock_ms(struct local_clock *clock, str_t text);

/* `667ms`, `1s234ms`, `1m2s`, `1h0m`, `12.5s`: milliseconds; false when it is no duration. */
bool duration_ms(str_t text, int64_t *ms);

/* A list that grows; the texts are borrowed. */
struct names {
    str_t *items;
    uint32_t count, capacity;
};

/* False when memory is out. */
bool names_add(struct names *names, str_t name);
void names_release(struct names *names);

/* `a, db.b`: the names between the commas, in place of those that were there; false when memory is out. */
bool names_split(struct names *names, str_t list);

/* `[a, db.b]`: the names between the commas; false when the brackets are missing or memory is out. */
bool names_read(struct names *names, str_t list);

#endif
