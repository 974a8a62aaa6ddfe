/* One consumer that never subscribes. What librdkafka says of broken connections is remembered, the most telling of it. */
#include "bus/kafka_probe.h"

#include "bus/kafka_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    SLICE_MS = 200
};

struct kafka_probe {
    rd_kafka_t *client;
    char *group;
    enum kafka_reach worst;
    bool all_down;
    char detail[256];
};

static int64_t steady_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- why not ---------------------------------------------------------------------------------------------------- */

static enum kafka_reach reach_of(int code)
{
    switch (code) {
    case RD_KAFKA_RESP_ERR__RESOLVE:
        return KAFKA_UNRESOLVED;
    case RD_KAFKA_RESP_ERR__SSL:
        return KAFKA_NO_TLS;
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
        return KAFKA_NO_LOGIN;
    default:
        return KAFKA_UNCONNECTED;
    }
}

/* A port that speaks no TLS closes the connection. When it does so early, librdkafka takes the end of the handshake for a lost connection. */
static bool is_closed_handshake(int code, const char *text)
{
    return code == RD_KAFKA_RESP_ERR__TRANSPORT && strstr(text, "SSL routines") != NULL;
}

/* `… (after 3ms in state CONNECT)`: the times would make each text another one. */
static size_t telling_length(const char *text)
{
    const char *end = strstr(text, " (after ");
    return end == NULL ? strlen(text) : (size_t)(end - text);
}

static void note_error(rd_kafka_t *client, int code, const char *text, void *context)
{
    struct kafka_probe *probe = context;
    (void)client;
    if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
        probe->all_down = true;
        return;
    }
    enum kafka_reach reach = is_closed_handshake(code, text) ? KAFKA_NO_TLS : reach_of(code);
    if (reach <= probe->worst)
        return;
    probe->worst = reach;
    (void)snprintf(probe->detail, sizeof probe->detail, "%.*s", (int)telling_length(text), text);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static rd_kafka_t *open_client(const struct config_kafka *kafka, struct kafka_probe *probe, struct buf *error)
{
    rd_kafka_conf_t *conf = kafka_conf(kafka, NULL, error);
    kafka_set(&conf, "group.id", kafka->group, error);
    kafka_set(&conf, "enable.auto.commit", STR("false"), error);
    kafka_set(&conf, "isolation.level", STR("read_uncommitted"), error); /* else an unfinished transaction hides the offsets */
    kafka_set_properties(&conf, kafka, error);
    if (conf != NULL) {
        rd_kafka_conf_set_opaque(conf, probe);
        rd_kafka_conf_set_log_cb(conf, NULL);
        rd_kafka_conf_set_error_cb(conf, note_error);
    }
    return kafka_client(RD_KAFKA_CONSUMER, conf, error);
}

struct kafka_probe *kafka_probe_open(const struct config_kafka *kafka, struct buf *error)
{
    struct kafka_probe *probe = calloc(1, sizeof *probe);
    if (probe == NULL)
        return NULL;
    probe->group = kafka_string(kafka->group);
    probe->worst = KAFKA_SILENT;
    probe->client = probe->group == NULL ? NULL : open_client(kafka, probe, error);
    if (probe->client != NULL)
        return probe;
    kafka_probe_close(probe);
    return NULL;
}

void kafka_probe_close(struct kafka_probe *probe)
{
    if (probe == NULL)
        return;
    if (probe->client != NULL)
        rd_kafka_destroy_flags(probe->client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
    free(probe->group);
    free(probe);
}

/* ---- reaching --------------------------------------------------------------------------------------------------- */

/* librdkafka says that all brokers are down a moment before it says why. */
static bool is_told(const struct kafka_probe *probe)
{
    return probe->all_down && probe->detail[0] != '\0';
}

enum kafka_reach kafka_probe_reach(struct kafka_probe *probe, int timeout_ms, int *brokers, struct buf *detail)
{
    int64_t until = steady_ms() + timeout_ms;
    do {
        const struct rd_kafka_metadata *metadata;
        rd_kafka_resp_err_t code = rd_kafka_metadata(probe->client, 0, NULL, &metadata, SLICE_MS);
        if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
            *brokers = metadata->broker_cnt;
            rd_kafka_metadata_destroy(metadata);
            return KAFKA_REACHED;
        }
        while (rd_kafka_poll(probe->client, 0) > 0)
            continue;
    } while (!is_told(probe) && steady_ms() < until);
    const char *text = probe->detail[0] == '\0' ? "nobody answered in time" : probe->detail;
    buf_add(detail, kafka_text(text));
    return probe->worst;
}

/* ---- the group -------------------------------------------------------------------------------------------------- */

static bool note_description(rd_kafka_event_t *event, struct kafka_group *group, struct buf *error)
{
    size_t count = 0;
    const rd_kafka_DescribeConsumerGroups_result_t *result = event == NULL ? NULL : rd_kafka_event_DescribeConsumerGroups_result(event);
    const rd_kafka_ConsumerGroupDescription_t **groups =
        result == NULL ? NULL : rd_kafka_DescribeConsumerGroups_result_groups(result, &count);
    if (count != 1) {
        rd_kafka_resp_err_t code = event == NULL ? RD_KAFKA_RESP_ERR__TIMED_OUT : rd_kafka_event_error(event);
        kafka_explain(error, "the group's members", code, NULL);
        return false;
    }
    const rd_kafka_error_t *refused = rd_kafka_ConsumerGroupDescription_error(groups[0]);
    if (refused != NULL) {
        kafka_explain(error, "the group's members", rd_kafka_error_code(refused), rd_kafka_error_string(refused));
        return false;
    }
    (void)snprintf(group->state, sizeof group->state, "%s",
                   rd_kafka_consumer_group_state_name(rd_kafka_ConsumerGroupDescription_state(groups[0])));
    group->members = rd_kafka_ConsumerGroupDescription_member_count(groups[0]);
    return true;
}

static bool describe(struct kafka_probe *probe, int timeout_ms, struct kafka_group *group, struct buf *error)
{
    const char *names[] = {probe->group};
    rd_kafka_queue_t *queue = rd_kafka_queue_new(probe->client);
    rd_kafka_AdminOptions_t *options = rd_kafka_AdminOptions_new(probe->client, RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS);
    rd_kafka_AdminOptions_set_request_timeout(options, timeout_ms, NULL, 0);
    rd_kafka_DescribeConsumerGroups(probe->client, names, 1, options, queue);
    rd_kafka_event_t *event = rd_kafka_queue_poll(queue, timeout_ms);
    bool good = note_description(event, group, error);
    if (event != NULL)
        rd_kafka_event_destroy(event);
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_queue_destroy(queue);
    return good;
}

static void add_partition(struct kafka_group *group, int64_t committed, int64_t low, int64_t high)
{
    if (committed < 0) {
        group->uncommitted++;
        group->lag += (uint64_t)(high - low);
        return;
    }
    if (committed < low)
        group->lost += (uint64_t)(low - committed);
    if (committed > high)
        group->ahead++;
    else
        group->lag += (uint64_t)(high - (committed < low ? low : committed));
}

static bool compare_offsets(struct kafka_probe *probe, const char *topic, rd_kafka_topic_partition_list_t *list, int64_t until,
                            struct kafka_group *group, struct buf *error)
{
    for (int i = 0; i < list->cnt; i++) {
        int64_t low = 0, high = 0, left = until - steady_ms();
        rd_kafka_resp_err_t code = kafka_ends(probe->client, topic, list->elems[i].partition, (int)left, &low, &high);
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
            kafka_explain(error, topic, code, NULL);
            return false;
        }
        add_partition(group, list->elems[i].offset, low, high);
    }
    return true;
}

bool kafka_probe_group(struct kafka_probe *probe, str_t topic, int32_t partitions, int timeout_ms, struct kafka_group *group, struct buf *error)
{
    int64_t until = steady_ms() + timeout_ms;
    char *name = kafka_string(topic);
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(partitions);
    *group = (struct kafka_group){.partitions = partitions};
    for (int32_t i = 0; i < partitions && name != NULL; i++)
        rd_kafka_topic_partition_list_add(list, name, i);
    bool good = name != NULL && describe(probe, timeout_ms, group, error);
    if (good) {
        int64_t left = until - steady_ms();
        rd_kafka_resp_err_t code = rd_kafka_committed(probe->client, list, left > 1 ? (int)left : 1);
        good = code == RD_KAFKA_RESP_ERR_NO_ERROR;
        if (!good)
            kafka_explain(error, "the group's offsets", code, NULL);
    }
    good = good && compare_offsets(probe, name, list, until, group, error);
    rd_kafka_topic_partition_list_destroy(list);
    free(name);
    return good;
}
