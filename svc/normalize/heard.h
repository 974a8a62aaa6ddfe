/*
 * How far each log has been read, by the times of its own lines; so that what is a while late in the log is told from what is late only because reading is: a
 * backlog, an outage, a machine that is busy.
 *
 * A log is known by its kind and host. Of one from which nothing comes any more the time goes on as the clock does, once everything that stood to be read has been.
 */
#ifndef COLLINE_NORMALIZE_HEARD_H
#define COLLINE_NORMALIZE_HEARD_H

#include "record/raw.h"

struct heard_log {
    uint64_t key; /* 0: an empty place */
    int64_t line_ms, captured_ms; /* of the newest line, and when it was read from the log */
};

struct heard {
    struct heard_log *logs; /* open addressing, at most half full */
    uint32_t capacity, count;
    int64_t all_read_at; /* everything that stood to be read at that time has been; 0: not known of any */
};

void heard_release(struct heard *heard);

/* As at first: what was heard counts no more. */
void heard_forget(struct heard *heard);

/* A record has come. Memory that is out, or more logs than any site has, only make a log unknown. */
void heard_record(struct heard *heard, const struct raw_record *record, int64_t now_ms);

/* Everything that stood to be read at a time has been fed. */
static inline void heard_all(struct heard *heard, int64_t at_ms)
{
    if (at_ms > heard->all_read_at)
        heard->all_read_at = at_ms;
}

/* Whether a log has been read up to lines of that time. Nothing was heard of it: whether all was read when the clock said `clock_ms`. */
bool heard_until(const struct heard *heard, enum raw_source source, str_t host, int64_t line_ms, int64_t clock_ms);

#endif
