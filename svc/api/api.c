/* From a request to its handler and back: checks, a reader of the store, the answer's headers. */
#include "api/api.h"

#include "api/guard.h"
#include "api/handlers.h"

#include "base/utf8.h"
#include "run/hash.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    READERS = 4,
    READER_WAIT_S = 10,
    CACHE_BYTES = 64 << 20, /* of each reader */
    ARENA_MOST = 512 << 20,
    STATUS_CLASSES = 6
};

/* A handle of the store and memory; belongs to one call at a time. */
struct reader {
    struct store *store;
    struct arena arena;
    bool taken;
};

struct api {
    struct api_options options;
    struct guard *guard;
    struct reader *readers;
    unsigned reader_count;
    pthread_mutex_t lock; /* of `taken` */
    pthread_cond_t freed;
    struct metric *answered[STATUS_CLASSES], *seconds;
};

static const struct handler handlers[] = {
    {"/home", answer_home, "", false, CALL_GETS},
    {"/databases", answer_databases, "namespace limit cursor format", true, CALL_GETS},
    {"/search", answer_search, "q type namespace database offline limit cursor format", true,
     CALL_GETS},
    {"/table", answer_table, "name namespace count_to", false, CALL_GETS},
    {"/columns", answer_columns, "name namespace q order offline limit cursor format", true,
     CALL_GETS},
    {"/graph", answer_graph,
     "name namespace direction depth limit cursor indirect without_hubs offline temporary as_of",
     false, CALL_GETS},
    {"/column-graph", answer_column_graph,
     "name column namespace direction depth limit indirect without_hubs offline expressions as_of",
     false, CALL_GETS},
    {"/column-edges", answer_column_edges, "table limit indirect without_hubs as_of", false,
     CALL_GETS},
    {"/statements", answer_statements, "table limit indirect as_of", false, CALL_GETS},
    {"/owners", answer_owners, "table", false, CALL_GETS},
    {"/hop-counts", answer_hop_counts, "table", false, CALL_GETS},
    {"/edge", answer_edge, "source target source_column target_column limit cursor", false,
     CALL_GETS},
    {"/path", answer_path, "source target source_column target_column indirect as_of", false,
     CALL_GETS},
    {"/impact", answer_impact, "name column namespace layer offline limit cursor format", true,
     CALL_GETS},
    {"/heat", answer_heat, "namespace database limit cursor format", true, CALL_GETS},
    {"/unread", answer_unread, "namespace database limit cursor format", true, CALL_GETS},
    {"/dead-columns", answer_dead_columns, "name namespace database limit cursor format", true,
     CALL_GETS},
    {"/queries", answer_queries,
     "name namespace role user engine status fingerprint from to limit cursor format", true,
     CALL_GETS},
    {"/query", answer_query, "id", false, CALL_GETS},
    {"/history", answer_history, "name namespace limit cursor format", true, CALL_GETS},
    {"/changes", answer_changes, "namespace database limit cursor format", true, CALL_GETS},
    {"/diff", answer_diff,
     "name namespace from to direction depth limit indirect without_hubs temporary", false,
     CALL_GETS},
    {"/checks", answer_checks, "name namespace database status limit cursor format", true,
     CALL_GETS},
    {"/checks", take_checks, "", false, CALL_WRITES},
    {"/who-is-hit", answer_who_is_hit, "name namespace column offline limit cursor format", true,
     CALL_GETS},
    {"/analyze", answer_analyze, "", false, CALL_POSTS},
    {"/health", answer_health, "", false, CALL_GETS},
    {"/openapi.yaml", answer_openapi, "", false, CALL_GETS},
};

enum { HANDLERS = sizeof handlers / sizeof handlers[0] };

const char *api_path(size_t index)
{
    return index < HANDLERS ? handlers[index].path : NULL;
}

const struct api_options *api_options_of(const struct api *api)
{
    return &api->options;
}

/* ---- life ----------------------------------------------------------------------------------- */

static void make_metrics(struct api *api, struct metrics *metrics)
{
    static const char help[] = "Calls of the interface, by the first digit of their status.";
    static const str_t classes[STATUS_CLASSES] = {STR("0xx"), STR("1xx"), STR("2xx"),
                                                  STR("3xx"), STR("4xx"), STR("5xx")};
    for (unsigned i = 2; i < STATUS_CLASSES; i++)
        api->answered[i] = metrics_counter(metrics, "colline_api_calls_total", help,
                                           METRIC_LABELS({"status", classes[i]}));
    api->seconds = metrics_histogram(metrics, "colline_api_call_seconds",
                                     "Time from a call to its answer.", NULL, 0, METRIC_NO_LABELS);
}

struct api *api_new(const struct api_options *options)
{
    struct api *api = calloc(1, sizeof *api);
    if (api == NULL)
        return NULL;
    api->options = *options;
    api->reader_count = options->readers == 0 ? READERS : options->readers;
    api->readers = calloc(api->reader_count, sizeof *api->readers);
    api->guard = guard_new(&(struct guard_options){.token = options->token,
                                                   .tokens_wanted = options->tokens_wanted,
                                                   .proxies = options->proxies,
                                                   .proxy_count = options->proxy_count,
                                                   .proxy_secret = options->proxy_secret,
                                                   .proxy_sql = options->proxy_sql,
                                                   .hosts = options->hosts,
                                                   .host_count = options->host_count,
                                                   .log = options->log,
                                                   .clock = options->clock});
    pthread_mutex_init(&api->lock, NULL);
    pthread_cond_init(&api->freed, NULL);
    if (api->readers == NULL || api->guard == NULL) {
        api_free(api);
        return NULL;
    }
    for (unsigned i = 0; i < api->reader_count; i++)
        arena_init(&api->readers[i].arena, ARENA_MOST, NULL);
    make_metrics(api, options->metrics);
    return api;
}

void api_free(struct api *api)
{
    if (api == NULL)
        return;
    for (unsigned i = 0; i < api->reader_count && api->readers != NULL; i++) {
        store_close(api->readers[i].store);
        arena_release(&api->readers[i].arena);
    }
    guard_free(api->guard);
    pthread_cond_destroy(&api->freed);
    pthread_mutex_destroy(&api->lock);
    free(api->readers);
    free(api);
}

void api_routes(struct api *api, struct http_route *routes)
{
    routes[0] = (struct http_route){.path = "/api/",
                                    .handle = api_handle,
                                    .context = api,
                                    .open = true,
                                    .prefix = true,
                                    .posts = true};
    routes[1] = (struct http_route){
        .path = "/", .handle = api_handle_page, .context = api, .open = true, .prefix = true};
}

/* ---- readers -------------------------------------------------------------------------------- */

static struct reader *free_reader(struct api *api)
{
    struct reader *found = NULL;
    for (unsigned i = 0; i < api->reader_count; i++)
        if (!api->readers[i].taken &&
            (found == NULL || (found->store == NULL && api->readers[i].store != NULL)))
            found = &api->readers[i];
    return found;
}

/* NULL when none came free in time. */
static struct reader *take_reader(struct api *api)
{
    struct timespec until;
    struct reader *reader;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += READER_WAIT_S;
    pthread_mutex_lock(&api->lock);
    while ((reader = free_reader(api)) == NULL)
        if (pthread_cond_timedwait(&api->freed, &api->lock, &until) != 0)
            break;
    if (reader != NULL)
        reader->taken = true;
    pthread_mutex_unlock(&api->lock);
    return reader;
}

static void give_back(struct api *api, struct reader *reader)
{
    arena_clear(&reader->arena);
    pthread_mutex_lock(&api->lock);
    reader->taken = false;
    pthread_cond_signal(&api->freed);
    pthread_mutex_unlock(&api->lock);
}

static bool open_store(struct call *call, struct reader *reader)
{
    struct buf reason;
    if (reader->store != NULL)
        return true;
    buf_init(&reason, 0);
    const struct store_options options = {
        .address = call->api->options.store, .access = DB_READ, .cache_bytes = CACHE_BYTES};
    reader->store = store_open(&options, &reason);
    if (reader->store == NULL) {
        call->answer->retry_after = 5;
        call_refuse(call, 503, "The store cannot be opened: %.*s", (int)reason.len, reason.ptr);
    }
    buf_release(&reason);
    return reader->store != NULL;
}

/* ---- one call ------------------------------------------------------------------------------- */

bool call_shows_sql(struct call *call)
{
    if ((call->scopes & SCOPE_SQL) == 0)
        return false;
    if (!call->sql_logged && call->who.len > 0)
        log_say(call->api->options.log, LOG_LEVEL_INFO, "api.sql", call->who,
                "SQL text is shown for %.*s to %.*s", (int)call->request->path.len,
                call->request->path.ptr, (int)call->request->peer.len, call->request->peer.ptr);
    call->sql_logged = true;
    return true;
}

/* The one that takes the method, where there is such a one. */
static const struct handler *find_handler(str_t path, bool post)
{
    const struct handler *found = NULL;
    str_t root = STR("/api/v1");
    if (!str_starts_with(path, root))
        return NULL;
    str_t own = str_make(path.ptr + root.len, path.len - root.len);
    for (size_t i = 0; i < HANDLERS; i++)
        if (str_eq(own, str_make(handlers[i].path, strlen(handlers[i].path))) &&
            (found == NULL || (handlers[i].kind != CALL_GETS) == post))
            found = &handlers[i];
    return found;
}

static bool is_word_of(str_t word, const char *words)
{
    str_t list = str_make(words, strlen(words));
    for (size_t at = 0; at < list.len;) {
        size_t end = str_find(list, ' ', at);
        if (str_eq(word, str_make(list.ptr + at, end - at)))
            return true;
        at = end + 1;
    }
    return false;
}

static void check_arguments(struct call *call, const struct handler *handler)
{
    enum { VALUE_MOST = 8000 };
    size_t where;
    for (size_t i = 0; i < call->request->argument_count && !call->refused; i++) {
        const struct http_pair *argument = &call->request->arguments[i];
        int shown = argument->name.len > 100 ? 100 : (int)argument->name.len;
        if (!is_word_of(argument->name, handler->parameters))
            call_refuse(call, 400, "There is no parameter `%.*s` here.", shown, argument->name.ptr);
        else if (argument->value.len > VALUE_MOST || !utf8_valid(argument->value, &where) ||
                 memchr(argument->value.ptr, '\0', argument->value.len) != NULL)
            call_refuse(call, 400, "`%.*s` is no text in UTF-8, or too long.", shown,
                        argument->name.ptr);
    }
}

/* False after a refusal. */
static bool check_call(struct call *call, const struct handler *handler)
{
    static const char *const formats[] = {"json", "csv", NULL};
    if (handler == NULL) {
        call_refuse(call, 404,
                    "There is nothing at this path; /api/v1/openapi.yaml says what there is.");
        return false;
    }
    bool posts = handler->kind != CALL_GETS;
    if ((call->request->method == HTTP_METHOD_POST) != posts)
        call_refuse(call, 405, posts ? "This path takes POST." : "This path takes GET.");
    else
        check_arguments(call, handler);
    if (call->refused)
        return false;
    call->csv =
        handler->list && (call_choice(call, STR("format"), formats, 0) == 1 ||
                          (call_text(call, STR("format")).len == 0 &&
                           str_eq(http_header(call->request, STR("Accept")), STR("text/csv"))));
    return !call->refused;
}

static void say_trouble(struct call *call)
{
    enum db_trouble trouble = db_trouble(call->ask.db);
    str_t words = db_message(call->ask.db);
    call->answer->retry_after = 5;
    if (call->ask.arena->failed && !db_failed(call->ask.db))
        call_refuse(call, 503,
                    "The answer needs more memory than a question may have: ask for less of it.");
    else if (trouble == DB_GONE)
        call_refuse(call, 503, "The store's server cannot be reached: %.*s", (int)words.len,
                    words.ptr);
    else if (trouble == DB_BUSY)
        call_refuse(call, 503, "The store is locked by somebody else.");
    else
        call_refuse(call, 503, "The store cannot be read: %.*s", (int)words.len, words.ptr);
    log_say(call->api->options.log, LOG_LEVEL_WARNING, "api.store", call->request->path,
            "a question was not answered: %.*s", (int)words.len, words.ptr);
}

/* Answers within one moment of the store; what went wrong with it stays in the handle. */
static void ask_and_answer(struct call *call, const struct handler *handler)
{
    out_init(&call->out, &call->answer->body, call->csv);
    (void)db_begin_read(call->ask.db);
    enum api_scope wanted = handler->kind == CALL_WRITES ? SCOPE_WRITE : SCOPE_READ;
    if (guard_token(call->api->guard, call, wanted) && !ask_failed(&call->ask)) {
        call->answer->content_type = call->csv ? "text/csv; charset=utf-8" : "application/json";
        if (call->csv)
            call->answer->disposition = "attachment; filename=\"colline.csv\"";
        ask_settle_now(&call->ask);
        handler->answer(call);
    }
    out_release(&call->out);
}

/* A server that was away may be back: then the question is asked once more. */
static bool is_back(struct call *call)
{
    if (db_trouble(call->ask.db) != DB_GONE || call->refused || !db_rollback(call->ask.db))
        return false;
    buf_clear(&call->answer->body);
    return true;
}

static void answer_call(struct call *call, struct reader *reader, const struct handler *handler)
{
    call->ask = ask_of(reader->store, &reader->arena, clock_now(call->api->options.clock));
    ask_and_answer(call, handler);
    if (is_back(call))
        ask_and_answer(call, handler);
    if (!call->refused && ask_failed(&call->ask))
        say_trouble(call);
    db_end_read(call->ask.db);
    if (db_failed(call->ask.db))
        (void)db_rollback(call->ask.db);
}

/* The same bytes have the same tag; who has them already gets none. */
static void add_etag(const struct http_request *request, struct http_answer *answer)
{
    if (answer->status != 200 || request->method == HTTP_METHOD_POST)
        return;
    struct hash128 hash = hash128(buf_str(&answer->body), 0);
    (void)snprintf(answer->etag, sizeof answer->etag, "\"%016" PRIx64 "%016" PRIx64 "\"", hash.high,
                   hash.low);
    answer->cache_control = "private, no-cache";
    str_t known = http_header(request, STR("If-None-Match"));
    if (str_eq(known, str_make(answer->etag, strlen(answer->etag)))) {
        answer->status = 304;
        buf_clear(&answer->body);
    }
}

static void handle(struct api *api, const struct http_request *request, struct http_answer *answer)
{
    struct call call = {.api = api, .request = request, .answer = answer};
    const struct handler *handler =
        find_handler(request->path, request->method == HTTP_METHOD_POST);
    answer->policy = "default-src 'none'; frame-ancestors 'none'";
    if (!guard_origin(api->guard, &call) || !check_call(&call, handler))
        return;
    struct reader *reader = take_reader(api);
    if (reader == NULL) {
        answer->retry_after = 1;
        call_refuse(&call, 429, "Too many questions are being answered at the moment.");
        return;
    }
    if (open_store(&call, reader))
        answer_call(&call, reader, handler);
    give_back(api, reader);
    add_etag(request, answer);
}

void api_handle(void *context, const struct http_request *request, struct http_answer *answer)
{
    struct api *api = context;
    int64_t begun = clock_steady(api->options.clock);
    handle(api, request, answer);
    unsigned class = answer->status / 100;
    if (class < STATUS_CLASSES)
        metric_add(api->answered[class], 1);
    metric_observe(api->seconds, (double)(clock_steady(api->options.clock) - begun) / 1000);
}
