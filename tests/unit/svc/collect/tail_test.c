/* svc/collect/tail: the reader with a receiver that the test plays, step by step, with a clock that stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/tail/scan.h"
#include "collect/tail/tail.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "[INFO] 2026-03-15 14:22:33,456 QueryId: 4d4f5a1c2b3e9f01:8a7b6c5d00000000 "
#define SCAN(path) HEAD "ScanNode: " path "\n"

struct world {
    char folder[64], log[128], rotated[128];
    int64_t now;
    struct clock clock;
    struct checkpoint *checkpoint;
    struct config_source source;
    str_t pattern;
    struct collector *collector;
    struct buf got; /* paths of SCAN records, texts of others, a blank behind each */
    uint64_t cookies[64];
    size_t count;
    size_t room; /* how many more the receiver takes */
    uint64_t file_id; /* of the last record */
    bool tells_backfill; /* a + before what is marked so */
};

static bool emit(void *context, const struct raw_record *record, uint64_t cookie)
{
    struct world *w = context;
    if (w->room == 0)
        return false;
    w->room--;
    w->cookies[w->count++] = cookie;
    w->file_id = record->position.file_id;
    if (w->tells_backfill && record->backfill)
        buf_add_char(&w->got, '+');
    buf_add(&w->got, record->path.len > 0 ? record->path : record->sql.len > 0 ? record->sql : raw_kind_name(record->kind));
    buf_add_char(&w->got, ' ');
    return true;
}

static void begin(struct world *w)
{
    memset(w, 0, sizeof *w);
    strcpy(w->folder, "tail_test_XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    snprintf(w->log, sizeof w->log, "%s/app.log", w->folder);
    snprintf(w->rotated, sizeof w->rotated, "%s/app.log.1", w->folder);
    w->now = 1800000000000;
    w->clock = clock_manual(&w->now);
    w->pattern = str_make(w->log, strlen(w->log));
    w->source = (struct config_source){.kind = KIND_DAEMON_LOG,
                                       .name = STR("s"),
                                       .watch = WATCH_POLL,
                                       .interval = 100,
                                       .max_line = 1 << 20,
                                       .paths = {&w->pattern, 1}};
    buf_init(&w->got, 0);
}

/* Starts the reader, as after the start of the program. */
static void start(struct world *w, bool from_beginning)
{
    char path[128];
    const char *reason;
    snprintf(path, sizeof path, "%s/positions", w->folder);
    w->checkpoint = checkpoint_open(path, &w->clock);
    assert_non_null(w->checkpoint);
    const struct tail_options options = {.source = &w->source,
                                         .checkpoint = w->checkpoint,
                                         .from_beginning = from_beginning,
                                         .in_flight = 64,
                                         .clock_skew_ms = 5000};
    const struct collector_output output = {emit, w, &w->clock, NULL, NULL};
    w->collector = tail_new(&options, &output, &reason);
    assert_non_null(w->collector);
    w->room = 64;
    w->count = 0;
}

/* Ends it without saving, as a crash does. */
static void crash(struct world *w)
{
    w->collector->ops->close(w->collector);
    checkpoint_close(w->checkpoint);
}

static void finish(struct world *w)
{
    char command[256];
    crash(w);
    buf_release(&w->got);
    snprintf(command, sizeof command, "rm -r %s", w->folder);
    assert_int_equal(system(command), 0);
}

static void write_to(const char *path, const char *text, const char *mode)
{
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void steps(struct world *w, int64_t ms)
{
    for (int64_t end = w->now + ms; w->now < end; w->now += 100)
        w->collector->ops->step(w->collector, 16);
}

/* What came since the last call. */
static void assert_got(struct world *w, const char *expected)
{
    steps(w, 300);
    str_t got = buf_str(&w->got);
    if (!str_eq(got, str_make(expected, strlen(expected))))
        fprintf(stderr, "got `%.*s`, expected `%s`\n", (int)got.len, got.ptr, expected);
    assert_true(str_eq(got, str_make(expected, strlen(expected))));
    buf_clear(&w->got);
}

static void acknowledge(struct world *w, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        w->collector->ops->acked(w->collector, w->cookies[i]);
    w->collector->ops->settle(w->collector);
    assert_true(checkpoint_save(w->checkpoint, true));
}

static void only_what_is_acknowledged_is_past(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, SCAN("/a") SCAN("/b") SCAN("/c") HEAD "ScanNo", "w");
    start(&w, true);
    assert_got(&w, "/a /b /c ");
    acknowledge(&w, 2, 3); /* c, out of order */
    acknowledge(&w, 0, 1); /* a */
    crash(&w);
    start(&w, true);
    assert_got(&w, "/b /c ");
    write_to(w.log, "de: /d\n", "a");
    assert_got(&w, "/d ");
    acknowledge(&w, 0, w.count);
    crash(&w);
    start(&w, true);
    assert_got(&w, "");
    finish(&w);
}

static void full_receiver(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, SCAN("/a") SCAN("/b") SCAN("/c"), "w");
    start(&w, true);
    w.room = 1;
    assert_got(&w, "/a ");
    w.room = 1;
    assert_got(&w, "/b ");
    w.room = 9;
    assert_got(&w, "/c ");
    finish(&w);
}

static void first_start_begins_at_the_end(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, SCAN("/old") HEAD "ScanNode", "w");
    start(&w, false);
    assert_got(&w, "");
    write_to(w.log, ": /new\n", "a");
    assert_got(&w, "/new ");
    write_to(w.rotated, SCAN("/later"), "w"); /* fits no pattern */
    assert_got(&w, "");
    finish(&w);
}

static void set_modified(const char *path, int64_t ms)
{
    const struct timespec times[2] = {{.tv_sec = ms / 1000}, {.tv_sec = ms / 1000}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* What was there at the first start fills back; what was begun while the reader was down is live, and an old file that is new to it is not. */
static void only_what_was_there_before_fills_back(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    w.tells_backfill = true;
    write_to(w.log, SCAN("/old"), "w");
    set_modified(w.log, w.now - 5000);
    start(&w, true);
    assert_got(&w, "+/old ");
    write_to(w.log, SCAN("/new"), "a");
    assert_got(&w, "/new ");
    acknowledge(&w, 0, 2);
    crash(&w);
    assert_int_equal(rename(w.log, w.rotated), 0);
    write_to(w.log, SCAN("/next"), "w");
    set_modified(w.log, w.now + 5000);
    start(&w, true);
    assert_got(&w, "/next ");
    acknowledge(&w, 0, 1);
    crash(&w);
    w.pattern = STR("tail_test_*/*.log");
    snprintf(w.rotated, sizeof w.rotated, "%s/other.log", w.folder);
    write_to(w.rotated, SCAN("/other"), "w");
    set_modified(w.rotated, w.now - 5000);
    start(&w, true);
    assert_got(&w, "+/other ");
    finish(&w);
}

static void rename_and_follow(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, SCAN("/a"), "w");
    start(&w, true);
    assert_got(&w, "/a ");
    write_to(w.log, SCAN("/b"), "a");
    rename(w.log, w.rotated);
    write_to(w.log, SCAN("/c"), "w");
    write_to(w.rotated, SCAN("/d"), "a"); /* the writer has not reopened yet */
    steps(&w, 300);
    acknowledge(&w, 0, w.count);
    assert_got(&w, "/b /d /c ");
    crash(&w);
    /* Rotated twice while nobody looked. */
    char second[160];
    snprintf(second, sizeof second, "%s.2", w.log);
    write_to(w.log, SCAN("/e"), "a");
    rename(w.rotated, second);
    rename(w.log, w.rotated);
    snprintf(second, sizeof second, "%s.3", w.log);
    usleep(20000);
    write_to(second, SCAN("/f"), "w");
    usleep(20000);
    write_to(w.log, SCAN("/g"), "w");
    start(&w, true);
    steps(&w, 300);
    assert_int_equal(w.count, 3);
    assert_non_null(memmem(w.got.ptr, w.got.len, "/e ", 3));
    assert_non_null(memmem(w.got.ptr, w.got.len, "/f ", 3));
    assert_non_null(memmem(w.got.ptr, w.got.len, "/g ", 3));
    finish(&w);
}

static void copy_and_truncate(void **state)
{
    (void)state;
    struct world w;
    char command[512];
    begin(&w);
    write_to(w.log, SCAN("/a"), "w");
    start(&w, true);
    assert_got(&w, "/a ");
    write_to(w.log, SCAN("/b"), "a"); /* not read before it is cut */
    snprintf(command, sizeof command, "cp %s %s && : >%s", w.log, w.rotated, w.log);
    assert_int_equal(system(command), 0);
    write_to(w.log, SCAN("/c"), "a");
    steps(&w, 300);
    acknowledge(&w, 0, w.count);
    assert_int_equal(w.count, 3);
    assert_non_null(memmem(w.got.ptr, w.got.len, "/b ", 3));
    assert_non_null(memmem(w.got.ptr, w.got.len, "/c ", 3));
    buf_clear(&w.got);
    crash(&w);
    /* Cut and grown beyond the old place while nobody looked; a hole of NULs before what a writer adds at its old place. */
    write_to(w.log, SCAN("/d") SCAN("/e"), "w");
    start(&w, true);
    assert_got(&w, "/d /e ");
    assert_int_equal(truncate(w.log, 0), 0);
    steps(&w, 300);
    assert_int_equal(truncate(w.log, 5000), 0);
    write_to(w.log, SCAN("/f"), "a");
    assert_got(&w, "/f ");
    finish(&w);
}

static void copy_and_cut(const struct world *w, const char *copy)
{
    char command[512];
    snprintf(command, sizeof command, "cp %s %s && : >%s", w->log, copy, w->log);
    assert_int_equal(system(command), 0);
}

/* Sorted, for what lies beside is read in the order in which the folder tells it. */
static void assert_got_sorted(struct world *w, const char *expected)
{
    steps(w, 300);
    for (size_t i = 0; i + 6 <= w->got.len; i += 3)
        for (size_t j = i + 3; j + 3 <= w->got.len; j += 3)
            if (w->got.ptr[i + 1] > w->got.ptr[j + 1]) {
                char other = w->got.ptr[i + 1];
                w->got.ptr[i + 1] = w->got.ptr[j + 1];
                w->got.ptr[j + 1] = other;
            }
    w->now -= 300;
    assert_got(w, expected);
}

/* What was read before the cut and never acknowledged comes again after a crash, from the copy; what was acknowledged does not. */
static void crash_after_a_cut(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, SCAN("/a") SCAN("/b") SCAN("/c"), "w");
    start(&w, true);
    assert_got(&w, "/a /b /c ");
    acknowledge(&w, 0, 1);
    copy_and_cut(&w, w.rotated);
    write_to(w.log, SCAN("/d"), "a");
    assert_got(&w, "/d ");
    acknowledge(&w, 1, 2);
    crash(&w);
    start(&w, true);
    assert_got_sorted(&w, "/c /d ");
    acknowledge(&w, 0, w.count);
    crash(&w);
    start(&w, true);
    assert_got(&w, "");
    finish(&w);
}

static void cut_twice_between_two_looks(void **state)
{
    (void)state;
    struct world w;
    char second[160];
    begin(&w);
    snprintf(second, sizeof second, "%s.2", w.log);
    write_to(w.log, SCAN("/a"), "w");
    start(&w, true);
    assert_got(&w, "/a ");
    write_to(w.log, SCAN("/b"), "a");
    copy_and_cut(&w, w.rotated);
    write_to(w.log, SCAN("/c") SCAN("/d"), "a");
    copy_and_cut(&w, second);
    write_to(w.log, SCAN("/e"), "a");
    assert_got_sorted(&w, "/b /c /d /e ");
    acknowledge(&w, 0, w.count);
    crash(&w);
    /* The same while nobody looks at all. */
    write_to(w.log, SCAN("/f"), "a");
    assert_int_equal(rename(second, w.rotated), 0);
    copy_and_cut(&w, second);
    write_to(w.log, SCAN("/g"), "a");
    char third[160];
    snprintf(third, sizeof third, "%s.3", w.log);
    copy_and_cut(&w, third);
    write_to(w.log, SCAN("/h"), "a");
    start(&w, true);
    assert_got_sorted(&w, "/f /g /h ");
    finish(&w);
}

/* A copy under a name that fits the pattern is not read twice, even when it is looked at while it grows. */
static void copies_beside(void **state)
{
    (void)state;
    struct world w;
    char pattern[160];
    begin(&w);
    snprintf(pattern, sizeof pattern, "%s*", w.log);
    w.pattern = str_make(pattern, strlen(pattern));
    write_to(w.log, SCAN("/a") SCAN("/b"), "w");
    start(&w, true);
    assert_got(&w, "/a /b ");
    write_to(w.rotated, HEAD, "w");
    assert_got(&w, "");
    write_to(w.rotated, "ScanNode: /a\n" SCAN("/b"), "a");
    assert_got(&w, "");
    assert_int_equal(truncate(w.log, 0), 0);
    write_to(w.log, SCAN("/c"), "a");
    assert_got(&w, "/c ");
    finish(&w);
}

static void file_keeps_its_id_until_it_is_cut(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, SCAN("/a"), "w");
    start(&w, true);
    assert_got(&w, "/a ");
    uint64_t id = w.file_id;
    assert_true(id != 0);
    write_to(w.log, SCAN("/b"), "a"); /* its first bytes are more now */
    assert_got(&w, "/b ");
    assert_true(w.file_id == id);
    acknowledge(&w, 0, 1);
    crash(&w);
    start(&w, true);
    assert_got(&w, "/b ");
    assert_true(w.file_id == id);
    assert_int_equal(rename(w.log, w.rotated), 0);
    write_to(w.rotated, SCAN("/c"), "a");
    assert_got(&w, "/c ");
    assert_true(w.file_id == id);
    write_to(w.log, SCAN("/d"), "w");
    assert_got(&w, "/d ");
    uint64_t other = w.file_id;
    assert_true(other != 0 && other != id);
    write_to(w.log, SCAN("/e"), "w");
    assert_got(&w, "/e ");
    assert_true(w.file_id != 0 && w.file_id != other && w.file_id != id);
    finish(&w);
}

static void text_of_many_lines_settles(void **state)
{
    (void)state;
    struct world w;
    begin(&w);
    write_to(w.log, HEAD "User: a Sql: select\n", "w");
    start(&w, true);
    assert_got(&w, "");
    write_to(w.log, "1\n", "a");
    assert_got(&w, "");
    steps(&w, 11000);
    assert_got(&w, "select\n1 ");
    finish(&w);
}

/* A text at the end of a file that was rotated away is whole soon after the writer went on; not while the new file is empty. */
static void text_before_a_rotation(void **state)
{
    (void)state;
    char pattern[160];
    for (int renamed_fits = 0; renamed_fits < 2; renamed_fits++) {
        struct world w;
        begin(&w);
        snprintf(pattern, sizeof pattern, "%s*", w.log);
        if (renamed_fits)
            w.pattern = str_make(pattern, strlen(pattern));
        write_to(w.log, SCAN("/a"), "w");
        start(&w, true);
        assert_got(&w, "/a ");
        write_to(w.log, HEAD "User: a Sql: select\n1\n", "a");
        assert_got(&w, "");
        rename(w.log, w.rotated);
        write_to(w.log, "", "w");
        steps(&w, 2000);
        assert_got(&w, "");
        write_to(w.rotated, "+ 2\n", "a");
        write_to(w.log, SCAN("/b"), "w");
        assert_got(&w, "/b ");
        steps(&w, 600);
        assert_got(&w, "select\n1\n+ 2 ");
        finish(&w);
    }
}

static void patterns(void **state)
{
    (void)state;
    struct stars stars;
    struct arena arena;
    arena_init(&arena, 0, NULL);
    assert_true(scan_matches(STR("/l/*/i*.INFO*"), STR("/l/h-1/impala.INFO.2"), &stars));
    assert_int_equal(stars.count, 3);
    str_t host = scan_host(STR("{1}.{2}-{3}{4}x{"), &stars, &arena);
    assert_true(str_eq(host, STR("h-1.mpala-.2x{")));
    assert_false(scan_matches(STR("/l/*/i"), STR("/l/a/b/i"), NULL));
    assert_true(scan_matches(STR("/[a-c]?[!x]"), STR("/bzy"), NULL));
    assert_false(scan_matches(STR("/[a-c]?[!x]"), STR("/bzx"), NULL));
    assert_false(scan_matches(STR("/[a"), STR("/a"), NULL));
    assert_true(scan_matches(STR("*"), STR(""), NULL));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_acknowledged_is_past),
        cmocka_unit_test(full_receiver),
        cmocka_unit_test(first_start_begins_at_the_end),
        cmocka_unit_test(only_what_was_there_before_fills_back),
        cmocka_unit_test(rename_and_follow),
        cmocka_unit_test(copy_and_truncate),
        cmocka_unit_test(crash_after_a_cut),
        cmocka_unit_test(cut_twice_between_two_looks),
        cmocka_unit_test(copies_beside),
        cmocka_unit_test(file_keeps_its_id_until_it_is_cut),
        cmocka_unit_test(text_of_many_lines_settles),
        cmocka_unit_test(text_before_a_rotation),
        cmocka_unit_test(patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
