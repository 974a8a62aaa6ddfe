/* svc/bus/refused.h without a broker: what is kept, what there is no room for, what must wait for the disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/refused.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct stage {
    char folder[64], path[96];
    struct config config;
    struct metrics *metrics;
    struct refused *refused;
};

/* The wall clock stands; what is waited for passes. */
static int64_t stand(void *context)
{
    (void)context;
    return 1800000000000;
}

static void set_up(struct stage *stage, uint64_t limit)
{
    memset(stage, 0, sizeof *stage);
    strcpy(stage->folder, "refused_test_XXXXXX");
    assert_non_null(mkdtemp(stage->folder));
    snprintf(stage->path, sizeof stage->path, "%s/later/refused.jsonl", stage->folder);
    struct clock clock = clock_system();
    clock.now_ms = stand;
    stage->metrics = metrics_new();
    config_init(&stage->config);
    stage->config.kafka.topic_raw = STR("raw");
    stage->config.kafka.topic_invalid = STR("invalid");
    stage->config.kafka.compression = STR("none");
    stage->config.kafka.brokers.items = ARENA_NEW(&stage->config.arena, str_t);
    stage->config.kafka.brokers.items[0] = STR("127.0.0.1:1");
    stage->config.kafka.brokers.count = 1;
    const struct refused_options options = {.path = stage->path, .limit = limit, .kafka = &stage->config.kafka,
                                            .clock = clock, .metrics = stage->metrics};
    stage->refused = refused_new(&options);
    assert_non_null(stage->refused);
}

static void make_folder(const struct stage *stage)
{
    char path[80];
    snprintf(path, sizeof path, "%s/later", stage->folder);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void clean_up(struct stage *stage)
{
    char command[128];
    refused_free(stage->refused);
    metrics_free(stage->metrics);
    config_release(&stage->config);
    snprintf(command, sizeof command, "rm -r %s", stage->folder);
    assert_int_equal(system(command), 0);
}

static bool keep(struct stage *stage, str_t value)
{
    return refused_keep(stage->refused, STR("a:b"), value, STR("too large"));
}

static void assert_file(const struct stage *stage, const char *expected)
{
    char got[1024];
    FILE *file = fopen(stage->path, "r");
    assert_non_null(file);
    size_t length = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    got[length] = '\0';
    assert_string_equal(got, expected);
}

static double figure(struct stage *stage, const char *name)
{
    return metric_value(metrics_counter(stage->metrics, name, "", METRIC_NO_LABELS));
}

#define LINE(reason, value)                                                                                            \
    "{\"v\":1,\"stage\":\"capture\",\"at\":1800000000000,\"reasons\":[\"" reason "\"],\"topic\":\"raw\",\"value\":\"" value "\"}\n"

static void records_are_kept_as_they_are(void **state)
{
    (void)state;
    struct stage stage;
    struct stat status;
    set_up(&stage, 10000);
    make_folder(&stage);
    assert_true(keep(&stage, STR("{\"v\":1}")));
    assert_true(keep(&stage, STR("two")));
    assert_file(&stage, LINE("too large", "{\\\"v\\\":1}") LINE("too large", "two"));
    assert_int_equal(stat(stage.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_true(figure(&stage, "colline_refused_kept_total") == 2 && figure(&stage, "colline_refused_dropped_total") == 0);
    clean_up(&stage);
}

static void a_full_file_takes_no_more_and_holds_up_nothing(void **state)
{
    (void)state;
    struct stage stage;
    set_up(&stage, 120);
    make_folder(&stage);
    assert_true(keep(&stage, STR("one")));
    assert_true(keep(&stage, STR("two")));
    assert_file(&stage, LINE("too large", "one"));
    assert_true(figure(&stage, "colline_refused_kept_total") == 1 && figure(&stage, "colline_refused_dropped_total") == 1);
    assert_int_equal(unlink(stage.path), 0);
    assert_true(keep(&stage, STR("three")));
    assert_file(&stage, LINE("too large", "three"));
    clean_up(&stage);
}

static void a_disk_that_takes_nothing_is_waited_for(void **state)
{
    (void)state;
    struct stage stage;
    set_up(&stage, 10000);
    assert_false(keep(&stage, STR("one")));
    assert_true(figure(&stage, "colline_refused_kept_total") == 0);
    make_folder(&stage);
    assert_true(keep(&stage, STR("one")));
    assert_file(&stage, LINE("too large", "one"));
    clean_up(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_kept_as_they_are),
        cmocka_unit_test(a_full_file_takes_no_more_and_holds_up_nothing),
        cmocka_unit_test(a_disk_that_takes_nothing_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
