/* The face over both databases: values, sets, transactions, errors. */
#include "support/stores.h"

#include "store/migrate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static struct db *fresh(struct test_store *t, int kind)
{
    test_store_open(t, kind, "face");
    assert_true(db_script(store_db(t->store), STR("create table x (id integer primary key, n bigint, s text, b bytea);")));
    return store_db(t->store);
}

static void values_come_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        static const char bytes[] = {0, 1, (char)0xff, 'x', '\\', 0};
        struct db_query *q = db_query(db, "insert into x (id, n, s, b) values ($1, $2, $3, $4)");
        db_bind_int(q, 1, 1);
        db_bind_int(q, 2, INT64_MIN);
        db_bind_text(q, 3, STR("it's $1 中文"));
        db_bind_blob(q, 4, str_make(bytes, sizeof bytes));
        assert_true(db_run(q));
        q = db_query(db, "insert into x (id, n, s, b) values ($1, $2, $3, $4)");
        db_bind_int(q, 1, 2);
        db_bind_word(q, 3, STR(""));
        assert_true(db_run(q));
        q = db_query(db, "select n, s, b from x order by id");
        assert_true(db_step(q));
        assert_true(db_int(q, 0) == INT64_MIN);
        assert_true(str_eq(db_text(q, 1), STR("it's $1 中文")));
        assert_true(str_eq(db_blob(q, 2), str_make(bytes, sizeof bytes)));
        assert_true(db_step(q));
        for (int i = 0; i < 3; i++)
            assert_true(db_is_null(q, i));
        assert_int_equal(db_int(q, 0), 0);
        assert_int_equal(db_text(q, 1).len, 0);
        assert_false(db_step(q));
        assert_false(db_failed(db));
        test_store_close(&t);
    }
}

/* A server's sum of 64-bit numbers is of a type of its own. */
static void numbers_of_every_size_come_back(void **state)
{
    static const struct {
        int64_t sum;
        const char *digits;
    } sums[] = {{0, "0"}, {7, "7"}, {-10000, "-10000"}, {120000000000, "120000000000"}, {-12345678900001, "-12345678900001"}, {INT64_MAX, "9223372036854775807"}};
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
            struct db_query *q = db_query(db, "insert into x (id, n) values ($1, $2)");
            db_bind_int(q, 1, (int64_t)i);
            db_bind_int(q, 2, sums[i].sum);
            assert_true(db_run(q));
            q = db_query(db, "select sum(n), sum(n) from x where id = $1");
            db_bind_int(q, 1, (int64_t)i);
            assert_true(db_step(q));
            assert_true(db_int(q, 0) == sums[i].sum);
            assert_true(str_eq(db_text(q, 1), str_make(sums[i].digits, strlen(sums[i].digits))));
            db_done(q);
        }
        struct db_query *q = db_query(db, "select cast(-3 as smallint), cast(-70000 as integer), cast(-5000000000 as bigint), count(*), max('17') from x");
        assert_true(db_step(q));
        assert_true(db_int(q, 0) == -3 && db_int(q, 1) == -70000 && db_int(q, 2) == -5000000000 && db_int(q, 3) == 6 && db_int(q, 4) == 17);
        assert_true(str_eq(db_text(q, 0), STR("-3")) && str_eq(db_text(q, 1), STR("-70000")) && str_eq(db_text(q, 2), STR("-5000000000")));
        test_store_close(&t);
    }
}

static void lists_of_texts(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        const str_t texts[] = {STR("it's"), STR("a \"quoted\" \\ one, {two}"), STR(""), STR("中文"), STR("null")};
        for (int64_t i = 0; i < 5; i++) {
            struct db_query *q = db_query(db, "insert into x (id, s) values ($1, $2)");
            db_bind_int(q, 1, i);
            db_bind_text(q, 2, texts[i]);
            assert_true(db_run(q));
        }
        for (size_t count = 0; count <= 5; count++) {
            struct db_query *q = db_query(db, "select count(*) from x where s in (select value from json_each($1)) --sqlite\n"
                                              "select count(*) from x where s = any($1::text[]) --postgres");
            db_bind_texts(q, 1, texts, count);
            assert_true(db_step(q));
            assert_int_equal(db_int(q, 0), count);
            db_done(q);
        }
        assert_false(db_failed(db));
        test_store_close(&t);
    }
}

static void sets_and_repeated_parameters(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        assert_true(db_begin(db));
        for (int64_t i = 1; i <= 1000; i++) {
            struct db_query *q = db_query(db, "insert into x (id, n) values ($2, $1)");
            db_bind_int(q, 1, i);
            db_bind_int(q, 2, i);
            assert_true(db_run(q));
        }
        assert_true(db_commit(db));
        const int64_t ids[] = {5, 999, 1001, 7, 7};
        struct db_query *q = db_query(db, "select sum(n) from x where id in ids($2) and n > $1 and n <> $1");
        db_bind_ids(q, 2, ids, 5);
        db_bind_int(q, 1, 5);
        assert_true(db_step(q));
        assert_int_equal(db_int(q, 0), 999 + 7);
        db_done(q);
        q = db_query(db, "select sum(n) from x where id in ids($2) and n > $1 and n <> $1");
        db_bind_ids(q, 2, ids, 0);
        db_bind_int(q, 1, 5);
        assert_true(db_step(q) && db_is_null(q, 0));
        db_done(q);
        test_store_close(&t);
    }
}

static void errors_stay_until_the_rollback(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        assert_true(db_begin(db));
        assert_true(db_run(db_query(db, "insert into x (id) values (1)")));
        (void)db_run(db_query(db, "insert into x (id) values (1)"));
        assert_int_equal(db_number(db, "select count(*) from x", -1), -1);
        assert_true(db_failed(db));
        assert_true(db_message(db).len > 0);
        assert_false(db_commit(db));
        assert_true(db_rollback(db));
        assert_false(db_failed(db));
        assert_int_equal(db_number(db, "select count(*) from x", -1), 0);
        (void)db_run(db_query(db, "this is no SQL"));
        assert_true(db_failed(db));
        assert_int_equal(db_trouble(db), DB_WRONG);
        assert_true(db_rollback(db));
        /* the handle works as before */
        assert_true(db_begin(db) && db_run(db_query(db, "insert into x (id) values (2)")) && db_commit(db));
        assert_int_equal(db_number(db, "select id from x", -1), 2);
        test_store_close(&t);
    }
}

static void a_reader_sees_one_moment(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct buf reason;
        struct db *db = fresh(&t, kind);
        buf_init(&reason, 0);
        const struct db_options options = {.address = str_make(t.address, strlen(t.address)), .access = DB_READ};
        struct db *reader = db_open(&options, &reason);
        assert_non_null(reader);
        assert_true(db_begin_read(reader));
        assert_int_equal(db_number(reader, "select count(*) from x", -1), 0);
        assert_true(db_begin(db) && db_run(db_query(db, "insert into x (id) values (2)")) && db_commit(db));
        assert_int_equal(db_number(reader, "select count(*) from x", -1), 0);
        db_end_read(reader);
        assert_int_equal(db_number(reader, "select count(*) from x", -1), 1);
        (void)db_run(db_query(reader, "insert into x (id) values (3)"));
        assert_true(db_failed(reader));
        db_close(reader);
        test_store_close(&t);
    }
}

static const char numbers_sql[] = "select id from x where id <= $1 order by id", last_sql[] = "select max(id) from x where id < $1";

static int64_t sum_of(struct db_query *q)
{
    int64_t sum = 0;
    while (db_step(q))
        sum += db_int(q, 0);
    return sum;
}

static void questions_that_are_started_together_wait_once(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        assert_true(db_begin(db));
        for (int64_t i = 1; i <= 100; i++) {
            struct db_query *q = db_query(db, "insert into x (id) values ($1)");
            db_bind_int(q, 1, i);
            assert_true(db_run(q));
        }
        assert_true(db_commit(db));
        for (int round = 0; round < 2; round++) { /* the first one prepares */
            uint64_t before = db_waits(db);
            assert_true(db_begin_read(db));
            struct db_query *numbers = db_query(db, numbers_sql), *last = db_query(db, last_sql);
            db_bind_int(numbers, 1, 10);
            db_start(numbers);
            db_bind_int(last, 1, 50);
            db_start(last);
            assert_true(db_step(last));
            assert_int_equal(db_int(last, 0), 49);
            assert_int_equal(sum_of(numbers), 55);
            db_done(last);
            db_end_read(db);
            assert_false(db_failed(db));
            if (round == 1)
                assert_int_equal(db_waits(db) - before, db_kind_of(db) == DB_POSTGRES);
        }
        test_store_close(&t);
    }
}

static void what_was_started_may_be_forgotten(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        assert_true(db_run(db_query(db, "insert into x (id) values (1), (2), (3)")));
        struct db_query *q = db_query(db, numbers_sql);
        db_bind_int(q, 1, 3);
        db_start(q);
        q = db_query(db, numbers_sql); /* anew */
        db_bind_int(q, 1, 2);
        db_start(q);
        assert_int_equal(sum_of(q), 3);
        q = db_query(db, numbers_sql);
        db_bind_int(q, 1, 3);
        db_start(q);
        db_done(q);
        assert_int_equal(db_number(db, "select count(*) from x", -1), 3);
        /* an error of one takes the others with it; after the rollback all works as before */
        assert_true(db_begin_read(db));
        q = db_query(db, numbers_sql);
        db_bind_int(q, 1, 3);
        db_start(q);
        struct db_query *wrong = db_query(db, "select abs(-9223372036854775807 - n) from (select 1 as n) y");
        db_start(wrong);
        assert_false(db_step(wrong));
        assert_true(db_failed(db));
        assert_false(db_step(q));
        db_end_read(db);
        assert_false(db_failed(db));
        q = db_query(db, numbers_sql);
        db_bind_int(q, 1, 3);
        assert_int_equal(sum_of(q), 6);
        test_store_close(&t);
    }
}

/* More than a socket holds is under way: tests/services/store looks whether the server missed its client. */
static void a_handle_that_closes_takes_what_is_under_way(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        db_start(db_query(db, "select 1 --sqlite\nselect n, repeat('x', 100) from generate_series(1, 50000) as t(n) --postgres"));
        assert_false(db_failed(db));
        test_store_close(&t);
    }
}

static void a_script_may_be_for_the_other_database_only(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct db *db = fresh(&t, kind);
        assert_true(db_script(db, STR("-- only for one\ncreate table y (id integer); --sqlite\n")));
        assert_true(db_script(db, STR("-- only for one\ncreate table z (id integer); --postgres\n")));
        assert_int_equal(db_number(db, "select count(*) from x", -1), 0);
        test_store_close(&t);
    }
}

static str_t first_version(void)
{
    return str_make(store_migrations[0].sql, strlen(store_migrations[0].sql));
}

/* Of the first version: two queries with one text, one with another on the day after, one without. */
static const char old_rows[] =
    "insert into execution (day, query_id, revision, lineage, namespace, account, status, engine, operation, database, cluster, started, ended, duration,"
    " confirmed, text) values (7, 'a', 1, 0, 1, 0, 'OK', 'hive', 'SELECT', 'd', '', 0, 604800001, -1, 0, 11),"
    " (7, 'b', 1, 0, 1, 0, 'OK', 'hive', 'SELECT', 'd', '', 0, 604800002, -1, 0, 11),"
    " (8, 'c', 1, 0, 1, 0, 'OK', 'hive', 'SELECT', 'd', '', 0, 691200001, -1, 0, 12),"
    " (8, 'd', 1, 0, 1, 0, 'OK', 'hive', 'SELECT', 'd', '', 0, 691200002, -1, 0, 0);"
    "insert into sql_text (day, text, body) values (7, 11, 'select 1'), (8, 12, 'select 2');";

static void check_old_rows(struct db *db)
{
    static const char texts[] = "select x.query_id, t.body from execution x left join sql_text t on t.day = x.day and t.text = x.text\n"
                                " where x.query = hash47(x.query_id) --sqlite\n"
                                " order by x.query_id";
    static const char *const bodies[] = {"select 1", "select 1", "select 2", ""};
    struct db_query *q = db_query(db, texts);
    for (int i = 0; i < 4; i++) {
        assert_true(db_step(q));
        assert_int_equal(db_text(q, 0).ptr[0], 'a' + i);
        assert_int_equal(db_text(q, 1).len, strlen(bodies[i]));
        assert_memory_equal(db_text(q, 1).ptr, bodies[i], strlen(bodies[i]));
    }
    assert_false(db_step(q));
}

/* The file anew, as the first version made it. */
static void test_older_file(struct test_store *t)
{
    struct buf reason;
    buf_init(&reason, 0);
    applier_free(t->applier);
    store_close(t->store);
    t->applier = NULL;
    t->store = NULL;
    assert_int_equal(unlink(t->address), 0);
    const struct db_options options = {.address = str_make(t->address, strlen(t->address)), .access = DB_CREATE};
    struct db *db = db_open(&options, &reason);
    assert_non_null(db);
    assert_true(db_script(db, first_version()) && db_script(db, STR("insert into number (name, value) values ('schema_version', 1)")));
    assert_true(db_script(db, str_make(old_rows, strlen(old_rows))));
    db_close(db);
}

static void stores_of_other_versions(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct buf reason;
        buf_init(&reason, 0);
        struct db *db = fresh(&t, kind);
        assert_true(db_script(db, STR("update number set value = 999 where name = 'schema_version'")));
        const struct store_options options = {.address = str_make(t.address, strlen(t.address)), .access = DB_CREATE};
        assert_null(store_open(&options, &reason));
        buf_add_char(&reason, '\0');
        assert_non_null(strstr(reason.ptr, "newer than this program"));
        /* one that is older is brought up to date only by who writes */
        assert_true(db_script(db, STR("drop schema face cascade; create schema face --postgres")));
        if (kind == 0)
            test_older_file(&t);
        else
            assert_true(db_script(db, first_version()) && db_script(db, STR("insert into number (name, value) values ('schema_version', 1)")) &&
                        db_script(db, str_make(old_rows, strlen(old_rows))));
        buf_clear(&reason);
        const struct store_options reading = {.address = options.address, .access = DB_READ};
        assert_null(store_open(&reading, &reason));
        buf_clear(&reason);
        struct store *store = store_open(&options, &reason);
        if (store == NULL)
            fail_msg("%.*s", (int)reason.len, reason.ptr);
        assert_int_equal(db_number(store_db(store), "select count(*) from token", -1), 0);
        check_old_rows(store_db(store));
        store_close(store);
        if (kind == 0) { /* a copy of what was there before lies beside it */
            char copy[300];
            snprintf(copy, sizeof copy, "%s.before-1", t.address);
            assert_int_equal(access(copy, R_OK), 0);
        }
        buf_release(&reason);
        test_store_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back),          cmocka_unit_test(numbers_of_every_size_come_back),
        cmocka_unit_test(lists_of_texts),
        cmocka_unit_test(sets_and_repeated_parameters), cmocka_unit_test(errors_stay_until_the_rollback),
        cmocka_unit_test(questions_that_are_started_together_wait_once),
        cmocka_unit_test(what_was_started_may_be_forgotten),
        cmocka_unit_test(a_handle_that_closes_takes_what_is_under_way),
        cmocka_unit_test(a_script_may_be_for_the_other_database_only),
        cmocka_unit_test(a_reader_sees_one_moment), cmocka_unit_test(stores_of_other_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
