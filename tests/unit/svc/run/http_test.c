/* svc/run/http.h, health.h and hook.h: our server asked by our client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/health.h"
#include "run/hook.h"

#include <stdio.h>
#include <time.h>

struct fixture {
    struct health health;
    struct http_route routes[HEALTH_ROUTES + 2];
    struct http *http;
    struct hook *hook;
    struct hook_answer answer;
    char url[64];
    bool well;
};

static bool check_broker(void *context, struct buf *wrong)
{
    const bool *well = context;
    if (!*well)
        BUF_ADD(wrong, "no broker");
    return *well;
}

/* Answers the argument `say`. */
static void echo(void *context, const struct http_request *request, struct http_answer *answer)
{
    (void)context;
    const struct http_pair *say = http_argument(request, STR("say"));
    buf_add(&answer->body, say == NULL ? STR("nothing") : say->value);
}

static void sleep_long(void *context, const struct http_request *request,
                       struct http_answer *answer)
{
    (void)context;
    (void)request;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    BUF_ADD(&answer->body, "late");
}

static void begin(struct fixture *f, str_t token)
{
    char error[200] = "";
    *f = (struct fixture){.well = true};
    f->health.metrics = metrics_new();
    metric_add(metrics_counter(f->health.metrics, "colline_x_total", "X.", METRIC_NO_LABELS), 3);
    health_add(&f->health, "broker", check_broker, &f->well);
    health_routes(&f->health, f->routes);
    f->routes[HEALTH_ROUTES] = (struct http_route){.path = "/echo", .handle = echo};
    f->routes[HEALTH_ROUTES + 1] = (struct http_route){.path = "/late", .handle = sleep_long};
    f->http = http_start(&(struct http_options){.address = "127.0.0.1", .token = token}, f->routes,
                         HEALTH_ROUTES + 2, error, sizeof error);
    assert_string_equal(error, "");
    f->hook = hook_new();
    hook_answer_init(&f->answer);
}

static void end(struct fixture *f)
{
    hook_answer_release(&f->answer);
    hook_free(f->hook);
    http_stop(f->http);
    metrics_free(f->health.metrics);
}

static bool ask(struct fixture *f, const char *path, struct hook_request request)
{
    int len = snprintf(f->url, sizeof f->url, "http://127.0.0.1:%u%s", (unsigned)http_port(f->http),
                       path);
    request.url = str_make(f->url, (size_t)len);
    return hook_call(f->hook, &request, &f->answer);
}

static void check_answer(const struct fixture *f, long status, const char *body)
{
    assert_int_equal(f->answer.status, status);
    assert_true(str_eq(buf_str(&f->answer.body), str_make(body, strlen(body))));
}

static void the_process_answers_for_itself(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, STR(""));
    assert_true(ask(&f, "/metrics", (struct hook_request){0}));
    check_answer(&f, 200,
                 "# HELP colline_x_total X.\n# TYPE colline_x_total counter\ncolline_x_total 3\n");
    assert_true(f.answer.received > 80 && f.answer.took_us > 0);
    assert_true(ask(&f, "/healthz", (struct hook_request){0}));
    check_answer(&f, 200, "ok\n");
    assert_true(ask(&f, "/readyz", (struct hook_request){0}));
    check_answer(&f, 200, "ok broker\n");
    f.well = false;
    assert_true(ask(&f, "/readyz", (struct hook_request){0}));
    check_answer(&f, 503, "broker: no broker\n");
    assert_true(ask(&f, "/echo?say=a%20b", (struct hook_request){0}));
    check_answer(&f, 200, "a b");
    assert_true(ask(&f, "/nothing", (struct hook_request){0}));
    assert_int_equal(f.answer.status, 404);
    assert_true(
        ask(&f, "/metrics",
            (struct hook_request){.content_type = STR("application/json"), .body = STR("{}")}));
    assert_int_equal(f.answer.status, 405);
    end(&f);
}

static void a_token_is_asked_for(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, STR("secret"));
    assert_true(ask(&f, "/metrics", (struct hook_request){0}));
    assert_int_equal(f.answer.status, 401);
    assert_true(ask(&f, "/metrics",
                    (struct hook_request){.auth = HOOK_AUTH_BEARER, .token = STR("secre")}));
    assert_int_equal(f.answer.status, 401);
    assert_true(ask(&f, "/metrics",
                    (struct hook_request){.auth = HOOK_AUTH_BEARER, .token = STR("secret")}));
    assert_int_equal(f.answer.status, 200);
    assert_true(ask(&f, "/metrics", (struct hook_request){0}));
    assert_int_equal(f.answer.status, 401);
    assert_true(ask(&f, "/metrics", (struct hook_request){.content_type = STR("text/plain")}));
    assert_int_equal(f.answer.status, 405);
    assert_true(ask(&f, "/healthz", (struct hook_request){0}));
    assert_int_equal(f.answer.status, 200);
    end(&f);
}

static void calls_end_within_their_limits(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, STR(""));
    assert_false(ask(&f, "/late", (struct hook_request){.timeout_ms = 50}));
    assert_true(strlen(f.answer.error) > 0 && f.answer.status == 0);
    assert_false(ask(&f, "/metrics", (struct hook_request){.answer_limit = 10}));
    assert_string_equal(f.answer.error, "the answer is longer than the limit");
    assert_true(f.answer.cut);
    assert_true(ask(&f, "/late", (struct hook_request){0}));
    check_answer(&f, 200, "late");
    end(&f);
}

static void what_cannot_be_called_is_said(void **state)
{
    (void)state;
    struct hook *hook = hook_new();
    struct hook_answer answer;
    hook_answer_init(&answer);
    static const str_t urls[] = {STR(""), STR("file:///etc/passwd"), STR("http://127.0.0.1:1/"),
                                 STR("nonsense://x"), STR("http://a\0b/")};
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        assert_false(hook_call(hook, &(struct hook_request){.url = urls[i]}, &answer));
        assert_true(strlen(answer.error) > 0);
    }
    hook_answer_release(&answer);
    hook_free(hook);
}

static void addresses_are_checked(void **state)
{
    (void)state;
    char error[200];
    assert_null(
        http_start(&(struct http_options){.address = "0.0.0.0"}, NULL, 0, error, sizeof error));
    assert_string_equal(error, "0.0.0.0 can be reached from other machines: a token is needed");
    assert_null(
        http_start(&(struct http_options){.address = "localhost"}, NULL, 0, error, sizeof error));
    assert_string_equal(error, "`localhost` is no IP address");
    struct http *first =
        http_start(&(struct http_options){.address = "127.0.0.1"}, NULL, 0, error, sizeof error);
    assert_non_null(first);
    assert_null(http_start(&(struct http_options){.address = "127.0.0.1", .port = http_port(first)},
                           NULL, 0, error, sizeof error));
    assert_non_null(strstr(error, "cannot listen on 127.0.0.1 port "));
    http_stop(first);
    assert_true(http_is_loopback("127.9.9.9") && http_is_loopback("::1") &&
                !http_is_loopback("::") && !http_is_loopback("10.0.0.1"));
}

/* Answers the method, the path, the body's length and what `X-Say`, a header, or the peer says. */
static void tell(void *context, const struct http_request *request, struct http_answer *answer)
{
    (void)context;
    buf_add_number(&answer->body, (uint64_t)request->method);
    buf_add(&answer->body, request->path);
    BUF_ADD(&answer->body, " ");
    buf_add_number(&answer->body, request->body.len);
    BUF_ADD(&answer->body, " ");
    buf_add(&answer->body, http_header(request, STR("content-TYPE")));
    BUF_ADD(&answer->body, " ");
    buf_add(&answer->body, request->peer);
}

static void bodies_come_whole_and_within_their_limit(void **state)
{
    (void)state;
    char error[200] = "", large[3000];
    memset(large, 'x', sizeof large);
    struct fixture f = {
        .routes = {{.path = "/in/", .handle = tell, .prefix = true, .posts = true}}};
    f.http = http_start(
        &(struct http_options){.address = "127.0.0.1", .concurrent = true, .body_most = 2000},
        f.routes, 1, error, sizeof error);
    f.hook = hook_new();
    hook_answer_init(&f.answer);
    struct hook_request post = {.content_type = STR("text/x"), .body = str_make(large, 2000)};
    assert_true(ask(&f, "/in/a%20b", post));
    check_answer(&f, 200, "2/in/a b 2000 text/x 127.0.0.1");
    assert_true(ask(&f, "/in/", (struct hook_request){0}));
    check_answer(&f, 200, "0/in/ 0  127.0.0.1");
    post.body = str_make(large, 2001);
    assert_true(ask(&f, "/in/", post));
    check_answer(&f, 413, "the body is too large\n");
    assert_true(ask(&f, "/in", (struct hook_request){0}));
    assert_int_equal(f.answer.status, 404);
    end(&f);
}

static void secrets_and_headers_are_compared(void **state)
{
    (void)state;
    struct http_pair headers[] = {{STR("authorization"), STR("bearer  abc ")}};
    struct http_request request = {.headers = headers, .header_count = 1};
    assert_true(str_eq(http_bearer(&request), STR("abc")));
    headers[0].value = STR("Basic abc");
    assert_int_equal(http_bearer(&request).len, 0);
    assert_true(http_same_secret(STR("abc"), STR("abc")));
    assert_false(http_same_secret(STR("abc"), STR("")) || http_same_secret(STR(""), STR("abc")) ||
                 http_same_secret(STR("abc"), STR("abd")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_process_answers_for_itself),
        cmocka_unit_test(a_token_is_asked_for),
        cmocka_unit_test(calls_end_within_their_limits),
        cmocka_unit_test(what_cannot_be_called_is_said),
        cmocka_unit_test(addresses_are_checked),
        cmocka_unit_test(bodies_come_whole_and_within_their_limit),
        cmocka_unit_test(secrets_and_headers_are_compared),
    };
    if (!hook_library_begin())
        return 3;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hook_library_end();
    return failed;
}
