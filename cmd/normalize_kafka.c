/* One driver a worker, each in a thread of its own; the main thread waits for the end. */
#include "normalize_kafka.h"

#include "cmd.h"
#include "leave.h"
#include "service.h"
#include "settings.h"
#include "stage.h"

#include "normalize/driver_kafka.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    WAIT_MS = 100
};

struct worker {
    struct service *service;
    const struct normalizer_options *stage;
    char *instance;
    pthread_t thread;
    _Atomic bool ready;
    bool running, failed; /* failed: read after the thread has ended */
};

struct workers {
    struct worker *items;
    size_t count;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct service *s = worker->service;
    struct buf error;
    buf_init(&error, 0);
    const struct kafka_driver_options options = {
        .normalizer = *worker->stage,
        .kafka = &s->config.kafka,
        .instance = str_of(worker->instance),
        .batch = (size_t)s->config.normalize.batch,
        .batch_wait_ms = s->config.normalize.batch_wait,
        .stop = &s->stop,
    };
    struct kafka_driver *driver = kafka_driver_open(&options, &error);
    if (driver == NULL)
        complain("%.*s", (int)error.len, error.ptr);
    worker->failed = driver == NULL;
    while (!worker->failed && !stop_asked(&s->stop)) {
        worker->failed = !kafka_driver_step(driver, WAIT_MS) && !stop_asked(&s->stop); /* who is stopping need not wait for a broker that is away */
        worker->ready = kafka_driver_is_ready(driver);
    }
    worker->ready = false;
    kafka_driver_close(driver);
    buf_release(&error);
    if (worker->failed)
        stop_ask(&s->stop); /* whoever supervises the process starts it again */
    return NULL;
}

static bool workers_are_ready(void *context, struct buf *wrong)
{
    const struct workers *workers = context;
    for (size_t i = 0; i < workers->count; i++)
        if (!workers->items[i].ready) {
            BUF_ADD(wrong, "Kafka or its topics are not ready");
            return false;
        }
    return true;
}

/* The configuration's name of this process, else the host's. */
static char *instance_name(const struct config *config, size_t worker)
{
    char host[256] = "colline";
    gethostname(host, sizeof host - 1);
    str_t name = config->instance.len > 0 ? config->instance : str_of(host);
    return need_format("%.*s-%zu", (int)name.len, name.ptr, worker);
}

static bool run(struct service *s, struct workers *workers, const struct normalizer_options *stage)
{
    bool good = true;
    struct leave leave;
    leave_watch(&leave, &s->stop, s->log);
    for (size_t i = 0; i < workers->count && good; i++) {
        struct worker *worker = &workers->items[i];
        *worker = (struct worker){.service = s, .stage = stage, .instance = instance_name(&s->config, i)};
        worker->running = pthread_create(&worker->thread, NULL, work, worker) == 0;
        good = worker->running;
    }
    for (size_t i = 0; i < workers->count; i++) {
        struct worker *worker = &workers->items[i];
        if (!good)
            stop_ask(&s->stop);
        if (worker->running)
            pthread_join(worker->thread, NULL);
        good = good && worker->running && !worker->failed;
        free(worker->instance);
    }
    leave_end(&leave);
    return good;
}

static int serve(struct service *s)
{
    struct workers workers = {.count = (size_t)s->config.normalize.workers};
    if (s->config.kafka.brokers.count == 0)
        return wrong_use("normalize", "the configuration names no brokers: --from FILE joins the records of a file");
    workers.items = need_alloc(workers.count * sizeof *workers.items);
    memset(workers.items, 0, workers.count * sizeof *workers.items);
    bool good = health_add(&s->health, "kafka", workers_are_ready, &workers) && service_open_stateless(s);
    struct normalizer_options stage = stage_options(&s->config, &s->clock, s->log, s->metrics);
    good = good && run(s, &workers, &stage);
    http_stop(s->http); /* it asks for the workers */
    s->http = NULL;
    stage_options_release(&stage);
    free(workers.items);
    return good ? STATUS_DONE : STATUS_FAILED;
}

int normalize_kafka(const char *config)
{
    struct service *s = service_new("normalize");
    int status = settings_read(&s->config, config);
    if (status == STATUS_DONE)
        status = serve(s);
    service_free(s);
    return status;
}
