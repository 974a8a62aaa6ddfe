/* svc/config/config.h: what is read, what is refused and in which words, what is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *no_environment(const char *name)
{
    (void)name;
    return NULL;
}

static const char *some_environment(const char *name)
{
    static const char *const pairs[][2] = {{"SECRET", "s3"},
                                           {"COLLINE_KAFKA_BROKERS", "a:1, b:2,"},
                                           {"COLLINE_HTTP_PORT", "1234"},
                                           {"COLLINE_DATA_DIR", "/data"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i][0], name) == 0)
            return pairs[i][1];
    return NULL;
}

static bool read_text(struct config *config, const char *text,
                      const char *(*environment)(const char *name))
{
    config_init(config);
    config->environment = environment;
    return config_read(config, STR("c.yaml"), str_make(text, strlen(text)));
}

/* What a text is told, to the letter. */
static void check_messages(const char *text, const char *expected)
{
    struct config config;
    struct buf out;
    buf_init(&out, 0);
    read_text(&config, text, no_environment);
    config_write_messages(&config, &out);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
    config_release(&config);
}

#define CLUSTER "clusters:\n  - name: c\n"
#define SOURCE CLUSTER "sources:\n  - kind: glog\n    cluster: c\n    paths: /l\n"

static void everything_has_a_default(void **state)
{
    (void)state;
    struct config config;
    assert_true(read_text(&config, "", no_environment));
    assert_true(str_eq(config.data_dir, STR("/var/lib/colline")));
    assert_true(config.instance.len > 0);
    assert_int_equal(config.normalize.expiry, 25 * 3600 * 1000);
    assert_int_equal(config.limits.spool, 1000000000);
    assert_int_equal(config.kafka.partitions, 12);
    assert_true(str_eq(config.kafka.compression, STR("lz4")));
    assert_int_equal(config.alarms.lag, 2000);
    assert_int_equal(config.alarms.after, 300000);
    assert_int_equal(config.sql_text, SQL_TEXT_FULL);
    assert_int_equal(config.kafka.brokers.count, 0);
    config_release(&config);
}

static void all_types_are_read(void **state)
{
    (void)state;
    struct config config;
    assert_true(read_text(
        &config,
        "sql_text: redacted\nlog: {level: warning, format: \"json\"}\n" CLUSTER
        "sources:\n- {kind: web, cluster: c, url: 'http://h:1', interval: 1500ms, timeout: 2s, "
        "host: h}\n"
        "- {kind: hive-hook, cluster: c, paths: [/a, '/b*'], from_beginning: true, max_line: 1MiB, "
        "rate: 7}\n"
        "kafka: {brokers: 'x:1', compression: zstd, security: ssl}\nlimits:\n  spool: 2GB\n",
        no_environment));
    assert_int_equal(config.sql_text, SQL_TEXT_REDACTED);
    assert_int_equal(config.log.level, 2);
    assert_int_equal(config.log.format, LOG_FORMAT_JSON);
    const struct config_source *web = &config.sources.items[0], *hive = &config.sources.items[1];
    assert_int_equal(web->interval, 1500);
    assert_true(str_eq(web->name, STR("web@h")) && web->of_cluster == &config.clusters.items[0]);
    assert_true(str_eq(web->of_cluster->name_space, STR("c")) &&
                str_eq(web->of_cluster->time_zone, STR("UTC")));
    assert_int_equal(hive->engine, ENGINE_HIVE);
    assert_int_equal(hive->paths.count, 2);
    assert_true(str_eq(hive->paths.items[1], STR("/b*")) && hive->from_beginning &&
                !hive->backfill);
    assert_int_equal(hive->max_line, 1 << 20);
    assert_int_equal(hive->rate, 7);
    assert_int_equal(hive->place.line, 7);
    assert_int_equal(config.kafka.brokers.count, 1);
    assert_int_equal(config.kafka.security, SECURITY_SSL);
    assert_int_equal(config.limits.spool, 2000000000);
    config_release(&config);
}

static void the_environment_fills_in_and_wins(void **state)
{
    (void)state;
    struct config config;
    assert_true(read_text(
        &config,
        "data_dir: /x\nkafka: {password: '${SECRET}', user: 'a${SECRET}b$${c}', brokers: [z:9]}\n",
        some_environment));
    assert_true(str_eq(config.data_dir, STR("/data")));
    assert_true(str_eq(config.kafka.password, STR("s3")));
    assert_true(str_eq(config.kafka.user, STR("as3b${c}")));
    assert_int_equal(config.kafka.brokers.count, 2);
    assert_true(str_eq(config.kafka.brokers.items[1], STR("b:2")));
    assert_int_equal(config.http.port, 1234);
    assert_int_equal(config.messages.count, 0);
    config_release(&config);
}

static void grammar_is_told_with_its_place(void **state)
{
    (void)state;
    check_messages(
        "a: [1, 2\nb: 3\n",
        "c.yaml:2:2: error: while parsing a flow sequence: did not find expected ',' or ']'\n");
    check_messages("data_dir: /x\n\tlog: y\n", "c.yaml:2:1: error: while scanning a plain scalar: "
                                               "found a tab character that violates indentation\n");
    check_messages("[1]\n", "c.yaml:1:1: error: the file must hold keys and values\n");
    check_messages("data_dir: &a x\n", "c.yaml:1:11: error: anchors are not used here\n");
    check_messages("data_dir: *a\n", "c.yaml:1:11: error: aliases are not used here\n");
    check_messages("data_dir: x\ndata_dir: y\n", "c.yaml:2:1: error: this key stands here twice\n");
    check_messages("--- {}\n--- {}\n",
                   "c.yaml:2:1: error: only one document may stand in the file\n");
    check_messages("{[a]: b}\n", "c.yaml:1:2: error: a key must be a text\n");
    check_messages("data_dir: \xFF\n", "c.yaml:1:1: error: invalid leading UTF-8 octet\n");
}

static void unknown_keys_are_refused_with_a_suggestion(void **state)
{
    (void)state;
    check_messages("kafka:\n  broker: x\nkafak: {}\n",
                   "c.yaml:3:1: error: unknown key `kafak`: did you mean `kafka`\n"
                   "c.yaml:2:3: error: unknown key `broker`: did you mean `brokers`\n");
    check_messages("brokers: [x]\n",
                   "c.yaml:1:1: error: unknown key `brokers`: it belongs under `kafka`\n");
    check_messages("log:\n  data_dir: x\n",
                   "c.yaml:2:3: error: unknown key `data_dir`: it belongs at the top\n");
    check_messages("nonsense: 1\n", "c.yaml:1:1: error: unknown key `nonsense`\n");
}

static void values_are_checked_by_the_table(void **state)
{
    (void)state;
    check_messages("http: {port: 70000}\n", "c.yaml:1:14: error: `port` must be from 0 to 65535\n");
    check_messages("http: {port: x}\n", "c.yaml:1:14: error: `port` expected a whole number\n");
    check_messages("http: {proxies: [proxy.example]}\n",
                   "c.yaml: error: `http.proxies`: `proxy.example` is no IP address\n"
                   "c.yaml: error: `http.proxy_secret` is needed with `http.proxies`, of 16 "
                   "characters or more\n");
    check_messages(
        "alarms:\n  lag: 2\n",
        "c.yaml:2:8: error: `lag` expected a time with its unit: 200ms, 3s, 5m, 25h, 7d\n");
    check_messages("limits: {spool: 5 apples}\n",
                   "c.yaml:1:17: error: `spool` expected a size: 512, 64KiB, 1GB\n");
    check_messages("limits: {spool: 1KB}\n",
                   "c.yaml:1:17: error: `spool` must be from 1MB to 1000TB\n"
                   "c.yaml: error: `limits.spool_segment` is larger than `limits.spool`\n");
    check_messages("sql_text: some\n",
                   "c.yaml:1:11: error: `sql_text` must be one of full, redacted, none\n");
    check_messages("sql_text: [full]\n", "c.yaml:1:11: error: `sql_text` must be a single value\n");
    check_messages("sql_text:\n", "c.yaml:1:1: error: `sql_text` has no value\n");
    check_messages("kafka: x\nclusters: {}\n",
                   "c.yaml:1:8: error: `kafka` must hold keys and values\nc.yaml:2:11: error: "
                   "`clusters` must hold a list\n");
    check_messages("clusters: [x]\n", "c.yaml:1:12: error: `clusters` must hold keys and values\n");
    check_messages(SOURCE "    from_beginning: yes\n",
                   "c.yaml:7:21: error: `from_beginning` must be true or false\n");
    check_messages("data_dir: ${HOME2}\n",
                   "c.yaml:1:11: error: the environment variable HOME2 is not set\n");
    check_messages("kafka: {password: abc}\n",
                   "c.yaml:1:19: warning: `password` stands here for all to read: write ${NAME} "
                   "and set the variable NAME\n");
    check_messages("alarms:\nsources:\n", "");
}

static void what_keys_must_agree_on_is_checked(void **state)
{
    (void)state;
    check_messages(SOURCE, "");
    check_messages("sources:\n  - kind: glog\n    paths: /l\n    cluster: d\n",
                   "c.yaml:2:5: error: `cluster`: there is no cluster `d`\n");
    check_messages(
        CLUSTER "sources: [{cluster: c}]\n",
        "c.yaml:3:11: error: `kind` is missing\n"
        "c.yaml:3:11: error: `paths` is missing: only a source of the kind web has none\n");
    check_messages(
        SOURCE "  - kind: glog\n    cluster: c\n    paths: /m\n",
        "c.yaml:7:5: error: there are two sources `glog`: give each a `name` of its own\n");
    check_messages(CLUSTER "sources: [{kind: web, cluster: c}]\n",
                   "c.yaml:3:11: error: `url` is missing: a source of the kind web has one\n");
    check_messages(CLUSTER "sources: [{kind: web, cluster: c, url: 'ftp://x', auth: basic}]\n",
                   "c.yaml:3:11: error: `url` must begin with http:// or https://\n"
                   "c.yaml:3:11: error: `user` and `password` are needed for this `auth`\n");
    check_messages(
        "clusters: [{name: a, time_zone: Mars/Base}, {name: a, time_zone: ../../etc/passwd}]\n",
        "c.yaml:1:12: error: `time_zone`: there is no zone `Mars/Base` in /usr/share/zoneinfo\n"
        "c.yaml:1:45: error: `time_zone`: there is no zone `../../etc/passwd` in "
        "/usr/share/zoneinfo\n"
        "c.yaml:1:45: error: there are two clusters `a`\n");
    check_messages(
        "kafka:\n  security: sasl_ssl\n  topic_raw: impala-bloodline-open\n  properties: [a]\n",
        "c.yaml:2:3: error: `kafka`: `user` and `password` are needed for this `security`\n"
        "c.yaml:2:3: error: `kafka.properties`: `a` must be `name=value`\n"
        "c.yaml:2:3: error: `kafka`: two topics are called `impala-bloodline-open`\n");
    check_messages("http: {address: 0.0.0.0}\n",
                   "c.yaml: error: `http.token` is needed: other machines can reach 0.0.0.0\n");
    check_messages("http: {address: localhost}\n",
                   "c.yaml: error: `http.address`: `localhost` is no IP address\n");
}

static void what_is_printed_is_read_back(void **state)
{
    (void)state;
    struct config config, again;
    struct buf first, second;
    buf_init(&first, 0);
    buf_init(&second, 0);
    assert_true(read_text(&config,
                          SOURCE "    host: \"a\\\"b $${x}\"\nkafka: {password: "
                                 "'${SECRET}'}\nwebhooks: [{url: '${SECRET}', shape: slack}]\n",
                          some_environment));
    config_write(&config, &first);
    buf_add_char(&first, '\0');
    assert_null(strstr(first.ptr, "s3"));
    assert_non_null(strstr(first.ptr, "  password: \"***\"\n"));
    assert_non_null(strstr(first.ptr, "    host: \"a\\\"b $${x}\"\n"));
    assert_true(read_text(&again, first.ptr, no_environment));
    config_write(&again, &second);
    buf_add_char(&second, '\0');
    assert_string_equal(first.ptr, second.ptr);
    buf_release(&first);
    buf_release(&second);
    config_release(&config);
    config_release(&again);
}

static void files_that_cannot_be_read_are_said(void **state)
{
    (void)state;
    struct config config;
    struct buf out;
    buf_init(&out, 0);
    config_init(&config);
    assert_false(config_read_file(&config, "/nowhere/c.yaml"));
    config_write_messages(&config, &out);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr,
                        "/nowhere/c.yaml: error: cannot read it: No such file or directory\n");
    buf_release(&out);
    config_release(&config);
    config_init(&config);
    assert_false(config_read_file(&config, "/dev/zero"));
    config_release(&config);
}

static void the_samples_are_good(void **state)
{
    (void)state;
    struct config config;
    config_init(&config);
    assert_true(config_read_file(&config, SOURCE_DIR "/packaging/samples/colline.yaml"));
    assert_int_equal(config.messages.count, 0);
    config_release(&config);
    setenv("IMPALA_PASSWORD", "a", 1);
    setenv("WEBHOOK_URL", "b", 1);
    setenv("COLLINE_KAFKA_PASSWORD", "c", 1);
    config_init(&config);
    assert_true(config_read_file(&config, SOURCE_DIR "/packaging/samples/colline-kafka.yaml"));
    assert_int_equal(config.messages.count, 0);
    config_release(&config);
    config_init(&config);
    assert_true(config_read_file(&config, SOURCE_DIR "/packaging/samples/colline-normalize.yaml"));
    assert_int_equal(config.messages.count, 0);
    config_release(&config);
}

/* The address is logged, counted by and kept in records: names and passwords in it are not. */
static void secrets_are_taken_out_of_an_address(void **state)
{
    (void)state;
    static const struct {
        const char *url, *bare, *user, *password;
    } cases[] = {{"http://ann:hush@h:25000/x", "http://h:25000/x", "ann", "hush"},
                 {"https://ann:a%40b%2f:c%zz@h", "https://h", "ann", "a@b/:c%zz"},
                 {"http://ann:p@ss@h/?q=@", "http://h/?q=@", "ann", "p@ss"},
                 {"http://ann@[::1]:1", "http://[::1]:1", "ann", ""},
                 {"http://h/a@b", "http://h/a@b", "", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config config;
        struct buf out;
        char text[512];
        buf_init(&out, 0);
        (void)snprintf(text, sizeof text, CLUSTER "sources: [{kind: web, name: w, cluster: c, url: '%s'}]\n", cases[i].url);
        read_text(&config, text, no_environment);
        const struct config_source *source = &config.sources.items[0];
        assert_true(str_eq(source->url, str_make(cases[i].bare, strlen(cases[i].bare))));
        assert_true(str_eq(source->user, str_make(cases[i].user, strlen(cases[i].user))));
        assert_true(str_eq(source->password, str_make(cases[i].password, strlen(cases[i].password))));
        assert_int_equal(source->auth, cases[i].user[0] == '\0' ? AUTH_NONE : AUTH_BASIC);
        config_write(&config, &out);
        config_write_messages(&config, &out);
        buf_add_char(&out, '\0');
        assert_null(strstr(out.ptr, "hush"));
        buf_release(&out);
        config_release(&config);
    }
    check_messages(CLUSTER "sources: [{kind: web, name: w, cluster: c, url: 'http://a:b@h', auth: digest, user: ann}]\n",
                   "c.yaml:3:11: warning: `url` has a name and a password in it: write `auth`, `user` and `password: ${NAME}`\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_a_default),
        cmocka_unit_test(all_types_are_read),
        cmocka_unit_test(the_environment_fills_in_and_wins),
        cmocka_unit_test(grammar_is_told_with_its_place),
        cmocka_unit_test(unknown_keys_are_refused_with_a_suggestion),
        cmocka_unit_test(values_are_checked_by_the_table),
        cmocka_unit_test(what_keys_must_agree_on_is_checked),
        cmocka_unit_test(what_is_printed_is_read_back),
        cmocka_unit_test(files_that_cannot_be_read_are_said),
        cmocka_unit_test(the_samples_are_good),
        cmocka_unit_test(secrets_are_taken_out_of_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
