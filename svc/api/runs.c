/* Answers about queries that ran, and about what breaks. */
#include "api/handlers.h"

#include "ask/impact.h"

/* ---- queries -------------------------------------------------------------------------------- */

/* `END.QUERY_ID` of the last one of the page before. */
static void take_query_cursor(struct call *call, struct ask_queries_wish *wish)
{
    str_t cursor = call_text(call, STR("cursor"));
    size_t dot = str_find(cursor, '.', 0);
    int64_t end = 0;
    if (cursor.len == 0)
        return;
    for (size_t i = 0; i < dot && i < 18; i++) {
        if (cursor.ptr[i] < '0' || cursor.ptr[i] > '9')
            end = -1;
        end = end < 0 ? -1 : end * 10 + (cursor.ptr[i] - '0');
    }
    if (dot == cursor.len || dot == 0 || dot > 18 || end <= 0) {
        call_refuse(call, 400, "`cursor`: the `next` of another page is wanted.");
        return;
    }
    wish->before = end;
    wish->before_query = str_make(cursor.ptr + dot + 1, cursor.len - dot - 1);
}

static str_t query_cursor(struct call *call, const struct ask_queries *queries)
{
    if (!queries->more)
        return STR("");
    return arena_concat(call->ask.arena,
                        (const str_t[]){number_text(call->ask.arena, queries->next_before),
                                        STR("."), queries->next_query},
                        3);
}

static void write_queries(struct call *call, const struct ask_queries *queries)
{
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < queries->count; i++) {
        out_row(&call->out);
        write_query(&call->out, &queries->items[i]);
        out_row_end(&call->out);
    }
    call_list_end(call, query_cursor(call, queries), -1);
}

void answer_queries(struct call *call)
{
    static const char *const roles[] = {"read", "write", NULL};
    static const char *const engines[] = {"hive", "impala", NULL};
    static const char *const statuses[] = {"OK",         "ERROR",   "CANCELLED", "RETRIED",
                                           "INCOMPLETE", "UNKNOWN", NULL};
    int role = call_choice(call, STR("role"), roles, -1);
    struct ask_queries_wish wish = {.reads = role != 1,
                                    .writes = role != 0,
                                    .user = call_text(call, STR("user")),
                                    .engine = call_text(call, STR("engine")),
                                    .status = call_text(call, STR("status")),
                                    .fingerprint = call_text(call, STR("fingerprint")),
                                    .to_day = day_of(ask_now(&call->ask)) + 1,
                                    .limit = call_limit(call)};
    (void)call_choice(call, STR("engine"), engines, -1);
    (void)call_choice(call, STR("status"), statuses, -1);
    (void)call_day(call, STR("from"), &wish.from_day);
    (void)call_day(call, STR("to"), &wish.to_day);
    take_query_cursor(call, &wish);
    if (call_text(call, STR("name")).len > 0)
        wish.dataset = call_dataset(call);
    if (call->refused || ask_failed(&call->ask))
        return;
    struct ask_queries queries = ask_queries(&call->ask, &wish);
    out_begin(&call->out, STR(""));
    write_queries(call, &queries);
    out_end(&call->out);
}

static void write_marks(struct out *out, const struct ask_query_detail *detail, bool sql)
{
    out_list(out, STR("marks"));
    for (uint32_t i = 0; i < detail->mark_count && sql; i++) {
        const struct ask_mark *mark = &detail->marks[i];
        out_begin(out, STR(""));
        out_number(out, STR("start"), (int64_t)mark->start);
        out_number(out, STR("end"), (int64_t)mark->end);
        out_word(out, STR("role"), mark->target ? STR("target") : STR("source"));
        out_word(out, STR("name"), mark->name);
        out_end(out);
    }
    out_list_end(out);
}

void answer_query(struct call *call)
{
    struct ask_query_detail detail;
    struct ask_words problems = {0};
    struct out *out = &call->out;
    bool sql = call_shows_sql(call);
    str_t id = call_wanted_text(call, STR("id"));
    if (call->refused)
        return;
    if (!ask_query_detail(&call->ask, id, &detail)) {
        if (!ask_failed(&call->ask))
            call_refuse_with(call, 404, NULL, 0, "There is no query %.*s.",
                             id.len > 200 ? 200 : (int)id.len, id.ptr);
        return;
    }
    ask_words_split(&problems, call->ask.arena, detail.uncertain);
    out_begin(out, STR(""));
    out_begin(out, STR("query"));
    write_query(out, &detail.query);
    out_end(out);
    out_text(out, STR("sql"), sql ? detail.sql : STR(""));
    out_text(out, STR("error"), sql ? detail.error : STR(""));
    write_marks(out, &detail, sql);
    out_json(out, STR("lineage"), sql ? detail.document : STR(""));
    write_uncertain(out, STR("problems"), &problems);
    out_known(out, STR("other_runs"), detail.other_runs);
    out_end(out);
}

/* ---- impact --------------------------------------------------------------------------------- */

static void write_dependents(struct call *call, struct ask_dependent *items, uint32_t total,
                             uint32_t skip, uint32_t limit)
{
    uint32_t from = skip < total ? skip : total;
    uint32_t count = total - from < limit ? total - from : limit;
    ask_dependents_fill(&call->ask, items + from, count);
    str_t *via = dependents_via(call, items + from, count);
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < count && via != NULL; i++) {
        out_row(&call->out);
        write_dependent(&call->out, call->ask.arena, &items[from + i], via[i]);
        out_row_end(&call->out);
    }
    call_list_skip(call, from + count < total, from + count, total);
}

enum { LAYER_DIRECT, LAYER_QUERIES, LAYER_INDIRECT };

static void write_near_or_far(struct call *call, struct ask_impact *impact, bool near, bool wanted,
                              uint32_t skip, uint32_t limit)
{
    str_t key = near ? STR("direct") : STR("indirect");
    if (!wanted) {
        out_null(&call->out, key);
        return;
    }
    out_begin(&call->out, key);
    if (near)
        write_dependents(call, impact->items, impact->near, skip, limit);
    else
        write_dependents(
            call, impact->count > impact->near ? impact->items + impact->near : impact->items,
            impact->count - impact->near, skip, limit);
    out_end(&call->out);
}

static void write_impact_queries(struct call *call, const struct ask_queries_wish *wish,
                                 bool wanted)
{
    if (!wanted) {
        out_null(&call->out, STR("queries"));
        return;
    }
    struct ask_queries queries = ask_queries(&call->ask, wish);
    out_begin(&call->out, STR("queries"));
    write_queries(call, &queries);
    out_end(&call->out);
}

void answer_impact(struct call *call)
{
    static const char *const layers[] = {"direct", "queries", "indirect", NULL};
    int layer = call_choice(call, STR("layer"), layers, -1);
    bool offline = call_flag(call, STR("offline"));
    uint32_t limit = call_limit(call), skip = 0;
    str_t column = call_text(call, STR("column"));
    struct ask_queries_wish wish = {.reads = true,
                                    .from_day = ask_first_day(&call->ask),
                                    .to_day = day_of(ask_now(&call->ask)) + 1,
                                    .limit = limit};
    wish.dataset = call_dataset(call);
    if (column.len > 0)
        wish.column = call_column(call, wish.dataset, column);
    if (layer == LAYER_QUERIES)
        take_query_cursor(call, &wish);
    else if (layer >= 0)
        skip = call_skip(call);
    else if (call_text(call, STR("cursor")).len > 0)
        call_refuse(call, 400, "`cursor` goes with `layer`.");
    if (call->refused || ask_failed(&call->ask))
        return;
    struct ask_impact impact = {.complete = true};
    if (layer != LAYER_QUERIES)
        impact = ask_impact(&call->ask, wish.dataset, wish.column, offline);
    struct out *out = &call->out;
    out_begin(out, STR(""));
    out_word(out, STR("subject"),
             wish.column != 0 ? column_key_by_id(&call->ask, wish.column)
                              : dataset_key_by_id(&call->ask, wish.dataset));
    write_near_or_far(call, &impact, true, layer < 0 || layer == LAYER_DIRECT, skip, limit);
    write_impact_queries(call, &wish, layer == LAYER_QUERIES || (layer < 0 && !call->csv));
    write_near_or_far(call, &impact, false, layer < 0 || layer == LAYER_INDIRECT, skip, limit);
    out_flag(out, STR("complete"), impact.complete);
    out_end(out);
}

/* ---- what became of tables ------------------------------------------------------------------ */

static void write_changes(struct call *call, const struct ask_changes *changes, uint32_t skip)
{
    out_begin(&call->out, STR(""));
    out_list(&call->out, STR("items"));
    for (uint32_t i = 0; i < changes->count; i++) {
        out_row(&call->out);
        write_change(&call->out, call->ask.arena, &changes->items[i]);
        out_row_end(&call->out);
    }
    call_list_skip(call, changes->more, skip + changes->count, -1);
    out_end(&call->out);
}

void answer_history(struct call *call)
{
    uint32_t limit = call_limit(call), skip = call_skip(call);
    int64_t dataset = call_dataset(call);
    if (call->refused || dataset == 0)
        return;
    struct ask_changes changes = ask_history(&call->ask, dataset, limit, skip);
    write_changes(call, &changes, skip);
}

void answer_changes(struct call *call)
{
    const struct ask_changes_wish wish = {.name_space = call_namespace(call),
                                          .database = call_text(call, STR("database")),
                                          .limit = call_limit(call),
                                          .skip = call_skip(call)};
    if (call->refused)
        return;
    struct ask_changes changes = ask_changes(&call->ask, &wish);
    write_changes(call, &changes, wish.skip);
}
