/* What the parts of the tail share: tail.c (the collector), follow.c (which files), reader.c (bytes → records), rotated.c (where the rest went). */
#ifndef COLLINE_COLLECT_TAIL_INTERNAL_H
#define COLLINE_COLLECT_TAIL_INTERNAL_H

#include "collect/id_table.h"
#include "collect/privacy.h"
#include "collect/tail/gunzip.h"
#include "collect/tail/inflight.h"
#include "collect/tail/scan.h"
#include "collect/tail/tail.h"
#include "collect/tail/watch.h"

enum {
    CHUNK = 256 << 10,       /* read at once */
    SETTLE_MS = 10000,       /* a statement of many lines is whole when nothing came behind it for so long */
    SUCCEEDED_MS = 500,      /* the same of a file that was rotated away, once the one at its place is written to */
    HALF_LINE_MS = 1000,     /* half a line is looked at again when it grew by an eighth, or after so long */
    ROTATED_MS = 5000,       /* a file that was rotated away may still be written to for so long */
    PARK_MS = 60000,         /* a file without news is closed, and opened again when it grows */
    COARSE_MS = 1000,        /* by so much the time of a file may lie beside the clock */
    REMEMBER_BYTES = 256 << 20, /* how far back a format is shown what it must remember */
    FORGET_MS = 25 * 3600 * 1000 /* positions of files that are gone */
};

/* A host's log and what its format remembers. */
struct tail_host {
    str_t name; /* owned */
    struct format *format;
    const struct tail_file *current; /* the file of the last bytes */
    uint64_t busy;                   /* the pass in which an older file of it had something left */
    struct metric *skew, *lag;
    uint64_t lines, foreign_lines;   /* already counted */
};

struct tail_file {
    char *path; /* as found last */
    char *former; /* its path before it was renamed to that; NULL: it never was */
    struct tail_host *host;
    uint64_t device, inode;
    int fd; /* -1: parked */
    struct gunzip *gunzip;
    struct file_position *position; /* of what is acknowledged */
    uint64_t offset;       /* read up to here */
    uint64_t size;         /* at the last look */
    struct timespec written; /* the same: when it was written */
    uint64_t backfill_end; /* what lies before it was there before we came */
    uint64_t marked;       /* the last position given to the entries in flight */
    uint64_t half;         /* size at which half a record was seen; reading again waits for more */
    int64_t grew_at, looked_at; /* steady */
    uint32_t generation;   /* as position->truncations */
    uint32_t waiting;      /* entries in flight */
    bool archive, archive_ended;
    bool rotated;  /* no longer at its path: ends when it is quiet */
    bool seen;     /* by the scan that runs */
    bool copy;     /* of another file that is being read: left alone */
    bool undecided; /* it may become such a copy */
    bool skipping; /* within a record that is too long */
    bool remembered; /* the format was shown what lies before */
    bool done;     /* read to its end, and that will stay */
    bool broken;   /* cannot be read; said once */
};

struct tail {
    struct collector base;
    struct tail_options options;
    const struct format_ops *format_ops;
    char *source_name;
    char *machine; /* host name where the pattern says none */
    struct watch *watch;
    struct tail_file **files; /* the oldest first */
    size_t file_count, file_capacity;
    struct id_table by_inode; /* device, inode → index in files, in `user` */
    struct tail_host **hosts;
    size_t host_count, host_capacity;
    struct inflight inflight;
    char *buffer;
    size_t buffer_size;
    struct arena scratch, scan_arena;
    int64_t scanned_at;
    bool scan_due, scanned_once, no_file_said;
    bool quiet;          /* the last pass found nothing */
    uint64_t pass;
    double allowance;    /* records that the source's rate still allows */
    int64_t allowance_at;

    /* of the read that runs */
    struct tail_file *reading;
    uint64_t reading_from; /* offset of the bytes given */
    size_t budget, emitted;
    bool muted, blocked;
    int64_t now;         /* when its bytes were read */
    int64_t newest_ms;   /* time of its newest record; 0: none, or filled back */
    uint64_t taken[RAW_KIND_COUNT];
    bool archives; /* archives are read too */
    bool first_start;
    int64_t left_at; /* wall clock: when an earlier run looked last; INT64_MAX when there was none */

    struct metric *records[RAW_KIND_COUNT];
    struct metric *lines, *foreign, *bytes, *skipped, *too_long, *lag_bytes, *file_gauge, *rotations, *lost;
};

static inline int64_t tail_steady(const struct tail *tail)
{
    return clock_steady(tail->base.output.clock);
}

static inline str_t tail_text(const char *text)
{
    return str_make(text, strlen(text));
}

/* reader.c: reads on in one file; whether something was left to do there. */
bool tail_read(struct tail *tail, struct tail_file *file);

/* Shows the format what lies before the file's offset. */
void tail_remember(struct tail *tail, struct tail_file *file);

/* follow.c: looks at the patterns. */
void tail_scan(struct tail *tail);
struct tail_file *tail_find(const struct tail *tail, uint64_t device, uint64_t inode);

/* A file to read; takes the descriptor. NULL when it is read already, or memory is out. It has no position yet. */
struct tail_file *tail_add(struct tail *tail, const char *path, str_t host, int fd);

/* Begins to read the file at `offset`, with the position that is known or a new one. */
bool tail_begin(struct tail *tail, struct tail_file *file, uint64_t offset);

/* Looks at the file's size and whether it was cut; false when there is nothing to read from. */
bool tail_refresh(struct tail *tail, struct tail_file *file);
void tail_close_file(struct tail_file *file);
void tail_free_file(struct tail_file *file);

/* Forgets files that are gone and read. */
void tail_drop_done(struct tail *tail);

/* Moves the position to the file's offset as it is, through the entries in flight. */
void tail_mark(struct tail *tail, struct tail_file *file);
void tail_settle(struct tail *tail);

/* What is looked for beside a path: the rest of a file that was read up to `offset`. */
struct tail_lost {
    const char *path;
    str_t host;
    const struct file_identity *identity;
    uint64_t offset;
    int64_t modified_ms;
    bool cut;             /* its bytes are in a copy, if anywhere */
    struct tail_file *file; /* that was cut: what of it is in flight is the copy's then, */
    uint32_t generation;  /* with this generation, */
    uint64_t acked;       /* and is acknowledged up to here */
    uint64_t now_inode;   /* of what is at the path by now; 0: nothing */
    bool open;            /* it is being read; only younger files are looked for */
    struct file_position *position; /* of it; NULL when that goes on with the file at the path */
};

/* rotated.c: looks for the rest and for younger files that nobody read, and adds them. */
void tail_find_rest(struct tail *tail, const struct tail_lost *lost);

enum copy_kind {
    NO_COPY,
    COPY_OF_LIVE, /* of a file that is followed, so it holds nothing new until that one is cut */
    MAY_BECOME_COPY, /* somebody may be copying now: it is too short to tell */
    COPY_OF_READ  /* of one that is no longer there */
};

/* Whether the file, at first sight, is a copy of one that is known, packed or not; *offset is how far that one was read. */
enum copy_kind tail_is_copy(struct tail *tail, int fd, bool packed, uint64_t *offset);

#endif
