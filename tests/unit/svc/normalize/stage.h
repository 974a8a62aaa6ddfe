/* For tests of the normaliser: a stage with a clock that is set by hand, what it gave out, and short ways to make records. */
#ifndef COLLINE_TESTS_STAGE_H
#define COLLINE_TESTS_STAGE_H

#include "normalize/normalizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum {
    GIVEN_MAX = 4096
};

static const int64_t SECOND = 1000, MINUTE = 60 * 1000, HOUR = 60 * 60 * 1000;

/* What was kept of a query: the last put. */
struct kept_state {
    char *id;
    struct buf state;
};

struct stage {
    int64_t now;
    struct normalizer *n;
    struct joiner *joiner;
    struct metrics *metrics;
    struct arena arena;       /* of what was given out */
    struct event events[GIVEN_MAX];
    size_t event_count;
    str_t invalid[GIVEN_MAX];
    size_t invalid_count;
    struct kept_state kept[GIVEN_MAX];
    size_t kept_count;
    size_t puts, dels, gets;
    bool pages; /* states are asked back */
};

static inline str_t text(const char *s)
{
    return str_make(s, strlen(s));
}

static inline struct kept_state *kept_of(struct stage *s, str_t id)
{
    for (size_t i = 0; i < s->kept_count; i++)
        if (str_eq(text(s->kept[i].id), id))
            return &s->kept[i];
    return NULL;
}

static inline void on_event(void *context, const struct event *event, str_t json)
{
    struct stage *s = context;
    str_t reason;
    (void)event;
    assert_true(s->event_count < GIVEN_MAX);
    if (!event_read(arena_copy(&s->arena, json), &s->arena, &s->events[s->event_count++], &reason))
        fail_msg("%.*s in %.*s", (int)reason.len, reason.ptr, (int)json.len, json.ptr);
}

static inline void on_invalid(void *context, str_t id, str_t json)
{
    struct stage *s = context;
    (void)id;
    assert_true(s->invalid_count < GIVEN_MAX);
    s->invalid[s->invalid_count++] = arena_copy(&s->arena, json);
}

static inline void on_put(void *context, str_t id, str_t state)
{
    struct stage *s = context;
    struct kept_state *kept = kept_of(s, id);
    if (kept == NULL) {
        assert_true(s->kept_count < GIVEN_MAX);
        kept = &s->kept[s->kept_count++];
        *kept = (struct kept_state){.id = calloc(id.len + 1, 1)};
        memcpy(kept->id, id.ptr, id.len);
    }
    buf_clear(&kept->state);
    buf_add(&kept->state, state);
    s->puts++;
}

static inline void on_del(void *context, str_t id)
{
    struct stage *s = context;
    struct kept_state *kept = kept_of(s, id);
    assert_non_null(kept);
    free(kept->id);
    buf_release(&kept->state);
    *kept = s->kept[--s->kept_count];
    s->dels++;
}

static inline bool on_get(void *context, str_t id, struct buf *state)
{
    struct stage *s = context;
    struct kept_state *kept = kept_of(s, id);
    s->gets++;
    if (kept != NULL)
        buf_add(state, buf_str(&kept->state));
    return kept != NULL;
}

static inline const struct normalizer_output *stage_output(struct stage *s)
{
    static struct normalizer_output output;
    output = (struct normalizer_output){on_event, on_invalid, on_put, on_del, s->pages ? on_get : NULL, NULL, s};
    return &output;
}

static inline struct normalizer_options stage_options(struct stage *s)
{
    return (struct normalizer_options){
        .limits = {25 * HOUR, 5 * MINUTE, 10 * SECOND, 25 * HOUR},
        .clock = clock_manual(&s->now),
        .metrics = s->metrics,
    };
}

static inline void stage_begin_with(struct stage *s, const struct normalizer_options *options)
{
    struct buf reason;
    buf_init(&reason, 0);
    s->n = normalizer_new(options, &reason);
    if (s->n == NULL)
        fail_msg("%.*s", (int)reason.len, reason.ptr);
    s->joiner = normalizer_joiner(s->n, stage_output(s));
    assert_non_null(s->joiner);
}

static inline struct stage *stage_new(void)
{
    struct stage *s = calloc(1, sizeof *s);
    s->now = 1773584553000; /* 2026-03-15 14:22:33 UTC */
    arena_init(&s->arena, 0, NULL);
    s->metrics = metrics_new();
    struct normalizer_options options = stage_options(s);
    stage_begin_with(s, &options);
    return s;
}

static inline void stage_free(struct stage *s)
{
    normalizer_joiner_free(s->n, s->joiner);
    normalizer_free(s->n);
    metrics_free(s->metrics);
    for (size_t i = 0; i < s->kept_count; i++) {
        free(s->kept[i].id);
        buf_release(&s->kept[i].state);
    }
    arena_release(&s->arena);
    free(s);
}

static inline void stage_commit(struct stage *s)
{
    joiner_settle(s->joiner);
    assert_true(joiner_is_well(s->joiner));
    joiner_commit(s->joiner);
}

static inline void stage_feed(struct stage *s, const struct raw_record *record)
{
    normalizer_feed_record(s->n, s->joiner, record);
}

/* The clock goes on, nothing stands to be read, and what is due happens. */
static inline void stage_wait(struct stage *s, int64_t ms)
{
    s->now += ms;
    joiner_all_read(s->joiner, s->now);
    normalizer_tick(s->n, s->joiner);
    stage_commit(s);
}

static inline const struct event *stage_last(const struct stage *s)
{
    assert_true(s->event_count > 0);
    return &s->events[s->event_count - 1];
}

/* A record of a query; captured now. */
static inline struct raw_record record_of(const struct stage *s, const char *id, enum raw_source source, enum raw_kind kind)
{
    struct raw_record record = raw_empty(source, kind);
    record.query_id = text(id);
    record.captured_at = s->now;
    record.time_ms = s->now;
    record.host = text("h1");
    record.position.file = text("impalad.INFO");
    return record;
}

static inline void feed_start(struct stage *s, const char *id, const char *user, const char *sql)
{
    struct raw_record record = record_of(s, id, RAW_DAEMON_LOG, RAW_START);
    record.user = text(user);
    record.sql = text(sql);
    stage_feed(s, &record);
}

static inline void feed_tables(struct stage *s, const char *id, enum raw_kind kind, const char *table)
{
    struct raw_record record = record_of(s, id, RAW_DAEMON_LOG, kind);
    str_t one = text(table);
    record.tables = &one;
    record.table_count = table[0] != '\0';
    stage_feed(s, &record);
}

static inline void feed_scan(struct stage *s, const char *id, const char *path)
{
    struct raw_record record = record_of(s, id, RAW_DAEMON_LOG, RAW_SCAN);
    record.path = text(path);
    stage_feed(s, &record);
}

static inline void feed_finish(struct stage *s, const char *id, const char *status, int64_t duration_ms)
{
    struct raw_record record = record_of(s, id, RAW_DAEMON_LOG, RAW_FINISH);
    record.status = text(status);
    record.duration_ms = duration_ms;
    stage_feed(s, &record);
}

#define assert_text(actual, expected) assert_text_is((actual), (expected), __FILE__, __LINE__)

static inline void assert_text_is(str_t actual, const char *expected, const char *file, int line)
{
    if (!str_eq(actual, text(expected))) {
        print_error("expected: %s\n  actual: %.*s\n", expected, (int)actual.len, actual.ptr);
        _fail(file, line);
    }
}

/* Names with blanks between. */
static inline void assert_names_are(const str_t *names, uint32_t count, const char *expected, const char *file, int line)
{
    struct buf all;
    buf_init(&all, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            buf_add_char(&all, ' ');
        buf_add(&all, names[i]);
    }
    assert_text_is(buf_str(&all), expected, file, line);
    buf_release(&all);
}

#define assert_inputs(event, expected) assert_names_are((event)->input_tables, (event)->input_count, (expected), __FILE__, __LINE__)
#define assert_outputs(event, expected) assert_names_are((event)->output_tables, (event)->output_count, (expected), __FILE__, __LINE__)

static inline bool has_problem(const struct event *event, const char *code)
{
    for (uint32_t i = 0; i < event->problem_count; i++)
        if (str_eq(event->problems[i].code, text(code)))
            return true;
    return false;
}

static inline bool text_holds(str_t s, const char *part)
{
    return memmem(s.ptr, s.len, part, strlen(part)) != NULL;
}

#endif
