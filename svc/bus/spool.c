/*
 * The spool. `segments` are the files in order; the last one may be written. What is appended waits in `pending` until it is synced, so a
 * disk that takes no more costs nothing: the file is cut back to its last synced byte and the same bytes are tried again.
 *
 *     done_to ≤ read_next ≤ next          sequence numbers: done by the receiver, read, appended
 *
 * Read top down: folder and position, writing, reading, what is done, life.
 */
#include "bus/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PENDING_MAX = 1 << 20, /* bytes appended before they are synced unasked */
    RETRY_MS = 1000,
    SAVE_MS = 1000,
    SEGMENT = 16 << 20
};

static const uint64_t default_limit = 1000000000;

struct segment {
    uint64_t first; /* sequence number, and so its name */
    uint64_t bytes;
};

struct spool {
    char *path;
    int folder, lock;
    uint64_t limit, segment_max;
    struct clock clock;
    struct log *log;
    void (*stored)(void *context, uint64_t cookie);
    void *context;

    struct segment *segments;
    size_t segment_count, segment_capacity;
    uint64_t bytes; /* of all segments */

    int write_fd; /* of the last segment; -1: the next record begins another */
    uint64_t next;
    struct buf pending;
    uint64_t *cookies; /* of the pending records */
    size_t cookie_count, cookie_capacity;
    bool full, blocked;
    int64_t retry_at;

    struct spool_reader reader;
    size_t reading; /* index of the segment that the reader has open; only while reader.fd >= 0 */
    uint64_t crashed; /* first of the segment that was the last one when the spool was opened */
    uint64_t read_next;
    struct spool_record record;
    bool has_record;
    struct spool_damage damage; /* seen before the record that is sought; none while to == 0 */

    uint64_t done_to, saved;
    int64_t saved_at;
    unsigned char *done; /* by sequence number - done_to, up to read_next */
    size_t done_capacity;

    struct metric *bytes_held, *records_stored, *records_read, *lost, *is_full;
};

static str_t spool_path(const struct spool *spool)
{
    return str_make(spool->path, strlen(spool->path));
}

/* ---- folder and position ---- */

static bool add_segment(struct spool *spool, uint64_t first, uint64_t bytes)
{
    if (spool->segment_count == spool->segment_capacity) {
        size_t capacity = spool->segment_capacity == 0 ? 16 : spool->segment_capacity * 2;
        struct segment *segments = realloc(spool->segments, capacity * sizeof *segments);
        if (segments == NULL)
            return false;
        spool->segments = segments;
        spool->segment_capacity = capacity;
    }
    spool->segments[spool->segment_count++] = (struct segment){first, bytes};
    spool->bytes += bytes;
    return true;
}

static int by_first(const void *a, const void *b)
{
    uint64_t x = ((const struct segment *)a)->first, y = ((const struct segment *)b)->first;
    return (x > y) - (x < y);
}

static bool list_segments(struct spool *spool)
{
    struct dirent *entry;
    struct stat status;
    uint64_t first;
    bool good = true;
    int fd = openat(spool->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder == NULL)
        return false;
    while (good && (entry = readdir(folder)) != NULL)
        if (spool_name_read(entry->d_name, &first) && fstatat(spool->folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            good = add_segment(spool, first, (uint64_t)status.st_size);
    closedir(folder);
    if (spool->segment_count > 1)
        qsort(spool->segments, spool->segment_count, sizeof *spool->segments, by_first);
    return good;
}

static void remove_first_segment(struct spool *spool)
{
    char name[SPOOL_NAME_SIZE];
    spool_name(name, spool->segments[0].first);
    if (spool->segment_count == 1 && spool->write_fd >= 0) {
        close(spool->write_fd);
        spool->write_fd = -1;
    }
    if (spool->reader.fd >= 0) {
        if (spool->reading == 0)
            spool_reader_release(&spool->reader);
        else
            spool->reading--;
    }
    if (unlinkat(spool->folder, name, 0) != 0 && errno != ENOENT)
        log_say(spool->log, LOG_LEVEL_ERROR, "spool.remove", spool_path(spool), "%s cannot be removed: %m", name);
    spool->bytes -= spool->segments[0].bytes;
    spool->segment_count--;
    memmove(spool->segments, spool->segments + 1, spool->segment_count * sizeof *spool->segments);
}

/* Not synced: after a crash of the machine an older position only sends some records again. */
static void save_position(struct spool *spool)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%" PRIu64 "\n", spool->done_to);
    int fd = openat(spool->folder, "position.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    spool->saved_at = clock_steady(&spool->clock);
    if (fd < 0)
        return;
    bool good = write(fd, text, (size_t)length) == length;
    if (close(fd) == 0 && good && renameat(spool->folder, "position.new", spool->folder, "position") == 0)
        spool->saved = spool->done_to;
}

/* 0 where it cannot be read. */
static uint64_t read_position(const struct spool *spool)
{
    char text[64] = "";
    int fd = openat(spool->folder, "position", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    return n > 0 && text[n - 1] == '\n' ? strtoull(text, NULL, 10) : 0;
}

/* ---- writing ---- */

static bool new_segment(struct spool *spool)
{
    char name[SPOOL_NAME_SIZE];
    uint64_t first = spool->next - spool->cookie_count; /* of what is pending */
    spool_name(name, first);
    if (spool->segment_count > 0 && spool->segments[spool->segment_count - 1].first == first) /* nothing whole is in it */
        return (spool->write_fd = openat(spool->folder, name, O_WRONLY | O_CLOEXEC)) >= 0;
    spool->write_fd = openat(spool->folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (spool->write_fd < 0)
        return false;
    fsync(spool->folder);
    if (add_segment(spool, first, 0))
        return true;
    close(spool->write_fd);
    spool->write_fd = -1;
    return false;
}

static bool write_at(int fd, str_t bytes, uint64_t offset)
{
    while (bytes.len > 0) {
        ssize_t n = pwrite(fd, bytes.ptr, bytes.len, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = str_make(bytes.ptr + n, bytes.len - (size_t)n);
        offset += (uint64_t)n;
    }
    return true;
}

/* Writes and syncs what is pending; false with errno. */
static bool write_pending(struct spool *spool)
{
    if (spool->write_fd < 0 && !new_segment(spool))
        return false;
    struct segment *segment = &spool->segments[spool->segment_count - 1];
    if (!write_at(spool->write_fd, buf_str(&spool->pending), segment->bytes) || fdatasync(spool->write_fd) != 0) {
        int why = errno;
        if (ftruncate(spool->write_fd, (off_t)segment->bytes) != 0)
            log_say(spool->log, LOG_LEVEL_ERROR, "spool.truncate", spool_path(spool), "a file cannot be cut back: %m");
        errno = why;
        return false;
    }
    segment->bytes += spool->pending.len;
    spool->bytes += spool->pending.len;
    if (segment->bytes >= spool->segment_max) {
        close(spool->write_fd);
        spool->write_fd = -1;
    }
    return true;
}

static void say_stored(struct spool *spool)
{
    size_t count = spool->cookie_count;
    spool->cookie_count = 0;
    metric_add(spool->records_stored, count);
    for (size_t i = 0; i < count && spool->stored != NULL; i++)
        spool->stored(spool->context, spool->cookies[i]);
}

bool spool_sync(struct spool *spool)
{
    if (spool->cookie_count == 0)
        return true;
    if (spool->blocked && clock_steady(&spool->clock) < spool->retry_at)
        return false;
    if (!write_pending(spool)) {
        if (!spool->blocked)
            log_say(spool->log, LOG_LEVEL_ERROR, "spool.write", spool_path(spool), "the spool cannot be written, reading stops: %m");
        spool->blocked = true;
        spool->retry_at = clock_steady(&spool->clock) + RETRY_MS;
        metric_set(spool->is_full, 1);
        return false;
    }
    if (spool->blocked)
        log_say(spool->log, LOG_LEVEL_INFO, "spool.write", spool_path(spool), "the spool can be written again");
    spool->blocked = false;
    metric_set(spool->is_full, spool->full);
    metric_set(spool->bytes_held, (double)spool->bytes);
    buf_clear(&spool->pending);
    say_stored(spool);
    return true;
}

static bool has_room(struct spool *spool, size_t more)
{
    bool room = spool->bytes + spool->pending.len + more <= spool->limit;
    if (!room && !spool->full)
        log_say(spool->log, LOG_LEVEL_ERROR, "spool.full", spool_path(spool),
                "the spool is full (%" PRIu64 " bytes): reading stops until the receiver is back", spool->bytes);
    if (room && spool->full)
        log_say(spool->log, LOG_LEVEL_INFO, "spool.full", spool_path(spool), "the spool has room again");
    if (room == spool->full)
        metric_set(spool->is_full, !room || spool->blocked);
    spool->full = !room;
    return room;
}

static bool note_cookie(struct spool *spool, uint64_t cookie)
{
    if (spool->cookie_count == spool->cookie_capacity) {
        size_t capacity = spool->cookie_capacity == 0 ? 1024 : spool->cookie_capacity * 2;
        uint64_t *cookies = realloc(spool->cookies, capacity * sizeof *cookies);
        if (cookies == NULL)
            return false;
        spool->cookies = cookies;
        spool->cookie_capacity = capacity;
    }
    spool->cookies[spool->cookie_count++] = cookie;
    return true;
}

bool spool_append(struct spool *spool, str_t key, str_t value, uint64_t cookie)
{
    size_t before = spool->pending.len;
    if (key.len > SPOOL_RECORD_MAX || value.len > SPOOL_RECORD_MAX - key.len || !has_room(spool, SPOOL_HEADER + key.len + value.len))
        return false;
    if (before >= PENDING_MAX && !spool_sync(spool))
        return false;
    before = spool->pending.len;
    spool_encode(&spool->pending, spool->next, key, value);
    if (spool->pending.failed || !note_cookie(spool, cookie)) {
        spool->pending.len = before;
        spool->pending.failed = false;
        return false;
    }
    spool->next++;
    return true;
}

uint64_t spool_last(const struct spool *spool)
{
    return spool->next - 1;
}

/* ---- what is done ---- */

/* Removes files of which all is done, notes the place now and then. */
static void forget_done(struct spool *spool)
{
    while (spool->segment_count > 1 && spool->segments[1].first <= spool->done_to)
        remove_first_segment(spool);
    if (spool->segment_count == 1 && spool->done_to == spool->next - spool->cookie_count) {
        save_position(spool); /* the next file's name comes from it */
        remove_first_segment(spool);
    }
    if (spool->saved != spool->done_to && clock_steady(&spool->clock) - spool->saved_at >= SAVE_MS)
        save_position(spool);
    metric_set(spool->bytes_held, (double)spool->bytes);
}

/* Room to note that all up to and without `to` may be done. */
static bool reserve_done(struct spool *spool, uint64_t to)
{
    size_t needed = (size_t)(to - spool->done_to), capacity = spool->done_capacity == 0 ? 1024 : spool->done_capacity;
    if (needed <= spool->done_capacity)
        return true;
    while (capacity < needed)
        capacity *= 2;
    unsigned char *done = calloc(capacity, 1);
    if (done == NULL)
        return false;
    for (uint64_t at = spool->done_to; at < spool->read_next; at++)
        done[at & (capacity - 1)] = spool->done[at & (spool->done_capacity - 1)];
    free(spool->done);
    spool->done = done;
    spool->done_capacity = capacity;
    return true;
}

static void advance_done(struct spool *spool)
{
    size_t mask = spool->done_capacity - 1;
    uint64_t before = spool->done_to;
    while (spool->done_to < spool->read_next && spool->done[spool->done_to & mask]) {
        spool->done[spool->done_to & mask] = 0;
        spool->done_to++;
    }
    if (spool->done_to != before)
        forget_done(spool);
}

void spool_done(struct spool *spool, uint64_t sequence)
{
    uint64_t end = spool->read_next + spool->has_record; /* it may be done before it is advanced over */
    if (sequence < spool->done_to || sequence >= end)
        return;
    spool->done[sequence & (spool->done_capacity - 1)] = 1;
    advance_done(spool);
}

/* ---- reading ---- */

/* Says what stood between the records read last and the one that comes. */
static void say_damage(struct spool *spool, uint64_t next)
{
    char name[SPOOL_NAME_SIZE];
    const struct segment *segment = &spool->segments[spool->reading];
    if (spool->damage.to == 0)
        return;
    spool_name(name, segment->first);
    uint64_t lost = next - spool->read_next;
    bool torn = lost == 0 && segment->first == spool->crashed && spool->damage.to == segment->bytes;
    metric_add(spool->lost, lost);
    if (torn)
        log_say(spool->log, LOG_LEVEL_WARNING, "spool.torn", str_make(name, strlen(name)),
                "%s/%s ends at byte %" PRIu64 " with what is no whole record: a crash cut it short before anybody was told that it is safe",
                spool->path, name, spool->damage.from);
    else
        log_say(spool->log, LOG_LEVEL_ERROR, "spool.damaged", str_make(name, strlen(name)),
                "%s/%s is damaged: bytes %" PRIu64 " to %" PRIu64 " are no record, %" PRIu64 " records are lost", spool->path, name,
                spool->damage.from, spool->damage.to, lost);
    spool->damage = (struct spool_damage){0, 0};
}

/* Everything up to `next` was read; what is no record counts as done. */
static bool pass_over(struct spool *spool, uint64_t next)
{
    if (!reserve_done(spool, next))
        return false;
    uint64_t from = spool->read_next;
    spool->read_next = next;
    for (; from < next; from++)
        spool_done(spool, from);
    return true;
}

/* Opens the segment that follows what was read; false when there is none or it cannot be opened. */
static bool open_next(struct spool *spool)
{
    char name[SPOOL_NAME_SIZE];
    size_t at = spool->reader.fd < 0 ? 0 : spool->reading + 1;
    while (spool->reader.fd < 0 && at + 1 < spool->segment_count && spool->segments[at + 1].first <= spool->read_next)
        at++;
    if (at >= spool->segment_count)
        return false;
    spool_name(name, spool->segments[at].first);
    if (!spool_reader_open(&spool->reader, spool->folder, name, spool->segments[at].first)) {
        log_say(spool->log, LOG_LEVEL_ERROR, "spool.read", str_make(name, strlen(name)), "%s/%s cannot be read: %m", spool->path, name);
        return false;
    }
    spool->reading = at;
    return true;
}

/* At the end of a file that is not written any more: what is missing of it is known by the next one's name. */
static bool leave_segment(struct spool *spool)
{
    if (spool->reading + 1 >= spool->segment_count) {
        if (spool->write_fd < 0 && spool->damage.to != 0)
            say_damage(spool, spool->read_next);
        return false;
    }
    uint64_t next = spool->segments[spool->reading + 1].first;
    if (next < spool->read_next)
        next = spool->read_next;
    say_damage(spool, next);
    if (!open_next(spool))
        return false;
    return pass_over(spool, next);
}

static bool take_record(struct spool *spool)
{
    if (spool->record.sequence < spool->read_next) /* done before a restart */
        return false;
    if (!reserve_done(spool, spool->record.sequence + 1))
        return false;
    say_damage(spool, spool->record.sequence);
    pass_over(spool, spool->record.sequence);
    return true;
}

bool spool_peek(struct spool *spool, struct spool_record *record)
{
    if (spool->reader.fd < 0 && !spool->has_record && !open_next(spool))
        return false;
    while (!spool->has_record) {
        struct spool_damage damage = {0, 0};
        spool->reader.end = spool->segments[spool->reading].bytes;
        switch (spool_read(&spool->reader, &spool->record, &damage)) {
        case SPOOL_RECORD:
            spool->has_record = take_record(spool);
            break;
        case SPOOL_DAMAGE:
            spool->damage = damage;
            break;
        case SPOOL_END:
            if (!leave_segment(spool))
                return false;
            break;
        case SPOOL_FAILED:
            log_say(spool->log, LOG_LEVEL_ERROR, "spool.read", spool_path(spool), "the spool cannot be read at byte %" PRIu64 ": %m",
                    spool->reader.offset);
            return false;
        }
    }
    *record = spool->record;
    return true;
}

void spool_advance(struct spool *spool)
{
    if (!spool->has_record)
        return;
    spool->has_record = false;
    spool->read_next = spool->record.sequence + 1;
    advance_done(spool);
    metric_add(spool->records_read, 1);
}

bool spool_has_unread(const struct spool *spool)
{
    return spool->read_next < spool->next;
}

bool spool_is_empty(const struct spool *spool)
{
    return spool->done_to == spool->next;
}

uint64_t spool_bytes(const struct spool *spool)
{
    return spool->bytes + spool->pending.len;
}

/* ---- life ---- */

/* The number behind the last whole record. */
static bool find_next(struct spool *spool)
{
    char name[SPOOL_NAME_SIZE];
    struct spool_record record;
    struct spool_damage damage;
    enum spool_read what;
    spool->next = read_position(spool);
    if (spool->segment_count == 0)
        return true;
    uint64_t first = spool->segments[spool->segment_count - 1].first;
    spool->crashed = first;
    if (spool->next < first)
        spool->next = first;
    spool_name(name, first);
    if (!spool_reader_open(&spool->reader, spool->folder, name, first))
        return false;
    while ((what = spool_read(&spool->reader, &record, &damage)) != SPOOL_END && what != SPOOL_FAILED)
        if (what == SPOOL_RECORD && record.sequence >= spool->next)
            spool->next = record.sequence + 1;
    spool_reader_release(&spool->reader);
    return what == SPOOL_END;
}

static bool find_place(struct spool *spool)
{
    if (!list_segments(spool) || !find_next(spool))
        return false;
    uint64_t position = read_position(spool);
    if (spool->segment_count > 0 && position < spool->segments[0].first)
        position = spool->segments[0].first;
    if (spool->segment_count == 0 || position > spool->next)
        position = spool->next;
    spool->done_to = spool->read_next = spool->saved = position;
    forget_done(spool);
    return true;
}

static bool open_folder(struct spool *spool, const char *path, struct buf *error)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    spool->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (spool->folder < 0)
        return false;
    spool->lock = openat(spool->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (spool->lock < 0)
        return false;
    if (flock(spool->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK)
        BUF_ADD(error, "another process uses the spool ");
    return false;
}

static void explain(struct buf *error, const char *path, int why)
{
    if (error->len == 0)
        BUF_ADD(error, "the spool cannot be opened: ");
    buf_add(error, str_make(path, strlen(path)));
    if (why != EWOULDBLOCK) {
        const char *text = strerrordesc_np(why);
        BUF_ADD(error, ": ");
        buf_add(error, text == NULL ? STR("unknown error") : str_make(text, strlen(text)));
    }
}

static void spool_free(struct spool *spool)
{
    spool_reader_release(&spool->reader);
    if (spool->write_fd >= 0)
        close(spool->write_fd);
    if (spool->lock >= 0)
        close(spool->lock);
    if (spool->folder >= 0)
        close(spool->folder);
    buf_release(&spool->pending);
    free(spool->segments);
    free(spool->cookies);
    free(spool->done);
    free(spool->path);
    free(spool);
}

static void make_metrics(struct spool *spool, struct metrics *metrics)
{
    spool->bytes_held = metrics_gauge(metrics, "colline_spool_bytes", "Bytes of the spool on disk.", METRIC_NO_LABELS);
    spool->is_full = metrics_gauge(metrics, "colline_spool_full", "1 while the spool takes nothing: limit or disk.", METRIC_NO_LABELS);
    spool->records_stored = metrics_counter(metrics, "colline_spool_stored_total", "Records put into the spool.", METRIC_NO_LABELS);
    spool->records_read = metrics_counter(metrics, "colline_spool_resent_total", "Records sent on from the spool.", METRIC_NO_LABELS);
    spool->lost = metrics_counter(metrics, "colline_spool_lost_total", "Records that lay in damaged places.", METRIC_NO_LABELS);
}

static void take_options(struct spool *spool, const struct spool_options *options)
{
    spool->limit = options->limit > 0 ? options->limit : default_limit;
    spool->segment_max = options->segment > 0 ? options->segment : SEGMENT;
    if (spool->segment_max > spool->limit / 4)
        spool->segment_max = spool->limit / 4;
    spool->clock = options->clock;
    spool->log = options->log;
    spool->stored = options->stored;
    spool->context = options->context;
    spool->folder = spool->lock = spool->write_fd = -1;
    spool->crashed = UINT64_MAX;
    buf_init(&spool->pending, 0);
    spool_reader_init(&spool->reader);
}

struct spool *spool_open(const struct spool_options *options, struct buf *error)
{
    struct spool *spool = calloc(1, sizeof *spool);
    if (spool == NULL)
        return NULL;
    take_options(spool, options);
    spool->path = strdup(options->folder);
    if (spool->path == NULL || !open_folder(spool, options->folder, error) || !find_place(spool)) {
        explain(error, options->folder, errno);
        spool_free(spool);
        return NULL;
    }
    make_metrics(spool, options->metrics);
    metric_set(spool->bytes_held, (double)spool->bytes);
    return spool;
}

void spool_close(struct spool *spool)
{
    if (spool == NULL)
        return;
    spool->retry_at = INT64_MIN;
    spool_sync(spool);
    save_position(spool);
    spool_free(spool);
}
