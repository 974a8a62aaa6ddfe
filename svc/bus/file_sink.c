/*
 * Values gather in a buffer that is written and synced as a whole; the cookies of what is in it are acknowledged then. After a failed write
 * the file is cut back to its last acknowledged length before the next try, so no half line stays.
 */
#include "bus/file_sink.h"

#include "record/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER_MAX = 4 << 20,
    COOKIES_MAX = 65536,
    ENOUGH = 16384, /* records that are written without waiting for more */
    SYNC_EVERY_MS = 20,
    RETRY_MS = 1000
};

/* Hashes of lines that may come again, each as often as it was written. */
struct bag {
    uint64_t *items; /* 0: free */
    size_t count, capacity;
};

struct file_sink {
    struct sink base;
    struct clock clock;
    int fd;
    bool is_stream; /* no file: neither synced nor cut */
    file_sink_same *same;
    struct bag written;
    struct buf buffer;
    uint64_t *cookies; /* of what is in the buffer, and of what came again */
    size_t cookie_count;
    uint64_t length, covered; /* `covered`: by the positions at the start */
    int64_t synced_at, failed_at;
    int error;
};

/* ---- lines that are there already ------------------------------------------------------------------------------- */

static size_t bag_place(const struct bag *bag, uint64_t hash)
{
    size_t at = (size_t)(hash * 0x9fb21c651e98df25u >> 20) & (bag->capacity - 1);
    while (bag->items[at] != 0 && bag->items[at] != hash)
        at = (at + 1) & (bag->capacity - 1);
    return at;
}

/* Equal hashes stand one behind the other: each takes the next free place. */
static void bag_put(struct bag *bag, uint64_t hash)
{
    size_t at = bag_place(bag, hash);
    while (bag->items[at] != 0)
        at = (at + 1) & (bag->capacity - 1);
    bag->items[at] = hash;
    bag->count++;
}

static bool bag_add(struct bag *bag, uint64_t hash)
{
    if ((bag->count + 1) * 2 > bag->capacity) {
        struct bag larger = {.capacity = bag->capacity == 0 ? 1024 : bag->capacity * 2};
        larger.items = calloc(larger.capacity, sizeof *larger.items);
        if (larger.items == NULL)
            return false;
        for (size_t i = 0; i < bag->capacity; i++)
            if (bag->items[i] != 0)
                bag_put(&larger, bag->items[i]);
        free(bag->items);
        *bag = larger;
    }
    bag_put(bag, hash == 0 ? 1 : hash);
    return true;
}

/* Takes one out; false when there is none. */
static bool bag_take(struct bag *bag, uint64_t hash)
{
    hash = hash == 0 ? 1 : hash;
    size_t hole = bag->count == 0 ? 0 : bag_place(bag, hash), mask = bag->capacity - 1;
    if (bag->count == 0 || bag->items[hole] == 0)
        return false;
    bag->count--;
    for (size_t at = (hole + 1) & mask; bag->items[at] != 0; at = (at + 1) & mask) {
        size_t home = (size_t)(bag->items[at] * 0x9fb21c651e98df25u >> 20) & mask;
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        bag->items[hole] = bag->items[at];
        hole = at;
    }
    bag->items[hole] = 0;
    return true;
}

static uint64_t hash_of(str_t bytes)
{
    uint64_t hash = 0xcbf29ce484222325u ^ bytes.len;
    for (size_t i = 0; i < bytes.len; i++)
        hash = (hash ^ (unsigned char)bytes.ptr[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

uint64_t file_sink_same_raw(str_t value)
{
    struct arena arena;
    struct raw_record record;
    struct buf text;
    str_t reason;
    uint64_t hash = hash_of(value);
    arena_init(&arena, 0, NULL);
    buf_init(&text, 0);
    if (raw_read(value, &arena, &record, &reason)) {
        record.position = (struct raw_position){0};
        record.captured_at = 0;
        record.backfill = false;
        raw_write(&text, &record);
        hash = hash_of(buf_str(&text));
    }
    buf_release(&text);
    arena_release(&arena);
    return hash;
}

void file_sink_caught_up(struct sink *base)
{
    struct file_sink *sink = (struct file_sink *)base;
    free(sink->written.items);
    sink->written = (struct bag){0};
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* The length up to the last line break. */
static bool whole_length(int fd, uint64_t size, uint64_t *length)
{
    char piece[65536];
    while (size > 0) {
        uint64_t from = size > sizeof piece ? size - sizeof piece : 0;
        ssize_t got = pread(fd, piece, (size_t)(size - from), (off_t)from);
        if (got <= 0)
            return false;
        const char *hit = memrchr(piece, '\n', (size_t)got);
        if (hit != NULL) {
            *length = from + (uint64_t)(hit - piece) + 1;
            return true;
        }
        size = from;
    }
    *length = 0;
    return true;
}

static bool remember_lines(struct file_sink *sink, str_t bytes)
{
    for (size_t at = 0; at < bytes.len;) {
        size_t end = str_find(bytes, '\n', at);
        if (!bag_add(&sink->written, sink->same(str_make(bytes.ptr + at, end - at))))
            return false;
        at = end + 1;
    }
    return true;
}

/* Lines behind what the checkpoint covers. There are as many as were written in about a second. */
static bool read_back(struct file_sink *sink, uint64_t covered)
{
    if (sink->same == NULL || covered >= sink->length)
        return true;
    size_t len = (size_t)(sink->length - covered);
    char *bytes = malloc(len);
    size_t have = 0;
    while (bytes != NULL && have < len) {
        ssize_t got = pread(sink->fd, bytes + have, len - have, (off_t)(covered + have));
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    bool ok = have == len && remember_lines(sink, str_make(bytes, len));
    free(bytes);
    return ok;
}

static bool open_file(struct file_sink *sink, const char *path, uint64_t covered)
{
    struct stat status;
    sink->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (sink->fd < 0 || fstat(sink->fd, &status) != 0)
        return false;
    sink->is_stream = !S_ISREG(status.st_mode);
    if (sink->is_stream)
        return true;
    uint64_t size = (uint64_t)status.st_size;
    if (!whole_length(sink->fd, size, &sink->length))
        return false;
    if (sink->length < size && ftruncate(sink->fd, (off_t)sink->length) != 0)
        return false;
    sink->covered = covered;
    return read_back(sink, covered);
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static bool write_buffer(struct file_sink *sink)
{
    str_t left = buf_str(&sink->buffer);
    while (left.len > 0) {
        ssize_t put = write(sink->fd, left.ptr, left.len);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0)
            left = str_make(left.ptr + put, left.len - (size_t)put);
    }
    return sink->is_stream || fdatasync(sink->fd) == 0;
}

static void acknowledge(struct file_sink *sink)
{
    size_t count = sink->cookie_count;
    sink->cookie_count = 0;
    for (size_t i = 0; i < count; i++)
        sink->base.acked(sink->base.context, sink->cookies[i]);
}

static bool sync_now(struct file_sink *sink)
{
    if (sink->cookie_count == 0)
        return true;
    int64_t now = clock_steady(&sink->clock);
    if (sink->error != 0 && now - sink->failed_at < RETRY_MS)
        return false;
    if (!write_buffer(sink)) {
        sink->error = errno;
        sink->failed_at = now;
        if (!sink->is_stream && ftruncate(sink->fd, (off_t)sink->length) != 0)
            sink->error = errno;
        return false;
    }
    sink->error = 0;
    sink->length += sink->buffer.len;
    sink->synced_at = now;
    buf_clear(&sink->buffer);
    acknowledge(sink);
    return true;
}

static bool send(struct sink *base, str_t key, str_t value, uint64_t cookie)
{
    struct file_sink *sink = (struct file_sink *)base;
    (void)key;
    if (sink->cookie_count == COOKIES_MAX || (sink->buffer.len > 0 && sink->buffer.len + value.len >= BUFFER_MAX))
        return false;
    if (sink->written.count > 0 && bag_take(&sink->written, sink->same(value))) {
        sink->cookies[sink->cookie_count++] = cookie;
        return true;
    }
    if (!buf_reserve(&sink->buffer, value.len + 1)) {
        sink->buffer.failed = false;
        return false;
    }
    buf_add(&sink->buffer, value);
    buf_add_char(&sink->buffer, '\n');
    sink->cookies[sink->cookie_count++] = cookie;
    return true;
}

static void poll_sink(struct sink *base, int timeout_ms)
{
    struct file_sink *sink = (struct file_sink *)base;
    (void)timeout_ms;
    bool full = sink->cookie_count >= ENOUGH || sink->buffer.len >= BUFFER_MAX / 2;
    if (full || clock_steady(&sink->clock) - sink->synced_at >= SYNC_EVERY_MS)
        sync_now(sink);
}

static bool flush_sink(struct sink *base, int timeout_ms)
{
    (void)timeout_ms;
    return sync_now((struct file_sink *)base);
}

static void close_sink(struct sink *base)
{
    struct file_sink *sink = (struct file_sink *)base;
    if (sink->fd > STDERR_FILENO)
        close(sink->fd);
    buf_release(&sink->buffer);
    free(sink->written.items);
    free(sink->cookies);
    free(sink);
}

struct sink *file_sink_open(const char *path, uint64_t covered, file_sink_same *same, const struct clock *clock)
{
    static const struct sink_ops ops = {send, poll_sink, flush_sink, close_sink, NULL};
    struct file_sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL)
        return NULL;
    sink->base.ops = &ops;
    sink->clock = *clock;
    sink->same = same;
    sink->synced_at = INT64_MIN / 2;
    buf_init(&sink->buffer, 0);
    sink->fd = STDOUT_FILENO;
    sink->is_stream = true;
    sink->cookies = malloc(COOKIES_MAX * sizeof *sink->cookies);
    bool is_file = path != NULL && strcmp(path, "-") != 0;
    if (sink->cookies == NULL || (is_file && !open_file(sink, path, covered))) {
        int error = errno;
        close_sink(&sink->base);
        errno = error;
        return NULL;
    }
    return &sink->base;
}

uint64_t file_sink_length(const struct sink *base)
{
    return ((const struct file_sink *)base)->length;
}

uint64_t file_sink_covered(const struct sink *base)
{
    const struct file_sink *sink = (const struct file_sink *)base;
    return sink->written.count > 0 ? sink->covered : sink->length;
}

int file_sink_error(const struct sink *base)
{
    return ((const struct file_sink *)base)->error;
}
