/*
 * Which files are read. The patterns are looked at every second and whenever a folder changed; a file is known by device and
 * inode, so a new name changes nothing. What is no longer found is read to its end and then forgotten.
 */
#include "collect/tail/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the list --------------------------------------------------------------------------------------------------- */

static struct id128 inode_key(uint64_t device, uint64_t inode)
{
    return (struct id128){device, inode};
}

struct tail_file *tail_find(const struct tail *tail, uint64_t device, uint64_t inode)
{
    const struct id_entry *entry = id_table_find(&tail->by_inode, inode_key(device, inode));
    return entry == NULL ? NULL : tail->files[entry->user];
}

static struct tail_host *new_host(struct tail *tail, str_t name)
{
    struct tail_host *host = calloc(1, sizeof *host);
    char *copy = strndup(name.ptr, name.len);
    if (host == NULL || copy == NULL) {
        free(host);
        free(copy);
        return NULL;
    }
    host->name = str_make(copy, name.len);
    host->format = format_new(tail->format_ops, tail->options.zone);
    struct metrics *metrics = tail->base.output.metrics;
    host->skew = metrics_gauge(metrics, "colline_capture_clock_skew_seconds", "How far a host's log is ahead of this clock",
                               METRIC_LABELS({"source", tail_text(tail->source_name)}, {"host", name}));
    host->lag = metrics_gauge(metrics, "colline_capture_lag_seconds", "Age of the newest record of a host when it was read",
                              METRIC_LABELS({"source", tail_text(tail->source_name)}, {"host", name}));
    return host;
}

static struct tail_host *host_named(struct tail *tail, str_t name)
{
    for (size_t i = 0; i < tail->host_count; i++)
        if (str_eq(tail->hosts[i]->name, name))
            return tail->hosts[i];
    if (tail->host_count == tail->host_capacity) {
        size_t capacity = tail->host_capacity == 0 ? 8 : tail->host_capacity * 2;
        struct tail_host **hosts = realloc(tail->hosts, capacity * sizeof *hosts);
        if (hosts == NULL)
            return NULL;
        tail->hosts = hosts;
        tail->host_capacity = capacity;
    }
    struct tail_host *host = new_host(tail, name);
    if (host != NULL)
        tail->hosts[tail->host_count++] = host;
    return host != NULL && host->format != NULL ? host : NULL;
}

void tail_close_file(struct tail_file *file)
{
    gunzip_close(file->gunzip);
    file->gunzip = NULL;
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

void tail_free_file(struct tail_file *file)
{
    tail_close_file(file);
    if (file->position != NULL)
        file->position->in_use = false;
    free(file->path);
    free(file->former);
    free(file);
}

static bool list_file(struct tail *tail, struct tail_file *file, const struct stat *status)
{
    if (tail->file_count == tail->file_capacity) {
        size_t capacity = tail->file_capacity == 0 ? 16 : tail->file_capacity * 2;
        struct tail_file **files = realloc(tail->files, capacity * sizeof *files);
        if (files == NULL)
            return false;
        tail->files = files;
        tail->file_capacity = capacity;
    }
    file->device = (uint64_t)status->st_dev;
    file->inode = (uint64_t)status->st_ino;
    struct id_entry *entry = id_table_add(&tail->by_inode, inode_key(file->device, file->inode));
    if (entry == NULL)
        return false;
    entry->user = (uint32_t)tail->file_count;
    tail->files[tail->file_count++] = file;
    return true;
}

static void watch_folder(struct tail *tail, const char *path)
{
    char *copy = strdup(path);
    if (copy != NULL && !tail->watch->ops->add(tail->watch, dirname(copy)))
        log_say(tail->base.output.log, LOG_LEVEL_WARNING, "capture.watch", tail_text(path),
                "the folder cannot be watched (%s); it is looked at twice a second", strerror(errno));
    free(copy);
}

static int64_t modified_ms(const struct stat *status)
{
    return (int64_t)status->st_mtim.tv_sec * 1000 + status->st_mtim.tv_nsec / 1000000;
}

static bool is_archive(const char *path)
{
    return str_ends_with(tail_text(path), STR(".gz"));
}

struct tail_file *tail_add(struct tail *tail, const char *path, str_t host, int fd)
{
    struct stat status;
    struct tail_file *file = calloc(1, sizeof *file);
    struct tail_host *named = host_named(tail, host.len > 0 ? host : tail_text(tail->machine));
    if (file != NULL)
        file->fd = fd;
    bool ok = file != NULL && named != NULL && (file->path = strdup(path)) != NULL && fstat(fd, &status) == 0 &&
              tail_find(tail, (uint64_t)status.st_dev, (uint64_t)status.st_ino) == NULL;
    if (ok && is_archive(path)) {
        file->archive = true;
        ok = (file->gunzip = gunzip_open(fd)) != NULL;
    }
    if (!ok || !list_file(tail, file, &status)) {
        if (file != NULL)
            tail_free_file(file);
        return NULL;
    }
    file->host = named;
    file->size = (uint64_t)status.st_size;
    file->grew_at = file->looked_at = tail_steady(tail);
    file->seen = true;
    watch_folder(tail, path);
    char *real = realpath(path, NULL);
    if (real != NULL)
        watch_folder(tail, real);
    free(real);
    return file;
}

bool tail_begin(struct tail *tail, struct tail_file *file, uint64_t offset)
{
    struct file_identity identity;
    struct stat status;
    struct checkpoint *cp = tail->options.checkpoint;
    struct file_position *p = file->position;
    bool known = p != NULL && offset > 0; /* what the offset is of must not change under it */
    if (known)
        identity = p->identity;
    if ((!known && !identity_read(file->fd, &identity)) || fstat(file->fd, &status) != 0)
        return false;
    if (p == NULL && (p = checkpoint_find(cp, tail->source_name, identity.device, identity.inode)) != NULL)
        p->file_id = 0;
    if (p == NULL)
        p = checkpoint_add(cp, tail->source_name, file->path, &identity);
    if (p == NULL || !checkpoint_rename(p, file->path))
        return false;
    p->identity = identity;
    if (p->file_id == 0)
        p->file_id = identity_id(&identity, p->truncations);
    p->in_use = true;
    p->finished = false;
    p->offset = file->offset = file->marked = offset;
    p->seen_ms = clock_now(tail->base.output.clock);
    p->modified_ms = modified_ms(&status);
    cp->dirty = true;
    file->position = p;
    file->generation = p->truncations;
    file->half = 0;
    file->skipping = file->done = file->copy = file->undecided = false;
    file->remembered = offset == 0;
    if (file->host->current == file)
        file->host->current = NULL;
    return true;
}

void tail_drop_done(struct tail *tail)
{
    size_t kept = 0;
    for (size_t i = 0; i < tail->file_count; i++) {
        struct tail_file *file = tail->files[i];
        bool gone = file->done && !file->seen && file->waiting == 0;
        if (file->done && file->waiting == 0 && file->position != NULL && !file->position->finished) {
            file->position->finished = true;
            tail->options.checkpoint->dirty = true;
            tail_close_file(file);
        }
        if (!gone) {
            tail->files[kept++] = file;
            continue;
        }
        if (file->host->current == file)
            file->host->current = NULL;
        tail_free_file(file);
    }
    if (kept == tail->file_count)
        return;
    tail->file_count = kept;
    id_table_release(&tail->by_inode);
    for (size_t i = 0; i < kept; i++) {
        struct id_entry *entry = id_table_add(&tail->by_inode, inode_key(tail->files[i]->device, tail->files[i]->inode));
        if (entry != NULL)
            entry->user = (uint32_t)i;
    }
}

/* ---- one file --------------------------------------------------------------------------------------------------- */

/* The file was cut and begun anew: what was unread of it may be in a copy beside it. */
static void was_cut(struct tail *tail, struct tail_file *file, const struct stat *status)
{
    const struct file_identity before = file->position->identity;
    const struct tail_lost lost = {
        .path = file->path,
        .host = file->host->name,
        .identity = &before,
        .offset = file->offset,
        .modified_ms = file->position->modified_ms,
        .cut = true,
        .file = file,
        .generation = file->generation,
        .acked = file->position->offset,
        .now_inode = (uint64_t)status->st_ino,
    };
    metric_add(tail->rotations, 1);
    file->position->truncations++;
    file->position->file_id = 0;
    file->backfill_end = 0;
    tail_begin(tail, file, 0);
    tail_find_rest(tail, &lost);
}

/* Whether it is still the file that was read; the head of a young one grows with it. */
static bool is_still(struct tail *tail, struct tail_file *file)
{
    uint32_t before = file->position->identity.head_len;
    bool same = identity_renew(file->fd, &file->position->identity);
    tail->options.checkpoint->dirty |= file->position->identity.head_len != before;
    return same;
}

/* What is at the path by now, when it is another file. */
static uint64_t other_inode(const char *path, uint64_t inode)
{
    struct stat status;
    return stat(path, &status) == 0 && (uint64_t)status.st_ino != inode ? (uint64_t)status.st_ino : 0;
}

/* Since the last look the file may have been rotated away more than once. */
static void find_younger(struct tail *tail, const struct tail_file *file, int64_t than_ms)
{
    const struct tail_lost lost = {
        .path = file->path,
        .host = file->host->name,
        .identity = &file->position->identity,
        .offset = file->offset,
        .modified_ms = than_ms,
        .now_inode = other_inode(file->path, file->inode),
        .open = true,
    };
    tail_find_rest(tail, &lost);
}

/* Whether the new file is a copy of one that is followed; else it is read. A file that grows no more is what it is. */
static bool decide(struct tail *tail, struct tail_file *file, bool grows_no_more)
{
    uint64_t offset = 0;
    enum copy_kind kind = tail_is_copy(tail, file->fd, file->archive, &offset);
    file->undecided = kind == MAY_BECOME_COPY && !grows_no_more && !tail->options.once;
    file->copy = kind == COPY_OF_LIVE;
    file->offset = offset;
    if (file->copy || file->undecided)
        return true;
    return tail_begin(tail, file, kind == COPY_OF_READ ? offset : 0);
}

/* Looks again at a file that was too short to tell; whether it can be read. */
static bool decide_again(struct tail *tail, struct tail_file *file)
{
    struct stat status;
    if (fstat(file->fd, &status) != 0)
        return false;
    if ((uint64_t)status.st_size != file->size) {
        file->size = (uint64_t)status.st_size;
        file->grew_at = tail_steady(tail);
    }
    if (!decide(tail, file, file->size > 0 && tail_steady(tail) - file->grew_at >= ROTATED_MS))
        file->broken = file->done = true;
    return !file->undecided && !file->copy && !file->done;
}

bool tail_refresh(struct tail *tail, struct tail_file *file)
{
    struct stat status;
    if (file->fd < 0 || file->done || file->copy || file->broken)
        return false;
    if (file->undecided && !decide_again(tail, file))
        return false;
    if (file->archive)
        return true;
    if (fstat(file->fd, &status) != 0)
        return false;
    uint64_t size = (uint64_t)status.st_size;
    bool written = status.st_mtim.tv_sec != file->written.tv_sec || status.st_mtim.tv_nsec != file->written.tv_nsec;
    if (size != file->size || written) {
        file->grew_at = tail_steady(tail);
        file->size = size;
        file->written = status.st_mtim;
        bool young = file->position->identity.head_len < HEAD_TELLING;
        int64_t modified = file->position->modified_ms;
        if (size < file->offset || !is_still(tail, file))
            was_cut(tail, file, &status);
        if (young) /* then it may have been cut without a trace: what was in it lies beside it, unread */
            find_younger(tail, file, modified);
        file->position->modified_ms = modified_ms(&status);
    }
    return true;
}

/* ---- scanning --------------------------------------------------------------------------------------------------- */

static int open_file(struct tail *tail, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno != ENOENT)
        log_say(tail->base.output.log, LOG_LEVEL_ERROR, "capture.unreadable", tail_text(path),
                "%s; give the user that runs this the right to read it (group or ACL)", strerror(errno));
    return fd;
}

/* Where the last whole line of the file ends. */
static uint64_t end_of_lines(int fd, uint64_t size)
{
    char bytes[65536];
    uint64_t from = size > sizeof bytes ? size - sizeof bytes : 0;
    ssize_t got = pread(fd, bytes, sizeof bytes, (off_t)from);
    const char *hit = got <= 0 ? NULL : memrchr(bytes, '\n', (size_t)got);
    return hit == NULL ? (from == 0 ? 0 : size) : from + (uint64_t)(hit - bytes) + 1;
}

static bool fills_back(const struct tail *tail)
{
    return tail->options.from_beginning || tail->options.source->from_beginning || tail->options.since_ms > 0;
}

/* A file with a position: on from there, unless it was cut meanwhile. */
static bool resume(struct tail *tail, struct tail_file *file, struct file_position *p)
{
    file->position = p;
    p->in_use = true;
    uint64_t offset = p->offset;
    if (!file->archive && (file->size < offset || !identity_renew(file->fd, &p->identity))) {
        struct stat status;
        file->offset = offset;
        if (fstat(file->fd, &status) == 0)
            was_cut(tail, file, &status);
        return true;
    }
    bool finished = p->finished && file->archive;
    int64_t modified = p->modified_ms;
    bool ok = tail_begin(tail, file, offset);
    if (ok && !file->archive)
        find_younger(tail, file, modified);
    if (finished) {
        file->done = p->finished = true;
        tail_close_file(file);
    }
    return ok;
}

/* Whether what is in it was there before we came; what was begun while we were down is as live as what we go on with. */
static bool is_old(const struct tail *tail, const struct tail_file *file)
{
    struct stat status;
    return fstat(file->fd, &status) == 0 && (tail->left_at == INT64_MAX || modified_ms(&status) < tail->left_at - COARSE_MS);
}

static bool begin_new(struct tail *tail, struct tail_file *file)
{
    bool first_look = !tail->scanned_once;
    bool skip = tail->first_start && first_look && !fills_back(tail) && !tail->options.once && !file->archive;
    if (skip)
        return tail_begin(tail, file, end_of_lines(file->fd, file->size));
    if (fills_back(tail) && first_look && is_old(tail, file))
        file->backfill_end = file->size;
    return decide(tail, file, false);
}

/*
 * Opens what was found, if it still is what stands at its path: a symlink may have moved since. Else -1, and it is looked for again soon.
 */
static int open_found(struct tail *tail, const struct scanned *found)
{
    struct stat status;
    int fd = open_file(tail, found->path);
    if (fd < 0 || (fstat(fd, &status) == 0 && status.st_ino == found->status.st_ino && status.st_dev == found->status.st_dev))
        return fd;
    close(fd);
    tail->scan_due = true;
    return -1;
}

static void meet(struct tail *tail, const struct scanned *found)
{
    bool archive = is_archive(found->path);
    if (archive && !tail->archives)
        return;
    if (tail->options.since_ms > 0 && (int64_t)found->status.st_mtim.tv_sec * 1000 < tail->options.since_ms)
        return;
    int fd = open_found(tail, found);
    struct tail_file *file = fd < 0 ? NULL : tail_add(tail, found->path, found->host, fd);
    if (file == NULL)
        return;
    /* By the file that was opened: since it was scanned, another one may have come to its path. */
    struct file_position *p = checkpoint_find(tail->options.checkpoint, tail->source_name, file->device, file->inode);
    bool ok = p != NULL ? resume(tail, file, p) : begin_new(tail, file);
    if (!ok)
        file->broken = file->done = true;
    log_say(tail->base.output.log, LOG_LEVEL_INFO, "capture.follow", tail_text(found->path), "read from byte %llu of %llu",
            (unsigned long long)file->offset, (unsigned long long)file->size);
}

/* A file that is known already: its name, and whether it is worth being open. */
static void meet_again(struct tail *tail, struct tail_file *file, const struct scanned *found)
{
    uint64_t size = (uint64_t)found->status.st_size;
    file->seen = true;
    if (file->position != NULL) {
        file->position->seen_ms = clock_now(tail->base.output.clock);
        if (strcmp(file->path, found->path) != 0) {
            char *copy = strdup(found->path);
            if (copy != NULL) {
                free(file->former);
                file->former = file->path;
                file->path = copy;
            }
            checkpoint_rename(file->position, found->path);
            tail->options.checkpoint->dirty = true;
        }
    }
    if (file->rotated && !file->done)
        file->rotated = false;
    if (file->archive || file->copy || file->undecided || file->broken)
        return;
    bool idle = file->offset >= size && file->waiting == 0 && tail_steady(tail) - file->grew_at >= PARK_MS;
    if (file->fd < 0 && size != file->size) {
        file->done = false;
        file->fd = open_found(tail, found);
    } else if (file->fd >= 0 && idle && tail->file_count > 64) {
        tail_close_file(file);
    }
}

static void mark_missing(struct tail *tail)
{
    for (size_t i = 0, count = tail->file_count; i < count; i++) {
        struct tail_file *file = tail->files[i];
        if (file->seen || file->rotated)
            continue;
        file->rotated = true;
        file->grew_at = tail_steady(tail);
        metric_add(tail->rotations, 1);
        if (file->fd < 0 || file->copy || file->undecided)
            file->done = true;
        else if (!file->archive)
            find_younger(tail, file, file->position->modified_ms);
    }
}

/* Positions of the last run whose files are at no path of the patterns. */
static void find_strays(struct tail *tail)
{
    struct checkpoint *cp = tail->options.checkpoint;
    int64_t now = clock_now(tail->base.output.clock);
    for (size_t i = 0; i < cp->count; i++) {
        struct file_position *p = cp->items[i];
        if (p->in_use || strcmp(p->source, tail->source_name) != 0)
            continue;
        if (!p->finished) {
            const struct tail_lost lost = {
                .path = p->path,
                .host = scan_host_of(tail->options.source, tail_text(p->path), &tail->scan_arena),
                .identity = &p->identity,
                .offset = p->offset,
                .modified_ms = p->modified_ms,
                .now_inode = other_inode(p->path, p->identity.inode),
                .position = p,
            };
            tail_find_rest(tail, &lost);
        }
        if (!p->in_use && p->seen_ms + FORGET_MS < now)
            checkpoint_drop(cp, cp->items[i--]);
    }
}

enum meeting {
    WITH_POSITION, /* files that were read before */
    PLAIN,
    ARCHIVES       /* last: they may hold what others hold */
};

static void meet_all(struct tail *tail, const struct scan *scan, enum meeting which)
{
    for (uint32_t i = 0; i < scan->files.count; i++) {
        const struct scanned *found = &scan->files.items[i];
        uint64_t device = (uint64_t)found->status.st_dev, inode = (uint64_t)found->status.st_ino;
        struct tail_file *file = tail_find(tail, device, inode);
        bool wanted = which == WITH_POSITION
                          ? checkpoint_find(tail->options.checkpoint, tail->source_name, device, inode) != NULL
                          : is_archive(found->path) == (which == ARCHIVES);
        if (wanted && file != NULL)
            meet_again(tail, file, found);
        else if (wanted)
            meet(tail, found);
    }
}

void tail_scan(struct tail *tail)
{
    struct scan scan;
    arena_clear(&tail->scan_arena);
    tail->scan_due = false;
    tail->scanned_at = tail_steady(tail);
    if (!scan_run(&scan, tail->options.source, &tail->scan_arena))
        return;
    for (size_t i = 0; i < tail->file_count; i++)
        tail->files[i]->seen = false;
    if (!tail->scanned_once) {
        meet_all(tail, &scan, WITH_POSITION);
        find_strays(tail);
    }
    meet_all(tail, &scan, PLAIN);
    meet_all(tail, &scan, ARCHIVES);
    mark_missing(tail);
    if (scan.files.count == 0 && !tail->no_file_said) {
        log_say(tail->base.output.log, LOG_LEVEL_WARNING, "capture.no_files", tail_text(tail->source_name),
                "no file fits the source's paths yet; they are looked for every second");
        tail->no_file_said = true;
    }
    tail->scanned_once = true;
    metric_set(tail->file_gauge, (double)tail->file_count);
}
