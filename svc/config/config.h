/*
 * The configuration: one YAML file, read by one table of keys (config.def, which says what each
 * means, its default and its range) into these structs. All texts live in the configuration's
 * arena; times are in milliseconds, sizes in bytes.
 *
 *     struct config config;
 *     config_init(&config);
 *     if (!config_read_file(&config, "colline.yaml")) …    // config.messages say what is wrong,
 * each with its place config_release(&config);
 *
 * Texts may hold `${NAME}`, which the environment fills in; secrets are meant to come that way, or
 * by the variable that the table names.
 */
#ifndef COLLINE_CONFIG_CONFIG_H
#define COLLINE_CONFIG_CONFIG_H

#include "base/arena.h"
#include "base/buf.h"

struct config_list {
    str_t *items;
    uint32_t count;
};

enum config_sql_text { SQL_TEXT_FULL, SQL_TEXT_REDACTED, SQL_TEXT_NONE };

/* In the order of enum raw_source. */
enum config_kind {
    KIND_DAEMON_LOG,
    KIND_GLOG,
    KIND_WEB,
    KIND_LINEAGE_LOG,
    KIND_AUDIT_LOG,
    KIND_PROFILE_LOG,
    KIND_HIVE_HOOK,
    KIND_SQL_FILE,
    KIND_HIVE_LOG
};

enum config_engine { ENGINE_IMPALA, ENGINE_HIVE };
enum config_watch { WATCH_AUTO, WATCH_INOTIFY, WATCH_POLL };
enum config_auth { AUTH_NONE, AUTH_BASIC, AUTH_DIGEST, AUTH_NEGOTIATE, AUTH_BEARER };
enum config_security {
    SECURITY_PLAINTEXT,
    SECURITY_SSL,
    SECURITY_SASL_PLAINTEXT,
    SECURITY_SASL_SSL
};
enum config_shape { SHAPE_GENERIC, SHAPE_WECHAT, SHAPE_DINGTALK, SHAPE_SLACK };
enum config_log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

struct config_place {
    uint32_t line, column; /* from 1; 0: nowhere in the file */
};

struct config_log {
    int64_t level; /* enum log_level */
    int64_t format;
    str_t file;
    int64_t repeat;
};

struct config_http {
    str_t address;
    int64_t port;
    str_t token;
    bool tokens;
    struct config_list hosts;
    struct config_list proxies;
    str_t proxy_secret;
    bool proxy_sql;
};

struct config_cluster {
    struct config_place place;
    str_t name, name_space, time_zone, warehouse;
};

struct config_source {
    struct config_place place;
    str_t name;
    int64_t kind, engine, watch, auth;
    str_t cluster, host, database;
    struct config_list paths, exclude;
    str_t url, user, password, token, ca_file;
    int64_t interval, timeout;
    int64_t max_line; /* bytes */
    bool from_beginning, backfill;
    int64_t rate;                            /* records a second; 0: any */
    const struct config_cluster *of_cluster; /* the one named; never NULL after a good reading */
};

struct config_kafka {
    struct config_place place;
    struct config_list brokers;
    str_t topic_raw, topic_normalized, topic_invalid, topic_open, topic_catalog;
    int64_t partitions, replication;
    str_t group, compression;
    int64_t linger;
    int64_t security;
    str_t sasl_mechanism, user, password, ca_file, certificate_file, key_file, key_password;
    struct config_list properties;
};

struct config_limits {
    int64_t spool, spool_segment;
    int64_t in_flight; /* records sent and not acknowledged */
    int64_t clock_skew;
};

struct config_normalize {
    int64_t expiry, revision_window, end_grace, done_marker;
    int64_t batch, batch_wait, workers, lineage_cache, lookup_timeout;
    struct config_list catalogs;
};

struct config_store {
    str_t address; /* empty: colline.db in the data folder */
    int64_t keep_queries, keep_columns, keep_tables; /* ms; 0: for ever */
    int64_t batch, batch_wait;
    str_t group;
};

struct config_alarms {
    int64_t lag, after;
};

struct config_webhook {
    struct config_place place;
    str_t url, secret;
    int64_t shape, timeout;
};

struct config_message {
    struct config_place place;
    bool warning;
    str_t text;
};

struct config {
    struct arena arena;
    str_t path; /* of the file, for messages */
    str_t data_dir, instance;
    int64_t sql_text;
    struct config_log log;
    struct config_http http;
    struct config_kafka kafka;
    struct config_limits limits;
    struct config_normalize normalize;
    struct config_store store;
    struct config_alarms alarms;
    VEC(struct config_cluster) clusters;
    VEC(struct config_source) sources;
    VEC(struct config_webhook) webhooks;
    VEC(struct config_message) messages;
    bool failed;                                  /* at least one message is no warning */
    const char *(*environment)(const char *name); /* getenv unless a test sets another */
};

/* All keys at their defaults; no clusters, sources or webhooks. */
void config_init(struct config *config);
void config_release(struct config *config);

/* False when something is wrong: then `messages` say all of it, but after a mistake of YAML's
 * grammar only that. */
bool config_read_file(struct config *config, const char *path);

/* The same of a text; `path` is for messages only. */
bool config_read(struct config *config, str_t path, str_t text);

/* `path:line:column: error: text` and a line break for each message. */
void config_write_messages(const struct config *config, struct buf *out);

/* The whole configuration as YAML, defaults included, secrets as `***`. */
void config_write(const struct config *config, struct buf *out);

/* docs/configuration.md. */
void config_write_reference(struct buf *out);

#endif
