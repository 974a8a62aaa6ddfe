/*
 * A poll: the list is asked for, matched with what is known, and its queries are given one by one,
 * the oldest first, for they go first; a text that is cut is fetched before its query is given, as
 * long as that does not hold up the next poll. Asking is done in a thread of its own, all else in
 * the collector's.
 */
#include "collect/web_inner.h"

#include "collect/line.h"
#include "collect/privacy.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PAGE_MAX = 64 << 20,
    RESULT_AFTER_MS = 60000 /* a query whose client forgot to close it is over for us */
};

static int64_t steady(const struct web *web)
{
    return clock_steady(web->base.output.clock);
}

/* ---- records ------------------------------------------------------------------------------- */

static str_t status_of(str_t state)
{
    static const struct {
        str_t state, status;
    } ends[] = {{STR("FINISHED"), STR("OK")},
                {STR("EXCEPTION"), STR("ERROR")},
                {STR("RETRIED"), STR("RETRIED")}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (str_eq(state, ends[i].state))
            return ends[i].status;
    return STR("");
}

/* What is to be given of a query now; 0: nothing. */
static unsigned to_give(const struct web *web, const struct web_query *query,
                        struct web_known *known)
{
    bool result = query->waiting && status_of(query->state).len > 0;
    if (query->completed)
        return known->given & WEB_GAVE_END ? 0 : WEB_GAVE_END;
    if (result && known->waiting_since == 0)
        known->waiting_since = steady(web);
    if (!(known->given & WEB_GAVE_START))
        return WEB_GAVE_START;
    if (result && !(known->given & WEB_GAVE_RESULT) &&
        steady(web) - known->waiting_since >= RESULT_AFTER_MS)
        return WEB_GAVE_RESULT;
    return 0;
}

/* Whether a page of its own tells more: the rest of the text, or the error. */
static bool needs_text(const struct web_query *query, const struct web_known *known)
{
    bool failed = query->completed && str_eq(query->state, STR("EXCEPTION"));
    return (query->cut && !(known->given & WEB_GAVE_TEXT)) || failed;
}

/* The text whole, or as far as the list shows it; nothing when it was given before. */
static bool fill_text(const struct web *web, const struct web_query *query,
                      const struct web_known *known, struct raw_record *record)
{
    if (known->given & WEB_GAVE_TEXT)
        return false;
    bool fetched = web->text.sql.len > 0;
    record->sql = fetched ? web->text.sql : query->sql;
    record->sql_cut = query->cut && !fetched;
    return !record->sql_cut && record->sql.len > 0;
}

static void fill_end(const struct web *web, const struct web_query *query,
                     struct raw_record *record)
{
    record->state = query->state;
    record->status = status_of(query->state);
    record->end_ms = query->end_ms;
    record->duration_ms = query->duration_ms;
    if (record->status.len == 0)
        record->status = STR("UNKNOWN");
    str_t error = str_trim(web->text.status);
    if (str_eq(record->status, STR("ERROR")) && error.len > 0 && !str_eq(error, STR("OK"))) {
        record->error = error;
        if (str_starts_with(error, STR("Cancelled")))
            record->status = STR("CANCELLED");
    }
}

static str_t cursor_of(struct web *web, const struct web_query *query, unsigned give)
{
    const char *what = give == WEB_GAVE_END      ? "/end"
                       : give == WEB_GAVE_RESULT ? "/result"
                                                 : "/start";
    char *text = arena_alloc(&web->text_arena, 48);
    if (text == NULL)
        return STR("");
    int len = snprintf(text, 48, "%.33s%s", query->id_text.ptr, what);
    return str_make(text, (size_t)len);
}

static struct raw_record describe(struct web *web, const struct web_query *query,
                                  const struct web_known *known, unsigned give)
{
    const struct config_source *source = web->options.source;
    bool first = !(known->given & WEB_GAVE_START);
    struct raw_record record = raw_empty(RAW_WEB, first ? RAW_QUERY : RAW_FINISH);
    record.cluster = web->options.cluster;
    record.host = web->host;
    record.captured_at = clock_now(web->base.output.clock);
    record.position =
        (struct raw_position){.file = source->url, .cursor = cursor_of(web, query, give)};
    record.query_id = query->id_text;
    record.user = query->user;
    record.database = query->database.len > 0 ? query->database : source->database;
    record.statement_type = query->type;
    record.start_ms = query->start_ms;
    record.time_ms = give == WEB_GAVE_START ? query->start_ms : query->end_ms;
    record.backfill = source->backfill;
    if (give == WEB_GAVE_START && status_of(query->state).len == 0)
        record.state = query->state; /* one that names an end would be taken for it */
    return record;
}

/* False: the receiver is full, or memory is out. */
static bool give(struct web *web, const struct web_query *query, struct web_known *known,
                 unsigned what)
{
    struct raw_record record = describe(web, query, known, what);
    unsigned gave = what;
    if (fill_text(web, query, known, &record))
        gave |= WEB_GAVE_TEXT;
    if (what == WEB_GAVE_END)
        fill_end(web, query, &record);
    if (what == WEB_GAVE_RESULT) {
        fill_end(web, query, &record);
        record.time_ms = record.captured_at - (steady(web) - known->waiting_since);
    }
    if (!privacy_apply(web->options.sql_text, &record, &web->text_arena) ||
        !web_knowledge_room(&web->knowledge) ||
        !web->base.output.emit(web->base.output.context, &record, web->knowledge.next_cookie))
        return false;
    web_knowledge_gave(&web->knowledge, known, gave);
    metric_add(record.kind == RAW_QUERY ? web->metrics.queries : web->metrics.finishes, 1);
    if (what == WEB_GAVE_END) {
        web->ended++;
        metric_set(web->metrics.lag, (double)(record.captured_at - query->end_ms) / 1000);
    }
    return true;
}

/* ---- polls --------------------------------------------------------------------------------- */

static void rest(struct web *web, int64_t since)
{
    web->phase = WEB_AT_REST;
    web->due = since + web->pace.wait_ms;
    metric_set(web->metrics.interval, (double)web->pace.wait_ms / 1000);
}

static void fail(struct web *web)
{
    web_pace_failed(&web->pace);
    rest(web, steady(web));
}

static void ask_list(struct web *web)
{
    metric_add(web->metrics.polls, 1);
    if (web_fetch_begin(web->fetch, STR("/queries?json"))) {
        web->phase = WEB_ASKED_LIST;
        return;
    }
    web_trouble(web, "url", "the address is too long");
    fail(web);
}

static bool parse_list(struct web *web, struct hook_answer *answer)
{
    const char *message;
    char text[256];
    struct buf list =
        web->list; /* the answer's memory for ours, which lasts while texts are fetched */
    web->list = answer->body;
    answer->body = list;
    arena_clear(&web->arena);
    if (!web_page_read(buf_str(&web->list), web->options.zone, &web->arena, &web->page, &message)) {
        snprintf(text, sizeof text, "the answer cannot be read: %s", message);
        web_trouble(web, "bad_answer", text);
        return false;
    }
    if (web->page.error.len > 0) {
        size_t len = web->page.error.len < 200 ? web->page.error.len : 200;
        snprintf(text, sizeof text, "the daemon says: %.*s", (int)len, web->page.error.ptr);
        web_trouble(web, "error", text);
        return false;
    }
    return true;
}

/* From one page to the next: what changed, and when to look again. */
static bool compare(struct web *web)
{
    struct web_change change;
    int64_t now = steady(web);
    if (!web_knowledge_match(&web->knowledge, &web->page, &change))
        return false;
    web_watch_completeness(web, &change);
    web_watch_entries(web);
    web_watch_clock(web);
    const struct web_turnover turnover = {
        .fresh = web->listed_at == 0 ? web->page.completed : change.fresh,
        .listed = web->page.completed,
        .news = change.any,
        .since_ms = web->listed_at == 0 ? web_page_span(&web->page) : now - web->listed_at,
    };
    web_pace_good(&web->pace, &turnover);
    if (web->pace.held_back)
        log_say(web->base.output.log, LOG_LEVEL_WARNING, "web.load", web->options.source->name,
                "%s: queries end faster than the daemon may be asked without harm; read its "
                "profile log",
                web->url);
    web->listed_at = now;
    return true;
}

static void take_list(struct web *web)
{
    bool whole;
    struct hook_answer *answer = web_fetch_take(web->fetch, &whole);
    if (answer == NULL)
        return;
    if (web_judge(web, answer, whole) != NULL || !parse_list(web, answer)) {
        fail(web);
        return;
    }
    web_no_trouble(web);
    if (!compare(web)) {
        web_trouble(web, "memory", "out of memory");
        fail(web);
        return;
    }
    web->next = 0;
    web->text_asked = false;
    web->text = (struct web_text){0};
    web->phase = WEB_GIVING;
}

/* Half of the time until the next poll is over: lists go before texts. */
static bool is_late(const struct web *web)
{
    return !web->options.once && steady(web) - web->listed_at > web->pace.wait_ms / 2;
}

/* Whether the query is on the next page too, for all we know, and then may have its text. */
static bool can_wait(const struct web *web, const struct web_query *query)
{
    return is_late(web) && query->completed && !web->text_asked &&
           web->next >= web->page.completed / 2;
}

/* Whether a text was asked for, and the query waits for it. */
static bool ask_text(struct web *web, const struct web_query *query)
{
    char path[96];
    int len = snprintf(path, sizeof path, "/query_stmt?query_id=%.33s&json", query->id_text.ptr);
    if (web->text_asked || is_late(web) ||
        !web_fetch_begin(web->fetch, str_make(path, (size_t)len)))
        return false;
    web->text_asked = true;
    web->phase = WEB_ASKED_TEXT;
    metric_add(web->metrics.texts, 1);
    return true;
}

/* A text that cannot be had leaves the one that was cut. */
static void take_text(struct web *web)
{
    bool whole;
    const char *message;
    struct hook_answer *answer = web_fetch_take(web->fetch, &whole);
    if (answer == NULL)
        return;
    web->phase = WEB_GIVING;
    if (web_judge(web, answer, whole) != NULL)
        return;
    if (!web_text_read(buf_str(&answer->body), &web->text_arena, &web->text, &message))
        web_trouble(web, "bad_answer", message);
    web->text.sql = web->text.error.len > 0 ? STR("") : web->text.sql;
}

static void go_to_next(struct web *web)
{
    web->next++;
    web->text_asked = false;
    web->text = (struct web_text){0};
    arena_clear(&web->text_arena);
}

static void end_page(struct web *web)
{
    double all = (double)web->ended + (double)web->missed;
    metric_set(web->metrics.completeness, all > 0 ? (double)web->ended / all : 1);
    web->polled = true;
    rest(web, web->listed_at);
}

/* False when the receiver is full. */
static bool give_counted(struct web *web, const struct web_query *query, struct web_known *known,
                         unsigned what, size_t *count)
{
    bool lost = query->cut && !(known->given & WEB_GAVE_TEXT) && web->text.sql.len == 0;
    if (!give(web, query, known, what))
        return false;
    metric_add(web->metrics.texts_gone, lost && what == WEB_GAVE_END);
    ++*count;
    return true;
}

/* One query of the page; false when it has to wait. */
static bool give_next(struct web *web, size_t *count)
{
    const struct web_query *query = &web->page.queries[web->next];
    struct web_known *known = web_knowledge_find(&web->knowledge, query->id);
    unsigned what = known == NULL ? 0 : to_give(web, query, known);
    bool fetch = what != 0 && needs_text(query, known);
    if (fetch && ask_text(web, query))
        return false;
    bool skip = fetch && can_wait(web, query);
    if (what != 0 && !skip && !give_counted(web, query, known, what, count))
        return false;
    go_to_next(web);
    return true;
}

/* ---- the collector ------------------------------------------------------------------------- */

static size_t web_step(struct collector *collector, size_t budget)
{
    struct web *web = (struct web *)collector;
    size_t count = 0;
    if (web->phase == WEB_AT_REST && steady(web) >= web->due && !(web->options.once && web->polled))
        ask_list(web);
    if (web->phase == WEB_ASKED_LIST)
        take_list(web);
    if (web->phase == WEB_ASKED_TEXT)
        take_text(web);
    while (web->phase == WEB_GIVING && count < budget) {
        if (web->next == web->page.count)
            end_page(web);
        else if (!give_next(web, &count))
            break;
    }
    return count;
}

static int web_idle_ms(struct collector *collector)
{
    const struct web *web = (const struct web *)collector;
    int64_t wait = web->due - steady(web);
    if (web->phase == WEB_GIVING)
        return 10;
    if (web->phase != WEB_AT_REST)
        return -1;
    return wait < 0 ? 0 : wait > 60000 ? 60000 : (int)wait;
}

static int web_descriptor(struct collector *collector)
{
    return web_fetch_descriptor(((const struct web *)collector)->fetch);
}

static void web_acked(struct collector *collector, uint64_t cookie)
{
    web_knowledge_acked(&((struct web *)collector)->knowledge, cookie);
}

static void web_settle(struct collector *collector)
{
    (void)collector; /* an acknowledgement is in the checkpoint at once */
}

static bool web_save(struct collector *collector)
{
    (void)collector; /* the checkpoint is saved by whoever opened it */
    return true;
}

/* Once: a page was given, or could not be had. */
static bool web_finished(const struct collector *collector)
{
    const struct web *web = (const struct web *)collector;
    bool tried = web->polled || (web->trouble != NULL && web->phase == WEB_AT_REST);
    return web->options.once && tried && web->knowledge.record_count == 0;
}

static void web_close(struct collector *collector)
{
    struct web *web = (struct web *)collector;
    web_fetch_free(web->fetch);
    web_knowledge_close(&web->knowledge);
    arena_release(&web->arena);
    arena_release(&web->text_arena);
    buf_release(&web->list);
    free(web->source);
    free(web->url);
    free(web);
}

/* The configured host, else that of the address. */
static str_t host_of(const struct config_source *source)
{
    size_t at = str_find_text(source->url, STR("://"), 0);
    if (source->host.len > 0 || at == source->url.len)
        return source->host;
    str_t rest = str_from(source->url, at + 3);
    bool ipv6 = rest.len > 0 && rest.ptr[0] == '[';
    size_t end = ipv6 ? str_find(rest, ']', 0) : 0;
    while (end < rest.len && rest.ptr[end] != ':' && rest.ptr[end] != '/')
        end++;
    return str_make(rest.ptr, end);
}

static bool open_parts(struct web *web)
{
    const struct config_source *source = web->options.source;
    web->source = strndup(source->name.ptr, source->name.len);
    web->url = strndup(source->url.ptr, source->url.len);
    web->host = host_of(source);
    return web->source != NULL && web->url != NULL &&
           web_knowledge_open(&web->knowledge, web->options.checkpoint, web->source, web->url) &&
           (web->fetch = web_fetch_new(source)) != NULL;
}

struct collector *web_new(const struct web_options *options, const struct collector_output *output)
{
    static const struct collector_ops ops = {
        .name = "web",
        .step = web_step,
        .idle_ms = web_idle_ms,
        .descriptor = web_descriptor,
        .acked = web_acked,
        .settle = web_settle,
        .save = web_save,
        .finished = web_finished,
        .close = web_close,
    };
    struct web *web = calloc(1, sizeof *web);
    if (web == NULL)
        return NULL;
    web->base = (struct collector){&ops, *output};
    web->options = *options;
    arena_init(&web->arena, 0, NULL);
    arena_init(&web->text_arena, 0, NULL);
    buf_init(&web->list, 0);
    web_pace_init(&web->pace, options->source->interval);
    if (!open_parts(web)) {
        web_close(&web->base);
        return NULL;
    }
    web_make_metrics(web);
    return &web->base;
}
