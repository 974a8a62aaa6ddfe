/*
 * Says when something may have happened in some folders: by inotify, or, where that is not to be had (network file systems, limits),
 * by looking again after a while. Both are hints only: the reader looks at its files itself.
 */
#ifndef COLLINE_COLLECT_TAIL_WATCH_H
#define COLLINE_COLLECT_TAIL_WATCH_H

#include "base/str.h"

struct watch;

struct watch_news {
    bool written; /* a file may have grown */
    bool moved;   /* files came, went or were renamed */
};

struct watch_ops {
    /* Watches a folder, NUL-terminated; the same again costs nothing. False when it cannot. */
    bool (*add)(struct watch *watch, const char *folder);
    /* What happened since the last call. Does not wait. */
    struct watch_news (*news)(struct watch *watch);
    void (*free)(struct watch *watch);
};

struct watch {
    const struct watch_ops *ops;
    int descriptor; /* can be read when there is news; -1: none */
    int idle_ms;    /* how long to wait at most before asking */
};

/* Each NULL when it cannot be had. */
struct watch *watch_inotify_new(void);
struct watch *watch_poll_new(int every_ms);

#endif
