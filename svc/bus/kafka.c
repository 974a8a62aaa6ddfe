/* What all Kafka clients share: settings from the configuration, librdkafka's own messages in our log, texts for errors. */
#include "bus/kafka_inner.h"

#include "run/clock.h"

#include <stdlib.h>
#include <syslog.h>
#include <time.h>

enum {
    RETRY_MS = 50
};

static const char *const securities[] = {
    [SECURITY_PLAINTEXT] = "plaintext",
    [SECURITY_SSL] = "ssl",
    [SECURITY_SASL_PLAINTEXT] = "sasl_plaintext",
    [SECURITY_SASL_SSL] = "sasl_ssl",
};

char *kafka_string(str_t text)
{
    char *copy = malloc(text.len + 1);
    if (copy == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

void kafka_explain(struct buf *error, const char *what, rd_kafka_resp_err_t code, const char *detail)
{
    buf_add(error, kafka_text(what));
    BUF_ADD(error, ": ");
    buf_add(error, kafka_text(detail != NULL && *detail != '\0' ? detail : rd_kafka_err2str(code)));
}

void kafka_set(rd_kafka_conf_t **conf, const char *name, str_t value, struct buf *error)
{
    char why[256];
    if (*conf == NULL)
        return;
    char *text = kafka_string(value);
    if (text != NULL && rd_kafka_conf_set(*conf, name, text, why, sizeof why) == RD_KAFKA_CONF_OK) {
        free(text);
        return;
    }
    kafka_explain(error, name, RD_KAFKA_RESP_ERR__INVALID_ARG, text == NULL ? "memory is out" : why);
    free(text);
    rd_kafka_conf_destroy(*conf);
    *conf = NULL;
}

static void set_unless_empty(rd_kafka_conf_t **conf, const char *name, str_t value, struct buf *error)
{
    if (value.len > 0)
        kafka_set(conf, name, value, error);
}

static void set_brokers(rd_kafka_conf_t **conf, const struct config_list *brokers, struct buf *error)
{
    struct buf list;
    buf_init(&list, 0);
    for (uint32_t i = 0; i < brokers->count; i++) {
        if (i > 0)
            buf_add_char(&list, ',');
        buf_add(&list, brokers->items[i]);
    }
    kafka_set(conf, "bootstrap.servers", buf_str(&list), error);
    buf_release(&list);
}

static void set_security(rd_kafka_conf_t **conf, const struct config_kafka *kafka, struct buf *error)
{
    kafka_set(conf, "security.protocol", kafka_text(securities[kafka->security]), error);
    if (kafka->security == SECURITY_SASL_PLAINTEXT || kafka->security == SECURITY_SASL_SSL) {
        kafka_set(conf, "sasl.mechanism", kafka->sasl_mechanism, error);
        set_unless_empty(conf, "sasl.username", kafka->user, error);
        set_unless_empty(conf, "sasl.password", kafka->password, error);
    }
    set_unless_empty(conf, "ssl.ca.location", kafka->ca_file, error);
    set_unless_empty(conf, "ssl.certificate.location", kafka->certificate_file, error);
    set_unless_empty(conf, "ssl.key.location", kafka->key_file, error);
    set_unless_empty(conf, "ssl.key.password", kafka->key_password, error);
}

void kafka_set_properties(rd_kafka_conf_t **conf, const struct config_kafka *kafka, struct buf *error)
{
    for (uint32_t i = 0; i < kafka->properties.count; i++) {
        str_t property = kafka->properties.items[i];
        size_t equals = str_find(property, '=', 0);
        char *name = kafka_string(str_make(property.ptr, equals));
        if (name != NULL && equals < property.len)
            kafka_set(conf, name, str_make(property.ptr + equals + 1, property.len - equals - 1), error);
        free(name);
    }
}

static enum log_level level_of(int syslog_level)
{
    if (syslog_level <= LOG_ERR)
        return LOG_LEVEL_ERROR;
    if (syslog_level <= LOG_WARNING)
        return LOG_LEVEL_WARNING;
    return syslog_level <= LOG_NOTICE ? LOG_LEVEL_INFO : LOG_LEVEL_DEBUG;
}

/* librdkafka says the same of each broker and thread; `fac` makes the log hold back what repeats itself. */
static void say(const rd_kafka_t *client, int level, const char *fac, const char *text)
{
    log_say(rd_kafka_opaque(client), level_of(level), "kafka.client", kafka_text(fac), "%s", text);
}

rd_kafka_conf_t *kafka_conf(const struct config_kafka *kafka, struct log *log, struct buf *error)
{
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set_opaque(conf, log);
    rd_kafka_conf_set_log_cb(conf, say);
    set_brokers(&conf, &kafka->brokers, error);
    set_security(&conf, kafka, error);
    kafka_set(&conf, "client.id", STR("colline"), error);
    kafka_set(&conf, "log.connection.close", STR("false"), error);
    kafka_set(&conf, "reconnect.backoff.ms", STR("50"), error);
    kafka_set(&conf, "reconnect.backoff.max.ms", STR("1000"), error);
    kafka_set(&conf, "topic.metadata.refresh.sparse", STR("true"), error);
    kafka_set(&conf, "allow.auto.create.topics", STR("false"), error);
    return conf;
}

rd_kafka_t *kafka_client(rd_kafka_type_t type, rd_kafka_conf_t *conf, struct buf *error)
{
    char why[256];
    if (conf == NULL)
        return NULL;
    rd_kafka_t *client = rd_kafka_new(type, conf, why, sizeof why);
    if (client == NULL) {
        kafka_explain(error, "Kafka", RD_KAFKA_RESP_ERR__FAIL, why);
        rd_kafka_conf_destroy(conf);
    }
    return client;
}

int32_t kafka_partition(str_t key, int32_t partitions)
{
    return rd_kafka_msg_partitioner_murmur2(NULL, key.ptr, key.len, partitions, NULL, NULL);
}

int32_t kafka_count_partitions(rd_kafka_t *client, const char *topic, int timeout_ms, struct buf *error)
{
    const struct rd_kafka_metadata *metadata;
    rd_kafka_topic_t *handle = rd_kafka_topic_new(client, topic, NULL);
    rd_kafka_resp_err_t code = rd_kafka_metadata(client, 0, handle, &metadata, timeout_ms);
    int32_t count = 0;
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
        code = metadata->topic_cnt == 1 ? metadata->topics[0].err : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
        count = code == RD_KAFKA_RESP_ERR_NO_ERROR ? metadata->topics[0].partition_cnt : 0;
        rd_kafka_metadata_destroy(metadata);
    }
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        kafka_explain(error, topic, code, NULL);
    rd_kafka_topic_destroy(handle);
    return count;
}

/* What the client knows of a topic is asked for anew. */
static void refresh(rd_kafka_t *client, const char *topic, int timeout_ms)
{
    struct buf why;
    buf_init(&why, 0);
    (void)kafka_count_partitions(client, topic, timeout_ms, &why);
    buf_release(&why);
}

/* librdkafka 2.0.2 remembers for a quarter of an hour that a topic has no such partition, when a broker said so that had just begun. */
static bool may_be_old_news(rd_kafka_resp_err_t code)
{
    return code == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION || code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC || code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
}

rd_kafka_resp_err_t kafka_ends(rd_kafka_t *client, const char *topic, int32_t partition, int timeout_ms, int64_t *low, int64_t *high)
{
    const struct clock clock = clock_system();
    int64_t until = clock_steady(&clock) + timeout_ms, left = timeout_ms;
    rd_kafka_resp_err_t code = RD_KAFKA_RESP_ERR__TIMED_OUT;
    while (left > 0) {
        code = rd_kafka_query_watermark_offsets(client, topic, partition, low, high, (int)left);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR)
            break;
        (void)nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000L}, NULL); /* a poll could take records from whoever consumes */
        left = until - clock_steady(&clock);
        if (may_be_old_news(code) && left > 0)
            refresh(client, topic, (int)left);
    }
    return code;
}
