/*
 * Which files a source means: shell patterns over the folders of many hosts, or folders with the files in them. What the stars of a
 * pattern stood for may name the host: the pattern `/logs/impala-*.log` with the host `{1}`.
 */
#ifndef COLLINE_COLLECT_TAIL_SCAN_H
#define COLLINE_COLLECT_TAIL_SCAN_H

#include "base/arena.h"
#include "config/config.h"

#include <sys/stat.h>

struct scanned {
    const char *path; /* NUL-terminated */
    str_t host;       /* empty: the pattern does not say */
    struct stat status; /* symlinks followed */
};

struct scan {
    VEC(struct scanned) files;
};

enum {
    STARS_MAX = 9
};

/* What the stars of a pattern stood for, the first ones. */
struct stars {
    str_t items[STARS_MAX];
    size_t count;
};

/* Whether the path fits the pattern; *stars may be NULL. `*` and `?` do not cross a `/`. */
bool scan_matches(str_t pattern, str_t path, struct stars *stars);

/* `{1}`-`{9}` in the template replaced by stars; in the arena. */
str_t scan_host(str_t template, const struct stars *stars, struct arena *arena);

/* Looks at the file system. All is in the arena; regular files only, the oldest first, each file (device and inode) once. */
bool scan_run(struct scan *scan, const struct config_source *source, struct arena *arena);

/* The host of a path that fits one of the source's patterns, else the template's text where it needs no stars. */
str_t scan_host_of(const struct config_source *source, str_t path, struct arena *arena);

#endif
