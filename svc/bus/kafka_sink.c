/*
 * The Kafka sink. librdkafka's own threads talk to the brokers; what became of records comes as events, which poll takes off a queue.
 *
 * With an idempotent producer and no time-out a record fails only for good reasons. What no broker will ever take is refused; all else
 * (a topic that was not made yet, rights that are missing, a producer that must be made anew) is copied and sent again, before
 * anything that came later.
 */
#include "bus/kafka_inner.h"

#include <stdlib.h>

enum {
    IN_FLIGHT = 20000,
    RETRY_MS = 500
};

/* A record that came back; key and value behind it. */
struct returned {
    struct returned *next;
    uint64_t cookie;
    size_t key_len, value_len;
    char bytes[];
};

struct kafka_sink {
    struct sink sink;
    rd_kafka_t *client;
    rd_kafka_topic_t *topic;
    rd_kafka_queue_t *events;
    rd_kafka_conf_t *conf; /* as made, for another client after a fatal error */
    char *topic_name;
    struct log *log;
    bool (*refused)(void *context, str_t key, str_t value, str_t reason);
    void *refused_context;
    void (*refused_release)(void *context);
    size_t waiting, in_flight;
    size_t inside; /* of the waiting, those that librdkafka has */
    uint64_t sent_new; /* sent and not counted in the metric yet */
    struct returned *returned, **returned_end;
    struct clock clock;
    int64_t retry_at, hold_until; /* the latter: a record that is refused cannot be kept now; 0: none */
    bool fatal;
    struct metric *sent, *acked, *failed, *refusals, *unacknowledged;
};

static struct kafka_sink *kafka_sink_of(const struct sink *sink)
{
    return (struct kafka_sink *)(uintptr_t)sink;
}

size_t kafka_sink_waiting(const struct sink *sink)
{
    return kafka_sink_of(sink)->waiting;
}

/* 0, or why librdkafka did not take it. */
static rd_kafka_resp_err_t produce(struct kafka_sink *self, int flags, str_t key, str_t value, uint64_t cookie)
{
    int result = rd_kafka_produce(self->topic, RD_KAFKA_PARTITION_UA, flags, (void *)(uintptr_t)value.ptr, value.len, key.ptr,
                                  key.len, (void *)(uintptr_t)cookie);
    if (result != 0)
        return rd_kafka_last_error();
    self->inside++;
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static void acknowledge(struct kafka_sink *self, uint64_t cookie)
{
    self->waiting--;
    if (self->sink.acked != NULL)
        self->sink.acked(self->sink.context, cookie);
}

/* False when nobody could keep it now: then it stays unacknowledged. */
static bool refuse(struct kafka_sink *self, str_t key, str_t value, uint64_t cookie, rd_kafka_resp_err_t code)
{
    str_t reason = kafka_text(rd_kafka_err2str(code));
    log_say(self->log, LOG_LEVEL_ERROR, "kafka.refused", kafka_text(self->topic_name), "a record of %zu bytes with the key %.*s is refused: %s",
            value.len, (int)key.len, key.ptr, reason.ptr);
    if (self->refused != NULL && !self->refused(self->refused_context, key, value, reason))
        return false;
    metric_add(self->refusals, 1);
    acknowledge(self, cookie);
    return true;
}

static bool is_for_ever(rd_kafka_resp_err_t code)
{
    return code == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE || code == RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE ||
           code == RD_KAFKA_RESP_ERR_INVALID_RECORD;
}

/* Keeps a copy to be sent again. Out of memory it stays unacknowledged: its sender reads it again after a restart. */
static void take_back(struct kafka_sink *self, const rd_kafka_message_t *message)
{
    struct returned *item = malloc(sizeof *item + message->key_len + message->len);
    if (item == NULL)
        return;
    item->next = NULL;
    item->cookie = (uint64_t)(uintptr_t)message->_private;
    item->key_len = message->key_len;
    item->value_len = message->len;
    if (item->key_len > 0)
        memcpy(item->bytes, message->key, item->key_len);
    if (item->value_len > 0)
        memcpy(item->bytes + item->key_len, message->payload, item->value_len);
    *self->returned_end = item;
    self->returned_end = &item->next;
    self->retry_at = clock_steady(&self->clock) + RETRY_MS;
}

static void delivery_failed(struct kafka_sink *self, const rd_kafka_message_t *message)
{
    metric_add(self->failed, 1);
    if (is_for_ever(message->err)) {
        if (!refuse(self, str_make(message->key, message->key_len), str_make(message->payload, message->len),
                    (uint64_t)(uintptr_t)message->_private, message->err))
            take_back(self, message);
        return;
    }
    if (message->err != RD_KAFKA_RESP_ERR__PURGE_QUEUE && message->err != RD_KAFKA_RESP_ERR__PURGE_INFLIGHT)
        log_say(self->log, LOG_LEVEL_WARNING, "kafka.delivery", kafka_text(self->topic_name), "records came back, they are sent again: %s%s",
                rd_kafka_err2str(message->err),
                message->err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || message->err == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC
                    ? " (`colline topics create` makes topics)"
                    : "");
    take_back(self, message);
}

static void take_deliveries(struct kafka_sink *self, rd_kafka_event_t *event)
{
    const rd_kafka_message_t *message;
    uint64_t good = 0;
    while ((message = rd_kafka_event_message_next(event)) != NULL) {
        self->inside--;
        if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
            delivery_failed(self, message);
            continue;
        }
        good++;
        acknowledge(self, (uint64_t)(uintptr_t)message->_private);
    }
    metric_add(self->acked, good);
}

/* Sends again what came back, oldest first; true when nothing is left of it. */
static bool send_returned(struct kafka_sink *self)
{
    if (self->returned != NULL && clock_steady(&self->clock) < self->retry_at)
        return false;
    while (self->returned != NULL) {
        struct returned *item = self->returned;
        str_t key = str_make(item->bytes, item->key_len), value = str_make(item->bytes + item->key_len, item->value_len);
        rd_kafka_resp_err_t code = produce(self, RD_KAFKA_MSG_F_COPY, key, value, item->cookie);
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR && !is_for_ever(code))
            return false;
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR && !refuse(self, key, value, item->cookie, code)) {
            self->retry_at = clock_steady(&self->clock) + RETRY_MS;
            return false;
        }
        self->returned = item->next;
        if (self->returned == NULL)
            self->returned_end = &self->returned;
        free(item);
    }
    return true;
}

static void take_error(struct kafka_sink *self, rd_kafka_event_t *event)
{
    rd_kafka_resp_err_t code = rd_kafka_event_error(event);
    if ((code == RD_KAFKA_RESP_ERR__FATAL || rd_kafka_event_error_is_fatal(event)) && !self->fatal) {
        self->fatal = true;
        rd_kafka_purge(self->client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING);
    }
    log_say(self->log, LOG_LEVEL_WARNING, "kafka.error", kafka_text(rd_kafka_err2name(code)), "%s", rd_kafka_event_error_string(event));
}

static bool make_client(struct kafka_sink *self, struct buf *error)
{
    rd_kafka_conf_t *conf = rd_kafka_conf_dup(self->conf);
    rd_kafka_conf_set_opaque(conf, self->log);
    self->client = kafka_client(RD_KAFKA_PRODUCER, conf, error);
    if (self->client == NULL)
        return false;
    self->topic = rd_kafka_topic_new(self->client, self->topic_name, NULL);
    self->events = rd_kafka_queue_get_main(self->client);
    return self->topic != NULL;
}

static void drop_client(struct kafka_sink *self)
{
    if (self->events != NULL)
        rd_kafka_queue_destroy(self->events);
    if (self->topic != NULL)
        rd_kafka_topic_destroy(self->topic);
    if (self->client != NULL)
        rd_kafka_destroy_flags(self->client, 0);
    self->events = NULL;
    self->topic = NULL;
    self->client = NULL;
}

/* After a fatal error all records come back; then another producer takes the place of the broken one. */
static void replace_client(struct kafka_sink *self)
{
    struct buf error;
    if (self->inside > 0)
        return;
    log_say(self->log, LOG_LEVEL_WARNING, "kafka.producer", kafka_text(self->topic_name), "the producer is made anew after a fatal error");
    drop_client(self);
    buf_init(&error, 1024);
    if (make_client(self, &error))
        self->fatal = false;
    buf_release(&error);
}

static bool take(struct kafka_sink *self, int flags, str_t key, str_t value, uint64_t cookie)
{
    if (self->waiting >= self->in_flight || self->fatal || self->returned != NULL)
        return false;
    if (self->hold_until != 0 && clock_steady(&self->clock) < self->hold_until)
        return false;
    self->hold_until = 0;
    rd_kafka_resp_err_t code = produce(self, flags, key, value, cookie);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR && !is_for_ever(code))
        return false;
    self->waiting++;
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR && !refuse(self, key, value, cookie, code)) {
        self->waiting--;
        self->hold_until = clock_steady(&self->clock) + RETRY_MS;
        return false;
    }
    self->sent_new++;
    return true;
}

static bool kafka_send(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    return take(kafka_sink_of(sink), RD_KAFKA_MSG_F_COPY, key, value, cookie);
}

static bool kafka_send_kept(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    return take(kafka_sink_of(sink), 0, key, value, cookie);
}

static void take_event(struct kafka_sink *self, rd_kafka_event_t *event)
{
    switch (rd_kafka_event_type(event)) {
    case RD_KAFKA_EVENT_DR:
        take_deliveries(self, event);
        break;
    case RD_KAFKA_EVENT_ERROR:
        take_error(self, event);
        break;
    default:
        break;
    }
    rd_kafka_event_destroy(event);
}

static void kafka_poll(struct sink *sink, int timeout_ms)
{
    struct kafka_sink *self = kafka_sink_of(sink);
    rd_kafka_event_t *event;
    if (self->fatal && self->client == NULL)
        replace_client(self);
    while (self->client != NULL && (event = rd_kafka_queue_poll(self->events, timeout_ms)) != NULL) {
        timeout_ms = 0;
        take_event(self, event);
    }
    if (self->fatal)
        replace_client(self);
    if (self->client != NULL && !self->fatal)
        send_returned(self);
    metric_set(self->unacknowledged, (double)self->waiting);
    metric_add(self->sent, self->sent_new);
    self->sent_new = 0;
}

static bool kafka_flush(struct sink *sink, int timeout_ms)
{
    struct kafka_sink *self = kafka_sink_of(sink);
    int64_t until = clock_steady(&self->clock) + timeout_ms;
    kafka_poll(sink, 0);
    while (self->waiting > 0 && clock_steady(&self->clock) < until) {
        if (self->client != NULL)
            rd_kafka_flush(self->client, 0); /* ends the lingering of what is queued */
        kafka_poll(sink, 20);
    }
    return self->waiting == 0;
}

static void kafka_close(struct sink *sink)
{
    struct kafka_sink *self = kafka_sink_of(sink);
    if (self->client != NULL)
        rd_kafka_purge(self->client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING);
    drop_client(self);
    while (self->returned != NULL) {
        struct returned *next = self->returned->next;
        free(self->returned);
        self->returned = next;
    }
    if (self->conf != NULL)
        rd_kafka_conf_destroy(self->conf);
    if (self->refused_release != NULL)
        self->refused_release(self->refused_context);
    free(self->topic_name);
    free(self);
}

static const struct sink_ops kafka_sink_ops = {kafka_send, kafka_poll, kafka_flush, kafka_close, kafka_send_kept};

static void set_number(rd_kafka_conf_t **conf, const char *name, uint64_t number, struct buf *error)
{
    struct buf text;
    buf_init(&text, 32);
    buf_add_number(&text, number);
    kafka_set(conf, name, buf_str(&text), error);
    buf_release(&text);
}

/* Large batches: what waits for an answer of the broker gathers meanwhile, so the linger matters only where little comes. */
static rd_kafka_conf_t *sink_conf(const struct kafka_sink *self, const struct config_kafka *kafka, struct buf *error)
{
    rd_kafka_conf_t *conf = kafka_conf(kafka, self->log, error);
    kafka_set(&conf, "enable.idempotence", STR("true"), error);
    kafka_set(&conf, "acks", STR("all"), error);
    kafka_set(&conf, "partitioner", STR("murmur2_random"), error);
    kafka_set(&conf, "compression.codec", kafka->compression.len > 0 ? kafka->compression : STR("lz4"), error);
    set_number(&conf, "linger.ms", (uint64_t)kafka->linger, error);
    kafka_set(&conf, "batch.size", STR("262144"), error);
    kafka_set(&conf, "message.timeout.ms", STR("0"), error);
    kafka_set(&conf, "message.max.bytes", STR("16000000"), error);
    /* twice: what is acknowledged counts until its event is taken */
    set_number(&conf, "queue.buffering.max.messages", (uint64_t)self->in_flight * 2, error);
    /* what lies in the queues is most of the memory; one record of message.max.bytes must fit */
    kafka_set(&conf, "queue.buffering.max.kbytes", STR("16384"), error);
    kafka_set_properties(&conf, kafka, error);
    if (conf != NULL)
        rd_kafka_conf_set_events(conf, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR);
    return conf;
}

static void make_metrics(struct kafka_sink *self, struct metrics *metrics, str_t topic)
{
    self->sent = metrics_counter(metrics, "colline_kafka_sent_total", "Records handed to Kafka.", METRIC_LABELS({"topic", topic}));
    self->acked = metrics_counter(metrics, "colline_kafka_acknowledged_total", "Records that Kafka acknowledged.", METRIC_LABELS({"topic", topic}));
    self->failed = metrics_counter(metrics, "colline_kafka_returned_total", "Records that came back and were sent again.", METRIC_LABELS({"topic", topic}));
    self->refusals = metrics_counter(metrics, "colline_kafka_refused_total", "Records that Kafka will never take.", METRIC_LABELS({"topic", topic}));
    self->unacknowledged = metrics_gauge(metrics, "colline_kafka_unacknowledged", "Records sent and not acknowledged.", METRIC_LABELS({"topic", topic}));
}

struct sink *kafka_sink_open(const struct kafka_sink_options *options, struct buf *error)
{
    struct kafka_sink *self = calloc(1, sizeof *self);
    if (self == NULL) {
        if (options->refused_release != NULL)
            options->refused_release(options->refused_context);
        return NULL;
    }
    self->sink.ops = &kafka_sink_ops;
    self->returned_end = &self->returned;
    self->log = options->log;
    self->clock = options->clock;
    self->refused = options->refused;
    self->refused_context = options->refused_context;
    self->refused_release = options->refused_release;
    self->in_flight = options->in_flight > 0 ? options->in_flight : IN_FLIGHT;
    self->topic_name = kafka_string(options->topic);
    self->conf = sink_conf(self, options->kafka, error);
    if (self->topic_name == NULL || self->conf == NULL || !make_client(self, error)) {
        kafka_close(&self->sink);
        return NULL;
    }
    make_metrics(self, options->metrics, options->topic);
    return &self->sink;
}
