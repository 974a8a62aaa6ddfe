/* Events in a state's file: numbers, ranges, what a rollback leaves, damaged rows, a file of the version before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/db.h"
#include "normalize/state_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS = 30000 }; /* several rows in one transaction */

struct folder {
    char path[64], state[96];
};

static void folder_make(struct folder *f)
{
    strcpy(f->path, "/tmp/colline-events-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->state, sizeof f->state, "%s/state.db", f->path);
}

static void folder_remove(const struct folder *f)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", f->path);
    assert_int_equal(system(command), 0);
}

static struct state_db *open_state(const struct folder *f, bool to_read)
{
    struct buf reason;
    buf_init(&reason, 0);
    struct state_db *db = to_read ? state_db_open_to_read(f->state, &reason) : state_db_open(f->state, &reason);
    if (db == NULL)
        fail_msg("%.*s", (int)reason.len, reason.ptr);
    buf_release(&reason);
    return db;
}

static void add(struct state_db *db, int64_t from, int64_t to)
{
    char line[80];
    assert_true(state_db_begin(db));
    for (int64_t i = from; i <= to; i++) {
        int len = snprintf(line, sizeof line, "{\"number\":%lld,\"filler\":\"0123456789012345678901234567890\"}", (long long)i);
        assert_true(state_db_add_event(db, str_make(line, (size_t)len)));
    }
}

static int64_t number_in(str_t json)
{
    long long number = -1;
    char line[80] = {0};
    memcpy(line, json.ptr, json.len < sizeof line ? json.len : sizeof line - 1);
    (void)sscanf(line, "{\"number\":%lld", &number);
    return number;
}

struct seen {
    int64_t first, last, count, stop_at;
    bool wrong;
};

static bool see(void *context, int64_t number, str_t json)
{
    struct seen *seen = context;
    seen->wrong |= number_in(json) != number || (seen->count > 0 && number != seen->last + 1);
    if (seen->count++ == 0)
        seen->first = number;
    seen->last = number;
    return number != seen->stop_at;
}

static void check(struct state_db *db, int64_t behind, int64_t limit, int64_t first, int64_t count)
{
    struct seen seen = {0};
    assert_true(state_db_each_event(db, behind, limit, see, &seen));
    assert_false(seen.wrong);
    assert_int_equal(seen.first, first);
    assert_int_equal(seen.count, count);
}

static void ranges(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    struct state_db *db = open_state(&f, false);
    add(db, 1, EVENTS);
    assert_true(state_db_commit(db));
    add(db, EVENTS + 1, EVENTS + 10);
    state_db_rollback(db);
    add(db, EVENTS + 1, EVENTS + 3);
    assert_true(state_db_commit(db));
    struct state_db *reader = open_state(&f, true);
    check(reader, 0, 1000000, 1, EVENTS + 3);
    check(reader, 0, 7, 1, 7);
    check(reader, 12345, 20000, 12346, EVENTS + 3 - 12345);
    check(reader, EVENTS, 100, EVENTS + 1, 3);
    check(reader, EVENTS + 3, 100, 0, 0);
    struct seen seen = {.stop_at = 9};
    assert_true(state_db_each_event(reader, 4, 1000, see, &seen));
    assert_int_equal(seen.count, 5);
    state_db_close(reader);
    /* the numbers go on after another start, and after what was taken is dropped */
    state_db_close(db);
    db = open_state(&f, false);
    assert_true(state_db_begin(db) && state_db_drop_events(db, EVENTS, 0) && state_db_commit(db));
    add(db, EVENTS + 4, EVENTS + 4);
    assert_true(state_db_commit(db));
    check(db, 0, 100, EVENTS + 1, 4);
    assert_true(state_db_begin(db) && state_db_drop_events(db, EVENTS + 4, 1) && state_db_commit(db));
    check(db, 0, 100, EVENTS + 4, 1);
    state_db_close(db);
    folder_remove(&f);
}

struct newest {
    int64_t numbers[4];
    int count;
};

static bool note(void *context, str_t key, str_t json)
{
    struct newest *newest = context;
    assert_int_equal(key.len, 0);
    newest->numbers[newest->count++ % 4] = number_in(json);
    return true;
}

static void newest_first(void **state)
{
    (void)state;
    struct folder f;
    struct buf reason;
    folder_make(&f);
    buf_init(&reason, 0);
    struct state_db *db = open_state(&f, false);
    for (int64_t i = 1; i < 9; i += 2) {
        add(db, i, i + 1);
        assert_true(state_db_commit(db));
    }
    struct newest newest = {.count = 0};
    assert_true(state_db_look(f.state, &(struct state_look){false, 3, note, &newest}, &reason));
    assert_int_equal(newest.count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(newest.numbers[i], 8 - i);
    state_db_close(db);
    buf_release(&reason);
    folder_remove(&f);
}

static void run_sql(const struct folder *f, const char *sql)
{
    struct buf reason;
    buf_init(&reason, 0);
    const struct db_options options = {.address = str_make(f->state, strlen(f->state)), .access = DB_CREATE};
    struct db *db = db_open(&options, &reason);
    assert_non_null(db);
    assert_true(db_script(db, str_make(sql, strlen(sql))));
    db_close(db);
    buf_release(&reason);
}

static bool count_unread(void *context, int64_t number, str_t json)
{
    int64_t *counts = context;
    counts[json.len == 0 ? 0 : 1] += json.len == 0 ? number : 1;
    return true;
}

static void a_damaged_row_is_told_of_once(void **state)
{
    (void)state;
    struct folder f;
    folder_make(&f);
    struct state_db *db = open_state(&f, false);
    for (int64_t i = 1; i <= 30; i += 10) {
        add(db, i, i + 9);
        assert_true(state_db_commit(db));
    }
    state_db_close(db);
    run_sql(&f, "update event_pack set packed = x'00112233' where last = 20");
    db = open_state(&f, false);
    int64_t counts[2] = {0, 0};
    assert_true(state_db_each_event(db, 0, 1000, count_unread, counts));
    assert_int_equal(counts[0], 20); /* by the number of its last */
    assert_int_equal(counts[1], 20);
    state_db_close(db);
    folder_remove(&f);
}

/* As version 1 made it: a row an event, of which the oldest were dropped. */
static const char version_1[] =
    "create table joins (id integer primary key, query_id text not null unique, due integer not null,"
    " open integer not null, state blob not null);"
    "create index joins_due on joins (due);"
    "create index joins_open on joins (open) where open = 1;"
    "create table catalog (seq integer primary key, key text not null unique, value text not null);"
    "create table events (seq integer primary key, query_id text not null, revision integer not null,"
    " event_time integer not null, value text not null);"
    "create table invalid (seq integer primary key, query_id text not null, value text not null);"
    "create table numbers (name text primary key, value integer not null) without rowid;"
    "pragma user_version = 1;"
    "insert into joins (query_id, due, open, state) values ('q1', 5, 1, x'01'), ('q2', 9, 0, x'0203');"
    "insert into numbers values ('output_length', 7);"
    "insert into catalog (key, value) values ('k', 'v');"
    "insert into events values (41, 'q1', 1, 1, '{\"number\":41}'), (42, 'q1', 2, 1, '{\"number\":42}'), (43, 'q2', 1, 1, '{\"number\":43}');";

static bool count_row(void *context, str_t key, str_t value)
{
    (void)key, (void)value;
    ++*(size_t *)context;
    return true;
}

static void the_version_before(void **state)
{
    (void)state;
    struct folder f;
    struct buf text;
    folder_make(&f);
    buf_init(&text, 0);
    run_sql(&f, version_1);
    struct newest newest = {.count = 0};
    assert_false(state_db_look(f.state, &(struct state_look){false, 3, note, &newest}, &text));
    assert_non_null(memmem(text.ptr, text.len, "older version", 13));
    buf_clear(&text);
    struct state_db *db = open_state(&f, false);
    check(db, 0, 100, 41, 3);
    size_t open = 0, due = 0;
    assert_true(state_db_each_open(db, 100, count_row, &open) && state_db_each_due(db, 9, 100, count_row, &due));
    assert_int_equal(open, 1);
    assert_int_equal(due, 2);
    assert_true(state_db_get(db, STR("q2"), &text));
    assert_int_equal(text.len, 2);
    assert_memory_equal(text.ptr, "\2\3", 2);
    assert_int_equal(state_db_number(db, "output_length"), 7);
    add(db, 44, 44);
    assert_true(state_db_put(db, STR("q2"), STR("x"), 1, false) && state_db_del(db, STR("q1")) && state_db_commit(db));
    check(db, 0, 100, 41, 4);
    due = 0;
    assert_true(state_db_each_due(db, 9, 100, count_row, &due));
    assert_int_equal(due, 1);
    state_db_close(db);
    buf_release(&text);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(newest_first),
        cmocka_unit_test(a_damaged_row_is_told_of_once),
        cmocka_unit_test(the_version_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
