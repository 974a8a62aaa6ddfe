/*
 * The HTTP server: a few routes, answered in its own thread. A handler sees a request and fills an
 * answer; it never sees a socket, so a test calls it directly.
 */
#ifndef COLLINE_RUN_HTTP_H
#define COLLINE_RUN_HTTP_H

#include "base/buf.h"
#include "run/metrics.h"

/* Borrowed for the call. */
struct http_request {
    str_t path;
    str_t (*query)(const struct http_request *request,
                   const char *name); /* an argument of the URL; "" when absent */
    void *server;
};

struct http_answer {
    unsigned status; /* 200 unless set */
    const char *content_type;
    struct buf body;
};

struct http_route {
    const char *path; /* the whole path */
    void (*handle)(void *context, const struct http_request *request, struct http_answer *answer);
    void *context;
    bool open; /* answered without the token */
};

struct http_options {
    const char *address; /* "127.0.0.1" or "::1"; any other address needs a token */
    uint16_t port;       /* 0: any free one */
    str_t token; /* asked for as `Authorization: Bearer …`; "": none. Borrowed as long as the server
                    runs */
};

struct http;

/* GET and HEAD only. Routes are borrowed as long as it runs. NULL with the reason in `error`. */
struct http *http_start(const struct http_options *options, const struct http_route *routes,
                        size_t count, char *error, size_t error_size);
uint16_t http_port(const struct http *http);

/* Waits for the calls that are being answered. Takes NULL. */
void http_stop(struct http *http);

/* Whether an address can be reached from this machine only. */
bool http_is_loopback(const char *address);

#endif
