/* A file that only grows, synced with each record, and a sink for the notes, which is opened with the first one: hardly anybody needs it. */
#include "bus/refused.h"

#include "base/buf.h"
#include "record/invalid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NOTES_IN_FLIGHT = 1000,
    LAST_NOTES_MS = 1000
};

struct refused {
    struct refused_options options;
    char *path;
    struct sink *notes; /* NULL until something is refused */
    struct metric *kept, *dropped;
};

struct refused *refused_new(const struct refused_options *options)
{
    struct refused *self = calloc(1, sizeof *self);
    if (self == NULL || (self->path = strdup(options->path)) == NULL) {
        free(self);
        return NULL;
    }
    self->options = *options;
    self->options.path = self->path;
    self->kept = metrics_counter(options->metrics, "colline_refused_kept_total", "Records that Kafka will never take, kept in a file.",
                                 METRIC_NO_LABELS);
    self->dropped = metrics_counter(options->metrics, "colline_refused_dropped_total",
                                    "Records that Kafka will never take and for which that file has no room.", METRIC_NO_LABELS);
    return self;
}

void refused_free(void *context)
{
    struct refused *self = context;
    if (self == NULL)
        return;
    if (self->notes != NULL)
        (void)sink_flush(self->notes, LAST_NOTES_MS);
    sink_close(self->notes);
    free(self->path);
    free(self);
}

static str_t path_of(const struct refused *self)
{
    return str_make(self->path, strlen(self->path));
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static bool write_all(int fd, str_t bytes)
{
    while (bytes.len > 0) {
        ssize_t put = write(fd, bytes.ptr, bytes.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes = str_make(bytes.ptr + put, bytes.len - (size_t)put);
    }
    return true;
}

enum kept {
    KEPT,
    NO_ROOM,
    NOT_NOW
};

/* What was written of a line that did not fit on the disk is taken back, so the file holds whole lines only. */
static enum kept append_to(int fd, str_t line, uint64_t limit)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return NOT_NOW;
    if ((uint64_t)status.st_size + line.len > limit)
        return NO_ROOM;
    if (write_all(fd, line) && fdatasync(fd) == 0)
        return KEPT;
    int why = errno;
    (void)!ftruncate(fd, status.st_size);
    errno = why;
    return NOT_NOW;
}

static enum kept append(const struct refused *self, str_t line)
{
    int fd = open(self->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return NOT_NOW;
    enum kept kept = append_to(fd, line, self->options.limit);
    int why = errno;
    close(fd);
    errno = why;
    return kept;
}

static enum kept keep_value(const struct refused *self, str_t value, str_t reason)
{
    struct buf line;
    const struct invalid_record record = {.stage = STR("capture"), .at = clock_now(&self->options.clock), .reason = reason,
                                          .topic = self->options.kafka->topic_raw, .partition = -1, .offset = -1, .value = value};
    buf_init(&line, 0);
    invalid_write(&line, &record);
    buf_add_char(&line, '\n');
    errno = ENOMEM;
    enum kept kept = line.failed ? NOT_NOW : append(self, buf_str(&line));
    buf_release(&line);
    return kept;
}

/* ---- the note --------------------------------------------------------------------------------------------------- */

static bool open_notes(struct refused *self)
{
    const struct kafka_sink_options options = {.kafka = self->options.kafka, .topic = self->options.kafka->topic_invalid,
                                               .in_flight = NOTES_IN_FLIGHT, .clock = self->options.clock, .log = self->options.log,
                                               .metrics = self->options.metrics};
    struct buf error;
    buf_init(&error, 1024);
    if (self->notes == NULL)
        self->notes = kafka_sink_open(&options, &error);
    buf_release(&error);
    return self->notes != NULL;
}

/* Nobody waits for it: the record is safe without. */
static void tell(struct refused *self, str_t key, size_t length, str_t reason, bool kept)
{
    struct buf text, note;
    if (!open_notes(self))
        return;
    buf_init(&text, 0);
    buf_init(&note, 0);
    BUF_ADD(&text, "a record of ");
    buf_add_number(&text, length);
    BUF_ADD(&text, " bytes: ");
    buf_add(&text, reason);
    buf_add(&text, kept ? STR("; it is kept in ") : STR("; there is no room for it in "));
    buf_add(&text, path_of(self));
    const struct invalid_record record = {.stage = STR("capture"), .at = clock_now(&self->options.clock), .reason = buf_str(&text),
                                          .topic = self->options.kafka->topic_raw, .partition = -1, .offset = -1};
    invalid_write(&note, &record);
    sink_poll(self->notes, 0);
    if (!text.failed && !note.failed)
        (void)sink_send(self->notes, key, buf_str(&note), 0);
    buf_release(&text);
    buf_release(&note);
}

bool refused_keep(void *context, str_t key, str_t value, str_t reason)
{
    struct refused *self = context;
    enum kept kept = keep_value(self, value, reason);
    if (kept == NOT_NOW) {
        log_say(self->options.log, LOG_LEVEL_ERROR, "refused.file", path_of(self),
                "a record that Kafka refuses cannot be kept (%s): reading waits until it can", strerrordesc_np(errno));
        return false;
    }
    if (kept == NO_ROOM)
        log_say(self->options.log, LOG_LEVEL_ERROR, "refused.full", path_of(self),
                "the file of refused records is full: they are passed over until it was taken away");
    metric_add(kept == KEPT ? self->kept : self->dropped, 1);
    tell(self, key, value.len, reason, kept == KEPT);
    return true;
}
