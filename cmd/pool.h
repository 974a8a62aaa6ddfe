/*
 * Threads that work on jobs side by side while results come out in the order of the jobs. With one thread nothing is started: a job
 * is done when pool_add returns.
 */
#ifndef COLLINE_CMD_POOL_H
#define COLLINE_CMD_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool;

struct pool_tasks {
    void *(*worker_new)(void *context);               /* called once in each thread */
    void (*worker_free)(void *worker);
    void (*work)(void *worker, void *job);            /* in any thread */
    void (*finish)(void *context, void *job);         /* one at a time, in order; takes the job */
    void (*idle)(void *context);                      /* everything added so far is finished */
    void *context;
};

struct pool *pool_new(size_t threads, const struct pool_tasks *tasks);

/* Hands a job over; waits while too many are under way. */
void pool_add(struct pool *pool, void *job);

/* Waits for all jobs and ends the threads. */
void pool_free(struct pool *pool);

/* How many processors there are. */
size_t pool_processors(void);

#endif
