/* Each question needs the one before answered. */
#include "doctor/broker.h"

#include "bus/kafka_probe.h"
#include "bus/kafka_reader.h"
#include "bus/kafka_topics.h"
#include "doctor/tally.h"
#include "record/invalid.h"
#include "run/clock.h"

#include <stdio.h>

#define SHOWN(text) (int)(text).len, (text).ptr

enum {
    LAG_MANY = 100000, /* records; a normaliser takes them in some seconds */
    LAST = 10000,      /* raw records of which the invalid ones are counted */
    TOPIC_RAW = 0,
    TOPIC_NORMALIZED = 1,
    TOPIC_INVALID = 2
};

struct asking {
    const struct config_kafka *kafka;
    struct findings *findings;
    struct clock clock;
    int timeout_ms;
    struct kafka_topic topics[KAFKA_TOPICS];
    str_t about; /* the first broker's address */
};

/* ---- reaching --------------------------------------------------------------------------------------------------- */

static const char *advice(enum kafka_reach reach, const struct config_kafka *kafka)
{
    switch (reach) {
    case KAFKA_UNRESOLVED:
        return "correct the name in kafka.brokers, or look at this machine's DNS (getent hosts NAME)";
    case KAFKA_UNCONNECTED:
        return "look whether the broker runs, whether a firewall stands between, and whether kafka.security is the protocol of this port";
    case KAFKA_NO_TLS:
        return kafka->security == SECURITY_SSL || kafka->security == SECURITY_SASL_SSL
                   ? "look whether this port speaks TLS, and whether kafka.ca_file holds who signed the broker's certificate"
                   : "this port speaks TLS: kafka.security must be ssl or sasl_ssl";
    case KAFKA_NO_LOGIN:
        return "correct kafka.user and its password (COLLINE_KAFKA_PASSWORD), and kafka.sasl_mechanism";
    case KAFKA_SILENT:
    case KAFKA_REACHED:
        break;
    }
    return "look whether the broker is well, and whether kafka.security is the protocol of this port";
}

static bool check_reach(struct asking *asking, struct kafka_probe *probe)
{
    struct buf detail;
    int brokers = 0;
    buf_init(&detail, 0);
    enum kafka_reach reach = kafka_probe_reach(probe, asking->timeout_ms, &brokers, &detail);
    if (reach == KAFKA_REACHED)
        finding_add(asking->findings, FINDING_OK, "broker", asking->about, "answers; the cluster has %d %s", brokers,
                    brokers == 1 ? "broker" : "brokers");
    else {
        finding_add(asking->findings, FINDING_FAIL, "broker", asking->about, "cannot be used: %.*s", (int)detail.len, detail.ptr);
        finding_todo(asking->findings, "%s; meanwhile records are kept in the spool", advice(reach, asking->kafka));
    }
    buf_release(&detail);
    return reach == KAFKA_REACHED;
}

/* ---- topics ----------------------------------------------------------------------------------------------------- */

static void check_copies(struct asking *asking, const struct kafka_topic *topic)
{
    if (topic->behind > 0) {
        finding_add(asking->findings, FINDING_WARN, "topics", topic->name, "%d of %d partitions have a copy that is not in sync", (int)topic->behind,
                    (int)topic->partitions);
        finding_todo(asking->findings, "look whether all brokers run: with one more gone, nothing may be written");
    } else if (topic->replication < asking->kafka->replication) {
        finding_add(asking->findings, FINDING_WARN, "topics", topic->name, "has %d %s, kafka.replication says %d", (int)topic->replication,
                    topic->replication == 1 ? "copy" : "copies", (int)asking->kafka->replication);
        finding_todo(asking->findings, "add copies by kafka-reassign-partitions, or set kafka.replication to what is meant");
    } else {
        finding_add(asking->findings, FINDING_OK, "topics", topic->name, "%d partitions, %d %s", (int)topic->partitions, (int)topic->replication,
                    topic->replication == 1 ? "copy" : "copies");
    }
}

/* `NAME: what is wrong[: or; what to do]` → two texts */
static void tell_wrong(struct asking *asking, const struct kafka_topic *topic, str_t line)
{
    str_t text = str_make(line.ptr + topic->name.len + 2, line.len - topic->name.len - 2);
    size_t cut = 0;
    while (cut < text.len && text.ptr[cut] != ';' && text.ptr[cut] != ':')
        cut++;
    finding_add(asking->findings, FINDING_FAIL, "topics", topic->name, "%.*s", (int)cut, text.ptr);
    if (topic->partitions == 0)
        finding_todo(asking->findings, "colline topics create -c FILE, by somebody who may make topics");
    else if (cut + 2 < text.len)
        finding_todo(asking->findings, "%.*s", (int)(text.len - cut - 2), text.ptr + cut + 2);
}

static bool check_topic(struct asking *asking, const struct kafka_topic *topic)
{
    struct buf wrong;
    buf_init(&wrong, 0);
    bool good = kafka_topics_judge(asking->kafka, topic, 1, &wrong);
    for (size_t at = 0; at < wrong.len;) {
        size_t end = str_find(buf_str(&wrong), '\n', at);
        tell_wrong(asking, topic, str_make(wrong.ptr + at, end - at));
        at = end + 1;
    }
    buf_release(&wrong);
    if (good)
        check_copies(asking, topic);
    return topic->partitions > 0;
}

/* States lie in the partition of the number of their raw record's. */
static void check_equal_numbers(struct asking *asking)
{
    const struct kafka_topic *raw = &asking->topics[TOPIC_RAW];
    for (size_t i = 1; i < KAFKA_TOPICS; i++) {
        const struct kafka_topic *topic = &asking->topics[i];
        if (topic->partitions == 0 || raw->partitions == 0 || topic->partitions == raw->partitions)
            continue;
        finding_add(asking->findings, FINDING_FAIL, "topics", topic->name, "has %d partitions and %.*s has %d: normalisers do not start",
                    (int)topic->partitions, SHOWN(raw->name), (int)raw->partitions);
        finding_todo(asking->findings, "make the topics anew under other names, all with the same number of partitions");
    }
}

static bool check_topics(struct asking *asking)
{
    struct buf error;
    bool all = true;
    buf_init(&error, 0);
    kafka_topics_of(asking->kafka, asking->topics);
    bool asked = kafka_topics_ask(asking->kafka, NULL, asking->topics, KAFKA_TOPICS, asking->timeout_ms, &error);
    if (!asked) {
        finding_add(asking->findings, FINDING_FAIL, "topics", asking->about, "%.*s", (int)error.len, error.ptr);
        finding_todo(asking->findings, "look whether the broker is well");
    }
    for (size_t i = 0; asked && i < KAFKA_TOPICS; i++)
        all = check_topic(asking, &asking->topics[i]) && all;
    if (asked)
        check_equal_numbers(asking);
    buf_release(&error);
    return asked && all;
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

/* A consumer group that there should be. */
struct reading {
    str_t group, topic;
    int32_t partitions;
    const char *who, *unit; /* for people: normaliser, colline-normalize@1 */
    const char *repair;     /* of what was removed before it was read */
};

static void judge_offsets(struct asking *asking, const struct reading *reading, const struct kafka_group *group)
{
    if (group->lost > 0) {
        finding_add(asking->findings, FINDING_FAIL, "group", reading->group, "%llu records were removed from the topic before they were read",
                    (unsigned long long)group->lost);
        finding_todo(asking->findings, "raise retention.ms of %.*s above the longest stop; %s", SHOWN(reading->topic), reading->repair);
    }
    if (group->ahead > 0) {
        finding_add(asking->findings, FINDING_FAIL, "group", reading->group, "%d partitions are shorter than what was read of them", (int)group->ahead);
        finding_todo(asking->findings, "the topic was made anew: with no %s running, set the group's offsets to the earliest "
                                       "(kafka-consumer-groups --reset-offsets --to-earliest)", reading->who);
    }
}

static void judge_members(struct asking *asking, const struct reading *reading, const struct kafka_group *group)
{
    if (group->members == 0) {
        finding_add(asking->findings, FINDING_WARN, "group", reading->group, "no %s is a member; %llu records wait", reading->who,
                    (unsigned long long)group->lag);
        finding_todo(asking->findings, "start one: systemctl start %s", reading->unit);
    } else if (group->lag > LAG_MANY) {
        finding_add(asking->findings, FINDING_WARN, "group", reading->group, "%zu members, %llu records behind", group->members,
                    (unsigned long long)group->lag);
        finding_todo(asking->findings, "start another %s, up to one a partition; if it does not shrink, look at their logs", reading->who);
    } else {
        finding_add(asking->findings, FINDING_OK, "group", reading->group, "%zu %s, %s, %llu records behind", group->members,
                    group->members == 1 ? "member" : "members", group->state, (unsigned long long)group->lag);
    }
}

/* `optional`: nothing is told of a group that nobody has ever joined. */
static void check_group(struct asking *asking, struct kafka_probe *probe, const struct reading *reading, bool optional)
{
    struct kafka_group group;
    struct buf error;
    buf_init(&error, 0);
    if (!kafka_probe_group(probe, reading->topic, reading->partitions, asking->timeout_ms, &group, &error)) {
        finding_add(asking->findings, FINDING_WARN, "group", reading->group, "cannot be asked: %.*s", (int)error.len, error.ptr);
        finding_todo(asking->findings, "let the user of kafka.user DESCRIBE and READ this group (docs/operations.md has the ACLs)");
    } else if (!optional || group.members > 0 || group.uncommitted < group.partitions) {
        judge_members(asking, reading, &group);
        judge_offsets(asking, reading, &group);
    }
    buf_release(&error);
}

static void check_normalizers(struct asking *asking, struct kafka_probe *probe)
{
    const struct reading reading = {
        .group = asking->kafka->group,
        .topic = asking->kafka->topic_raw,
        .partitions = asking->topics[TOPIC_RAW].partitions,
        .who = "normaliser",
        .unit = "colline-normalize@1",
        .repair = "read the logs again with `colline capture --from-beginning` and a new data_dir",
    };
    check_group(asking, probe, &reading, false);
}

/* Those who load the store; somebody else may read the events instead. */
static void check_loaders(struct asking *asking, str_t name)
{
    const struct reading reading = {
        .group = name,
        .topic = asking->kafka->topic_normalized,
        .partitions = asking->topics[TOPIC_NORMALIZED].partitions,
        .who = "loader",
        .unit = "colline-load",
        .repair = "read the logs of that time again: what is loaded twice counts once",
    };
    struct config_kafka kafka = *asking->kafka;
    struct buf error;
    kafka.group = name;
    buf_init(&error, 0);
    struct kafka_probe *probe = kafka_probe_open(&kafka, &error);
    if (probe != NULL)
        check_group(asking, probe, &reading, true);
    kafka_probe_close(probe);
    buf_release(&error);
}

/* ---- what is invalid -------------------------------------------------------------------------------------------- */

struct window {
    int64_t from; /* raw offsets from here on count */
    uint64_t records;
};

static bool raw_windows(struct asking *asking, struct window *windows, int32_t count, struct buf *error)
{
    struct kafka_reader *reader = kafka_reader_open(asking->kafka, asking->kafka->topic_raw, NULL, error);
    int64_t until = clock_steady(&asking->clock) + asking->timeout_ms, low, high;
    bool good = reader != NULL;
    for (int32_t i = 0; i < count && good; i++) {
        int64_t left = until - clock_steady(&asking->clock);
        good = left > 0 && kafka_reader_bounds(reader, i, (int)left, &low, &high);
        if (!good)
            break;
        windows[i].from = high - LAST / count > low ? high - LAST / count : low;
        windows[i].records = (uint64_t)(high - windows[i].from);
    }
    kafka_reader_close(reader);
    return good;
}

/* Whether an invalid record came from one of the raw records in the windows. */
static bool is_within(const struct asking *asking, str_t json, const struct window *windows, int32_t count)
{
    struct arena arena;
    struct invalid_record record;
    str_t why;
    arena_init(&arena, 0, NULL);
    bool within = invalid_read(json, &arena, &record, &why) && str_eq(record.topic, asking->kafka->topic_raw) && record.partition >= 0 &&
                  record.partition < count && record.offset >= windows[record.partition].from;
    arena_release(&arena);
    return within;
}

/* The last records of each partition, until all are read to their end or time is over. */
static bool read_invalid(struct asking *asking, struct kafka_reader *reader, const struct window *windows, int32_t count, struct tally *tally)
{
    int32_t partitions = asking->topics[TOPIC_INVALID].partitions, ended = 0;
    int64_t until = clock_steady(&asking->clock) + asking->timeout_ms, low, high;
    struct kafka_input input;
    for (int32_t i = 0; i < partitions; i++) {
        int64_t left = until - clock_steady(&asking->clock);
        if (left <= 0 || !kafka_reader_bounds(reader, i, (int)left, &low, &high) ||
            !kafka_reader_start(reader, i, high - LAST > low ? high - LAST : low))
            return false;
    }
    while (ended < partitions && clock_steady(&asking->clock) < until) {
        enum kafka_read what = kafka_reader_poll(reader, 100, &input);
        ended += what == KAFKA_READ_END;
        if (what != KAFKA_READ_RECORD)
            continue;
        if (is_within(asking, input.value, windows, count))
            (void)tally_add(tally, input.value);
        kafka_input_release(&input);
    }
    return ended == partitions;
}

static void check_invalid(struct asking *asking)
{
    int32_t count = asking->topics[TOPIC_RAW].partitions;
    struct window *windows = ARENA_ARRAY(&asking->findings->arena, struct window, (size_t)count);
    struct tally tally = {.arena = &asking->findings->arena};
    struct buf error;
    uint64_t records = 0;
    buf_init(&error, 0);
    bool good = windows != NULL && raw_windows(asking, windows, count, &error);
    struct kafka_reader *reader = good ? kafka_reader_open(asking->kafka, asking->kafka->topic_invalid, NULL, &error) : NULL;
    good = reader != NULL && read_invalid(asking, reader, windows, count, &tally);
    kafka_reader_close(reader);
    for (int32_t i = 0; good && i < count; i++)
        records += windows[i].records;
    if (good)
        tally_judge(&tally, records, asking->kafka->topic_invalid, "raw records are invalid", asking->findings);
    else {
        finding_add(asking->findings, FINDING_WARN, "invalid", asking->kafka->topic_invalid, "cannot be read within %d s", asking->timeout_ms / 1000);
        finding_todo(asking->findings, "let the user of kafka.user READ this topic (docs/operations.md has the ACLs)");
    }
    buf_release(&error);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

void broker_check(const struct config *config, int timeout_ms, struct findings *findings)
{
    struct asking asking = {.kafka = &config->kafka, .findings = findings, .clock = clock_system(), .timeout_ms = timeout_ms};
    struct buf error;
    if (config->kafka.brokers.count == 0)
        return;
    asking.about = config->kafka.brokers.items[0];
    buf_init(&error, 0);
    struct kafka_probe *probe = kafka_probe_open(&config->kafka, &error);
    if (probe == NULL) {
        finding_add(findings, FINDING_FAIL, "broker", asking.about, "the settings are refused: %.*s", (int)error.len, error.ptr);
        finding_todo(findings, "correct the keys under `kafka`, `properties` above all");
    } else if (check_reach(&asking, probe) && check_topics(&asking)) {
        check_normalizers(&asking, probe);
        check_loaders(&asking, config->store.group);
        check_invalid(&asking);
    }
    kafka_probe_close(probe);
    buf_release(&error);
}
