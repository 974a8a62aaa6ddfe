/*
 * svc/bus/kafka_inner.h: where a partition ends is asked for until the broker tells, also where the client has heard that there is no such topic or partition;
 * against the brokers that librdkafka plays itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka_inner.h"
#include "run/clock.h"

#include <librdkafka/rdkafka_mock.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMEOUT_MS = 20000, NEWS_MS = 300, STATISTICS_MS = 50 };

/* Of all brokers, the mock and what led to it, how often they were asked what topics there are. */
static int count_asked(rd_kafka_t *client, char *json, size_t len, void *opaque)
{
    static const char what[] = "\"Metadata\":";
    (void)client, (void)len;
    int asked = 0;
    for (const char *at = strstr(json, what); at != NULL; at = strstr(at + 1, what))
        asked += atoi(at + sizeof what - 1);
    *(int *)opaque = asked;
    return 0;
}

/* As the newest statistics have it. */
static int times_asked(rd_kafka_t *client)
{
    int *asked = rd_kafka_opaque(client);
    *asked = -1;
    while (rd_kafka_poll(client, 0) > 0) /* old ones */
        ;
    *asked = -1;
    while (*asked < 0)
        (void)rd_kafka_poll(client, STATISTICS_MS);
    return *asked;
}

static rd_kafka_t *open_client(int *asked)
{
    struct buf error;
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    buf_init(&error, 0);
    kafka_set(&conf, "test.mock.num.brokers", STR("1"), &error);
    kafka_set(&conf, "group.id", STR("g"), &error);
    kafka_set(&conf, "log_level", STR("3"), &error);
    kafka_set(&conf, "statistics.interval.ms", STR("50"), &error);
    rd_kafka_conf_set_stats_cb(conf, count_asked);
    rd_kafka_conf_set_opaque(conf, asked);
    rd_kafka_t *client = kafka_client(RD_KAFKA_CONSUMER, conf, &error);
    assert_non_null(client);
    buf_release(&error);
    return client;
}

/* A broker that has just begun knows of no partition of the topic; a moment later it does. */
static void *begin(void *client)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = NEWS_MS * 1000000L}, NULL);
    rd_kafka_mock_topic_set_error(rd_kafka_handle_mock_cluster(client), "t", RD_KAFKA_RESP_ERR_NO_ERROR);
    return NULL;
}

static void what_a_broker_did_not_know_is_asked_anew(void **state)
{
    (void)state;
    const struct clock clock = clock_system();
    int64_t low = -1, high = -1;
    int asked = 0;
    pthread_t thread;
    rd_kafka_t *client = open_client(&asked);
    rd_kafka_mock_cluster_t *brokers = rd_kafka_handle_mock_cluster(client);
    assert_int_equal(rd_kafka_mock_topic_create(brokers, "t", 2, 1), RD_KAFKA_RESP_ERR_NO_ERROR);
    rd_kafka_mock_topic_set_error(brokers, "t", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    assert_int_equal(pthread_create(&thread, NULL, begin, client), 0);
    int64_t start = clock_steady(&clock);
    assert_int_equal(kafka_ends(client, "t", 1, TIMEOUT_MS, &low, &high), RD_KAFKA_RESP_ERR_NO_ERROR);
    assert_true(clock_steady(&clock) - start < TIMEOUT_MS / 2);
    assert_int_equal(low, 0);
    assert_int_equal(high, 0);
    pthread_join(thread, NULL);
    rd_kafka_destroy(client);
}

/* What the client remembers of the topic would hold for a quarter of an hour. */
static void a_partition_that_is_not_known_is_asked_for_anew_until_the_time_is_over(void **state)
{
    (void)state;
    const struct clock clock = clock_system();
    int64_t low = -1, high = -1;
    int asked = 0;
    rd_kafka_t *client = open_client(&asked);
    assert_int_equal(rd_kafka_mock_topic_create(rd_kafka_handle_mock_cluster(client), "t", 2, 1), RD_KAFKA_RESP_ERR_NO_ERROR);
    assert_int_equal(kafka_ends(client, "t", 1, TIMEOUT_MS, &low, &high), RD_KAFKA_RESP_ERR_NO_ERROR);
    int before = times_asked(client);
    int64_t start = clock_steady(&clock);
    assert_int_equal(kafka_ends(client, "t", 2, 1000, &low, &high), RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION);
    int64_t took = clock_steady(&clock) - start;
    assert_true(took >= 900 && took < 6000);
    assert_in_range(times_asked(client) - before, 3, 1000 / 20);
    rd_kafka_destroy(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_broker_did_not_know_is_asked_anew),
        cmocka_unit_test(a_partition_that_is_not_known_is_asked_for_anew_until_the_time_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
