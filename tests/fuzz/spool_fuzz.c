/*
 * Any bytes as a file of the spool, with one whole record behind them: reading ends, goes forward only, and finds that record; a record that is
 * read stands in the file as spool_encode would write it.
 */
#include "bus/spool_segment.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint64_t last_sequence = UINT64_MAX - 1;

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_record(const struct spool_record *record, const struct buf *file, uint64_t from)
{
    struct buf again;
    buf_init(&again, 0);
    spool_encode(&again, record->sequence, record->key, record->value);
    check(again.len <= file->len - from && memcmp(again.ptr, file->ptr + from, again.len) == 0);
    buf_release(&again);
}

/* The last record begins at `start`. It must be found, unless a record before it, proved by its own checksum, takes its bytes or its number. */
static void read_all(struct spool_reader *reader, const struct buf *file, uint64_t start)
{
    struct spool_record record = {0};
    struct spool_damage damage;
    enum spool_read what;
    uint64_t at = reader->offset, last = 0;
    bool taken = false;
    while ((what = spool_read(reader, &record, &damage)) != SPOOL_END) {
        check(what != SPOOL_FAILED && reader->offset > at);
        if (what == SPOOL_DAMAGE)
            check(damage.from == at && damage.to == reader->offset);
        else
            check_record(&record, file, at);
        taken = taken || (what == SPOOL_RECORD && at < start && (reader->offset > start || record.sequence >= last_sequence));
        if (what == SPOOL_RECORD)
            last = record.sequence;
        at = reader->offset;
    }
    check(at == file->len && (taken || last == last_sequence));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf file;
    struct spool_reader reader;
    buf_init(&file, 0);
    buf_add(&file, str_make((const char *)data, size));
    spool_encode(&file, last_sequence, STR("key"), STR("value"));
    spool_reader_init(&reader);
    reader.fd = memfd_create("spool", MFD_CLOEXEC);
    check(reader.fd >= 0 && write(reader.fd, file.ptr, file.len) == (ssize_t)file.len);
    reader.end = file.len;
    read_all(&reader, &file, size);
    spool_reader_release(&reader);
    buf_release(&file);
    return 0;
}
