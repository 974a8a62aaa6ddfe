/*
 * Which files a source means: shell patterns over the folders of many hosts, `/logs/{host}/impalad.INFO*`. `{host}` stands for one or more
 * characters that are no `/`, and says which host a file is of.
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

/* Whether the text fits the pattern; *host (may be NULL) is what stood at `{host}`. `*` and `?` do not cross a `/`. */
bool scan_matches(str_t pattern, str_t path, str_t *host);

/* Looks at the file system. All is in the arena; regular files only, the oldest first, each file (device and inode) once. */
bool scan_run(struct scan *scan, const struct config_list *patterns, const struct config_list *exclude, struct arena *arena);

#endif
