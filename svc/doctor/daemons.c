/* A web source's pages, then what its daemon says of itself. */
#include "doctor/daemons.h"

#include "collect/web_ask.h"
#include "collect/web_json.h"
#include "doctor/files.h"
#include "doctor/flags.h"

#include <stdio.h>

#define SHOWN(text) (int)(text).len, (text).ptr

enum {
    URL_SIZE = 2048
};

struct asking {
    const struct config *config;
    struct findings *findings;
    struct hook *hook;
    struct hook_answer answer;
    struct arena arena;
    int timeout_ms;
};

/* Kinds of all sources that tell of one cluster's daemons. */
static unsigned kinds_of(const struct config *config, const struct config_cluster *cluster)
{
    unsigned kinds = 0;
    for (uint32_t i = 0; i < config->sources.count; i++)
        if (config->sources.items[i].of_cluster == cluster)
            kinds |= 1U << config->sources.items[i].kind;
    return kinds;
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static bool ask(struct asking *asking, const struct config_source *source, const char *page)
{
    char url[URL_SIZE];
    str_t base = source->url;
    while (base.len > 0 && base.ptr[base.len - 1] == '/')
        base.len--;
    int len = snprintf(url, sizeof url, "%.*s%s", SHOWN(base), page);
    struct hook_request request = web_request(source, str_make(url, len > 0 && len < URL_SIZE ? (size_t)len : 0));
    if (request.timeout_ms > asking->timeout_ms)
        request.connect_timeout_ms = request.timeout_ms = asking->timeout_ms;
    arena_clear(&asking->arena);
    return hook_call(asking->hook, &request, &asking->answer);
}

static void tell_status(struct asking *asking, const struct config_source *source)
{
    char why[WEB_REFUSAL];
    long status = asking->answer.status;
    if (status != 401 && status != 403) {
        finding_add(asking->findings, FINDING_FAIL, "pages", source->name, "%.*s answers with HTTP status %ld", SHOWN(source->url), status);
        finding_todo(asking->findings, "look whether `url` is that of impalad's web server (port 25000 unless told otherwise)");
        return;
    }
    web_refusal(source, &asking->answer, why);
    finding_add(asking->findings, FINDING_FAIL, "pages", source->name, "%.*s: HTTP status %ld: %s", SHOWN(source->url), status, why);
    finding_todo(asking->findings, "set `auth` of this source, with its `user` and `password` or `token`, as the daemon's --webserver_… flags ask");
}

static void tell_no_answer(struct asking *asking, const struct config_source *source)
{
    finding_add(asking->findings, FINDING_FAIL, "pages", source->name, "%.*s does not answer: %s", SHOWN(source->url), asking->answer.error);
    if (str_starts_with(source->url, STR("https://")))
        finding_todo(asking->findings, "look whether impalad runs, whether its port can be reached from here, and whether `ca_file` holds who signed its certificate");
    else
        finding_todo(asking->findings, "look whether impalad runs, and whether its port can be reached from here; with a certificate it wants https://");
}

static void tell_list(struct asking *asking, const struct config_source *source)
{
    struct web_page page;
    const char *message = "";
    if (!web_page_read(buf_str(&asking->answer.body), NULL, &asking->arena, &page, &message)) {
        finding_add(asking->findings, FINDING_FAIL, "pages", source->name, "%.*s/queries?json cannot be read: %s", SHOWN(source->url), message);
        finding_todo(asking->findings, "look whether `url` is that of impalad's web server, without a proxy between");
    } else if (page.error.len > 0) {
        finding_add(asking->findings, FINDING_FAIL, "pages", source->name, "%.*s says: %.*s", SHOWN(source->url), SHOWN(page.error));
        finding_todo(asking->findings, "the daemon is not well itself: look at its log");
    } else {
        finding_add(asking->findings, FINDING_OK, "pages", source->name, "%.*s tells of %zu queries", SHOWN(source->url), page.count);
    }
}

/* Whether the daemon told its flags. */
static bool check_pages(struct asking *asking, const struct config_source *source)
{
    struct flags flags;
    bool whole = ask(asking, source, "/queries?json");
    if (whole && asking->answer.status == 200)
        tell_list(asking, source);
    else if (asking->answer.status != 0 && asking->answer.status != 200)
        tell_status(asking, source);
    else
        tell_no_answer(asking, source);
    if (!whole || asking->answer.status != 200)
        return false;
    if (!ask(asking, source, "/varz?json") || asking->answer.status != 200 ||
        !flags_from_page(buf_str(&asking->answer.body), &asking->arena, &flags))
        return false;
    flags_judge(&flags, kinds_of(asking->config, source->of_cluster), source->name, "/varz", asking->findings);
    return true;
}

/* ---- logs ------------------------------------------------------------------------------------------------------- */

static void check_log(struct asking *asking, const struct config_source *source)
{
    struct flags flags;
    arena_clear(&asking->arena);
    if (source->kind != KIND_GLOG && source->kind != KIND_DAEMON_LOG)
        return;
    if (files_flags(source, &asking->arena, &flags))
        flags_judge(&flags, kinds_of(asking->config, source->of_cluster), source->name, "the log", asking->findings);
    else
        finding_add(asking->findings, FINDING_OK, "flags", source->name, "not known: no file there begins with a start of the daemon");
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* The pages first; `told` gets whether a page of the cluster at the same place told its flags. */
static void check_all(struct asking *asking, bool *told)
{
    const struct config *config = asking->config;
    for (uint32_t i = 0; i < config->sources.count; i++) {
        const struct config_source *source = &config->sources.items[i];
        if (source->kind == KIND_WEB && check_pages(asking, source))
            told[source->of_cluster - config->clusters.items] = true;
    }
    for (uint32_t i = 0; i < config->sources.count; i++)
        if (!told[config->sources.items[i].of_cluster - config->clusters.items])
            check_log(asking, &config->sources.items[i]);
}

void daemons_check(const struct config *config, int timeout_ms, struct findings *findings)
{
    struct asking asking = {.config = config, .findings = findings, .timeout_ms = timeout_ms, .hook = hook_new()};
    bool *told = ARENA_ARRAY(&findings->arena, bool, config->clusters.count + 1);
    arena_init(&asking.arena, 0, NULL);
    hook_answer_init(&asking.answer);
    if (asking.hook == NULL || told == NULL)
        findings->failed = true;
    else
        check_all(&asking, told);
    hook_answer_release(&asking.answer);
    arena_release(&asking.arena);
    hook_free(asking.hook);
}
