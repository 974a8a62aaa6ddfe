/*
 * Any bytes as a call of the interface: the first line is `METHOD PATH?ARGUMENTS`, the next ones
 * headers, behind an empty line the body. The answer is a status with a body that is JSON where it
 * says so, whatever was asked; a small store is behind it.
 */
#include "api/api.h"
#include "base/json.h"
#include "store/apply.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAIRS_MOST = 64 };

struct reading {
    str_t text;
    size_t at;
    char decoded[8192];
    size_t used;
    struct http_pair arguments[PAIRS_MOST], headers[PAIRS_MOST];
};

static struct {
    struct api *api;
    struct clock clock;
    int64_t now;
    char path[64];
} the; /* the fuzzer calls without a context */

/* ---- a store --------------------------------------------------------------------------------- */

static void add(struct applier *applier, const char *id, const char *document, const char *sql)
{
    struct event event = event_empty();
    struct event_source source = {.source = RAW_DAEMON_LOG, .host = STR("h"), .kinds = 1};
    event.query_id = str_make(id, strlen(id));
    event.revision = 1;
    event.name_space = STR("n");
    event.engine = STR("hive");
    event.user = STR("ann");
    event.database = STR("d");
    event.event_time = event.processing_time = event.timestamp = 1700000000000;
    event.operation_type = STR("INSERT");
    event.lineage = str_make(document, strlen(document));
    event.sql = str_make(sql, strlen(sql));
    event.sources = &source;
    event.source_count = 1;
    if (!applier_add(applier, &event))
        abort();
}

static void fill_store(void)
{
    static const char first[] =
        "{\"index\":0,\"type\":\"INSERT\",\"database\":\"d\",\"fingerprint\":\"f\",\"operation\":"
        "\"insert\",\"inputs\":[\"d.a\"],\"outputs\":[{\"table\":\"d.b\",\"write_mode\":\"append\"}"
        "],\"columns\":[{\"target\":\"d.b.x\",\"ordinal\":0,\"transform\":\"identity\",\"sources\":"
        "[\"d.a.x\"],\"expression\":\"x\"}],\"predicates\":[{\"clause\":\"filter\",\"expression\":"
        "\"y\",\"sources\":[\"d.a.y\"]}],\"views\":[],\"diagnostics\":[],\"error\":null}";
    static const char second[] =
        "{\"index\":0,\"type\":\"INSERT\",\"database\":\"d\",\"fingerprint\":\"g\",\"operation\":"
        "\"insert_overwrite\",\"inputs\":[\"d.b\"],\"outputs\":[{\"table\":\"d.\xe8\xa1\xa8\","
        "\"write_mode\":\"overwrite\"}],\"columns\":[{\"target\":\"d.\xe8\xa1\xa8.x\",\"ordinal\":"
        "0,\"transform\":\"aggregation\",\"sources\":[\"d.b.x\"],\"expression\":\"sum(x)\"}],"
        "\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    struct buf reason;
    buf_init(&reason, 0);
    struct store *store =
        store_open(&(struct store_options){.address = str_make(the.path, strlen(the.path)),
                                           .access = DB_CREATE},
                   &reason);
    struct applier *applier = store == NULL ? NULL : applier_new(store);
    if (applier == NULL)
        abort();
    add(applier, "q1", first, "insert into d.b select x from d.a where y");
    add(applier, "q2", second, "insert overwrite table d.t select sum(x) from d.b");
    if (!applier_commit(applier))
        abort();
    applier_free(applier);
    store_close(store);
    buf_release(&reason);
}

static void remove_store(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    api_free(the.api);
    for (size_t i = 0; i < 3; i++) {
        char path[80];
        (void)snprintf(path, sizeof path, "%s%s", the.path, ends[i]);
        unlink(path);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    (void)snprintf(the.path, sizeof the.path, "/tmp/colline_api_fuzz_%d.db", (int)getpid());
    the.now = 1700000100000;
    the.clock = clock_manual(&the.now);
    fill_store();
    the.api = api_new(&(struct api_options){.store = str_make(the.path, strlen(the.path)),
                                            .readers = 1,
                                            .clock = &the.clock,
                                            .token = STR("op")});
    if (the.api == NULL)
        abort();
    atexit(remove_store);
    return 0;
}

/* ---- a call ---------------------------------------------------------------------------------- */

static str_t until(struct reading *r, const char *ends)
{
    size_t start = r->at;
    while (r->at < r->text.len && strchr(ends, r->text.ptr[r->at]) == NULL)
        r->at++;
    str_t piece = str_make(r->text.ptr + start, r->at - start);
    r->at += r->at < r->text.len;
    return piece;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `%41` and the like; what is none stays as it is. */
static str_t decoded(struct reading *r, str_t text)
{
    char *start = r->decoded + r->used;
    size_t len = 0;
    for (size_t i = 0; i < text.len && r->used + len < sizeof r->decoded; i++) {
        bool escape = text.ptr[i] == '%' && i + 2 < text.len && digit(text.ptr[i + 1]) >= 0 &&
                      digit(text.ptr[i + 2]) >= 0;
        start[len++] =
            escape ? (char)(digit(text.ptr[i + 1]) * 16 + digit(text.ptr[i + 2])) : text.ptr[i];
        i += escape ? 2 : 0;
    }
    r->used += len;
    return str_make(start, len);
}

static void read_arguments(struct reading *r, str_t text, struct http_request *request)
{
    for (size_t at = 0; at < text.len && request->argument_count < PAIRS_MOST;) {
        size_t end = str_find(text, '&', at), is = str_find(text, '=', at);
        is = is < end ? is : end;
        r->arguments[request->argument_count++] = (struct http_pair){
            decoded(r, str_make(text.ptr + at, is - at)),
            is < end ? decoded(r, str_make(text.ptr + is + 1, end - is - 1)) : STR("")};
        at = end + 1;
    }
}

static void read_headers(struct reading *r, struct http_request *request)
{
    r->headers[request->header_count++] = (struct http_pair){STR("Host"), STR("localhost")};
    while (r->at < r->text.len && request->header_count < PAIRS_MOST) {
        str_t line = until(r, "\n");
        size_t colon = str_find(line, ':', 0);
        if (line.len == 0 || colon == line.len)
            break;
        r->headers[request->header_count++] =
            (struct http_pair){str_make(line.ptr, colon),
                               str_trim(str_make(line.ptr + colon + 1, line.len - colon - 1))};
    }
}

static void check_answer(const struct http_answer *answer)
{
    struct arena arena;
    const char *message;
    size_t where;
    if (answer->status < 200 || answer->status >= 600 || answer->status == 500)
        abort();
    if (answer->content_type == NULL || strstr(answer->content_type, "json") == NULL ||
        answer->status == 304)
        return;
    arena_init(&arena, 0, NULL);
    if (json_read(&arena, buf_str(&answer->body), &message, &where) == NULL)
        abort();
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct reading r;
    struct http_answer answer = {.status = 200};
    r = (struct reading){.text = str_make((const char *)data, size)};
    str_t method = until(&r, " \n");
    str_t target = until(&r, "\n");
    size_t mark = str_find(target, '?', 0);
    struct http_request request = {.method = str_eq(method, STR("POST")) ? HTTP_METHOD_POST
                                                                         : HTTP_METHOD_GET,
                                   .arguments = r.arguments,
                                   .headers = r.headers,
                                   .peer = STR("127.0.0.1")};
    request.path = decoded(&r, str_make(target.ptr, mark));
    if (mark < target.len)
        read_arguments(&r, str_make(target.ptr + mark + 1, target.len - mark - 1), &request);
    read_headers(&r, &request);
    request.body = str_make(r.text.ptr + r.at, r.text.len - r.at);
    buf_init(&answer.body, 0);
    api_handle(the.api, &request, &answer);
    check_answer(&answer);
    buf_release(&answer.body);
    return 0;
}
