/* colline normalize: raw records in, events out; here from a file to a file, normalize_kafka.c does it from topic to topic. */
#include "line_feed.h"
#include "normalize_kafka.h"
#include "settings.h"
#include "stage.h"

#include "normalize/driver_local.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>

static const char help_text[] =
    "usage: colline normalize [-c FILE]\n"
    "       colline normalize --from FILE|- [--to FILE|-] [OPTION]...\n\n"
    "Joins raw records into events, one a query, with its lineage. Without --from it is a service: a member of the Kafka consumer\n"
    "group of the configuration, that writes each event exactly once; any number of them share the work. With --from it joins\n"
    "JSON lines, as `colline capture --to FILE` writes them.\n\n"
    "      --from FILE|-      where raw records are read from\n"
    "      --to FILE|-        where events are written to, one JSON object a line; standard output unless told\n"
    "      --invalid FILE|-   where what is invalid goes, with every reason; standard error only counts it\n"
    "      --state FILE       keeps open queries and what was done from run to run; events in the output then stand there exactly\n"
    "                         once. Without it, what has not ended when the input ends is given out as incomplete\n"
    "      --catalog FILE     DDL or a saved catalog to know tables by; any number of times\n"
    "  -c, --config FILE      the configuration: clusters with their namespaces, times, catalogs\n"
    "  -h, --help             this text\n\n"
    "SIGTERM and SIGINT stop it within seconds, with what was read so far written; what is left is done by the next start, or with --from\n"
    "by the next run over the same file and --state.\n"
    "Exit status: 0 done, 1 done with invalid records, 2 wrong use, 3 a failure, or stopped before the end of --from.\n";

enum {
    OPTION_FROM = 256,
    OPTION_TO,
    OPTION_INVALID,
    OPTION_STATE,
    OPTION_CATALOG,
    CATALOGS_MAX = 64
};

static const struct option long_options[] = {{"from", required_argument, NULL, OPTION_FROM},
                                             {"to", required_argument, NULL, OPTION_TO},
                                             {"invalid", required_argument, NULL, OPTION_INVALID},
                                             {"state", required_argument, NULL, OPTION_STATE},
                                             {"catalog", required_argument, NULL, OPTION_CATALOG},
                                             {"config", required_argument, NULL, 'c'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *from, *to, *invalid, *state, *config;
    str_t catalogs[CATALOGS_MAX];
    size_t catalog_count;
};

static bool take_option(struct choices *choices, int option)
{
    switch (option) {
    case OPTION_FROM:
        choices->from = optarg;
        return true;
    case OPTION_TO:
        choices->to = optarg;
        return true;
    case OPTION_INVALID:
        choices->invalid = optarg;
        return true;
    case OPTION_STATE:
        choices->state = optarg;
        return true;
    case 'c':
        choices->config = optarg;
        return true;
    case OPTION_CATALOG:
        if (choices->catalog_count == CATALOGS_MAX)
            return false;
        choices->catalogs[choices->catalog_count++] = str_of(optarg);
        return true;
    default:
        return false;
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct joining {
    struct local *local;
    bool whole; /* a file with a state, so this run may be one of many over it: what is due waits until all of it is read */
};

static bool give(void *context, str_t line, int64_t offset)
{
    struct local *local = ((const struct joining *)context)->local;
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0 || local_feed(local, line, offset))
        return true;
    return local_commit(local) && local_feed(local, line, offset);
}

/* Everything that was there was given on. False after a failure. */
static bool catch_up(struct local *local)
{
    local_all_read(local);
    do {
        local_tick(local);
        if (!local_commit(local))
            return false;
    } while (local_is_due(local));
    return true;
}

/* What waits for its time is looked at, and nothing is held back while the input is silent. */
static bool tick(void *context, bool silent)
{
    const struct joining *joining = context;
    if (silent)
        return catch_up(joining->local);
    if (!joining->whole)
        local_tick(joining->local);
    return true;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static bool is_file(const char *name)
{
    struct stat about;
    return strcmp(name, "-") != 0 && stat(name, &about) == 0 && S_ISREG(about.st_mode);
}

static bool finish(const struct choices *choices, struct local *local, bool ended)
{
    if (!ended)
        complain("stopped before the end of %s", choices->from);
    if (!ended)
        return local_commit(local);
    return choices->state != NULL ? catch_up(local) : local_drain(local);
}

static int run(const struct choices *choices, struct local *local, const struct stop *stop)
{
    struct joining joining = {local, choices->state != NULL && is_file(choices->from)};
    const struct line_feed feed = {.name = choices->from, .take = give, .pause = tick, .context = &joining, .stop = stop};
    enum feed_end end = line_feed_run(&feed);
    bool good = end != FEED_FAILED && finish(choices, local, end == FEED_DONE);
    struct local_totals totals = local_totals(local);
    fprintf(stderr, "%llu records, %llu events, %llu of them incomplete, %llu revised, %llu failed queries, %llu invalid\n",
            (unsigned long long)(totals.joined.records), (unsigned long long)totals.events,
            (unsigned long long)totals.joined.incomplete, (unsigned long long)totals.joined.revisions,
            (unsigned long long)totals.joined.failed, (unsigned long long)totals.invalid);
    return !good || end != FEED_DONE ? STATUS_FAILED : totals.invalid > 0 ? STATUS_PARTLY : STATUS_DONE;
}

static int normalize(const struct choices *choices, const struct config *config, struct log *log, const struct clock *clock, const struct stop *stop)
{
    struct buf reason;
    buf_init(&reason, 0);
    struct local_options options = {
        .normalizer = stage_options(config, clock, log, NULL),
        .state = choices->state,
        .output = choices->to == NULL ? "-" : choices->to,
        .invalid = choices->invalid,
    };
    if (choices->catalog_count > 0) {
        options.normalizer.catalogs = choices->catalogs;
        options.normalizer.catalog_count = choices->catalog_count;
    }
    struct local *local = local_open(&options, &reason);
    int status = STATUS_FAILED;
    if (local == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    else
        status = run(choices, local, stop);
    if (!local_close(local) && status != STATUS_FAILED)
        status = STATUS_FAILED;
    stage_options_release(&options.normalizer);
    buf_release(&reason);
    return status;
}

/* With what every run needs around it. */
static int normalize_file(const struct choices *choices, const struct config *config)
{
    struct clock clock = clock_system();
    const struct log_options to_standard_error = {.level = LOG_LEVEL_WARNING};
    struct log *log = log_open(&to_standard_error, &clock);
    struct stop stop;
    int status = STATUS_FAILED;
    if (!stop_init(&stop, log))
        complain("signals: %s", strerror(errno));
    else if (stop_on_signals(&stop))
        status = normalize(choices, config, log, &clock, &stop);
    stop_release(&stop);
    log_close(log);
    return status;
}

int cmd_normalize(int argc, char **argv)
{
    struct choices choices = {0};
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return STATUS_DONE;
        }
        if (!take_option(&choices, option))
            return more_help("normalize");
    }
    if (optind < argc)
        return wrong_use("normalize", "`%s` is too much", argv[optind]);
    if (choices.from == NULL && (choices.to != NULL || choices.invalid != NULL || choices.state != NULL || choices.catalog_count > 0))
        return wrong_use("normalize", "--to, --invalid, --state and --catalog belong to --from, which says where the records are");
    if (choices.from == NULL)
        return normalize_kafka(choices.config);
    struct config config;
    int status = STATUS_DONE;
    if (choices.config != NULL)
        status = settings_read(&config, choices.config);
    else
        config_init(&config);
    if (status == STATUS_DONE)
        status = normalize_file(&choices, &config);
    config_release(&config);
    return status;
}
