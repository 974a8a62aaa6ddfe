/* svc/bus/spool.h: order, restarts, limits, and what damage costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/spool_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LENGTH = 100,
    RECORD = SPOOL_HEADER + 1 + LENGTH, /* with a key of one digit */
    ANY = 1 << 20
};

/* Reads on and compares; the records stay outstanding. */
static void expect_records(struct spool *spool, uint64_t first, uint64_t last)
{
    struct spool_record record;
    for (uint64_t number = first; number < last; number++) {
        assert_true(spool_peek(spool, &record));
        assert_true(spool_folder_is(&record, number, LENGTH));
        spool_advance(spool);
    }
}

static void expect_end(struct spool *spool)
{
    struct spool_record record;
    assert_false(spool_peek(spool, &record));
    assert_false(spool_has_unread(spool));
}

static off_t size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void records_come_back_in_order(void **state)
{
    (void)state;
    struct spool_folder folder;
    struct stat status;
    char path[128];
    spool_folder_make(&folder);
    struct spool *spool = spool_folder_open(&folder, ANY, 65536);
    assert_non_null(spool);
    assert_int_equal(spool_folder_fill(spool, 0, 2000, LENGTH), 2000);
    assert_int_equal(folder.stored_count, 0);
    assert_true(spool_sync(spool));
    assert_int_equal(folder.stored_count, 2000);
    for (size_t i = 0; i < 2000; i++)
        assert_int_equal(folder.stored[i], i);
    assert_true(spool_folder_file(&folder, 0, path));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    expect_records(spool, 0, 2000);
    assert_int_equal(spool_folder_fill(spool, 2000, 2010, LENGTH), 10);
    assert_true(spool_sync(spool));
    expect_records(spool, 2000, 2010);
    expect_end(spool);
    for (uint64_t i = 0; i < 2010; i++)
        spool_done(spool, 2009 - i);
    assert_true(spool_is_empty(spool));
    assert_int_equal(spool_bytes(spool), 0);
    assert_false(spool_folder_file(&folder, 0, path));
    spool_close(spool);
    spool_folder_remove(&folder);
}

static void a_restart_goes_on_at_what_is_not_done(void **state)
{
    (void)state;
    struct spool_folder folder;
    char path[128];
    spool_folder_make(&folder);
    struct spool *spool = spool_folder_open(&folder, ANY, 4096);
    for (uint64_t n = 0; n < 300; n += 10) { /* a file each few syncs */
        assert_int_equal(spool_folder_fill(spool, n, n + 10, LENGTH), 10);
        assert_true(spool_sync(spool));
    }
    assert_null(spool_folder_open(&folder, ANY, 4096));
    assert_int_equal(spool_folder_said(&folder, "another process uses the spool"), 1);
    expect_records(spool, 0, 150);
    for (uint64_t n = 0; n < 150; n++)
        if (n != 120)
            spool_done(spool, n);
    spool_close(spool);
    spool = spool_folder_open(&folder, ANY, 4096);
    expect_records(spool, 120, 300);
    assert_int_equal(spool_folder_fill(spool, 300, 305, LENGTH), 5);
    spool_close(spool); /* syncs */
    spool = spool_folder_open(&folder, ANY, 4096);
    expect_records(spool, 120, 305);
    expect_end(spool);
    for (uint64_t n = 120; n < 305; n++)
        spool_done(spool, n);
    spool_close(spool);
    assert_false(spool_folder_file(&folder, 0, path));
    spool = spool_folder_open(&folder, ANY, 4096);
    assert_true(spool_is_empty(spool));
    assert_int_equal(spool_folder_fill(spool, 0, 1, LENGTH), 1);
    assert_true(spool_sync(spool));
    expect_records(spool, 0, 1);
    spool_close(spool);
    assert_int_equal(spool_folder_said(&folder, "damaged"), 0);
    spool_folder_remove(&folder);
}

static void a_torn_end_costs_only_itself(void **state)
{
    (void)state;
    for (off_t cut = 1; cut <= RECORD; cut += 7) {
        struct spool_folder folder;
        char path[128];
        spool_folder_make(&folder);
        struct spool *spool = spool_folder_open(&folder, ANY, 0);
        assert_int_equal(spool_folder_fill(spool, 0, 5, LENGTH), 5);
        spool_close(spool);
        assert_true(spool_folder_file(&folder, 0, path));
        assert_int_equal(size_of(path), 5 * RECORD);
        assert_int_equal(truncate(path, 5 * RECORD - cut), 0);
        spool = spool_folder_open(&folder, ANY, 0);
        assert_int_equal(spool_folder_fill(spool, 4, 8, LENGTH), 4);
        assert_true(spool_sync(spool));
        expect_records(spool, 0, 8);
        expect_end(spool);
        assert_int_equal(spool_folder_said(&folder, "ends at byte 532 with what is no whole record"), cut < RECORD);
        spool_close(spool);
        spool_folder_remove(&folder);
    }
}

static void flip(const char *path, off_t at)
{
    char byte;
    int fd = open(path, O_RDWR);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte = (char)(byte ^ 0x55);
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void a_flipped_byte_costs_one_record_and_is_named(void **state)
{
    (void)state;
    for (off_t at = 2 * RECORD; at < 3 * RECORD; at += 5) {
        struct spool_folder folder;
        char path[128], wanted[256];
        spool_folder_make(&folder);
        struct spool *spool = spool_folder_open(&folder, ANY, 0);
        assert_int_equal(spool_folder_fill(spool, 0, 6, LENGTH), 6);
        spool_close(spool);
        assert_true(spool_folder_file(&folder, 0, path));
        flip(path, at);
        spool = spool_folder_open(&folder, ANY, 0);
        expect_records(spool, 0, 2);
        expect_records(spool, 3, 6);
        expect_end(spool);
        snprintf(wanted, sizeof wanted, "%s is damaged: bytes 266 to 399 are no record, 1 records are lost", path);
        assert_int_equal(spool_folder_said(&folder, wanted), 1);
        for (uint64_t n = 0; n < 6; n++)
            spool_done(spool, n);
        assert_true(spool_is_empty(spool));
        spool_close(spool);
        spool_folder_remove(&folder);
    }
}

static void overwrite(const char *path, off_t from, off_t to, unsigned *seed)
{
    int fd = open(path, O_WRONLY);
    for (off_t at = from; at < to; at++) {
        char byte = (char)rand_r(seed);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
}

/* Reads all; whatever does not overlap the damage must come, in order. */
static void expect_all_but(struct spool *spool, off_t from, off_t to, uint64_t count)
{
    struct spool_record record;
    uint64_t next = 0;
    while (spool_peek(spool, &record)) {
        uint64_t number = spool_folder_number(&record);
        assert_true(number >= next && spool_folder_is(&record, number, LENGTH));
        for (; next < number; next++)
            assert_true((off_t)next * RECORD < to && (off_t)(next + 1) * RECORD > from);
        next = number + 1;
        spool_advance(spool);
        spool_done(spool, record.sequence);
    }
    for (; next < count; next++)
        assert_true((off_t)next * RECORD < to && (off_t)(next + 1) * RECORD > from);
}

static void random_damage_costs_what_it_touches(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int round = 0; round < 100; round++) {
        struct spool_folder folder;
        char path[128];
        spool_folder_make(&folder);
        struct spool *spool = spool_folder_open(&folder, ANY, 0);
        assert_int_equal(spool_folder_fill(spool, 0, 9, LENGTH), 9);
        spool_close(spool);
        assert_true(spool_folder_file(&folder, 0, path));
        off_t from = rand_r(&seed) % (9 * RECORD), to = from + 1 + rand_r(&seed) % 300;
        if (to > 9 * RECORD)
            to = 9 * RECORD;
        overwrite(path, from, to, &seed);
        spool = spool_folder_open(&folder, ANY, 0);
        assert_non_null(spool);
        expect_all_but(spool, from, to, 9);
        spool_close(spool);
        spool_folder_remove(&folder);
    }
}

static void at_the_limit_it_says_so_once(void **state)
{
    (void)state;
    struct spool_folder folder;
    spool_folder_make(&folder);
    struct spool *spool = spool_folder_open(&folder, 100000, 0);
    uint64_t count = spool_folder_fill(spool, 0, 10000, LENGTH);
    assert_true(count > 700 && count < 760);
    assert_true(spool_sync(spool));
    assert_true(spool_bytes(spool) <= 100000);
    for (int i = 0; i < 5; i++)
        assert_int_equal(spool_folder_fill(spool, count, count + 1, LENGTH), 0);
    assert_int_equal(spool_folder_said(&folder, "the spool is full"), 1);
    expect_records(spool, 0, count);
    for (uint64_t n = 0; n < count; n++)
        spool_done(spool, n);
    assert_int_equal(spool_folder_fill(spool, count, count + 100, LENGTH), 100);
    assert_true(spool_sync(spool));
    assert_int_equal(spool_folder_said(&folder, "has room again"), 1);
    expect_records(spool, count, count + 100);
    spool_close(spool);
    spool_folder_remove(&folder);
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_disk_that_takes_no_more_loses_nothing(void **state)
{
    (void)state;
    struct spool_folder folder;
    char path[128];
    spool_folder_make(&folder);
    signal(SIGXFSZ, SIG_IGN);
    struct spool *spool = spool_folder_open(&folder, 0, 0);
    assert_int_equal(spool_folder_fill(spool, 0, 5, LENGTH), 5);
    assert_true(spool_sync(spool));
    assert_int_equal(spool_folder_fill(spool, 5, 50, LENGTH), 45);
    limit_file_size(8 * RECORD + 10);
    bool synced = spool_sync(spool);
    limit_file_size(RLIM_INFINITY);
    assert_false(synced);
    assert_int_equal(folder.stored_count, 5);
    assert_true(spool_folder_file(&folder, 0, path));
    assert_int_equal(size_of(path), 5 * RECORD);
    assert_false(spool_sync(spool)); /* not asked again within a second */
    assert_int_equal(spool_folder_said(&folder, "the spool cannot be written"), 1);
    folder.now += 1000;
    assert_true(spool_sync(spool));
    assert_int_equal(folder.stored_count, 50);
    assert_int_equal(spool_folder_said(&folder, "can be written again"), 1);
    expect_records(spool, 0, 50);
    spool_close(spool);
    spool_folder_remove(&folder);
}

/* Appends for ever, and writes each stored cookie to the pipe. */
static void tell_stored(void *context, uint64_t cookie)
{
    if (write(*(int *)context, &cookie, sizeof cookie) != sizeof cookie)
        _exit(1);
}

static void append_until_killed(struct spool_folder *folder, int pipe_end)
{
    struct spool_options options = {.folder = folder->path, .segment = 65536, .clock = clock_manual(&folder->now), .stored = tell_stored,
                                    .context = &pipe_end};
    struct buf error;
    buf_init(&error, 4096);
    struct spool *spool = spool_open(&options, &error);
    if (spool == NULL)
        _exit(1);
    for (uint64_t n = 0;; n += 10) {
        spool_folder_fill(spool, n, n + 10, LENGTH);
        spool_sync(spool);
    }
}

static void what_was_stored_survives_a_kill(void **state)
{
    (void)state;
    struct spool_folder folder;
    int ends[2];
    uint64_t cookie = 0, told = 0;
    spool_folder_make(&folder);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        append_until_killed(&folder, ends[1]);
    close(ends[1]);
    while (told < 500 && read(ends[0], &cookie, sizeof cookie) == sizeof cookie)
        told++;
    kill(child, SIGKILL);
    while (read(ends[0], &cookie, sizeof cookie) == sizeof cookie)
        told++;
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_true(told >= 500);
    struct spool *spool = spool_folder_open(&folder, 0, 65536);
    assert_non_null(spool);
    expect_records(spool, 0, told);
    spool_close(spool);
    assert_int_equal(spool_folder_said(&folder, "is damaged"), 0);
    spool_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back_in_order),
        cmocka_unit_test(a_restart_goes_on_at_what_is_not_done),
        cmocka_unit_test(a_torn_end_costs_only_itself),
        cmocka_unit_test(a_flipped_byte_costs_one_record_and_is_named),
        cmocka_unit_test(random_damage_costs_what_it_touches),
        cmocka_unit_test(at_the_limit_it_says_so_once),
        cmocka_unit_test(a_disk_that_takes_no_more_loses_nothing),
        cmocka_unit_test(what_was_stored_survives_a_kill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
