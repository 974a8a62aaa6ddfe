/* A thread that looks at a clock. */
#include "leave.h"

#include "cmd.h"

#include "run/clock.h"

#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 100,
    LEAVE_MS = 15000 /* within the time that a supervisor gives */
};

static void *watch(void *context)
{
    struct leave *leave = context;
    const struct clock clock = clock_system();
    int64_t asked_at = 0;
    while (!leave->over) {
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
        if (!stop_asked(leave->stop))
            continue;
        if (asked_at == 0)
            asked_at = clock_steady(&clock);
        if (clock_steady(&clock) - asked_at < LEAVE_MS || leave->over)
            continue;
        log_say(leave->log, LOG_LEVEL_WARNING, "stop.left", STR(""), "the broker does not answer: what is not committed is done again by who reads it next");
        _exit(STATUS_DONE);
    }
    return NULL;
}

void leave_watch(struct leave *leave, const struct stop *stop, struct log *log)
{
    *leave = (struct leave){.stop = stop, .log = log};
    leave->running = pthread_create(&leave->thread, NULL, watch, leave) == 0;
}

void leave_end(struct leave *leave)
{
    leave->over = true;
    if (leave->running)
        pthread_join(leave->thread, NULL);
    leave->running = false;
}
