/*
 * Asks a web server in a thread of its own, one question at a time, so that a slow server holds up
 * nothing else. All calls come from one thread, the collector's.
 */
#ifndef COLLINE_COLLECT_WEB_FETCH_H
#define COLLINE_COLLECT_WEB_FETCH_H

#include "config/config.h"
#include "run/hook.h"

struct web_fetch;

/* The source says how to ask and outlives it. NULL when memory, threads or descriptors are out. */
struct web_fetch *web_fetch_new(const struct config_source *source);

/* Waits for the question that is being answered, at most its time-out. Takes NULL. */
void web_fetch_free(struct web_fetch *fetch);

/* Asks for `path` (begins with `/`); false when a question is open or the address is too long. */
bool web_fetch_begin(struct web_fetch *fetch, str_t path);

/*
 * The answer, once; NULL as long as there is none. Valid until the next question.
 * *whole: it came to its end.
 */
struct hook_answer *web_fetch_take(struct web_fetch *fetch, bool *whole);

/* Can be read when there is an answer. */
int web_fetch_descriptor(const struct web_fetch *fetch);

#endif
