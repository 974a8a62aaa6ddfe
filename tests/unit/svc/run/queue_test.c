/* svc/run/queue.h and stop.h: what threads hand to each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/queue.h"
#include "run/stop.h"

#include <signal.h>
#include <unistd.h>

static void order_and_bounds_are_kept(void **state)
{
    (void)state;
    int items[3];
    struct queue *queue = queue_new(2);
    assert_null(queue_take(queue, 0));
    assert_true(queue_put(queue, &items[0], 0) && queue_put(queue, &items[1], 0));
    assert_false(queue_put(queue, &items[2], 0));
    assert_false(queue_put(queue, &items[2], 10));
    assert_ptr_equal(queue_take(queue, -1), &items[0]);
    assert_true(queue_put(queue, &items[2], -1));
    assert_int_equal(queue_length(queue), 2);
    queue_close(queue);
    assert_false(queue_put(queue, &items[0], -1));
    assert_ptr_equal(queue_take(queue, -1), &items[1]);
    assert_ptr_equal(queue_take(queue, -1), &items[2]);
    assert_null(queue_take(queue, -1));
    queue_free(queue, NULL);
    assert_null(queue_new(0));
}

static void count_drop(void *item)
{
    ++*(int *)item;
}

static void what_is_left_is_dropped(void **state)
{
    (void)state;
    int drops = 0;
    struct queue *queue = queue_new(4);
    queue_put(queue, &drops, 0);
    queue_put(queue, &drops, 0);
    queue_free(queue, count_drop);
    assert_int_equal(drops, 2);
}

enum { ITEMS = 20000 };

static void *send_all(void *queue)
{
    static const char item = 'x';
    for (int i = 0; i < ITEMS; i++)
        queue_put(queue, (void *)(uintptr_t)&item, -1);
    queue_close(queue);
    return NULL;
}

static void nothing_is_lost_between_threads(void **state)
{
    (void)state;
    pthread_t sender;
    int taken = 0;
    struct queue *queue = queue_new(7);
    assert_int_equal(pthread_create(&sender, NULL, send_all, queue), 0);
    while (queue_take(queue, -1) != NULL)
        taken++;
    pthread_join(sender, NULL);
    assert_int_equal(taken, ITEMS);
    queue_free(queue, NULL);
}

static void a_signal_stops(void **state)
{
    (void)state;
    struct stop stop;
    assert_true(stop_init(&stop, NULL));
    assert_true(stop_on_signals(&stop));
    assert_false(stop_wait(&stop, 1));
    kill(getpid(), SIGHUP);
    kill(getpid(), SIGTERM);
    assert_true(stop_wait(&stop, 10000));
    assert_true(stop_wait(&stop, 10000));
    stop_release(&stop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_and_bounds_are_kept),
        cmocka_unit_test(what_is_left_is_dropped),
        cmocka_unit_test(nothing_is_lost_between_threads),
        cmocka_unit_test(a_signal_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
