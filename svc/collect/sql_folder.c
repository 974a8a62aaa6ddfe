/*
 * Folders of SQL are looked at every `interval`. A file is read when its size or time changed and it has been left alone for a
 * moment. The checkpoint holds an entry a content, `finished` when it was acknowledged: its head_hash is the content's hash.
 */
#include "collect/sql_folder.h"

#include "base/digest.h"
#include "collect/json_text.h"
#include "collect/privacy.h"
#include "collect/tail/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SETTLE_MS = 1000, /* a file written so lately may not be whole */
    IN_FLIGHT = 1024
};

/* A content that was given and is not acknowledged. */
struct given {
    uint64_t cookie;
    struct file_position *position;
};

struct sql_folder {
    struct collector base;
    struct sql_folder_options options;
    char *source_name;
    struct arena arena;
    struct buf text, id;
    struct given given[IN_FLIGHT];
    size_t given_count;
    uint64_t next_cookie;
    int64_t looked_at;
    bool looked, left;
    struct metric *records;
};

static uint64_t content_hash(str_t text)
{
    uint64_t hash = 0xcbf29ce484222325u ^ text.len;
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3u;
    return hash;
}

/* The entry of a content: its length and hash are the identity; device and inode those of the file it was first seen in. */
static struct file_position *find_content(const struct sql_folder *folder, uint64_t hash, uint32_t len)
{
    const struct checkpoint *cp = folder->options.checkpoint;
    for (size_t i = 0; i < cp->count; i++) {
        struct file_position *p = cp->items[i];
        if (p->identity.head_hash == hash && p->identity.head_len == len && strcmp(p->source, folder->source_name) == 0)
            return p;
    }
    return NULL;
}

/* Whether the file is as it was when its content was read last. */
static bool is_known(const struct sql_folder *folder, const struct scanned *file, int64_t modified)
{
    const struct file_position *p = checkpoint_find(folder->options.checkpoint, folder->source_name,
                                                    (uint64_t)file->status.st_dev, (uint64_t)file->status.st_ino);
    return p != NULL && p->modified_ms == modified && p->offset == (uint64_t)file->status.st_size;
}

static bool read_text(struct sql_folder *folder, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    buf_clear(&folder->text);
    folder->text.failed = false;
    ssize_t got = fd < 0 ? -1 : 1;
    while (got > 0 && buf_reserve(&folder->text, 65536)) {
        got = read(fd, folder->text.ptr + folder->text.len, 65536);
        folder->text.len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    if (got != 0)
        log_say(folder->base.output.log, LOG_LEVEL_WARNING, "capture.unreadable", str_make(path, strlen(path)), "%s",
                folder->text.failed ? "the file is longer than max_line" : strerror(errno));
    return got == 0;
}

static struct file_identity identity_of(const struct sql_folder *folder, const struct scanned *file, uint64_t hash)
{
    return (struct file_identity){(uint64_t)file->status.st_dev, (uint64_t)file->status.st_ino, hash, (uint32_t)folder->text.len};
}

static bool give(struct sql_folder *folder, const struct scanned *file, uint64_t hash, int64_t modified)
{
    struct raw_record record = raw_empty(RAW_SQL_FILE, RAW_QUERY);
    const struct file_identity identity = identity_of(folder, file, hash);
    str_t path = str_make(file->path, strlen(file->path));
    buf_clear(&folder->id);
    add_murmur3(&folder->id, buf_str(&folder->text));
    record.query_id = buf_str(&folder->id);
    record.cluster = folder->options.cluster;
    record.host = file->host;
    record.database = folder->options.source->database;
    record.captured_at = clock_now(folder->base.output.clock);
    record.time_ms = record.start_ms = modified;
    record.sql = buf_str(&folder->text);
    record.backfill = folder->options.source->backfill;
    record.position = (struct raw_position){.file = path,
                                            .file_id = identity_id(&identity, 0)};
    return privacy_apply(folder->options.sql_text, &record, &folder->arena) &&
           folder->base.output.emit(folder->base.output.context, &record, folder->next_cookie);
}

/* Remembers the content, as not acknowledged. */
static struct file_position *remember(struct sql_folder *folder, const struct scanned *file, uint64_t hash, int64_t modified)
{
    const struct file_identity identity = identity_of(folder, file, hash);
    struct file_position *p = checkpoint_add(folder->options.checkpoint, folder->source_name, file->path, &identity);
    if (p == NULL)
        return NULL;
    p->in_use = true;
    p->offset = (uint64_t)file->status.st_size;
    p->modified_ms = modified;
    return p;
}

/* The same content under another name or time: what is known of it is brought up to date. */
static void renew(struct sql_folder *folder, struct file_position *p, const struct scanned *file, int64_t modified)
{
    p->identity.device = (uint64_t)file->status.st_dev;
    p->identity.inode = (uint64_t)file->status.st_ino;
    p->modified_ms = modified;
    folder->options.checkpoint->dirty = true;
}

/* Whether a record was given. False with `left` set: the receiver is full. */
static bool meet(struct sql_folder *folder, const struct scanned *file, size_t budget)
{
    int64_t modified = (int64_t)file->status.st_mtim.tv_sec * 1000 + file->status.st_mtim.tv_nsec / 1000000;
    int64_t age = clock_now(folder->base.output.clock) - modified;
    if (is_known(folder, file, modified))
        return false;
    if (!folder->options.once && age >= 0 && age < SETTLE_MS) {
        folder->left = true;
        return false;
    }
    if (!read_text(folder, file->path) || folder->text.len == 0)
        return false;
    uint64_t hash = content_hash(buf_str(&folder->text));
    struct file_position *p = find_content(folder, hash, (uint32_t)folder->text.len);
    if (p != NULL) {
        renew(folder, p, file, modified);
        return false;
    }
    if (budget == 0 || folder->given_count == IN_FLIGHT || !give(folder, file, hash, modified)) {
        folder->left = true;
        return false;
    }
    p = remember(folder, file, hash, modified);
    folder->given[folder->given_count++] = (struct given){folder->next_cookie++, p};
    metric_add(folder->records, 1);
    return true;
}

/* What a crash left unacknowledged must come again: it was not saved as finished. */
static void drop_unfinished(struct sql_folder *folder)
{
    struct checkpoint *cp = folder->options.checkpoint;
    for (size_t i = 0; i < cp->count; i++)
        if (!cp->items[i]->finished && strcmp(cp->items[i]->source, folder->source_name) == 0)
            checkpoint_drop(cp, cp->items[i--]);
}

static size_t folder_step(struct collector *collector, size_t budget)
{
    struct sql_folder *folder = (struct sql_folder *)collector;
    int64_t now = clock_steady(folder->base.output.clock);
    struct scan scan;
    if (folder->looked && !folder->left && now - folder->looked_at < folder->options.source->interval)
        return 0;
    folder->looked = true;
    folder->left = false;
    folder->looked_at = now;
    arena_clear(&folder->arena);
    size_t count = 0;
    if (!scan_run(&scan, folder->options.source, &folder->arena))
        return 0;
    for (uint32_t i = 0; i < scan.files.count; i++)
        count += meet(folder, &scan.files.items[i], budget - count);
    return count;
}

static int folder_idle_ms(struct collector *collector)
{
    const struct sql_folder *folder = (const struct sql_folder *)collector;
    return folder->left ? SETTLE_MS / 10 : (int)folder->options.source->interval;
}

static int folder_descriptor(struct collector *collector)
{
    (void)collector;
    return -1;
}

static void folder_acked(struct collector *collector, uint64_t cookie)
{
    struct sql_folder *folder = (struct sql_folder *)collector;
    for (size_t i = 0; i < folder->given_count; i++)
        if (folder->given[i].cookie == cookie) {
            if (folder->given[i].position != NULL)
                folder->given[i].position->finished = true;
            folder->options.checkpoint->dirty = true;
            folder->given[i] = folder->given[--folder->given_count];
            return;
        }
}

static void folder_settle(struct collector *collector)
{
    (void)collector;
}

static bool folder_save(struct collector *collector)
{
    (void)collector; /* the checkpoint is saved by whoever opened it */
    return true;
}

static bool folder_finished(const struct collector *collector)
{
    const struct sql_folder *folder = (const struct sql_folder *)collector;
    return folder->options.once && folder->looked && !folder->left && folder->given_count == 0;
}

static void folder_close(struct collector *collector)
{
    struct sql_folder *folder = (struct sql_folder *)collector;
    arena_release(&folder->arena);
    buf_release(&folder->text);
    buf_release(&folder->id);
    free(folder->source_name);
    free(folder);
}

struct collector *sql_folder_new(const struct sql_folder_options *options, const struct collector_output *output)
{
    static const struct collector_ops ops = {
        .name = "sql-file",
        .step = folder_step,
        .idle_ms = folder_idle_ms,
        .descriptor = folder_descriptor,
        .acked = folder_acked,
        .settle = folder_settle,
        .save = folder_save,
        .finished = folder_finished,
        .close = folder_close,
    };
    struct sql_folder *folder = calloc(1, sizeof *folder);
    if (folder == NULL)
        return NULL;
    folder->base = (struct collector){&ops, *output};
    folder->options = *options;
    folder->next_cookie = 1;
    arena_init(&folder->arena, 0, NULL);
    buf_init(&folder->text, (size_t)options->source->max_line);
    buf_init(&folder->id, 0);
    folder->source_name = strndup(options->source->name.ptr, options->source->name.len);
    if (folder->source_name == NULL) {
        folder_close(&folder->base);
        return NULL;
    }
    folder->records = metrics_counter(output->metrics, "colline_capture_records_total", "Records read, by kind",
                                      METRIC_LABELS({"source", options->source->name}, {"kind", STR("QUERY")}));
    drop_unfinished(folder);
    return &folder->base;
}
