/*
 * Merging: who is believed about what. One table of ranks, a row a field, a column a source; the higher rank wins, and among equals
 * what the value itself decides, so the order of arrival never does.
 */
#include "normalize/join.h"

/* 0: this source does not tell, or is not believed. In the order of enum raw_source. */
static const uint8_t text_ranks[JOIN_TEXTS][RAW_SOURCE_COUNT] = {
    /*                daemon glog web lineage audit profile hook file hive */
    [JOIN_CLUSTER] =  {1,    1,   1,  1,      1,    1,      1,   1,   1},
    [JOIN_USER] =     {4,    3,   5,  6,      7,    8,      2,   1,   3},
    [JOIN_DATABASE] = {3,    5,   6,  2,      2,    8,      7,   4,   3},
    [JOIN_SESSION] =  {3,    5,   4,  2,      6,    8,      7,   1,   7},
    [JOIN_TYPE] =     {3,    2,   4,  8,      7,    5,      6,   1,   6},
    [JOIN_ERROR] =    {5,    4,   6,  2,      3,    8,      7,   1,   7},
    [JOIN_SQL] =      {5,    4,   6,  3,      2,    8,      7,   1,   6},
    [JOIN_GRAPH] =    {1,    1,   1,  3,      1,    1,      2,   1,   1},
    [JOIN_FILE] =     {0,    0,   0,  0,      0,    0,      0,   1,   0},
};

static const uint8_t number_ranks[JOIN_NUMBERS][RAW_SOURCE_COUNT] = {
    /*                daemon glog web lineage audit profile hook file hive */
    [JOIN_STATUS] =   {6,    5,   7,  2,      3,    8,      4,   2,   6},
    [JOIN_START] =    {5,    4,   7,  2,      6,    8,      3,   1,   5},
    [JOIN_END] =      {6,    5,   7,  2,      3,    8,      4,   1,   6},
    [JOIN_DURATION] = {7,    4,   6,  2,      2,    8,      5,   1,   6},
};

enum {
    RANK_UNKNOWN_STATUS = 1, /* "it ended somehow" is worth less than anything else */
    RANK_RETRIED = 9         /* and that it was run again, more */
};

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* Among texts of one rank: the longer one, then the first in byte order. */
static bool better_text(str_t text, str_t than)
{
    return text.len != than.len ? text.len > than.len : str_compare(text, than) < 0;
}

static bool merge_text(struct join *join, enum join_text field, str_t text, uint8_t rank, struct arena *arena)
{
    struct join_text_value *held = &join->texts[field];
    if (text.len == 0 || rank < held->rank || rank == 0)
        return false;
    bool same = str_eq(text, held->text);
    if (rank == held->rank && (same || !better_text(text, held->text)))
        return false;
    if (!same)
        held->text = arena_copy(arena, text);
    bool news = !same || field == JOIN_SQL; /* the rank of SQL is shown */
    held->rank = rank;
    return news;
}

static bool merge_number(struct join *join, enum join_number field, int64_t value, uint8_t rank)
{
    struct join_number_value *held = &join->numbers[field];
    if (value <= 0 || value > JOIN_NUMBER_MAX || rank < held->rank || rank == 0)
        return false;
    if (rank == held->rank && (field == JOIN_START ? value >= held->value : value <= held->value))
        return false;
    bool news = value != held->value;
    *held = (struct join_number_value){value, rank};
    return news;
}

static bool merge_names(struct name_list *names, const str_t *items, uint32_t count, struct arena *arena)
{
    bool news = false;
    for (uint32_t i = 0; i < count; i++)
        news |= names_put_copy(names, items[i], arena);
    return news;
}

static int compare_source(const struct event_source *source, const struct raw_record *record)
{
    if (source->source != record->source)
        return source->source < record->source ? -1 : 1;
    return str_compare(source->host, record->host);
}

static bool merge_seen(struct join *join, const struct raw_record *record, struct arena *arena)
{
    struct join_seen *seen = &join->seen;
    uint32_t at = 0, kind = 1u << record->kind;
    while (at < seen->count && compare_source(&seen->items[at], record) < 0)
        at++;
    if (at < seen->count && compare_source(&seen->items[at], record) == 0) {
        bool news = (seen->items[at].kinds & kind) == 0;
        seen->items[at].kinds |= kind;
        return news;
    }
    if (!vec_reserve(arena, (void **)&seen->items, seen->count, &seen->capacity, sizeof *seen->items))
        return false;
    memmove(seen->items + at + 1, seen->items + at, (seen->count - at) * sizeof *seen->items);
    seen->items[at] = (struct event_source){record->source, arena_copy(arena, record->host), kind};
    seen->count++;
    return true;
}

/* ---- what a record tells ---------------------------------------------------------------------------------------- */

static bool begins_with(str_t text, str_t word)
{
    return text.len >= word.len && str_eq_fold(str_make(text.ptr, word.len), word);
}

/* The outcome that a word such as FINISHED, EXCEPTION or OK names; false for one that names no end. */
static bool outcome_of(str_t word, enum event_status *status)
{
    static const struct {
        str_t word;
        enum event_status status;
    } words[] = {
        {STR("RETRIED"), EVENT_RETRIED}, {STR("CANCEL"), EVENT_CANCELLED}, {STR("EXCEPTION"), EVENT_ERROR}, {STR("ERROR"), EVENT_ERROR},
        {STR("FAIL"), EVENT_ERROR},      {STR("OK"), EVENT_OK},            {STR("FINISHED"), EVENT_OK},     {STR("SUCCESS"), EVENT_OK},
        {STR("UNKNOWN"), EVENT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins_with(word, words[i].word)) {
            *status = words[i].status;
            return true;
        }
    return false;
}

enum join_ending record_ending(const struct raw_record *record)
{
    enum event_status status;
    switch (record->source) {
    case RAW_LINEAGE_LOG:
    case RAW_AUDIT_LOG:
        return JOIN_WEAK_END;
    case RAW_HIVE_HOOK: /* one that says how the query ended stands for itself; else Hive's own log will say it */
        return record->kind == RAW_START || record->kind == RAW_INPUT || (record->kind == RAW_LINEAGE && record->status.len == 0)
                   ? JOIN_NO_END
                   : JOIN_END_SEEN;
    case RAW_SQL_FILE:
        return JOIN_END_SEEN;
    case RAW_WEB:
    case RAW_PROFILE_LOG:
        return record->kind == RAW_FINISH || outcome_of(record->state, &status) || (record->state.len == 0 && record->end_ms > 0)
                   ? JOIN_END_SEEN
                   : JOIN_NO_END;
    case RAW_DAEMON_LOG:
    case RAW_GLOG:
    case RAW_HIVE_LOG:
    default:
        return record->kind == RAW_FINISH ? JOIN_END_SEEN : JOIN_NO_END;
    }
}

/* A state tells more than a status: RETRIED has the status OK. Files and lineage records stand for what went well. */
static enum event_status outcome(const struct raw_record *record)
{
    enum event_status status = EVENT_UNKNOWN, state = EVENT_UNKNOWN;
    bool has_status = outcome_of(record->status, &status), has_state = outcome_of(record->state, &state);
    if (has_state && state == EVENT_RETRIED)
        return state;
    if (has_status && status == EVENT_CANCELLED)
        return status;
    if (has_state && state == EVENT_ERROR)
        return begins_with(record->error, STR("Cancelled")) ? EVENT_CANCELLED : state;
    if (has_status)
        return status;
    if (record->status.len > 0 && (record->source == RAW_PROFILE_LOG || record->source == RAW_WEB))
        return EVENT_ERROR; /* the status of a profile is OK or the text of the error */
    if (has_state)
        return state;
    return record->source == RAW_LINEAGE_LOG || record->source == RAW_HIVE_HOOK || record->source == RAW_SQL_FILE ? EVENT_OK
                                                                                                                  : EVENT_UNKNOWN;
}

static bool merge_outcome(struct join *join, const struct raw_record *record)
{
    if (record_ending(record) == JOIN_NO_END)
        return false;
    enum event_status status = outcome(record);
    uint8_t rank = number_ranks[JOIN_STATUS][record->source];
    if (status == EVENT_UNKNOWN)
        rank = RANK_UNKNOWN_STATUS;
    if (status == EVENT_RETRIED)
        rank = RANK_RETRIED;
    if (status == EVENT_OK && record->source == RAW_HIVE_LOG)
        rank++; /* Hive tries again under the same id: nothing follows what went well */
    return merge_number(join, JOIN_STATUS, (int64_t)status + 1, rank);
}

static bool merge_times(struct join *join, const struct raw_record *record)
{
    int64_t start = record->start_ms > 0 ? record->start_ms : record->kind == RAW_START ? record->time_ms : 0;
    bool ends = record_ending(record) != JOIN_NO_END;
    int64_t end = !ends ? 0 : record->end_ms > 0 ? record->end_ms : record->kind == RAW_FINISH ? record->time_ms : 0;
    bool news = merge_number(join, JOIN_START, start, number_ranks[JOIN_START][record->source]);
    news |= merge_number(join, JOIN_END, end, number_ranks[JOIN_END][record->source]);
    if (ends && record->duration_ms >= 0 && record->duration_ms < JOIN_NUMBER_MAX)
        news |= merge_number(join, JOIN_DURATION, record->duration_ms + 1, number_ranks[JOIN_DURATION][record->source]);
    return news;
}

/* These show only where nothing better is known, but then they do. */
static bool merge_line_time(struct join *join, int64_t time)
{
    bool news = false;
    if (time > JOIN_NUMBER_MAX)
        return false;
    if (time > 0 && (join->first_time == 0 || time < join->first_time)) {
        join->first_time = time;
        news = join->numbers[JOIN_START].rank == 0;
    }
    if (time > join->last_time) {
        join->last_time = time;
        news |= join->numbers[JOIN_END].rank == 0;
    }
    return news;
}

static uint8_t sql_rank(const struct raw_record *record)
{
    enum sql_quality quality = record->sql_cut ? (record->sql_one_line ? SQL_CUT_ONE_LINE : SQL_CUT)
                                               : (record->sql_one_line ? SQL_ONE_LINE : SQL_FULL);
    return (uint8_t)((unsigned)quality << SQL_QUALITY_SHIFT | text_ranks[JOIN_SQL][record->source]);
}

static bool merge_texts(struct join *join, const struct raw_record *record, struct arena *arena)
{
    const str_t texts[JOIN_TEXTS] = {
        [JOIN_CLUSTER] = record->cluster,      [JOIN_USER] = record->user,   [JOIN_DATABASE] = record->database,
        [JOIN_SESSION] = record->session_id,   [JOIN_ERROR] = record->error, [JOIN_SQL] = record->sql,
        [JOIN_TYPE] = record->statement_type,  [JOIN_GRAPH] = record->graph, [JOIN_FILE] = record->position.file,
    };
    bool news = false;
    for (enum join_text field = 0; field < JOIN_TEXTS; field++) {
        uint8_t rank = field == JOIN_SQL ? sql_rank(record) : text_ranks[field][record->source];
        news |= merge_text(join, field, texts[field], rank, arena);
    }
    return news;
}

bool join_merge(struct join *join, const struct raw_record *record, struct arena *arena)
{
    bool news = merge_texts(join, record, arena);
    news |= merge_outcome(join, record);
    news |= merge_times(join, record);
    news |= merge_line_time(join, record->time_ms);
    if (record->kind != RAW_OUTPUT && record->source != RAW_PROFILE_LOG) /* a profile lists all that was loaded, targets too */
        news |= merge_names(&join->sets[JOIN_INPUTS], record->tables, record->table_count, arena);
    if (record->kind == RAW_OUTPUT)
        news |= merge_names(&join->sets[JOIN_OUTPUTS], record->tables, record->table_count, arena);
    news |= merge_names(&join->sets[JOIN_OUTPUTS], record->outputs, record->output_count, arena);
    if (record->kind == RAW_SCAN)
        news |= merge_names(&join->sets[JOIN_PATHS], &record->path, 1, arena);
    news |= merge_seen(join, record, arena);
    if (!record->backfill && !join->live)
        news = join->live = true;
    if (record->captured_at > join->captured_at && record->captured_at <= JOIN_NUMBER_MAX)
        join->captured_at = record->captured_at;
    return news;
}
