#include "support/spool_folder.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void spool_folder_make(struct spool_folder *folder)
{
    *folder = (struct spool_folder){.path = "/tmp/colline-spool-XXXXXX", .now = 1000};
    if (mkdtemp(folder->path) == NULL)
        abort();
    snprintf(folder->log_path, sizeof folder->log_path, "%s.log", folder->path);
    struct clock clock = clock_manual(&folder->now);
    folder->log = log_open(&(struct log_options){.path = folder->log_path}, &clock);
}

void spool_folder_remove(struct spool_folder *folder)
{
    struct dirent *entry;
    DIR *files = opendir(folder->path);
    while (files != NULL && (entry = readdir(files)) != NULL)
        unlinkat(dirfd(files), entry->d_name, 0);
    if (files != NULL)
        closedir(files);
    rmdir(folder->path);
    log_close(folder->log);
    unlink(folder->log_path);
}

static void stored(void *context, uint64_t cookie)
{
    struct spool_folder *folder = context;
    if (folder->stored_count < sizeof folder->stored / sizeof folder->stored[0])
        folder->stored[folder->stored_count] = cookie;
    folder->stored_count++;
}

struct spool *spool_folder_open(struct spool_folder *folder, uint64_t limit, uint64_t segment)
{
    struct buf error;
    buf_init(&error, 4096);
    struct spool_options options = {.folder = folder->path, .limit = limit, .segment = segment, .clock = clock_manual(&folder->now),
                                    .log = folder->log, .stored = stored, .context = folder};
    struct spool *spool = spool_open(&options, &error);
    if (spool == NULL)
        log_say(folder->log, LOG_LEVEL_ERROR, "test.open", STR(""), "%.*s", (int)error.len, error.ptr);
    buf_release(&error);
    return spool;
}

size_t spool_folder_said(struct spool_folder *folder, const char *what)
{
    static char text[1 << 20];
    FILE *file = fopen(folder->log_path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file), count = 0;
    text[length] = '\0';
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    if (file != NULL)
        fclose(file);
    return count;
}

static int is_segment(const struct dirent *entry)
{
    return strstr(entry->d_name, ".spool") != NULL;
}

bool spool_folder_file(const struct spool_folder *folder, size_t n, char path[128])
{
    struct dirent **entries;
    int count = scandir(folder->path, &entries, is_segment, alphasort);
    bool found = count > 0 && n < (size_t)count;
    if (found)
        snprintf(path, 128, "%s/%.60s", folder->path, entries[n]->d_name);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
    return found;
}

static size_t make_value(char *value, uint64_t number, size_t length)
{
    int n = snprintf(value, length + 32, "{\"n\":%" PRIu64 "}", number);
    for (size_t i = (size_t)n; i < length; i++)
        value[i] = (char)('a' + (number + i) % 26);
    return (size_t)n < length ? length : (size_t)n;
}

uint64_t spool_folder_fill(struct spool *spool, uint64_t first, uint64_t last, size_t length)
{
    char key[32], *value = malloc(length + 32);
    uint64_t number = first;
    for (; value != NULL && number < last; number++) {
        size_t key_length = (size_t)snprintf(key, sizeof key, "%" PRIu64, number);
        if (!spool_append(spool, str_make(key, key_length), str_make(value, make_value(value, number, length)), number))
            break;
    }
    free(value);
    return number - first;
}

uint64_t spool_folder_number(const struct spool_record *record)
{
    char key[32] = "";
    memcpy(key, record->key.ptr, record->key.len < 31 ? record->key.len : 31);
    return strtoull(key, NULL, 10);
}

bool spool_folder_is(const struct spool_record *record, uint64_t number, size_t length)
{
    char *value = malloc(length + 32);
    bool same = value != NULL && spool_folder_number(record) == number &&
                str_eq(record->value, str_make(value, make_value(value, number, length)));
    free(value);
    return same;
}
