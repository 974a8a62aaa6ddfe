/* colline serve --data DIR: capture and normalize in one process, with nothing but a folder on disk. */
#include "cmd.h"
#include "service.h"
#include "settings.h"
#include "stage.h"
#include "stage_options.h"

#include "collect/capture.h"
#include "normalize/driver_local.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char help_text[] =
    "usage: colline serve --data DIR [-c FILE] [OPTION]...\n\n"
    "Reads the sources of the configuration, joins what they tell into events, and keeps those with all that has to outlive the\n"
    "process in DIR: positions.json says where reading got to, state.db holds open queries and events, each revision once.\n\n"
    "      --data DIR         the folder; else the configuration's data_dir\n"
    "  -c, --config FILE      the configuration; else DIR/colline.yaml, $COLLINE_CONFIG, /etc/colline/colline.yaml\n"
    "      --to FILE|-        events into a file of JSON lines, or to standard output, instead of state.db; into a file each\n"
    "                         exactly once\n"
    "      --from-beginning   files that have no position yet are read from their beginning, archives (.gz) too\n"
    "      --once             read what is there, then stop\n"
    "  -h, --help             this text\n\n"
    "/metrics, /healthz and /readyz are answered at http.address and http.port of the configuration.\n"
    "SIGTERM and SIGINT stop it. Exit status: 0 done, 2 wrong use or configuration, 3 a failure.\n";

enum {
    FLUSH_MS = 10000
};

/* ---- running ---------------------------------------------------------------------------------------------------- */

static bool state_is_well(void *context, struct buf *wrong)
{
    if (local_is_well(*(struct local **)context))
        return true;
    BUF_ADD(wrong, "the last batch could not be written");
    return false;
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
    };
    struct capture *capture = capture_open(&options, &error);
    if (capture == NULL)
        complain("%.*s", (int)error.len, error.ptr);
    buf_release(&error);
    if (capture == NULL)
        return false;
    while (!stop_asked(&s->stop) && !capture_finished(capture))
        if (capture_round(capture) == 0)
            capture_wait(capture, s->stop.descriptor);
    return capture_close(capture, FLUSH_MS);
}

static int serve(struct service *s, const struct stage_choices *choices)
{
    struct local *local = NULL;
    if (choices->data != NULL)
        s->config.data_dir = str_of(choices->data);
    bool good = health_add(&s->health, "state", state_is_well, &local) && service_open(s, !choices->once);
    struct normalizer_options stage = stage_options(&s->config, &s->clock, s->log, s->metrics);
    if (good)
        local = open_local(s, choices, &stage);
    good = local != NULL && run(s, choices, local);
    http_stop(s->http); /* it asks for the local's health */
    s->http = NULL;
    good = local_close(local) && good;
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
    struct service *s = service_new();
    char *config = config_in(&choices);
    status = settings_read(&s->config, config);
    if (status == STATUS_DONE)
        status = serve(s, &choices);
    service_free(s);
    free(config);
    return status;
}
