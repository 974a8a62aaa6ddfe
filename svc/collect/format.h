/*
 * A log format: bytes → raw records. A format is a function of the bytes it is given and of a small state (sessions, the year);
 * it does no input or output. Whoever reads the file gives it bytes that begin where it left off, and gives what was not taken again with
 * more behind it; the format takes whole records only.
 *
 * What a record borrows (texts, lists) is valid during the call of `record` only. The format fills in what the bytes tell; cluster,
 * host, position, captured_at and backfill are the reader's.
 */
#ifndef COLLINE_COLLECT_FORMAT_H
#define COLLINE_COLLECT_FORMAT_H

#include "record/raw.h"
#include "run/zone.h"

struct format;

/* `at` and `end` are bytes of what was given: the record's first, and the one behind its last. */
struct format_output {
    /* False: no more now. The format stops before this record. */
    bool (*record)(void *context, struct raw_record *record, size_t at, size_t end);
    /* Bytes that look like a record but cannot be read. `code` is a fixed word. */
    void (*failed)(void *context, const char *code, size_t at, size_t end);
    void *context;
};

/* What the reader knows of the file that the next bytes come from. */
struct format_file {
    str_t host;
    str_t name;          /* with symlinks followed, without folder */
    int64_t modified_ms; /* UTC; 0 unknown */
};

struct format_ops {
    const char *name; /* as raw_source_name */
    enum raw_source source;
    /* A record of the file's middle may need what stood before it: the reader shows those bytes again, without taking the records. */
    bool remembers;
    /*
     * Reads records from the front of `bytes` and gives how many bytes are done with. `last`: nothing will follow, an open record
     * ends here. Never takes more than it is given; with `last` and a `record` that takes everything it takes all.
     */
    size_t (*read)(struct format *format, str_t bytes, bool last, const struct format_output *output);
    /* The next bytes come from another file than the ones before. */
    void (*file)(struct format *format, const struct format_file *file);
    void (*free)(struct format *format);
};

/* The first member of each. */
struct format {
    const struct format_ops *ops;
    const struct zone *zone; /* of the log's local times; borrowed */
    uint64_t lines;          /* seen in all */
    uint64_t foreign_lines;  /* of no use: continuation lines of nothing, other programs' output */
};

/* Each NULL when memory is out. */
struct format *daemon_log_new(const struct zone *zone);
struct format *glog_new(const struct zone *zone);
struct format *lineage_log_new(const struct zone *zone);
struct format *audit_log_new(const struct zone *zone);
struct format *hive_hook_new(const struct zone *zone);
struct format *profile_log_new(const struct zone *zone);

static inline size_t format_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    return format->ops->read(format, bytes, last, output);
}

static inline void format_file(struct format *format, const struct format_file *file)
{
    format->ops->file(format, file);
}

static inline void format_free(struct format *format)
{
    if (format != NULL)
        format->ops->free(format);
}

#endif
