/*
 * api_call STORE [TOKEN]: answers calls of the interface without sockets. Each line of standard
 * input is a call, {"method", "path", "arguments":
 * [[name, value], ..], "headers": [[name, value], ..], "body"}; each line of standard output its
 * answer, {"status", "type", "etag", "retry_after", "us", "body"}; `us` is how long it took. With
 * TOKEN tokens are asked for, and it is the operator's. A call without a Host header comes from
 * `localhost`.
 */
#include "api/api.h"
#include "base/json.h"
#include "base/jsonw.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAIRS_MOST = 2000 };

struct pairs {
    struct http_pair items[PAIRS_MOST];
    size_t count;
};

static void take_pairs(const struct json *list, struct pairs *pairs)
{
    for (const struct json *pair = list == NULL ? NULL : list->first;
         pair != NULL && pairs->count < PAIRS_MOST; pair = pair->next)
        pairs->items[pairs->count++] =
            (struct http_pair){pair->first->text, pair->first->next->text};
}

static void write_answer(const struct http_answer *answer, uint64_t us)
{
    struct buf out;
    struct jsonw w;
    buf_init(&out, 0);
    jsonw_init(&w, &out, false);
    jsonw_object_begin(&w);
    jsonw_member_number(&w, STR("status"), answer->status);
    jsonw_member(&w, STR("type"),
                 answer->content_type == NULL
                     ? STR("")
                     : str_make(answer->content_type, strlen(answer->content_type)));
    jsonw_member(&w, STR("etag"), str_make(answer->etag, strlen(answer->etag)));
    jsonw_member_number(&w, STR("retry_after"), answer->retry_after);
    jsonw_member_number(&w, STR("us"), us);
    jsonw_member(&w, STR("body"), buf_str(&answer->body));
    jsonw_object_end(&w);
    printf("%.*s\n", (int)out.len, out.ptr);
    fflush(stdout);
    buf_release(&out);
}

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static enum http_method method_of(str_t name)
{
    if (str_eq(name, STR("POST")))
        return HTTP_METHOD_POST;
    return str_eq(name, STR("HEAD")) ? HTTP_METHOD_HEAD : HTTP_METHOD_GET;
}

static void answer(struct api *api, const struct json *call)
{
    static struct pairs arguments, headers;
    struct http_answer answer = {.status = 200};
    arguments.count = headers.count = 0;
    take_pairs(json_member(call, STR("arguments")), &arguments);
    take_pairs(json_member(call, STR("headers")), &headers);
    struct http_request request = {.method = method_of(json_member_text(call, STR("method"))),
                                   .path = json_member_text(call, STR("path")),
                                   .arguments = arguments.items,
                                   .argument_count = arguments.count,
                                   .body = json_member_text(call, STR("body")),
                                   .peer = STR("127.0.0.1")};
    request.headers = headers.items;
    request.header_count = headers.count;
    if (http_header(&request, STR("Host")).len == 0)
        headers.items[request.header_count++] = (struct http_pair){STR("Host"), STR("localhost:1")};
    buf_init(&answer.body, 0);
    uint64_t begun = now_us();
    api_handle(api, &request, &answer);
    write_answer(&answer, now_us() - begun);
    buf_release(&answer.body);
}

/* A part of the process that is not well. */
static bool check(void *context, struct buf *wrong)
{
    (void)context;
    BUF_ADD(wrong, "nobody captures");
    return false;
}

int main(int argc, char **argv)
{
    const struct health_check checks[] = {{"capture", check, NULL}};
    char *line = NULL;
    size_t capacity = 0;
    struct arena arena;
    struct clock clock = clock_system();
    if (argc < 2)
        return 2;
    struct api_options options = {.store = str_make(argv[1], strlen(argv[1])),
                                  .clock = &clock,
                                  .checks = checks,
                                  .check_count = 1};
    if (argc > 2) {
        options.token = str_make(argv[2], strlen(argv[2]));
        options.tokens_wanted = true;
    }
    struct api *api = api_new(&options);
    arena_init(&arena, 0, NULL);
    for (ssize_t len; api != NULL && (len = getline(&line, &capacity, stdin)) > 0;) {
        const char *message;
        size_t where;
        arena_clear(&arena);
        const struct json *call = json_read(
            &arena, str_make(line, (size_t)len - (line[len - 1] == '\n')), &message, &where);
        if (call == NULL)
            return 2;
        answer(api, call);
    }
    api_free(api);
    arena_release(&arena);
    free(line);
    return 0;
}
