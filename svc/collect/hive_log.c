/*
 * HiveServer2's own log, which also the CLI writes. What its messages give:
 *
 *     Compiling command(queryId=<q>): <text>                the query's thread, session, start; no record yet: not all that is compiled runs
 *     Executing command(queryId=<q>): <text>                START with the text; spans lines
 *     Completed executing command(queryId=<q>); Time taken: <s> seconds      FINISH; said of what failed, too
 *     FAILED: <text>                                        the thread's query has failed: FINISH when that was at compiling
 *     … command(queryId=<q>) has been interrupted after …   FINISH
 *     Created HDFS directory: <scratch>/<user>/<session>    session → user
 *     {"version":"1.0",…}                                   LineageLogger: LINEAGE of what its thread executes
 *
 * A LineageLogger's object carries no query id, but it is written by the thread that executes the query, while it does. So it is
 * told apart here, in one file or in two files of one host and source; where no query is known it stands for itself, as in hive_hook.c.
 */
#include "collect/hive_graph.h"
#include "collect/hive_line.h"
#include "collect/hive_runs.h"
#include "collect/lines.h"
#include "collect/user_list.h"

#include "run/hash.h"

#include <stdlib.h>

enum {
    SESSIONS_MAX = 20000,
    UUID_LENGTH = 36
};

struct hive_log {
    struct format base;
    struct local_clock clock;
    struct hive_runs runs;
    struct id_table sessions; /* hash → number of the user */
    struct user_list users;
    struct hive_graph graph;
    struct buf host, id;
    char lower[HIVE_ID_MAX]; /* the id of the present record */
};

enum outcome {
    NOTHING, /* no record */
    MADE,    /* a record */
    BROKEN   /* what looked like one */
};

/* One message. */
struct message {
    struct hive_line line;
    str_t text; /* all of it, without the line break at its end */
    int64_t time_ms;
};

/* ---- sessions --------------------------------------------------------------------------------------------------- */

static struct id128 session_key(str_t session)
{
    struct hash128 hash = hash128(session, 0);
    return (struct id128){hash.high, hash.low};
}

/* path: … "/" user "/" session */
static void read_scratch(struct hive_log *log, str_t path)
{
    path = str_trim(path);
    if (path.len < UUID_LENGTH + 2)
        return;
    str_t session = str_from(path, path.len - UUID_LENGTH);
    path.len -= UUID_LENGTH;
    if (query_id_length(session) != UUID_LENGTH || path.ptr[path.len - 1] != '/')
        return;
    path.len--;
    const char *slash = memrchr(path.ptr, '/', path.len);
    if (slash == NULL)
        return;
    uint32_t number = user_number(&log->users, str_from(path, (size_t)(slash - path.ptr) + 1));
    struct id_entry *entry = number == 0 ? NULL : id_table_add(&log->sessions, session_key(session));
    if (entry != NULL)
        entry->user = number;
}

static str_t user_of(const struct hive_log *log, str_t session)
{
    const struct id_entry *entry = session.len == 0 ? NULL : id_table_find(&log->sessions, session_key(session));
    return entry == NULL ? STR("") : user_name(&log->users, entry->user);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static struct raw_record new_record(const struct hive_log *log, const struct message *m, const struct hive_run *run, enum raw_kind kind)
{
    struct raw_record record = raw_empty(RAW_HIVE_LOG, kind);
    record.time_ms = m->time_ms;
    record.level = m->line.level;
    if (run == NULL)
        return record;
    record.query_id = hive_run_id(run);
    record.session_id = hive_run_session(run);
    record.user = user_of(log, record.session_id);
    record.start_ms = run->start_ms;
    return record;
}

/* What follows `command(queryId=` in *rest is taken to be an id and ")". */
static bool take_id(str_t *rest, str_t *id)
{
    size_t end = str_find(*rest, ')', 0);
    if (end == rest->len || end == 0 || end > HIVE_ID_MAX)
        return false;
    for (size_t i = 0; i < end; i++)
        if (rest->ptr[i] <= ' ' || rest->ptr[i] > '~')
            return false;
    *id = str_make(rest->ptr, end);
    *rest = str_from(*rest, end + 1);
    return true;
}

static struct hive_run *begin_run(struct hive_log *log, const struct message *m, str_t id)
{
    struct hive_run *run = hive_runs_begin(&log->runs, m->line.thread, id, m->time_ms);
    if (run != NULL && m->line.session.len == UUID_LENGTH) {
        memcpy(run->session, m->line.session.ptr, UUID_LENGTH);
        run->session_len = UUID_LENGTH;
    }
    return run;
}

/* ": " text */
static enum outcome compiling(struct hive_log *log, const struct message *m, str_t id, str_t rest)
{
    struct hive_run *run = begin_run(log, m, id);
    if (run == NULL || !str_take(&rest, STR(":")))
        return BROKEN;
    run->failed = false;
    hive_runs_keep_text(&log->runs, run, str_trim(rest));
    return NOTHING;
}

/* ": " text */
static enum outcome executing(struct hive_log *log, const struct message *m, str_t id, str_t rest, struct raw_record *record)
{
    struct hive_run *run = begin_run(log, m, id);
    if (run == NULL || !str_take(&rest, STR(":")))
        return BROKEN;
    run->failed = false;
    run->begun_ms = m->time_ms;
    hive_runs_drop_text(&log->runs, run);
    *record = new_record(log, m, run, RAW_START);
    record->sql = str_trim(rest);
    return MADE;
}

/* The run that a line of this thread is about when it names the query; NULL when the query's beginning was not seen there. */
static struct hive_run *run_named(const struct hive_log *log, const struct message *m, str_t id)
{
    struct hive_run *run = hive_runs_newest(&log->runs, m->line.thread);
    return run != NULL && str_eq_fold(hive_run_id(run), id) ? run : NULL;
}

/* A FINISH of the query with that id. */
static void finish(struct hive_log *log, const struct message *m, const struct hive_run *run, str_t id, struct raw_record *record)
{
    *record = new_record(log, m, run, RAW_FINISH);
    folded_copy(log->lower, id);
    record->query_id = str_make(log->lower, id.len);
    record->end_ms = m->time_ms;
    if (record->start_ms > 0 && m->time_ms >= record->start_ms)
        record->duration_ms = m->time_ms - record->start_ms;
}

/* "; Time taken: " number " seconds" */
static bool time_taken(str_t rest, int64_t *ms)
{
    if (!str_take(&rest, STR("; Time taken: ")))
        return false;
    size_t end = str_find(rest, ' ', 0);
    char text[32];
    if (end == 0 || end + 1 >= sizeof text)
        return false;
    memcpy(text, rest.ptr, end);
    text[end] = 's';
    return duration_ms(str_make(text, end + 1), ms);
}

static enum outcome executed(struct hive_log *log, const struct message *m, str_t id, str_t rest, struct raw_record *record)
{
    const struct hive_run *run = run_named(log, m, id);
    finish(log, m, run, id, record);
    if (record->duration_ms < 0)
        (void)time_taken(rest, &record->duration_ms);
    record->status = run == NULL ? STR("UNKNOWN") : run->failed ? STR("ERROR") : STR("OK");
    if (run != NULL && run->failed)
        record->error = buf_str(&run->text);
    return MADE;
}

static enum outcome interrupted(struct hive_log *log, const struct message *m, str_t id, struct raw_record *record)
{
    finish(log, m, run_named(log, m, id), id, record);
    record->status = STR("CANCELLED");
    return MADE;
}

/* What is compiled is kept no longer: it may never run. */
static enum outcome compiled(struct hive_log *log, const struct message *m, str_t id)
{
    struct hive_run *run = run_named(log, m, id);
    if (run != NULL && run->begun_ms == INT64_MAX)
        hive_runs_drop_text(&log->runs, run);
    return NOTHING;
}

/* A mistake of the thread's query: the end of one that does not execute; else the end is told by itself. */
static enum outcome failed(struct hive_log *log, const struct message *m, str_t error, struct raw_record *record)
{
    struct hive_run *run = hive_runs_newest(&log->runs, m->line.thread);
    if (run == NULL || run->ended_ms != INT64_MAX || hive_runs_went_on(&log->runs, run))
        return NOTHING;
    run->failed = true;
    if (run->begun_ms != INT64_MAX) {
        hive_runs_keep_text(&log->runs, run, error);
        return NOTHING;
    }
    finish(log, m, run, hive_run_id(run), record);
    record->status = STR("ERROR");
    record->error = error;
    record->sql = buf_str(&run->text);
    return MADE;
}

/* The object of a LineageLogger. */
static enum outcome lineage(struct hive_log *log, const struct message *m, struct raw_record *record, const char **code)
{
    size_t length = json_object_length(m->text);
    str_t object = str_make(m->text.ptr, length);
    *record = raw_empty(RAW_HIVE_HOOK, RAW_LINEAGE);
    *code = "cut";
    if (length == 0 || !hive_graph_fill(&log->graph, object, record, code))
        return BROKEN;
    record->time_ms = m->time_ms;
    const struct hive_run *run = hive_runs_at(&log->runs, m->line.thread, m->time_ms);
    *code = "memory";
    if (run == NULL) {
        record->query_id = hive_graph_id(&log->id, buf_str(&log->host), m->line.time, m->line.thread, object);
        return record->query_id.len > 0 ? MADE : BROKEN;
    }
    struct raw_record known = new_record(log, m, run, RAW_LINEAGE);
    record->query_id = known.query_id;
    record->session_id = known.session_id;
    record->status = STR(""); /* its end is told by the log */
    record->start_ms = record->end_ms = 0;
    record->duration_ms = -1;
    return MADE;
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

enum verb {
    VERB_COMPILING,
    VERB_EXECUTING,
    VERB_COMPILED,
    VERB_EXECUTED,
    VERB_NONE
};

static enum verb take_verb(str_t *s)
{
    static const str_t verbs[] = {
        [VERB_COMPILING] = STR("Compiling command(queryId="),
        [VERB_EXECUTING] = STR("Executing command(queryId="),
        [VERB_COMPILED] = STR("Completed compiling command(queryId="),
        [VERB_EXECUTED] = STR("Completed executing command(queryId="),
    };
    for (unsigned verb = 0; verb < VERB_NONE; verb++)
        if (str_take(s, verbs[verb]))
            return (enum verb)verb;
    return VERB_NONE;
}

static bool is_object(str_t s)
{
    size_t at = 1;
    while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\t' || s.ptr[at] == '\n' || s.ptr[at] == '\r'))
        at++;
    return s.len > 0 && s.ptr[0] == '{' && (at == s.len || str_starts_with(str_from(s, at), STR("\"version\"")));
}

/* Whether a message that begins so is read to its end; others are told by their first line. */
static bool spans_lines(str_t message)
{
    enum verb verb = take_verb(&message);
    return verb == VERB_COMPILING || verb == VERB_EXECUTING || (verb == VERB_NONE && is_object(message));
}

static enum outcome read_command(struct hive_log *log, const struct message *m, enum verb verb, str_t rest, struct raw_record *record)
{
    str_t id;
    if (!take_id(&rest, &id))
        return BROKEN;
    if (str_starts_with(rest, STR(" has been interrupted")))
        return interrupted(log, m, id, record);
    switch (verb) {
    case VERB_COMPILING:
        return compiling(log, m, id, rest);
    case VERB_EXECUTING:
        return executing(log, m, id, rest, record);
    case VERB_COMPILED:
        return compiled(log, m, id);
    case VERB_EXECUTED:
        return executed(log, m, id, rest, record);
    case VERB_NONE:
        break;
    }
    return NOTHING;
}

static enum outcome read_message(struct hive_log *log, const struct message *m, struct raw_record *record, const char **code)
{
    str_t s = m->text;
    enum verb verb = take_verb(&s);
    *code = "query_id";
    if (verb != VERB_NONE)
        return read_command(log, m, verb, s, record);
    if (str_take(&s, STR("FAILED: ")))
        return failed(log, m, str_trim(s), record);
    if (str_take(&s, STR("Created HDFS directory: ")))
        read_scratch(log, s);
    return is_object(m->text) ? lineage(log, m, record, code) : NOTHING;
}

/* After the receiver took a FINISH: the thread is free, and what was kept goes. */
static void mark_ended(struct hive_log *log, const struct message *m, const struct raw_record *record)
{
    struct hive_run *run = hive_runs_newest(&log->runs, m->line.thread);
    if (record->kind != RAW_FINISH || run == NULL || !str_eq(hive_run_id(run), record->query_id))
        return;
    if (run->begun_ms != INT64_MAX)
        run->ended_ms = m->time_ms;
    hive_runs_drop_text(&log->runs, run);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Widens the message over the lines that it spans; false when it is not whole yet. */
static bool whole_message(const struct lines_input *input, size_t *next, struct message *m, uint64_t *lines)
{
    m->text = m->line.message;
    if (!spans_lines(m->text) || (m->text.len > 0 && m->text.ptr[0] == '{' && json_object_length(m->text) > 0))
        return true;
    size_t end = message_end(input, *next, hive_line_begins, lines);
    if (end == 0)
        return false;
    *next = end;
    m->text = message_text(input, m->text, end);
    return true;
}

/* One message. */
static bool hive_log_take(struct format *format, const struct lines_input *input, str_t first, size_t at, size_t *next)
{
    struct hive_log *log = (struct hive_log *)format;
    struct message m;
    struct raw_record record;
    const char *code;
    uint64_t lines = 1;
    enum outcome outcome = NOTHING;
    if (hive_line_read(first, &m.line)) {
        if (!whole_message(input, next, &m, &lines))
            return false;
        m.time_ms = local_clock_ms(&log->clock, m.line.time);
        outcome = read_message(log, &m, &record, &code);
    } else {
        format->foreign_lines++;
    }
    if (outcome == BROKEN)
        input->output->failed(input->output->context, code, at, *next);
    if (outcome == MADE) {
        if (!input->output->record(input->output->context, &record, at, *next))
            return false;
        mark_ended(log, &m, &record);
    }
    format->lines += lines;
    return true;
}

static size_t hive_log_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    return lines_read(format, bytes, last, output, hive_log_take);
}

static void hive_log_file(struct format *format, const struct format_file *file)
{
    struct hive_log *log = (struct hive_log *)format;
    local_clock_init(&log->clock, format->zone);
    buf_clear(&log->host);
    buf_add(&log->host, file->host);
}

static void hive_log_release(struct format *format)
{
    struct hive_log *log = (struct hive_log *)format;
    hive_runs_release(&log->runs);
    id_table_release(&log->sessions);
    user_list_release(&log->users);
    hive_graph_release(&log->graph);
    buf_release(&log->host);
    buf_release(&log->id);
}

static void hive_log_begin(struct format *format)
{
    struct hive_log *log = (struct hive_log *)format;
    local_clock_init(&log->clock, format->zone);
    hive_runs_init(&log->runs);
    id_table_init(&log->sessions, SESSIONS_MAX);
    hive_graph_init(&log->graph);
    buf_init(&log->host, 0);
    buf_init(&log->id, 0);
}

const struct format_ops hive_log_format = {
    .name = "hive-log",
    .source = RAW_HIVE_LOG,
    .size = sizeof(struct hive_log),
    .remembers = true,
    .read = hive_log_read,
    .begin = hive_log_begin,
    .file = hive_log_file,
    .release = hive_log_release,
};
