/* colline capture: reads what the clusters log and sends it on. */
#include "cmd.h"
#include "receiver.h"
#include "settings.h"

#include "bus/file_sink.h"
#include "collect/capture.h"
#include "run/health.h"
#include "run/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char help_text[] =
    "usage: colline capture [-c FILE] [--to FILE | - | kafka] [OPTION]...\n\n"
    "Reads the sources of the configuration and sends a raw record for each thing they tell of a query. Where reading got to is\n"
    "kept in the data folder, and moves on when the receiver has acknowledged.\n\n"
    "  -c, --config FILE      the configuration; else $COLLINE_CONFIG, else /etc/colline/colline.yaml\n"
    "      --to WHERE         `kafka` (the default when the configuration names brokers), a file that JSON lines are appended\n"
    "                         to, each exactly once, or `-` for standard output, each at least once\n"
    "      --from-beginning   files that have no position yet are read from their beginning, archives (.gz) too\n"
    "      --since TIME       the same, but records of before are left out: 2026-03-15, 2026-03-15T14:00, in UTC\n"
    "      --once             read what is there, then stop\n"
    "  -h, --help             this text\n\n"
    "SIGTERM and SIGINT stop it; what is on its way is waited for. SIGHUP opens the log file anew.\n"
    "Exit status: 0 done, 2 wrong use or configuration, 3 a failure.\n";

enum {
    OPTION_TO = 256,
    OPTION_FROM_BEGINNING,
    OPTION_SINCE,
    OPTION_ONCE,
    FLUSH_MS = 10000
};

static const struct option long_options[] = {{"config", required_argument, NULL, 'c'},
                                             {"to", required_argument, NULL, OPTION_TO},
                                             {"from-beginning", no_argument, NULL, OPTION_FROM_BEGINNING},
                                             {"since", required_argument, NULL, OPTION_SINCE},
                                             {"once", no_argument, NULL, OPTION_ONCE},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct choices {
    const char *config, *to;
    bool from_beginning, once;
    int64_t since_ms;
};

/* What runs, from the first thing opened to the last. */
struct service {
    struct config config;
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    struct stop stop;
    bool stop_ready;
    struct health health;
    struct http_route routes[HEALTH_ROUTES];
    struct http *http;
    struct checkpoint *checkpoint;
    struct sink *sink;
    int lock;
};

/* ---- options ---------------------------------------------------------------------------------------------------- */

/* `YYYY-MM-DD[THH:MM[:SS]][Z]`, UTC */
static bool read_time(const char *text, int64_t *ms)
{
    static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct tm parts = {0};
        const char *end = strptime(text, forms[i], &parts);
        if (end != NULL && (*end == '\0' || strcmp(end, "Z") == 0)) {
            *ms = (int64_t)timegm(&parts) * 1000;
            return true;
        }
    }
    return false;
}

static int read_options(int argc, char **argv, struct choices *choices)
{
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        switch (option) {
        case 'c':
            choices->config = optarg;
            break;
        case OPTION_TO:
            choices->to = optarg;
            break;
        case OPTION_FROM_BEGINNING:
            choices->from_beginning = true;
            break;
        case OPTION_SINCE:
            if (!read_time(optarg, &choices->since_ms))
                return wrong_use("capture", "--since wants a time such as 2026-03-15 or 2026-03-15T14:00, not `%s`", optarg);
            break;
        case OPTION_ONCE:
            choices->once = true;
            break;
        default:
            return more_help("capture");
        }
    }
    return optind == argc ? STATUS_DONE : wrong_use("capture", "`%s` is too much", argv[optind]);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static char *data_path(const struct config *config, const char *name)
{
    return need_format("%.*s/%s", (int)config->data_dir.len, config->data_dir.ptr, name);
}

/* Makes the folder with those above it. */
static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0750) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Two processes with one file of positions would undo each other's. */
static bool lock_data(struct service *s)
{
    char *path = data_path(&s->config, "capture.lock");
    bool ok = make_folder(path) && (s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) >= 0;
    if (!ok)
        complain("%s: %s", path, strerror(errno));
    else if (!(ok = flock(s->lock, LOCK_EX | LOCK_NB) == 0))
        complain("%.*s: another capture runs with this data folder", (int)s->config.data_dir.len, s->config.data_dir.ptr);
    free(path);
    return ok;
}

static bool open_log(struct service *s)
{
    char *path = s->config.log.file.len == 0 ? NULL : need_format("%.*s", (int)s->config.log.file.len, s->config.log.file.ptr);
    const struct log_options options = {path, s->config.log.format == LOG_FORMAT_JSON, (enum log_level)s->config.log.level,
                                        s->config.log.repeat};
    s->log = log_open(&options, &s->clock);
    if (s->log == NULL)
        complain("%s: %s", path == NULL ? "log" : path, strerror(errno));
    free(path);
    return s->log != NULL;
}

static void open_http(struct service *s)
{
    char error[256];
    if (s->config.http.port == 0)
        return;
    s->health.metrics = s->metrics;
    health_routes(&s->health, s->routes);
    char *address = need_format("%.*s", (int)s->config.http.address.len, s->config.http.address.ptr);
    const struct http_options options = {address, (uint16_t)s->config.http.port, s->config.http.token};
    s->http = http_start(&options, s->routes, HEALTH_ROUTES, error, sizeof error);
    if (s->http == NULL)
        log_say(s->log, LOG_LEVEL_ERROR, "http.start", s->config.http.address, "metrics are not served: %s", error);
    free(address);
}

static bool open_checkpoint(struct service *s)
{
    char *path = data_path(&s->config, "positions.json");
    s->checkpoint = checkpoint_open(path, &s->clock);
    if (s->checkpoint == NULL)
        complain("%s: out of memory", path);
    else if (s->checkpoint->damaged)
        log_say(s->log, LOG_LEVEL_ERROR, "capture.positions", str_of(path),
                "the positions cannot be read and were put aside as %s.damaged: everything is read from its beginning", path);
    free(path);
    return s->checkpoint != NULL;
}

static bool is_kafka(const struct choices *choices)
{
    return choices->to == NULL || strcmp(choices->to, "kafka") == 0;
}

static bool open_sink(struct service *s, const struct choices *choices)
{
    if (!is_kafka(choices)) {
        s->sink = file_sink_open(choices->to, s->checkpoint->output_length, file_sink_same_raw, &s->clock);
        if (s->sink == NULL)
            complain("%s: %s", choices->to, strerror(errno));
        return s->sink != NULL;
    }
    struct buf error;
    buf_init(&error, 0);
    const struct receiver_options options = {&s->config, &s->clock, s->log, s->metrics};
    s->sink = receiver_open(&options, &error);
    if (s->sink == NULL)
        complain("%.*s", (int)error.len, error.ptr);
    buf_release(&error);
    return s->sink != NULL;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static int run(struct service *s, const struct choices *choices)
{
    struct buf error;
    buf_init(&error, 0);
    const struct capture_options options = {
        .config = &s->config,
        .checkpoint = s->checkpoint,
        .sink = s->sink,
        .sink_is_file = !is_kafka(choices),
        .clock = s->clock,
        .log = s->log,
        .metrics = s->metrics,
        .from_beginning = choices->from_beginning,
        .once = choices->once,
        .since_ms = choices->since_ms,
    };
    struct capture *capture = capture_open(&options, &error);
    if (capture == NULL) {
        complain("%.*s", (int)error.len, error.ptr);
        buf_release(&error);
        return STATUS_FAILED;
    }
    while (!stop_asked(&s->stop) && !capture_finished(capture))
        if (capture_round(capture) == 0)
            capture_wait(capture, s->stop.descriptor);
    bool good = capture_close(capture, FLUSH_MS);
    if (!good)
        log_say(s->log, LOG_LEVEL_WARNING, "capture.stop", STR(""), "not everything was acknowledged: it is read again at the next start");
    buf_release(&error);
    return good ? STATUS_DONE : STATUS_FAILED;
}

static void release(struct service *s)
{
    http_stop(s->http);
    sink_close(s->sink);
    checkpoint_close(s->checkpoint);
    if (s->stop_ready)
        stop_release(&s->stop);
    metrics_free(s->metrics);
    log_close(s->log);
    if (s->lock >= 0)
        close(s->lock);
}

static int serve(struct service *s, const struct choices *choices)
{
    if (is_kafka(choices) && s->config.kafka.brokers.count == 0)
        return wrong_use("capture", "the configuration names no brokers: where to? Give `--to FILE` or `--to -`");
    if (!open_log(s) || !lock_data(s))
        return STATUS_FAILED;
    s->stop_ready = stop_init(&s->stop, s->log);
    if (!s->stop_ready || !stop_on_signals(&s->stop)) {
        complain("signals: %s", strerror(errno));
        return STATUS_FAILED;
    }
    s->metrics = need(metrics_new());
    if (!choices->once)
        open_http(s);
    if (!open_checkpoint(s) || !open_sink(s, choices))
        return STATUS_FAILED;
    return run(s, choices);
}

int cmd_capture(int argc, char **argv)
{
    struct choices choices = {0};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help_text, stdout);
            return STATUS_DONE;
        }
    int status = read_options(argc, argv, &choices);
    if (status != STATUS_DONE)
        return status;
    struct service *s = need_alloc(sizeof *s);
    *s = (struct service){.clock = clock_system(), .lock = -1};
    status = settings_read(&s->config, choices.config);
    if (status == STATUS_DONE)
        status = serve(s, &choices);
    release(s);
    config_release(&s->config);
    free(s);
    return status;
}
