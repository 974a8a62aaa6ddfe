/* Prefixes of glog, and what the JVM makes of text. */
#include "collect/glog.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* date: mmdd | yyyymmdd, then " "; its length, 0 when there is none */
static size_t date_length(str_t line)
{
    size_t len = 1;
    while (len < line.len && len < 10 && is_digit(line.ptr[len]))
        len++;
    bool known = len == 5 || len == 9;
    return known && len < line.len && line.ptr[len] == ' ' ? len - 1 : 0;
}

bool glog_line_begins(str_t line)
{
    if (line.len < 24 || memchr("IWEF", line.ptr[0], 4) == NULL)
        return false;
    size_t date = date_length(line);
    if (date == 0 || line.len < date + 18)
        return false;
    const char *time = line.ptr + date + 2;
    return is_digit(time[0]) && time[2] == ':' && time[5] == ':' && time[8] == '.' && is_digit(time[14]) && time[15] == ' ';
}

static bool read_date(str_t line, size_t date, struct glog_line *p)
{
    str_t s = str_from(line, 1);
    p->year = 0;
    if (date == 8 && !digits(s, 4, &p->year))
        return false;
    s = str_from(s, date - 4);
    return digits(s, 2, &p->month) && digits(str_from(s, 2), 2, &p->day) && p->month >= 1 && p->month <= 12 && p->day >= 1 &&
           p->day <= 31;
}

static bool read_time(str_t s, struct glog_line *p)
{
    return digits(s, 2, &p->hour) && digits(str_from(s, 3), 2, &p->minute) && digits(str_from(s, 6), 2, &p->second) &&
           digits(str_from(s, 9), 3, &p->millis) && p->hour < 24 && p->minute < 60 && p->second <= 60;
}

/* blanks thread blank file ":" line "] " */
static bool read_origin(str_t *s, struct glog_line *p)
{
    size_t pos = 0;
    while (pos < s->len && s->ptr[pos] == ' ')
        pos++;
    size_t start = pos;
    for (p->thread = 0; pos < s->len && is_digit(s->ptr[pos]) && pos - start < 19; pos++)
        p->thread = p->thread * 10 + (uint64_t)(s->ptr[pos] - '0');
    size_t end = str_find_text(*s, STR("] "), pos);
    if (pos == start || pos >= s->len || s->ptr[pos] != ' ')
        return false;
    if (end == s->len) { /* an empty message */
        if (s->len == 0 || s->ptr[s->len - 1] != ']')
            return false;
        *s = str_from(*s, s->len);
        return true;
    }
    *s = str_from(*s, end + 2);
    return true;
}

bool glog_line_read(str_t line, struct glog_line *p)
{
    if (!glog_line_begins(line))
        return false;
    size_t date = date_length(line);
    *p = (struct glog_line){.severity = line.ptr[0]};
    str_t s = str_from(line, date + 2);
    if (!read_date(line, date, p) || !read_time(s, p))
        return false;
    s = str_from(s, 15);
    if (!read_origin(&s, p))
        return false;
    if (id128_read(s, &p->query) && s.len > 33 && s.ptr[33] == ']') {
        p->has_instance = true;
        p->query.low &= 0xffffffff00000000u;
        s = str_from(s, s.len > 34 && s.ptr[34] == ' ' ? 35 : 34);
    }
    p->message = s;
    return true;
}

/* ---- the JVM's UTF-8 -------------------------------------------------------------------------------------------- */

/* Three bytes ED Ax/Bx xx: half of a surrogate pair; its 10 bits and whether it is the second half. */
static bool surrogate(const unsigned char *p, size_t len, bool second, uint32_t *bits)
{
    if (len < 3 || p[0] != 0xed || (p[1] & 0xf0) != (second ? 0xb0 : 0xa0) || (p[2] & 0xc0) != 0x80)
        return false;
    *bits = (uint32_t)(p[1] & 0x0f) << 6 | (uint32_t)(p[2] & 0x3f);
    return true;
}

size_t glog_mend_text(char *text, size_t len)
{
    unsigned char *p = (unsigned char *)text;
    size_t to = 0;
    for (size_t at = 0; at < len;) {
        uint32_t high, low;
        if (p[at] == 0xc0 && at + 1 < len && p[at + 1] == 0x80) {
            p[to++] = 0;
            at += 2;
        } else if (surrogate(p + at, len - at, false, &high) && surrogate(p + at + 3, len - at - 3, true, &low)) {
            uint32_t code = 0x10000 + (high << 10 | low);
            p[to++] = (unsigned char)(0xf0 | code >> 18);
            p[to++] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
            p[to++] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
            p[to++] = (unsigned char)(0x80 | (code & 0x3f));
            at += 6;
        } else {
            p[to++] = p[at++];
        }
    }
    return to;
}
