/* svc/run/metrics.h: figures and their text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/metrics.h"

#include <pthread.h>

static void check_text(struct metrics *metrics, const char *expected)
{
    struct buf out;
    buf_init(&out, 0);
    metrics_write(metrics, &out);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
}

static void counters_and_gauges(void **state)
{
    (void)state;
    struct metrics *m = metrics_new();
    struct metric *a =
        metrics_counter(m, "colline_lines_total", "Lines read.",
                        METRIC_LABELS({"source", STR("daemon-log")}, {"host", STR("h\"1\\\n")}));
    struct metric *b = metrics_gauge(m, "colline_lag_seconds", "Lag.", METRIC_NO_LABELS);
    struct metric *c = metrics_counter(m, "colline_lines_total", "Lines read.",
                                       METRIC_LABELS({"source", STR("web")}, {"host", STR("")}));
    metric_add(a, 2);
    metric_add(a, 40);
    metric_set(b, 0.1);
    assert_ptr_equal(c, metrics_counter(m, "colline_lines_total", "Lines read.",
                                        METRIC_LABELS({"source", STR("web")}, {"host", STR("")})));
    check_text(m, "# HELP colline_lines_total Lines read.\n"
                  "# TYPE colline_lines_total counter\n"
                  "colline_lines_total{source=\"daemon-log\",host=\"h\\\"1\\\\\\n\"} 42\n"
                  "colline_lines_total{source=\"web\",host=\"\"} 0\n"
                  "# HELP colline_lag_seconds Lag.\n"
                  "# TYPE colline_lag_seconds gauge\n"
                  "colline_lag_seconds 0.1\n");
    assert_true(metric_value(a) == 42 && metric_value(b) == 0.1);
    metrics_free(m);
}

static void histograms(void **state)
{
    (void)state;
    static const double bounds[] = {0.5, 2};
    struct metrics *m = metrics_new();
    struct metric *h =
        metrics_histogram(m, "colline_x_seconds", "X.", bounds, 2, METRIC_LABELS({"a", STR("b")}));
    metric_observe(h, 0.5);
    metric_observe(h, 1);
    metric_observe(h, 3.25);
    check_text(m, "# HELP colline_x_seconds X.\n"
                  "# TYPE colline_x_seconds histogram\n"
                  "colline_x_seconds_bucket{a=\"b\",le=\"0.5\"} 1\n"
                  "colline_x_seconds_bucket{a=\"b\",le=\"2\"} 2\n"
                  "colline_x_seconds_bucket{a=\"b\",le=\"+Inf\"} 3\n"
                  "colline_x_seconds_sum{a=\"b\"} 4.75\n"
                  "colline_x_seconds_count{a=\"b\"} 3\n");
    metrics_free(m);
}

static void set_to_seven(void *context)
{
    metric_set(context, 7);
}

static void figures_are_refreshed_before_writing(void **state)
{
    (void)state;
    struct metrics *m = metrics_new();
    assert_true(
        metrics_on_write(m, set_to_seven, metrics_gauge(m, "colline_g", "G.", METRIC_NO_LABELS)));
    check_text(m, "# HELP colline_g G.\n# TYPE colline_g gauge\ncolline_g 7\n");
    metrics_free(m);
}

static void nothing_is_no_harm(void **state)
{
    (void)state;
    assert_null(metrics_counter(NULL, "a", "b", METRIC_NO_LABELS));
    metric_add(NULL, 1);
    metric_set(NULL, 1);
    metric_observe(NULL, 1);
    struct metrics *m = metrics_new();
    assert_non_null(metrics_counter(m, "a", "b", METRIC_NO_LABELS));
    assert_null(metrics_gauge(m, "a", "b", METRIC_NO_LABELS));
    metrics_free(m);
}

static void *count_up(void *metric)
{
    for (int i = 0; i < 10000; i++) {
        metric_observe(metric, 0.5);
    }
    return NULL;
}

static void threads_lose_no_count(void **state)
{
    (void)state;
    struct metrics *m = metrics_new();
    struct metric *h = metrics_histogram(m, "h", "H.", NULL, 0, METRIC_NO_LABELS);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_up, h), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    struct buf out;
    buf_init(&out, 0);
    metrics_write(m, &out);
    buf_add_char(&out, '\0');
    assert_non_null(strstr(out.ptr, "h_sum 20000\nh_count 40000\n"));
    assert_non_null(strstr(out.ptr, "h_bucket{le=\"0.25\"} 0\nh_bucket{le=\"0.5\"} 40000\n"));
    buf_release(&out);
    metrics_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_and_gauges),
        cmocka_unit_test(histograms),
        cmocka_unit_test(figures_are_refreshed_before_writing),
        cmocka_unit_test(nothing_is_no_harm),
        cmocka_unit_test(threads_lose_no_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
