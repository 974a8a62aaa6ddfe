/*
 * A ring of slots between three marks, all guarded by one lock: [finished, taken) is being worked on or waits for its turn to come out,
 * [taken, added) waits for a thread. Whoever completes the oldest job finishes it and all completed ones behind it.
 */
#include "pool.h"

#include "cmd.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct slot {
    void *job;
    bool completed;
};

struct pool {
    struct pool_tasks tasks;
    size_t thread_count, slot_count;
    pthread_t *threads;
    void *worker; /* of the caller's own thread, when there is no other */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot *slots;
    size_t finished, taken, added; /* counts since the start; a slot's place is its count modulo slot_count */
    bool finishing, ending;
};

size_t pool_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (size_t)count;
}

/* Called and left with the lock held; finishes without it. */
static void finish_in_order(struct pool *pool)
{
    if (pool->finishing)
        return;
    pool->finishing = true;
    for (;;) {
        struct slot *slot = &pool->slots[pool->finished % pool->slot_count];
        if (pool->finished == pool->taken || !slot->completed)
            break;
        void *job = slot->job;
        *slot = (struct slot){0};
        pthread_mutex_unlock(&pool->lock);
        pool->tasks.finish(pool->tasks.context, job);
        pthread_mutex_lock(&pool->lock);
        pool->finished++;
        pthread_cond_broadcast(&pool->changed);
    }
    if (pool->finished == pool->added)
        pool->tasks.idle(pool->tasks.context);
    pool->finishing = false;
}

static void *run_thread(void *argument)
{
    struct pool *pool = argument;
    void *worker = pool->tasks.worker_new(pool->tasks.context);
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->taken == pool->added && !pool->ending)
            pthread_cond_wait(&pool->changed, &pool->lock);
        if (pool->taken == pool->added)
            break;
        struct slot *slot = &pool->slots[pool->taken++ % pool->slot_count];
        pthread_mutex_unlock(&pool->lock);
        pool->tasks.work(worker, slot->job);
        pthread_mutex_lock(&pool->lock);
        slot->completed = true;
        finish_in_order(pool);
    }
    pthread_mutex_unlock(&pool->lock);
    pool->tasks.worker_free(worker);
    return NULL;
}

struct pool *pool_new(size_t threads, const struct pool_tasks *tasks)
{
    struct pool *pool = need_alloc(sizeof *pool);
    pool->tasks = *tasks;
    if (threads <= 1) {
        pool->worker = tasks->worker_new(tasks->context);
        return pool;
    }
    pool->slot_count = threads * 4;
    pool->slots = need_alloc(pool->slot_count * sizeof *pool->slots);
    pool->threads = need_alloc(threads * sizeof *pool->threads);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    for (size_t i = 0; i < threads; i++) {
        if (pthread_create(&pool->threads[i], NULL, run_thread, pool) != 0)
            break;
        pool->thread_count++;
    }
    if (pool->thread_count == 0) {
        complain("no thread can be started");
        exit(STATUS_FAILED);
    }
    return pool;
}

void pool_add(struct pool *pool, void *job)
{
    if (pool->thread_count == 0) {
        pool->tasks.work(pool->worker, job);
        pool->tasks.finish(pool->tasks.context, job);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    while (pool->added - pool->finished == pool->slot_count)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pool->slots[pool->added++ % pool->slot_count].job = job;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static void end_threads(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->changed);
}

void pool_free(struct pool *pool)
{
    if (pool->thread_count > 0) {
        end_threads(pool);
    } else {
        pool->tasks.idle(pool->tasks.context);
        pool->tasks.worker_free(pool->worker);
    }
    free(pool->threads);
    free(pool->slots);
    free(pool);
}
