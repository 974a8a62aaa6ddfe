/* The event that a join makes by itself, before lineage and names are looked at. */
#include "normalize/join.h"

#include "normalize/scripts.h"

static bool made_by_hive(const struct join *join)
{
    if (join->seen.count == 0)
        return false;
    enum raw_source source = join->seen.items[0].source;
    if (source == RAW_SQL_FILE)
        return !script_is_impala(join->texts[JOIN_FILE].text);
    return source == RAW_HIVE_HOOK || source == RAW_HIVE_LOG;
}

/* Start, duration and end: each from the two others where it was not told. */
static void fill_times(const struct join *join, struct event *event)
{
    int64_t start = join->numbers[JOIN_START].value, end = join->numbers[JOIN_END].value;
    int64_t duration = join->numbers[JOIN_DURATION].value - 1; /* -1 unknown */
    if (duration < 0 && start > 0 && end >= start)
        duration = end - start;
    if (start == 0 && end > duration && duration >= 0)
        start = end - duration;
    if (end == 0 && start > 0 && duration >= 0)
        end = start + duration;
    event->duration_ms = duration;
    event->timestamp = start > 0 ? start : join->first_time > 0 ? join->first_time : end > 0 ? end : join->captured_at;
    event->event_time = end > 0 ? end : join->last_time > 0 ? join->last_time : start > 0 ? start : join->captured_at;
}

static void fill_texts(const struct join *join, struct event *event)
{
    event->cluster = join->texts[JOIN_CLUSTER].text;
    event->user = join->texts[JOIN_USER].text;
    event->database = join->texts[JOIN_DATABASE].text;
    event->session_id = join->texts[JOIN_SESSION].text;
    event->operation_type = join->texts[JOIN_TYPE].text;
    event->sql = join->texts[JOIN_SQL].text;
    event->engine_lineage = join->texts[JOIN_GRAPH].text;
    enum sql_quality quality = join_sql_quality(join);
    event->sql_cut = quality == SQL_CUT || quality == SQL_CUT_ONE_LINE;
    event->sql_one_line = quality == SQL_ONE_LINE || quality == SQL_CUT_ONE_LINE;
}

static str_t *copy_of(const struct name_list *names, struct arena *arena, uint32_t *count)
{
    str_t *copy = ARENA_ARRAY(arena, str_t, names->count);
    *count = copy == NULL ? 0 : names->count;
    if (*count > 0)
        memcpy(copy, names->items, names->count * sizeof *copy);
    return copy;
}

void join_event(const struct join *join, str_t query_id, struct event *event, struct arena *arena)
{
    *event = event_empty();
    event->query_id = query_id;
    event->engine = made_by_hive(join) ? STR("hive") : STR("impala");
    fill_texts(join, event);
    fill_times(join, event);
    event->status = join->numbers[JOIN_STATUS].rank == 0 ? EVENT_INCOMPLETE : (enum event_status)(join->numbers[JOIN_STATUS].value - 1);
    event->incomplete = event->status == EVENT_INCOMPLETE;
    if (event->status != EVENT_OK)
        event->error = join->texts[JOIN_ERROR].text;
    event->input_tables = copy_of(&join->sets[JOIN_INPUTS], arena, &event->input_count);
    event->output_tables = copy_of(&join->sets[JOIN_OUTPUTS], arena, &event->output_count);
    event->paths = copy_of(&join->sets[JOIN_PATHS], arena, &event->path_count);
    event->sources = ARENA_ARRAY(arena, struct event_source, join->seen.count);
    event->source_count = event->sources == NULL ? 0 : join->seen.count;
    if (event->source_count > 0)
        memcpy(event->sources, join->seen.items, join->seen.count * sizeof *event->sources);
    event->backfill = !join->live;
}
