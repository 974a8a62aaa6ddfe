/* Opened in the order in which the later needs the earlier, closed the other way round. */
#include "service.h"

#include "cmd.h"

#include "run/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct service *service_new(const char *stage)
{
    struct service *s = need_alloc(sizeof *s);
    *s = (struct service){.stage = stage, .clock = clock_system(), .lock = -1};
    return s;
}

char *service_path(const struct service *s, const char *name)
{
    return need_format("%.*s/%s", (int)s->config.data_dir.len, s->config.data_dir.ptr, name);
}

/* Makes the folder with those above it. */
static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0750) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Two processes with one file of positions would undo each other's. */
static bool lock_data(struct service *s)
{
    char *path = service_path(s, "capture.lock");
    bool ok = make_folder(path) && (s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) >= 0;
    if (!ok)
        complain("%s: %s", path, strerror(errno));
    else if (!(ok = flock(s->lock, LOCK_EX | LOCK_NB) == 0))
        complain("%.*s: another process runs with this data folder", (int)s->config.data_dir.len, s->config.data_dir.ptr);
    free(path);
    return ok;
}

static bool open_log(struct service *s)
{
    char *path = s->config.log.file.len == 0 ? NULL : need_format("%.*s", (int)s->config.log.file.len, s->config.log.file.ptr);
    const struct log_options options = {path, s->config.log.format == LOG_FORMAT_JSON, (enum log_level)s->config.log.level,
                                        s->config.log.repeat};
    s->log = log_open(&options, &s->clock);
    if (s->log == NULL)
        complain("%s: %s", path == NULL ? "log" : path, strerror(errno));
    free(path);
    return s->log != NULL;
}

/* Every address that others can reach asks for tokens. */
static bool open_api(struct service *s, const char *address)
{
    s->hosts = need_alloc((s->config.http.hosts.count + 1) * sizeof *s->hosts);
    s->hosts[s->host_count++] = s->config.http.address;
    for (uint32_t i = 0; i < s->config.http.hosts.count; i++)
        s->hosts[s->host_count++] = s->config.http.hosts.items[i];
    const struct api_options options = {
        .store = str_of(s->store),
        .token = s->config.http.token,
        .tokens_wanted = s->config.http.tokens || s->config.http.token.len > 0 || !http_is_loopback(address),
        .proxies = s->config.http.proxies.items,
        .proxy_count = s->config.http.proxies.count,
        .proxy_secret = s->config.http.proxy_secret,
        .proxy_sql = s->config.http.proxy_sql,
        .hosts = s->hosts,
        .host_count = s->host_count,
        .log = s->log,
        .metrics = s->metrics,
        .clock = &s->clock,
        .checks = s->health.checks,
        .check_count = s->health.count,
    };
    s->api = need(api_new(&options));
    api_routes(s->api, s->routes + HEALTH_ROUTES);
    return true;
}

static void open_http(struct service *s)
{
    char error[256];
    if (s->config.http.port == 0)
        return;
    s->health.metrics = s->metrics;
    health_routes(&s->health, s->routes);
    char *address = need_format("%.*s", (int)s->config.http.address.len, s->config.http.address.ptr);
    bool api = s->store != NULL && open_api(s, address);
    const struct http_options options = {
        .address = address,
        .port = (uint16_t)s->config.http.port,
        .token = s->config.http.token,
        .guarded = api,
        .concurrent = api,
        .body_most = api ? API_BODY_MOST : 0,
    };
    s->http = http_start(&options, s->routes, HEALTH_ROUTES + (api ? API_ROUTES : 0), error, sizeof error);
    if (s->http == NULL)
        log_say(s->log, LOG_LEVEL_ERROR, "http.start", s->config.http.address, "nothing is served: %s", error);
    free(address);
}

static bool open_checkpoint(struct service *s)
{
    char *path = service_path(s, "positions.json");
    s->checkpoint = checkpoint_open(path, &s->clock);
    if (s->checkpoint == NULL)
        complain("%s: out of memory", path);
    else if (s->checkpoint->damaged)
        log_say(s->log, LOG_LEVEL_ERROR, "capture.positions", str_of(path),
                "the positions cannot be read and were put aside as %s.damaged: everything is read from its beginning", path);
    free(path);
    return s->checkpoint != NULL;
}

static bool open_alarms(struct service *s)
{
    s->alarms = alarms_start(&s->config, s->stage, &s->clock, s->log, s->metrics);
    if (s->alarms == NULL)
        complain("alarms: %s", strerror(errno));
    return s->alarms != NULL;
}

static bool open_stop_and_metrics(struct service *s, bool lasting)
{
    s->stop_ready = stop_init(&s->stop, s->log);
    if (!s->stop_ready || !stop_on_signals(&s->stop)) {
        complain("signals: %s", strerror(errno));
        return false;
    }
    s->metrics = need(metrics_new());
    s->http_library = hook_library_begin();
    if (!s->http_library)
        complain("the HTTP library cannot start");
    if (lasting)
        open_http(s);
    return s->http_library && (!lasting || open_alarms(s));
}

bool service_open(struct service *s, bool lasting)
{
    return open_log(s) && lock_data(s) && open_stop_and_metrics(s, lasting) && open_checkpoint(s);
}

bool service_open_stateless(struct service *s)
{
    return open_log(s) && open_stop_and_metrics(s, true);
}

void service_free(struct service *s)
{
    alarms_stop(s->alarms);
    http_stop(s->http);
    api_free(s->api);
    free(s->hosts);
    free(s->store);
    sink_close(s->sink);
    checkpoint_close(s->checkpoint);
    if (s->stop_ready)
        stop_release(&s->stop);
    metrics_free(s->metrics);
    if (s->http_library)
        hook_library_end();
    log_close(s->log);
    if (s->lock >= 0)
        close(s->lock);
    config_release(&s->config);
    free(s);
}
