/* The file of positions: {"v":1,"output_length":n,"files":[{…}]}. */
#include "collect/checkpoint.h"

#include "base/jsonw.h"
#include "collect/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SAVE_EVERY_MS = 1000,
    FILE_MAX = 256 << 20
};

/* ---- entries ---------------------------------------------------------------------------------------------------- */

struct file_position *checkpoint_find(struct checkpoint *cp, const char *source, uint64_t device, uint64_t inode)
{
    for (size_t i = 0; i < cp->count; i++) {
        struct file_position *p = cp->items[i];
        if (p->identity.inode == inode && p->identity.device == device && strcmp(p->source, source) == 0)
            return p;
    }
    return NULL;
}

static void free_position(struct file_position *p)
{
    free(p->source);
    free(p->path);
    free(p);
}

struct file_position *checkpoint_add(struct checkpoint *cp, const char *source, const char *path, const struct file_identity *identity)
{
    if (cp->count == cp->capacity) {
        size_t capacity = cp->capacity == 0 ? 16 : cp->capacity * 2;
        struct file_position **items = realloc(cp->items, capacity * sizeof *items);
        if (items == NULL)
            return NULL;
        cp->items = items;
        cp->capacity = capacity;
    }
    struct file_position *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->source = strdup(source);
    p->path = strdup(path);
    p->identity = *identity;
    if (p->source == NULL || p->path == NULL) {
        free_position(p);
        return NULL;
    }
    cp->items[cp->count++] = p;
    cp->dirty = cp->urgent = true;
    return p;
}

void checkpoint_drop(struct checkpoint *cp, struct file_position *position)
{
    for (size_t i = 0; i < cp->count; i++)
        if (cp->items[i] == position) {
            cp->items[i] = cp->items[--cp->count];
            free_position(position);
            cp->dirty = true;
            return;
        }
}

bool checkpoint_rename(struct file_position *position, const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL)
        return false;
    free(position->path);
    position->path = copy;
    return true;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static char *text_member(const struct json *object, str_t key)
{
    str_t text = json_member_text(object, key);
    return strndup(text.len == 0 ? "" : text.ptr, text.len);
}

static uint64_t number_member(const struct json *object, str_t key)
{
    str_t text = json_member_text(object, key); /* 64 bits do not fit a JSON number everywhere: they are strings */
    const struct json *member = json_member(object, key);
    if (member != NULL && member->kind == JSON_NUMBER)
        text = member->text;
    uint64_t value = 0;
    for (size_t i = 0; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++)
        value = value * 10 + (uint64_t)(text.ptr[i] - '0');
    return value;
}

static bool read_entry(struct checkpoint *cp, const struct json *item)
{
    struct file_identity identity = {
        .device = number_member(item, STR("device")),
        .inode = number_member(item, STR("inode")),
        .head_hash = number_member(item, STR("head_hash")),
        .head_len = (uint32_t)number_member(item, STR("head_len")),
    };
    char *source = text_member(item, STR("source")), *path = text_member(item, STR("path"));
    struct file_position *p = source == NULL || path == NULL ? NULL : checkpoint_add(cp, source, path, &identity);
    free(source);
    free(path);
    if (p == NULL)
        return false;
    p->file_id = number_member(item, STR("file_id"));
    p->truncations = (uint32_t)number_member(item, STR("truncations"));
    p->offset = number_member(item, STR("offset"));
    p->finished = json_member_true(item, STR("finished"));
    p->seen_ms = (int64_t)number_member(item, STR("seen_ms"));
    p->modified_ms = (int64_t)number_member(item, STR("modified_ms"));
    return true;
}

static bool read_text(struct checkpoint *cp, str_t text)
{
    struct arena arena;
    const char *message;
    size_t where;
    arena_init(&arena, 0, NULL);
    const struct json *root = json_read(&arena, text, &message, &where);
    const struct json *files = json_member(root, STR("files"));
    bool good = files != NULL && files->kind == JSON_ARRAY && number_member(root, STR("v")) == 1;
    for (const struct json *item = good ? files->first : NULL; item != NULL && good; item = item->next)
        good = read_entry(cp, item);
    if (good)
        cp->output_length = number_member(root, STR("output_length"));
    arena_release(&arena);
    return good;
}

/* The whole file; false when it cannot be read. */
static bool read_whole(int fd, struct buf *to)
{
    for (;;) {
        if (!buf_reserve(to, 65536))
            return false;
        ssize_t got = read(fd, to->ptr + to->len, 65536);
        if (got <= 0)
            return got == 0;
        to->len += (size_t)got;
    }
}

static bool load(struct checkpoint *cp)
{
    int fd = open(cp->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return (cp->fresh = errno == ENOENT);
    struct buf text;
    buf_init(&text, FILE_MAX);
    bool good = read_whole(fd, &text) && read_text(cp, buf_str(&text));
    buf_release(&text);
    close(fd);
    cp->dirty = cp->urgent = false;
    return good;
}

static void put_aside(struct checkpoint *cp)
{
    while (cp->count > 0)
        checkpoint_drop(cp, cp->items[0]);
    char aside[4096];
    int len = snprintf(aside, sizeof aside, "%s.damaged", cp->path);
    if (len > 0 && (size_t)len < sizeof aside && rename(cp->path, aside) != 0)
        cp->dirty = true; /* it will be written over */
}

struct checkpoint *checkpoint_look(const char *path, const struct clock *clock)
{
    struct checkpoint *cp = calloc(1, sizeof *cp);
    if (cp == NULL || (cp->path = strdup(path)) == NULL) {
        free(cp);
        return NULL;
    }
    cp->clock = *clock;
    cp->saved_at = INT64_MIN / 2;
    cp->damaged = !load(cp);
    return cp;
}

struct checkpoint *checkpoint_open(const char *path, const struct clock *clock)
{
    struct checkpoint *cp = checkpoint_look(path, clock);
    if (cp != NULL && cp->damaged)
        put_aside(cp);
    return cp;
}

void checkpoint_close(struct checkpoint *cp)
{
    if (cp == NULL)
        return;
    for (size_t i = 0; i < cp->count; i++)
        free_position(cp->items[i]);
    free(cp->items);
    free(cp->path);
    free(cp);
}

/* ---- saving ----------------------------------------------------------------------------------------------------- */

static void write_long(struct jsonw *w, str_t key, uint64_t number)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    jsonw_member(w, key, str_make(digits, len > 0 ? (size_t)len : 0));
}

static void write_entry(struct jsonw *w, const struct file_position *p)
{
    jsonw_row(w);
    jsonw_object_begin(w);
    jsonw_member(w, STR("source"), str_make(p->source, strlen(p->source)));
    jsonw_member(w, STR("path"), str_make(p->path, strlen(p->path)));
    jsonw_member_number(w, STR("device"), p->identity.device);
    jsonw_member_number(w, STR("inode"), p->identity.inode);
    write_long(w, STR("head_hash"), p->identity.head_hash);
    jsonw_member_number(w, STR("head_len"), p->identity.head_len);
    write_long(w, STR("file_id"), p->file_id);
    jsonw_member_number(w, STR("truncations"), p->truncations);
    jsonw_member_number(w, STR("offset"), p->offset);
    jsonw_key(w, STR("finished"));
    jsonw_bool(w, p->finished);
    jsonw_member_number(w, STR("seen_ms"), (uint64_t)p->seen_ms);
    jsonw_member_number(w, STR("modified_ms"), (uint64_t)p->modified_ms);
    jsonw_object_end(w);
}

static void write_all_entries(struct buf *out, const struct checkpoint *cp)
{
    struct jsonw w;
    jsonw_init(&w, out, true);
    jsonw_object_begin(&w);
    jsonw_member_number(&w, STR("v"), 1);
    jsonw_member_number(&w, STR("output_length"), cp->output_length);
    jsonw_key(&w, STR("files"));
    jsonw_array_begin(&w);
    for (size_t i = 0; i < cp->count; i++)
        write_entry(&w, cp->items[i]);
    jsonw_array_end(&w);
    jsonw_object_end(&w);
    buf_add_char(out, '\n');
}

static bool write_file(const char *path, str_t text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool ok = true;
    while (ok && text.len > 0) {
        ssize_t put = write(fd, text.ptr, text.len);
        ok = put > 0 || (put < 0 && errno == EINTR);
        if (put > 0)
            text = str_from(text, (size_t)put);
    }
    ok = ok && fdatasync(fd) == 0;
    return close(fd) == 0 && ok;
}

static void sync_folder(const char *path)
{
    char *copy = strdup(path);
    int fd = copy == NULL ? -1 : open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

static bool replace(const char *path, str_t text)
{
    char beside[4096];
    int len = snprintf(beside, sizeof beside, "%s.new", path);
    if (len <= 0 || (size_t)len >= sizeof beside) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!write_file(beside, text) || rename(beside, path) != 0)
        return false;
    sync_folder(path);
    return true;
}

bool checkpoint_save(struct checkpoint *cp, bool now)
{
    int64_t time = clock_steady(&cp->clock);
    if (!cp->dirty || (!now && !cp->urgent && time - cp->saved_at < SAVE_EVERY_MS))
        return true;
    cp->saved_at = time;
    struct buf text;
    buf_init(&text, 0);
    write_all_entries(&text, cp);
    bool ok = !text.failed && replace(cp->path, buf_str(&text));
    buf_release(&text);
    cp->urgent = false;
    if (ok)
        cp->dirty = false;
    return ok;
}
