/*
 * Impala's own log (impalad.INFO). What its messages give:
 *
 *     Opened session: <sid>, effective username: <u>, …          session → user
 *     Registered query query_id=<q> session_id=<sid>             START with the user; query → session, thread → query
 *     Analyzing query: <text> db: <database>                     START with text and database; spans lines
 *     Analysis … finished                                        the analysis went well
 *     ExecState: query id=<q> execution completed | cancelled    FINISH
 *     ExecState: query id=<q> … status=<text>                    FINISH with the error
 *     Query successfully unregistered: query_id=<q> …            FINISH, when none of the others came
 *
 * Lines carry no year: it is that of the file (from its name, its first line, or when it was last written), and one more once the
 * months have begun anew.
 */
#include "collect/glog.h"

#include "collect/lines.h"
#include "collect/user_list.h"

enum {
    SESSIONS_MAX = 100000,
    QUERIES_MAX = 100000,
    THREADS_MAX = 20000,
    /* Impala cuts a message at 30,000 bytes, prefix included: one as long as this has lost its end. */
    CUT_LENGTH = 29900
};

enum query_flags {
    ANALYSING = 1, /* its text was seen */
    ANALYSED = 2,  /* and understood */
    ENDED = 4      /* a FINISH was given */
};

struct glog {
    struct format base;
    struct id_table sessions, queries, threads;
    struct user_list users;
    bool base_known, base_is_end;
    unsigned base_year, base_month;
    uint32_t second_key; /* of the last line, and its UTC: */
    int64_t second_utc;
    struct buf text;      /* a statement, mended */
    struct id128 ending;  /* the query of the FINISH that is being given */
    char id[33], session[33];
};

/* ---- time ------------------------------------------------------------------------------------------------------- */

static void set_base(struct glog *log, unsigned year, unsigned month, bool is_end)
{
    log->base_year = year;
    log->base_month = month;
    log->base_is_end = is_end;
    log->base_known = true;
    log->second_utc = INT64_MIN;
}

static unsigned year_of(const struct glog *log, const struct glog_line *line)
{
    if (line->year != 0)
        return line->year;
    if (!log->base_known)
        return 0;
    if (log->base_is_end)
        return log->base_year - (line->month > log->base_month);
    return log->base_year + (line->month < log->base_month);
}

static int64_t line_ms(struct glog *log, const struct glog_line *line)
{
    unsigned year = year_of(log, line);
    if (year < 1971)
        return 0;
    uint32_t key = (year % 64) << 26 | line->month << 22 | line->day << 17 | line->hour << 12 | line->minute << 6 | line->second;
    if (log->second_utc == INT64_MIN || key != log->second_key) {
        int64_t local = zone_days(year, line->month, line->day) * 86400 + (int64_t)line->hour * 3600 +
                        (int64_t)line->minute * 60 + (int64_t)line->second;
        log->second_utc = zone_utc(log->base.zone, local, log->second_utc);
        log->second_key = key;
    }
    return log->second_utc * 1000 + (int64_t)line->millis;
}

/* `Log file created at: 2026/03/15 14:22:30` */
static bool read_created(struct glog *log, str_t line)
{
    unsigned year, month;
    if (!str_take(&line, STR("Log file created at: ")) || !digits(line, 4, &year) || line.len < 7 ||
        !digits(str_from(line, 5), 2, &month) || month < 1 || month > 12)
        return false;
    set_base(log, year, month, false);
    return true;
}

/* name: … ".INFO." yyyymmdd "-" hhmmss "." pid */
static bool read_name(struct glog *log, str_t name)
{
    for (size_t dot = str_find(name, '.', 0); dot < name.len; dot = str_find(name, '.', dot + 1)) {
        str_t s = str_from(name, dot + 1);
        unsigned year, month, time;
        if (s.len >= 15 && s.ptr[8] == '-' && digits(s, 4, &year) && digits(str_from(s, 4), 2, &month) && month >= 1 &&
            month <= 12 && digits(str_from(s, 9), 6, &time)) {
            set_base(log, year, month, false);
            return true;
        }
    }
    return false;
}

static void glog_file(struct format *format, const struct format_file *file)
{
    struct glog *log = (struct glog *)format;
    log->base_known = false;
    if (read_name(log, file->name) || file->modified_ms <= 0)
        return;
    int64_t year, seconds = file->modified_ms / 1000;
    unsigned month, day;
    zone_date((seconds + zone_offset(format->zone, seconds)) / 86400, &year, &month, &day);
    set_base(log, (unsigned)year, month, true);
}

/* ---- sessions and queries --------------------------------------------------------------------------------------- */

/* `Opened session: <sid>, effective username: <u>, client address: …` */
static void read_session(struct glog *log, str_t s)
{
    struct id128 session;
    if (!id128_read(s, &session))
        return;
    s = str_from(s, 33);
    if (!str_take(&s, STR(", effective username: ")) && !str_take(&s, STR(" request username: ")))
        return;
    size_t end = str_find_text(s, STR(", client address:"), 0);
    struct id_entry *entry = id_table_add(&log->sessions, session);
    if (entry != NULL)
        entry->user = user_number(&log->users, str_trim(str_make(s.ptr, end)));
}

static void closed_session(struct glog *log, str_t s)
{
    struct id128 session;
    if (id128_read(s, &session))
        id_table_remove(&log->sessions, session);
}

static struct id_entry *thread_entry(struct glog *log, uint64_t thread)
{
    return id_table_add(&log->threads, (struct id128){thread, 1});
}

/* The query that the line is about: of the instance, else the one its thread registered. */
static bool query_of(struct glog *log, const struct glog_line *line, struct id128 *query)
{
    if (line->has_instance) {
        *query = line->query;
        return true;
    }
    const struct id_entry *entry = id_table_find(&log->threads, (struct id128){line->thread, 1});
    if (entry == NULL)
        return false;
    *query = entry->other;
    return true;
}

static bool known(struct id128 id)
{
    return id.high != 0 || id.low != 0;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static str_t severity_name(char severity)
{
    switch (severity) {
    case 'W':
        return STR("WARN");
    case 'E':
        return STR("ERROR");
    case 'F':
        return STR("FATAL");
    default:
        return STR("INFO");
    }
}

static struct raw_record new_record(struct glog *log, const struct glog_line *line, struct id128 query, enum raw_kind kind)
{
    struct raw_record record = raw_empty(RAW_GLOG, kind);
    record.time_ms = line_ms(log, line);
    record.level = severity_name(line->severity);
    id128_write(log->id, query);
    record.query_id = str_make(log->id, 33);
    const struct id_entry *entry = id_table_find(&log->queries, query);
    if (entry == NULL || !known(entry->other))
        return record;
    id128_write(log->session, entry->other);
    record.session_id = str_make(log->session, 33);
    const struct id_entry *session = id_table_find(&log->sessions, entry->other);
    if (session != NULL)
        record.user = user_name(&log->users, session->user);
    return record;
}

/* "query_id=" q " session_id=" sid */
static bool registered(struct glog *log, const struct glog_line *line, str_t s, struct raw_record *record)
{
    struct id128 query, session;
    if (!id128_read(s, &query))
        return false;
    s = str_from(s, 33);
    struct id_entry *entry = id_table_add(&log->queries, query);
    if (entry == NULL)
        return false;
    if (str_take(&s, STR(" session_id=")) && id128_read(s, &session))
        entry->other = session;
    entry->time_ms = line_ms(log, line);
    struct id_entry *thread = thread_entry(log, line->thread);
    if (thread != NULL)
        thread->other = query;
    *record = new_record(log, line, query, RAW_START);
    record->start_ms = record->time_ms;
    return true;
}

/* text [" db: " database]; the last ` db: ` counts */
static void split_database(str_t *text, str_t *database)
{
    static const str_t mark = {" db: ", 5};
    size_t at = text->len;
    for (size_t end = text->len; end >= mark.len; end--) {
        if (memcmp(text->ptr + end - mark.len, mark.ptr, mark.len) == 0) {
            at = end - mark.len;
            break;
        }
    }
    if (at == text->len)
        return;
    *database = str_trim(str_from(*text, at + mark.len));
    text->len = at;
}

static bool analysing(struct glog *log, const struct glog_line *line, str_t text, struct raw_record *record)
{
    struct id128 query;
    if (!query_of(log, line, &query))
        return false;
    struct id_entry *entry = id_table_add(&log->queries, query);
    if (entry != NULL)
        entry->flags |= ANALYSING;
    buf_clear(&log->text);
    buf_add(&log->text, text);
    if (log->text.failed)
        return false;
    str_t whole = str_make(log->text.ptr, glog_mend_text(log->text.ptr, log->text.len));
    *record = new_record(log, line, query, RAW_START);
    split_database(&whole, &record->database);
    record->sql = whole;
    record->sql_cut = record->database.len == 0 && text.len >= CUT_LENGTH;
    if (record->sql_cut || record->database.len == 0)
        record->sql = str_trim(whole);
    return true;
}

static void analysed(struct glog *log, const struct glog_line *line)
{
    struct id128 query;
    if (!query_of(log, line, &query))
        return;
    struct id_entry *entry = id_table_find(&log->queries, query);
    if (entry != NULL)
        entry->flags |= ANALYSED;
}

/* After the receiver took a FINISH: what else tells the end of this query says nothing new. */
static void mark_ended(struct glog *log)
{
    struct id_entry *entry = id_table_find(&log->queries, log->ending);
    if (entry != NULL)
        entry->flags |= ENDED;
}

static bool finish(struct glog *log, const struct glog_line *line, struct id128 query, str_t status, str_t error,
                   struct raw_record *record)
{
    struct id_entry *entry = id_table_add(&log->queries, query);
    if (entry == NULL || (entry->flags & ENDED))
        return false;
    log->ending = query;
    *record = new_record(log, line, query, RAW_FINISH);
    record->status = status;
    record->error = error;
    record->start_ms = entry->time_ms;
    record->end_ms = record->time_ms;
    if (entry->time_ms > 0 && record->time_ms >= entry->time_ms)
        record->duration_ms = record->time_ms - entry->time_ms;
    return true;
}

/* "query id=" q (" execution completed" | " execution cancelled" | … " status=" text) */
static bool executed(struct glog *log, const struct glog_line *line, str_t s, struct raw_record *record)
{
    struct id128 query;
    if (!str_take(&s, STR("query id=")) || !id128_read(s, &query))
        return false;
    s = str_from(s, 33);
    if (str_starts_with(s, STR(" execution completed")))
        return finish(log, line, query, STR("OK"), STR(""), record);
    if (str_starts_with(s, STR(" execution cancelled")))
        return finish(log, line, query, STR("CANCELLED"), STR(""), record);
    size_t at = str_find_text(s, STR(" status="), 0);
    if (at == s.len)
        return false;
    str_t error = str_trim(str_from(s, at + 8));
    if (error.len == 0 || str_eq_fold(error, STR("OK")))
        return false;
    bool cancelled = str_starts_with(error, STR("Cancelled")) || str_starts_with(error, STR("CANCELLED"));
    return finish(log, line, query, cancelled ? STR("CANCELLED") : STR("ERROR"), error, record);
}

/* What the analysis refused has failed; of what ran without an ExecState (DDL) the log does not tell how it went. */
static bool unregistered(struct glog *log, const struct glog_line *line, str_t s, struct raw_record *record)
{
    struct id128 query;
    if (!str_take(&s, STR("query_id=")) || !id128_read(s, &query))
        return false;
    const struct id_entry *entry = id_table_find(&log->queries, query);
    bool refused = entry != NULL && (entry->flags & (ANALYSING | ANALYSED)) == ANALYSING;
    return finish(log, line, query, refused ? STR("ERROR") : STR("UNKNOWN"), STR(""), record);
}

/* What a message of one line tells; false: no record. */
static bool read_message(struct glog *log, const struct glog_line *line, struct raw_record *record)
{
    str_t s = line->message;
    if (s.len < 10)
        return false;
    if (str_take(&s, STR("Registered query query_id=")))
        return registered(log, line, s, record);
    if (str_take(&s, STR("ExecState: ")))
        return executed(log, line, s, record);
    if (str_take(&s, STR("Query successfully unregistered: ")) || str_take(&s, STR("UnregisterQuery(): ")))
        return unregistered(log, line, s, record);
    if (str_take(&s, STR("Opened session: ")) || str_take(&s, STR("Opening session: ")))
        read_session(log, s);
    else if (str_take(&s, STR("Closed session: ")))
        closed_session(log, s);
    else if (str_starts_with(s, STR("Analysis and authorization finished")) || str_starts_with(s, STR("Analysis finished")) ||
             str_starts_with(s, STR("Analysis took")))
        analysed(log, line);
    return false;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static bool is_text(str_t *message)
{
    return str_take(message, STR("Analyzing query: "));
}

/* One message. */
static bool glog_take(struct format *format, const struct lines_input *input, str_t first, size_t at, size_t *next)
{
    struct glog *log = (struct glog *)format;
    struct glog_line line;
    struct raw_record record;
    uint64_t lines = 1;
    bool made = false;
    if (glog_line_read(first, &line)) {
        str_t text = line.message;
        if (is_text(&text)) {
            size_t end = message_end(input, *next, glog_line_begins, &lines);
            if (end == 0)
                return false;
            *next = end;
            made = analysing(log, &line, message_text(input, text, end), &record);
            if (!made)
                input->output->failed(input->output->context, "query_id", at, *next);
        } else {
            made = read_message(log, &line, &record);
        }
    } else if (!read_created(log, first)) {
        format->foreign_lines++;
    }
    if (made && !input->output->record(input->output->context, &record, at, *next))
        return false;
    if (made && record.kind == RAW_FINISH)
        mark_ended(log);
    format->lines += lines;
    return true;
}

static size_t glog_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    return lines_read(format, bytes, last, output, glog_take);
}

static void glog_release(struct format *format)
{
    struct glog *log = (struct glog *)format;
    id_table_release(&log->sessions);
    id_table_release(&log->queries);
    id_table_release(&log->threads);
    user_list_release(&log->users);
    buf_release(&log->text);
}

static void glog_begin(struct format *format)
{
    struct glog *log = (struct glog *)format;
    log->second_utc = INT64_MIN;
    id_table_init(&log->sessions, SESSIONS_MAX);
    id_table_init(&log->queries, QUERIES_MAX);
    id_table_init(&log->threads, THREADS_MAX);
    buf_init(&log->text, 0);
}

const struct format_ops glog_format = {
    .name = "glog",
    .source = RAW_GLOG,
    .size = sizeof(struct glog),
    .remembers = true,
    .tells_database = true,
    .read = glog_read,
    .begin = glog_begin,
    .file = glog_file,
    .release = glog_release,
};
