/* What capture keeps on disk. */
#include "doctor/folder.h"

#include "collect/checkpoint.h"
#include "doctor/access.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SHOWN(text) (int)(text).len, (text).ptr

enum {
    PATH_SIZE = 4096,
    SHOWN_MAX = 5,
    MIB = 1 << 20,
    LITTLE_MIB = 1024, /* free on the disk, without a broker */
    NO_MIB = 100
};

struct folder {
    const struct config *config;
    const struct clock *clock;
    struct findings *findings;
    char path[PATH_SIZE], spool[PATH_SIZE];
    str_t about;
    uint64_t spool_bytes;
};

static bool writable(const char *path)
{
    return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0;
}

/* ---- whose it is ------------------------------------------------------------------------------------------------ */

/* What this user may do is what the service may do only if it is the service's user. */
static void check_user(struct folder *folder)
{
    struct access_user me, owner;
    struct stat status;
    access_me(&me);
    if (stat(folder->path, &status) != 0 || status.st_uid == me.id) {
        finding_add(folder->findings, FINDING_OK, "user", STR(""), "looks as %s", me.shown);
        return;
    }
    access_user_of(status.st_uid, &owner);
    finding_add(folder->findings, FINDING_WARN, "user", STR(""), "looks as %s, but %s belongs to %s", me.shown, folder->path, owner.shown);
    finding_todo(folder->findings, "what the service may read is seen as its user only: runuser -u %s -- colline doctor -c %.*s", owner.name,
                 SHOWN(folder->config->path));
}

/* The nearest folder above that is there. */
static void find_above(const char *path, char above[static PATH_SIZE])
{
    struct stat status;
    (void)snprintf(above, PATH_SIZE, "%s", path);
    while (stat(above, &status) != 0) {
        char *slash = strrchr(above, '/');
        if (slash == NULL || slash == above) {
            (void)snprintf(above, PATH_SIZE, "%s", slash == NULL ? "." : "/");
            return;
        }
        *slash = '\0';
    }
}

/* Whether the folder is there; one that is not yet is made by the service, where it may. */
static bool check_folder(struct folder *folder)
{
    char above[PATH_SIZE];
    struct stat status;
    if (stat(folder->path, &status) == 0) {
        if (writable(folder->path))
            return true;
        finding_add(folder->findings, FINDING_FAIL, "data", folder->about, "this user may not write there: no position would be kept");
        finding_todo(folder->findings, "chown the folder to the user of the service");
        return false;
    }
    find_above(folder->path, above);
    if (writable(above)) {
        finding_add(folder->findings, FINDING_OK, "data", folder->about, "is not there yet: it is made at the first start");
        return false;
    }
    finding_add(folder->findings, FINDING_FAIL, "data", folder->about, "is not there, and this user may not make it");
    finding_todo(folder->findings, "make it and chown it to the user of the service: install -d -m 0750 -o colline -g colline %s", folder->path);
    return false;
}

/* ---- positions -------------------------------------------------------------------------------------------------- */

/* A position behind the end of its file: the file was cut, and is read from its beginning. */
static bool is_ahead(const struct file_position *position, uint64_t *size)
{
    struct stat status;
    if (stat(position->path, &status) != 0 || (uint64_t)status.st_ino != position->identity.inode)
        return false;
    *size = (uint64_t)status.st_size;
    return position->offset > *size && !position->finished;
}

static void check_offsets(struct folder *folder, const struct checkpoint *checkpoint)
{
    size_t ahead = 0;
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct file_position *position = checkpoint->items[i];
        uint64_t size = 0;
        if (!is_ahead(position, &size) || ++ahead > SHOWN_MAX)
            continue;
        finding_add(folder->findings, FINDING_WARN, "positions", folder->about, "%s: read up to byte %llu, but has %llu bytes", position->path,
                    (unsigned long long)position->offset, (unsigned long long)size);
        finding_todo(folder->findings, "it was cut: it is read from its beginning; rotate by renaming, which loses nothing");
    }
    if (ahead > SHOWN_MAX)
        finding_add(folder->findings, FINDING_WARN, "positions", folder->about, "%zu more files are shorter than what was read of them",
                    ahead - SHOWN_MAX);
    if (ahead == 0)
        finding_add(folder->findings, FINDING_OK, "positions", folder->about, "of %zu %s", checkpoint->count,
                    checkpoint->count == 1 ? "file" : "files");
}

static void check_positions(struct folder *folder)
{
    char path[PATH_SIZE + 32];
    (void)snprintf(path, sizeof path, "%s/positions.json", folder->path);
    struct checkpoint *checkpoint = checkpoint_look(path, folder->clock);
    if (checkpoint == NULL) {
        folder->findings->failed = true;
    } else if (checkpoint->fresh) {
        finding_add(folder->findings, FINDING_OK, "positions", folder->about, "none yet: nothing was captured so far");
    } else if (checkpoint->damaged) {
        finding_add(folder->findings, FINDING_FAIL, "positions", folder->about, "positions.json cannot be read");
        finding_todo(folder->findings, "put it back from a backup, or start: it is put aside then, and everything is read from its beginning");
    } else {
        check_offsets(folder, checkpoint);
    }
    checkpoint_close(checkpoint);
}

/* ---- spool ------------------------------------------------------------------------------------------------------ */

static void check_mode(struct folder *folder, const char *path, mode_t mode, mode_t wanted)
{
    if ((mode & 0777U & ~wanted) == 0)
        return;
    finding_add(folder->findings, FINDING_FAIL, "spool", folder->about, "others may read statements: %s has the mode %04o", path, (unsigned)(mode & 0777U));
    finding_todo(folder->findings, "chmod %04o %s", (unsigned)wanted, path);
}

static bool add_segments(struct folder *folder)
{
    DIR *list = opendir(folder->spool);
    size_t open_files = 0;
    if (list == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[PATH_SIZE + 512];
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", folder->spool, entry->d_name);
        if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        folder->spool_bytes += (uint64_t)status.st_size;
        if ((status.st_mode & 0077U) != 0 && ++open_files <= SHOWN_MAX)
            check_mode(folder, path, status.st_mode, 0600);
    }
    closedir(list);
    return true;
}

static void judge_fill(struct folder *folder)
{
    uint64_t limit = (uint64_t)folder->config->limits.spool, used = folder->spool_bytes;
    uint64_t percent = limit == 0 ? 0 : used * 100 / limit;
    enum finding_level level = percent >= 90 ? FINDING_FAIL : percent >= 50 ? FINDING_WARN : FINDING_OK;
    finding_add(folder->findings, level, "spool", folder->about, "%llu MiB, %llu %% of limits.spool", (unsigned long long)(used / MIB),
                (unsigned long long)percent);
    if (level != FINDING_OK)
        finding_todo(folder->findings, "the broker does not take what is read: look at the findings about it; at 100 %% reading stops, and nothing "
                                       "is lost as long as the logs are kept");
}

static void check_spool(struct folder *folder)
{
    struct stat status;
    if (stat(folder->spool, &status) != 0)
        return;
    check_mode(folder, folder->spool, status.st_mode, 0700);
    if (add_segments(folder))
        judge_fill(folder);
    else {
        finding_add(folder->findings, FINDING_FAIL, "spool", folder->about, "%s: %s", folder->spool, strerror(errno));
        finding_todo(folder->findings, "chown it to the user of the service");
    }
}

static void check_disk(struct folder *folder)
{
    struct statvfs disk;
    if (statvfs(folder->path, &disk) != 0)
        return;
    uint64_t free_mib = (uint64_t)disk.f_bavail * disk.f_frsize / MIB, wanted = LITTLE_MIB;
    bool broker = folder->config->kafka.brokers.count > 0;
    if (broker) {
        uint64_t limit = (uint64_t)folder->config->limits.spool;
        wanted = (limit > folder->spool_bytes ? limit - folder->spool_bytes : 0) / MIB + NO_MIB;
    }
    enum finding_level level = free_mib < NO_MIB ? FINDING_FAIL : free_mib < wanted ? FINDING_WARN : FINDING_OK;
    finding_add(folder->findings, level, "disk", folder->about, "%llu MiB are free", (unsigned long long)free_mib);
    if (level != FINDING_OK)
        finding_todo(folder->findings, "make room: %llu MiB are wanted%s", (unsigned long long)wanted,
                     broker ? " for the spool, or lower limits.spool" : "");
}

void folder_check(const struct config *config, const struct clock *clock, struct findings *findings)
{
    struct folder folder = {.config = config, .clock = clock, .findings = findings, .about = config->data_dir};
    (void)snprintf(folder.path, sizeof folder.path, "%.*s", SHOWN(config->data_dir));
    (void)snprintf(folder.spool, sizeof folder.spool, "%.*s/spool", SHOWN(config->data_dir));
    check_user(&folder);
    if (!check_folder(&folder))
        return;
    check_positions(&folder);
    check_spool(&folder);
    check_disk(&folder);
}
