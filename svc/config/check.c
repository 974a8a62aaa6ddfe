/* What the keys of a configuration must agree on, once each is good by itself. */
#include "config/read.h"

#include "config/userinfo.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <unistd.h>

#define SHOWN(text) (int)(text).len, (text).ptr

/* ---- clusters ------------------------------------------------------------------------------- */

/* Whether a name stays inside the folder of zones: letters, digits and `/_+-`. */
static bool is_zone_name(str_t name)
{
    if (name.len == 0 || name.len > 100 || name.ptr[0] == '/')
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i], lower = ascii_lower(c);
        if ((lower < 'a' || lower > 'z') && (c < '0' || c > '9') && c != '/' && c != '_' &&
            c != '+' && c != '-')
            return false;
    }
    return true;
}

/* UTC is known without the files. */
static bool zone_exists(str_t name)
{
    char path[160];
    if (str_eq(name, STR("UTC")))
        return true;
    if (!is_zone_name(name))
        return false;
    (void)snprintf(path, sizeof path, "/usr/share/zoneinfo/%.*s", SHOWN(name));
    return access(path, R_OK) == 0;
}

static void check_cluster(struct config *config, struct config_cluster *cluster)
{
    if (cluster->name_space.len == 0)
        cluster->name_space = cluster->name;
    if (!zone_exists(cluster->time_zone))
        config_note(config, cluster->place, false,
                    "`time_zone`: there is no zone `%.*s` in /usr/share/zoneinfo",
                    SHOWN(cluster->time_zone));
    for (const struct config_cluster *other = config->clusters.items; other < cluster; other++)
        if (str_eq(other->name, cluster->name))
            config_note(config, cluster->place, false, "there are two clusters `%.*s`",
                        SHOWN(cluster->name));
}

/* ---- sources -------------------------------------------------------------------------------- */

static void check_cluster_of(struct config *config, struct config_source *source)
{
    for (uint32_t i = 0; i < config->clusters.count; i++)
        if (str_eq(config->clusters.items[i].name, source->cluster))
            source->of_cluster = &config->clusters.items[i];
    if (source->of_cluster == NULL && source->cluster.len > 0)
        config_note(config, source->place, false, "`cluster`: there is no cluster `%.*s`",
                    SHOWN(source->cluster));
}

static void check_place_of(struct config *config, const struct config_source *source)
{
    bool web = source->kind == KIND_WEB;
    if (web && source->url.len == 0)
        config_note(config, source->place, false,
                    "`url` is missing: a source of the kind web has one");
    if (web && source->url.len > 0 && !str_starts_with(source->url, STR("http://")) &&
        !str_starts_with(source->url, STR("https://")))
        config_note(config, source->place, false, "`url` must begin with http:// or https://");
    if (!web && source->url.len > 0)
        config_note(config, source->place, false, "`url`: only a source of the kind web has one");
    if (!web && source->paths.count == 0)
        config_note(config, source->place, false,
                    "`paths` is missing: only a source of the kind web has none");
    if (web && source->paths.count > 0)
        config_note(config, source->place, false, "`paths`: a source of the kind web has none");
}

/* The address goes into logs, metrics and records, so who we are is taken out of it. */
static void take_userinfo(struct config *config, struct config_source *source)
{
    struct userinfo info;
    if (!userinfo_read(source->url, &config->arena, &info))
        return;
    source->url = info.url;
    if (source->user.len == 0)
        source->user = info.user;
    if (source->password.len == 0)
        source->password = info.password;
    if (source->auth == AUTH_NONE)
        source->auth = AUTH_BASIC;
    config_note(
        config, source->place, true,
        "`url` has a name and a password in it: write `auth`, `user` and `password: ${NAME}`");
}

static void check_auth_of(struct config *config, const struct config_source *source)
{
    bool named = source->auth == AUTH_BASIC || source->auth == AUTH_DIGEST;
    if (named && (source->user.len == 0 || source->password.len == 0))
        config_note(config, source->place, false,
                    "`user` and `password` are needed for this `auth`");
    if (source->auth == AUTH_BEARER && source->token.len == 0)
        config_note(config, source->place, false, "`token` is needed for `auth: bearer`");
    if (source->auth == AUTH_NONE && (source->password.len > 0 || source->token.len > 0))
        config_note(config, source->place, true,
                    "`password` and `token` do nothing without `auth`");
}

/* The name that a source has when none is given: kind, and host if any. */
static void name_source(struct config *config, struct config_source *source)
{
    str_t kind = config_find_key(SECTION_SOURCE, STR("kind"))->choices[source->kind];
    if (source->name.len > 0)
        return;
    source->name =
        source->host.len == 0
            ? kind
            : arena_join(&config->arena, arena_join(&config->arena, kind, STR("@")), source->host);
}

static void check_source(struct config *config, struct config_source *source)
{
    if (source->kind == KIND_HIVE_HOOK || source->kind == KIND_HIVE_LOG)
        source->engine = ENGINE_HIVE;
    if (source->database.len == 0)
        source->database = STR("default");
    take_userinfo(config, source);
    name_source(config, source);
    check_cluster_of(config, source);
    check_place_of(config, source);
    check_auth_of(config, source);
    for (const struct config_source *other = config->sources.items; other < source; other++)
        if (str_eq(other->name, source->name)) {
            config_note(config, source->place, false,
                        "there are two sources `%.*s`: give each a `name` of its own",
                        SHOWN(source->name));
            break;
        }
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void check_kafka(struct config *config)
{
    const struct config_kafka *kafka = &config->kafka;
    bool sasl = kafka->security == SECURITY_SASL_PLAINTEXT || kafka->security == SECURITY_SASL_SSL;
    bool ticket = str_eq(kafka->sasl_mechanism, STR("GSSAPI"));
    if (sasl && !ticket && (kafka->user.len == 0 || kafka->password.len == 0))
        config_note(config, kafka->place, false,
                    "`kafka`: `user` and `password` are needed for this `security`");
    for (uint32_t i = 0; i < kafka->properties.count; i++)
        if (str_find(kafka->properties.items[i], '=', 0) == kafka->properties.items[i].len)
            config_note(config, kafka->place, false,
                        "`kafka.properties`: `%.*s` must be `name=value`",
                        SHOWN(kafka->properties.items[i]));
    const str_t topics[] = {kafka->topic_raw, kafka->topic_normalized, kafka->topic_invalid,
                            kafka->topic_open, kafka->topic_catalog};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        for (size_t j = 0; j < i; j++)
            if (str_eq(topics[i], topics[j]))
                config_note(config, kafka->place, false, "`kafka`: two topics are called `%.*s`",
                            SHOWN(topics[i]));
}

static bool parse_address(str_t text, bool *loopback)
{
    char copy[64];
    struct in_addr v4;
    struct in6_addr v6;
    if (text.len >= sizeof copy)
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    if (inet_pton(AF_INET, copy, &v4) == 1) {
        *loopback = ntohl(v4.s_addr) >> 24 == 127;
        return true;
    }
    bool good = inet_pton(AF_INET6, copy, &v6) == 1;
    *loopback = good && IN6_IS_ADDR_LOOPBACK(&v6);
    return good;
}

static void check_http(struct config *config)
{
    enum { PROXY_SECRET_LEAST = 16 };
    bool loopback = false;
    if (!parse_address(config->http.address, &loopback))
        config_note(config, (struct config_place){0}, false,
                    "`http.address`: `%.*s` is no IP address", SHOWN(config->http.address));
    else if (!loopback && config->http.token.len == 0)
        config_note(config, (struct config_place){0}, false,
                    "`http.token` is needed: other machines can reach %.*s",
                    SHOWN(config->http.address));
    for (uint32_t i = 0; i < config->http.proxies.count; i++)
        if (!parse_address(config->http.proxies.items[i], &loopback))
            config_note(config, (struct config_place){0}, false,
                        "`http.proxies`: `%.*s` is no IP address",
                        SHOWN(config->http.proxies.items[i]));
    if (config->http.proxies.count > 0 && config->http.proxy_secret.len < PROXY_SECRET_LEAST)
        config_note(config, (struct config_place){0}, false,
                    "`http.proxy_secret` is needed with `http.proxies`, of %d characters or more",
                    PROXY_SECRET_LEAST);
}

static void check_webhook(struct config *config, const struct config_webhook *webhook)
{
    if (webhook->secret.len > 0 && webhook->shape != SHAPE_DINGTALK)
        config_note(config, webhook->place, false,
                    "`secret`: only a webhook of the shape dingtalk has one");
}

static void name_instance(struct config *config)
{
    char name[256] = "";
    if (config->instance.len > 0 || gethostname(name, sizeof name - 1) != 0)
        return;
    config->instance = arena_copy(&config->arena, str_make(name, strlen(name)));
}

void config_check(struct config *config)
{
    name_instance(config);
    for (uint32_t i = 0; i < config->clusters.count; i++)
        check_cluster(config, &config->clusters.items[i]);
    for (uint32_t i = 0; i < config->sources.count; i++)
        check_source(config, &config->sources.items[i]);
    for (uint32_t i = 0; i < config->webhooks.count; i++)
        check_webhook(config, &config->webhooks.items[i]);
    check_kafka(config);
    check_http(config);
    if (config->limits.spool_segment > config->limits.spool)
        config_note(config, (struct config_place){0}, false,
                    "`limits.spool_segment` is larger than `limits.spool`");
}
