/*
 * Where records go: Kafka, a file, the spool, a test's memory. Whoever sends keeps what the record was made of until it is acknowledged
 * by its cookie. Acknowledgements come during poll and flush, in the thread that calls them, and may overtake each other
 * between keys.
 */
#ifndef COLLINE_BUS_SINK_H
#define COLLINE_BUS_SINK_H

#include "base/str.h"

struct sink;

struct sink_ops {
    /* Copies key and value; the cookie is below 2^63. False: full; nothing was taken, try after a poll. */
    bool (*send)(struct sink *sink, str_t key, str_t value, uint64_t cookie);
    /* Works for up to timeout_ms, 0: only what is ready. */
    void (*poll)(struct sink *sink, int timeout_ms);
    /* Until everything sent is acknowledged; false when it is not within timeout_ms. */
    bool (*flush)(struct sink *sink, int timeout_ms);
    /* Frees the sink; what is not acknowledged stays so. */
    void (*close)(struct sink *sink);
    /* As send, but the value is only borrowed: its sender keeps it until it is acknowledged or the sink is closed. NULL: there is only send. */
    bool (*send_kept)(struct sink *sink, str_t key, str_t value, uint64_t cookie);
};

/* The first member of each sink. `acked` is set by whoever sends, before the first send. */
struct sink {
    const struct sink_ops *ops;
    void (*acked)(void *context, uint64_t cookie);
    void *context;
    bool busy; /* kept by the sink: it has work of its own, so it is to be polled again at once */
};

static inline bool sink_send(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    return sink->ops->send(sink, key, value, cookie);
}

static inline bool sink_send_kept(struct sink *sink, str_t key, str_t value, uint64_t cookie)
{
    return sink->ops->send_kept == NULL ? sink->ops->send(sink, key, value, cookie) : sink->ops->send_kept(sink, key, value, cookie);
}

static inline void sink_poll(struct sink *sink, int timeout_ms)
{
    sink->ops->poll(sink, timeout_ms);
}

static inline bool sink_flush(struct sink *sink, int timeout_ms)
{
    return sink->ops->flush(sink, timeout_ms);
}

static inline void sink_close(struct sink *sink)
{
    if (sink != NULL)
        sink->ops->close(sink);
}

#endif
