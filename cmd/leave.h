/*
 * Some time after stopping was asked for the process ends all the same. Kafka's client may wait for a broker that is away longer than it was told to; to end then is
 * a crash like any other: what is not committed is done again by whoever reads its partitions next.
 */
#ifndef COLLINE_CMD_LEAVE_H
#define COLLINE_CMD_LEAVE_H

#include "run/stop.h"

struct leave {
    const struct stop *stop;
    struct log *log;
    pthread_t thread;
    _Atomic bool over;
    bool running;
};

/* Watches in a thread of its own, until leave_end. */
void leave_watch(struct leave *leave, const struct stop *stop, struct log *log);

/* All has ended in good order. */
void leave_end(struct leave *leave);

#endif
