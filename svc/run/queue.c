/* The queue: a ring under one lock, a condition for each side. */
#include "run/queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct queue {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t filled, emptied;
    size_t capacity, first, count;
    bool closed;
    void *items[];
};

struct queue *queue_new(size_t capacity)
{
    if (capacity == 0 || capacity > SIZE_MAX / 2 / sizeof(void *))
        return NULL;
    struct queue *queue = calloc(1, sizeof *queue + capacity * sizeof(void *));
    pthread_condattr_t steady;
    if (queue == NULL)
        return NULL;
    queue->capacity = capacity;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->filled, &steady);
    pthread_cond_init(&queue->emptied, &steady);
    pthread_condattr_destroy(&steady);
    return queue;
}

void queue_free(struct queue *queue, void (*drop)(void *item))
{
    if (queue == NULL)
        return;
    for (; drop != NULL && queue->count > 0; queue->count--) {
        drop(queue->items[queue->first]);
        queue->first = (queue->first + 1) % queue->capacity;
    }
    pthread_cond_destroy(&queue->filled);
    pthread_cond_destroy(&queue->emptied);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

static struct timespec deadline_in(int timeout_ms)
{
    struct timespec at = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += timeout_ms / 1000;
    at.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

/* Waits while the count is at `value` and the queue is open; the lock is held. */
static void wait_while(struct queue *queue, pthread_cond_t *changed, size_t value, int timeout_ms)
{
    if (timeout_ms == 0)
        return;
    struct timespec deadline = deadline_in(timeout_ms < 0 ? 0 : timeout_ms);
    int result = 0;
    while (queue->count == value && !queue->closed && result != ETIMEDOUT)
        result = timeout_ms < 0 ? pthread_cond_wait(changed, &queue->lock)
                                : pthread_cond_timedwait(changed, &queue->lock, &deadline);
}

bool queue_put(struct queue *queue, void *item, int timeout_ms)
{
    pthread_mutex_lock(&queue->lock);
    wait_while(queue, &queue->emptied, queue->capacity, timeout_ms);
    bool room = queue->count < queue->capacity && !queue->closed;
    if (room) {
        queue->items[(queue->first + queue->count) % queue->capacity] = item;
        queue->count++;
        pthread_cond_signal(&queue->filled);
    }
    pthread_mutex_unlock(&queue->lock);
    return room;
}

void *queue_take(struct queue *queue, int timeout_ms)
{
    void *item = NULL;
    pthread_mutex_lock(&queue->lock);
    wait_while(queue, &queue->filled, 0, timeout_ms);
    if (queue->count > 0) {
        item = queue->items[queue->first];
        queue->first = (queue->first + 1) % queue->capacity;
        queue->count--;
        pthread_cond_signal(&queue->emptied);
    }
    pthread_mutex_unlock(&queue->lock);
    return item;
}

void queue_close(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->filled);
    pthread_cond_broadcast(&queue->emptied);
    pthread_mutex_unlock(&queue->lock);
}

size_t queue_length(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    size_t count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
}
