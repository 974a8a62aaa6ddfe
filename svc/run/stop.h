/*
 * How a service is told to stop: a flag and a descriptor that can be waited for, set by SIGTERM or
 * SIGINT. Signals are taken by a thread of their own, so no handler runs in the middle of anything
 * and nothing is global. SIGHUP asks for the log to be opened anew.
 */
#ifndef COLLINE_RUN_STOP_H
#define COLLINE_RUN_STOP_H

#include "run/log.h"

#include <pthread.h>
#include <stdatomic.h>

struct stop {
    _Atomic bool asked;
    int descriptor; /* can be read once stopping was asked for; it is never read from */
    struct log *log;
    pthread_t thread;
    bool watching;
};

/* False with errno when no descriptor is to be had. `log` may be NULL. */
bool stop_init(struct stop *stop, struct log *log);
void stop_release(struct stop *stop);

/* From now on signals stop. Call it before any other thread starts, for threads inherit what is
 * blocked. */
bool stop_on_signals(struct stop *stop);

void stop_ask(struct stop *stop);

static inline bool stop_asked(const struct stop *stop)
{
    return atomic_load_explicit(&stop->asked, memory_order_relaxed);
}

/* Sleeps up to `ms`; true when stopping was asked for. */
bool stop_wait(struct stop *stop, int ms);

#endif
