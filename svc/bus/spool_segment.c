/* The spool's files: writing a record, reading them back, finding the next whole record behind damage. */
#include "bus/spool_segment.h"

#include "run/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW = 256 << 10,
    CHECKED = 24 /* bytes of the header under the checksum */
};

static const char mark[4] = {'C', 'L', 'S', 'p'};

struct header {
    char mark[4];
    uint32_t key_len, value_len, zero;
    uint64_t sequence, checksum;
};

_Static_assert(sizeof(struct header) == SPOOL_HEADER, "the header is written as it stands");

/* `body` is key and value, one behind the other. */
static uint64_t checksum_of(const struct header *header, str_t body)
{
    return hash64(body, hash64(str_make((const char *)header, CHECKED), 0));
}

void spool_encode(struct buf *out, uint64_t sequence, str_t key, str_t value)
{
    struct header header = {.key_len = (uint32_t)key.len, .value_len = (uint32_t)value.len, .sequence = sequence};
    if (!buf_room(out, SPOOL_HEADER + key.len + value.len))
        return;
    memcpy(header.mark, mark, sizeof mark);
    size_t at = out->len;
    out->len += SPOOL_HEADER;
    buf_add(out, key);
    buf_add(out, value);
    header.checksum = checksum_of(&header, str_make(out->ptr + at + SPOOL_HEADER, key.len + value.len));
    memcpy(out->ptr + at, &header, sizeof header);
}

void spool_name(char name[SPOOL_NAME_SIZE], uint64_t first)
{
    snprintf(name, SPOOL_NAME_SIZE, "%020" PRIu64 ".spool", first);
}

bool spool_name_read(const char *name, uint64_t *first)
{
    char *end;
    if (strlen(name) != 26 || strcmp(name + 20, ".spool") != 0 || strspn(name, "0123456789") != 20)
        return false;
    errno = 0;
    *first = strtoull(name, &end, 10);
    return errno == 0 && end == name + 20;
}

void spool_reader_init(struct spool_reader *reader)
{
    *reader = (struct spool_reader){.fd = -1};
    buf_init(&reader->window, 0);
}

static void close_file(struct spool_reader *reader)
{
    if (reader->fd >= 0)
        close(reader->fd);
    reader->fd = -1;
}

void spool_reader_release(struct spool_reader *reader)
{
    close_file(reader);
    buf_release(&reader->window);
}

bool spool_reader_open(struct spool_reader *reader, int folder, const char *name, uint64_t expected)
{
    struct stat status;
    close_file(reader);
    buf_clear(&reader->window);
    reader->offset = reader->window_at = 0;
    reader->expected = expected;
    reader->fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (reader->fd < 0 || fstat(reader->fd, &status) != 0)
        return false;
    reader->end = (uint64_t)status.st_size;
    return true;
}

/* Bytes [at, at + length) of the file, which `end` allows; NULL when they cannot be read. */
static const char *bytes_at(struct spool_reader *reader, uint64_t at, size_t length)
{
    struct buf *window = &reader->window;
    if (at >= reader->window_at && at + length <= reader->window_at + window->len)
        return window->ptr + (at - reader->window_at);
    uint64_t left = reader->end - at;
    size_t wanted = left < WINDOW ? (size_t)left : WINDOW;
    if (wanted < length)
        wanted = length;
    buf_clear(window);
    reader->window_at = at;
    if (!buf_room(window, wanted)) {
        errno = ENOMEM;
        return NULL;
    }
    while (window->len < wanted) {
        ssize_t n = pread(reader->fd, window->ptr + window->len, wanted - window->len, (off_t)(at + window->len));
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO; /* shorter than it was */
        if (n <= 0)
            return window->len >= length ? window->ptr : NULL;
        window->len += (size_t)n;
    }
    return window->ptr;
}

/* Whether a whole record stands at an offset. SPOOL_DAMAGE where none does. */
static enum spool_read record_at(struct spool_reader *reader, uint64_t at, struct spool_record *record)
{
    struct header header;
    if (reader->end - at < SPOOL_HEADER)
        return SPOOL_DAMAGE;
    const char *bytes = bytes_at(reader, at, SPOOL_HEADER);
    if (bytes == NULL)
        return SPOOL_FAILED;
    memcpy(&header, bytes, sizeof header);
    uint64_t body = (uint64_t)header.key_len + header.value_len;
    if (memcmp(header.mark, mark, sizeof mark) != 0 || header.zero != 0 || header.sequence < reader->expected || body > SPOOL_RECORD_MAX ||
        reader->end - at - SPOOL_HEADER < body)
        return SPOOL_DAMAGE;
    bytes = bytes_at(reader, at, SPOOL_HEADER + (size_t)body);
    if (bytes == NULL)
        return SPOOL_FAILED;
    bytes += SPOOL_HEADER;
    if (checksum_of(&header, str_make(bytes, (size_t)body)) != header.checksum)
        return SPOOL_DAMAGE;
    *record = (struct spool_record){header.sequence, str_make(bytes, header.key_len), str_make(bytes + header.key_len, header.value_len)};
    return SPOOL_RECORD;
}

/* The next place at or behind `at` where a mark stands; `end` where there is none. False when the file cannot be read. */
static bool find_mark(struct spool_reader *reader, uint64_t at, uint64_t *found)
{
    while (reader->end - at >= SPOOL_HEADER) {
        const char *bytes = bytes_at(reader, at, SPOOL_HEADER);
        if (bytes == NULL)
            return false;
        size_t there = (size_t)(reader->window_at + reader->window.len - at);
        const char *hit = memmem(bytes, there, mark, sizeof mark);
        if (hit != NULL) {
            *found = at + (uint64_t)(hit - bytes);
            return true;
        }
        at += there - (sizeof mark - 1);
    }
    *found = reader->end;
    return true;
}

/* Goes to the next whole record, or to the end. */
static enum spool_read skip_damage(struct spool_reader *reader, struct spool_damage *damage)
{
    struct spool_record record;
    damage->from = reader->offset;
    uint64_t at = reader->offset + 1;
    enum spool_read what = SPOOL_DAMAGE;
    while (what == SPOOL_DAMAGE) {
        if (at >= reader->end || !find_mark(reader, at, &at))
            what = at >= reader->end ? SPOOL_END : SPOOL_FAILED;
        else if (at >= reader->end)
            what = SPOOL_END;
        else if ((what = record_at(reader, at, &record)) == SPOOL_DAMAGE)
            at++;
    }
    if (what == SPOOL_FAILED)
        return what;
    reader->offset = damage->to = what == SPOOL_END ? reader->end : at;
    return SPOOL_DAMAGE;
}

enum spool_read spool_read(struct spool_reader *reader, struct spool_record *record, struct spool_damage *damage)
{
    if (reader->offset >= reader->end)
        return SPOOL_END;
    enum spool_read what = record_at(reader, reader->offset, record);
    if (what == SPOOL_DAMAGE)
        return skip_damage(reader, damage);
    if (what == SPOOL_RECORD) {
        reader->offset += SPOOL_HEADER + record->key.len + record->value.len;
        reader->expected = record->sequence + 1;
    }
    return what;
}
