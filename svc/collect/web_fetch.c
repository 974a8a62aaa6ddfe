/* One thread that waits for a question, answers it and says so by an eventfd. */
#include "collect/web_fetch.h"

#include "collect/web_ask.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { URL_MAX_LEN = 2048 };

enum fetch_state { FETCH_NONE, FETCH_ASKED, FETCH_ANSWERED, FETCH_STOP };

struct web_fetch {
    const struct config_source *source;
    struct hook *hook;
    struct hook_answer answer;
    bool whole;
    char url[URL_MAX_LEN];
    size_t url_len;
    int event;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t asked;
    enum fetch_state state; /* under the mutex, and url and answer with it */
    bool stopping;
};

static void ask(struct web_fetch *fetch)
{
    const struct hook_request request = web_request(fetch->source, str_make(fetch->url, fetch->url_len));
    fetch->whole = hook_call(fetch->hook, &request, &fetch->answer);
}

/* False when it is time to stop. */
static bool wait_for_question(struct web_fetch *fetch)
{
    pthread_mutex_lock(&fetch->mutex);
    while (fetch->state != FETCH_ASKED && !fetch->stopping)
        pthread_cond_wait(&fetch->asked, &fetch->mutex);
    bool go_on = !fetch->stopping;
    pthread_mutex_unlock(&fetch->mutex);
    return go_on;
}

static void *serve(void *context)
{
    struct web_fetch *fetch = context;
    const uint64_t one = 1;
    while (wait_for_question(fetch)) {
        ask(fetch);
        pthread_mutex_lock(&fetch->mutex);
        fetch->state = FETCH_ANSWERED;
        pthread_mutex_unlock(&fetch->mutex);
        if (write(fetch->event, &one, sizeof one) < 0)
            continue; /* the counter is full: it can be read anyway */
    }
    return NULL;
}

/* Signals are for the other threads. */
static bool start_thread(struct web_fetch *fetch)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&fetch->thread, NULL, serve, fetch) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void release(struct web_fetch *fetch)
{
    hook_answer_release(&fetch->answer);
    hook_free(fetch->hook);
    if (fetch->event >= 0)
        close(fetch->event);
    pthread_cond_destroy(&fetch->asked);
    pthread_mutex_destroy(&fetch->mutex);
    free(fetch);
}

struct web_fetch *web_fetch_new(const struct config_source *source)
{
    struct web_fetch *fetch = calloc(1, sizeof *fetch);
    if (fetch == NULL)
        return NULL;
    fetch->source = source;
    fetch->hook = hook_new();
    fetch->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    hook_answer_init(&fetch->answer);
    pthread_mutex_init(&fetch->mutex, NULL);
    pthread_cond_init(&fetch->asked, NULL);
    if (fetch->hook != NULL && fetch->event >= 0 && start_thread(fetch))
        return fetch;
    release(fetch);
    return NULL;
}

void web_fetch_free(struct web_fetch *fetch)
{
    if (fetch == NULL)
        return;
    pthread_mutex_lock(&fetch->mutex);
    fetch->stopping = true;
    pthread_cond_signal(&fetch->asked);
    pthread_mutex_unlock(&fetch->mutex);
    pthread_join(fetch->thread, NULL);
    release(fetch);
}

bool web_fetch_begin(struct web_fetch *fetch, str_t path)
{
    str_t base = fetch->source->url;
    while (base.len > 0 && base.ptr[base.len - 1] == '/')
        base.len--;
    if (base.len + path.len > URL_MAX_LEN)
        return false;
    pthread_mutex_lock(&fetch->mutex);
    bool idle = fetch->state == FETCH_NONE;
    if (idle) {
        memcpy(fetch->url, base.ptr, base.len);
        memcpy(fetch->url + base.len, path.ptr, path.len);
        fetch->url_len = base.len + path.len;
        fetch->state = FETCH_ASKED;
        pthread_cond_signal(&fetch->asked);
    }
    pthread_mutex_unlock(&fetch->mutex);
    return idle;
}

struct hook_answer *web_fetch_take(struct web_fetch *fetch, bool *whole)
{
    uint64_t count;
    pthread_mutex_lock(&fetch->mutex);
    bool there = fetch->state == FETCH_ANSWERED;
    if (there)
        fetch->state = FETCH_NONE;
    pthread_mutex_unlock(&fetch->mutex);
    if (!there)
        return NULL;
    if (read(fetch->event, &count, sizeof count) < 0)
        count = 0; /* the thread has not said so yet: it is read with the next answer */
    *whole = fetch->whole;
    return &fetch->answer;
}

int web_fetch_descriptor(const struct web_fetch *fetch)
{
    return fetch->event;
}
