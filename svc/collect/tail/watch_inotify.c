/* Watches folders, not files: so a new file and a renamed one are seen too. */
#include "collect/tail/watch.h"

#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
    /* Even so the files are looked at now and then: not every file system tells. */
    LOOK_MS = 500
};

struct inotify_watch {
    struct watch base;
    char **folders;
    size_t count, capacity;
};

static bool is_known(const struct inotify_watch *watch, const char *folder)
{
    for (size_t i = 0; i < watch->count; i++)
        if (strcmp(watch->folders[i], folder) == 0)
            return true;
    return false;
}

static bool remember(struct inotify_watch *watch, const char *folder)
{
    if (watch->count == watch->capacity) {
        size_t capacity = watch->capacity == 0 ? 16 : watch->capacity * 2;
        char **folders = realloc(watch->folders, capacity * sizeof *folders);
        if (folders == NULL)
            return false;
        watch->folders = folders;
        watch->capacity = capacity;
    }
    char *copy = strdup(folder);
    if (copy != NULL)
        watch->folders[watch->count++] = copy;
    return copy != NULL;
}

static bool inotify_add(struct watch *base, const char *folder)
{
    struct inotify_watch *watch = (struct inotify_watch *)base;
    const uint32_t events =
        IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;
    if (is_known(watch, folder))
        return true;
    return inotify_add_watch(base->descriptor, folder, events) >= 0 && remember(watch, folder);
}

static void read_events(const char *bytes, size_t len, struct watch_news *news)
{
    size_t at = 0;
    while (at + sizeof(struct inotify_event) <= len) {
        struct inotify_event event;
        memcpy(&event, bytes + at, sizeof event);
        news->written = true;
        news->moved = news->moved || (event.mask & ~(uint32_t)(IN_MODIFY | IN_CLOSE_WRITE)) != 0;
        at += sizeof event + event.len;
    }
}

static struct watch_news inotify_news(struct watch *watch)
{
    struct watch_news news = {0};
    char bytes[16384];
    for (;;) {
        ssize_t got = read(watch->descriptor, bytes, sizeof bytes);
        if (got <= 0)
            return news;
        read_events(bytes, (size_t)got, &news);
    }
}

static void inotify_free(struct watch *base)
{
    struct inotify_watch *watch = (struct inotify_watch *)base;
    close(base->descriptor);
    for (size_t i = 0; i < watch->count; i++)
        free(watch->folders[i]);
    free(watch->folders);
    free(watch);
}

struct watch *watch_inotify_new(void)
{
    static const struct watch_ops ops = {inotify_add, inotify_news, inotify_free};
    struct inotify_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return NULL;
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) {
        free(watch);
        return NULL;
    }
    watch->base = (struct watch){&ops, fd, LOOK_MS};
    return &watch->base;
}
