/*
 * `--batch`: lines in, documents out. A line that is no record gives a document with an error and no statements, so that line n of the
 * output always answers line n of the input.
 */
#include "lineage.h"
#include "record.h"

#include "base/jsonw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void bad_record(struct job *job, const struct record *record, const char *why)
{
    struct jsonw json;
    jsonw_init(&json, &job->out, false);
    jsonw_object_begin(&json);
    jsonw_member(&json, STR("id"), record->id);
    jsonw_key(&json, STR("statements"));
    jsonw_array_begin(&json);
    jsonw_array_end(&json);
    jsonw_key(&json, STR("error"));
    jsonw_object_begin(&json);
    jsonw_member(&json, STR("code"), STR("bad-record"));
    jsonw_member(&json, STR("message"), str_of(why));
    jsonw_object_end(&json);
    jsonw_object_end(&json);
    buf_add_char(&job->out, '\n');
    char *message = need_format("colline: record %zu: %s\n", job->line_number, why);
    buf_add(&job->messages, str_of(message));
    free(message);
    job->unread = true;
}

/* Takes the text. */
static void bad_record_text(struct job *job, const struct record *record, char *why)
{
    bad_record(job, record, why);
    free(why);
}

static void run_record(struct worker *worker, struct job *job, const struct record *record)
{
    const struct options *options = &job->lineage->options;
    struct script script = {
        .id = record->id,
        .text = record->sql,
        .database = record->database.len > 0 ? record->database : options->database,
        .dialect = options->dialect.dialect,
        .guessed = record->dialect.len == 0 && !options->dialect.given,
    };
    str_t unknown;
    if (record->dialect.len > 0 && !dialect_by_name(record->dialect, &script.dialect)) {
        bad_record_text(job, record, need_format("unknown dialect `%.*s`, there are hive and impala", (int)record->dialect.len,
                                                 record->dialect.ptr));
        return;
    }
    const colline_catalog *catalog = catalogs_get(options->catalogs, record->catalogs.items, record->catalogs.count, &unknown);
    if (catalog == NULL) {
        bad_record_text(job, record, need_format("no -c %.*s=FILE was given", (int)unknown.len, unknown.ptr));
        return;
    }
    colline_analyzer *an = worker_analyzer(worker, catalog);
    colline_set_expand_complex_types(an, record->expand_complex_types);
    job_run(job, an, &script);
}

void batch_work(struct worker *worker, struct job *job)
{
    struct arena *arena = worker_arena(worker);
    struct record record;
    size_t where;
    arena_clear(arena);
    const char *wrong = record_read(&record, str_make(job->line, job->line_len), arena, &where);
    if (arena->failed)
        need(NULL);
    if (wrong == NULL) {
        run_record(worker, job, &record);
        return;
    }
    bad_record_text(job, &record, need_format("column %zu: %s", where + 1, wrong));
}

struct lines {
    int fd;
    char *bytes;
    size_t used, capacity;
    size_t number;
};

static void feed_line(struct lineage *lineage, struct pool *pool, struct lines *lines, str_t line)
{
    lines->number++;
    if (str_trim(line).len == 0)
        return;
    struct job *job = job_new(lineage);
    job->line = need_alloc(line.len);
    memcpy(job->line, line.ptr, line.len);
    job->line_len = line.len;
    job->line_number = lines->number;
    pool_add(pool, job);
}

/* Hands on all whole lines; `last`: what is left too. */
static void feed_whole_lines(struct lineage *lineage, struct pool *pool, struct lines *lines, size_t seen, bool last)
{
    str_t all = str_make(lines->bytes, lines->used);
    size_t start = 0;
    for (size_t end = str_find(all, '\n', seen); end < all.len; end = str_find(all, '\n', start)) {
        feed_line(lineage, pool, lines, str_make(all.ptr + start, end - start));
        start = end + 1;
    }
    if (last && start < all.len) {
        feed_line(lineage, pool, lines, str_make(all.ptr + start, all.len - start));
        start = all.len;
    }
    lines->used = all.len - start;
    if (start > 0 && lines->used > 0)
        memmove(lines->bytes, lines->bytes + start, lines->used);
}

/* Before more input is waited for, answers go out: somebody may be waiting for them. */
static bool read_more(struct lineage *lineage, struct lines *lines)
{
    static const size_t least_room = (size_t)64 << 10, more_room = (size_t)256 << 10;
    if (lineage->threads == 1)
        output_flush(&lineage->output);
    if (lines->capacity - lines->used < least_room) {
        lines->capacity = lines->capacity * 2 + more_room;
        lines->bytes = need_grow(lines->bytes, lines->capacity, 1);
    }
    for (;;) {
        ssize_t got = read(lines->fd, lines->bytes + lines->used, lines->capacity - lines->used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got > 0)
            lines->used += (size_t)got;
        return got > 0;
    }
}

static void feed_file(struct lineage *lineage, struct pool *pool, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    struct lines lines = {.fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)};
    if (lines.fd < 0) {
        complain("%s: %s", path, strerror(errno));
        lineage->inputs.partly = true;
        return;
    }
    size_t seen = 0;
    while (read_more(lineage, &lines)) {
        feed_whole_lines(lineage, pool, &lines, seen, false);
        seen = lines.used;
    }
    feed_whole_lines(lineage, pool, &lines, 0, true);
    if (!standard)
        close(lines.fd);
    free(lines.bytes);
}

void batch_feed(struct lineage *lineage, struct pool *pool)
{
    for (size_t i = 0; i < lineage->inputs.count; i++)
        feed_file(lineage, pool, lineage->inputs.items[i].path);
}
