/*
 * What /metrics, /healthz and /readyz answer. /healthz: the process lives and no check of its life
 * fails. /readyz: all checks are well, else 503 with a line for each: `ok NAME` or `NAME: what is
 * wrong`.
 */
#ifndef COLLINE_RUN_HEALTH_H
#define COLLINE_RUN_HEALTH_H

#include "run/http.h"

enum { HEALTH_CHECKS_MAX = 16, HEALTH_ROUTES = 3 };

struct health_check {
    const char *name;
    /* Whether it is well; else appends what is wrong. Called from the server's thread. */
    bool (*check)(void *context, struct buf *wrong);
    void *context;
};

struct health {
    struct metrics *metrics;
    struct health_check checks[HEALTH_CHECKS_MAX];
    size_t count;
};

/* Before the server starts; false when there are too many. */
bool health_add(struct health *health, const char *name,
                bool (*check)(void *context, struct buf *wrong), void *context);

/* Fills HEALTH_ROUTES routes, which borrow the health. */
void health_routes(struct health *health, struct http_route *routes);

#endif
