/*
 * Hive's LineageLogger: JSON objects somewhere in a log, each with whatever prefix its layout gives it, on one line or over many:
 *
 *     2026-03-01T10:11:12,345  INFO [HiveServer2-Background-Pool: Thread-42] hooks.LineageLogger: {"version":"1.0","user":…}
 *
 * So what is looked for is `{"version":"1.0"`, and the object from there on is read to its brace. No record carries a query id: a hash of
 * host, line time, thread and content stands for it.
 */
#include "collect/format.h"
#include "collect/hive_graph.h"

struct hive_hook {
    struct format base;
    struct local_clock clock;
    struct hive_graph graph;
    struct buf host, id;
};

/* An object: the line that it begins on, the object itself. */
struct found {
    size_t line, begin;
    size_t end; /* 0: not there yet */
    bool cut;   /* another object begins before it ends */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether `"version"` at `at` is the first member of an object and says 1.0; *brace is where the object begins. */
static bool is_mark(str_t bytes, size_t at, size_t from, size_t *brace)
{
    size_t before = at;
    while (before > from && is_space(bytes.ptr[before - 1]))
        before--;
    if (before == from || bytes.ptr[before - 1] != '{')
        return false;
    size_t pos = at + 9;
    while (pos < bytes.len && is_space(bytes.ptr[pos]))
        pos++;
    if (pos == bytes.len || bytes.ptr[pos] != ':')
        return false;
    pos++;
    while (pos < bytes.len && is_space(bytes.ptr[pos]))
        pos++;
    *brace = before - 1;
    return str_starts_with(str_from(bytes, pos), STR("\"1.0\""));
}

/* The next object at or after `from`; bytes.len when there is none. */
static size_t next_mark(str_t bytes, size_t from)
{
    size_t brace, at = str_find_text(bytes, STR("\"version\""), from);
    while (at < bytes.len && !is_mark(bytes, at, from, &brace))
        at = str_find_text(bytes, STR("\"version\""), at + 9);
    return at < bytes.len ? brace : bytes.len;
}

static size_t line_begin(str_t bytes, size_t pos, size_t from)
{
    const char *hit = pos > from ? memrchr(bytes.ptr + from, '\n', pos - from) : NULL;
    return hit == NULL ? from : (size_t)(hit - bytes.ptr) + 1;
}

static bool find_object(str_t bytes, size_t from, struct found *found)
{
    size_t begin = next_mark(bytes, from);
    if (begin == bytes.len)
        return false;
    size_t next = next_mark(bytes, begin + 1);
    size_t length = json_object_length(str_make(bytes.ptr + begin, next - begin));
    *found = (struct found){.line = line_begin(bytes, begin, from), .begin = begin};
    found->end = length > 0 ? begin + length : 0;
    found->cut = length == 0 && next < bytes.len;
    if (found->cut) {
        size_t line = line_begin(bytes, next, begin);
        found->end = line > begin ? line : next; /* the next one's prefix is not of this one */
    }
    return true;
}

/* ---- the record ------------------------------------------------------------------------------------------------- */

/* The text in the first brackets of the prefix. */
static str_t thread_of(str_t prefix)
{
    size_t open = str_find(prefix, '[', 0), close = str_find(prefix, ']', open);
    return close < prefix.len ? str_make(prefix.ptr + open + 1, close - open - 1) : str_make(prefix.ptr, 0);
}

static str_t stand_in_id(struct hive_hook *hook, str_t prefix, str_t object)
{
    str_t time = str_make(prefix.ptr, prefix.len < 23 ? prefix.len : 23);
    return hive_graph_id(&hook->id, buf_str(&hook->host), time, thread_of(prefix), object);
}

static bool fill(struct hive_hook *hook, str_t prefix, str_t text, struct raw_record *record, const char **code)
{
    if (!hive_graph_fill(&hook->graph, text, record, code))
        return false;
    *code = "memory";
    record->query_id = stand_in_id(hook, prefix, text);
    record->time_ms = local_clock_ms(&hook->clock, prefix);
    if (record->time_ms == 0)
        record->time_ms = record->end_ms;
    return record->query_id.len > 0;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static uint64_t count_lines(str_t bytes, size_t from, size_t to)
{
    uint64_t count = 0;
    for (size_t at = str_find(bytes, '\n', from); at < to; at = str_find(bytes, '\n', at + 1))
        count++;
    return count;
}

/* Whether an object may begin here whose first member is not all there; `s` is what stands behind a brace. */
static bool may_become_mark(str_t s)
{
    static const str_t parts[] = {STR("\"version\""), STR(":"), STR("\"1.0\"")};
    size_t pos = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        while (pos < s.len && is_space(s.ptr[pos]))
            pos++;
        size_t left = s.len - pos, len = parts[i].len < left ? parts[i].len : left;
        if (memcmp(s.ptr + pos, parts[i].ptr, len) != 0)
            return false;
        pos += len;
        if (pos == s.len)
            return true;
    }
    return false;
}

/* How much of bytes without an object is done with: whole lines, but not a brace that an object may begin with. */
static size_t done_without(str_t bytes, size_t from, bool last)
{
    if (last)
        return bytes.len;
    size_t end = line_begin(bytes, bytes.len, from);
    const char *hit = bytes.len > from ? memrchr(bytes.ptr + from, '{', bytes.len - from) : NULL;
    if (hit == NULL || !may_become_mark(str_from(bytes, (size_t)(hit - bytes.ptr) + 1)))
        return end;
    size_t line = line_begin(bytes, (size_t)(hit - bytes.ptr), from);
    return line < end ? line : end;
}

/* False: the receiver is full. */
static bool give(struct hive_hook *hook, str_t bytes, const struct found *found, const struct format_output *output)
{
    struct raw_record record = raw_empty(RAW_HIVE_HOOK, RAW_LINEAGE);
    str_t prefix = str_make(bytes.ptr + found->line, found->begin - found->line);
    const char *code = "cut";
    if (!found->cut && fill(hook, prefix, str_make(bytes.ptr + found->begin, found->end - found->begin), &record, &code))
        return output->record(output->context, &record, found->line, found->end);
    output->failed(output->context, code, found->line, found->end);
    return true;
}

static size_t hive_hook_read(struct format *format, str_t bytes, bool last, const struct format_output *output)
{
    struct hive_hook *hook = (struct hive_hook *)format;
    size_t pos = 0;
    struct found found;
    while (find_object(bytes, pos, &found)) {
        size_t done = found.end;
        if (done == 0 && !last) {
            format->lines += count_lines(bytes, pos, found.line);
            return found.line;
        }
        if (done == 0) {
            found.cut = true;
            done = found.end = bytes.len;
        }
        if (!give(hook, bytes, &found, output))
            return pos;
        format->lines += count_lines(bytes, pos, done);
        pos = done;
    }
    size_t done = done_without(bytes, pos, last);
    uint64_t lines = count_lines(bytes, pos, done);
    format->lines += lines;
    format->foreign_lines += lines;
    return done;
}

static void hive_hook_file(struct format *format, const struct format_file *file)
{
    struct hive_hook *hook = (struct hive_hook *)format;
    local_clock_init(&hook->clock, format->zone);
    buf_clear(&hook->host);
    buf_add(&hook->host, file->host);
}

static void hive_hook_release(struct format *format)
{
    struct hive_hook *hook = (struct hive_hook *)format;
    hive_graph_release(&hook->graph);
    buf_release(&hook->host);
    buf_release(&hook->id);
}

static void hive_hook_begin(struct format *format)
{
    struct hive_hook *hook = (struct hive_hook *)format;
    local_clock_init(&hook->clock, format->zone);
    hive_graph_init(&hook->graph);
    buf_init(&hook->host, 0);
    buf_init(&hook->id, 0);
}

const struct format_ops hive_hook_format = {
    .name = "hive-hook",
    .source = RAW_HIVE_HOOK,
    .size = sizeof(struct hive_hook),
    .read = hive_hook_read,
    .begin = hive_hook_begin,
    .file = hive_hook_file,
    .release = hive_hook_release,
};
