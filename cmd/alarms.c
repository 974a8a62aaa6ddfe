/* A thread that looks at the metrics once a second. */
#include "alarms.h"

#include "cmd.h"

#include "run/lag.h"
#include "run/notifier.h"
#include "run/stop.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LOOK_MS = 1000,
    LAG_WORKERS = 256 /* that are looked at; the rest of the places are for hosts */
};

struct alarms {
    const struct config *config;
    str_t stage;
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    struct metric *on, *lag;
    struct notifier *notifier;
    struct notifier_target *targets;
    char host[256];
    struct alarm alarm;
    struct lag_watch watch;
    struct stop stop;
    bool stop_ready, running;
    pthread_t thread;
};

/* Of a stage that captures, of one that normalises, or of both in one process: no stage has too many of both kinds. */
static double look(struct alarms *alarms)
{
    struct metrics *metrics = alarms->metrics;
    double ages[LAG_SERIES_MAX];
    size_t count = metrics_figures(metrics, "colline_normalize_lag_seconds", ages, LAG_WORKERS);
    for (size_t i = count; i < LAG_WORKERS; i++)
        ages[i] = 0; /* hosts keep their places when workers come */
    count = LAG_WORKERS + metrics_figures(metrics, "colline_capture_lag_seconds", ages + LAG_WORKERS, LAG_SERIES_MAX - LAG_WORKERS);
    const struct lag_sample sample = {
        .records = metrics_sum(metrics, "colline_capture_records_total") + metrics_sum(metrics, "colline_normalize_read_total"),
        .ages = ages,
        .age_count = count,
        .waiting = metrics_sum(metrics, "colline_capture_unacknowledged") > 0,
        .away = metrics_sum(metrics, "colline_sink_away") > 0,
    };
    return lag_figure(&alarms->watch, &sample, clock_steady(&alarms->clock));
}

static void tell(struct alarms *alarms, enum alarm_change change, double figure)
{
    char text[160];
    double limit = alarms->alarm.limit;
    int len = change == ALARM_BEGINS ? snprintf(text, sizeof text, "statements arrive %.1f s late, the limit is %g s", figure, limit)
                                     : snprintf(text, sizeof text, "statements arrive in time again, at worst they were %.1f s late", alarms->alarm.worst);
    const struct alarm_notice notice = {.name = STR("lag"),
                                        .host = str_of(alarms->host),
                                        .stage = alarms->stage,
                                        .change = change,
                                        .at_ms = clock_now(&alarms->clock),
                                        .figure = figure,
                                        .limit = limit,
                                        .unit = STR("s"),
                                        .text = str_make(text, len > 0 ? (size_t)len : 0)};
    log_say(alarms->log, change == ALARM_BEGINS ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO, change == ALARM_BEGINS ? "alarm.lag.begins" : "alarm.lag.ends",
            alarms->stage, "%s", text);
    metric_set(alarms->on, change == ALARM_BEGINS);
    if (alarms->notifier != NULL && !notifier_tell(alarms->notifier, &notice))
        log_say(alarms->log, LOG_LEVEL_ERROR, "alarm.undelivered", alarms->stage, "too many notices wait already");
}

static void *watch(void *context)
{
    struct alarms *alarms = context;
    do {
        double figure = look(alarms);
        metric_set(alarms->lag, figure);
        enum alarm_change change = alarm_feed(&alarms->alarm, figure, clock_steady(&alarms->clock));
        if (change != ALARM_SAME)
            tell(alarms, change, figure);
    } while (!stop_wait(&alarms->stop, LOOK_MS));
    return NULL;
}

static bool start_thread(struct alarms *alarms)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    alarms->running = pthread_create(&alarms->thread, NULL, watch, alarms) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return alarms->running;
}

/* Without webhooks alarms are in the log and in the metrics only. */
static bool start_notifier(struct alarms *alarms)
{
    uint32_t count = alarms->config->webhooks.count;
    if (count == 0)
        return true;
    alarms->targets = need_alloc(count * sizeof *alarms->targets);
    for (uint32_t i = 0; i < count; i++) {
        const struct config_webhook *webhook = &alarms->config->webhooks.items[i];
        alarms->targets[i] = (struct notifier_target){webhook->url, (enum alarm_shape)webhook->shape, webhook->secret, webhook->timeout};
    }
    const struct notifier_options options = {
        .targets = alarms->targets, .count = count, .clock = alarms->clock, .log = alarms->log, .metrics = alarms->metrics};
    alarms->notifier = notifier_start(&options);
    return alarms->notifier != NULL;
}

struct alarms *alarms_start(const struct config *config, const char *stage, const struct clock *clock, struct log *log, struct metrics *metrics)
{
    struct alarms *alarms = need_alloc(sizeof *alarms);
    *alarms = (struct alarms){.config = config, .stage = str_of(stage), .clock = *clock, .log = log, .metrics = metrics};
    (void)gethostname(alarms->host, sizeof alarms->host - 1);
    alarm_init(&alarms->alarm, (double)config->alarms.lag / 1000, config->alarms.after);
    alarms->on = metrics_gauge(metrics, "colline_alarm_on", "1 while an alarm lasts", METRIC_LABELS({"alarm", STR("lag")}));
    alarms->lag = metrics_gauge(metrics, "colline_lag_seconds", "How late this stage is, as the alarm sees it", METRIC_NO_LABELS);
    alarms->stop_ready = stop_init(&alarms->stop, NULL);
    if (alarms->stop_ready && start_notifier(alarms) && start_thread(alarms))
        return alarms;
    alarms_stop(alarms);
    return NULL;
}

void alarms_stop(struct alarms *alarms)
{
    if (alarms == NULL)
        return;
    if (alarms->running) {
        stop_ask(&alarms->stop);
        pthread_join(alarms->thread, NULL);
    }
    notifier_stop(alarms->notifier);
    if (alarms->stop_ready)
        stop_release(&alarms->stop);
    free(alarms->targets);
    free(alarms);
}
