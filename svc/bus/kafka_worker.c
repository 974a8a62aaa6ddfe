/*
 * The worker: a consumer with the eager protocol, whose rebalance callback runs within poll, and a transactional producer.
 *
 * What librdkafka 2.0.2 makes necessary: no consume_batch (it passes over records around a pause); a seek right after an assignment may be
 * refused and is tried again; records that were fetched before a pause may still come, so their partition is looked up first.
 */
#include "bus/kafka_worker.h"

#include "bus/kafka_inner.h"

#include <stdlib.h>

struct kafka_worker {
    rd_kafka_t *consumer, *producer;
    rd_kafka_topic_t *outputs[KAFKA_OUTPUTS];
    bool by_key[KAFKA_OUTPUTS];
    size_t output_count;
    char *topic;
    struct log *log;
    void (*assigned)(void *context, int32_t partition);
    void (*revoked)(void *context, bool lost);
    void *context;
    unsigned char *reading; /* by partition: resumed and not paused */
    int32_t reading_count;
    bool held; /* partitions are assigned */
};

static bool is_reading(const struct kafka_worker *worker, int32_t partition)
{
    return partition >= 0 && partition < worker->reading_count && worker->reading[partition] != 0;
}

static bool set_reading(struct kafka_worker *worker, int32_t partition, bool on)
{
    if (partition >= worker->reading_count) {
        unsigned char *reading = realloc(worker->reading, (size_t)partition + 1);
        if (reading == NULL)
            return false;
        memset(reading + worker->reading_count, 0, (size_t)(partition + 1 - worker->reading_count));
        worker->reading = reading;
        worker->reading_count = partition + 1;
    }
    worker->reading[partition] = on;
    return true;
}

static void take_partitions(struct kafka_worker *worker, rd_kafka_topic_partition_list_t *list)
{
    /* Somewhere must reading begin; it is paused at once, and the seek in kafka_worker_resume says where. */
    for (int i = 0; i < list->cnt; i++)
        list->elems[i].offset = RD_KAFKA_OFFSET_BEGINNING;
    rd_kafka_assign(worker->consumer, list);
    rd_kafka_pause_partitions(worker->consumer, list);
    worker->held = list->cnt > 0;
    for (int i = 0; i < list->cnt; i++) {
        set_reading(worker, list->elems[i].partition, false);
        worker->assigned(worker->context, list->elems[i].partition);
    }
}

static void give_partitions(struct kafka_worker *worker, bool lost)
{
    if (worker->held)
        worker->revoked(worker->context, lost);
    worker->held = false;
    if (worker->reading != NULL)
        memset(worker->reading, 0, (size_t)worker->reading_count);
    rd_kafka_assign(worker->consumer, NULL);
}

static void rebalance(rd_kafka_t *consumer, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t *list, void *opaque)
{
    struct kafka_worker *worker = opaque;
    log_say(worker->log, LOG_LEVEL_INFO, "kafka.group", kafka_text(worker->topic), "%s: %d partitions",
            code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS ? "assigned" : (rd_kafka_assignment_lost(consumer) ? "lost" : "revoked"), list->cnt);
    if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS)
        take_partitions(worker, list);
    else
        give_partitions(worker, rd_kafka_assignment_lost(consumer));
}

/* The consumer's opaque is the worker, for the rebalance callback; its log callback must know that. */
static void say(const rd_kafka_t *client, int level, const char *fac, const char *text)
{
    struct kafka_worker *worker = rd_kafka_opaque(client);
    (void)level;
    log_say(worker->log, LOG_LEVEL_WARNING, "kafka.client", kafka_text(fac), "%s", text);
}

static bool open_consumer(struct kafka_worker *worker, const struct config_kafka *kafka, struct buf *error)
{
    rd_kafka_conf_t *conf = kafka_conf(kafka, worker->log, error);
    kafka_set(&conf, "group.id", kafka->group, error);
    kafka_set(&conf, "enable.auto.commit", STR("false"), error);
    kafka_set(&conf, "enable.auto.offset.store", STR("false"), error);
    kafka_set(&conf, "isolation.level", STR("read_committed"), error);
    kafka_set(&conf, "partition.assignment.strategy", STR("range"), error);
    kafka_set(&conf, "auto.offset.reset", STR("earliest"), error);
    kafka_set(&conf, "session.timeout.ms", STR("6000"), error);
    kafka_set(&conf, "heartbeat.interval.ms", STR("1000"), error);
    kafka_set(&conf, "fetch.wait.max.ms", STR("50"), error);
    /* What is full is not fetched into for a whole second, so there must be more than a second's work in it. */
    kafka_set(&conf, "queued.max.messages.kbytes", STR("131072"), error);
    kafka_set(&conf, "queued.min.messages", STR("1000000"), error);
    kafka_set(&conf, "fetch.message.max.bytes", STR("262144"), error); /* of each partition, and compressed */
    kafka_set_properties(&conf, kafka, error);
    if (conf != NULL) {
        rd_kafka_conf_set_opaque(conf, worker);
        rd_kafka_conf_set_log_cb(conf, say);
        rd_kafka_conf_set_rebalance_cb(conf, rebalance);
    }
    worker->consumer = kafka_client(RD_KAFKA_CONSUMER, conf, error);
    if (worker->consumer == NULL)
        return false;
    rd_kafka_poll_set_consumer(worker->consumer);
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, worker->topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t code = rd_kafka_subscribe(worker->consumer, list);
    rd_kafka_topic_partition_list_destroy(list);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        kafka_explain(error, worker->topic, code, NULL);
    return code == RD_KAFKA_RESP_ERR_NO_ERROR;
}

static void set_transactional_id(rd_kafka_conf_t **conf, const struct config_kafka *kafka, str_t instance, struct buf *error)
{
    struct buf id;
    buf_init(&id, 0);
    buf_add(&id, kafka->group);
    buf_add_char(&id, '-');
    buf_add(&id, instance);
    kafka_set(conf, "transactional.id", buf_str(&id), error);
    buf_release(&id);
}

/*
 * The commit says what became of the records. But only with a callback does librdkafka wait for the last of them by waiting; without one it
 * looks every 10 ms.
 */
static void pass_over(rd_kafka_t *producer, const rd_kafka_message_t *message, void *opaque)
{
    (void)producer, (void)message, (void)opaque;
}

static bool open_producer(struct kafka_worker *worker, const struct kafka_worker_options *options, struct buf *error)
{
    const struct config_kafka *kafka = options->kafka;
    rd_kafka_conf_t *conf = kafka_conf(kafka, worker->log, error);
    set_transactional_id(&conf, kafka, options->instance, error);
    kafka_set(&conf, "transaction.timeout.ms", STR("10000"), error);
    kafka_set(&conf, "retry.backoff.ms", STR("5"), error);
    kafka_set(&conf, "linger.ms", STR("2"), error); /* a commit ends it anyway */
    kafka_set(&conf, "batch.size", STR("262144"), error);
    kafka_set(&conf, "message.max.bytes", STR("16000000"), error);
    kafka_set(&conf, "partitioner", STR("murmur2_random"), error);
    kafka_set(&conf, "compression.codec", kafka->compression.len > 0 ? kafka->compression : STR("lz4"), error);
    kafka_set_properties(&conf, kafka, error);
    if (conf != NULL)
        rd_kafka_conf_set_dr_msg_cb(conf, pass_over);
    worker->producer = kafka_client(RD_KAFKA_PRODUCER, conf, error);
    for (size_t i = 0; worker->producer != NULL && i < options->output_count; i++) {
        char *name = kafka_string(options->outputs[i].topic);
        worker->outputs[i] = name == NULL ? NULL : rd_kafka_topic_new(worker->producer, name, NULL);
        worker->by_key[i] = options->outputs[i].by_key;
        worker->output_count += worker->outputs[i] != NULL;
        free(name);
    }
    return worker->producer != NULL && worker->output_count == options->output_count;
}

struct kafka_worker *kafka_worker_open(const struct kafka_worker_options *options, struct buf *error)
{
    struct kafka_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->log = options->log;
    worker->assigned = options->assigned;
    worker->revoked = options->revoked;
    worker->context = options->context;
    worker->topic = kafka_string(options->topic);
    bool writes = options->output_count > 0;
    if (worker->topic != NULL && (!writes || open_producer(worker, options, error)) && open_consumer(worker, options->kafka, error))
        return worker;
    kafka_worker_close(worker);
    return NULL;
}

void kafka_worker_close(struct kafka_worker *worker)
{
    if (worker == NULL)
        return;
    if (worker->consumer != NULL) {
        rd_kafka_consumer_close(worker->consumer);
        rd_kafka_destroy(worker->consumer);
    }
    for (size_t i = 0; i < KAFKA_OUTPUTS; i++)
        if (worker->outputs[i] != NULL)
            rd_kafka_topic_destroy(worker->outputs[i]);
    if (worker->producer != NULL)
        rd_kafka_destroy(worker->producer);
    free(worker->reading);
    free(worker->topic);
    free(worker);
}

int32_t kafka_worker_partitions(struct kafka_worker *worker, str_t topic, int timeout_ms, struct buf *error)
{
    char *name = kafka_string(topic);
    int32_t count = name == NULL ? 0 : kafka_count_partitions(worker->producer != NULL ? worker->producer : worker->consumer, name, timeout_ms, error);
    free(name);
    return count;
}

/* What an error of the transaction API means. Frees it. */
static enum kafka_outcome judge(struct kafka_worker *worker, const char *what, rd_kafka_error_t *error)
{
    if (error == NULL)
        return KAFKA_DONE;
    enum kafka_outcome outcome = rd_kafka_error_is_fatal(error)              ? KAFKA_FATAL
                                 : rd_kafka_error_txn_requires_abort(error) ? KAFKA_ABORT
                                 : rd_kafka_error_is_retriable(error)       ? KAFKA_AGAIN
                                                                            : KAFKA_ABORT;
    log_say(worker->log, outcome == KAFKA_FATAL ? LOG_LEVEL_ERROR : LOG_LEVEL_WARNING, "kafka.transaction", kafka_text(what), "%s",
            rd_kafka_error_string(error));
    rd_kafka_error_destroy(error);
    return outcome;
}

enum kafka_outcome kafka_worker_init(struct kafka_worker *worker, int timeout_ms, struct buf *error)
{
    rd_kafka_error_t *wrong = rd_kafka_init_transactions(worker->producer, timeout_ms);
    if (wrong != NULL)
        buf_add(error, kafka_text(rd_kafka_error_string(wrong)));
    bool may_retry = wrong != NULL && rd_kafka_error_is_retriable(wrong);
    enum kafka_outcome outcome = judge(worker, "init", wrong);
    return outcome == KAFKA_DONE || may_retry ? outcome : KAFKA_FATAL;
}

bool kafka_worker_poll(struct kafka_worker *worker, int timeout_ms, struct kafka_input *input)
{
    rd_kafka_message_t *message = rd_kafka_consumer_poll(worker->consumer, timeout_ms);
    input->message = NULL;
    if (message == NULL)
        return false;
    kafka_input_of(input, message);
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR && is_reading(worker, message->partition))
        return true;
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR)
        log_say(worker->log, LOG_LEVEL_WARNING, "kafka.consumer", kafka_text(worker->topic), "%s", rd_kafka_message_errstr(message));
    kafka_input_release(input);
    return false;
}

static rd_kafka_topic_partition_list_t *list_of(const struct kafka_worker *worker, int32_t partition)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, worker->topic, partition);
    return list;
}

bool kafka_worker_committed(struct kafka_worker *worker, int32_t partition, int timeout_ms, int64_t *offset)
{
    rd_kafka_topic_partition_list_t *list = list_of(worker, partition);
    bool good = rd_kafka_committed(worker->consumer, list, timeout_ms) == RD_KAFKA_RESP_ERR_NO_ERROR &&
                list->elems[0].err == RD_KAFKA_RESP_ERR_NO_ERROR;
    int64_t high;
    *offset = list->elems[0].offset;
    rd_kafka_topic_partition_list_destroy(list);
    if (good && *offset < 0)
        good = kafka_ends(worker->consumer, worker->topic, partition, timeout_ms, offset, &high) == RD_KAFKA_RESP_ERR_NO_ERROR;
    return good;
}

bool kafka_worker_end(struct kafka_worker *worker, int32_t partition, int timeout_ms, int64_t *end)
{
    int64_t low;
    return kafka_ends(worker->consumer, worker->topic, partition, timeout_ms, &low, end) == RD_KAFKA_RESP_ERR_NO_ERROR;
}

bool kafka_worker_resume(struct kafka_worker *worker, int32_t partition, int64_t offset)
{
    rd_kafka_topic_partition_list_t *list = list_of(worker, partition);
    list->elems[0].offset = offset;
    rd_kafka_error_t *error = rd_kafka_seek_partitions(worker->consumer, list, 1000);
    bool good = error == NULL && list->elems[0].err == RD_KAFKA_RESP_ERR_NO_ERROR;
    if (error != NULL)
        rd_kafka_error_destroy(error);
    good = good && set_reading(worker, partition, true);
    if (good)
        rd_kafka_resume_partitions(worker->consumer, list);
    rd_kafka_topic_partition_list_destroy(list);
    return good;
}

void kafka_worker_pause(struct kafka_worker *worker, int32_t partition)
{
    rd_kafka_topic_partition_list_t *list = list_of(worker, partition);
    set_reading(worker, partition, false);
    rd_kafka_pause_partitions(worker->consumer, list);
    rd_kafka_topic_partition_list_destroy(list);
}

enum kafka_outcome kafka_worker_begin(struct kafka_worker *worker)
{
    return judge(worker, "begin", rd_kafka_begin_transaction(worker->producer));
}

enum kafka_outcome kafka_worker_send(struct kafka_worker *worker, size_t output, int32_t partition, str_t key, str_t value, bool tombstone)
{
    int result = rd_kafka_produce(worker->outputs[output], worker->by_key[output] ? RD_KAFKA_PARTITION_UA : partition, RD_KAFKA_MSG_F_COPY,
                                  tombstone ? NULL : (void *)(uintptr_t)value.ptr, tombstone ? 0 : value.len, key.ptr, key.len, NULL);
    if (result == 0)
        return KAFKA_DONE;
    rd_kafka_resp_err_t code = rd_kafka_last_error();
    if (code == RD_KAFKA_RESP_ERR__QUEUE_FULL) {
        rd_kafka_poll(worker->producer, 10);
        return KAFKA_AGAIN;
    }
    log_say(worker->log, LOG_LEVEL_ERROR, "kafka.transaction", STR("send"), "%s", rd_kafka_err2str(code));
    return code == RD_KAFKA_RESP_ERR__FATAL ? KAFKA_FATAL : KAFKA_ABORT;
}

void kafka_worker_tell(struct kafka_worker *worker, const struct kafka_offset *offsets, size_t count)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new((int)count);
    for (size_t i = 0; i < count; i++)
        rd_kafka_topic_partition_list_add(list, worker->topic, offsets[i].partition)->offset = offsets[i].next;
    if (count > 0)
        rd_kafka_commit(worker->consumer, list, 1);
    rd_kafka_topic_partition_list_destroy(list);
}

enum kafka_outcome kafka_worker_offsets(struct kafka_worker *worker, const struct kafka_offset *offsets, size_t count)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new((int)count);
    for (size_t i = 0; i < count; i++)
        rd_kafka_topic_partition_list_add(list, worker->topic, offsets[i].partition)->offset = offsets[i].next;
    /* fresh, for the generation that it names is what tells a worker that was left behind */
    rd_kafka_consumer_group_metadata_t *group = rd_kafka_consumer_group_metadata(worker->consumer);
    rd_kafka_error_t *error = rd_kafka_send_offsets_to_transaction(worker->producer, list, group, 10000);
    rd_kafka_consumer_group_metadata_destroy(group);
    rd_kafka_topic_partition_list_destroy(list);
    return judge(worker, "offsets", error);
}

enum kafka_outcome kafka_worker_commit(struct kafka_worker *worker, int timeout_ms)
{
    return judge(worker, "commit", rd_kafka_commit_transaction(worker->producer, timeout_ms));
}

/*
 * librdkafka 2.0.2 may end a transaction before the broker has heard of its partitions, which the broker takes for a fatal mistake: what was
 * sent is let through first.
 */
enum kafka_outcome kafka_worker_abort(struct kafka_worker *worker, int timeout_ms)
{
    rd_kafka_flush(worker->producer, timeout_ms < 2000 ? timeout_ms : 2000);
    enum kafka_outcome outcome = judge(worker, "abort", rd_kafka_abort_transaction(worker->producer, timeout_ms));
    return outcome == KAFKA_ABORT ? KAFKA_AGAIN : outcome;
}
