/* Checks that cost nothing come first; wrong tokens are counted by address. */
#include "api/guard.h"

#include "base/utf8.h"
#include "run/hash.h"
#include "run/sha256.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    PEERS = 512,     /* addresses that are counted apart */
    WRONG_MOST = 10, /* wrong tokens in … */
    WINDOW_MS = 60000
};

struct peer {
    uint64_t hash;
    int64_t since;
    unsigned wrong;
};

struct guard {
    struct guard_options options;
    pthread_mutex_t lock; /* of the peers */
    struct peer peers[PEERS];
};

struct guard *guard_new(const struct guard_options *options)
{
    struct guard *guard = calloc(1, sizeof *guard);
    if (guard == NULL)
        return NULL;
    guard->options = *options;
    pthread_mutex_init(&guard->lock, NULL);
    return guard;
}

void guard_free(struct guard *guard)
{
    if (guard == NULL)
        return;
    pthread_mutex_destroy(&guard->lock);
    free(guard);
}

/* ---- hosts ---------------------------------------------------------------------------------- */

/* `host:port` without the port; of `[::1]:80` the address. */
static str_t without_port(str_t host)
{
    if (host.len > 0 && host.ptr[0] == '[') {
        size_t end = str_find(host, ']', 0);
        return str_make(host.ptr + 1, end > 0 ? end - 1 : 0);
    }
    return str_make(host.ptr, str_find(host, ':', 0));
}

static bool is_ours(const struct guard *guard, str_t host)
{
    static const str_t always[] = {STR("localhost"), STR("127.0.0.1"), STR("::1")};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        if (str_eq_fold(host, always[i]))
            return true;
    for (size_t i = 0; i < guard->options.host_count; i++)
        if (str_eq_fold(host, guard->options.hosts[i]))
            return true;
    return false;
}

static bool origin_is_ours(const struct guard *guard, str_t origin)
{
    static const str_t schemes[] = {STR("http://"), STR("https://")};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (str_starts_with(origin, schemes[i]))
            return is_ours(guard, without_port(str_make(origin.ptr + schemes[i].len,
                                                        origin.len - schemes[i].len)));
    return false;
}

bool guard_origin(struct guard *guard, struct call *call)
{
    str_t host = http_header(call->request, STR("Host")),
          origin = http_header(call->request, STR("Origin"));
    str_t site = http_header(call->request, STR("Sec-Fetch-Site"));
    bool visit = str_eq(http_header(call->request, STR("Sec-Fetch-Mode")), STR("navigate")) &&
                 call->request->method != HTTP_METHOD_POST;
    if (!is_ours(guard, without_port(host)))
        call_refuse(call, 403, "This server is not known as %.*s.",
                    host.len > 200 ? 200 : (int)host.len, host.ptr);
    else if (origin.len > 0 && !origin_is_ours(guard, origin))
        call_refuse(call, 403, "Pages of %.*s may not ask here.",
                    origin.len > 200 ? 200 : (int)origin.len, origin.ptr);
    else if (str_eq(site, STR("cross-site")) && !visit)
        call_refuse(call, 403, "Pages of other sites may not ask here.");
    return !call->refused;
}

/* ---- scopes --------------------------------------------------------------------------------- */

static const struct {
    str_t name;
    enum api_scope scope;
} scope_names[] = {{STR("read"), SCOPE_READ},
                   {STR("sql"), SCOPE_SQL},
                   {STR("write"), SCOPE_WRITE},
                   {STR("admin"), SCOPE_ADMIN}};

static unsigned scope_by_name(str_t name)
{
    for (size_t i = 0; i < sizeof scope_names / sizeof scope_names[0]; i++)
        if (str_eq(scope_names[i].name, name))
            return scope_names[i].scope;
    return 0;
}

unsigned scopes_by_names(str_t names)
{
    unsigned scopes = 0;
    for (size_t at = 0; at <= names.len;) {
        size_t end = str_find(names, ',', at);
        unsigned scope = scope_by_name(str_make(names.ptr + at, end - at));
        if (scope == 0)
            return 0;
        scopes |= scope;
        at = end + 1;
    }
    return scopes;
}

str_t scopes_names(unsigned scopes)
{
    static const str_t names[] = {STR(""),
                                  STR("read"),
                                  STR("sql"),
                                  STR("read,sql"),
                                  STR("write"),
                                  STR("read,write"),
                                  STR("sql,write"),
                                  STR("read,sql,write"),
                                  STR("admin"),
                                  STR("read,admin"),
                                  STR("sql,admin"),
                                  STR("read,sql,admin"),
                                  STR("write,admin"),
                                  STR("read,write,admin"),
                                  STR("sql,write,admin"),
                                  STR("read,sql,write,admin")};
    return names[scopes & 15];
}

/* ---- tokens --------------------------------------------------------------------------------- */

static struct peer *peer_of(struct guard *guard, str_t address, int64_t now)
{
    uint64_t hash = hash64(address, 0);
    struct peer *peer = &guard->peers[hash % PEERS];
    if (peer->hash != hash || now - peer->since > WINDOW_MS)
        *peer = (struct peer){.hash = hash, .since = now};
    return peer;
}

/* Wrong tokens are counted by address; a right one is never held up by those of others. */
static void refuse_wrong(struct guard *guard, struct call *call, int64_t now)
{
    pthread_mutex_lock(&guard->lock);
    unsigned wrong = ++peer_of(guard, call->request->peer, now)->wrong;
    pthread_mutex_unlock(&guard->lock);
    log_say(guard->options.log, LOG_LEVEL_WARNING, "api.token", call->request->peer,
            "a wrong token came, %u in this minute", wrong);
    if (wrong <= WRONG_MOST) {
        call_refuse(call, 401, "This token does not hold.");
        return;
    }
    call->answer->retry_after = WINDOW_MS / 1000;
    call_refuse(call, 429, "Too many wrong tokens came from this address.");
}

/* Scopes of a token that stands in the store, is not revoked and has not ended; 0 else. */
static unsigned stored_scopes(struct ask *ask, str_t token, int64_t now, str_t *name)
{
    char hash[65];
    sha256_hex(token, hash);
    struct db_query *q =
        db_query(ask->db, "select scopes, expires, revoked, name from token where hash = $1");
    db_bind_text(q, 1, str_make(hash, 64));
    bool holds = db_step(q) && db_int(q, 2) == 0 && (db_int(q, 1) == 0 || db_int(q, 1) > now);
    unsigned scopes = holds ? scopes_by_names(db_text(q, 0)) : 0;
    *name = holds ? arena_copy(ask->arena, db_text(q, 3)) : STR("");
    db_done(q);
    return scopes;
}

static unsigned scopes_of(struct guard *guard, struct call *call, str_t token, int64_t now)
{
    str_t own = guard->options.token;
    if (own.len > 0 && http_same_secret(token, own)) {
        call->who = STR("operator");
        return SCOPE_READ | SCOPE_SQL | SCOPE_WRITE | SCOPE_ADMIN;
    }
    return token.len > 0 ? stored_scopes(&call->ask, token, now, &call->who) : 0;
}

/* ---- proxies -------------------------------------------------------------------------------- */

static bool is_proxy(const struct guard *guard, str_t peer)
{
    for (size_t i = 0; i < guard->options.proxy_count; i++)
        if (str_eq_fold(peer, guard->options.proxies[i]))
            return guard->options.proxy_secret.len > 0;
    return false;
}

/* Where a proxy speaks for somebody. What others send by these names counts for nothing. */
static bool take_proxy(struct guard *guard, struct call *call, int64_t now)
{
    enum { USER_MOST = 200 };
    size_t where;
    str_t shown = http_header(call->request, STR("X-Colline-Proxy")),
          user = http_header(call->request, STR("X-Forwarded-User"));
    if (shown.len == 0 || !is_proxy(guard, call->request->peer))
        return false;
    if (!http_same_secret(shown, guard->options.proxy_secret)) {
        refuse_wrong(guard, call, now);
    } else if (user.len == 0 || user.len > USER_MOST || !utf8_valid(user, &where)) {
        call_refuse(call, 401, "The proxy names no user.");
    } else {
        call->who = user;
        call->scopes = guard->options.proxy_sql ? SCOPE_READ | SCOPE_SQL : SCOPE_READ;
    }
    return true;
}

/* Who comes with nothing may read where no tokens are wanted. */
static void take_nobody(struct guard *guard, struct call *call, enum api_scope wanted)
{
    call->scopes = guard->options.tokens_wanted ? 0 : SCOPE_READ | SCOPE_SQL;
    str_t name = scopes_names(wanted);
    if ((call->scopes & wanted) == 0)
        call_refuse(call, 401, "A token that may %.*s is wanted: `Authorization: Bearer …`.",
                    (int)name.len, name.ptr);
}

bool guard_token(struct guard *guard, struct call *call, enum api_scope wanted)
{
    int64_t now = clock_now(guard->options.clock);
    str_t name = scopes_names(wanted);
    bool by_proxy = take_proxy(guard, call, now);
    if (!by_proxy && http_header(call->request, STR("Authorization")).len == 0) {
        take_nobody(guard, call, wanted);
        return !call->refused;
    }
    if (!by_proxy) {
        call->scopes = scopes_of(guard, call, http_bearer(call->request), now);
        if (ask_failed(&call->ask))
            return true; /* the call fails by itself */
    }
    if (!by_proxy && call->scopes == 0)
        refuse_wrong(guard, call, now);
    else if ((call->scopes & wanted) == 0)
        call_refuse(call, 403, "%s may not %.*s.", by_proxy ? "The proxy's users" : "This token",
                    (int)name.len, name.ptr);
    return !call->refused;
}
