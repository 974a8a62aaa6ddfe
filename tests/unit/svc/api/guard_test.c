/* svc/api/guard.h: who may ask on whose word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/guard.h"

static const str_t proxies[] = {STR("10.0.0.7"), STR("::1")};

#define SECRET STR("0123456789abcdef")

/* The status of the answer, 0 where the call may go on; `scopes` are those that it got. */
static unsigned asked_for(enum api_scope wanted, struct guard_options options, str_t peer,
                          str_t shown, str_t user, unsigned *scopes, str_t *who)
{
    const struct http_pair headers[] = {
        {STR("Host"), STR("localhost")},
        {STR("X-Colline-Proxy"), shown},
        {STR("x-forwarded-user"), user},
    };
    const struct http_request request = {
        .path = STR("/api/v1/home"), .headers = headers, .header_count = 3, .peer = peer};
    struct clock clock = clock_system();
    struct log *log = log_open(&(struct log_options){.path = "/dev/null"}, &clock);
    struct http_answer answer = {0};
    struct call call = {.request = &request, .answer = &answer};
    buf_init(&answer.body, 0);
    options.log = log;
    options.clock = &clock;
    struct guard *guard = guard_new(&options);
    bool good = guard_token(guard, &call, wanted);
    *scopes = call.scopes;
    *who = call.who;
    guard_free(guard);
    log_close(log);
    buf_release(&answer.body);
    return good ? 0 : answer.status;
}

static unsigned asked(struct guard_options options, str_t peer, str_t shown, str_t user,
                      unsigned *scopes, str_t *who)
{
    return asked_for(SCOPE_READ, options, peer, shown, user, scopes, who);
}

static void a_proxy_that_shows_its_secret_names_the_user(void **state)
{
    (void)state;
    struct guard_options options = {
        .tokens_wanted = true, .proxies = proxies, .proxy_count = 2, .proxy_secret = SECRET};
    unsigned scopes;
    str_t who;
    assert_int_equal(asked(options, STR("10.0.0.7"), SECRET, STR("lin"), &scopes, &who), 0);
    assert_int_equal(scopes, SCOPE_READ);
    assert_true(str_eq(who, STR("lin")));
    options.proxy_sql = true;
    assert_int_equal(asked(options, STR("::1"), SECRET, STR("\u6797"), &scopes, &who), 0);
    assert_int_equal(scopes, SCOPE_READ | SCOPE_SQL);
}

static void who_reads_may_not_write(void **state)
{
    (void)state;
    struct guard_options options = {.proxies = proxies, .proxy_count = 2, .proxy_secret = SECRET};
    unsigned scopes;
    str_t who;
    assert_int_equal(
        asked_for(SCOPE_WRITE, options, STR("10.0.0.7"), SECRET, STR("lin"), &scopes, &who), 403);
    assert_int_equal(
        asked_for(SCOPE_WRITE, options, STR("127.0.0.1"), STR(""), STR(""), &scopes, &who), 401);
}

static void nobody_else_does(void **state)
{
    (void)state;
    struct guard_options options = {
        .tokens_wanted = true, .proxies = proxies, .proxy_count = 2, .proxy_secret = SECRET};
    unsigned scopes;
    str_t who;
    assert_int_equal(asked(options, STR("10.0.0.8"), SECRET, STR("lin"), &scopes, &who), 401);
    assert_int_equal(asked(options, STR("10.0.0.7"), STR("wrong"), STR("lin"), &scopes, &who), 401);
    assert_int_equal(asked(options, STR("10.0.0.7"), STR(""), STR("lin"), &scopes, &who), 401);
    assert_int_equal(asked(options, STR("10.0.0.7"), SECRET, STR(""), &scopes, &who), 401);
    assert_int_equal(asked(options, STR("10.0.0.7"), SECRET, STR("\xff"), &scopes, &who), 401);
    options.proxy_secret = STR("");
    assert_int_equal(asked(options, STR("10.0.0.7"), STR(""), STR("lin"), &scopes, &who), 401);
    options.tokens_wanted = false; /* then anybody may read, and is nobody */
    assert_int_equal(asked(options, STR("10.0.0.8"), SECRET, STR("lin"), &scopes, &who), 0);
    assert_int_equal(who.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proxy_that_shows_its_secret_names_the_user),
        cmocka_unit_test(who_reads_may_not_write),
        cmocka_unit_test(nobody_else_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
