/*
 * From bytes to records. Nothing is kept of a file but its offset: half a record is read again when more of it has come, so a thousand
 * files cost no more memory than one.
 */
#include "collect/tail/internal.h"

#include <errno.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* By the newest record of what was read. */
static void watch_clock(struct tail *tail, const struct tail_file *file)
{
    if (tail->newest_ms == 0)
        return;
    int64_t lag = tail->now - tail->newest_ms;
    metric_set(file->host->lag, (double)lag / 1000);
    int64_t ahead = lag < 0 ? -lag : 0;
    metric_set(file->host->skew, (double)ahead / 1000);
    if (ahead > tail->options.clock_skew_ms)
        log_say(tail->base.output.log, LOG_LEVEL_WARNING, "clock.skew", file->host->name,
                "a line is %lld s ahead of this machine's clock: set the clocks by NTP, and check the cluster's time zone",
                (long long)(ahead / 1000));
}

static void describe(const struct tail *tail, const struct tail_file *file, struct raw_record *record, size_t at)
{
    const struct file_position *p = file->position;
    record->cluster = tail->options.cluster;
    record->host = file->host->name;
    record->captured_at = tail->now;
    if (record->database.len == 0 && (record->sql.len > 0 || !tail->format_ops->tells_database))
        record->database = tail->options.source->database;
    record->position = (struct raw_position){
        .file = tail_text(file->path),
        .file_id = p->file_id,
        .offset = tail->reading_from + at,
    };
    record->backfill = file->archive || tail->options.source->backfill || record->position.offset < file->backfill_end;
}

/* A source may be held to a rate, so that archives do not crowd out what happens now. */
static bool may_give(struct tail *tail)
{
    int64_t rate = tail->options.source->rate;
    if (rate == 0)
        return true;
    int64_t now = tail_steady(tail);
    tail->allowance += (double)(now - tail->allowance_at) * (double)rate / 1000;
    if (tail->allowance > (double)rate)
        tail->allowance = (double)rate;
    tail->allowance_at = now;
    return tail->allowance >= 1;
}

static bool refuse(struct tail *tail)
{
    tail->blocked = true;
    return false;
}

static void say_too_long(struct tail *tail, const struct tail_file *file, uint64_t at)
{
    metric_add(tail->too_long, 1);
    log_say(tail->base.output.log, LOG_LEVEL_WARNING, "capture.too_long", tail_text(file->path),
            "the record at byte %llu is longer than max_line (%lld bytes); it is passed over", (unsigned long long)at,
            (long long)tail->options.source->max_line);
}

static bool take(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct tail *tail = context;
    struct tail_file *file = tail->reading;
    if (tail->muted)
        return true;
    if (tail->options.since_ms > 0 && record->time_ms > 0 && record->time_ms < tail->options.since_ms) {
        metric_add(tail->skipped, 1);
        return true;
    }
    if (end - at > (size_t)tail->options.source->max_line) {
        say_too_long(tail, file, tail->reading_from + at);
        return true;
    }
    if (tail->budget == 0 || !inflight_room(&tail->inflight) || !may_give(tail))
        return refuse(tail);
    describe(tail, file, record, at);
    arena_clear(&tail->scratch);
    if (!privacy_apply(tail->options.sql_text, record, &tail->scratch))
        return refuse(tail);
    if (!tail->base.output.emit(tail->base.output.context, record, tail->inflight.next))
        return refuse(tail);
    inflight_push(&tail->inflight, file, tail->reading_from + end, file->generation, false);
    file->waiting++;
    tail->budget--;
    tail->emitted++;
    tail->allowance -= 1;
    tail->taken[record->kind]++;
    if (!record->backfill && record->time_ms > tail->newest_ms)
        tail->newest_ms = record->time_ms;
    return true;
}

static void failed(void *context, const char *code, size_t at, size_t end)
{
    struct tail *tail = context;
    if (tail->muted)
        return;
    metric_add(metrics_counter(tail->base.output.metrics, "colline_capture_parse_failures_total",
                               "Lines that look like records but cannot be read",
                               METRIC_LABELS({"source", tail_text(tail->source_name)}, {"code", tail_text(code)})),
               1);
    log_say(tail->base.output.log, LOG_LEVEL_WARNING, "capture.parse", tail_text(tail->reading->path),
            "%zu bytes at byte %llu cannot be read (%s); they are passed over", end - at,
            (unsigned long long)tail->reading_from + at, code);
}

/* ---- the format ------------------------------------------------------------------------------------------------- */

/* Tells the format which file comes next, by the name that a symlink leads to. */
static void show_file(struct tail_file *file)
{
    struct tail_host *host = file->host;
    if (host->current == file)
        return;
    struct stat status;
    char *real = realpath(file->path, NULL);
    const char *path = real != NULL ? real : file->path, *slash = strrchr(path, '/');
    int64_t modified = fstat(file->fd, &status) == 0 ? (int64_t)status.st_mtim.tv_sec * 1000 : 0;
    const struct format_file description = {host->name, tail_text(slash != NULL ? slash + 1 : path), modified};
    format_file(host->format, &description);
    free(real);
    host->current = file;
}

static void count_lines(struct tail *tail, struct tail_host *host)
{
    metric_add(tail->lines, host->format->lines - host->lines);
    metric_add(tail->foreign, host->format->foreign_lines - host->foreign_lines);
    host->lines = host->format->lines;
    host->foreign_lines = host->format->foreign_lines;
}

static void count_records(struct tail *tail)
{
    for (int kind = 0; kind < RAW_KIND_COUNT; kind++)
        if (tail->taken[kind] > 0)
            metric_add(tail->records[kind], tail->taken[kind]);
}

/* Hands bytes that stand at `from` to the format; gives how many it took. Clock and figures are of the piece, not of each record. */
static size_t parse(struct tail *tail, struct tail_file *file, uint64_t from, str_t bytes, bool last)
{
    const struct format_output output = {take, failed, tail};
    show_file(file);
    tail->reading = file;
    tail->reading_from = from;
    tail->blocked = false;
    tail->now = clock_now(tail->base.output.clock);
    tail->newest_ms = 0;
    memset(tail->taken, 0, sizeof tail->taken);
    size_t taken = format_read(file->host->format, bytes, last, &output);
    count_lines(tail, file->host);
    count_records(tail);
    watch_clock(tail, file);
    return taken;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static bool make_room(struct tail *tail, size_t size)
{
    if (tail->buffer_size >= size)
        return true;
    char *buffer = realloc(tail->buffer, size);
    if (buffer == NULL)
        return false;
    tail->buffer = buffer;
    tail->buffer_size = size;
    return true;
}

static void say_unreadable(struct tail *tail, struct tail_file *file, const char *why)
{
    file->broken = true;
    metric_add(tail->lost, 1);
    log_say(tail->base.output.log, LOG_LEVEL_ERROR, "capture.unreadable", tail_text(file->path),
            "%s at byte %llu; reading of this file ends here", why, (unsigned long long)file->offset);
}

/* Looked at after reading: a file may be cut and begun anew at any moment, then what was read is no sequel to what was before. */
static bool was_replaced(struct tail_file *file)
{
    if (identity_renew(file->fd, &file->position->identity))
        return false;
    file->written = (struct timespec){0}; /* the next look sees to it */
    return true;
}

/* Up to `size` bytes from the file's offset into the buffer; none when they are of another file by now. */
static size_t fetch(struct tail *tail, struct tail_file *file, uint64_t offset, size_t size)
{
    if (file->archive) {
        size_t got = 0;
        bool ended = false, good = gunzip_read(file->gunzip, offset, tail->buffer, size, &got, &ended);
        file->archive_ended = ended;
        if (!good && ended && !file->broken)
            say_unreadable(tail, file, "the archive is damaged or cut");
        return got;
    }
    ssize_t got = pread(file->fd, tail->buffer, size, (off_t)offset);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        say_unreadable(tail, file, strerror(errno));
    return got <= 0 || was_replaced(file) ? 0 : (size_t)got;
}

void tail_remember(struct tail *tail, struct tail_file *file)
{
    file->remembered = true;
    if (!tail->format_ops->remembers || file->offset == 0 || file->archive || !make_room(tail, CHUNK))
        return;
    uint64_t at = file->offset > REMEMBER_BYTES ? file->offset - REMEMBER_BYTES : 0;
    tail->muted = true;
    while (at < file->offset) {
        uint64_t left = file->offset - at;
        size_t got = fetch(tail, file, at, left < CHUNK ? (size_t)left : CHUNK);
        if (got == 0)
            break;
        size_t taken = parse(tail, file, at, str_make(tail->buffer, got), got == left);
        at += taken > 0 ? taken : got; /* of a record longer than the chunk nothing is to be remembered */
    }
    tail->muted = false;
}

/* ---- records that are too long ---------------------------------------------------------------------------------- */

static void begin_skipping(struct tail *tail, struct tail_file *file)
{
    file->skipping = true;
    say_too_long(tail, file, file->offset);
}

/* On to the next line break; the position follows when it is there. */
static void skip(struct tail *tail, struct tail_file *file, size_t got)
{
    size_t end = str_find(str_make(tail->buffer, got), '\n', 0);
    metric_add(tail->bytes, end < got ? end + 1 : got);
    file->offset += end < got ? end + 1 : got;
    if (end < got) {
        file->skipping = false;
        tail_mark(tail, file);
    }
}

/* ---- one read --------------------------------------------------------------------------------------------------- */

/* Whether bytes that were not enough for a record must wait for more. */
static bool must_wait(struct tail *tail, const struct tail_file *file)
{
    if (file->half == 0 || file->archive || tail->options.once || file->rotated)
        return false;
    uint64_t half = file->half - file->offset;
    return half > CHUNK / 4 && file->size < file->half + half / 8 && tail_steady(tail) - file->looked_at < HALF_LINE_MS;
}

/* How sure it is that nothing more belongs to the last record. */
enum ending {
    GOES_ON,
    WHOLE_LINES, /* what is there in whole lines is all */
    ENDED        /* the last byte was written */
};

/* Whether the writer has gone on to another file, at the place that this one had. */
static bool is_succeeded(const struct tail *tail, const struct tail_file *file)
{
    const char *place = file->former != NULL && !file->rotated ? file->former : file->path;
    if (file->former == NULL && !file->rotated)
        return false;
    for (size_t i = 0; i < tail->file_count; i++) {
        const struct tail_file *other = tail->files[i];
        if (other != file && !other->rotated && !other->archive && other->size > 0 && strcmp(other->path, place) == 0)
            return true;
    }
    return false;
}

static enum ending ending_of(struct tail *tail, const struct tail_file *file)
{
    if (file->archive)
        return file->archive_ended ? ENDED : GOES_ON;
    int64_t quiet = tail_steady(tail) - file->grew_at;
    if (file->rotated && quiet >= (tail->options.once ? 0 : ROTATED_MS))
        return ENDED;
    if (tail->options.once || quiet >= SETTLE_MS || (quiet >= SUCCEEDED_MS && is_succeeded(tail, file)))
        return WHOLE_LINES;
    return GOES_ON;
}

static size_t whole_lines(str_t bytes)
{
    const char *hit = bytes.len == 0 ? NULL : memrchr(bytes.ptr, '\n', bytes.len);
    return hit == NULL ? 0 : (size_t)(hit - bytes.ptr) + 1;
}

/* More than the buffer holds for one record: a larger buffer, or the record is given up. */
static bool enlarge(struct tail *tail, struct tail_file *file)
{
    size_t most = (size_t)tail->options.source->max_line;
    if (tail->buffer_size < most) {
        size_t size = tail->buffer_size * 2 < most ? tail->buffer_size * 2 : most;
        if (make_room(tail, size))
            return true;
    }
    begin_skipping(tail, file);
    return true;
}

static void moved(struct tail *tail, struct tail_file *file, size_t taken)
{
    metric_add(tail->bytes, taken);
    file->offset += taken;
    file->half = 0;
    tail_mark(tail, file);
}

/* What a writer leaves that goes on at its old place after a file was cut. */
static size_t leading_nuls(str_t bytes)
{
    size_t count = 0;
    while (count < bytes.len && bytes.ptr[count] == '\0')
        count++;
    return count;
}

/* The bytes in the buffer, which stand at the file's offset; whether something is left to do. */
static bool use(struct tail *tail, struct tail_file *file, size_t got, bool at_end)
{
    str_t bytes = str_make(tail->buffer, got);
    size_t taken = leading_nuls(bytes);
    if (taken == 0)
        taken = parse(tail, file, file->offset, bytes, false);
    if (taken > 0)
        moved(tail, file, taken);
    if (tail->blocked || taken > 0 || got == 0)
        return tail->blocked || !at_end || (taken < got && (bytes.ptr[0] == '\0' || (file->archive && file->archive_ended)));
    if (!at_end)
        return enlarge(tail, file);
    enum ending ending = ending_of(tail, file);
    size_t whole = ending == ENDED ? got : ending == WHOLE_LINES ? whole_lines(bytes) : 0;
    taken = whole == 0 ? 0 : parse(tail, file, file->offset, str_make(bytes.ptr, whole), true);
    if (taken > 0)
        moved(tail, file, taken);
    else
        file->half = file->offset + got;
    return tail->blocked;
}

/* On through a record that is too long. */
static bool read_skipping(struct tail *tail, struct tail_file *file)
{
    size_t got = fetch(tail, file, file->offset, tail->buffer_size);
    bool at_end = got < tail->buffer_size;
    skip(tail, file, got);
    if (at_end && file->skipping && (file->archive || file->rotated)) {
        file->skipping = false;
        tail_mark(tail, file);
    }
    return !at_end;
}

static bool read_records(struct tail *tail, struct tail_file *file)
{
    size_t wanted = file->half > file->offset ? tail->buffer_size : CHUNK;
    for (;;) {
        size_t before = tail->buffer_size, got = fetch(tail, file, file->offset, wanted);
        bool at_end = got < wanted;
        file->looked_at = tail_steady(tail);
        bool more = use(tail, file, got, at_end);
        if (!more || tail->blocked || tail->buffer_size == before)
            return more;
        wanted = tail->buffer_size; /* it was too small for one record */
    }
}

/* A file that was rotated away is done when it has been quiet for a while after its last byte. */
static bool is_over(const struct tail *tail, const struct tail_file *file)
{
    return file->rotated && (tail->options.once || tail_steady(tail) - file->grew_at >= ROTATED_MS);
}

bool tail_read(struct tail *tail, struct tail_file *file)
{
    if (!file->archive && file->offset >= file->size) {
        file->skipping = file->skipping && !is_over(tail, file);
        file->done = is_over(tail, file);
        return false;
    }
    if (must_wait(tail, file) || !make_room(tail, CHUNK))
        return false;
    if (!file->remembered)
        tail_remember(tail, file);
    bool more = file->skipping ? read_skipping(tail, file) : read_records(tail, file);
    if (file->broken || (file->archive && file->archive_ended && !more))
        file->done = true;
    return more;
}
