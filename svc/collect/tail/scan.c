/* Patterns are handed to glob(3) with `*` for `{host}`; what it finds is matched again to read the host. */
#include "collect/tail/scan.h"

#include "collect/line.h"

#include <glob.h>
#include <stdlib.h>

static const str_t host_mark = {"{host}", 6};

/* ---- matching --------------------------------------------------------------------------------------------------- */

struct state {
    str_t pattern, path;
    size_t p, s;
    size_t star_p, star_s; /* where to take up after the last star */
    bool star, star_is_host;
    size_t host_begin, host_end;
    bool in_host;
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

static void begin_star(struct state *m, bool is_host)
{
    m->star = true;
    m->star_is_host = is_host;
    m->star_p = m->p;
    m->star_s = m->s;
    if (is_host) {
        m->host_begin = m->s;
        m->in_host = true;
    }
}

/* One step of the pattern; false when the path does not fit it there. */
static bool step(struct state *m)
{
    str_t rest = str_from(m->pattern, m->p);
    if (str_starts_with(rest, host_mark)) {
        m->p += host_mark.len;
        begin_star(m, true);
        return true;
    }
    if (rest.ptr[0] == '*') {
        m->p++;
        begin_star(m, false);
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
    if (m->star_is_host)
        m->host_end = m->s;
    return true;
}

bool scan_matches(str_t pattern, str_t path, str_t *host)
{
    struct state m = {.pattern = pattern, .path = path};
    while (m.p < pattern.len || m.s < path.len) {
        if (m.p < pattern.len && step(&m))
            continue;
        if (!retry(&m))
            return false;
    }
    if (m.in_host && m.host_end <= m.host_begin)
        return false;
    if (host != NULL)
        *host = m.in_host ? str_make(path.ptr + m.host_begin, m.host_end - m.host_begin) : str_make(path.ptr, 0);
    return true;
}

/* ---- the file system -------------------------------------------------------------------------------------------- */

/* The pattern for glob(3), NUL-terminated. */
static const char *glob_pattern(str_t pattern, struct arena *arena)
{
    struct buf text;
    buf_init(&text, 0);
    for (size_t at = 0; at < pattern.len;) {
        if (str_starts_with(str_from(pattern, at), host_mark)) {
            buf_add_char(&text, '*');
            at += host_mark.len;
        } else {
            buf_add_char(&text, pattern.ptr[at++]);
        }
    }
    buf_add_char(&text, '\0');
    str_t copy = text.failed ? STR("") : arena_copy(arena, buf_str(&text));
    buf_release(&text);
    return copy.len == 0 ? NULL : copy.ptr;
}

static bool excluded(const struct config_list *exclude, str_t path)
{
    for (uint32_t i = 0; i < exclude->count; i++)
        if (scan_matches(exclude->items[i], path, NULL))
            return true;
    return false;
}

static bool add(struct scan *scan, str_t pattern, const char *found, const struct config_list *exclude, struct arena *arena)
{
    struct stat status;
    str_t path = str_make(found, strlen(found)), host;
    if (stat(found, &status) != 0 || !S_ISREG(status.st_mode) || excluded(exclude, path))
        return true;
    path = arena_copy(arena, str_make(found, path.len + 1));
    if (path.len == 0)
        return false;
    path.len--;
    if (!scan_matches(pattern, path, &host))
        return true;
    struct scanned *file = VEC_PUSH(arena, &scan->files);
    if (file == NULL)
        return false;
    *file = (struct scanned){path.ptr, host, status};
    return true;
}

static bool run_pattern(struct scan *scan, str_t pattern, const struct config_list *exclude, struct arena *arena)
{
    const char *text = glob_pattern(pattern, arena);
    glob_t hits = {0};
    if (text == NULL)
        return false;
    bool ok = glob(text, GLOB_NOSORT, NULL, &hits) != GLOB_NOSPACE;
    for (size_t i = 0; i < hits.gl_pathc && ok; i++)
        ok = add(scan, pattern, hits.gl_pathv[i], exclude, arena);
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

bool scan_run(struct scan *scan, const struct config_list *patterns, const struct config_list *exclude, struct arena *arena)
{
    *scan = (struct scan){0};
    for (uint32_t i = 0; i < patterns->count; i++)
        if (!run_pattern(scan, patterns->items[i], exclude, arena))
            return false;
    if (scan->files.count == 0)
        return true;
    qsort(scan->files.items, scan->files.count, sizeof *scan->files.items, by_inode);
    keep_once(scan);
    qsort(scan->files.items, scan->files.count, sizeof *scan->files.items, by_age);
    return true;
}
