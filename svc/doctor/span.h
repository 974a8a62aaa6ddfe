/* Spans of time for people: 3 s, 12 min, 5 h, 9 days. */
#ifndef COLLINE_DOCTOR_SPAN_H
#define COLLINE_DOCTOR_SPAN_H

#include <stdint.h>
#include <stdio.h>

enum {
    SPAN_TEXT = 32
};

/* The largest unit of which there is at least one, rounded down; below 0 it is 0 s. */
static inline void span_text(int64_t ms, char text[SPAN_TEXT])
{
    int64_t s = ms < 0 ? 0 : ms / 1000;
    if (s < 60)
        (void)snprintf(text, SPAN_TEXT, "%d s", (int)s);
    else if (s < 3600)
        (void)snprintf(text, SPAN_TEXT, "%d min", (int)(s / 60));
    else if (s < 48 * 3600)
        (void)snprintf(text, SPAN_TEXT, "%d h", (int)(s / 3600));
    else
        (void)snprintf(text, SPAN_TEXT, "%lld days", (long long)(s / 86400));
}

#endif
