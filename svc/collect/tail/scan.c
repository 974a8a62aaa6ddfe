/* Patterns are handed to glob(3); what it finds is matched again to read what the stars stood for. */
#include "collect/tail/scan.h"

#include "collect/line.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- matching --------------------------------------------------------------------------------------------------- */

struct state {
    str_t pattern, path;
    size_t p, s;
    size_t star_p, star_s; /* where to take up after the last star */
    bool star;
    struct stars *stars; /* NULL: not asked for */
};

/* [abc] [a-z] [!abc]; the pattern's position behind it, 0 when it does not match or has no end */
static size_t match_class(str_t pattern, size_t at, char c)
{
    size_t pos = at + 1;
    bool negated = pos < pattern.len && (pattern.ptr[pos] == '!' || pattern.ptr[pos] == '^'), hit = false;
    pos += negated;
    for (size_t first = pos; pos < pattern.len && (pattern.ptr[pos] != ']' || pos == first); pos++) {
        char low = pattern.ptr[pos], high = low;
        if (pos + 2 < pattern.len && pattern.ptr[pos + 1] == '-' && pattern.ptr[pos + 2] != ']') {
            high = pattern.ptr[pos + 2];
            pos += 2;
        }
        hit = hit || (c >= low && c <= high);
    }
    return pos < pattern.len && hit != negated && c != '/' ? pos + 1 : 0;
}

static void begin_star(struct state *m)
{
    m->star = true;
    m->star_p = m->p;
    m->star_s = m->s;
    if (m->stars != NULL && m->stars->count < STARS_MAX)
        m->stars->items[m->stars->count++] = str_make(m->path.ptr + m->s, 0);
}

/* One step of the pattern; false when the path does not fit it there. */
static bool step(struct state *m)
{
    str_t rest = str_from(m->pattern, m->p);
    if (rest.ptr[0] == '*') {
        m->p++;
        begin_star(m);
        return true;
    }
    if (m->s == m->path.len)
        return false;
    char c = m->path.ptr[m->s];
    size_t next = m->p + 1;
    if (rest.ptr[0] == '[')
        next = match_class(m->pattern, m->p, c);
    else if (rest.ptr[0] == '?' ? c == '/' : rest.ptr[0] != c)
        next = 0;
    if (next == 0)
        return false;
    m->p = next;
    m->s++;
    return true;
}

/* Lets the last star take one character more. */
static bool retry(struct state *m)
{
    if (!m->star || m->star_s >= m->path.len || m->path.ptr[m->star_s] == '/')
        return false;
    m->p = m->star_p;
    m->s = ++m->star_s;
    if (m->stars != NULL && m->stars->count > 0) {
        str_t *last = &m->stars->items[m->stars->count - 1];
        if (last->ptr + last->len + 1 == m->path.ptr + m->s)
            last->len++;
    }
    return true;
}

bool scan_matches(str_t pattern, str_t path, struct stars *stars)
{
    struct state m = {.pattern = pattern, .path = path, .stars = stars};
    if (stars != NULL)
        stars->count = 0;
    while (m.p < pattern.len || m.s < path.len) {
        if (m.p < pattern.len && step(&m))
            continue;
        if (!retry(&m))
            return false;
    }
    return true;
}

str_t scan_host(str_t template, const struct stars *stars, struct arena *arena)
{
    struct buf text;
    buf_init(&text, 0);
    for (size_t at = 0; at < template.len; at++) {
        const char *p = template.ptr + at;
        bool star = template.len - at >= 3 && p[0] == '{' && p[1] >= '1' && p[1] <= '9' && p[2] == '}';
        if (!star) {
            buf_add_char(&text, *p);
            continue;
        }
        size_t number = (size_t)(p[1] - '1');
        if (number < stars->count)
            buf_add(&text, stars->items[number]);
        at += 2;
    }
    str_t host = text.failed || text.len == 0 ? STR("") : arena_copy(arena, buf_str(&text));
    buf_release(&text);
    return host;
}

/* A pattern that names a folder means the files in it. */
static bool fits(str_t pattern, str_t path, struct stars *stars)
{
    if (scan_matches(pattern, path, stars))
        return true;
    size_t slash = path.len;
    while (slash > 0 && path.ptr[slash - 1] != '/')
        slash--;
    return slash > 1 && scan_matches(pattern, str_make(path.ptr, slash - 1), stars);
}

str_t scan_host_of(const struct config_source *source, str_t path, struct arena *arena)
{
    struct stars stars = {.count = 0};
    for (uint32_t i = 0; i < source->paths.count; i++)
        if (fits(source->paths.items[i], path, &stars))
            break;
    return scan_host(source->host, &stars, arena);
}

/* ---- the file system -------------------------------------------------------------------------------------------- */

static bool excluded(const struct config_list *exclude, str_t path)
{
    for (uint32_t i = 0; i < exclude->count; i++)
        if (scan_matches(exclude->items[i], path, NULL))
            return true;
    return false;
}

static bool add(struct scan *scan, const struct config_source *source, str_t path, const struct stat *status,
                const struct stars *stars, struct arena *arena)
{
    if (!S_ISREG(status->st_mode) || excluded(&source->exclude, path))
        return true;
    char *copy = arena_alloc(arena, path.len + 1);
    struct scanned *file = copy == NULL ? NULL : VEC_PUSH(arena, &scan->files);
    if (file == NULL)
        return false;
    memcpy(copy, path.ptr, path.len);
    copy[path.len] = '\0';
    *file = (struct scanned){copy, scan_host(source->host, stars, arena), *status};
    return true;
}

static bool add_folder(struct scan *scan, const struct config_source *source, const char *name, const struct stars *stars,
                       struct arena *arena)
{
    DIR *folder = opendir(name);
    bool ok = true;
    if (folder == NULL)
        return true;
    for (const struct dirent *entry; ok && (entry = readdir(folder)) != NULL;) {
        struct stat status;
        char path[4096];
        int len = snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (entry->d_name[0] != '.' && len > 0 && (size_t)len < sizeof path && stat(path, &status) == 0)
            ok = add(scan, source, str_make(path, (size_t)len), &status, stars, arena);
    }
    closedir(folder);
    return ok;
}

static bool add_found(struct scan *scan, const struct config_source *source, str_t pattern, const char *found, struct arena *arena)
{
    struct stat status;
    struct stars stars = {.count = 0};
    str_t path = str_make(found, strlen(found));
    if (stat(found, &status) != 0)
        return true;
    scan_matches(pattern, path, &stars);
    if (S_ISDIR(status.st_mode))
        return add_folder(scan, source, found, &stars, arena);
    return add(scan, source, path, &status, &stars, arena);
}

static bool run_pattern(struct scan *scan, const struct config_source *source, str_t pattern, struct arena *arena)
{
    char text[4096];
    glob_t hits = {0};
    if (pattern.len >= sizeof text)
        return true;
    memcpy(text, pattern.ptr, pattern.len);
    text[pattern.len] = '\0';
    bool ok = glob(text, GLOB_NOSORT, NULL, &hits) != GLOB_NOSPACE;
    for (size_t i = 0; i < hits.gl_pathc && ok; i++)
        ok = add_found(scan, source, pattern, hits.gl_pathv[i], arena);
    globfree(&hits);
    return ok;
}

static int by_inode(const void *a, const void *b)
{
    const struct scanned *left = a, *right = b;
    if (left->status.st_ino != right->status.st_ino)
        return left->status.st_ino < right->status.st_ino ? -1 : 1;
    if (left->status.st_dev != right->status.st_dev)
        return left->status.st_dev < right->status.st_dev ? -1 : 1;
    return strcmp(left->path, right->path);
}

static int by_age(const void *a, const void *b)
{
    const struct scanned *left = a, *right = b;
    const struct timespec *x = &left->status.st_mtim, *y = &right->status.st_mtim;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    if (x->tv_nsec != y->tv_nsec)
        return x->tv_nsec < y->tv_nsec ? -1 : 1;
    return strcmp(left->path, right->path);
}

/* A symlink and what it leads to are one file. */
static void keep_once(struct scan *scan)
{
    struct scanned *files = scan->files.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scan->files.count; i++)
        if (kept == 0 || files[i].status.st_ino != files[kept - 1].status.st_ino ||
            files[i].status.st_dev != files[kept - 1].status.st_dev)
            files[kept++] = files[i];
    scan->files.count = kept;
}

bool scan_run(struct scan *scan, const struct config_source *source, struct arena *arena)
{
    *scan = (struct scan){0};
    for (uint32_t i = 0; i < source->paths.count; i++)
        if (!run_pattern(scan, source, source->paths.items[i], arena))
            return false;
    if (scan->files.count == 0)
        return true;
    qsort(scan->files.items, scan->files.count, sizeof *scan->files.items, by_inode);
    keep_once(scan);
    qsort(scan->files.items, scan->files.count, sizeof *scan->files.items, by_age);
    return true;
}
