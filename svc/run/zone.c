/*
 * Time zones from TZif files. The 64-bit block gives the changes; what lies behind the last one follows the POSIX rule of the footer
 * (`CET-1CEST,M3.5.0,M10.5.0/3`), of which the M form, the only one in use, is read.
 */
#include "run/zone.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    ZONE_FILE_MAX = 1 << 20, /* the largest there is has 4 KiB */
    HEADER_LEN = 44,
    AFTER_SLACK = 600
};

struct change {
    int64_t at; /* UTC */
    int32_t offset;
};

/* A change within a year: weekday `day` of week `week` (5: the last) of the month, at a local second of the day. */
struct rule {
    unsigned month, week, day;
    int32_t second;
};

struct zone {
    int32_t first_offset; /* before the first change */
    struct change *changes;
    size_t count;
    bool has_footer, has_summer;
    int32_t standard, summer;
    struct rule begin, end;
};

int64_t zone_days(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + (int64_t)day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void zone_date(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
    int64_t shifted = (5 * of_year + 2) / 153;
    *day = (unsigned)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (unsigned)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = y + era * 400 + (*month <= 2);
}

/* ---- the footer's rule ------------------------------------------------------------------------------------------ */

struct cursor {
    str_t text;
    size_t pos;
};

static char peek(const struct cursor *c)
{
    return c->pos < c->text.len ? c->text.ptr[c->pos] : '\0';
}

static bool take(struct cursor *c, char wanted)
{
    if (peek(c) != wanted)
        return false;
    c->pos++;
    return true;
}

static bool take_number(struct cursor *c, int32_t *number)
{
    size_t start = c->pos;
    for (*number = 0; peek(c) >= '0' && peek(c) <= '9' && c->pos - start < 4; c->pos++)
        *number = *number * 10 + (peek(c) - '0');
    return c->pos > start;
}

/* name: letters, or `<` anything `>` */
static bool take_name(struct cursor *c)
{
    size_t start = c->pos;
    if (take(c, '<')) {
        while (c->pos < c->text.len && peek(c) != '>')
            c->pos++;
        return take(c, '>');
    }
    while ((peek(c) >= 'A' && peek(c) <= 'Z') || (peek(c) >= 'a' && peek(c) <= 'z'))
        c->pos++;
    return c->pos > start;
}

/* time: ["+" | "-"] hh [":" mm [":" ss]], in seconds */
static bool take_time(struct cursor *c, int32_t *seconds)
{
    bool negative = take(c, '-');
    if (!negative)
        take(c, '+');
    int32_t part[3] = {0, 0, 0};
    if (!take_number(c, &part[0]) || part[0] > 167)
        return false;
    for (int i = 1; i < 3 && take(c, ':'); i++)
        if (!take_number(c, &part[i]) || part[i] > 59)
            return false;
    *seconds = part[0] * 3600 + part[1] * 60 + part[2];
    if (negative)
        *seconds = -*seconds;
    return true;
}

/* rule: "," "M" month "." week "." day ["/" time] */
static bool take_rule(struct cursor *c, struct rule *rule)
{
    int32_t month, week, day;
    if (!take(c, ',') || !take(c, 'M') || !take_number(c, &month) || !take(c, '.') || !take_number(c, &week) ||
        !take(c, '.') || !take_number(c, &day))
        return false;
    if (month < 1 || month > 12 || week < 1 || week > 5 || day > 6)
        return false;
    *rule = (struct rule){(unsigned)month, (unsigned)week, (unsigned)day, 7200};
    return !take(c, '/') || take_time(c, &rule->second);
}

/* footer: name time [name [time] rule rule]; times count westward */
static bool read_footer(struct zone *zone, str_t text)
{
    struct cursor c = {text, 0};
    int32_t west;
    if (!take_name(&c) || !take_time(&c, &west))
        return false;
    zone->standard = -west;
    if (c.pos == c.text.len)
        return true;
    zone->summer = zone->standard + 3600;
    if (!take_name(&c))
        return false;
    if (peek(&c) != ',') {
        if (!take_time(&c, &west))
            return false;
        zone->summer = -west;
    }
    zone->has_summer = take_rule(&c, &zone->begin) && take_rule(&c, &zone->end) && c.pos == c.text.len;
    return zone->has_summer;
}

/* The moment of a rule in a year, as local seconds since 1970. */
static int64_t rule_local(const struct rule *rule, int64_t year)
{
    int64_t first = zone_days(year, rule->month, 1);
    int64_t weekday = ((first + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    int64_t day = first + ((int64_t)rule->day - weekday + 7) % 7 + 7 * ((int64_t)rule->week - 1);
    int64_t next = rule->month == 12 ? zone_days(year + 1, 1, 1) : zone_days(year, rule->month + 1, 1);
    while (day >= next)
        day -= 7;
    return day * 86400 + rule->second;
}

static int32_t footer_offset(const struct zone *zone, int64_t utc)
{
    if (!zone->has_summer)
        return zone->standard;
    int64_t local = utc + zone->standard, year;
    unsigned month, day;
    zone_date((local >= 0 ? local : local - 86399) / 86400, &year, &month, &day);
    int64_t begin = rule_local(&zone->begin, year) - zone->standard;
    int64_t end = rule_local(&zone->end, year) - zone->summer;
    bool summer = begin < end ? utc >= begin && utc < end : utc >= begin || utc < end;
    return summer ? zone->summer : zone->standard;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static uint64_t big_endian(const char *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = (value << 8) | (unsigned char)bytes[i];
    return value;
}

struct counts {
    size_t isut, isstd, leap, times, types, chars;
};

static bool read_header(str_t file, size_t at, struct counts *n)
{
    if (file.len < at || file.len - at < HEADER_LEN || memcmp(file.ptr + at, "TZif", 4) != 0)
        return false;
    const char *p = file.ptr + at + 20;
    *n = (struct counts){big_endian(p, 4),      big_endian(p + 4, 4),  big_endian(p + 8, 4),
                         big_endian(p + 12, 4), big_endian(p + 16, 4), big_endian(p + 20, 4)};
    size_t most = ZONE_FILE_MAX;
    return n->isut < most && n->isstd < most && n->leap < most && n->times < most && n->types > 0 && n->types <= 256 &&
           n->chars < most;
}

static size_t block_len(const struct counts *n, size_t time_len)
{
    return n->times * (time_len + 1) + n->types * 6 + n->chars + n->leap * (time_len + 4) + n->isstd + n->isut;
}

static bool read_changes(struct zone *zone, const char *block, const struct counts *n)
{
    const char *kinds = block + n->times * 8, *types = kinds + n->times;
    zone->changes = calloc(n->times + 1, sizeof *zone->changes);
    if (zone->changes == NULL)
        return false;
    zone->first_offset = (int32_t)(uint32_t)big_endian(types, 4);
    for (size_t i = 0; i < n->times; i++) {
        size_t kind = (unsigned char)kinds[i];
        if (kind >= n->types)
            return false;
        int64_t at = (int64_t)big_endian(block + i * 8, 8);
        if (i > 0 && at <= zone->changes[i - 1].at)
            return false;
        zone->changes[i] = (struct change){at, (int32_t)(uint32_t)big_endian(types + kind * 6, 4)};
    }
    zone->count = n->times;
    return true;
}

static bool read_file(struct zone *zone, str_t file)
{
    struct counts old, n;
    if (!read_header(file, 0, &old) || file.ptr[4] < '2')
        return false;
    size_t second = HEADER_LEN + block_len(&old, 4);
    if (!read_header(file, second, &n))
        return false;
    size_t block = second + HEADER_LEN, footer = block + block_len(&n, 8);
    if (footer > file.len || !read_changes(zone, file.ptr + block, &n))
        return false;
    size_t end = footer + 1 < file.len ? str_find(file, '\n', footer + 1) : file.len;
    if (end < file.len && end > footer + 1)
        zone->has_footer = read_footer(zone, str_make(file.ptr + footer + 1, end - footer - 1));
    return true;
}

static bool load(struct zone *zone, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char *bytes = malloc(ZONE_FILE_MAX);
    size_t len = 0;
    ssize_t got = bytes == NULL ? -1 : 1;
    while (got > 0 && len < ZONE_FILE_MAX) {
        got = read(fd, bytes + len, ZONE_FILE_MAX - len);
        len += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    bool ok = got == 0 && read_file(zone, str_make(bytes, len));
    free(bytes);
    return ok;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* ("+" | "-") hh ":" mm */
static bool fixed_offset(str_t name, int32_t *offset)
{
    struct cursor c = {name, 0};
    if (peek(&c) != '+' && peek(&c) != '-')
        return false;
    return take_time(&c, offset) && c.pos == name.len && *offset > -86400 && *offset < 86400;
}

/* Names lead nowhere but into the folder. */
static bool safe_name(str_t name)
{
    if (name.len == 0 || name.len > 100 || name.ptr[0] == '/')
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
        if (!letter && !(c >= '0' && c <= '9') && c != '/' && c != '_' && c != '-' && c != '+')
            return false;
    }
    return true;
}

static bool load_named(struct zone *zone, str_t name, const char *folder)
{
    static const char *const folders[] = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"};
    char path[512];
    size_t last = folder != NULL ? 1 : sizeof folders / sizeof folders[0];
    for (size_t i = 0; i < last; i++) {
        const char *base = folder != NULL ? folder : folders[i];
        size_t len = strlen(base);
        if (len + name.len + 2 > sizeof path)
            continue;
        memcpy(path, base, len);
        path[len] = '/';
        memcpy(path + len + 1, name.ptr, name.len);
        path[len + 1 + name.len] = '\0';
        if (load(zone, path))
            return true;
        free(zone->changes);
        *zone = (struct zone){0};
    }
    return false;
}

struct zone *zone_open(str_t name, const char *folder, const char **reason)
{
    struct zone *zone = calloc(1, sizeof *zone);
    if (zone == NULL) {
        *reason = "out of memory";
        return NULL;
    }
    if (str_eq(name, STR("UTC")) || str_eq(name, STR("Z")) || fixed_offset(name, &zone->first_offset))
        return zone;
    if (!safe_name(name)) {
        *reason = "no name of a time zone: Asia/Shanghai, UTC and +08:00 are";
    } else if (load_named(zone, name, folder)) {
        return zone;
    } else {
        *reason = "there is no such time zone on this machine; is the package tzdata installed?";
    }
    zone_free(zone);
    return NULL;
}

void zone_free(struct zone *zone)
{
    if (zone == NULL)
        return;
    free(zone->changes);
    free(zone);
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

int32_t zone_offset(const struct zone *zone, int64_t utc)
{
    if (zone == NULL)
        return 0;
    if (zone->count == 0 || utc < zone->changes[0].at)
        return zone->count == 0 && zone->has_footer ? footer_offset(zone, utc) : zone->first_offset;
    if (zone->has_footer && utc >= zone->changes[zone->count - 1].at)
        return footer_offset(zone, utc);
    size_t low = 0, high = zone->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (zone->changes[middle].at <= utc)
            low = middle;
        else
            high = middle;
    }
    return zone->changes[low].offset;
}

int64_t zone_utc(const struct zone *zone, int64_t local, int64_t after)
{
    /* Offsets lie within a day; the two that are in force a day earlier and later are all that can apply. */
    int32_t before = zone_offset(zone, local - 86400), behind = zone_offset(zone, local + 86400);
    int64_t first = local - before, second = local - behind;
    bool first_fits = zone_offset(zone, first) == before, second_fits = zone_offset(zone, second) == behind;
    if (!first_fits && second_fits)
        return second;
    if (first_fits && second_fits && second > first && after != INT64_MIN && after > first + AFTER_SLACK)
        return second;
    return first;
}
