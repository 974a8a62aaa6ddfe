/* How a web source's server is asked, and what its refusals mean. */
#ifndef COLLINE_COLLECT_WEB_ASK_H
#define COLLINE_COLLECT_WEB_ASK_H

#include "config/config.h"
#include "run/hook.h"

/* How the source is asked. Borrows from both. */
struct hook_request web_request(const struct config_source *source, str_t url);

enum { WEB_REFUSAL = 160 };

/* What to make of an answer with the status 401 or 403; never names a secret. */
void web_refusal(const struct config_source *source, const struct hook_answer *answer,
                 char text[WEB_REFUSAL]);

#endif
