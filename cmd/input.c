/* Reading files, walking folders, telling dialects by names. */
#include "input.h"

#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether one of the path's folders has this name. */
static bool has_folder(str_t path, str_t name)
{
    for (size_t at = 0; at < path.len;) {
        size_t end = str_find(path, '/', at);
        if (end < path.len && str_eq_fold(str_make(path.ptr + at, end - at), name))
            return true;
        at = end + 1;
    }
    return false;
}

static bool ends_fold(str_t name, str_t ending)
{
    return name.len >= ending.len && str_eq_fold(str_make(name.ptr + name.len - ending.len, ending.len), ending);
}

bool dialect_of_path(const char *path, colline_dialect *dialect)
{
    str_t name = str_of(path);
    bool hive = ends_fold(name, STR(".hql"));
    bool impala = !hive && (ends_fold(name, STR(".impala.sql")) || has_folder(name, STR("impala")));
    *dialect = impala ? COLLINE_IMPALA : COLLINE_HIVE;
    return hive || impala || has_folder(name, STR("hive"));
}

static void add(struct inputs *inputs, char *path, char *root, struct dialect_choice choice)
{
    if (inputs->count == inputs->capacity) {
        inputs->capacity = inputs->capacity == 0 ? 16 : inputs->capacity * 2;
        inputs->items = need_grow(inputs->items, inputs->capacity, sizeof *inputs->items);
    }
    struct input *input = &inputs->items[inputs->count++];
    *input = (struct input){.path = path, .root = root};
    bool told = dialect_of_path(path, &input->dialect);
    if (choice.given)
        input->dialect = choice.dialect;
    input->guessed = !told && !choice.given && !str_ends_with(str_of(path), STR(".sh"));
}

static bool is_script(const char *name, bool data)
{
    static const char *const endings[] = {".sql", ".hql", ".q", ".ddl", ".sh", ".json", ".jsonl"};
    size_t count = sizeof endings / sizeof endings[0] - (data ? 0 : 2);
    for (size_t i = 0; i < count; i++)
        if (ends_fold(str_of(name), str_of(endings[i])))
            return true;
    return false;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The folders that are being walked, innermost first: a link that leads back to one of them is not followed. */
struct folder {
    const char *path;
    dev_t device;
    ino_t inode;
    const struct folder *outer;
};

struct walk {
    struct inputs *inputs;
    const char *root;
    struct dialect_choice choice;
    bool data;
};

static bool is_being_walked(const struct folder *folder, const struct stat *st)
{
    for (; folder != NULL; folder = folder->outer)
        if (folder->device == st->st_dev && folder->inode == st->st_ino)
            return true;
    return false;
}

static void walk_folder(const struct walk *walk, const struct folder *folder);

/* Takes the path. */
static void walk_entry(const struct walk *walk, const struct folder *folder, char *path, const char *name)
{
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) {
        struct folder inner = {path, st.st_dev, st.st_ino, folder};
        if (!is_being_walked(folder, &st))
            walk_folder(walk, &inner);
    } else if (is_script(name, walk->data) && (!there || S_ISREG(st.st_mode))) { /* a pipe would be waited for */
        add(walk->inputs, path, need_copy(walk->root), walk->choice);
        return;
    }
    free(path);
}

static void walk_folder(const struct walk *walk, const struct folder *folder)
{
    struct dirent **entries;
    int count = scandir(folder->path, &entries, is_visible, by_bytes);
    if (count < 0) {
        complain("%s: %s", folder->path, strerror(errno));
        walk->inputs->partly = true;
        return;
    }
    bool here = strcmp(folder->path, ".") == 0;
    const char *slash = str_ends_with(str_of(folder->path), STR("/")) ? "" : "/";
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        walk_entry(walk, folder, here ? need_copy(name) : need_format("%s%s%s", folder->path, slash, name), name);
        free(entries[i]);
    }
    free(entries);
}

/* The folder that a file lies in. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return need_copy(".");
    return slash == path ? need_copy("/") : need(strndup(path, (size_t)(slash - path)));
}

void inputs_add(struct inputs *inputs, const char *path, struct dialect_choice choice, bool data)
{
    struct stat st;
    if (strcmp(path, "-") == 0) {
        add(inputs, need_copy(path), need_copy("."), choice);
    } else if (stat(path, &st) != 0) {
        complain("%s: %s", path, strerror(errno));
        inputs->partly = true;
    } else if (S_ISDIR(st.st_mode)) {
        size_t before = inputs->count;
        struct walk walk = {inputs, path, choice, data};
        walk_folder(&walk, &(struct folder){path, st.st_dev, st.st_ino, NULL});
        if (inputs->count == before && !inputs->partly)
            complain("%s: no scripts in this folder (.sql, .hql, .q, .ddl or .sh)", path);
    } else {
        add(inputs, need_copy(path), folder_of(path), choice);
    }
}

void inputs_release(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        free(inputs->items[i].path);
        free(inputs->items[i].root);
    }
    free(inputs->items);
    *inputs = (struct inputs){0};
}

/* Reads to the end of the file, whose size is only a hint: pipes have none. */
static bool read_all(int fd, size_t hint, char **text, size_t *len)
{
    size_t capacity = hint + 1, used = 0;
    char *bytes = malloc(capacity);
    while (bytes != NULL) {
        ssize_t got = read(fd, bytes + used, capacity - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            *text = bytes;
            *len = used;
            return got == 0;
        }
        used += (size_t)got;
        if (used < capacity)
            continue;
        capacity *= 2;
        char *grown = realloc(bytes, capacity);
        if (grown == NULL)
            free(bytes);
        bytes = grown;
    }
    *text = NULL;
    errno = ENOMEM;
    return false;
}

/* Why bytes cannot be a script; NULL when they can. What is not UTF-8 may still be; NUL bytes beside it tell archives and programs. */
static const char *why_no_text(str_t text)
{
    enum { LOOK_AT = 8192 };
    str_t start = str_make(text.ptr, text.len < LOOK_AT ? text.len : LOOK_AT);
    size_t at;
    if (str_starts_with(start, STR("\xFF\xFE")) || str_starts_with(start, STR("\xFE\xFF")))
        return "UTF-16; only UTF-8 is read";
    bool binary = str_find(start, '\0', 0) < start.len && !utf8_valid(start, &at) && at + 4 < start.len;
    return binary ? "not a text" : NULL;
}

bool read_file(const char *path, char **text, size_t *len, const char **reason)
{
    bool standard = strcmp(path, "-") == 0;
    struct stat st = {0};
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool opened = fd >= 0 && fstat(fd, &st) == 0;
    bool folder = opened && S_ISDIR(st.st_mode);
    *text = NULL;
    bool done = opened && !folder && read_all(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 65536, text, len);
    *reason = done ? "" : folder ? "is a folder" : strerror(errno);
    if (!standard && fd >= 0)
        close(fd);
    if (done && *len >= UINT32_MAX) {
        *reason = "larger than 4 GiB";
        done = false;
    }
    const char *no_text = done ? why_no_text(str_make(*text, *len)) : NULL;
    if (no_text != NULL) {
        *reason = no_text;
        done = false;
    }
    if (!done) {
        free(*text);
        *text = NULL;
    }
    return done;
}

bool looks_like_json(str_t text)
{
    str_t start = str_trim(str_make(text.ptr, text.len < 4096 ? text.len : 4096));
    return start.len > 0 && (start.ptr[0] == '{' || start.ptr[0] == '[');
}
