/* The end of a log file, read as capture would read it: how much of it is records, how new they are, what cannot be read. */
#ifndef COLLINE_DOCTOR_SAMPLE_H
#define COLLINE_DOCTOR_SAMPLE_H

#include "config/config.h"
#include "run/zone.h"

#include <sys/stat.h>

enum {
    SAMPLE_BYTES = 4 << 20,
    SAMPLE_CODES = 8
};

struct sample_code {
    char code[32]; /* a fixed word of the format */
    uint64_t count;
};

struct sample {
    uint64_t records, failures, lines;
    int64_t newest_ms;  /* of a record, UTC; 0: none told its time */
    bool newest_at_end; /* nothing stands behind the newest record */
    struct sample_code codes[SAMPLE_CODES]; /* of failures, the most frequent first */
    size_t code_count;
};

/*
 * Reads the last SAMPLE_BYTES of the file. False, with errno, when it cannot be read, and of kinds that are no logs. A half-written last line is
 * left out.
 */
bool sample_read(const struct config_source *source, const char *path, const struct stat *status, const struct zone *zone,
                 struct sample *sample);

/* The first `most` bytes of a file; false with errno. */
bool sample_head(const char *path, size_t most, struct buf *out);

#endif
