/* colline capture: reads what the clusters log and sends it on. */
#include "cmd.h"
#include "receiver.h"
#include "service.h"
#include "settings.h"
#include "stage_options.h"

#include "bus/file_sink.h"
#include "collect/capture.h"

#include <errno.h>
#include <stdio.h>

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
    FLUSH_MS = 10000
};

/* ---- running ---------------------------------------------------------------------------------------------------- */

static bool is_kafka(const struct stage_choices *choices)
{
    return choices->to == NULL || strcmp(choices->to, "kafka") == 0;
}

static bool open_sink(struct service *s, const struct stage_choices *choices)
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

static int run(struct service *s, const struct stage_choices *choices)
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
        .stop = &s->stop,
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

static int serve(struct service *s, const struct stage_choices *choices)
{
    if (is_kafka(choices) && s->config.kafka.brokers.count == 0)
        return wrong_use("capture", "the configuration names no brokers: where to? Give `--to FILE` or `--to -`");
    if (!service_open(s, !choices->once) || !open_sink(s, choices))
        return STATUS_FAILED;
    return run(s, choices);
}

int cmd_capture(int argc, char **argv)
{
    struct stage_choices choices = {0};
    int status = stage_choices_read(STAGE_CAPTURE, argc, argv, &choices);
    if (status != STATUS_DONE)
        return status;
    if (choices.help) {
        fputs(help_text, stdout);
        return STATUS_DONE;
    }
    struct service *s = service_new("capture");
    status = settings_read(&s->config, choices.config);
    if (status == STATUS_DONE)
        status = serve(s, &choices);
    service_free(s);
    return status;
}
