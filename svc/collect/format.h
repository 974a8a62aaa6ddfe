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
    size_t size; /* of the struct that begins with a struct format */
    /* A record of the file's middle may need what stood before it: the reader shows those bytes again, without taking the records. */
    bool remembers;
    /* Texts come with their database, other records of the query without: the source's own is for texts that lack it. */
    bool tells_database;
    /*
     * Reads records from the front of `bytes` and gives how many bytes are done with. `last`: nothing will follow, an open record
     * ends here. Never takes more than it is given; with `last` and a `record` that takes everything it takes all.
     */
    size_t (*read)(struct format *format, str_t bytes, bool last, const struct format_output *output);
    /* Sets up what is not all zeros; `ops` and `zone` are there. */
    void (*begin)(struct format *format);
    /* The next bytes come from another file than the ones before. NULL: that makes no difference. */
    void (*file)(struct format *format, const struct format_file *file);
    /* Gives back what the format holds, but not itself. */
    void (*release)(struct format *format);
};

/* The first member of each. */
struct format {
    const struct format_ops *ops;
    const struct zone *zone; /* of the log's local times; borrowed */
    uint64_t lines;          /* seen in all */
    uint64_t foreign_lines;  /* of no use: continuation lines of nothing, other programs' output */
};

extern const struct format_ops daemon_log_format, glog_format, lineage_log_format, audit_log_format, hive_hook_format, hive_log_format,
    profile_log_format;

/* The format in which a source writes its files; NULL for sources that are no logs. */
const struct format_ops *format_of_source(enum raw_source source);

/* NULL when memory is out, or there are no `ops`. `zone` is that of the log's local times, NULL: UTC. */
struct format *format_new(const struct format_ops *ops, const struct zone *zone);
void format_free(struct format *format);

static inline size_t format_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    return format->ops->read(format, bytes, last, output);
}

static inline void format_file(struct format *format, const struct format_file *file)
{
    if (format->ops->file != NULL)
        format->ops->file(format, file);
}

#endif
