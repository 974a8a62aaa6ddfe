/* What every long-running subcommand opens: the log, the lock of the data folder, signals, metrics over HTTP, alarms, the positions. */
#ifndef COLLINE_CMD_SERVICE_H
#define COLLINE_CMD_SERVICE_H

#include "alarms.h"
#include "api/api.h"
#include "bus/sink.h"
#include "collect/checkpoint.h"
#include "config/config.h"
#include "run/health.h"
#include "run/http.h"
#include "run/log.h"
#include "run/stop.h"

struct service {
    const char *stage; /* capture, normalize, serve, web: in alarms */
    struct config config; /* read by the subcommand, before service_open */
    struct clock clock;
    struct log *log;
    struct metrics *metrics;
    struct stop stop;
    bool stop_ready;
    struct health health; /* checks are added before service_open */
    struct http_route routes[HEALTH_ROUTES + API_ROUTES];
    char *store; /* allocated by the subcommand before service_open: the page and the interface are served over it; NULL: neither */
    struct api *api;
    str_t *hosts; /* that the interface is known by */
    size_t host_count;
    struct http *http;
    bool http_library;
    struct alarms *alarms;
    struct checkpoint *checkpoint;
    struct sink *sink; /* opened by the subcommand, closed with the service; may stay NULL */
    int lock;
};

/* Nothing is open yet. `stage` is a literal. */
struct service *service_new(const char *stage);

/* False after a message. `lasting`: a service, with HTTP and alarms; else it only reads what is there. */
bool service_open(struct service *s, bool lasting);

/* A lasting one without data folder, lock and positions. */
bool service_open_stateless(struct service *s);

/* Closes what is open, the configuration too. */
void service_free(struct service *s);

/* A file in the data folder; to be freed. */
char *service_path(const struct service *s, const char *name);

#endif
