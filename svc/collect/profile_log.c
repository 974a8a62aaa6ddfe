/*
 * Impala's profile log: `impala_profile_log_1.1-<ms>`, a line a query of any outcome, written when
 * it was unregistered:
 *
 *   line: ms-since-1970 query-id base64(zlib(thrift))
 *
 * A line may also be a profile as JSON, as Impala's decoder prints it, or the page
 * /query_profile_json that somebody saved.
 *
 * Inside, times are local and have no zone. The zone is the cluster's; where the line's own time,
 * which is UTC, shows that the daemon lived by another one, that one.
 */
#include "collect/format.h"
#include "run/gzip.h"
#include "collect/json_text.h"
#include "collect/line.h"
#include "collect/profile.h"
#include "record/base64.h"

#include <stdlib.h>

enum {
    UNPACKED_MAX = 64 << 20,
    KEPT_MAX = 4 << 20, /* memory kept for the next line */
    ID_MAX = 64,
    ZONE_STEP_S = 900, /* all zones are whole quarters of an hour */
    ZONE_MAX_S = 14 * 3600,
    WRITING_MAX_S = 300, /* between the end of a query and its line */
};

struct profile_log {
    struct format base;
    struct buf packed, unpacked;
    struct names tables;
    struct arena arena; /* of a page */
    char id[ID_MAX], session[ID_MAX];
};

/* ---- times --------------------------------------------------------------------------------- */

/* `yyyy-MM-dd HH:mm:ss.nnnnnnnnn`; ms, as if it were UTC, or in the zone; 0 when it is no time. */
static int64_t time_ms(const struct zone *zone, str_t text)
{
    struct local_clock clock;
    local_clock_init(&clock, zone);
    return local_clock_ms(&clock, text);
}

/*
 * How far the end is from the line's time, when the zone is as configured, to the quarter of an
 * hour; 0 when the zone is right, or when the two times have nothing to do with each other.
 */
static int64_t zone_error_ms(int64_t end_ms, int64_t line_ms)
{
    int64_t off = line_ms - end_ms, step = (int64_t)ZONE_STEP_S * 1000;
    int64_t whole = (off >= 0 ? off : off - step + 1) / step * step;
    bool sane = whole >= -2 * (int64_t)ZONE_MAX_S * 1000 && whole <= 2 * (int64_t)ZONE_MAX_S * 1000;
    return end_ms > 0 && sane && off - whole <= (int64_t)WRITING_MAX_S * 1000 ? whole : 0;
}

/* `2s615ms (2615745 us)` */
static int64_t exact_duration(str_t text)
{
    size_t at = str_find(text, '(', 0);
    unsigned value;
    size_t len = 0;
    if (at == text.len || !str_ends_with(text, STR(" us)")))
        return -1;
    str_t rest = str_from(text, at + 1);
    len = rest.len - 4;
    if (len == 0 || len > 15)
        return -1;
    int64_t us = 0;
    for (size_t i = 0; i < len; i++) {
        if (!digits(str_from(rest, i), 1, &value))
            return -1;
        us = us * 10 + (int64_t)value;
    }
    return us / 1000;
}

static void take_times(const struct profile_log *log, const struct profile *profile,
                       struct raw_record *record)
{
    record->start_ms = time_ms(log->base.zone, profile->start_time);
    record->end_ms = time_ms(log->base.zone, profile->end_time);
    int64_t error = zone_error_ms(record->end_ms, record->time_ms);
    if (record->start_ms > 0)
        record->start_ms += error;
    if (record->end_ms > 0)
        record->end_ms += error;
    record->duration_ms = exact_duration(profile->duration);
    if (record->duration_ms < 0 && record->start_ms > 0 && record->end_ms >= record->start_ms)
        record->duration_ms = record->end_ms - record->start_ms;
}

/* ---- records ------------------------------------------------------------------------------- */

static bool starts_with_fold(str_t text, str_t word)
{
    return text.len >= word.len && str_eq_fold(str_make(text.ptr, word.len), word);
}

/* `Query Status` is OK or the error. */
static void take_status(const struct profile *profile, struct raw_record *record)
{
    str_t status = str_trim(profile->status);
    record->state = profile->state;
    if (status.len == 0 || str_eq(status, STR("OK"))) {
        record->status = status;
        return;
    }
    record->status = starts_with_fold(status, STR("Cancelled")) ? STR("CANCELLED") : STR("ERROR");
    record->error = status;
}

static str_t take_id(char *to, str_t id)
{
    size_t len = query_id_length(id);
    if (len == 0 || len != id.len || len > ID_MAX)
        return STR("");
    folded_copy(to, id);
    return str_make(to, len);
}

static bool fill(struct profile_log *log, const struct profile *profile, str_t line_id,
                 struct raw_record *record)
{
    str_t id = profile_query_id(profile);
    record->query_id = take_id(log->id, id.len > 0 ? id : line_id);
    record->session_id = take_id(log->session, profile->session_id);
    record->user = profile->user;
    record->database = profile->database;
    record->sql = profile->sql;
    record->statement_type = profile->type;
    take_status(profile, record);
    take_times(log, profile, record);
    if (!names_split(&log->tables, profile->tables_queried.len > 0 ? profile->tables_queried
                                                                   : profile->referenced_tables))
        return false;
    record->tables = log->tables.items;
    record->table_count = log->tables.count;
    return true;
}

/* Takes the part before the next blank off. */
static str_t take_word(str_t *line)
{
    size_t end = str_find(*line, ' ', 0);
    str_t word = str_make(line->ptr, end);
    *line = str_from(*line, end < line->len ? end + 1 : end);
    return word;
}

/* What is wrong with the line, or NULL. */
static const char *read_fields(struct profile_log *log, str_t line, struct raw_record *record)
{
    unsigned high, low;
    struct profile profile;
    str_t ms = take_word(&line), id = take_word(&line);
    if (ms.len != 13 || !digits(ms, 7, &high) || !digits(str_from(ms, 7), 6, &low))
        return "time";
    if (id.len == 0 || query_id_length(id) != id.len)
        return "query_id";
    record->time_ms = (int64_t)high * 1000000 + (int64_t)low;
    if (!base64_decode(&log->packed, line))
        return log->packed.failed ? "memory" : "base64";
    if (!inflate_whole(buf_str(&log->packed), &log->unpacked))
        return log->unpacked.failed ? "too_large" : "zlib";
    if (!profile_read(buf_str(&log->unpacked), &profile))
        return "thrift";
    return fill(log, &profile, id, record) ? NULL : "memory";
}

/* ---- the format ---------------------------------------------------------------------------- */

static void empty(struct buf *buf, size_t limit)
{
    if (buf->capacity <= KEPT_MAX && !buf->failed) {
        buf_clear(buf);
        return;
    }
    buf_release(buf);
    buf_init(buf, limit);
}

/* False: the receiver is full. */
static bool hand_on(struct raw_record *record, const char *code, size_t at, size_t end,
                    const struct format_output *output)
{
    if (code == NULL)
        return output->record(output->context, record, at, end);
    output->failed(output->context, code, at, end);
    return true;
}

static bool read_line(struct profile_log *log, str_t line, size_t at, size_t end,
                      const struct format_output *output)
{
    struct raw_record record = raw_empty(RAW_PROFILE_LOG, RAW_QUERY);
    const char *code = read_fields(log, line, &record);
    bool taken = hand_on(&record, code, at, end, output);
    empty(&log->packed, 0);
    empty(&log->unpacked, UNPACKED_MAX);
    return taken;
}

/* page: a JSON object, of one line or many, whose profile tells its own time */
static bool read_page(struct profile_log *log, str_t page, size_t at, size_t end,
                      const struct format_output *output)
{
    struct raw_record record = raw_empty(RAW_PROFILE_LOG, RAW_QUERY);
    struct profile profile;
    const char *code = NULL;
    if (!profile_read_json(page, &log->arena, &profile))
        code = log->arena.failed ? "memory" : "json";
    else if (!fill(log, &profile, STR(""), &record) || log->arena.failed)
        code = "memory";
    else if (record.query_id.len == 0)
        code = "query_id";
    record.time_ms = record.end_ms;
    bool taken = hand_on(&record, code, at, end, output);
    arena_clear(&log->arena);
    return taken;
}

/* Where the line from `pos` on ends, or the page; false when its end is not there yet. */
static bool find_end(str_t bytes, size_t pos, bool last, str_t *text, size_t *next)
{
    bool page = bytes.ptr[pos] == '{';
    size_t len = page ? json_object_length(str_from(bytes, pos)) : 0;
    if (len > 0) {
        *text = str_make(bytes.ptr + pos, len);
        *next = pos + len;
        return true;
    }
    if ((!page || last) && line_at(bytes, pos, text, next))
        return true;
    *text = str_from(bytes, pos);
    *next = bytes.len;
    return last;
}

static size_t profile_log_read(struct format *format, str_t bytes, bool last,
                               const struct format_output *output)
{
    struct profile_log *log = (struct profile_log *)format;
    str_t text;
    size_t pos = 0, next;
    while (pos < bytes.len && find_end(bytes, pos, last, &text, &next)) {
        str_t line = str_trim(text);
        bool page = line.len > 0 && line.ptr[0] == '{';
        if (line.len == 0)
            format->foreign_lines++;
        else if (!(page ? read_page : read_line)(log, line, pos, next, output))
            break;
        format->lines++;
        pos = next;
    }
    return pos;
}

static void profile_log_release(struct format *format)
{
    struct profile_log *log = (struct profile_log *)format;
    buf_release(&log->packed);
    buf_release(&log->unpacked);
    names_release(&log->tables);
    arena_release(&log->arena);
}

static void profile_log_begin(struct format *format)
{
    struct profile_log *log = (struct profile_log *)format;
    buf_init(&log->packed, 0);
    buf_init(&log->unpacked, UNPACKED_MAX);
    arena_init(&log->arena, 0, NULL);
}

const struct format_ops profile_log_format = {
    .name = "profile-log",
    .source = RAW_PROFILE_LOG,
    .size = sizeof(struct profile_log),
    .read = profile_log_read,
    .begin = profile_log_begin,
    .release = profile_log_release,
};
