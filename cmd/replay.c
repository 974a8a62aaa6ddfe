/* colline replay --invalid: what could not be used once, and can be by now, goes its way again. */
#include "bus/replay.h"
#include "cmd.h"
#include "record/invalid.h"
#include "record/raw.h"
#include "settings.h"

#include <getopt.h>
#include <stdio.h>

static const char help_text[] =
    "usage: colline replay --invalid [-c FILE]\n\n"
    "Takes each record of the invalid topic once more. What this version can read as a raw record goes back into the raw topic;\n"
    "what it cannot is put behind the others of the invalid topic, to be kept for a later version. Nothing is lost or sent twice,\n"
    "whenever it is stopped.\n\n"
    "      --invalid          says what is replayed\n"
    "  -c, --config FILE      the configuration; else $COLLINE_CONFIG, else /etc/colline/colline.yaml\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 2 wrong use, 3 a failure.\n";

enum {
    OPTION_INVALID = 256
};

static const struct option long_options[] = {{"invalid", no_argument, NULL, OPTION_INVALID},
                                             {"config", required_argument, NULL, 'c'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

/* Texts of the verdict live in the arena. */
static struct replay_verdict judge(void *context, str_t key, str_t value)
{
    struct arena *arena = context;
    struct invalid_record invalid;
    struct raw_record raw;
    str_t reason;
    (void)key;
    arena_clear(arena);
    if (!invalid_read(value, arena, &invalid, &reason) || !raw_read(invalid.value, arena, &raw, &reason))
        return (struct replay_verdict){.moved = false};
    return (struct replay_verdict){true, raw.query_id, invalid.value};
}

static int replay(const struct config *config)
{
    struct clock clock = clock_system();
    struct log *log = log_open(&(struct log_options){.level = LOG_LEVEL_ERROR}, &clock);
    struct arena arena;
    struct buf error;
    struct replay_totals totals;
    arena_init(&arena, 0, NULL);
    buf_init(&error, 0);
    const struct replay_options options = {.kafka = &config->kafka, .from = config->kafka.topic_invalid, .to = config->kafka.topic_raw,
                                           .judge = judge, .context = &arena, .clock = clock, .log = log};
    bool good = replay_run(&options, &totals, &error);
    printf("%llu records are raw records again, %llu are still invalid\n", (unsigned long long)totals.moved,
           (unsigned long long)totals.put_back);
    if (!good)
        complain("%.*s", (int)error.len, error.ptr);
    buf_release(&error);
    arena_release(&arena);
    log_close(log);
    return good ? STATUS_DONE : STATUS_FAILED;
}

static int run(const char *path)
{
    struct config config;
    int status = settings_read(&config, path);
    if (status == STATUS_DONE && config.kafka.brokers.count == 0)
        status = wrong_use("replay", "%s names no brokers (kafka.brokers)", settings_path(path));
    if (status == STATUS_DONE)
        status = replay(&config);
    config_release(&config);
    return status;
}

int cmd_replay(int argc, char **argv)
{
    const char *path = NULL;
    bool invalid = false;
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        switch (option) {
        case OPTION_INVALID:
            invalid = true;
            break;
        case 'c':
            path = optarg;
            break;
        case 'h':
            fputs(help_text, stdout);
            return STATUS_DONE;
        default:
            return more_help("replay");
        }
    }
    if (optind < argc)
        return wrong_use("replay", "`%s` is too much", argv[optind]);
    return invalid ? run(path) : wrong_use("replay", "--invalid says what is replayed");
}
