/* A queue of notices, already written in each shape when they are sent. */
#include "run/notifier.h"

#include "run/hook.h"
#include "run/queue.h"
#include "run/sign.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WAITING_MAX = 64,
    TRIES = 3,
    AGAIN_MS = 10000,
    TAKE_MS = 500,
    STEP_MS = 50
};

/* The texts of a notice lie behind it. */
struct queued {
    struct alarm_notice notice;
    char texts[];
};

struct notifier {
    struct notifier_options options;
    struct queue *queue;
    struct hook *hook;
    struct hook_answer answer;
    bool *taken; /* by target, of the notice that is being delivered */
    pthread_t thread;
    bool running;
    _Atomic bool stopping;
    struct metric *sent, *failed;
};

/* ---- sending ---------------------------------------------------------------------------------------------------- */

/* WeChat Work and DingTalk answer 200 with a code of their own: 0 is good. */
static bool is_taken(const struct hook_answer *answer, char why[256])
{
    static const char good[] = "\"errcode\":0";
    str_t body = buf_str(&answer->body);
    if (answer->status < 200 || answer->status > 299) {
        (void)snprintf(why, 256, "HTTP status %ld", answer->status);
        return false;
    }
    const char *code = body.len == 0 ? NULL : memmem(body.ptr, body.len, "\"errcode\"", 9);
    if (code == NULL || memmem(body.ptr, body.len, good, sizeof good - 1) != NULL)
        return true;
    (void)snprintf(why, 256, "%.*s", (int)(body.len < 200 ? body.len : 200), body.ptr);
    return false;
}

static bool call(struct notifier *notifier, const struct notifier_target *target, const struct alarm_notice *notice, char why[256])
{
    struct buf body, url;
    buf_init(&body, 0);
    buf_init(&url, 0);
    buf_add(&url, target->url);
    alarm_write(&body, target->shape, notice);
    if (target->shape == ALARM_DINGTALK && target->secret.len > 0)
        sign_dingtalk(&url, target->secret, clock_now(&notifier->options.clock));
    const struct hook_request request = {
        .url = buf_str(&url), .content_type = STR("application/json"), .body = buf_str(&body), .timeout_ms = target->timeout_ms};
    bool good = !body.failed && !url.failed && hook_call(notifier->hook, &request, &notifier->answer);
    if (good)
        good = is_taken(&notifier->answer, why);
    else
        (void)snprintf(why, 256, "%s", notifier->answer.error);
    buf_release(&body);
    buf_release(&url);
    return good;
}

/* Waits before the next try, or until the notifier ends. */
static void wait_again(struct notifier *notifier)
{
    int64_t until = clock_steady(&notifier->options.clock) + notifier->options.again_ms;
    while (!notifier->stopping && clock_steady(&notifier->options.clock) < until) {
        struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
        (void)nanosleep(&step, NULL);
    }
}

static void say_undelivered(struct notifier *notifier, size_t number, const struct alarm_notice *notice, const char *why)
{
    static const char *const shapes[] = {"generic", "wechat", "dingtalk", "slack"};
    char about[64];
    int len = snprintf(about, sizeof about, "webhook %zu, %s", number + 1, shapes[notifier->options.targets[number].shape]);
    metric_add(notifier->failed, 1);
    log_say(notifier->options.log, LOG_LEVEL_ERROR, "alarm.undelivered", str_make(about, len > 0 ? (size_t)len : 0),
            "the notice that %.*s %s cannot be delivered: %s", (int)notice->name.len, notice->name.ptr,
            notice->change == ALARM_BEGINS ? "begins" : "ends", why);
}

/* One try at each receiver that has not taken it; how many have not. */
static size_t try_all(struct notifier *notifier, const struct alarm_notice *notice, bool last)
{
    size_t left = 0;
    for (size_t i = 0; i < notifier->options.count; i++) {
        char why[256] = "";
        if (notifier->taken[i])
            continue;
        notifier->taken[i] = call(notifier, &notifier->options.targets[i], notice, why);
        left += !notifier->taken[i];
        metric_add(notifier->sent, notifier->taken[i]);
        if (!notifier->taken[i] && last)
            say_undelivered(notifier, i, notice, why);
    }
    return left;
}

/* Everybody is told before somebody is told again. */
static void deliver(struct notifier *notifier, const struct alarm_notice *notice)
{
    memset(notifier->taken, 0, notifier->options.count * sizeof *notifier->taken);
    for (int i = 1;; i++) {
        bool last = i == TRIES || notifier->stopping;
        if (try_all(notifier, notice, last) == 0 || last)
            return;
        wait_again(notifier);
    }
}

static void *serve(void *context)
{
    struct notifier *notifier = context;
    for (;;) {
        struct queued *queued = queue_take(notifier->queue, TAKE_MS);
        if (queued == NULL && notifier->stopping)
            return NULL;
        if (queued != NULL)
            deliver(notifier, &queued->notice);
        free(queued);
    }
}

/* ---- the interface ---------------------------------------------------------------------------------------------- */

/* Signals are for the other threads. */
static bool start_thread(struct notifier *notifier)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    notifier->running = pthread_create(&notifier->thread, NULL, serve, notifier) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return notifier->running;
}

struct notifier *notifier_start(const struct notifier_options *options)
{
    struct notifier *notifier = calloc(1, sizeof *notifier);
    if (notifier == NULL)
        return NULL;
    notifier->options = *options;
    notifier->options.again_ms = options->again_ms > 0 ? options->again_ms : AGAIN_MS;
    notifier->queue = queue_new(WAITING_MAX);
    notifier->taken = calloc(options->count + 1, sizeof *notifier->taken);
    notifier->hook = hook_new();
    hook_answer_init(&notifier->answer);
    notifier->sent = metrics_counter(options->metrics, "colline_alarm_notices_total", "Notices of alarms, by receiver",
                                     METRIC_LABELS({"result", STR("taken")}));
    notifier->failed = metrics_counter(options->metrics, "colline_alarm_notices_total", "Notices of alarms, by receiver",
                                       METRIC_LABELS({"result", STR("undelivered")}));
    if (notifier->queue != NULL && notifier->taken != NULL && notifier->hook != NULL && start_thread(notifier))
        return notifier;
    notifier_stop(notifier);
    return NULL;
}

/* The text's copy at *to, which moves on. */
static str_t keep(char **to, str_t text)
{
    str_t copy = str_make(*to, text.len);
    if (text.len > 0)
        memcpy(*to, text.ptr, text.len);
    *to += text.len;
    return copy;
}

bool notifier_tell(struct notifier *notifier, const struct alarm_notice *notice)
{
    size_t size = notice->name.len + notice->host.len + notice->stage.len + notice->unit.len + notice->text.len;
    struct queued *queued = malloc(sizeof *queued + size);
    if (queued == NULL)
        return false;
    char *to = queued->texts;
    queued->notice = *notice;
    queued->notice.name = keep(&to, notice->name);
    queued->notice.host = keep(&to, notice->host);
    queued->notice.stage = keep(&to, notice->stage);
    queued->notice.unit = keep(&to, notice->unit);
    queued->notice.text = keep(&to, notice->text);
    if (queue_put(notifier->queue, queued, 0))
        return true;
    free(queued);
    return false;
}

void notifier_stop(struct notifier *notifier)
{
    if (notifier == NULL)
        return;
    notifier->stopping = true;
    if (notifier->queue != NULL)
        queue_close(notifier->queue);
    if (notifier->running)
        pthread_join(notifier->thread, NULL);
    if (notifier->queue != NULL)
        queue_free(notifier->queue, free);
    hook_answer_release(&notifier->answer);
    hook_free(notifier->hook);
    free(notifier->taken);
    free(notifier);
}
