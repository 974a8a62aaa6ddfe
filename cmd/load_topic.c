/* One loader in the main thread. */
#include "load_topic.h"

#include "cmd.h"
#include "leave.h"
#include "service.h"
#include "settings.h"

#include "load/topic.h"

#include <stdlib.h>

enum { WAIT_MS = 100 };

static bool store_is_well(void *context, struct buf *wrong)
{
    return topic_loader_is_well(*(struct topic_loader **)context, wrong);
}

static int run(struct service *s, str_t store, struct topic_loader **loader)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct config_store *config = &s->config.store;
    const int64_t day = DAY_MS;
    str_t *spaces = need_alloc((s->config.clusters.count + 1) * sizeof *spaces);
    const struct topic_loader_options options = {
        .kafka = &s->config.kafka,
        .group = config->group,
        .store = store,
        .keeping = {(config->keep_queries + day - 1) / day, (config->keep_columns + day - 1) / day, (config->keep_tables + day - 1) / day},
        .catalogs = {s->config.normalize.catalogs.items, spaces, s->config.normalize.catalogs.count, settings_spaces(&s->config, spaces)},
        .batch = (size_t)config->batch,
        .batch_wait_ms = config->batch_wait,
        .clock = s->clock,
        .log = s->log,
        .metrics = s->metrics,
    };
    struct topic_loader *opened = topic_loader_open(&options, &reason);
    if (opened == NULL)
        complain("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    free(spaces);
    struct leave leave;
    leave_watch(&leave, &s->stop, s->log);
    *loader = opened;
    while (opened != NULL && !stop_asked(&s->stop))
        topic_loader_step(opened, WAIT_MS);
    http_stop(s->http); /* it asks for the loader's health */
    s->http = NULL;
    topic_loader_close(opened);
    leave_end(&leave);
    return opened == NULL ? STATUS_FAILED : STATUS_DONE;
}

static int serve(struct service *s, const char *store)
{
    struct topic_loader *loader = NULL;
    if (s->config.kafka.brokers.count == 0)
        return wrong_use("load", "the configuration names no brokers: --from, --documents or --catalog says what else to load");
    char *address = store != NULL                      ? need_copy(store)
                    : s->config.store.address.len > 0 ? need_copy_of(s->config.store.address)
                                                      : service_path(s, "colline.db");
    int status = STATUS_FAILED;
    if (health_add(&s->health, "store", store_is_well, &loader) && service_open_stateless(s))
        status = run(s, str_of(address), &loader);
    free(address);
    return status;
}

int load_topic(const char *config, const char *store)
{
    struct service *s = service_new("load");
    int status = settings_read(&s->config, config);
    if (status == STATUS_DONE)
        status = serve(s, store);
    service_free(s);
    return status;
}
