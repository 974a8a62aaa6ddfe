/* Strings, files and folders for the test programs. */
#include "support/text.h"

#include <dirent.h>
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *must(void *memory)
{
    if (memory == NULL)
        err(3, "test program");
    return memory;
}

void text_add(struct text *text, const char *bytes, size_t len)
{
    if (text->len + len + 1 > text->capacity) {
        text->capacity = (text->len + len + 1) * 2;
        text->ptr = must(realloc(text->ptr, text->capacity));
    }
    if (len > 0)
        memcpy(text->ptr + text->len, bytes, len);
    text->len += len;
    text->ptr[text->len] = '\0';
}

void text_add_z(struct text *text, const char *z)
{
    text_add(text, z, strlen(z));
}

void text_add_format(struct text *text, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int len = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (len < 0)
        errx(3, "test program: out of memory");
    text_add(text, line, (size_t)len);
    free(line);
}

void text_free(struct text *text)
{
    free(text->ptr);
    *text = (struct text){0};
}

bool text_equal(const struct text *a, const struct text *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->ptr, b->ptr, a->len) == 0);
}

struct text text_of_file(const char *path)
{
    struct text text = {0};
    char block[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        err(3, "%s", path);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        text_add(&text, block, got);
    if (ferror(file))
        err(3, "%s", path);
    fclose(file);
    text_add(&text, "", 0);
    return text;
}

/* ---- folders ---------------------------------------------------------------------------------------------------- */

struct files {
    char **items;
    size_t count;
};

static void add_file(struct files *files, char *path)
{
    files->items = must(realloc(files->items, (files->count + 2) * sizeof *files->items));
    files->items[files->count++] = path;
    files->items[files->count] = NULL;
}

static bool ends_with(const char *name, const char *suffix)
{
    size_t len = strlen(name), tail = strlen(suffix);
    return len >= tail && strcmp(name + len - tail, suffix) == 0;
}

static char *join_path(const char *folder, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        errx(3, "test program: out of memory");
    return path;
}

/* The folder's files, and its folders at the end of the list `todo`. */
static void read_folder(const char *path, const char *suffix, struct files *todo, struct files *out)
{
    DIR *dir = opendir(path);
    if (dir == NULL)
        err(3, "%s", path);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        char *child = join_path(path, entry->d_name);
        bool folder = stat(child, &status) == 0 && S_ISDIR(status.st_mode);
        if (folder)
            add_file(todo, child);
        else if (ends_with(child, suffix))
            add_file(out, child);
        else
            free(child);
    }
    closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

char **files_below(const char *path, const char *suffix)
{
    struct files out = {must(calloc(1, sizeof(char *))), 0}, todo = {must(calloc(1, sizeof(char *))), 0};
    struct stat status;
    if (stat(path, &status) != 0)
        err(3, "%s", path);
    add_file(S_ISDIR(status.st_mode) ? &todo : &out, must(strdup(path)));
    for (size_t i = 0; i < todo.count; i++)
        read_folder(todo.items[i], suffix, &todo, &out);
    qsort(out.items, out.count, sizeof *out.items, by_name);
    files_free(todo.items);
    return out.items;
}

void files_free(char **files)
{
    for (size_t i = 0; files != NULL && files[i] != NULL; i++)
        free(files[i]);
    free(files);
}
