/* /readyz of a running service. */
#include "doctor/running.h"

#include "run/hook.h"

#include <stdio.h>

#define SHOWN(text) (int)(text).len, (text).ptr

/* An address at which this machine reaches itself; IPv6 in brackets. */
static str_t reachable(str_t address)
{
    if (str_eq(address, STR("0.0.0.0")))
        return STR("127.0.0.1");
    return str_eq(address, STR("::")) ? STR("::1") : address;
}

static void judge(const struct hook_answer *answer, bool whole, str_t about, struct findings *findings)
{
    str_t body = buf_str(&answer->body);
    if (!whole && answer->status == 0) {
        finding_add(findings, FINDING_WARN, "service", about, "no service answers: %s", answer->error);
        finding_todo(findings, "start it: systemctl start colline-serve (or colline-capture, -normalize@1, -load, -web), and look at its log");
    } else if (answer->status == 200) {
        finding_add(findings, FINDING_OK, "service", about, "a service runs and is ready");
    } else if (answer->status == 503) {
        finding_add(findings, FINDING_FAIL, "service", about, "a service runs and is not well: %.*s", SHOWN(body));
        finding_todo(findings, "its log says more; docs/operations.md tells what each means");
    } else {
        finding_add(findings, FINDING_WARN, "service", about, "something else answers there, with HTTP status %ld", answer->status);
        finding_todo(findings, "give the service another http.port");
    }
}

void running_check(const struct config *config, int timeout_ms, struct findings *findings)
{
    char url[256], place[128];
    struct hook *hook = config->http.port == 0 ? NULL : hook_new();
    struct hook_answer answer;
    str_t address = reachable(config->http.address);
    bool ipv6 = str_find(address, ':', 0) < address.len;
    if (hook == NULL)
        return;
    (void)snprintf(place, sizeof place, ipv6 ? "[%.*s]:%d" : "%.*s:%d", SHOWN(address), (int)config->http.port);
    int len = snprintf(url, sizeof url, "http://%s/readyz", place);
    hook_answer_init(&answer);
    const struct hook_request request = {.url = str_make(url, (size_t)len), .timeout_ms = timeout_ms, .connect_timeout_ms = timeout_ms};
    bool whole = hook_call(hook, &request, &answer);
    judge(&answer, whole, str_make(place, strlen(place)), findings);
    hook_answer_release(&answer);
    hook_free(hook);
}
