/*
 * The interface for programs and the page, /api/v1 and the page's own files: requests in, answers
 * out, without sockets. docs/openapi.yaml describes it. Calls may come from many threads: each
 * takes one of a few readers of the store for its time.
 */
#ifndef COLLINE_API_API_H
#define COLLINE_API_API_H

#include "run/clock.h"
#include "run/health.h"
#include "run/log.h"

struct api;

/* Borrowed as long as the interface lives. */
struct api_options {
    str_t store;          /* its address */
    unsigned readers;     /* questions that are answered at once; 0: 4 */
    str_t token;          /* the operator's; may all. Empty: none */
    bool tokens_wanted;   /* else who comes without a token may read, SQL too */
    const str_t *proxies; /* addresses of those who name their users, as api/guard.h says */
    size_t proxy_count;
    str_t proxy_secret;
    bool proxy_sql;
    const str_t *hosts; /* names that the server is known by, beside those of this machine */
    size_t host_count;
    struct log *log;
    struct metrics *metrics; /* may be NULL */
    const struct clock *clock;
    const struct health_check *checks; /* parts of the process that say how they are, for /health */
    size_t check_count;
};

/* NULL when memory is out. The store is opened by the first questions, and again when it was away.
 */
struct api *api_new(const struct api_options *options);
void api_free(struct api *api);

enum { API_ROUTES = 2, API_BODY_MOST = 4 << 20 };

/* Fills API_ROUTES routes, which borrow the interface; they take all paths and check tokens
 * themselves. */
void api_routes(struct api *api, struct http_route *routes);

/* What they call. */
void api_handle(void *api, const struct http_request *request, struct http_answer *answer);
void api_handle_page(void *api, const struct http_request *request, struct http_answer *answer);

/* For tests that compare with docs/openapi.yaml: the paths under /api/v1; NULL behind the last one.
 */
const char *api_path(size_t index);

#endif
