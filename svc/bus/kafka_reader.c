/*
 * The reader: two clients, for one handle cannot do both: the one reads what is committed, the other is asked where the log ends whatever
 * is committed. Where transactions end, offsets are used up without records, so the end is known by the end-of-partition event.
 */
#include "bus/kafka_reader.h"

#include "bus/kafka_inner.h"
#include "run/clock.h"

#include <stdlib.h>

struct kafka_reader {
    rd_kafka_t *client;   /* read_committed */
    rd_kafka_t *watching; /* read_uncommitted: knows the true end */
    char *topic;
    struct log *log;
};

void kafka_input_release(struct kafka_input *input)
{
    if (input->message != NULL)
        rd_kafka_message_destroy(input->message);
    input->message = NULL;
}

void kafka_input_of(struct kafka_input *input, rd_kafka_message_t *message)
{
    *input = (struct kafka_input){
        .partition = message->partition,
        .offset = message->offset,
        .timestamp = message->err == RD_KAFKA_RESP_ERR_NO_ERROR ? rd_kafka_message_timestamp(message, NULL) : 0,
        .key = str_make(message->key, message->key_len),
        .value = str_make(message->payload, message->len),
        .tombstone = message->payload == NULL,
        .message = message,
    };
}

static rd_kafka_t *reading_client(const struct kafka_reader *reader, const struct config_kafka *kafka, str_t isolation, struct buf *error)
{
    rd_kafka_conf_t *conf = kafka_conf(kafka, reader->log, error);
    kafka_set(&conf, "group.id", STR("colline-reader"), error); /* asked for, not used: nothing is subscribed or committed */
    kafka_set(&conf, "enable.auto.commit", STR("false"), error);
    kafka_set(&conf, "enable.auto.offset.store", STR("false"), error);
    kafka_set(&conf, "isolation.level", isolation, error);
    kafka_set(&conf, "enable.partition.eof", STR("true"), error);
    kafka_set(&conf, "auto.offset.reset", STR("earliest"), error);
    kafka_set(&conf, "fetch.wait.max.ms", STR("50"), error);
    kafka_set(&conf, "queued.max.messages.kbytes", STR("16384"), error);
    kafka_set(&conf, "fetch.message.max.bytes", STR("262144"), error); /* of each partition, and compressed */
    kafka_set_properties(&conf, kafka, error);
    return kafka_client(RD_KAFKA_CONSUMER, conf, error);
}

struct kafka_reader *kafka_reader_open(const struct config_kafka *kafka, str_t topic, struct log *log, struct buf *error)
{
    struct kafka_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return NULL;
    reader->log = log;
    reader->topic = kafka_string(topic);
    reader->client = reading_client(reader, kafka, STR("read_committed"), error);
    reader->watching = reader->client == NULL ? NULL : reading_client(reader, kafka, STR("read_uncommitted"), error);
    if (reader->topic != NULL && reader->watching != NULL) {
        rd_kafka_poll_set_consumer(reader->client);
        return reader;
    }
    kafka_reader_close(reader);
    return NULL;
}

void kafka_reader_close(struct kafka_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->client != NULL)
        rd_kafka_destroy_flags(reader->client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
    if (reader->watching != NULL)
        rd_kafka_destroy_flags(reader->watching, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
    free(reader->topic);
    free(reader);
}

int32_t kafka_reader_partitions(struct kafka_reader *reader, int timeout_ms, struct buf *error)
{
    return kafka_count_partitions(reader->watching, reader->topic, timeout_ms, error);
}

bool kafka_reader_bounds(struct kafka_reader *reader, int32_t partition, int timeout_ms, int64_t *low, int64_t *high)
{
    rd_kafka_resp_err_t code = kafka_ends(reader->watching, reader->topic, partition, timeout_ms, low, high);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
        log_say(reader->log, LOG_LEVEL_WARNING, "kafka.reader", kafka_text(reader->topic), "the ends of partition %d: %s", (int)partition,
                rd_kafka_err2str(code));
    return code == RD_KAFKA_RESP_ERR_NO_ERROR;
}

static bool judge(struct kafka_reader *reader, rd_kafka_error_t *error)
{
    if (error == NULL)
        return true;
    log_say(reader->log, LOG_LEVEL_WARNING, "kafka.reader", kafka_text(reader->topic), "%s", rd_kafka_error_string(error));
    rd_kafka_error_destroy(error);
    return false;
}

bool kafka_reader_start(struct kafka_reader *reader, int32_t partition, int64_t from)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, reader->topic, partition)->offset = from;
    bool good = judge(reader, rd_kafka_incremental_assign(reader->client, list));
    rd_kafka_topic_partition_list_destroy(list);
    return good;
}

void kafka_reader_stop(struct kafka_reader *reader, int32_t partition)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, reader->topic, partition);
    judge(reader, rd_kafka_incremental_unassign(reader->client, list));
    rd_kafka_topic_partition_list_destroy(list);
}

static enum kafka_read take(struct kafka_reader *reader, rd_kafka_message_t *message, struct kafka_input *input)
{
    kafka_input_of(input, message);
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR)
        return KAFKA_READ_RECORD;
    bool end = message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF;
    if (!end)
        log_say(reader->log, LOG_LEVEL_WARNING, "kafka.reader", kafka_text(reader->topic), "%s", rd_kafka_message_errstr(message));
    kafka_input_release(input);
    return end ? KAFKA_READ_END : KAFKA_READ_NOTHING;
}

/* What librdkafka says of brokers that come and go is no record and no end: the time to wait is not over with it. */
enum kafka_read kafka_reader_poll(struct kafka_reader *reader, int timeout_ms, struct kafka_input *input)
{
    const struct clock clock = clock_system();
    int64_t until = clock_steady(&clock) + timeout_ms, left = timeout_ms;
    do {
        rd_kafka_message_t *message = rd_kafka_consumer_poll(reader->client, (int)left);
        input->message = NULL;
        enum kafka_read what = message == NULL ? KAFKA_READ_NOTHING : take(reader, message, input);
        if (message == NULL || what != KAFKA_READ_NOTHING)
            return what;
        left = until - clock_steady(&clock);
    } while (left > 0);
    return KAFKA_READ_NOTHING;
}
