/* The formats of svc/collect over a piece of a file. */
#include "doctor/sample.h"

#include "collect/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- what the format tells -------------------------------------------------------------------------------------- */

struct reading {
    struct sample *sample;
    size_t newest_end;
};

static bool take_record(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct reading *reading = context;
    (void)at;
    reading->sample->records++;
    if (record->time_ms >= reading->sample->newest_ms && record->time_ms > 0) {
        reading->sample->newest_ms = record->time_ms;
        reading->newest_end = end;
    }
    return true;
}

static void take_failure(void *context, const char *code, size_t at, size_t end)
{
    struct sample *sample = ((struct reading *)context)->sample;
    size_t i = 0;
    (void)at;
    (void)end;
    sample->failures++;
    while (i < sample->code_count && strncmp(sample->codes[i].code, code, sizeof sample->codes[i].code - 1) != 0)
        i++;
    if (i == SAMPLE_CODES)
        return;
    if (i == sample->code_count)
        (void)snprintf(sample->codes[sample->code_count++].code, sizeof sample->codes[i].code, "%s", code);
    sample->codes[i].count++;
}

static int most_first(const void *a, const void *b)
{
    const struct sample_code *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return strcmp(left->code, right->code);
}

static void parse(struct format *format, const struct format_file *file, str_t bytes, struct sample *sample)
{
    struct reading reading = {.sample = sample};
    const struct format_output output = {take_record, take_failure, &reading};
    format_file(format, file);
    format_read(format, bytes, true, &output);
    sample->lines = format->lines;
    sample->newest_at_end = reading.newest_end > 0 && reading.newest_end == bytes.len;
    qsort(sample->codes, sample->code_count, sizeof sample->codes[0], most_first);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Whole pages up to `most` bytes from `from` on. */
static bool read_piece(int fd, uint64_t from, size_t most, struct buf *out)
{
    while (out->len < most) {
        size_t more = most - out->len < 65536 ? most - out->len : 65536;
        if (!buf_room(out, more)) {
            errno = ENOMEM;
            return false;
        }
        ssize_t got = pread(fd, out->ptr + out->len, more, (off_t)(from + out->len));
        if (got <= 0)
            return got == 0;
        out->len += (size_t)got;
    }
    return true;
}

static bool read_from(const char *path, uint64_t from, size_t most, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = read_piece(fd, from, most, out);
    int error = errno;
    close(fd);
    errno = error;
    return good;
}

bool sample_head(const char *path, size_t most, struct buf *out)
{
    return read_from(path, 0, most, out);
}

/* Whole lines: the first one where the piece begins within the file is left out, and what has no end yet. */
static str_t whole_lines(str_t bytes, bool within)
{
    size_t first = within ? str_find(bytes, '\n', 0) : 0;
    if (within)
        first = first < bytes.len ? first + 1 : bytes.len;
    size_t end = bytes.len;
    while (end > first && bytes.ptr[end - 1] != '\n')
        end--;
    return str_make(bytes.ptr + first, end - first);
}

static str_t name_of_file(const char *path, char real[static 4096])
{
    const char *name = realpath(path, real) == NULL ? path : real;
    const char *slash = strrchr(name, '/');
    name = slash == NULL ? name : slash + 1;
    return str_make(name, strlen(name));
}

bool sample_read(const struct config_source *source, const char *path, const struct stat *status, const struct zone *zone, struct sample *sample)
{
    char real[4096];
    struct buf bytes;
    struct format *format = format_new(format_of_source((enum raw_source)source->kind), zone);
    *sample = (struct sample){0};
    if (format == NULL) {
        errno = EINVAL;
        return false;
    }
    buf_init(&bytes, 0);
    uint64_t size = (uint64_t)status->st_size, from = size > SAMPLE_BYTES ? size - SAMPLE_BYTES : 0;
    bool good = read_from(path, from, SAMPLE_BYTES, &bytes);
    int error = errno;
    const struct format_file file = {source->host, name_of_file(path, real), (int64_t)status->st_mtim.tv_sec * 1000};
    if (good && bytes.len > 0)
        parse(format, &file, whole_lines(buf_str(&bytes), from > 0), sample);
    buf_release(&bytes);
    format_free(format);
    errno = error;
    return good;
}
