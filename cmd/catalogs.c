/* Loading catalogs, and keeping one for each set of names. */
#include "catalogs.h"

#include "dump.h"
#include "shell_script.h"

#include <pthread.h>
#include <stdlib.h>

struct catalog_file {
    char *name; /* NULL: for every script */
    char *path;
};

struct loaded {
    bool *wanted; /* which files are in it */
    colline_catalog *catalog;
};

struct catalogs {
    struct dialect_choice choice;
    struct catalog_file *files;
    size_t file_count;
    pthread_mutex_t lock; /* guards what follows */
    struct loaded *loaded;
    size_t loaded_count;
    bool partly;
};

struct catalogs *catalogs_new(struct dialect_choice choice)
{
    struct catalogs *catalogs = need_alloc(sizeof *catalogs);
    catalogs->choice = choice;
    pthread_mutex_init(&catalogs->lock, NULL);
    return catalogs;
}

void catalogs_free(struct catalogs *catalogs)
{
    for (size_t i = 0; i < catalogs->loaded_count; i++) {
        colline_catalog_free(catalogs->loaded[i].catalog);
        free(catalogs->loaded[i].wanted);
    }
    for (size_t i = 0; i < catalogs->file_count; i++) {
        free(catalogs->files[i].name);
        free(catalogs->files[i].path);
    }
    free(catalogs->loaded);
    free(catalogs->files);
    pthread_mutex_destroy(&catalogs->lock);
    free(catalogs);
}

/* Where the name of NAME=FILE ends; NULL for a plain FILE. A slash before the sign makes it part of a path. */
static const char *name_end(const char *value)
{
    const char *sign = strchr(value, '=');
    const char *slash = strchr(value, '/');
    return sign == NULL || sign == value || (slash != NULL && slash < sign) ? NULL : sign;
}

void catalogs_add(struct catalogs *catalogs, const char *value)
{
    const char *sign = name_end(value);
    catalogs->files = need_grow(catalogs->files, catalogs->file_count + 1, sizeof *catalogs->files);
    catalogs->files[catalogs->file_count++] = (struct catalog_file){
        .name = sign == NULL ? NULL : need(strndup(value, (size_t)(sign - value))),
        .path = need_copy(sign == NULL ? value : sign + 1),
    };
}

/* Line and column of a byte, for messages. */
static void place_of(str_t text, size_t at, size_t *line, size_t *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < at && i < text.len; i++) {
        *column = text.ptr[i] == '\n' ? 1 : *column + 1;
        *line += text.ptr[i] == '\n';
    }
}

static bool complain_of_json(colline_catalog *catalog, const char *path, str_t text, size_t at)
{
    size_t line, column;
    place_of(text, at, &line, &column);
    colline_text message = colline_catalog_message(catalog);
    complain("%s:%zu:%zu: broken catalog: %.*s", path, line, column, (int)message.len, message.ptr);
    return false;
}

static colline_status add_ddl(colline_catalog *catalog, str_t text, colline_dialect dialect, size_t *broken)
{
    struct buf ddl;
    buf_init(&ddl, 0);
    if (dump_read(text, &ddl))
        text = buf_str(&ddl);
    colline_status status = ddl.failed ? COLLINE_NO_MEMORY : colline_catalog_add_ddl(catalog, text.ptr, text.len, dialect, broken);
    buf_release(&ddl);
    return status;
}

static bool add_text(colline_catalog *catalog, const char *path, str_t text, colline_dialect dialect)
{
    size_t at = 0, broken = 0;
    bool json = looks_like_json(text);
    colline_status status =
        json ? colline_catalog_add_json(catalog, text.ptr, text.len, &at) : add_ddl(catalog, text, dialect, &broken);
    if (status == COLLINE_NO_MEMORY)
        need(NULL);
    if (status != COLLINE_OK)
        return complain_of_json(catalog, path, text, at);
    if (broken == 0)
        return true;
    colline_text first = colline_catalog_message(catalog);
    complain("%s:%.*s%s", path, (int)first.len, first.ptr, broken == 1 ? "" : " (and more)");
    return false;
}

void catalog_read_shell(colline_catalog *catalog, str_t text)
{
    struct shell_script shell = shell_script_read(text);
    for (size_t i = 0; i < shell.count; i++)
        if (colline_catalog_add_ddl(catalog, shell.items[i].text.ptr, shell.items[i].text.len, shell.items[i].dialect, NULL) != COLLINE_OK)
            need(NULL);
    shell_script_release(&shell);
}

static bool read_one(colline_catalog *catalog, const struct input *input)
{
    char *text;
    size_t len;
    const char *reason;
    if (!read_file(input->path, &text, &len, &reason)) {
        complain("%s: %s", input->path, reason);
        return false;
    }
    bool shell = is_shell_script(input->path, str_make(text, len)), done = true;
    if (shell)
        catalog_read_shell(catalog, str_make(text, len));
    else
        done = add_text(catalog, input->path, str_make(text, len), input->dialect);
    free(text);
    return done;
}

bool catalog_read(colline_catalog *catalog, const char *path, struct dialect_choice choice)
{
    struct inputs inputs = {0};
    inputs_add(&inputs, path, (struct dialect_choice){0}, true);
    bool done = !inputs.partly;
    for (size_t i = 0; i < inputs.count; i++) {
        if (inputs.items[i].guessed && choice.given)
            inputs.items[i].dialect = choice.dialect;
        done = read_one(catalog, &inputs.items[i]) && done;
    }
    inputs_release(&inputs);
    return done;
}

static bool is_named(const struct catalog_file *file, const str_t *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (file->name != NULL && str_eq(str_of(file->name), names[i]))
            return true;
    return false;
}

static bool name_is_known(const struct catalogs *catalogs, str_t name)
{
    for (size_t i = 0; i < catalogs->file_count; i++)
        if (is_named(&catalogs->files[i], &name, 1))
            return true;
    return false;
}

static const colline_catalog *find_loaded(const struct catalogs *catalogs, const bool *wanted)
{
    for (size_t i = 0; i < catalogs->loaded_count; i++)
        if (memcmp(catalogs->loaded[i].wanted, wanted, catalogs->file_count * sizeof *wanted) == 0)
            return catalogs->loaded[i].catalog;
    return NULL;
}

/* Takes `wanted`. */
static const colline_catalog *load(struct catalogs *catalogs, bool *wanted)
{
    colline_catalog *catalog = need(colline_catalog_new(0));
    for (size_t i = 0; i < catalogs->file_count; i++)
        if (wanted[i] && !catalog_read(catalog, catalogs->files[i].path, catalogs->choice))
            catalogs->partly = true;
    catalogs->loaded = need_grow(catalogs->loaded, catalogs->loaded_count + 1, sizeof *catalogs->loaded);
    catalogs->loaded[catalogs->loaded_count++] = (struct loaded){wanted, catalog};
    return catalog;
}

const colline_catalog *catalogs_get(struct catalogs *catalogs, const str_t *names, size_t count, str_t *unknown)
{
    for (size_t i = 0; i < count; i++) {
        if (!name_is_known(catalogs, names[i])) {
            *unknown = names[i];
            return NULL;
        }
    }
    bool *wanted = need_alloc(catalogs->file_count * sizeof *wanted);
    for (size_t i = 0; i < catalogs->file_count; i++)
        wanted[i] = catalogs->files[i].name == NULL || is_named(&catalogs->files[i], names, count);
    pthread_mutex_lock(&catalogs->lock);
    const colline_catalog *catalog = find_loaded(catalogs, wanted);
    if (catalog == NULL)
        catalog = load(catalogs, wanted);
    else
        free(wanted);
    pthread_mutex_unlock(&catalogs->lock);
    return catalog;
}

bool catalogs_partly(const struct catalogs *catalogs)
{
    return catalogs->partly;
}
