/*
 * A bounded queue of pointers between threads. What is queued belongs to the queue's taker; who
 * sends and who takes stands where a queue is made.
 */
#ifndef COLLINE_RUN_QUEUE_H
#define COLLINE_RUN_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct queue;

/* NULL when memory is out. */
struct queue *queue_new(size_t capacity);

/* What is still queued is handed to `drop`, which may be NULL. No other thread may use the queue
 * any more. */
void queue_free(struct queue *queue, void (*drop)(void *item));

/* Waits for room up to timeout_ms (0: not at all, -1: for ever); false when there was none or the
 * queue is closed. */
bool queue_put(struct queue *queue, void *item, int timeout_ms);

/* The oldest item; NULL when there was none in time, or the queue is closed and empty. */
void *queue_take(struct queue *queue, int timeout_ms);

/* Nothing is put any more; takers get what is left. */
void queue_close(struct queue *queue);

size_t queue_length(struct queue *queue);

#endif
