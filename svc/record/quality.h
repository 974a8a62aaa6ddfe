/*
 * The result of a check of data: that a table, or a column of it, was looked at, and how it was.
 * One JSON object on one line (docs/quality-check.schema.json); the member `check` tells it from an
 * event. Of several of one check the newest holds.
 *
 * Texts are borrowed, as in raw.h. Absent: an empty text.
 */
#ifndef COLLINE_RECORD_QUALITY_H
#define COLLINE_RECORD_QUALITY_H

#include "base/arena.h"
#include "base/buf.h"

enum { QUALITY_VERSION = 1 };

/* From good to bad. */
enum quality_status { QUALITY_PASS, QUALITY_WARN, QUALITY_FAIL };

enum { QUALITY_STATUS_COUNT = QUALITY_FAIL + 1 };

/* Characters at most. */
enum {
    QUALITY_NAME_MOST = 500, /* of a check, table, column, namespace, source */
    QUALITY_MESSAGE_MOST = 4000
};

/*
 * Milliseconds, from 1973 to the end of 9999. Seconds, microseconds and nanoseconds of our days fall
 * outside: a result of so late a time would hold for ever, and none of 1970 ever.
 */
#define QUALITY_TIME_LEAST INT64_C(100000000000)
#define QUALITY_TIME_MOST INT64_C(253402300799999)

struct quality_check {
    uint32_t v;
    str_t check; /* its name */
    str_t name_space, table;
    str_t column; /* empty: of the whole table */
    enum quality_status status;
    int64_t time; /* ms UTC */
    str_t message;
    str_t source; /* who checked */
};

/* The word of a status, and back. */
str_t quality_status_name(enum quality_status status);
bool quality_status_by_name(str_t name, enum quality_status *status);

/* As raw_write, raw_read. */
void quality_write(struct buf *out, const struct quality_check *check);
bool quality_read(str_t json, struct arena *arena, struct quality_check *check, str_t *reason);

/* Whether a line that is no event means to be one of these. */
bool quality_is_meant(str_t json);

#endif
