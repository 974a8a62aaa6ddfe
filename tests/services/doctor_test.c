/*
 * What the doctor says of a real broker: $COLLINE_KAFKA_PORT and $COLLINE_KAFKA_SASL_PORT are its ports; tests/services/run starts it. Each test has
 * topics of its own and compares all that is told, without the numbers that differ from run to run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka_topics.h"
#include "bus/kafka_worker.h"
#include "doctor/broker.h"
#include "record/invalid.h"
#include "support/kafka_setting.h"

#include <arpa/inet.h>
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ASK_MS = 30000 /* more than a busy machine takes */
};

/* ---- what is told ---- */

/* The text with every `from` replaced. */
static void replace(struct buf *text, const char *from, const char *to)
{
    struct buf out;
    size_t len = strlen(from);
    buf_init(&out, 0);
    for (size_t i = 0; i < text->len;) {
        bool hit = len > 0 && text->len - i >= len && memcmp(text->ptr + i, from, len) == 0;
        buf_add(&out, hit ? str_make(to, strlen(to)) : str_make(text->ptr + i, 1));
        i += hit ? len : 1;
    }
    buf_release(text);
    *text = out;
}

static void told(struct setting *setting, const char *topics, const char *expected)
{
    char own[64];
    struct findings findings;
    struct buf text;
    findings_init(&findings);
    buf_init(&text, 0);
    broker_check(&setting->config, ASK_MS, &findings);
    findings_write_text(&findings, &text);
    (void)snprintf(own, sizeof own, "%s-%d", topics, (int)getpid());
    replace(&text, own, "T");
    replace(&text, getenv("COLLINE_KAFKA_PORT"), "PORT");
    replace(&text, getenv("COLLINE_KAFKA_SASL_PORT"), "SASL");
    buf_add_char(&text, '\0');
    assert_string_equal(text.ptr, expected);
    buf_release(&text);
    findings_release(&findings);
}

/* ---- records and offsets ---- */

static void sent(void *context, uint64_t cookie)
{
    (void)cookie;
    ++*(size_t *)context;
}

/* Values "0", "1" … or those given, each under its number as the key. */
static void send_all(struct setting *setting, str_t topic, const str_t *values, size_t count)
{
    const struct kafka_sink_options options = {.kafka = &setting->config.kafka, .topic = topic, .clock = setting->clock, .log = setting->log};
    size_t acked = 0;
    struct sink *sink = kafka_sink_open(&options, &setting->error);
    assert_non_null(sink);
    sink->acked = sent;
    sink->context = &acked;
    for (size_t i = 0; i < count; i++) {
        char key[24];
        int len = snprintf(key, sizeof key, "%zu", i);
        str_t text = str_make(key, (size_t)len);
        assert_true(sink_send(sink, text, values == NULL ? text : values[i], i));
    }
    assert_true(sink_flush(sink, TIMEOUT_MS));
    assert_int_equal(acked, count);
    sink_close(sink);
}

static rd_kafka_t *group_client(str_t group)
{
    char text[512], why[256];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    (void)snprintf(text, sizeof text, "127.0.0.1:%s", getenv("COLLINE_KAFKA_PORT"));
    rd_kafka_conf_set(conf, "bootstrap.servers", text, why, sizeof why);
    (void)snprintf(text, sizeof text, "%.*s", (int)group.len, group.ptr);
    rd_kafka_conf_set(conf, "group.id", text, why, sizeof why);
    rd_kafka_t *client = rd_kafka_new(RD_KAFKA_CONSUMER, conf, why, sizeof why);
    assert_non_null(client);
    return client;
}

/* Commits the offset for every partition of the topic; nobody may be a member. */
static void commit_of(str_t group, str_t name, int64_t offset)
{
    char topic[256];
    rd_kafka_t *client = group_client(group);
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(PARTITIONS);
    (void)snprintf(topic, sizeof topic, "%.*s", (int)name.len, name.ptr);
    for (int32_t i = 0; i < PARTITIONS; i++)
        rd_kafka_topic_partition_list_add(list, topic, i)->offset = offset;
    assert_int_equal(rd_kafka_commit(client, list, 0), RD_KAFKA_RESP_ERR_NO_ERROR);
    rd_kafka_topic_partition_list_destroy(list);
    rd_kafka_destroy(client);
}

static void commit(struct setting *setting, int64_t offset)
{
    commit_of(setting->config.kafka.group, setting->config.kafka.topic_raw, offset);
}

/* Removes what lies before the offset from every partition of the raw topic, as retention does. */
static void remove_before(struct setting *setting, int64_t offset)
{
    char topic[256];
    rd_kafka_t *client = group_client(setting->config.kafka.group);
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(PARTITIONS);
    (void)snprintf(topic, sizeof topic, "%.*s", (int)setting->config.kafka.topic_raw.len, setting->config.kafka.topic_raw.ptr);
    for (int32_t i = 0; i < PARTITIONS; i++)
        rd_kafka_topic_partition_list_add(list, topic, i)->offset = offset;
    rd_kafka_DeleteRecords_t *order = rd_kafka_DeleteRecords_new(list);
    rd_kafka_queue_t *queue = rd_kafka_queue_new(client);
    rd_kafka_DeleteRecords(client, &order, 1, NULL, queue);
    rd_kafka_event_t *event = rd_kafka_queue_poll(queue, TIMEOUT_MS);
    assert_non_null(event);
    assert_int_equal(rd_kafka_event_error(event), RD_KAFKA_RESP_ERR_NO_ERROR);
    rd_kafka_event_destroy(event);
    rd_kafka_queue_destroy(queue);
    rd_kafka_DeleteRecords_destroy(order);
    rd_kafka_topic_partition_list_destroy(list);
    rd_kafka_destroy(client);
}

static void make_some(struct setting *setting, struct kafka_topic *topics, int64_t partitions)
{
    setting->config.kafka.partitions = partitions;
    assert_true(kafka_topics_create(&setting->config.kafka, setting->log, topics, KAFKA_TOPICS, TIMEOUT_MS, &setting->error));
    setting->config.kafka.partitions = PARTITIONS;
}

#define BROKER "ok    broker        127.0.0.1:PORT: answers; the cluster has 1 broker\n"
#define TOPICS                                                \
    "ok    topics        T-raw: 4 partitions, 1 copy\n"        \
    "ok    topics        T-normalized: 4 partitions, 1 copy\n" \
    "ok    topics        T-invalid: 4 partitions, 1 copy\n"    \
    "ok    topics        T-open: 4 partitions, 1 copy\n"       \
    "ok    topics        T-catalog: 4 partitions, 1 copy\n"
#define DO "                    do: "

/* ---- topics ---- */

static void topics_that_are_missing_are_told(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "missing");
#define MISSING(name) "fail  topics        T-" name ": is not there\n" DO "colline topics create -c FILE, by somebody who may make topics\n"
    told(&setting, "missing",
         BROKER MISSING("raw") MISSING("normalized") MISSING("invalid") MISSING("open") MISSING("catalog") "1 ok, 0 warnings, 5 failures\n");
    clean_up(&setting);
}

/* The raw topic has 6 partitions, the others as told; what must be compacted is not; copies are fewer than told. */
static void topics_that_are_otherwise_are_told(void **state)
{
    (void)state;
    struct setting setting;
    struct kafka_topic topics[KAFKA_TOPICS];
    set_up(&setting, "other");
    kafka_topics_of(&setting.config.kafka, topics);
    for (size_t i = 1; i < KAFKA_TOPICS; i++)
        topics[i].partitions = 1; /* not now */
    make_some(&setting, topics, 6);
    kafka_topics_of(&setting.config.kafka, topics);
    topics[0].partitions = 6;
    topics[3].compacted = false;
    make_some(&setting, topics, PARTITIONS);
    setting.config.kafka.replication = 3;
#define COPIES(name)                                                          \
    "warn  topics        T-" name ": has 1 copy, kafka.replication says 3\n" DO \
    "add copies by kafka-reassign-partitions, or set kafka.replication to what is meant\n"
#define UNEQUAL(name)                                                                              \
    "fail  topics        T-" name ": has 4 partitions and T-raw has 6: normalisers do not start\n" DO \
    "make the topics anew under other names, all with the same number of partitions\n"
    told(&setting, "other",
         BROKER "fail  topics        T-raw: has 6 partitions, the configuration says 4\n" DO
                "numbers of partitions are fixed once made, so set kafka.partitions to it, or use another topic\n" COPIES("normalized")
                COPIES("invalid") "fail  topics        T-open: is not compacted\n" DO "set its cleanup.policy to compact\n" COPIES("catalog")
                UNEQUAL("normalized") UNEQUAL("invalid") UNEQUAL("open") UNEQUAL("catalog")
                "warn  group         T: no normaliser is a member; 0 records wait\n" DO "start one: systemctl start colline-normalize@1\n"
                "ok    invalid       T-invalid: 0 of the last 0 raw records are invalid\n"
                "2 ok, 4 warnings, 6 failures\n");
    clean_up(&setting);
}

/* ---- the group ---- */

static void ignore(void *context, int32_t partition)
{
    ++*(int32_t *)context;
    (void)partition;
}

static void a_group_with_members_is_well(void **state)
{
    (void)state;
    struct setting setting;
    int32_t assigned = 0;
    struct kafka_input input;
    set_up(&setting, "group");
    make_topics(&setting);
    send_all(&setting, setting.config.kafka.topic_raw, NULL, 40);
    const struct kafka_worker_options options = {.kafka = &setting.config.kafka,
                                                 .instance = STR("i"),
                                                 .topic = setting.config.kafka.topic_raw,
                                                 .log = setting.log,
                                                 .assigned = ignore,
                                                 .revoked = ignore_revoked,
                                                 .context = &assigned};
    struct kafka_worker *worker = kafka_worker_open(&options, &setting.error);
    assert_non_null(worker);
    for (int i = 0; i < TIMEOUT_MS / 100 && assigned < PARTITIONS; i++)
        if (kafka_worker_poll(worker, 100, &input))
            kafka_input_release(&input);
    assert_int_equal(assigned, PARTITIONS);
    told(&setting, "group",
         BROKER TOPICS "ok    group         T: 1 member, Stable, 40 records behind\n"
                       "ok    invalid       T-invalid: 0 of the last 40 raw records are invalid\n"
                       "8 ok, 0 warnings, 0 failures\n");
    kafka_worker_close(worker);
    clean_up(&setting);
}

#define NO_MEMBER(waiting)                                                                     \
    "warn  group         T: no normaliser is a member; " waiting " records wait\n" DO \
    "start one: systemctl start colline-normalize@1\n"
#define NO_INVALID(of) "ok    invalid       T-invalid: 0 of the last " of " raw records are invalid\n"

static void lost_and_reset_offsets_are_told(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "offsets");
    make_topics(&setting);
    send_all(&setting, setting.config.kafka.topic_raw, NULL, 400); /* about a hundred a partition */
    commit(&setting, 10);
    told(&setting, "offsets", BROKER TOPICS NO_MEMBER("360") NO_INVALID("400") "7 ok, 1 warning, 0 failures\n");
    remove_before(&setting, 15);
    told(&setting, "offsets",
         BROKER TOPICS NO_MEMBER("340") "fail  group         T: 20 records were removed from the topic before they were read\n" DO
                                        "raise retention.ms of T-raw above the longest stop; read the logs again with `colline capture "
                                        "--from-beginning` and a new data_dir\n" NO_INVALID("340")
                                        "7 ok, 1 warning, 1 failure\n");
    commit(&setting, 1000);
    told(&setting, "offsets",
         BROKER TOPICS NO_MEMBER("0") "fail  group         T: 4 partitions are shorter than what was read of them\n" DO
                                      "the topic was made anew: with no normaliser running, set the group's offsets to the earliest "
                                      "(kafka-consumer-groups --reset-offsets --to-earliest)\n" NO_INVALID("340")
                                      "7 ok, 1 warning, 1 failure\n");
    clean_up(&setting);
}

/* The loaders' group is told of once there was one. */
static void loaders_that_are_gone_are_told(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "loaders");
    make_topics(&setting);
    send_all(&setting, setting.config.kafka.topic_normalized, NULL, 400);
    setting.config.store.group = STR("loaders-of-this-test");
    told(&setting, "loaders", BROKER TOPICS NO_MEMBER("0") NO_INVALID("0") "7 ok, 1 warning, 0 failures\n");
    commit_of(setting.config.store.group, setting.config.kafka.topic_normalized, 20);
    told(&setting, "loaders",
         BROKER TOPICS NO_MEMBER("0") "warn  group         loaders-of-this-test: no loader is a member; 320 records wait\n" DO
                                      "start one: systemctl start colline-load\n" NO_INVALID("0") "7 ok, 2 warnings, 0 failures\n");
    clean_up(&setting);
}

/* ---- what is invalid ---- */

static void add_invalid(struct setting *setting, const char *reason, int32_t partition, int64_t offset)
{
    struct buf json;
    buf_init(&json, 0);
    const struct invalid_record record = {.stage = STR("normalize"),
                                          .at = 1,
                                          .reason = str_make(reason, strlen(reason)),
                                          .topic = setting->config.kafka.topic_raw,
                                          .partition = partition,
                                          .offset = offset,
                                          .value = STR("x")};
    invalid_write(&json, &record);
    str_t value = buf_str(&json);
    send_all(setting, setting->config.kafka.topic_invalid, &value, 1);
    buf_release(&json);
}

static void the_share_of_what_is_invalid_is_told(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "share");
    make_topics(&setting);
    send_all(&setting, setting.config.kafka.topic_raw, NULL, 40);
    remove_before(&setting, 1);
    add_invalid(&setting, "kind: unknown", 0, 0); /* of a record that is gone */
    add_invalid(&setting, "user: expected text; v: missing", 0, 1);
    add_invalid(&setting, "kind: unknown", 1, 1);
    add_invalid(&setting, "kind: unknown; v: missing", 2, 2);
    told(&setting, "share",
         BROKER TOPICS NO_MEMBER("36") "fail  invalid       T-invalid: 3 of the last 36 raw records are invalid: 2 times `kind: unknown`; "
                                       "1 times `user: expected text`\n" DO "they are kept whole with their reasons; mend what made them, or update "
                                       "this version, then take them again: colline replay --invalid\n"
                                       "6 ok, 1 warning, 1 failure\n");
    clean_up(&setting);
}

/* ---- the way to the broker ---- */

static void set_broker(struct setting *setting, const char *port)
{
    char text[64];
    int len = snprintf(text, sizeof text, "127.0.0.1:%s", port);
    setting->config.kafka.brokers.items[0] = arena_copy(&setting->config.arena, str_make(text, (size_t)len));
}

static void wrong_credentials_are_told_and_never_shown(void **state)
{
    (void)state;
    struct setting setting;
    set_up(&setting, "login");
    struct config_kafka *kafka = &setting.config.kafka;
    kafka->security = SECURITY_SASL_PLAINTEXT;
    kafka->sasl_mechanism = STR("PLAIN");
    kafka->user = STR("colline");
    kafka->password = STR("not-the-secret");
    set_broker(&setting, getenv("COLLINE_KAFKA_SASL_PORT"));
    told(&setting, "login",
         "fail  broker        127.0.0.1:SASL: cannot be used: sasl_plaintext://127.0.0.1:SASL/bootstrap: SASL authentication error: "
         "Authentication failed: Invalid username or password\n" DO
         "correct kafka.user and its password (COLLINE_KAFKA_PASSWORD), and kafka.sasl_mechanism; meanwhile records are kept in the spool\n"
         "0 ok, 0 warnings, 1 failure\n");
    kafka->password = STR("secret");
    make_topics(&setting);
    send_all(&setting, kafka->topic_raw, NULL, 4);
    told(&setting, "login",
         "ok    broker        127.0.0.1:SASL: answers; the cluster has 1 broker\n" TOPICS NO_MEMBER("4") NO_INVALID("4")
         "7 ok, 1 warning, 0 failures\n");
    clean_up(&setting);
}

static void a_port_without_tls_is_told(void **state)
{
    (void)state;
    struct setting setting;
    struct findings findings;
    set_up(&setting, "tls");
    setting.config.kafka.security = SECURITY_SSL;
    findings_init(&findings);
    broker_check(&setting.config, ASK_MS, &findings);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.items[0].level, FINDING_FAIL);
    assert_true(str_starts_with(findings.items[0].text, STR("cannot be used: ssl://127.0.0.1:")));
    assert_true(str_ends_with(findings.items[0].text, STR("SSL routines::unexpected eof while reading"))); /* with other words before, now and then */
    assert_true(str_starts_with(findings.items[0].todo, STR("look whether this port speaks TLS, and whether kafka.ca_file holds who signed")));
    findings_release(&findings);
    clean_up(&setting);
}

/* Somebody listens and says nothing. */
static void a_silent_port_is_not_waited_for(void **state)
{
    (void)state;
    struct setting setting;
    struct findings findings;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char port[16];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 8) == 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    (void)snprintf(port, sizeof port, "%d", ntohs(address.sin_port));
    set_up(&setting, "silent");
    set_broker(&setting, port);
    findings_init(&findings);
    int64_t began = clock_steady(&setting.clock);
    broker_check(&setting.config, 1000, &findings);
    assert_true(clock_steady(&setting.clock) - began < ASK_MS); /* of the 60 s that librdkafka would wait */
    assert_int_equal(findings.count, 1);
    assert_true(str_eq(findings.items[0].text, STR("cannot be used: nobody answered in time")));
    findings_release(&findings);
    clean_up(&setting);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_that_are_missing_are_told),
        cmocka_unit_test(topics_that_are_otherwise_are_told),
        cmocka_unit_test(a_group_with_members_is_well),
        cmocka_unit_test(lost_and_reset_offsets_are_told),
        cmocka_unit_test(loaders_that_are_gone_are_told),
        cmocka_unit_test(the_share_of_what_is_invalid_is_told),
        cmocka_unit_test(wrong_credentials_are_told_and_never_shown),
        cmocka_unit_test(a_port_without_tls_is_told),
        cmocka_unit_test(a_silent_port_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
