/*
 * The HTTP client: web pages are polled and alarms are sent through it. A hook keeps its connection
 * and cookies from call to call, and belongs to one thread at a time. Every call ends within its
 * time-outs, answers are read up to a limit.
 */
#ifndef COLLINE_RUN_HOOK_H
#define COLLINE_RUN_HOOK_H

#include "base/buf.h"

enum hook_auth {
    HOOK_AUTH_NONE,
    HOOK_AUTH_BASIC,
    HOOK_AUTH_DIGEST,
    HOOK_AUTH_NEGOTIATE,
    HOOK_AUTH_BEARER
};

/* All borrowed for the call. */
struct hook_request {
    str_t url;
    str_t content_type, body;   /* a POST where there is a content type; else a GET */
    int64_t connect_timeout_ms; /* 0: 3 s */
    int64_t timeout_ms;         /* of the whole call; 0: 10 s */
    size_t answer_limit;        /* bytes; 0: 16 MiB */
    enum hook_auth auth;
    str_t user, password; /* basic, digest; negotiate takes the process's own ticket */
    str_t token;          /* bearer */
    str_t ca_file;        /* "": the system's certificates */
};

struct hook_answer {
    long status;     /* of HTTP; 0 when there was none */
    struct buf body; /* what came, even of a call that failed; kept and emptied from call to call */
    bool cut;        /* the answer was longer than the limit */
    int64_t took_us;
    uint64_t received; /* bytes on the wire, headers included */
    unsigned offered;  /* ways in that a 401 named: bits 1 << enum hook_auth */
    char error[256];   /* why the call failed; "" when it did not */
};

struct hook;

/* NULL when memory is out. curl's global state is made once by whoever starts the process:
 * hook_library_begin. */
struct hook *hook_new(void);
void hook_free(struct hook *hook);

void hook_answer_init(struct hook_answer *answer);
void hook_answer_release(struct hook_answer *answer);

/* True when an answer came whole, whatever its status. Redirects are not followed; http and https
 * only. */
bool hook_call(struct hook *hook, const struct hook_request *request, struct hook_answer *answer);

/* Once before the first thread starts, and once after the last has ended. */
bool hook_library_begin(void);
void hook_library_end(void);

#endif
