/*
 * svc/load/topic.h against a real broker: a transaction in the normalised topic that nobody ends is told, and loading goes on when it is ended.
 * tests/services/run starts the broker.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "load/hanging.h"
#include "load/topic.h"
#include "support/kafka_setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void step_until_stuck_is(struct topic_loader *loader, struct metrics *metrics, struct shifted_clock *shifted, int stuck)
{
    for (int i = 0; i < 100 && (int)metrics_sum(metrics, "colline_load_stuck_partitions") != stuck; i++) {
        topic_loader_step(loader, 20);
        shifted->ahead += 2000;
    }
    assert_int_equal((int)metrics_sum(metrics, "colline_load_stuck_partitions"), stuck);
}

static void a_transaction_that_nobody_ends_is_told(void **state)
{
    (void)state;
    struct setting setting;
    char folder[] = "/tmp/colline_load_XXXXXX", path[64];
    struct buf wrong;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.db", folder);
    set_up(&setting, "hangs");
    make_topics(&setting);
    be_quiet(&setting);
    buf_init(&wrong, 0);
    struct kafka_worker *gone = leave_a_transaction_open(&setting, setting.config.kafka.topic_normalized, 1);
    struct shifted_clock shifted = {setting.clock, 0};
    struct metrics *metrics = metrics_new();
    const struct topic_loader_options options = {.kafka = &setting.config.kafka,
                                                 .group = STR("loaders"),
                                                 .store = str_make(path, strlen(path)),
                                                 .batch = 100,
                                                 .batch_wait_ms = 100,
                                                 .clock = clock_shifted(&shifted),
                                                 .metrics = metrics};
    struct topic_loader *loader = topic_loader_open(&options, &setting.error);
    assert_non_null(loader);
    step_until_stuck_is(loader, metrics, &shifted, 1);
    assert_false(topic_loader_is_well(loader, &wrong));
    assert_true(str_eq(buf_str(&wrong), STR("1 partitions are behind a transaction that nobody ends")));
    assert_int_equal(kafka_worker_abort(gone, TIMEOUT_MS), KAFKA_DONE);
    step_until_stuck_is(loader, metrics, &shifted, 0);
    assert_true(topic_loader_is_well(loader, &wrong));
    topic_loader_close(loader);
    kafka_worker_close(gone);
    metrics_free(metrics);
    buf_release(&wrong);
    clean_up(&setting);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_transaction_that_nobody_ends_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
