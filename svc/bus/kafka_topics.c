/* Topics through librdkafka's admin API: metadata tells partitions, DescribeConfigs tells compaction, CreateTopics makes. */
#include "bus/kafka_topics.h"

#include "bus/kafka_inner.h"

#include <stdlib.h>

void kafka_topics_of(const struct config_kafka *kafka, struct kafka_topic topics[KAFKA_TOPICS])
{
    memset(topics, 0, KAFKA_TOPICS * sizeof topics[0]);
    topics[0] = (struct kafka_topic){.name = kafka->topic_raw, .use = "raw records"};
    topics[1] = (struct kafka_topic){.name = kafka->topic_normalized, .use = "normalised events"};
    topics[2] = (struct kafka_topic){.name = kafka->topic_invalid, .use = "what could not be used"};
    topics[3] = (struct kafka_topic){.name = kafka->topic_open, .use = "open joins", .compacted = true};
    topics[4] = (struct kafka_topic){.name = kafka->topic_catalog, .use = "tables seen", .compacted = true};
}

/* A client for questions only. */
static rd_kafka_t *admin_client(const struct config_kafka *kafka, struct log *log, struct buf *error)
{
    rd_kafka_conf_t *conf = kafka_conf(kafka, log, error);
    kafka_set_properties(&conf, kafka, error);
    return kafka_client(RD_KAFKA_PRODUCER, conf, error);
}

static struct kafka_topic *topic_named(struct kafka_topic *topics, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(topics[i].name, kafka_text(name)))
            return &topics[i];
    return NULL;
}

static void note_partitions(struct kafka_topic *topic, const struct rd_kafka_metadata_topic *found)
{
    topic->partitions = found->partition_cnt;
    topic->replication = found->partition_cnt > 0 ? found->partitions[0].replica_cnt : 0;
    topic->behind = 0;
    for (int i = 0; i < found->partition_cnt; i++)
        topic->behind += found->partitions[i].isr_cnt < found->partitions[i].replica_cnt;
}

static bool ask_partitions(rd_kafka_t *client, struct kafka_topic *topics, size_t count, int timeout_ms, struct buf *error)
{
    const struct rd_kafka_metadata *metadata;
    rd_kafka_resp_err_t code = rd_kafka_metadata(client, 1, NULL, &metadata, timeout_ms);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        kafka_explain(error, "the broker does not answer", code, NULL);
        return false;
    }
    for (int i = 0; i < metadata->topic_cnt; i++) {
        struct kafka_topic *topic = topic_named(topics, count, metadata->topics[i].topic);
        if (topic != NULL && metadata->topics[i].err == RD_KAFKA_RESP_ERR_NO_ERROR)
            note_partitions(topic, &metadata->topics[i]);
    }
    rd_kafka_metadata_destroy(metadata);
    return true;
}

static void note_cleanup(struct kafka_topic *topic, const rd_kafka_ConfigResource_t *resource)
{
    size_t count;
    const rd_kafka_ConfigEntry_t **entries = rd_kafka_ConfigResource_configs(resource, &count);
    for (size_t i = 0; topic != NULL && i < count; i++) {
        const char *value = rd_kafka_ConfigEntry_value(entries[i]);
        if (strcmp(rd_kafka_ConfigEntry_name(entries[i]), "cleanup.policy") != 0 || value == NULL)
            continue;
        topic->cleanup_known = true;
        topic->is_compacted = strstr(value, "compact") != NULL;
    }
}

/* Compaction is asked where the rights allow it; else it stays unknown. */
static void ask_cleanup(rd_kafka_t *client, struct kafka_topic *topics, size_t count, int timeout_ms)
{
    rd_kafka_queue_t *queue = rd_kafka_queue_new(client);
    rd_kafka_AdminOptions_t *options = rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS);
    rd_kafka_ConfigResource_t *resources[KAFKA_TOPICS];
    size_t asked = 0;
    rd_kafka_AdminOptions_set_request_timeout(options, timeout_ms, NULL, 0);
    for (size_t i = 0; i < count && asked < KAFKA_TOPICS; i++) {
        char *name = kafka_string(topics[i].name);
        if (topics[i].partitions > 0 && name != NULL)
            resources[asked++] = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, name);
        free(name);
    }
    if (asked > 0) {
        rd_kafka_DescribeConfigs(client, resources, asked, options, queue);
        rd_kafka_event_t *event = rd_kafka_queue_poll(queue, timeout_ms);
        const rd_kafka_DescribeConfigs_result_t *result = event == NULL ? NULL : rd_kafka_event_DescribeConfigs_result(event);
        size_t answered = 0;
        const rd_kafka_ConfigResource_t **answers = result == NULL ? NULL : rd_kafka_DescribeConfigs_result_resources(result, &answered);
        for (size_t i = 0; i < answered; i++)
            if (rd_kafka_ConfigResource_error(answers[i]) == RD_KAFKA_RESP_ERR_NO_ERROR)
                note_cleanup(topic_named(topics, count, rd_kafka_ConfigResource_name(answers[i])), answers[i]);
        if (event != NULL)
            rd_kafka_event_destroy(event);
    }
    rd_kafka_ConfigResource_destroy_array(resources, asked);
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_queue_destroy(queue);
}

bool kafka_topics_ask(const struct config_kafka *kafka, struct log *log, struct kafka_topic *topics, size_t count, int timeout_ms, struct buf *error)
{
    rd_kafka_t *client = admin_client(kafka, log, error);
    if (client == NULL)
        return false;
    bool answered = ask_partitions(client, topics, count, timeout_ms, error);
    if (answered)
        ask_cleanup(client, topics, count, timeout_ms);
    rd_kafka_destroy(client);
    return answered;
}

static rd_kafka_NewTopic_t *new_topic(const struct config_kafka *kafka, const struct kafka_topic *topic, struct buf *error)
{
    char why[256];
    char *name = kafka_string(topic->name);
    rd_kafka_NewTopic_t *made =
        name == NULL ? NULL : rd_kafka_NewTopic_new(name, (int)kafka->partitions, (int)kafka->replication, why, sizeof why);
    free(name);
    if (made == NULL) {
        kafka_explain(error, "a topic's name", RD_KAFKA_RESP_ERR__INVALID_ARG, NULL);
        return NULL;
    }
    rd_kafka_NewTopic_set_config(made, "max.message.bytes", "16777216");
    if (topic->compacted) {
        rd_kafka_NewTopic_set_config(made, "cleanup.policy", "compact");
        rd_kafka_NewTopic_set_config(made, "segment.ms", "600000");
        rd_kafka_NewTopic_set_config(made, "min.cleanable.dirty.ratio", "0.2");
    }
    return made;
}

static bool judge_creation(const rd_kafka_CreateTopics_result_t *result, struct buf *error)
{
    size_t count;
    const rd_kafka_topic_result_t **topics = rd_kafka_CreateTopics_result_topics(result, &count);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        rd_kafka_resp_err_t code = rd_kafka_topic_result_error(topics[i]);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
            continue;
        if (!good)
            BUF_ADD(error, "; ");
        kafka_explain(error, rd_kafka_topic_result_name(topics[i]), code, rd_kafka_topic_result_error_string(topics[i]));
        good = false;
    }
    return good;
}

static bool create(rd_kafka_t *client, rd_kafka_NewTopic_t **made, size_t count, int timeout_ms, struct buf *error)
{
    rd_kafka_queue_t *queue = rd_kafka_queue_new(client);
    rd_kafka_AdminOptions_t *options = rd_kafka_AdminOptions_new(client, RD_KAFKA_ADMIN_OP_CREATETOPICS);
    rd_kafka_AdminOptions_set_request_timeout(options, timeout_ms, NULL, 0);
    rd_kafka_AdminOptions_set_operation_timeout(options, timeout_ms, NULL, 0);
    rd_kafka_CreateTopics(client, made, count, options, queue);
    rd_kafka_event_t *event = rd_kafka_queue_poll(queue, timeout_ms + 1000);
    bool good = false;
    if (event == NULL || rd_kafka_event_error(event) != RD_KAFKA_RESP_ERR_NO_ERROR)
        kafka_explain(error, "topics could not be made", event == NULL ? RD_KAFKA_RESP_ERR__TIMED_OUT : rd_kafka_event_error(event),
                      event == NULL ? NULL : rd_kafka_event_error_string(event));
    else
        good = judge_creation(rd_kafka_event_CreateTopics_result(event), error);
    if (event != NULL)
        rd_kafka_event_destroy(event);
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_queue_destroy(queue);
    return good;
}

/* Brokers learn of a new topic one after the other. True when the one that is asked knows all of them. */
static bool wait_for_topics(rd_kafka_t *client, const struct kafka_topic *topics, size_t count, int timeout_ms, struct buf *error)
{
    struct kafka_topic seen[KAFKA_TOPICS];
    for (int waited = 0; waited < timeout_ms; waited += 50) {
        size_t known = 0;
        memcpy(seen, topics, count * sizeof *topics);
        if (!ask_partitions(client, seen, count, timeout_ms, error))
            return false;
        for (size_t i = 0; i < count; i++)
            known += seen[i].partitions > 0;
        if (known == count)
            return true;
        rd_kafka_poll(client, 50);
    }
    BUF_ADD(error, "topics were made, but the broker does not know all of them yet");
    return false;
}

bool kafka_topics_create(const struct config_kafka *kafka, struct log *log, const struct kafka_topic *topics, size_t count, int timeout_ms,
                         struct buf *error)
{
    rd_kafka_NewTopic_t *made[KAFKA_TOPICS];
    size_t missing = 0;
    bool good = true;
    for (size_t i = 0; i < count && missing < KAFKA_TOPICS && good; i++) {
        if (topics[i].partitions > 0)
            continue;
        made[missing] = new_topic(kafka, &topics[i], error);
        good = made[missing] != NULL;
        missing += good;
    }
    rd_kafka_t *client = good && missing > 0 ? admin_client(kafka, log, error) : NULL;
    if (good && missing > 0)
        good = client != NULL && create(client, made, missing, timeout_ms, error) && wait_for_topics(client, topics, count, timeout_ms, error);
    rd_kafka_NewTopic_destroy_array(made, missing);
    if (client != NULL)
        rd_kafka_destroy(client);
    return good;
}

static void wrong_with(struct buf *wrong, const struct kafka_topic *topic, const char *what)
{
    buf_add(wrong, topic->name);
    BUF_ADD(wrong, ": ");
    buf_add(wrong, kafka_text(what));
}

static void judge_partitions(const struct kafka_topic *topic, int64_t wanted, struct buf *wrong)
{
    wrong_with(wrong, topic, "has ");
    buf_add_number(wrong, (uint64_t)topic->partitions);
    BUF_ADD(wrong, " partitions, the configuration says ");
    buf_add_number(wrong, (uint64_t)wanted);
    BUF_ADD(wrong, ": numbers of partitions are fixed once made, so set kafka.partitions to it, or use another topic\n");
}

bool kafka_topics_judge(const struct config_kafka *kafka, const struct kafka_topic *topics, size_t count, struct buf *wrong)
{
    size_t before = wrong->len;
    for (size_t i = 0; i < count; i++) {
        if (topics[i].partitions == 0)
            wrong_with(wrong, &topics[i], "is not there; `colline topics create` makes it\n");
        else if (topics[i].partitions != kafka->partitions)
            judge_partitions(&topics[i], kafka->partitions, wrong);
        if (topics[i].partitions > 0 && topics[i].cleanup_known && topics[i].is_compacted != topics[i].compacted)
            wrong_with(wrong, &topics[i], topics[i].compacted ? "is not compacted: set its cleanup.policy to compact\n"
                                                              : "is compacted, which loses records: set its cleanup.policy to delete\n");
    }
    return wrong->len == before;
}
