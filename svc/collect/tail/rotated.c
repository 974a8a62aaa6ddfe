/*
 * Where the rest of a file went that is no longer what it was. Rotation by rename: the same inode under another name of the folder.
 * By copy and truncate: another file that begins with the same bytes, packed or not. And between the last look and now there may have been
 * more rotations than one: files beside it, younger than it, that nobody knows.
 */
#include "collect/tail/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    REST_LOOKS = 5,
    YOUNGER_LOOKS = 2
};

/* A file beside the lost one. */
struct beside {
    char path[4096];
    const char *name;
    struct stat status;
    int fd;
    bool packed;
};

static bool is_same(const struct beside *b, const struct file_identity *identity)
{
    return (uint64_t)b->status.st_ino == identity->inode && (uint64_t)b->status.st_dev == identity->device &&
           identity_holds(b->fd, identity);
}

/* Whether what the archive unpacks to begins with the same bytes. */
static bool packs_copy(int fd, const struct file_identity *identity)
{
    char head[HEAD_MAX];
    size_t got = 0;
    bool ended;
    struct gunzip *gunzip = identity->head_len < HEAD_TELLING || identity->head_len > HEAD_MAX ? NULL : gunzip_open(fd);
    if (gunzip == NULL)
        return false;
    gunzip_read(gunzip, 0, head, identity->head_len, &got, &ended);
    gunzip_close(gunzip);
    return got == identity->head_len && head_hash(str_make(head, got)) == identity->head_hash;
}

static bool is_copy(const struct beside *b, const struct tail_lost *lost)
{
    if (b->packed)
        return packs_copy(b->fd, lost->identity);
    return (uint64_t)b->status.st_size >= lost->offset && identity_is_copy(b->fd, lost->identity);
}

/* The file goes by the name that it had: there it is looked for again after a restart. */
static void keep_name(struct tail_file *file, const char *path)
{
    char *copy = file->archive ? NULL : strdup(path);
    if (copy == NULL)
        return;
    free(file->path);
    file->path = copy;
}

/* Reads on in the file beside; takes its descriptor. NULL when it is read already or cannot be. */
static struct tail_file *read_on(struct tail *tail, struct beside *b, const struct tail_lost *lost, uint64_t offset, bool same)
{
    struct tail_file *file = tail_find(tail, (uint64_t)b->status.st_dev, (uint64_t)b->status.st_ino);
    if (file != NULL && !file->copy && !file->undecided)
        return NULL;
    if (file == NULL) {
        file = tail_add(tail, b->path, lost->host, b->fd);
        b->fd = -1;
        if (file == NULL)
            return NULL;
        file->seen = false;
        keep_name(file, lost->path);
    }
    file->rotated = !file->seen;
    if (same)
        file->position = lost->position;
    if (!tail_begin(tail, file, offset)) {
        file->broken = file->done = true;
        return NULL;
    }
    log_say(tail->base.output.log, LOG_LEVEL_INFO, "capture.rotated", tail_text(lost->path), "its rest is read from %s, byte %llu",
            b->path, (unsigned long long)offset);
    return file;
}

/* What was read before the cut and is not acknowledged must be read again in the copy, should there be a crash before it is. */
static void take_over(struct tail *tail, struct tail_file *copy, const struct tail_lost *lost)
{
    uint32_t moved = inflight_move(&tail->inflight, lost->file, lost->generation, copy, copy->generation);
    copy->waiting += moved;
    lost->file->waiting -= moved;
    copy->position->offset = copy->marked = lost->acked;
}

/* `impalad` of `impalad.INFO`: what names of rotated files begin with. */
static str_t stem_of(const char *name)
{
    str_t whole = tail_text(name);
    size_t dot = str_find(whole, '.', 1);
    return str_make(name, dot);
}

static bool open_beside(struct beside *b, const char *folder, const char *name)
{
    int len = snprintf(b->path, sizeof b->path, "%s/%s", folder, name);
    if (len <= 0 || (size_t)len >= sizeof b->path)
        return false;
    b->name = name;
    b->fd = open(b->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (b->fd < 0)
        return false;
    b->packed = str_ends_with(tail_text(name), STR(".gz"));
    if (fstat(b->fd, &b->status) == 0 && S_ISREG(b->status.st_mode))
        return true;
    close(b->fd);
    return false;
}

static int64_t modified_ms(const struct stat *status)
{
    return (int64_t)status->st_mtim.tv_sec * 1000 + status->st_mtim.tv_nsec / 1000000;
}

/* `app.log.1`, `app.log-20260315`: a file that had this name before. */
static bool is_former(const char *name, str_t base)
{
    size_t len = strlen(name);
    return len > base.len && memcmp(name, base.ptr, base.len) == 0 && memchr(".-_", name[base.len], 3) != NULL;
}

/* `impalad.h.log.INFO` of `impalad.h.log.INFO.20260315-142200.4711`: what files have in common that a symlink led to. */
static str_t without_numbers(const char *name)
{
    size_t len = strlen(name);
    while (len > 0 && strchr("0123456789.-_", name[len - 1]) != NULL)
        len--;
    return str_make(name, len);
}

struct search {
    struct tail *tail;
    const struct tail_lost *lost;
    const char *folder, *base;
    str_t target; /* what names of files have in common that the path, a symlink, led to; else empty */
    bool found;
};

static bool is_unread_younger(struct tail *tail, const struct beside *b, const struct search *search)
{
    int64_t than_ms = search->lost->modified_ms;
    uint64_t device = (uint64_t)b->status.st_dev, inode = (uint64_t)b->status.st_ino, offset;
    bool former = is_former(b->name, tail_text(search->base)) ||
                  (search->target.len > 0 && is_former(b->name, search->target));
    return !b->packed && than_ms > 0 && former && modified_ms(&b->status) >= than_ms &&
           tail_find(tail, device, inode) == NULL &&
           checkpoint_find(tail->options.checkpoint, tail->source_name, device, inode) == NULL &&
           tail_is_copy(tail, b->fd, false, &offset) == NO_COPY;
}

/* Calls visit for each file that may have come from the lost one. */
static void each_beside(struct search *search, void (*visit)(struct search *, struct beside *))
{
    DIR *folder = opendir(search->folder);
    if (folder == NULL)
        return;
    str_t stem = stem_of(search->base);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        struct beside b = {.fd = -1};
        if (!str_starts_with(tail_text(entry->d_name), stem) || !open_beside(&b, search->folder, entry->d_name))
            continue;
        bool current = (uint64_t)b.status.st_ino == search->lost->now_inode;
        if (!current)
            visit(search, &b);
        if (b.fd >= 0)
            close(b.fd);
    }
    closedir(folder);
}

static void visit_rest(struct search *search, struct beside *b)
{
    const struct tail_lost *lost = search->lost;
    if (search->found)
        return;
    bool same = !lost->cut && is_same(b, lost->identity) && (uint64_t)b->status.st_size >= lost->offset;
    if (!same && !is_copy(b, lost))
        return;
    search->found = true;
    struct tail_file *file = read_on(search->tail, b, lost, lost->offset, same);
    if (file != NULL && lost->file != NULL)
        take_over(search->tail, file, lost);
}

static void visit_younger(struct search *search, struct beside *b)
{
    if (is_unread_younger(search->tail, b, search))
        (void)read_on(search->tail, b, search->lost, 0, false);
}

static void say_lost(struct tail *tail, const struct tail_lost *lost)
{
    if (lost->cut)
        return; /* cut without a copy is what somebody wanted */
    metric_add(tail->lost, 1);
    log_say(tail->base.output.log, LOG_LEVEL_WARNING, "capture.vanished", tail_text(lost->path),
            "the file that was read up to byte %llu is gone; what was written to it after that cannot be read",
            (unsigned long long)lost->offset);
    lost->position->finished = true;
    tail->options.checkpoint->dirty = true;
}

/* A list of names misses a file that is renamed meanwhile, as all are when a daemon counts its old logs up: so it is gone through again. */
static void search_folder(struct search *search)
{
    for (int look = 0; look < REST_LOOKS && !search->lost->open && !search->found; look++)
        each_beside(search, visit_rest);
    for (int look = 0; look < YOUNGER_LOOKS; look++)
        each_beside(search, visit_younger);
}

/* What was asked for may lie in what changes on the way: the search works on copies. */
void tail_find_rest(struct tail *tail, const struct tail_lost *asked)
{
    const struct file_identity identity = *asked->identity;
    char *path = strdup(asked->path), *folder = strdup(asked->path), *name = strdup(asked->path);
    char target[4096];
    ssize_t len = readlink(asked->path, target, sizeof target - 1);
    target[len > 0 ? len : 0] = '\0';
    if (path != NULL && folder != NULL && name != NULL) {
        struct tail_lost lost = *asked;
        lost.path = path;
        lost.identity = &identity;
        struct search search = {tail, &lost, dirname(folder), basename(name), without_numbers(basename(target)), false};
        if (len <= 0)
            search.target = STR("");
        search_folder(&search);
        if (!search.found && !lost.open)
            say_lost(tail, &lost);
    }
    free(path);
    free(folder);
    free(name);
}

static bool same_head(int fd, bool packed, const struct file_identity *identity)
{
    return packed ? packs_copy(fd, identity) : identity_is_copy(fd, identity);
}

enum copy_kind tail_is_copy(struct tail *tail, int fd, bool packed, uint64_t *offset)
{
    for (size_t i = 0; i < tail->file_count; i++) {
        const struct tail_file *file = tail->files[i];
        if (file->position == NULL || file->archive || file->rotated)
            continue;
        *offset = file->offset;
        if (same_head(fd, packed, &file->position->identity))
            return COPY_OF_LIVE;
        if (!packed && file->fd >= 0 && identity_may_become_copy(fd, file->fd, &file->position->identity))
            return MAY_BECOME_COPY;
    }
    *offset = 0;
    const struct checkpoint *cp = tail->options.checkpoint;
    for (size_t i = 0; i < cp->count; i++) {
        const struct file_position *p = cp->items[i];
        if (strcmp(p->source, tail->source_name) != 0 || !same_head(fd, packed, &p->identity))
            continue;
        *offset = p->offset;
        return COPY_OF_READ;
    }
    return NO_COPY;
}
