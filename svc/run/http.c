/* The HTTP server over libmicrohttpd, every limit set. A call is gathered whole, then answered by
 * its route. */
#include "run/http.h"

#include "run/gzip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum {
    CONNECTIONS_MAX = 256,
    CONNECTIONS_OF_ONE_MAX = 128,
    CONNECTION_MEMORY = 131072, /* header lines of a request */
    IDLE_SECONDS = 30,
    BODY_SECONDS = 60, /* for the whole body, however it drips */
    BODY_MOST = 65536,
    PATH_MOST = 4096,
    ARGUMENTS_MOST = 1000,
    HEADERS_MOST = 200,
    STACK = 1 << 20, /* of a connection's thread */
    WORTH_PACKING = 1024
};

struct http {
    struct MHD_Daemon *daemon;
    const struct http_route *routes;
    size_t count;
    str_t token;
    size_t body_most;
};

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* A call whose body is on its way. */
struct call {
    struct buf body;
    struct timespec begun;
    size_t dropped; /* bytes that were read past the limit */
    bool too_large;
};

/* ---- what was asked ------------------------------------------------------------------------- */

struct pairs {
    struct http_pair *items;
    size_t count, most;
};

static enum MHD_Result take_pair(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size)
{
    struct pairs *pairs = context;
    (void)kind;
    if (pairs->count == pairs->most)
        return MHD_NO;
    pairs->items[pairs->count++] = (struct http_pair){
        str_make(name, name_size), value == NULL ? STR("") : str_make(value, value_size)};
    return MHD_YES;
}

static enum MHD_Result count_pair(void *context, enum MHD_ValueKind kind, const char *name,
                                  size_t name_size, const char *value, size_t value_size)
{
    (void)kind;
    (void)name;
    (void)name_size;
    (void)value;
    (void)value_size;
    ++*(size_t *)context;
    return MHD_YES;
}

/* False when there are too many, or memory is out. */
static bool gather(struct MHD_Connection *connection, enum MHD_ValueKind kind, size_t most,
                   struct pairs *pairs)
{
    size_t count = 0;
    MHD_get_connection_values_n(connection, kind, count_pair, &count);
    if (count > most)
        return false;
    *pairs = (struct pairs){.items = calloc(count + 1, sizeof *pairs->items), .most = count};
    if (pairs->items == NULL)
        return false;
    MHD_get_connection_values_n(connection, kind, take_pair, pairs);
    return true;
}

static str_t peer_of(struct MHD_Connection *connection, char *text, size_t size)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info == NULL || info->client_addr == NULL)
        return STR("");
    union address address = {0};
    bool six = info->client_addr->sa_family == AF_INET6;
    memcpy(&address, info->client_addr, six ? sizeof address.v6 : sizeof address.v4);
    const void *bytes = six ? (const void *)&address.v6.sin6_addr : &address.v4.sin_addr;
    if (inet_ntop(info->client_addr->sa_family, bytes, text, (socklen_t)size) == NULL)
        return STR("");
    return str_make(text, strlen(text));
}

static bool method_of(const char *text, enum http_method *method)
{
    static const struct {
        const char *name;
        enum http_method method;
    } known[] = {{MHD_HTTP_METHOD_GET, HTTP_METHOD_GET},
                 {MHD_HTTP_METHOD_HEAD, HTTP_METHOD_HEAD},
                 {MHD_HTTP_METHOD_POST, HTTP_METHOD_POST}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, text) == 0) {
            *method = known[i].method;
            return true;
        }
    }
    return false;
}

/* ---- routes --------------------------------------------------------------------------------- */

static const struct http_route *find_route(const struct http *http, str_t path)
{
    for (size_t i = 0; i < http->count; i++) {
        const struct http_route *route = &http->routes[i];
        str_t own = str_make(route->path, strlen(route->path));
        if (route->prefix ? str_starts_with(path, own) : str_eq(path, own))
            return route;
    }
    return NULL;
}

static void refuse(struct http_answer *answer, unsigned status, str_t text)
{
    answer->status = status;
    buf_clear(&answer->body);
    buf_add(&answer->body, text);
}

static bool may_ask(const struct http *http, const struct http_request *request)
{
    return http->token.len == 0 || http_same_secret(http_bearer(request), http->token);
}

static void dispatch(const struct http *http, const struct http_request *request,
                     struct http_answer *answer)
{
    const struct http_route *route = find_route(http, request->path);
    if (request->method == HTTP_METHOD_POST && (route == NULL || !route->posts))
        refuse(answer, MHD_HTTP_METHOD_NOT_ALLOWED, STR("only GET and HEAD are answered\n"));
    else if (route == NULL)
        refuse(answer, MHD_HTTP_NOT_FOUND, STR("there is nothing here\n"));
    else if (!route->open && !may_ask(http, request))
        refuse(answer, MHD_HTTP_UNAUTHORIZED, STR("a token is needed\n"));
    else
        route->handle(route->context, request, answer);
    if (answer->body.failed)
        answer->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
}

static void fill(const struct http *http, struct MHD_Connection *connection, const char *path,
                 const char *method, const struct call *call, struct http_answer *answer)
{
    struct pairs arguments = {0}, headers = {0};
    char peer[INET6_ADDRSTRLEN] = "";
    struct http_request request = {.path = str_make(path, strlen(path)),
                                   .body = buf_str(&call->body),
                                   .peer = peer_of(connection, peer, sizeof peer)};
    if (!method_of(method, &request.method))
        refuse(answer, MHD_HTTP_METHOD_NOT_ALLOWED, STR("only GET, HEAD and POST are answered\n"));
    else if (request.path.len > PATH_MOST)
        refuse(answer, MHD_HTTP_URI_TOO_LONG, STR("the path is too long\n"));
    else if (call->too_large)
        refuse(answer, MHD_HTTP_CONTENT_TOO_LARGE, STR("the body is too large\n"));
    else if (!gather(connection, MHD_GET_ARGUMENT_KIND, ARGUMENTS_MOST, &arguments) ||
             !gather(connection, MHD_HEADER_KIND, HEADERS_MOST, &headers))
        refuse(answer, MHD_HTTP_BAD_REQUEST, STR("too many arguments or headers\n"));
    else {
        request.arguments = arguments.items;
        request.argument_count = arguments.count;
        request.headers = headers.items;
        request.header_count = headers.count;
        dispatch(http, &request, answer);
    }
    free(arguments.items);
    free(headers.items);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static bool takes_gzip(struct MHD_Connection *connection)
{
    const char *header =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    return header != NULL && strstr(header, "gzip") != NULL && strstr(header, "gzip;q=0") == NULL;
}

static void pack(struct MHD_Connection *connection, struct http_answer *answer)
{
    if (answer->gzip || answer->fixed.len > 0 || answer->body.len < WORTH_PACKING ||
        !takes_gzip(connection))
        return;
    struct buf packed;
    buf_init(&packed, 0);
    if (gzip_pack(buf_str(&answer->body), &packed) && packed.len < answer->body.len) {
        buf_release(&answer->body);
        answer->body = packed;
        answer->gzip = true;
        return;
    }
    buf_release(&packed);
}

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value != NULL && *value != '\0')
        MHD_add_response_header(response, name, value);
}

static void add_headers(struct MHD_Response *response, const struct http_answer *answer)
{
    const char *type = answer->content_type, *cache = answer->cache_control;
    char seconds[16] = "";
    if (answer->retry_after > 0)
        (void)snprintf(seconds, sizeof seconds, "%u", answer->retry_after);
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
               type == NULL ? "text/plain; charset=utf-8" : type);
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Referrer-Policy", "no-referrer");
    add_header(response, "X-Frame-Options", "DENY");
    add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, cache == NULL ? "no-store" : cache);
    add_header(response, "Content-Security-Policy", answer->policy);
    add_header(response, "Content-Disposition", answer->disposition);
    add_header(response, MHD_HTTP_HEADER_ETAG, answer->etag);
    add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, seconds);
    add_header(response, MHD_HTTP_HEADER_VARY, "Accept, Accept-Encoding, Authorization");
    if (answer->gzip)
        add_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    if (answer->status == MHD_HTTP_UNAUTHORIZED)
        add_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
}

/* Gives the body away: the server frees it. */
static enum MHD_Result send_answer(struct MHD_Connection *connection, struct http_answer *answer)
{
    pack(connection, answer);
    struct MHD_Response *response;
    if (answer->fixed.len > 0)
        response = MHD_create_response_from_buffer(
            answer->fixed.len, (void *)(uintptr_t)answer->fixed.ptr, MHD_RESPMEM_PERSISTENT);
    else
        response = MHD_create_response_from_buffer(answer->body.len, answer->body.ptr,
                                                   MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        return MHD_NO;
    if (answer->fixed.len == 0)
        buf_init(&answer->body, 0);
    add_headers(response, answer);
    enum MHD_Result done = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return done;
}

static enum MHD_Result answer_call(const struct http *http, struct MHD_Connection *connection,
                                   const char *url, const char *method, const struct call *call)
{
    struct http_answer answer = {.status = MHD_HTTP_OK};
    buf_init(&answer.body, 0);
    fill(http, connection, url, method, call, &answer);
    enum MHD_Result done = send_answer(connection, &answer);
    buf_release(&answer.body);
    return done;
}

/* ---- a call as it comes in ------------------------------------------------------------------ */

/* So much that it is not even read, to be dropped. */
static bool announces_too_much(const struct http *http, struct MHD_Connection *connection)
{
    const char *length =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length != NULL && strtoull(length, NULL, 10) > 2 * http->body_most;
}

static bool takes_too_long(const struct call *call)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - call->begun.tv_sec > BODY_SECONDS;
}

/* What is over the limit is read and dropped, so that the client hears of it; much more cuts the connection. */
static enum MHD_Result take_body(const struct http *http, struct call *call, const char *upload,
                                 size_t *upload_size)
{
    if (call->body.len + *upload_size > http->body_most)
        call->too_large = true;
    if (call->too_large)
        call->dropped += *upload_size;
    else
        buf_add(&call->body, str_make(upload, *upload_size));
    if (call->body.failed || call->dropped > 2 * http->body_most || takes_too_long(call))
        return MHD_NO;
    *upload_size = 0;
    return MHD_YES;
}

static enum MHD_Result begin_call(const struct http *http, struct MHD_Connection *connection,
                                  const char *url, const char *method, void **state)
{
    struct call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return MHD_NO;
    *state = call;
    clock_gettime(CLOCK_MONOTONIC, &call->begun);
    call->too_large = announces_too_much(http, connection);
    return call->too_large ? answer_call(http, connection, url, method, call) : MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    const struct http *http = context;
    (void)version;
    if (*state == NULL)
        return begin_call(http, connection, url, method, state);
    if (*upload_size > 0)
        return take_body(http, *state, upload, upload_size);
    return answer_call(http, connection, url, method, *state);
}

static void end_call(void *context, struct MHD_Connection *connection, void **state,
                     enum MHD_RequestTerminationCode how)
{
    struct call *call = *state;
    (void)context;
    (void)connection;
    (void)how;
    if (call == NULL)
        return;
    buf_release(&call->body);
    free(call);
    *state = NULL;
}

/* ---- starting ------------------------------------------------------------------------------- */

static bool parse_address(const char *text, uint16_t port, union address *address)
{
    *address = (union address){.v4 = {.sin_family = AF_INET, .sin_port = htons(port)}};
    if (inet_pton(AF_INET, text, &address->v4.sin_addr) == 1)
        return true;
    *address = (union address){.v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)}};
    return inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1;
}

bool http_is_loopback(const char *text)
{
    union address address;
    if (!parse_address(text, 0, &address))
        return false;
    if (address.any.sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr);
    return ntohl(address.v4.sin_addr.s_addr) >> 24 == 127;
}

/* The library's own messages (broken requests, lost clients) are no business of the log. */
static void say_nothing(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

static struct MHD_Daemon *start(struct http *http, const union address *address, bool concurrent)
{
    unsigned flags = (address->any.sa_family == AF_INET6 ? (unsigned)MHD_USE_IPv6 : 0u) |
                     (unsigned)MHD_USE_ERROR_LOG;
    flags |= concurrent ? (unsigned)MHD_USE_THREAD_PER_CONNECTION |
                              (unsigned)MHD_USE_INTERNAL_POLLING_THREAD | (unsigned)MHD_USE_POLL
                        : (unsigned)MHD_USE_AUTO_INTERNAL_THREAD;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handle, http, MHD_OPTION_SOCK_ADDR, &address->any,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_OF_ONE_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, end_call, NULL, MHD_OPTION_END);
}

struct http *http_start(const struct http_options *options, const struct http_route *routes,
                        size_t count, char *error, size_t error_size)
{
    union address address;
    if (!parse_address(options->address, options->port, &address)) {
        (void)snprintf(error, error_size, "`%s` is no IP address", options->address);
        return NULL;
    }
    if (!http_is_loopback(options->address) && options->token.len == 0 && !options->guarded) {
        (void)snprintf(error, error_size,
                       "%s can be reached from other machines: a token is needed",
                       options->address);
        return NULL;
    }
    struct http *http = calloc(1, sizeof *http);
    if (http == NULL) {
        (void)snprintf(error, error_size, "out of memory");
        return NULL;
    }
    *http = (struct http){.routes = routes,
                          .count = count,
                          .token = options->token,
                          .body_most = options->body_most == 0 ? BODY_MOST : options->body_most};
    errno = 0;
    http->daemon = start(http, &address, options->concurrent);
    if (http->daemon != NULL)
        return http;
    (void)snprintf(error, error_size, "cannot listen on %s port %u: %s", options->address,
                   (unsigned)options->port, errno == 0 ? "unknown reason" : strerror(errno));
    free(http);
    return NULL;
}

uint16_t http_port(const struct http *http)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

void http_stop(struct http *http)
{
    if (http == NULL)
        return;
    MHD_stop_daemon(http->daemon);
    free(http);
}
