/*
 * colline serve: the data map and the interface for programs. With --data DIR capture, normalize and load run in the same process, with
 * nothing but a folder on disk; with --store ADDRESS the store is one that others write.
 */
#include "cmd.h"
#include "service.h"
#include "settings.h"
#include "stage.h"
#include "stage_options.h"

#include "collect/capture.h"
#include "load/feed.h"
#include "normalize/driver_local.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char help_text[] =
    "usage: colline serve --data DIR [-c FILE] [OPTION]...\n"
    "       colline serve --store FILE|ADDRESS [-c FILE] [OPTION]...\n\n"
    "Serves the data map, a web page, and the interface for programs under /api/v1.\n\n"
    "With --data everything runs in this one process: it reads the sources of the configuration, joins what they tell into events, and\n"
    "loads these into the store, with all that has to outlive the process in DIR: positions.json says where reading got to, state.db\n"
    "holds open queries and the newest events, colline.db is the store, unless the configuration names another one.\n"
    "With --store it only answers questions, over a store that others write.\n\n"
    "      --data DIR         the folder; else the configuration's data_dir\n"
    "      --store FILE|ADDRESS  the store: a file, or postgresql://..\n"
    "      --port N           instead of the configuration's http.port\n"
    "  -c, --config FILE      the configuration; else DIR/colline.yaml, $COLLINE_CONFIG, /etc/colline/colline.yaml\n"
    "      --to FILE|-        events into a file of JSON lines, or to standard output, instead of the store; into a file each\n"
    "                         exactly once\n"
    "      --from-beginning   files that have no position yet are read from their beginning, archives (.gz) too\n"
    "      --once             read what is there, then stop; nothing is served\n"
    "  -h, --help             this text\n\n"
    "/metrics, /healthz and /readyz are answered too. On an address that other machines can reach /api/v1 asks for tokens.\n"
    "SIGTERM and SIGINT stop it within seconds; what is left then is done by the next start. Exit status: 0 done, 2 wrong use or\n"
    "configuration, 3 a failure.\n";

enum {
    FLUSH_MS = 10000
};

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* What the health checks look at; either may be NULL. */
struct stages {
    struct local *local;
    struct feed *feed;
};

static bool state_is_well(void *context, struct buf *wrong)
{
    if (local_is_well(((struct stages *)context)->local))
        return true;
    BUF_ADD(wrong, "the last batch could not be written");
    return false;
}

static bool store_is_well(void *context, struct buf *wrong)
{
    return feed_is_well(((struct stages *)context)->feed, wrong);
}

static void tell_taken(void *context, int64_t number)
{
    local_events_taken(context, number);
}

/* The address of the store: the configuration's, else a file in the data folder. To be freed. */
static char *store_address(const struct service *s)
{
    str_t address = s->config.store.address;
    return address.len > 0 ? need_format("%.*s", (int)address.len, address.ptr) : service_path(s, "colline.db");
}

/* Into the store of the configuration. False after a message. */
static bool open_feed(struct service *s, struct stages *stages)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct config_store *store = &s->config.store;
    char *state = service_path(s, "state.db");
    const int64_t day = DAY_MS;
    str_t *spaces = need_alloc((s->config.clusters.count + 1) * sizeof *spaces);
    const struct feed_options options = {
        .state = state,
        .store = str_of(s->store),
        .keeping = {(store->keep_queries + day - 1) / day, (store->keep_columns + day - 1) / day, (store->keep_tables + day - 1) / day},
        .catalogs = {s->config.normalize.catalogs.items, spaces, s->config.normalize.catalogs.count, settings_spaces(&s->config, spaces)},
        .batch = (size_t)store->batch,
        .batch_wait_ms = store->batch_wait,
        .clock = s->clock,
        .log = s->log,
        .metrics = s->metrics,
        .taken = tell_taken,
        .context = stages->local,
    };
    stages->feed = feed_start(&options, &reason);
    if (stages->feed == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    free(spaces);
    free(state);
    return stages->feed != NULL;
}

static struct local *open_local(struct service *s, const struct stage_choices *choices, struct normalizer_options *stage)
{
    struct buf reason;
    buf_init(&reason, 0);
    char *state = service_path(s, "state.db");
    const struct local_options options = {
        .normalizer = *stage,
        .state = state,
        .output = choices->to,
        .batch_wait_ms = s->config.normalize.batch_wait,
    };
    struct local *local = local_open(&options, &reason);
    if (local == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    free(state);
    return local;
}

static bool run(struct service *s, const struct stage_choices *choices, struct local *local)
{
    struct buf error;
    buf_init(&error, 0);
    const struct capture_options options = {
        .config = &s->config,
        .checkpoint = s->checkpoint,
        .sink = local_sink(local),
        .clock = s->clock,
        .log = s->log,
        .metrics = s->metrics,
        .from_beginning = choices->from_beginning,
        .once = choices->once,
        .stop = &s->stop,
    };
    struct capture *capture = capture_open(&options, &error);
    if (capture == NULL)
        complain("%.*s", (int)error.len, error.ptr);
    buf_release(&error);
    if (capture == NULL)
        return false;
    while (!stop_asked(&s->stop) && !capture_finished(capture)) {
        if (capture_round(capture) > 0)
            continue;
        if (capture_is_quiet(capture))
            local_all_read(local);
        capture_wait(capture, s->stop.descriptor);
    }
    return capture_close(capture, FLUSH_MS);
}

static void say_address(const struct service *s)
{
    if (s->http != NULL)
        fprintf(stderr, "http://%.*s:%u/\n", (int)s->config.http.address.len, s->config.http.address.ptr, (unsigned)http_port(s->http));
}

/* Over a store that others write. */
static int serve_store(struct service *s, const char *store)
{
    s->store = need_copy(store);
    if (!service_open_stateless(s) || s->http == NULL)
        return STATUS_FAILED;
    say_address(s);
    struct pollfd stop = {.fd = s->stop.descriptor, .events = POLLIN};
    while (!stop_asked(&s->stop))
        (void)poll(&stop, 1, 1000);
    return STATUS_DONE;
}

/* All stages in this process. */
static int serve_data(struct service *s, const struct stage_choices *choices)
{
    struct stages stages = {NULL, NULL};
    if (choices->data != NULL)
        s->config.data_dir = str_of(choices->data);
    if (choices->to == NULL)
        s->store = store_address(s);
    bool good = health_add(&s->health, "state", state_is_well, &stages) && health_add(&s->health, "store", store_is_well, &stages) &&
                service_open(s, !choices->once);
    struct normalizer_options stage = stage_options(&s->config, &s->clock, s->log, s->metrics);
    if (good)
        stages.local = open_local(s, choices, &stage);
    good = stages.local != NULL && (choices->to != NULL || open_feed(s, &stages));
    if (good)
        say_address(s);
    good = good && run(s, choices, stages.local);
    http_stop(s->http); /* it asks for the stages' health */
    s->http = NULL;
    if (stages.local != NULL)
        good = local_commit(stages.local) && good;
    good = feed_stop(stages.feed, choices->once && !stop_asked(&s->stop)) && good;
    good = local_close(stages.local) && good;
    stage_options_release(&stage);
    return good ? STATUS_DONE : STATUS_FAILED;
}

/* The configuration that lies in the data folder, unless another one is named; to be freed. */
static char *config_in(const struct stage_choices *choices)
{
    if (choices->config != NULL || choices->data == NULL)
        return choices->config == NULL ? NULL : need_copy(choices->config);
    char *path = need_format("%s/colline.yaml", choices->data);
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

int cmd_serve(int argc, char **argv)
{
    struct stage_choices choices = {0};
    int status = stage_choices_read(STAGE_SERVE, argc, argv, &choices);
    if (status != STATUS_DONE)
        return status;
    if (choices.help) {
        fputs(help_text, stdout);
        return STATUS_DONE;
    }
    if (choices.store != NULL && (choices.data != NULL || choices.to != NULL || choices.once || choices.from_beginning))
        return wrong_use("serve", "with --store nothing is read but the store: --data, --to, --once and --from-beginning do not go with it");
    struct service *s = service_new("serve");
    char *config = config_in(&choices);
    status = choices.store != NULL ? settings_read_or_default(&s->config, config) : settings_read(&s->config, config);
    if (choices.port > 0)
        s->config.http.port = choices.port;
    if (status == STATUS_DONE && choices.store != NULL && s->config.http.port == 0)
        status = wrong_use("serve", "http.port is 0: nothing would be served");
    if (status == STATUS_DONE)
        status = choices.store != NULL ? serve_store(s, choices.store) : serve_data(s, &choices);
    service_free(s);
    free(config);
    return status;
}
