/*
 * Takes the records of one topic once more: each is judged, and moved to another topic or put back behind the others, in one transaction with
 * the place up to which was read. So nothing is lost or moved twice, whenever it is stopped.
 */
#ifndef COLLINE_BUS_REPLAY_H
#define COLLINE_BUS_REPLAY_H

#include "bus/kafka.h"

/* What becomes of a record: moved, with this key and value, borrowed until the next call. Else it is put back as it was. */
struct replay_verdict {
    bool moved;
    str_t key, value;
};

struct replay_options {
    const struct config_kafka *kafka; /* borrowed for the call; the consumer group is its group with `-replay` behind */
    str_t from, to;
    struct replay_verdict (*judge)(void *context, str_t key, str_t value);
    void *context;
    struct clock clock;
    struct log *log;
};

struct replay_totals {
    uint64_t moved, put_back;
};

/*
 * What stands in the topic when it begins and was not judged before. False with the reason in `error`; what was committed until then counts.
 */
bool replay_run(const struct replay_options *options, struct replay_totals *totals, struct buf *error);

#endif
