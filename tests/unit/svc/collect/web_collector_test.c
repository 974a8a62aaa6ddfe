/* svc/collect/web.h against our own HTTP server, with a clock that the test sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/web.h"
#include "run/http.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

struct daemon {
    struct http *http;
    struct http_route routes[2];
    const char *page, *text;
    unsigned status;
    char url[64];

    int64_t now;
    struct clock clock;
    struct checkpoint *checkpoint;
    struct metrics *metrics;
    struct config_source source;
    struct collector *collector;
    struct buf got; /* kind, cursor, status, state, text of each record */
    uint64_t cookies[64];
    size_t count;
    bool full;
};

static void answer_page(void *context, const struct http_request *request,
                        struct http_answer *answer)
{
    const struct daemon *daemon = context;
    (void)request;
    answer->status = daemon->status;
    buf_add(&answer->body, str_make(daemon->page, strlen(daemon->page)));
}

static void answer_text(void *context, const struct http_request *request,
                        struct http_answer *answer)
{
    const struct daemon *daemon = context;
    assert_int_equal(http_argument(request, STR("query_id"))->value.len, 33);
    buf_add(&answer->body, str_make(daemon->text, strlen(daemon->text)));
}

static void add(struct daemon *daemon, str_t text)
{
    buf_add(&daemon->got, text);
    BUF_ADD(&daemon->got, " ");
}

static bool emit(void *context, const struct raw_record *record, uint64_t cookie)
{
    struct daemon *daemon = context;
    if (daemon->full)
        return false;
    assert_true(daemon->count < 64);
    daemon->cookies[daemon->count++] = cookie;
    add(daemon, raw_kind_name(record->kind));
    add(daemon, str_make(record->position.cursor.ptr + 32, record->position.cursor.len - 32));
    add(daemon, record->status);
    add(daemon, record->state);
    buf_add(&daemon->got, record->sql);
    if (record->sql_cut)
        BUF_ADD(&daemon->got, " cut");
    BUF_ADD(&daemon->got, "\n");
    return true;
}

static void open_collector(struct daemon *daemon)
{
    const struct web_options options = {
        .source = &daemon->source, .cluster = STR("c"), .checkpoint = daemon->checkpoint};
    const struct collector_output output = {
        .emit = emit, .context = daemon, .clock = &daemon->clock, .metrics = daemon->metrics};
    daemon->collector = web_new(&options, &output);
    assert_non_null(daemon->collector);
}

static void begin(struct daemon *daemon)
{
    char error[200] = "";
    *daemon = (struct daemon){.status = 200, .now = 1000000, .text = "{}"};
    daemon->routes[0] = (struct http_route){
        .path = "/queries", .handle = answer_page, .context = daemon, .open = false};
    daemon->routes[1] = (struct http_route){
        .path = "/query_stmt", .handle = answer_text, .context = daemon, .open = false};
    daemon->http = http_start(&(struct http_options){.address = "127.0.0.1"}, daemon->routes, 2,
                              error, sizeof error);
    assert_string_equal(error, "");
    int len = snprintf(daemon->url, sizeof daemon->url, "http://127.0.0.1:%u/",
                       (unsigned)http_port(daemon->http));
    daemon->source = (struct config_source){.name = STR("w"),
                                            .url = str_make(daemon->url, (size_t)len),
                                            .interval = 3000,
                                            .timeout = 5000};
    daemon->clock = clock_manual(&daemon->now);
    daemon->checkpoint = checkpoint_open("/nonexistent/positions.json", &daemon->clock);
    daemon->metrics = metrics_new();
    buf_init(&daemon->got, 0);
    open_collector(daemon);
}

static void end(struct daemon *daemon)
{
    daemon->collector->ops->close(daemon->collector);
    http_stop(daemon->http);
    checkpoint_close(daemon->checkpoint);
    metrics_free(daemon->metrics);
    buf_release(&daemon->got);
}

/* Steps until it waits for the time, or for room. */
static void step(struct daemon *daemon)
{
    struct collector *collector = daemon->collector;
    collector->ops->step(collector, 100);
    while (collector->ops->idle_ms(collector) < 0) {
        struct pollfd wait = {collector->ops->descriptor(collector), POLLIN, 0};
        assert_int_equal(poll(&wait, 1, 10000), 1);
        collector->ops->step(collector, 100);
    }
}

/* The next poll, of this page, gives these lines. */
static void expect(struct daemon *daemon, const char *page, const char *expected)
{
    daemon->page = page;
    step(daemon);
    buf_add_char(&daemon->got, '\0');
    assert_string_equal(daemon->got.ptr, expected);
    buf_clear(&daemon->got);
    daemon->now += 60000;
}

static double figure(struct daemon *daemon, const char *name)
{
    return metric_value(
        metrics_counter(daemon->metrics, name, "", METRIC_LABELS({"source", STR("w")})));
}

#define LIST(in_flight, completed) \
    "{\"in_flight_queries\":[" in_flight "],\"completed_queries\":[" completed "]}"
#define QUERY(last, state, more) \
    "{\"query_id\":\"4d4f5a1c2b3e9f01:8a7b6c5d0000000" last "\",\"state\":\"" state "\"" more "}"

/* A client that forgets to close its query: the result counts after a minute, the end when it
 * comes. */
static void waiting(void **state)
{
    (void)state;
    struct daemon daemon;
    begin(&daemon);
    expect(&daemon, LIST(QUERY("1", "RUNNING", ",\"stmt\":\"a\""), ""),
           "QUERY 1/start  RUNNING a\n");
    static const char forgotten[] =
        LIST(QUERY("1", "FINISHED", ",\"stmt\":\"a\",\"waiting\":true"), "");
    expect(&daemon, forgotten, "");
    expect(&daemon, forgotten, "FINISH 1/result OK FINISHED \n");
    expect(&daemon, forgotten, "");
    expect(&daemon, LIST("", QUERY("1", "FINISHED", ",\"stmt\":\"a\"")),
           "FINISH 1/end OK FINISHED \n");
    end(&daemon);
}

/* The whole text where there is one; a query that the daemon forgot keeps what was shown. */
static void texts(void **state)
{
    (void)state;
    struct daemon daemon;
    begin(&daemon);
    daemon.text = "{\"stmt\":\"whole\",\"status\":\"Cancelled\"}";
    expect(&daemon, LIST("", QUERY("1", "EXCEPTION", ",\"stmt\":\"who...\"")),
           "QUERY 1/end CANCELLED EXCEPTION whole\n");
    daemon.text = "{\"error\":\"not found\"}";
    expect(&daemon,
           LIST("", QUERY("2", "FINISHED", ",\"stmt\":\"who...\"") "," QUERY("1", "EXCEPTION", "")),
           "QUERY 2/end OK FINISHED who... cut\n");
    daemon.text = "<html>";
    expect(&daemon,
           LIST("", QUERY("3", "RETRIED", ",\"stmt\":\"...\"") "," QUERY("2", "FINISHED", "")),
           "QUERY 3/end RETRIED RETRIED ... cut\n");
    assert_int_equal(figure(&daemon, "colline_web_texts_total"), 3);
    assert_int_equal(figure(&daemon, "colline_web_texts_gone_total"), 2);
    assert_int_equal(figure(&daemon, "colline_web_failures_total"), 1);
    end(&daemon);
}

/* A receiver that is full gets the same record later; what it acknowledged does not come again. */
static void full_receiver_and_restart(void **state)
{
    (void)state;
    static const char page[] = LIST("", QUERY("2", "FINISHED", "") "," QUERY("1", "FINISHED", ""));
    struct daemon daemon;
    begin(&daemon);
    daemon.full = true;
    expect(&daemon, page, "");
    daemon.full = false;
    expect(&daemon, page, "QUERY 1/end OK FINISHED \nQUERY 2/end OK FINISHED \n");
    daemon.collector->ops->acked(daemon.collector, daemon.cookies[1]);
    daemon.collector->ops->close(daemon.collector);
    open_collector(&daemon);
    expect(&daemon, page, "QUERY 1/end OK FINISHED \n");
    end(&daemon);
}

static void troubles(void **state)
{
    (void)state;
    struct daemon daemon;
    begin(&daemon);
    expect(&daemon, "{\"error\":\"not ready\"}", "");
    expect(&daemon, "{\"in_flight_queries\":", "");
    daemon.status = 401;
    expect(&daemon, LIST("", QUERY("1", "FINISHED", "")), "");
    daemon.status = 200;
    assert_int_equal(figure(&daemon, "colline_web_failures_total"), 3);
    expect(&daemon, LIST("", QUERY("1", "FINISHED", "")), "QUERY 1/end OK FINISHED \n");
    expect(&daemon, LIST("", QUERY("2", "FINISHED", "")), "QUERY 2/end OK FINISHED \n");
    assert_int_equal(figure(&daemon, "colline_web_missed_total"), 1);
    assert_int_equal(figure(&daemon, "colline_web_polls_total"), 5);
    assert_true(metric_value(metrics_gauge(daemon.metrics, "colline_web_completeness", "",
                                           METRIC_LABELS({"source", STR("w")}))) < 1);
    end(&daemon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting),
        cmocka_unit_test(texts),
        cmocka_unit_test(full_receiver_and_restart),
        cmocka_unit_test(troubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
