/* colline topics: whether the broker has the topics of the configuration, and making those that are missing. */
#include "bus/kafka_topics.h"
#include "cmd.h"
#include "settings.h"

#include <getopt.h>
#include <stdio.h>

static const char help_text[] =
    "usage: colline topics check [-c FILE]\n"
    "       colline topics create [-c FILE]\n\n"
    "`check` asks the broker for each topic of the configuration: whether it is there, its number of partitions, whether it is\n"
    "compacted where it must be. `create` makes those that are missing, then checks.\n\n"
    "  -c, --config FILE   the file; else $COLLINE_CONFIG, else /etc/colline/colline.yaml\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 all is well, 1 something is wrong with a topic, 2 wrong use, 3 the broker cannot be asked.\n";

enum {
    TIMEOUT_MS = 10000
};

static const struct option long_options[] = {
    {"config", required_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static int failed(const struct buf *error)
{
    complain("%.*s", (int)error->len, error->ptr);
    return STATUS_FAILED;
}

static void print_topics(const struct kafka_topic *topics)
{
    for (size_t i = 0; i < KAFKA_TOPICS; i++)
        printf("%-32.*s %3d partitions, %d %s%s  %s\n", (int)topics[i].name.len, topics[i].name.ptr, (int)topics[i].partitions,
               (int)topics[i].replication, topics[i].replication == 1 ? "copy" : "copies", topics[i].is_compacted ? ", compacted" : "",
               topics[i].use);
}

static int judge(const struct config_kafka *kafka, const struct kafka_topic *topics)
{
    struct buf wrong;
    buf_init(&wrong, 0);
    bool good = kafka_topics_judge(kafka, topics, KAFKA_TOPICS, &wrong);
    print_topics(topics);
    fflush(stdout);
    for (size_t at = 0; at < wrong.len;) {
        size_t end = str_find(buf_str(&wrong), '\n', at);
        complain("%.*s", (int)(end - at), wrong.ptr + at);
        at = end + 1;
    }
    buf_release(&wrong);
    return good ? STATUS_DONE : STATUS_PARTLY;
}

static int work(const struct config_kafka *kafka, bool create)
{
    struct clock clock = clock_system();
    struct log *log = log_open(&(struct log_options){.level = LOG_LEVEL_ERROR}, &clock);
    struct kafka_topic topics[KAFKA_TOPICS];
    struct buf error;
    int status = STATUS_DONE;
    buf_init(&error, 0);
    kafka_topics_of(kafka, topics);
    if (!kafka_topics_ask(kafka, log, topics, KAFKA_TOPICS, TIMEOUT_MS, &error))
        status = failed(&error);
    if (status == STATUS_DONE && create) {
        if (!kafka_topics_create(kafka, log, topics, KAFKA_TOPICS, TIMEOUT_MS, &error) ||
            !kafka_topics_ask(kafka, log, topics, KAFKA_TOPICS, TIMEOUT_MS, &error))
            status = failed(&error);
    }
    if (status == STATUS_DONE)
        status = judge(kafka, topics);
    buf_release(&error);
    log_close(log);
    return status;
}

static int run(const char *path, bool create)
{
    struct config config;
    int status = settings_read(&config, path);
    if (status == STATUS_DONE && config.kafka.brokers.count == 0)
        status = wrong_use("topics", "%s names no brokers (kafka.brokers)", settings_path(path));
    if (status == STATUS_DONE)
        status = work(&config.kafka, create);
    config_release(&config);
    return status;
}

int cmd_topics(int argc, char **argv)
{
    const char *path = NULL;
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        switch (option) {
        case 'c':
            path = optarg;
            break;
        case 'h':
            fputs(help_text, stdout);
            return STATUS_DONE;
        default:
            return more_help("topics");
        }
    }
    if (optind + 1 != argc)
        return wrong_use("topics", "expected `check` or `create`");
    if (strcmp(argv[optind], "check") == 0)
        return run(path, false);
    if (strcmp(argv[optind], "create") == 0)
        return run(path, true);
    return wrong_use("topics", "there is no `topics %s`", argv[optind]);
}
