/*
 * The normalised event: all that is known of one query, joined from its raw records. The normaliser
 * writes it, the store and other consumers read it: one JSON object on one line
 * (docs/normalized-event.schema.json), keyed by the query id.
 *
 * A query may have several: consumers keep the one with the highest (generation, revision), each is
 * a full replacement. Texts are borrowed, as in raw.h. Absent: an empty text, a count of 0, time 0,
 * duration -1.
 */
#ifndef COLLINE_RECORD_EVENT_H
#define COLLINE_RECORD_EVENT_H

#include "record/raw.h"

enum { EVENT_VERSION = 1 };

enum event_status {
    EVENT_OK,
    EVENT_ERROR, /* EXCEPTION too */
    EVENT_CANCELLED,
    EVENT_RETRIED,    /* given up by the engine, which runs it again under another id: no success */
    EVENT_INCOMPLETE, /* its end was never seen */
    EVENT_UNKNOWN     /* ended, how is not known */
};

enum { EVENT_STATUS_COUNT = EVENT_UNKNOWN + 1 };

/* `ds=2024-03-15/hr=*`, as in paths; `*` for a value that only the run knows. */
struct event_partition {
    str_t table, spec;
};

/* One source on one host, and the kinds of its records: bit 1 << enum raw_kind. */
struct event_source {
    enum raw_source source;
    str_t host;
    uint32_t kinds;
};

/* What is wrong or uncertain: a fixed code for machines, a message for people. */
struct event_problem {
    str_t code, message;
};

struct event {
    uint32_t v;
    str_t query_id;
    uint32_t revision;   /* from 1 */
    uint32_t generation; /* from 0; raised when stored SQL is analysed anew */
    str_t cluster, name_space;
    str_t engine; /* hive or impala */
    str_t user, database, session_id;
    int64_t timestamp; /* start, ms UTC */
    int64_t duration_ms;
    enum event_status status;
    str_t error;
    str_t operation_type; /* INSERT, OVERWRITE, CTAS … */
    str_t *input_tables;
    uint32_t input_count;
    str_t *output_tables;
    uint32_t output_count;
    struct event_partition *partitions;
    uint32_t partition_count;
    str_t *paths; /* scanned */
    uint32_t path_count;
    str_t sql;
    bool sql_cut, sql_one_line;
    str_t fingerprint;
    str_t lineage;        /* raw JSON: the statement of a lineage document */
    str_t engine_lineage; /* raw JSON: the engine's own graph */
    int64_t event_time;   /* of the end, ms UTC; of the last record when the end was never seen */
    int64_t first_event_time;     /* event_time of revision 1, where it was on another day; 0: it was not */
    int64_t processing_time;      /* when this event was made, ms UTC */
    struct event_source *sources; /* sorted */
    uint32_t source_count;
    bool backfill, incomplete, is_valid;
    struct event_problem *problems;
    uint32_t problem_count;
};

struct event event_empty(void);

str_t event_status_name(enum event_status status);
bool event_status_by_name(str_t name, enum event_status *status);

/* As raw_write, raw_read, raw_validate. */
void event_write(struct buf *out, const struct event *event);
bool event_read(str_t json, struct arena *arena, struct event *event, str_t *reason);
bool event_validate(const struct event *event, struct arena *arena, str_t *reason);

#endif
