/*
 * The HTTP client over libcurl. What is the same for all calls is set once; every call sets all the
 * rest anew, so nothing of one is left in the next but connection and cookies. (curl_easy_reset
 * would do that too, but for the cookies.)
 */
#include "run/hook.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CONNECT_TIMEOUT_MS = 3000,
    TIMEOUT_MS = 10000,
    ANSWER_LIMIT = 16 << 20,
    TEXT_MAX = 8192 /* URLs, names and secrets: longer ones are mistakes */
};

struct hook {
    CURL *curl;
    const char *system_ca; /* libcurl's own */
    char error[CURL_ERROR_SIZE];
};

/* An answer that is being read. */
struct reading {
    struct hook_answer *answer;
    size_t limit;
};

bool hook_library_begin(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

void hook_library_end(void)
{
    curl_global_cleanup();
}

void hook_free(struct hook *hook)
{
    if (hook == NULL)
        return;
    curl_easy_cleanup(hook->curl);
    free(hook);
}

void hook_answer_init(struct hook_answer *answer)
{
    *answer = (struct hook_answer){.status = 0};
    buf_init(&answer->body, 0);
}

void hook_answer_release(struct hook_answer *answer)
{
    buf_release(&answer->body);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
    struct reading *reading = context;
    size_t len = size * count;
    if (len > reading->limit - reading->answer->body.len) {
        reading->answer->cut = true;
        return 0;
    }
    buf_add(&reading->answer->body, str_make(bytes, len));
    return reading->answer->body.failed ? 0 : len;
}

/* What no call changes. */
static void set_once(struct hook *hook)
{
    curl_easy_getinfo(hook->curl, CURLINFO_CAINFO, &hook->system_ca);
    curl_easy_setopt(hook->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(hook->curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(hook->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(hook->curl, CURLOPT_COOKIEFILE, "");
    curl_easy_setopt(hook->curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(hook->curl, CURLOPT_USERAGENT, "colline/" COLLINE_VERSION);
    curl_easy_setopt(hook->curl, CURLOPT_ERRORBUFFER, hook->error);
    curl_easy_setopt(hook->curl, CURLOPT_WRITEFUNCTION, take_body);
}

struct hook *hook_new(void)
{
    struct hook *hook = calloc(1, sizeof *hook);
    if (hook == NULL)
        return NULL;
    hook->curl = curl_easy_init();
    if (hook->curl == NULL) {
        free(hook);
        return NULL;
    }
    set_once(hook);
    return hook;
}

/* An empty text unsets. libcurl copies texts that it is given, so one buffer will do for all of
 * them. */
static bool set_text(struct hook *hook, CURLoption option, str_t text)
{
    char copy[TEXT_MAX];
    if (text.len == 0)
        return curl_easy_setopt(hook->curl, option, NULL) == CURLE_OK;
    if (text.len >= sizeof copy || memchr(text.ptr, '\0', text.len) != NULL)
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return curl_easy_setopt(hook->curl, option, copy) == CURLE_OK;
}

static bool set_auth(struct hook *hook, const struct hook_request *request)
{
    static const long kinds[] = {[HOOK_AUTH_NONE] = (long)CURLAUTH_BASIC, /* without a name: none */
                                 [HOOK_AUTH_BASIC] = (long)CURLAUTH_BASIC,
                                 [HOOK_AUTH_DIGEST] = (long)CURLAUTH_DIGEST,
                                 [HOOK_AUTH_NEGOTIATE] = (long)CURLAUTH_NEGOTIATE,
                                 [HOOK_AUTH_BEARER] = (long)CURLAUTH_BEARER};
    bool named = request->auth == HOOK_AUTH_BASIC || request->auth == HOOK_AUTH_DIGEST;
    bool good = set_text(hook, CURLOPT_USERNAME, named ? request->user : STR("")) &&
                set_text(hook, CURLOPT_PASSWORD, named ? request->password : STR("")) &&
                set_text(hook, CURLOPT_XOAUTH2_BEARER,
                         request->auth == HOOK_AUTH_BEARER ? request->token : STR(""));
    if (request->auth == HOOK_AUTH_NEGOTIATE)
        good = good && curl_easy_setopt(hook->curl, CURLOPT_USERPWD, ":") == CURLE_OK;
    return good && curl_easy_setopt(hook->curl, CURLOPT_HTTPAUTH, kinds[request->auth]) == CURLE_OK;
}

static bool set_certificates(struct hook *hook, const struct hook_request *request)
{
    if (request->ca_file.len > 0)
        return set_text(hook, CURLOPT_CAINFO, request->ca_file);
    return hook->system_ca == NULL ||
           curl_easy_setopt(hook->curl, CURLOPT_CAINFO, hook->system_ca) == CURLE_OK;
}

static void set_limits(struct hook *hook, const struct hook_request *request)
{
    int64_t connect_ms =
        request->connect_timeout_ms > 0 ? request->connect_timeout_ms : CONNECT_TIMEOUT_MS;
    int64_t timeout_ms = request->timeout_ms > 0 ? request->timeout_ms : TIMEOUT_MS;
    curl_easy_setopt(hook->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
    curl_easy_setopt(hook->curl, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
}

/* GET, or POST with its body. Gives the headers, which must be freed after the call; NULL for none.
 */
static struct curl_slist *set_body(struct hook *hook, const struct hook_request *request)
{
    char header[256];
    curl_easy_setopt(hook->curl, CURLOPT_HTTPHEADER, NULL);
    curl_easy_setopt(hook->curl, CURLOPT_HTTPGET, 1L);
    if (request->content_type.len == 0)
        return NULL;
    (void)snprintf(header, sizeof header, "Content-Type: %.*s",
                   (int)(request->content_type.len < 128 ? request->content_type.len : 128),
                   request->content_type.ptr);
    struct curl_slist *headers = curl_slist_append(NULL, header);
    curl_easy_setopt(hook->curl, CURLOPT_POST, 1L);
    curl_easy_setopt(hook->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len);
    curl_easy_setopt(hook->curl, CURLOPT_POSTFIELDS,
                     request->body.len == 0 ? "" : request->body.ptr);
    curl_easy_setopt(hook->curl, CURLOPT_HTTPHEADER, headers);
    return headers;
}

static bool prepare(struct hook *hook, const struct hook_request *request, struct reading *reading)
{
    hook->error[0] = '\0';
    set_limits(hook, request);
    curl_easy_setopt(hook->curl, CURLOPT_WRITEDATA, reading);
    return request->url.len > 0 && set_text(hook, CURLOPT_URL, request->url) &&
           set_certificates(hook, request) && set_auth(hook, request);
}

static unsigned offered_ways(long available)
{
    static const struct {
        unsigned long curl;
        enum hook_auth ours;
    } ways[] = {{CURLAUTH_BASIC, HOOK_AUTH_BASIC},
                {CURLAUTH_DIGEST, HOOK_AUTH_DIGEST},
                {CURLAUTH_NEGOTIATE, HOOK_AUTH_NEGOTIATE},
                {CURLAUTH_BEARER, HOOK_AUTH_BEARER}};
    unsigned bits = 0;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (((unsigned long)available & ways[i].curl) != 0)
            bits |= 1U << ways[i].ours;
    return bits;
}

static void take_figures(struct hook *hook, struct hook_answer *answer)
{
    curl_off_t took = 0, body = 0;
    long headers = 0, available = 0;
    curl_easy_getinfo(hook->curl, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_easy_getinfo(hook->curl, CURLINFO_HTTPAUTH_AVAIL, &available);
    answer->offered = answer->status == 401 ? offered_ways(available) : 0;
    curl_easy_getinfo(hook->curl, CURLINFO_TOTAL_TIME_T, &took);
    curl_easy_getinfo(hook->curl, CURLINFO_SIZE_DOWNLOAD_T, &body);
    curl_easy_getinfo(hook->curl, CURLINFO_HEADER_SIZE, &headers);
    answer->took_us = took;
    answer->received = (uint64_t)body + (uint64_t)headers;
}

static void explain(const struct hook *hook, struct hook_answer *answer, CURLcode code)
{
    const char *why = hook->error[0] != '\0' ? hook->error : curl_easy_strerror(code);
    (void)snprintf(answer->error, sizeof answer->error, "%s",
                   answer->cut ? "the answer is longer than the limit" : why);
}

bool hook_call(struct hook *hook, const struct hook_request *request, struct hook_answer *answer)
{
    struct reading reading = {.answer = answer,
                              .limit =
                                  request->answer_limit > 0 ? request->answer_limit : ANSWER_LIMIT};
    buf_clear(&answer->body);
    answer->status = 0;
    answer->cut = false;
    answer->took_us = 0;
    answer->received = 0;
    answer->offered = 0;
    answer->error[0] = '\0';
    if (!prepare(hook, request, &reading)) {
        (void)snprintf(answer->error, sizeof answer->error,
                       "the URL, name or secret cannot be used");
        return false;
    }
    struct curl_slist *headers = set_body(hook, request);
    CURLcode code = curl_easy_perform(hook->curl);
    take_figures(hook, answer);
    curl_slist_free_all(headers);
    if (code != CURLE_OK)
        explain(hook, answer, code);
    return code == CURLE_OK;
}
