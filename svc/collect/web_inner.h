/* What the web collector's files share: web.c polls and gives, web_say.c judges, warns and counts.
 */
#ifndef COLLINE_COLLECT_WEB_INNER_H
#define COLLINE_COLLECT_WEB_INNER_H

#include "collect/web.h"
#include "collect/web_fetch.h"
#include "collect/web_known.h"
#include "collect/web_pace.h"

enum web_phase { WEB_AT_REST, WEB_ASKED_LIST, WEB_GIVING, WEB_ASKED_TEXT };

struct web_metrics {
    struct metric *polls, *failures, *bytes, *took, *texts, *texts_gone, *unreadable, *missed,
        *completeness, *interval;
    struct metric *queries, *starts, *finishes, *lag, *skew;
};

struct web {
    struct collector base;
    struct web_options options;
    char *source, *url;
    str_t host;
    struct web_fetch *fetch;
    struct web_knowledge knowledge;
    struct web_pace pace;
    struct web_metrics metrics;
    enum web_phase phase;
    int64_t due, listed_at; /* steady ms: the next poll; the last good one */

    struct buf list; /* the page that is being given */
    struct arena arena, text_arena;
    struct web_page page;
    size_t next;
    struct web_text text; /* of the query `next` */
    bool text_asked;

    uint64_t ended, missed; /* queries, since the start */
    const char *trouble;    /* the last poll's; NULL: it was good */
    bool polled;            /* one page was given to its end */
};

/* NULL for a good answer, or a fixed word for what is wrong, which is said and counted. */
const char *web_judge(struct web *web, const struct hook_answer *answer, bool whole);
void web_trouble(struct web *web, const char *code, const char *text);
void web_no_trouble(struct web *web);

void web_make_metrics(struct web *web);

/* Whether all queries were seen since the last page; says so when not. */
void web_watch_completeness(struct web *web, const struct web_change *change);
void web_watch_entries(struct web *web);
void web_watch_clock(struct web *web);

#endif
