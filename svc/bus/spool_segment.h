/*
 * Inner to the spool: files of records. A segment is named after the sequence number of its first record and holds records one behind the
 * other, each found again by its mark and proved by its checksum:
 *
 *     0  4  mark "CLSp"        8  4  bytes of the value       16  8  sequence number
 *     4  4  bytes of the key  12  4  0                        24  8  XXH3 of bytes 0-23, key and value
 *    32     key, value                                            all numbers in the machine's order: a spool does not travel
 *
 * So whatever happens to a file, every record that is whole is read, and what is not is named by its place.
 */
#ifndef COLLINE_BUS_SPOOL_SEGMENT_H
#define COLLINE_BUS_SPOOL_SEGMENT_H

#include "base/buf.h"

enum {
    SPOOL_HEADER = 32,
    SPOOL_RECORD_MAX = 256 << 20 /* of key and value: longer ones are not sent at all */
};

struct spool_record {
    uint64_t sequence;
    str_t key, value;
};

/* Appends the record as it stands in a file. */
void spool_encode(struct buf *out, uint64_t sequence, str_t key, str_t value);

/* Reads one file. */
struct spool_reader {
    int fd; /* -1: no file */
    uint64_t offset; /* of the next record */
    uint64_t end;    /* how far the file may be read */
    uint64_t expected; /* lowest sequence number that makes sense */
    struct buf window; /* bytes of the file from window_at on */
    uint64_t window_at;
};

enum spool_read {
    SPOOL_RECORD,
    SPOOL_END,    /* at `end` */
    SPOOL_DAMAGE, /* bytes damage_from to damage_to are no record; go on reading */
    SPOOL_FAILED  /* the file cannot be read: errno */
};

struct spool_damage {
    uint64_t from, to;
};

void spool_reader_init(struct spool_reader *reader);
void spool_reader_release(struct spool_reader *reader);

/* Opens a file and stands before its first record; false with errno. `end` is the file's size. */
bool spool_reader_open(struct spool_reader *reader, int folder, const char *name, uint64_t expected);

/* The next record, valid until the next call. */
enum spool_read spool_read(struct spool_reader *reader, struct spool_record *record, struct spool_damage *damage);

enum {
    SPOOL_NAME_SIZE = 32
};

void spool_name(char name[SPOOL_NAME_SIZE], uint64_t first);
bool spool_name_read(const char *name, uint64_t *first);

#endif
