/* colline normalize: raw records in, events out; here from a file to a file, normalize_kafka.c does it from topic to topic. */
#include "cmd.h"
#include "normalize_kafka.h"
#include "settings.h"
#include "stage.h"

#include "normalize/driver_local.h"
#include "run/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
    READ_BYTES = 1 << 20,
    CATALOGS_MAX = 64,
    LINE_MAX_BYTES = 256 << 20
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

static bool give(struct local *local, str_t line, int64_t offset)
{
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0 || local_feed(local, line, offset))
        return true;
    return local_commit(local) && local_feed(local, line, offset);
}

/* The whole lines of a buffer; what is left of it moves to its front. */
static bool give_lines(struct local *local, struct buf *bytes, int64_t *offset, bool last)
{
    size_t at = 0;
    while (at < bytes->len) {
        const char *end = memchr(bytes->ptr + at, '\n', bytes->len - at);
        if (end == NULL && !last && bytes->len - at < LINE_MAX_BYTES)
            break;
        size_t len = end == NULL ? bytes->len - at : (size_t)(end - bytes->ptr) - at;
        if (!give(local, str_make(bytes->ptr + at, len), *offset))
            return false;
        size_t step = len + (end != NULL);
        at += step;
        *offset += (int64_t)step;
    }
    memmove(bytes->ptr, bytes->ptr + at, bytes->len - at);
    bytes->len -= at;
    return true;
}

/* Until there is something to read, the end, or a wish to stop: a pipe may be silent for long. Gives whether to go on. */
static bool wait_for(int descriptor, const struct stop *stop)
{
    struct pollfd waits[] = {{.fd = descriptor, .events = POLLIN}, {.fd = stop->descriptor, .events = POLLIN}};
    while (!stop_asked(stop) && poll(waits, 2, -1) < 0 && errno == EINTR)
        continue;
    return !stop_asked(stop);
}

/* False after a failure; `ended`: whether the end was reached. */
static bool read_all(struct local *local, int descriptor, const char *name, const struct stop *stop, bool *ended)
{
    struct buf bytes;
    buf_init(&bytes, 0);
    bool good = true, last = false;
    int64_t offset = 0;
    while (good && !last && wait_for(descriptor, stop)) {
        good = buf_reserve(&bytes, READ_BYTES);
        ssize_t got = good ? read(descriptor, bytes.ptr + bytes.len, READ_BYTES) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            complain("%s: %s", name, strerror(errno));
        good = got >= 0;
        last = got == 0;
        bytes.len += got > 0 ? (size_t)got : 0;
        good = good && give_lines(local, &bytes, &offset, last);
        local_tick(local);
    }
    *ended = good && last;
    buf_release(&bytes);
    return good;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static bool finish(const struct choices *choices, struct local *local, bool ended)
{
    if (!ended)
        complain("stopped before the end of %s", choices->from);
    return choices->state != NULL || !ended ? local_commit(local) : local_drain(local);
}

static int run(const struct choices *choices, struct local *local, const struct stop *stop)
{
    bool standard = strcmp(choices->from, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(choices->from, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        complain("%s: %s", choices->from, strerror(errno));
        return STATUS_FAILED;
    }
    bool ended, good = read_all(local, descriptor, choices->from, stop, &ended);
    good = good && finish(choices, local, ended);
    if (!standard)
        close(descriptor);
    struct local_totals totals = local_totals(local);
    fprintf(stderr, "%llu records, %llu events, %llu of them incomplete, %llu revised, %llu failed queries, %llu invalid\n",
            (unsigned long long)(totals.joined.records), (unsigned long long)totals.events,
            (unsigned long long)totals.joined.incomplete, (unsigned long long)totals.joined.revisions,
            (unsigned long long)totals.joined.failed, (unsigned long long)totals.invalid);
    return !good || !ended ? STATUS_FAILED : totals.invalid > 0 ? STATUS_PARTLY : STATUS_DONE;
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
