/* Reading goes through one buffer; what is no whole line yet moves to its front. */
#include "line_feed.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 20, LINE_MAX_BYTES = 256 << 20, SILENCE_MS = 1000 };

struct reading {
    const struct line_feed *feed;
    int descriptor;
    struct buf bytes;
    int64_t offset; /* of the buffer's first byte */
    bool last;      /* nothing follows the buffer */
};

static bool is_stopped(const struct line_feed *feed)
{
    return feed->stop != NULL && stop_asked(feed->stop);
}

static bool pause_now(const struct line_feed *feed, bool silent)
{
    return feed->pause == NULL || feed->pause(feed->context, silent);
}

/* Until there is something to read, the end, or a wish to stop. False: no more is wanted. */
static bool wait_for(const struct reading *r)
{
    const struct stop *stop = r->feed->stop;
    struct pollfd waits[] = {{.fd = r->descriptor, .events = POLLIN},
                             {.fd = stop == NULL ? -1 : stop->descriptor, .events = POLLIN}};
    while (!is_stopped(r->feed)) {
        int ready = poll(waits, 2, SILENCE_MS);
        if (ready > 0)
            return true;
        if (ready == 0 && !pause_now(r->feed, true))
            return false;
    }
    return true;
}

static bool give_lines(struct reading *r)
{
    struct buf *bytes = &r->bytes;
    size_t at = 0;
    while (at < bytes->len) {
        const char *end = memchr(bytes->ptr + at, '\n', bytes->len - at);
        if (end == NULL && !r->last && bytes->len - at < LINE_MAX_BYTES)
            break;
        size_t len = end == NULL ? bytes->len - at : (size_t)(end - bytes->ptr) - at;
        if (!r->feed->take(r->feed->context, str_make(bytes->ptr + at, len),
                           r->offset + (int64_t)at))
            return false;
        at += len + (end != NULL);
    }
    memmove(bytes->ptr, bytes->ptr + at, bytes->len - at);
    bytes->len -= at;
    r->offset += (int64_t)at;
    return true;
}

/* What can be read at once; false when that failed, or no more is wanted. */
static bool read_some(struct reading *r)
{
    if (!buf_reserve(&r->bytes, READ_BYTES))
        return false;
    ssize_t got = read(r->descriptor, r->bytes.ptr + r->bytes.len, READ_BYTES);
    if (got < 0 && errno == EINTR)
        return true;
    if (got < 0) {
        complain("%s: %s", r->feed->name, strerror(errno));
        return false;
    }
    r->last = got == 0;
    r->bytes.len += (size_t)got;
    return give_lines(r) && pause_now(r->feed, false);
}

enum feed_end line_feed_run(const struct line_feed *feed)
{
    bool standard = strcmp(feed->name, "-") == 0, good = true;
    struct reading r = {.feed = feed,
                        .descriptor =
                            standard ? STDIN_FILENO : open(feed->name, O_RDONLY | O_CLOEXEC)};
    if (r.descriptor < 0) {
        complain("%s: %s", feed->name, strerror(errno));
        return FEED_FAILED;
    }
    buf_init(&r.bytes, 0);
    while (good && !r.last && !is_stopped(feed))
        good = wait_for(&r) && (is_stopped(feed) || read_some(&r));
    buf_release(&r.bytes);
    if (!standard)
        close(r.descriptor);
    return !good ? FEED_FAILED : r.last ? FEED_DONE : FEED_STOPPED;
}
