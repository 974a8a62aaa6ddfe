/* What a process that loads does besides, now and then: heat, and taking away what is too old. */
#ifndef COLLINE_LOAD_KEEPER_H
#define COLLINE_LOAD_KEEPER_H

#include "run/clock.h"
#include "run/log.h"
#include "store/upkeep.h"

struct keeper {
    struct store *store;
    struct store_keeping keeping;
    struct clock clock;
    struct log *log;
    int64_t heat_at, prune_at; /* steady ms: when they are due */
    int64_t heat_took;         /* ms, the last time */
    struct store_slice slice;  /* of taking away what is old */
    bool pruning;              /* there is more of it */
    bool changed;              /* since heat was worked out; set by who loads, and at first, for the last process may have left it to this one */
};

/* Does what is due; between two transactions. What fails is said, and tried again at its next time. */
void keeper_work(struct keeper *keeper);

/* Heat, if anything has changed: before the end. In a hurry only where it does not take long. */
void keeper_finish(struct keeper *keeper, bool hurry);

#endif
