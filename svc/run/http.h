/*
 * The HTTP server. A handler sees a request, all of it, and fills an answer; it never sees a
 * socket, so a test calls it directly.
 */
#ifndef COLLINE_RUN_HTTP_H
#define COLLINE_RUN_HTTP_H

#include "base/buf.h"
#include "run/metrics.h"

enum http_method { HTTP_METHOD_GET, HTTP_METHOD_HEAD, HTTP_METHOD_POST };

/* An argument of the URL, decoded, or a header. */
struct http_pair {
    str_t name, value;
};

/* Borrowed for the call. */
struct http_request {
    enum http_method method;
    str_t path; /* decoded */
    const struct http_pair *arguments, *headers;
    size_t argument_count, header_count;
    str_t body;
    str_t peer; /* the client's IP address */
};

/* The first argument of the name; NULL when there is none. */
const struct http_pair *http_argument(const struct http_request *request, str_t name);

/* The first header of the name in any case; "" when absent. */
str_t http_header(const struct http_request *request, str_t name);

struct http_answer {
    unsigned status;          /* 200 unless set */
    const char *content_type; /* literal, as those below; NULL: plain text */
    struct buf body;
    str_t fixed;               /* sent instead of the body when not empty; outlives the server */
    bool gzip;                 /* the bytes are compressed */
    const char *cache_control; /* NULL: no-store */
    const char *policy;        /* Content-Security-Policy */
    const char *disposition;   /* Content-Disposition */
    char etag[40];             /* with quotes; "": none */
    unsigned retry_after;      /* seconds; 0: not said */
};

struct http_route {
    const char *path; /* the whole path, or its beginning */
    void (*handle)(void *context, const struct http_request *request, struct http_answer *answer);
    void *context;
    bool open;   /* answered without the token */
    bool prefix; /* all paths that begin with it, unless an earlier route takes them */
    bool posts;  /* POST too, else GET and HEAD only */
};

struct http_options {
    const char *address; /* "127.0.0.1" or "::1"; any other address needs a token, or `guarded` */
    uint16_t port;       /* 0: any free one */
    str_t token; /* asked for as `Authorization: Bearer …`; "": none. Borrowed as long as the server
                    runs */
    bool guarded;     /* the open routes ask for tokens of their own */
    bool concurrent;  /* handlers run side by side, a thread for each connection */
    size_t body_most; /* bytes of a body; 0: 64 KiB */
};

struct http;

/* Routes are borrowed as long as it runs. NULL with the reason in `error`. */
struct http *http_start(const struct http_options *options, const struct http_route *routes,
                        size_t count, char *error, size_t error_size);
uint16_t http_port(const struct http *http);

/* Waits for the calls that are being answered. Takes NULL. */
void http_stop(struct http *http);

/* Whether an address can be reached from this machine only. */
bool http_is_loopback(const char *address);

/* Whether two secrets are equal; takes as long for a wrong one as for the right one. */
bool http_same_secret(str_t a, str_t b);

/* The token of `Authorization: Bearer …`; "" when there is none. */
str_t http_bearer(const struct http_request *request);

#endif
