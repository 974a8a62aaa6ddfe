/*
 * Three layouts are in use, and they differ in where the logger stands:
 *
 *     2026-03-01T10:11:12,345  INFO [thread] ql.Driver: text                           Hive 2 and later
 *     2026-03-01 10:11:12,345 INFO  [thread]: ql.Driver (Driver.java:compile(500)) - text      Hive 1, HDP
 *     2026-03-01 10:11:12,345 INFO  org.apache.hadoop.hive.ql.Driver: [thread]: text    CDH, CDP
 */
#include "collect/hive_line.h"

enum {
    TIME_LENGTH = 23,
    UUID_LENGTH = 36
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool hive_line_begins(str_t line)
{
    static const char shape[] = "9999-99-99T99:99:99,999";
    if (line.len <= TIME_LENGTH)
        return false;
    for (size_t i = 0; i < TIME_LENGTH; i++) {
        char c = line.ptr[i];
        bool good = shape[i] == '9'   ? is_digit(c)
                    : shape[i] == 'T' ? c == 'T' || c == ' '
                    : shape[i] == ',' ? c == ',' || c == '.'
                                      : c == shape[i];
        if (!good)
            return false;
    }
    return line.ptr[TIME_LENGTH] == ' ';
}

static void skip_blanks(str_t *s)
{
    while (s->len > 0 && s->ptr[0] == ' ')
        *s = str_from(*s, 1);
}

static bool is_name(char c)
{
    char low = ascii_lower(c);
    return (low >= 'a' && low <= 'z') || is_digit(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/* What looks like the name of a logger, off the front; empty when nothing does. */
static str_t take_name(str_t *s)
{
    size_t len = 0;
    while (len < s->len && is_name(s->ptr[len]))
        len++;
    str_t name = str_make(s->ptr, len);
    *s = str_from(*s, len);
    return name;
}

/* logger: name (": " | " - " | " (" place ") - ") */
static void skip_logger(str_t *s)
{
    str_t rest = *s;
    if (take_name(&rest).len == 0)
        return;
    if (str_starts_with(rest, STR(" ("))) {
        size_t end = str_find_text(rest, STR(") - "), 0);
        if (end < rest.len)
            *s = str_from(rest, end + 4);
    } else if (str_take(&rest, STR(": ")) || str_take(&rest, STR(" - "))) {
        *s = rest;
    }
}

/* The session in the thread's name, and the name without it when it stands before. */
static void split_thread(str_t name, struct hive_line *parts)
{
    parts->thread = name;
    parts->session = str_make(name.ptr, 0);
    for (size_t at = 0; at + UUID_LENGTH <= name.len; at++)
        if (query_id_length(str_from(name, at)) == UUID_LENGTH) {
            parts->session = str_make(name.ptr + at, UUID_LENGTH);
            if (at == 0)
                parts->thread = str_trim(str_from(name, UUID_LENGTH));
            return;
        }
}

bool hive_line_read(str_t line, struct hive_line *parts)
{
    if (!hive_line_begins(line))
        return false;
    *parts = (struct hive_line){.time = str_make(line.ptr, TIME_LENGTH)};
    str_t s = str_from(line, TIME_LENGTH + 1);
    skip_blanks(&s);
    parts->level = take_name(&s);
    skip_blanks(&s);
    str_t before = s;
    bool logger_first = take_name(&before).len > 0 && str_take(&before, STR(": [")) && parts->level.len > 0;
    if (logger_first)
        s = before;
    else if (!str_take(&s, STR("[")))
        return false;
    size_t end = str_find(s, ']', 0);
    if (end == s.len)
        return false;
    split_thread(str_make(s.ptr, end), parts);
    s = str_from(s, end + 1);
    (void)str_take(&s, STR(":"));
    skip_blanks(&s);
    if (!logger_first)
        skip_logger(&s);
    parts->message = s;
    return true;
}
