/* What a web source's keys say of its requests, and of answers that refuse. */
#include "collect/web_ask.h"

#include <stdio.h>

enum { ANSWER_MAX = 64 << 20 };

static enum hook_auth auth_of(const struct config_source *source)
{
    static const enum hook_auth kinds[] = {[AUTH_NONE] = HOOK_AUTH_NONE,
                                           [AUTH_BASIC] = HOOK_AUTH_BASIC,
                                           [AUTH_DIGEST] = HOOK_AUTH_DIGEST,
                                           [AUTH_NEGOTIATE] = HOOK_AUTH_NEGOTIATE,
                                           [AUTH_BEARER] = HOOK_AUTH_BEARER};
    return kinds[source->auth];
}

struct hook_request web_request(const struct config_source *source, str_t url)
{
    return (struct hook_request){
        .url = url,
        .connect_timeout_ms = source->timeout,
        .timeout_ms = source->timeout,
        .answer_limit = ANSWER_MAX,
        .auth = auth_of(source),
        .user = source->user,
        .password = source->password,
        .token = source->token,
        .ca_file = source->ca_file,
    };
}

static const char *way_in(unsigned offered)
{
    if (offered & 1U << HOOK_AUTH_NEGOTIATE)
        return "negotiate";
    if (offered & 1U << HOOK_AUTH_DIGEST)
        return "digest";
    if (offered & 1U << HOOK_AUTH_BEARER)
        return "bearer";
    return offered & 1U << HOOK_AUTH_BASIC ? "basic" : NULL;
}

void web_refusal(const struct config_source *source, const struct hook_answer *answer, char text[WEB_REFUSAL])
{
    const char *way = way_in(answer->offered);
    bool fits = (answer->offered & 1U << auth_of(source)) != 0;
    if (answer->status == 403)
        (void)snprintf(text, WEB_REFUSAL, "the daemon knows us and forbids it: its rights are too few");
    else if (fits && source->auth == AUTH_NEGOTIATE)
        (void)snprintf(text, WEB_REFUSAL,
                       "the daemon wants a Kerberos ticket, and none that it takes is there: kinit, or KRB5_CLIENT_KTNAME in the environment");
    else if (way != NULL && !fits)
        (void)snprintf(text, WEB_REFUSAL, "the daemon does not let us in; it wants `auth: %s`", way);
    else
        (void)snprintf(text, WEB_REFUSAL, "the daemon does not let us in; look at `auth`, `user`, `password` and `token`");
}
