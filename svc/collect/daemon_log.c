/*
 * Lines that a patched Impala 3.4 writes into its standard output:
 *
 *     [LEVEL] YYYY-MM-DD HH:MM:SS,mmm QueryId: <id> <rest>
 *
 * <rest> tells the kind: `User: u[ Sql: text]` (START), `InputTables: [a, b]`, `OutputTables: [t]`, `ScanNode: path`,
 * `Status: OK, Duration: 667ms` (FINISH). Only the text of a START may span lines: it goes on to the next line that begins with a level.
 */
#include "collect/lines.h"

enum {
    ID_MAX = 36
};

struct daemon_log {
    struct format base;
    struct local_clock clock;
    struct names names;
    char id[ID_MAX];
    char status[32];
};

/* What stands before <rest>, and what it is about. */
struct head {
    str_t level, id, rest;
    int64_t time_ms;
};

enum outcome {
    TAKEN,   /* a record was made */
    FOREIGN, /* no line of a query */
    FAILED
};

/* level: "[INFO] " | "[WARN] " | "[ERROR] " */
static size_t level_length(str_t line)
{
    if (line.len < 7 || line.ptr[0] != '[')
        return 0;
    if (memcmp(line.ptr, "[INFO] ", 7) == 0 || memcmp(line.ptr, "[WARN] ", 7) == 0)
        return 7;
    return line.len >= 8 && memcmp(line.ptr, "[ERROR] ", 8) == 0 ? 8 : 0;
}

/* head: level time "," mmm " QueryId: " id " " */
static enum outcome read_head(struct daemon_log *log, str_t line, struct head *head, const char **code)
{
    size_t level = level_length(line);
    if (level == 0)
        return FOREIGN;
    str_t s = str_from(line, level);
    int64_t seconds;
    unsigned millis;
    *code = "time";
    if (s.len < 24 || !local_clock_read(&log->clock, s, &seconds) || (s.ptr[19] != ',' && s.ptr[19] != '.') ||
        !digits(str_from(s, 20), 3, &millis))
        return FAILED;
    head->time_ms = seconds * 1000 + (int64_t)millis;
    head->level = str_make(line.ptr + 1, level - 3);
    s = str_from(s, 23);
    if (!str_take(&s, STR(" QueryId: ")))
        return FOREIGN;
    *code = "query_id";
    size_t id = query_id_length(s);
    if (id == 0 || (s.len > id && s.ptr[id] != ' '))
        return FAILED;
    folded_copy(log->id, str_make(s.ptr, id));
    head->id = str_make(log->id, id);
    head->rest = s.len > id ? str_from(s, id + 1) : str_make(s.ptr + id, 0);
    return TAKEN;
}

/* ---- the kinds -------------------------------------------------------------------------------------------------- */

/* Where a START's text begins, from the beginning of <rest>; 0 when there is none. */
static size_t sql_begin(str_t rest)
{
    size_t at = str_find_text(rest, STR(" Sql:"), 0);
    if (at == rest.len)
        return 0;
    at += 5;
    if (at < rest.len && rest.ptr[at] == '\r')
        at++;
    return at == rest.len ? at : rest.ptr[at] == ' ' || rest.ptr[at] == '\n' ? at + 1 : 0;
}

static bool read_start(struct raw_record *record, str_t rest)
{
    size_t at = sql_begin(rest);
    if (at > 0) {
        size_t user = str_find_text(rest, STR(" Sql:"), 0);
        record->sql = str_from(rest, at);
        rest.len = user;
    }
    record->user = str_trim(rest);
    return true;
}

static bool read_tables(struct daemon_log *log, struct raw_record *record, enum raw_kind kind, str_t rest)
{
    record->kind = kind;
    if (!names_read(&log->names, rest))
        return false;
    record->tables = log->names.items;
    record->table_count = log->names.count;
    return true;
}

static bool is_word(char c)
{
    char low = ascii_lower(c);
    return (low >= 'a' && low <= 'z') || c == '_';
}

/* status: word [text]; the word in upper case, the text is the error */
static void read_status(struct daemon_log *log, struct raw_record *record, str_t text)
{
    size_t len = 0;
    while (len < text.len && len < sizeof log->status && is_word(text.ptr[len])) {
        char low = ascii_lower(text.ptr[len]);
        log->status[len++] = low >= 'a' ? (char)(low - 'a' + 'A') : low;
    }
    if (len > 0 && log->status[len - 1] == '_')
        len--;
    record->status = str_make(log->status, len);
    str_t error = str_from(text, len);
    while (error.len > 0 && (error.ptr[0] == ':' || error.ptr[0] == ' ' || error.ptr[0] == ','))
        error = str_from(error, 1);
    record->error = str_trim(error);
}

/* finish: status [", Duration: " duration] */
static bool read_finish(struct daemon_log *log, struct raw_record *record, str_t rest)
{
    static const str_t mark = {", Duration:", 11};
    record->kind = RAW_FINISH;
    size_t at = str_find_text(rest, mark, 0);
    for (size_t next = at; next < rest.len; next = str_find_text(rest, mark, next + 1))
        at = next; /* an error's text may hold it too: the last one counts */
    read_status(log, record, str_trim(str_make(rest.ptr, at)));
    if (record->status.len == 0)
        return false;
    return at == rest.len || duration_ms(str_from(rest, at + mark.len), &record->duration_ms);
}

static bool read_rest(struct daemon_log *log, struct raw_record *record, str_t rest, const char **code)
{
    if (str_take(&rest, STR("InputTables:"))) {
        *code = "tables";
        return read_tables(log, record, RAW_INPUT, rest);
    }
    if (str_take(&rest, STR("OutputTables:"))) {
        *code = "tables";
        return read_tables(log, record, RAW_OUTPUT, rest);
    }
    if (str_take(&rest, STR("ScanNode:"))) {
        record->kind = RAW_SCAN;
        record->path = str_trim(rest);
        *code = "path";
        return record->path.len > 0;
    }
    if (str_take(&rest, STR("Status:"))) {
        *code = "status";
        return read_finish(log, record, rest);
    }
    *code = "kind";
    return str_take(&rest, STR("User:")) && read_start(record, rest);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static bool begins(str_t line)
{
    return level_length(line) > 0;
}

/* The text up to the next record, without the line break before that. */
static str_t whole_text(str_t rest, const char *end)
{
    str_t text = str_make(rest.ptr, (size_t)(end - rest.ptr));
    if (text.len > 0 && text.ptr[text.len - 1] == '\n')
        text.len--;
    if (text.len > 0 && text.ptr[text.len - 1] == '\r')
        text.len--;
    return text;
}

static bool has_text(str_t rest)
{
    return str_starts_with(rest, STR("User:")) && sql_begin(rest) > 0;
}

/* One record. */
static bool daemon_log_take(struct format *format, const struct lines_input *input, str_t line, size_t at, size_t *next)
{
    struct daemon_log *log = (struct daemon_log *)format;
    const struct format_output *output = input->output;
    struct head head;
    const char *code;
    uint64_t lines = 1;
    enum outcome outcome = read_head(log, line, &head, &code);
    if (outcome == TAKEN) {
        if (has_text(head.rest)) {
            size_t end = message_end(input, *next, begins, &lines);
            if (end == 0)
                return false;
            *next = end;
            head.rest = whole_text(head.rest, input->bytes.ptr + end);
        }
        struct raw_record record = raw_empty(RAW_DAEMON_LOG, RAW_START);
        record.level = head.level;
        record.query_id = head.id;
        record.time_ms = head.time_ms;
        if (!read_rest(log, &record, head.rest, &code))
            outcome = FAILED;
        else if (!output->record(output->context, &record, at, *next))
            return false;
    }
    if (outcome == FAILED)
        output->failed(output->context, code, at, *next);
    format->lines += lines;
    format->foreign_lines += outcome == FOREIGN;
    return true;
}

static size_t daemon_log_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    return lines_read(format, bytes, last, output, daemon_log_take);
}

static void daemon_log_begin(struct format *format)
{
    local_clock_init(&((struct daemon_log *)format)->clock, format->zone);
}

static void daemon_log_file(struct format *format, const struct format_file *file)
{
    (void)file;
    daemon_log_begin(format);
}

static void daemon_log_release(struct format *format)
{
    names_release(&((struct daemon_log *)format)->names);
}

const struct format_ops daemon_log_format = {
    .name = "daemon-log",
    .source = RAW_DAEMON_LOG,
    .size = sizeof(struct daemon_log),
    .read = daemon_log_read,
    .begin = daemon_log_begin,
    .file = daemon_log_file,
    .release = daemon_log_release,
};
