/*
 * Who may ask: the host and origin that a request names, and its token. Tokens stand in the store
 * as their SHA-256, with scopes and an end. The token of the configuration is the operator's and
 * may all. A proxy that shows its secret names the user in place of a token.
 */
#ifndef COLLINE_API_GUARD_H
#define COLLINE_API_GUARD_H

#include "api/call.h"
#include "run/clock.h"
#include "run/log.h"

struct guard_options {
    str_t token;          /* the operator's; empty: none */
    bool tokens_wanted;   /* else who comes without a token may read, SQL too */
    const str_t *proxies; /* addresses of those who name their users */
    size_t proxy_count;
    str_t proxy_secret; /* what these show */
    bool proxy_sql;     /* whether their users may read SQL */
    const str_t *hosts; /* names that this server is known by, beside those of this machine */
    size_t host_count;
    struct log *log;
    const struct clock *clock;
};

struct guard;

struct guard *
guard_new(const struct guard_options *options); /* borrowed; NULL when memory is out */
void guard_free(struct guard *guard);

/* Whether the request was meant for this server and does not come from another site's page; else
 * the call is refused. */
bool guard_origin(struct guard *guard, struct call *call);

/* Fills call->scopes and call->who by the token or the proxy, or refuses the call; also where the
 * scope that is wanted is not among them. */
bool guard_token(struct guard *guard, struct call *call, enum api_scope wanted);

/* ---- tokens in the store -------------------------------------------------------------------- */

/* `read,sql` → scopes; 0 when a word is none. And back, static. */
unsigned scopes_by_names(str_t names);
str_t scopes_names(unsigned scopes);

#endif
