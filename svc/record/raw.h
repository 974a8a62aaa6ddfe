/*
 * The raw record: what one line of a log, one entry of a web page or one file of SQL tells of one
 * query. Capture writes it, the normaliser reads it; between them it is one JSON object on one line
 * (docs/raw-record.schema.json), keyed by the query id.
 *
 * A record borrows all its texts: from the line it was made of, or, when read, from the JSON text
 * and the arena. Absent: an empty text, a count of 0, time 0, duration -1.
 */
#ifndef COLLINE_RECORD_RAW_H
#define COLLINE_RECORD_RAW_H

#include "base/arena.h"
#include "base/buf.h"

enum { RAW_VERSION = 1 };

enum raw_source {
    RAW_DAEMON_LOG,
    RAW_GLOG,
    RAW_WEB,
    RAW_LINEAGE_LOG,
    RAW_AUDIT_LOG,
    RAW_PROFILE_LOG,
    RAW_HIVE_HOOK,
    RAW_SQL_FILE,
    RAW_HIVE_LOG
};

enum raw_kind {
    RAW_START,  /* user, sql */
    RAW_INPUT,  /* tables */
    RAW_OUTPUT, /* tables */
    RAW_SCAN,   /* path */
    RAW_FINISH, /* status, duration_ms, error */
    RAW_QUERY, /* all of a query that a web page, profile, audit line, hook or file tells at once */
    RAW_LINEAGE /* graph, sql, tables */
};

enum { RAW_SOURCE_COUNT = RAW_HIVE_LOG + 1, RAW_KIND_COUNT = RAW_LINEAGE + 1 };

/* Where a record stood. A file by its identity, so that a rotated one is the same; a page by a
 * cursor. */
struct raw_position {
    str_t file; /* as found; for people */
    uint64_t file_id; /* of device, inode, first bytes, and how often the file was cut; 0 unknown */
    uint64_t offset;  /* of the record's first byte */
    str_t cursor;     /* of what is no file; else empty */
};

struct raw_record {
    uint32_t v;
    enum raw_source source;
    enum raw_kind kind;
    str_t cluster, host;
    bool backfill; /* read from an archive */
    struct raw_position position;
    int64_t captured_at; /* ms */
    str_t query_id;      /* lower case */

    int64_t time_ms; /* of the line, UTC; 0 unknown */
    str_t level;     /* INFO … */
    str_t user, sql, database;
    str_t statement_type; /* as the source has it: QUERY, DML, DDL, CREATE_TABLE … */
    str_t status;         /* OK, ERROR, CANCELLED, … as the source has it, upper case */
    str_t error;
    str_t session_id;
    bool sql_cut;      /* known to be cut */
    bool sql_one_line; /* line breaks became blanks */
    str_t *tables;     /* INPUT, OUTPUT; inputs of QUERY and LINEAGE; of a profile all that were loaded, targets too */
    uint32_t table_count;
    str_t *outputs; /* of QUERY and LINEAGE */
    uint32_t output_count;
    str_t path;               /* SCAN */
    int64_t start_ms, end_ms; /* 0 unknown */
    int64_t duration_ms;      /* -1 unknown */
    str_t state;              /* web and profile: FINISHED, EXCEPTION … */
    str_t graph;              /* LINEAGE: the engine's record, raw JSON: {"edges":…,"vertices":…} */
};

/* A record of which nothing is known yet. */
struct raw_record raw_empty(enum raw_source source, enum raw_kind kind);

/* Names as in the JSON: `daemon-log`, `START`. */
str_t raw_source_name(enum raw_source source);
str_t raw_kind_name(enum raw_kind kind);
bool raw_source_by_name(str_t name, enum raw_source *source);
bool raw_kind_by_name(str_t name, enum raw_kind *kind);

/* Appends the record on one line, without a line break; members in a fixed order, absent ones left
 * out. */
void raw_write(struct buf *out, const struct raw_record *record);

/*
 * Reads and checks a record; false with every reason in one text (in the arena), separated by `; `.
 * Unknown members are passed over, a newer `v` is refused. The record borrows from `json` and the
 * arena.
 */
bool raw_read(str_t json, struct arena *arena, struct raw_record *record, str_t *reason);

/* Checks a record that was made here; the same reasons. */
bool raw_validate(const struct raw_record *record, struct arena *arena, str_t *reason);

/* What makes it the same record wherever it comes from: source, host, file identity, position. */
str_t raw_identity(const struct raw_record *record, struct arena *arena);

#endif
