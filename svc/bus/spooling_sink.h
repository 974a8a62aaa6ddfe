/*
 * A sink with a spool behind it: records go to the receiver while it acknowledges, and to the disk while it does not; a record is
 * acknowledged to its sender when either has it. When the receiver is back the spool is sent first, in order, then what is new. What a silent
 * receiver has and never acknowledged is stored as well, and comes again when the process ends before it does.
 */
#ifndef COLLINE_BUS_SPOOLING_SINK_H
#define COLLINE_BUS_SPOOLING_SINK_H

#include "bus/sink.h"
#include "bus/spool.h"

struct spooling_options {
    struct spool_options spool; /* its `stored` and `context` are set here */
    int64_t away_ms;            /* the receiver is away when it acknowledged nothing for so long; 0: 3 s */
};

/*
 * Takes the receiver, closes it in the end, and frees it also when this fails: NULL with the reason in `error`. Cookies must be below
 * 2^63, the receiver's own are made here.
 */
struct sink *spooling_sink_open(struct sink *receiver, const struct spooling_options *options, struct buf *error);

/* Whether records go to the disk now. */
bool spooling_sink_is_away(const struct sink *sink);

/* Records on disk that the receiver has not acknowledged, roughly: none when true. */
bool spooling_sink_is_drained(const struct sink *sink);

#endif
