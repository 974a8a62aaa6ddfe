/* Stopping: a thread that waits for signals, an eventfd for whoever sleeps. */
#include "run/stop.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool stop_init(struct stop *stop, struct log *log)
{
    *stop = (struct stop){.log = log};
    stop->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return stop->descriptor >= 0;
}

void stop_ask(struct stop *stop)
{
    const uint64_t one = 1;
    atomic_store(&stop->asked, true);
    /* Fails only when it is set already. */
    ssize_t done = write(stop->descriptor, &one, sizeof one);
    (void)done;
}

static sigset_t stopping_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGUSR2); /* ends the thread itself */
    return signals;
}

static void *watch(void *context)
{
    struct stop *stop = context;
    sigset_t signals = stopping_signals();
    int number = 0;
    while (sigwait(&signals, &number) == 0 && number != SIGUSR2) {
        if (number == SIGHUP) {
            log_reopen(stop->log);
            continue;
        }
        log_say(stop->log, LOG_LEVEL_INFO, "stop.signal", STR(""), "signal %d: stopping", number);
        stop_ask(stop);
    }
    return NULL;
}

bool stop_on_signals(struct stop *stop)
{
    sigset_t signals = stopping_signals();
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return false;
    stop->watching = pthread_create(&stop->thread, NULL, watch, stop) == 0;
    return stop->watching;
}

void stop_release(struct stop *stop)
{
    if (stop->watching) {
        pthread_kill(stop->thread, SIGUSR2);
        pthread_join(stop->thread, NULL);
    }
    close(stop->descriptor);
}

bool stop_wait(struct stop *stop, int ms)
{
    struct pollfd descriptor = {.fd = stop->descriptor, .events = POLLIN};
    if (!stop_asked(stop))
        poll(&descriptor, 1, ms);
    return stop_asked(stop);
}
