/* See the header. */
#include "collect/web_pace.h"

enum {
    IDLE_POLLS = 5,
    DUTY = 5, /* waits so many times as long as the answers took */
    WAIT_MAX_MS = 60000
};

static int64_t between(int64_t low, int64_t value, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

void web_pace_init(struct web_pace *pace, int64_t rest_ms)
{
    *pace = (struct web_pace){.rest_ms = rest_ms, .wait_ms = rest_ms};
}

/* The wait after which a quarter of the list would be new. */
static int64_t quarter_ms(const struct web_turnover *t)
{
    return t->since_ms * (int64_t)t->listed / ((int64_t)t->fresh * 4);
}

void web_pace_good(struct web_pace *pace, const struct web_turnover *t)
{
    int64_t least = pace->rest_ms < WEB_PACE_LEAST_MS ? pace->rest_ms : WEB_PACE_LEAST_MS;
    int64_t wanted = pace->rest_ms, duty = pace->asked_us / 1000 * DUTY;
    pace->failures = 0;
    pace->idle = t->news ? 0 : pace->idle + 1;
    if (t->since_ms > 0 && t->fresh * 8 > t->listed)
        wanted = between(least, quarter_ms(t), pace->rest_ms);
    else if (pace->wait_ms < pace->rest_ms)
        wanted = between(least, pace->wait_ms * 2, pace->rest_ms); /* slowly back */
    if (pace->idle >= IDLE_POLLS)
        wanted = pace->rest_ms * 2;
    pace->held_back = t->fresh * 2 > t->listed && duty > wanted;
    pace->wait_ms = duty > wanted ? duty : wanted;
    pace->asked_us = 0;
}

void web_pace_failed(struct web_pace *pace)
{
    unsigned doublings = pace->failures < 4 ? pace->failures : 4;
    int64_t most = pace->rest_ms > WAIT_MAX_MS ? pace->rest_ms : WAIT_MAX_MS;
    pace->failures++;
    pace->asked_us = 0;
    pace->wait_ms = between(pace->rest_ms, pace->rest_ms << doublings, most);
}
