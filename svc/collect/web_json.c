/* Members by name; what a page has besides is not looked at. Measures are texts made for people. */
#include "collect/web_json.h"

#include "base/json.h"
#include "collect/line.h"

enum { MINUTE_MS = 60000, DAY_MS = 86400000 };

/* ---- times --------------------------------------------------------------------------------- */

/* `yyyy-MM-dd HH:mm:ss.mmm`, local. The end of what still runs is printed as the epoch: unknown. */
static int64_t time_ms(struct local_clock *clock, str_t text)
{
    int64_t ms = local_clock_ms(clock, text);
    return ms > DAY_MS ? ms : 0;
}

/* From a minute on the text is rounded to seconds, and worse: then the times tell it better. */
static int64_t duration_of(const struct web_query *query, str_t text)
{
    int64_t ms = 0;
    bool printed = str_eq(text, STR("0")) || duration_ms(text, &ms),
         times = query->start_ms > 0 && query->end_ms >= query->start_ms;
    if (printed && (ms < MINUTE_MS || !times))
        return ms;
    return times ? query->end_ms - query->start_ms : -1;
}

/* ---- the list of queries ------------------------------------------------------------------- */

static bool read_query(const struct json *entry, struct local_clock *clock, struct arena *arena,
                       struct web_query *query)
{
    str_t id = json_member_text(entry, STR("query_id"));
    char *lower = id128_read(id, &query->id) ? arena_alloc(arena, 33) : NULL;
    if (lower == NULL)
        return false;
    id128_write(lower, query->id);
    query->id_text = str_make(lower, 33);
    query->user = json_member_text(entry, STR("effective_user"));
    query->database = json_member_text(entry, STR("default_db"));
    query->type = json_member_text(entry, STR("stmt_type"));
    query->state = json_member_text(entry, STR("state"));
    query->sql = json_member_text(entry, STR("stmt"));
    query->cut = str_ends_with(query->sql, STR("..."));
    query->waiting = !query->completed && json_member_true(entry, STR("waiting"));
    query->start_ms = time_ms(clock, json_member_text(entry, STR("start_time")));
    if (query->completed)
        query->end_ms = time_ms(clock, json_member_text(entry, STR("end_time")));
    query->duration_ms =
        query->completed ? duration_of(query, json_member_text(entry, STR("duration"))) : -1;
    return true;
}

static size_t length_of(const struct json *array)
{
    size_t count = 0;
    for (const struct json *item = array->first; item != NULL; item = item->next)
        count++;
    return count;
}

static void read_queries(const struct json *array, bool completed, struct local_clock *clock,
                         struct arena *arena, struct web_page *page)
{
    for (const struct json *item = array->first; item != NULL; item = item->next) {
        struct web_query *query = &page->queries[page->count];
        *query = (struct web_query){.completed = completed};
        if (read_query(item, clock, arena, query))
            page->count++;
        else
            page->unreadable++;
    }
}

static void turn_round(struct web_query *queries, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct web_query other = queries[i];
        queries[i] = queries[count - 1 - i];
        queries[count - 1 - i] = other;
    }
}

bool web_page_read(str_t json, const struct zone *zone, struct arena *arena, struct web_page *page,
                   const char **message)
{
    size_t where;
    struct local_clock clock;
    *page = (struct web_page){0};
    const struct json *answer = json_read(arena, json, message, &where);
    if (answer == NULL)
        return false;
    page->error = json_member_text(answer, STR("error"));
    if (page->error.len > 0)
        return true;
    const struct json *completed = json_member(answer, STR("completed_queries")),
                      *in_flight = json_member(answer, STR("in_flight_queries"));
    *message = "it is no list of queries";
    if (completed == NULL || in_flight == NULL || completed->kind != JSON_ARRAY ||
        in_flight->kind != JSON_ARRAY)
        return false;
    *message = "out of memory";
    page->queries =
        ARENA_ARRAY(arena, struct web_query, length_of(completed) + length_of(in_flight) + 1);
    if (page->queries == NULL)
        return false;
    local_clock_init(&clock, zone);
    read_queries(completed, true, &clock, arena, page);
    page->completed = page->count;
    turn_round(page->queries, page->completed);
    read_queries(in_flight, false, &clock, arena, page);
    return !arena->failed;
}

int64_t web_page_span(const struct web_page *page)
{
    if (page->completed == 0)
        return 0;
    int64_t oldest = page->queries[0].end_ms, newest = page->queries[page->completed - 1].end_ms;
    return oldest > 0 && newest > oldest ? newest - oldest : 0;
}

bool web_text_read(str_t json, struct arena *arena, struct web_text *text, const char **message)
{
    size_t where;
    *text = (struct web_text){0};
    const struct json *answer = json_read(arena, json, message, &where);
    if (answer == NULL)
        return false;
    *message = "it is no statement";
    if (answer->kind != JSON_OBJECT)
        return false;
    text->sql = json_member_text(answer, STR("stmt"));
    text->status = json_member_text(answer, STR("status"));
    text->error = json_member_text(answer, STR("error"));
    return true;
}
