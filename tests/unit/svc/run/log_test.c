/* svc/run/log.h: its two layouts, its levels, and what is said of repeats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/log.h"
#include "support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fixture {
    char path[64];
    int64_t now;
    struct clock clock;
    struct log *log;
};

static void begin(struct fixture *f, bool json)
{
    *f = (struct fixture){.path = "/tmp/colline-log-XXXXXX", .now = 1773584553004};
    int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    close(fd);
    f->clock = clock_manual(&f->now);
    f->log = log_open(
        &(struct log_options){
            .path = f->path, .json = json, .level = LOG_LEVEL_INFO, .repeat_ms = 1000},
        &f->clock);
    assert_non_null(f->log);
}

/* Closes the log and holds its text against the expected one. */
static void end(struct fixture *f, const char *expected)
{
    log_close(f->log);
    struct text text = text_of_file(f->path);
    assert_string_equal(text.ptr == NULL ? "" : text.ptr, expected);
    text_free(&text);
    unlink(f->path);
}

static void a_line_is_text_or_json(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, false);
    log_say(f.log, LOG_LEVEL_INFO, "tail.open", STR("/a\nb"), "found at %d", 7);
    log_say(f.log, LOG_LEVEL_DEBUG, "tail.open", STR(""), "left out");
    end(&f, "2026-03-15T14:22:33.004Z INFO tail.open /a b: found at 7\n");
    begin(&f, true);
    log_say(f.log, LOG_LEVEL_ERROR, "x", STR("\"q\""), "two\nlines");
    log_say(f.log, LOG_LEVEL_INFO, "y", STR(""), "no about");
    end(&f, "{\"time\":\"2026-03-15T14:22:33.004Z\",\"level\":\"error\",\"event\":\"x\",\"about\":"
            "\"\\\"q\\\"\",\"message\":\"two\\nlines\"}\n"
            "{\"time\":\"2026-03-15T14:22:33.004Z\",\"level\":\"info\",\"event\":\"y\",\"message\":"
            "\"no about\"}\n");
}

static void repeats_are_counted_and_said_later(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, false);
    for (int i = 0; i < 5; i++)
        log_say(f.log, LOG_LEVEL_WARNING, "full", STR("s"), "n %d", i);
    log_say(f.log, LOG_LEVEL_WARNING, "full", STR("other"), "its own");
    f.now += 1000;
    log_say(f.log, LOG_LEVEL_WARNING, "full", STR("s"), "again");
    log_say(f.log, LOG_LEVEL_WARNING, "full", STR("s"), "held");
    end(&f, "2026-03-15T14:22:33.004Z WARNING full s: n 0\n"
            "2026-03-15T14:22:33.004Z WARNING full other: its own\n"
            "2026-03-15T14:22:34.004Z WARNING full s: the same came 4 more times since\n"
            "2026-03-15T14:22:34.004Z WARNING full s: again\n"
            "2026-03-15T14:22:34.004Z WARNING full s: the same came 1 more times since\n");
}

static void a_tick_says_what_was_held_back(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, false);
    log_say(f.log, LOG_LEVEL_ERROR, "e", STR(""), "one");
    log_say(f.log, LOG_LEVEL_ERROR, "e", STR(""), "two");
    log_tick(f.log);
    f.now += 1000;
    log_tick(f.log);
    log_tick(f.log);
    end(&f, "2026-03-15T14:22:33.004Z ERROR e: one\n"
            "2026-03-15T14:22:34.004Z ERROR e: the same came 1 more times since\n");
}

static void many_kinds_of_messages_lose_none(void **state)
{
    (void)state;
    struct fixture f;
    char about[16];
    begin(&f, false);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 300; i++, f.now++) {
            int len = snprintf(about, sizeof about, "f%d", i);
            log_say(f.log, LOG_LEVEL_WARNING, "e", str_make(about, (size_t)len), "m");
        }
    log_close(f.log);
    struct text text = text_of_file(f.path);
    size_t lines = 0;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    assert_int_equal(lines, 600);
    text_free(&text);
    unlink(f.path);
}

static void a_rotated_log_goes_on_in_a_new_file(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, false);
    log_say(f.log, LOG_LEVEL_INFO, "a", STR(""), "old");
    unlink(f.path);
    assert_true(log_reopen(f.log));
    log_say(f.log, LOG_LEVEL_INFO, "a", STR(""), "new");
    end(&f, "2026-03-15T14:22:33.004Z INFO a: new\n");
}

static void long_messages_are_cut_and_no_log_says_nothing(void **state)
{
    (void)state;
    struct fixture f;
    static char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    begin(&f, false);
    log_say(f.log, LOG_LEVEL_INFO, "a", str_make(long_text, 4999), "%s", long_text);
    log_close(f.log);
    struct text text = text_of_file(f.path);
    assert_in_range(text.len, 2000, 2400);
    text_free(&text);
    unlink(f.path);
    log_say(NULL, LOG_LEVEL_ERROR, "a", STR(""), "nothing");
    log_tick(NULL);
    log_close(NULL);
    assert_null(log_open(&(struct log_options){.path = "/nowhere/at/all"}, &f.clock));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_text_or_json),
        cmocka_unit_test(repeats_are_counted_and_said_later),
        cmocka_unit_test(a_tick_says_what_was_held_back),
        cmocka_unit_test(many_kinds_of_messages_lose_none),
        cmocka_unit_test(a_rotated_log_goes_on_in_a_new_file),
        cmocka_unit_test(long_messages_are_cut_and_no_log_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
