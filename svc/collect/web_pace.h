/*
 * How often a daemon is asked. Often enough that less than half of its list of completed queries is
 * new each time, so that none is missed; seldom enough that lists take it a fifth of its time at
 * most; less often when nothing happens. Texts by id are fetched in half of the time between. Pure.
 */
#ifndef COLLINE_COLLECT_WEB_PACE_H
#define COLLINE_COLLECT_WEB_PACE_H

#include "base/str.h"

enum { WEB_PACE_LEAST_MS = 250 };

struct web_pace {
    int64_t rest_ms;  /* as configured */
    int64_t wait_ms;  /* from one poll to the next */
    int64_t asked_us; /* time that the last list took */
    unsigned idle;    /* polls without news, one after the other */
    unsigned failures;
    bool held_back; /* it should be asked more often than is good for it */
};

/* What a poll found. */
struct web_turnover {
    size_t fresh, listed; /* of the completed list: new ones, all */
    bool news;            /* anything at all changed */
    int64_t since_ms;     /* the last good poll before this, or the time that a first list spans; 0:
                             unknown */
};

void web_pace_init(struct web_pace *pace, int64_t rest_ms);
void web_pace_good(struct web_pace *pace, const struct web_turnover *turnover);
void web_pace_failed(struct web_pace *pace);

#endif
