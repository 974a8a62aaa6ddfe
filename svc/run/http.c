/* The HTTP server over libmicrohttpd: one thread, few connections, every limit set. */
#include "run/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
    CONNECTIONS_MAX = 64,
    CONNECTIONS_OF_ONE_MAX = 32,
    CONNECTION_MEMORY = 32768, /* header lines of a request */
    IDLE_SECONDS = 30
};

struct http {
    struct MHD_Daemon *daemon;
    const struct http_route *routes;
    size_t count;
    str_t token;
};

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* ---- a call --------------------------------------------------------------------------------- */

static str_t query_argument(const struct http_request *request, const char *name)
{
    const char *value = MHD_lookup_connection_value(request->server, MHD_GET_ARGUMENT_KIND, name);
    return value == NULL ? STR("") : str_make(value, strlen(value));
}

/* Takes as long for a wrong token as for the right one. */
static bool same_secret(str_t a, str_t b)
{
    unsigned char differs = a.len != b.len;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.ptr[i] ^ (b.len == 0 ? 0 : b.ptr[i % b.len]));
    return differs == 0;
}

static bool may_ask(const struct http *http, struct MHD_Connection *connection)
{
    if (http->token.len == 0)
        return true;
    const char *header = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
    str_t given = header == NULL ? STR("") : str_make(header, strlen(header));
    if (!str_starts_with(given, STR("Bearer ")))
        return false;
    return same_secret(str_make(given.ptr + 7, given.len - 7), http->token);
}

static const struct http_route *find_route(const struct http *http, const char *path)
{
    for (size_t i = 0; i < http->count; i++)
        if (strcmp(http->routes[i].path, path) == 0)
            return &http->routes[i];
    return NULL;
}

static void refuse(struct http_answer *answer, unsigned status, str_t text)
{
    answer->status = status;
    buf_add(&answer->body, text);
}

static void fill(const struct http *http, struct MHD_Connection *connection, const char *path,
                 const char *method, struct http_answer *answer)
{
    const struct http_route *route = find_route(http, path);
    struct http_request request = {
        .path = str_make(path, strlen(path)), .query = query_argument, .server = connection};
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        refuse(answer, MHD_HTTP_METHOD_NOT_ALLOWED, STR("only GET and HEAD are answered\n"));
    else if (route == NULL)
        refuse(answer, MHD_HTTP_NOT_FOUND, STR("there is nothing here\n"));
    else if (!route->open && !may_ask(http, connection))
        refuse(answer, MHD_HTTP_UNAUTHORIZED, STR("a token is needed\n"));
    else
        route->handle(route->context, &request, answer);
    if (answer->body.failed)
        answer->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct http_answer *answer)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->body.len, answer->body.ptr, MHD_RESPMEM_MUST_COPY);
    if (response == NULL)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->content_type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    if (answer->status == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    enum MHD_Result done = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return done;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    (void)version;
    (void)upload;
    (void)upload_size;
    (void)state;
    struct http_answer answer = {.status = MHD_HTTP_OK,
                                 .content_type = "text/plain; charset=utf-8"};
    buf_init(&answer.body, 0);
    fill(context, connection, url, method, &answer);
    enum MHD_Result done = send_answer(connection, &answer);
    buf_release(&answer.body);
    return done;
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

static struct MHD_Daemon *start(struct http *http, const union address *address)
{
    unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD |
                     (address->any.sa_family == AF_INET6 ? (unsigned)MHD_USE_IPv6 : 0u);
    return MHD_start_daemon(flags, 0, NULL, NULL, handle, http, MHD_OPTION_SOCK_ADDR, &address->any,
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
                            MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)CONNECTIONS_OF_ONE_MAX,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
}

struct http *http_start(const struct http_options *options, const struct http_route *routes,
                        size_t count, char *error, size_t error_size)
{
    union address address;
    if (!parse_address(options->address, options->port, &address)) {
        (void)snprintf(error, error_size, "`%s` is no IP address", options->address);
        return NULL;
    }
    if (!http_is_loopback(options->address) && options->token.len == 0) {
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
    *http = (struct http){.routes = routes, .count = count, .token = options->token};
    errno = 0;
    http->daemon = start(http, &address);
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
