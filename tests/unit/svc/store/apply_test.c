/* Loading commutes, on every kind of store. */
#include "support/stores.h"

#include "store/upkeep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { T0 = 20000 }; /* a day */

#define AT(day, second) ((int64_t)(T0 + (day)) * DAY_MS + (second)*1000LL)

static char documents[8][1000];

/* Queries, revisions of them, failures, resets, DDL. */
static const struct test_event *events(size_t *count)
{
    const char *overwrite = test_document(documents[0], 1000, "insert_overwrite", "overwrite", "ods.a", "dwd.t", "x");
    const char *append = test_document(documents[1], 1000, "insert", "append", "ods.b", "dwd.t", "y");
    const char *other = test_document(documents[2], 1000, "insert", "append", "ods.c", "dwd.t", "z");
    const char *self = test_document(documents[3], 1000, "insert_overwrite", "overwrite", "dwd.t", "dwd.t", "x");
    static const char dropped[] = "{\"index\":0,\"type\":\"DROP TABLE\",\"operation\":\"drop\",\"fingerprint\":\"d\",\"inputs\":[],\"outputs\":[],\"columns\":[],"
                                  "\"predicates\":[],\"views\":[],\"dropped\":\"tmp.gone\",\"diagnostics\":[],\"error\":null}";
    static const char created[] = "{\"index\":0,\"type\":\"CREATE TABLE\",\"operation\":\"create_table\",\"fingerprint\":\"c\",\"inputs\":[],\"outputs\":"
                                  "[{\"table\":\"tmp.gone\",\"write_mode\":\"create\"}],\"columns\":[],\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    static const char altered[] = "{\"index\":0,\"type\":\"ALTER TABLE\",\"operation\":\"none\",\"fingerprint\":\"l\",\"inputs\":[],\"outputs\":[],\"columns\":[],"
                                  "\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    static const char starred[] = "{\"index\":0,\"type\":\"INSERT\",\"operation\":\"insert\",\"fingerprint\":\"s\",\"inputs\":[\"ods.wide\"],\"outputs\":"
                                  "[{\"table\":\"dwd.copy\",\"write_mode\":\"append\"}],\"columns\":[{\"target\":\"dwd.copy.one\",\"ordinal\":0,\"transform\":\"constant\","
                                  "\"sources\":[]},{\"target\":\"dwd.copy.*\",\"ordinal\":1,\"transform\":\"identity\",\"sources\":[\"ods.wide.*\"]}],"
                                  "\"predicates\":[],\"views\":[],\"diagnostics\":[{\"code\":\"open-star\",\"severity\":\"warning\",\"message\":\"m\"}],\"error\":null}";
    static const char other_created[] = "{\"index\":0,\"type\":\"CREATE TABLE\",\"operation\":\"create_table\",\"fingerprint\":\"w\",\"inputs\":[],\"outputs\":"
                                        "[{\"table\":\"ods.wide\",\"write_mode\":\"create\"}],\"columns\":[],\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    static const char copy_created[] = "{\"index\":0,\"type\":\"CREATE TABLE\",\"operation\":\"create_table\",\"fingerprint\":\"v\",\"inputs\":[],\"outputs\":"
                                       "[{\"table\":\"dwd.copy\",\"write_mode\":\"create\"}],\"columns\":[],\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    static const char wide_altered[] = "{\"index\":0,\"type\":\"ALTER TABLE\",\"operation\":\"none\",\"fingerprint\":\"r\",\"inputs\":[],\"outputs\":[],\"columns\":[],"
                                       "\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";
    const struct test_event list[] = {
        {.query_id = "q1", .ended = AT(0, 100), .document = overwrite, .sql = "insert 1", .inputs = "ods.a", .outputs = "dwd.t"},
        {.query_id = "q2", .ended = AT(0, 200), .document = append, .sql = "insert 2", .inputs = "ods.b", .outputs = "dwd.t", .user = "bob"},
        {.query_id = "q3", .ended = AT(1, 100), .document = overwrite, .sql = "insert 1", .inputs = "ods.a", .outputs = "dwd.t", .engine_agrees = true},
        {.query_id = "q4", .ended = AT(1, 150), .status = EVENT_ERROR, .inputs = "ods.a", .outputs = "dwd.t", .sql = "insert 1"},
        /* its lineage became better, its end moved to the next day, and its last revision comes from a later analysis */
        {.query_id = "q5", .ended = AT(1, 86399), .document = append, .inputs = "ods.b", .outputs = "dwd.t"},
        {.query_id = "q5", .ended = AT(2, 1), .first_ended = AT(1, 86399), .revision = 2, .document = other, .inputs = "ods.c", .outputs = "dwd.t"},
        {.query_id = "q5", .ended = AT(2, 2), .first_ended = AT(1, 86399), .revision = 1, .generation = 1, .document = other, .sql = "insert z",
         .inputs = "ods.c", .outputs = "dwd.t"},
        /* ended well at first sight, then not */
        {.query_id = "q6", .ended = AT(2, 300), .document = self, .inputs = "dwd.t", .outputs = "dwd.t"},
        {.query_id = "q6", .ended = AT(2, 301), .revision = 2, .status = EVENT_CANCELLED, .inputs = "dwd.t", .outputs = "dwd.t"},
        {.query_id = "q7", .ended = AT(2, 400), .document = created, .outputs = "tmp.gone", .sql = "create table tmp.gone (a int, b string)", .operation = "CREATE_TABLE"},
        {.query_id = "q8", .ended = AT(2, 500), .document = altered, .sql = "alter table tmp.gone add columns (c int comment 'third')", .operation = "ALTER_TABLE"},
        {.query_id = "q9", .ended = AT(2, 600), .document = dropped, .outputs = "tmp.gone", .sql = "drop table tmp.gone", .operation = "DROP"},
        {.query_id = "q10", .ended = AT(3, 1), .inputs = "v.seen,ods.a", .outputs = "dwd.u", .operation = "INSERT"},
        /* a star over a table of which nothing is known, into one that is known only later */
        {.query_id = "q12", .ended = AT(3, 3), .document = starred, .inputs = "ods.wide", .outputs = "dwd.copy", .sql = "insert into dwd.copy select 1, w.* from ods.wide w"},
        {.query_id = "q13", .ended = AT(3, 4), .document = other_created, .outputs = "ods.wide", .sql = "create table ods.wide (a int, b int)", .operation = "CREATE_TABLE"},
        {.query_id = "q14", .ended = AT(3, 5), .document = wide_altered, .sql = "alter table ods.wide replace columns (a int, d int, e int)", .operation = "ALTER_TABLE"},
        {.query_id = "q15", .ended = AT(3, 6), .document = copy_created, .outputs = "dwd.copy", .sql = "create table dwd.copy (one int, first int, second int, c3 int)",
         .operation = "CREATE_TABLE"},
        {.query_id = "q11", .ended = AT(3, 2), .operation = "SET", .sql = "set x = 1"},
    };
    static struct test_event kept[sizeof list / sizeof list[0]];
    memcpy(kept, list, sizeof list);
    *count = sizeof list / sizeof list[0];
    return kept;
}

static void load_in_order(struct test_store *t)
{
    size_t count;
    const struct test_event *list = events(&count);
    for (size_t i = 0; i < count; i++) {
        test_add(t, &list[i]);
        test_commit(t);
    }
}

/* Doubled, shuffled, in transactions of any size. */
static void load_shuffled(struct test_store *t, unsigned seed)
{
    size_t count, order[64];
    const struct test_event *list = events(&count);
    for (size_t i = 0; i < 2 * count; i++)
        order[i] = i % count;
    for (size_t i = 2 * count - 1; i > 0; i--) {
        seed = seed * 1103515245 + 12345;
        size_t k = (seed >> 8) % (i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (size_t i = 0; i < 2 * count; i++) {
        test_add(t, &list[order[i]]);
        seed = seed * 1103515245 + 12345;
        if ((seed >> 8) % 3 == 0)
            test_commit(t);
        if ((seed >> 8) % 7 == 0 && applier_count(t->applier) == 0)
            test_store_reopen(t);
    }
    test_commit(t);
}

/* Says the first line that differs. */
static void check_same(const char *dump, const char *expected, int kind, unsigned seed)
{
    size_t at = 0, line = 0;
    for (; dump[at] == expected[at] && dump[at] != '\0'; at++)
        line = dump[at] == '\n' ? at + 1 : line;
    if (dump[at] != expected[at])
        fail_msg("kind %d, seed %u:\n%.*s\ninstead of\n%.*s", kind, seed, (int)strcspn(dump + line, "\n"), dump + line,
                 (int)strcspn(expected + line, "\n"), expected + line);
}

static void any_order_gives_the_same_store(void **state)
{
    (void)state;
    struct test_store first;
    test_store_open(&first, 0, "first");
    load_in_order(&first);
    char *expected = test_store_dump(&first);
    for (int kind = 0; kind < store_kinds(); kind++)
        for (unsigned seed = 1; seed <= (kind == 0 ? 40 : 10); seed++) {
            struct test_store t;
            test_store_open(&t, kind, "shuffled");
            load_shuffled(&t, seed);
            char *dump = test_store_dump(&t);
            check_same(dump, expected, kind, seed);
            free(dump);
            test_store_close(&t);
        }
    free(expected);
    test_store_close(&first);
}

static void sums_are_those_of_the_newest_revisions(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        test_store_open(&t, kind, "sums");
        load_in_order(&t);
        assert_int_equal(test_number(&t, "select count(*) from execution"), 15);
        assert_int_equal(test_number(&t, "select sum(runs) from lineage"), 10);
        assert_int_equal(test_number(&t, "select sum(confirmed) from lineage"), 1);
        assert_int_equal(test_number(&t, "select runs from lineage where confirmed = 1"), 2);
        /* q5 is of the day of its first revision, whatever day it ended on */
        assert_int_equal(test_number(&t, "select day from execution where query_id = 'q5'"), T0 + 1);
        assert_int_equal(test_number(&t, "select ended from execution where query_id = 'q5'"), AT(2, 2));
        assert_int_equal(test_number(&t, "select sum(failures) from dataset_day u join dataset d on d.id = u.dataset where d.name = 'dwd.t'"), 2);
        assert_int_equal(test_number(&t, "select sum(writes) from dataset_day u join dataset d on d.id = u.dataset where d.name = 'dwd.t'"), 4);
        /* what q6 and the first q5 brought is gone */
        assert_int_equal(test_number(&t, "select count(*) from lineage where runs = 0 and failed = 0"), 1);
        assert_int_equal(test_number(&t, "select last_reset from dataset where name = 'dwd.t'"), AT(1, 100));
        assert_int_equal(test_number(&t, "select reset_before from dataset where name = 'dwd.t'"), AT(0, 100));
        assert_string_equal(test_text(&t, "select status from dataset where name = 'tmp.gone'"), "offline");
        assert_string_equal(test_text(&t, "select comment from col where name = 'c'"), "third");
        assert_string_equal(test_text(&t, "select columns from definition where source = 'q9'"), "[]");
        assert_int_equal(test_number(&t, "select count(*) from table_edge"), 7);
        /* the star is closed by the newest definitions, by place */
        assert_int_equal(test_number(&t, "select count(*) from column_edge e join col s on s.id = e.src where s.name = '*'"), 0);
        assert_string_equal(test_text(&t, "select s.name from column_edge e join col s on s.id = e.src join col d on d.id = e.dst where d.name = 'first' and e.kind = 6"), "a");
        assert_string_equal(test_text(&t, "select s.name from column_edge e join col s on s.id = e.src join col d on d.id = e.dst where d.name = 'c3' and e.kind = 6"), "e");
        assert_int_equal(test_number(&t, "select count(*) from column_edge where kind = 6"), 3);
        test_store_close(&t);
    }
}

static void heat_is_of_thirty_days(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        test_store_open(&t, kind, "heat");
        load_in_order(&t);
        assert_true(store_heat(t.store, AT(3, 0)));
        assert_int_equal(test_number(&t, "select heat from dataset where name = 'dwd.t'"), 4 * 6);
        assert_int_equal(test_number(&t, "select heat_users from dataset where name = 'dwd.t'"), 2);
        assert_int_equal(test_number(&t, "select heat from dataset where name = 'ods.a'"), 3 * 10);
        const struct test_event later = {.query_id = "q20", .ended = AT(31, 0), .inputs = "ods.a", .operation = "SELECT"};
        test_add(&t, &later);
        test_commit(&t);
        assert_true(store_heat(t.store, AT(31, 0)));
        assert_int_equal(test_number(&t, "select heat from dataset where name = 'ods.a'"), 2 * 10);
        assert_int_equal(test_number(&t, "select heat from dataset where name = 'dwd.t'"), 0);
        test_store_close(&t);
    }
}

static void what_is_old_goes_and_comes_back_when_it_runs(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct store_pruned pruned;
        const struct store_keeping keeping = {.queries = 30, .columns = 30};
        test_store_open(&t, kind, "old");
        load_in_order(&t);
        size_t count;
        const struct test_event *list = events(&count);
        /* ods.a → dwd.t ran again within the 30 days: it stays */
        struct test_event again = list[0];
        again.query_id = "q30";
        again.ended = AT(20, 0);
        test_add(&t, &again);
        const struct test_event newest = {.query_id = "q29", .ended = AT(40, 0), .inputs = "ods.a", .operation = "SELECT"};
        test_add(&t, &newest);
        test_commit(&t);
        /* seen from a later day nothing more goes: nothing newer is known */
        assert_true(store_prune(t.store, &keeping, AT(400, 0), NULL, &pruned));
        assert_int_equal(pruned.queries, 15);
        assert_int_equal(pruned.column_edges, 8); /* two statements, each a value and a condition; a constant and the three columns of a star */
        assert_int_equal(pruned.table_edges, 0);
        assert_int_equal(test_number(&t, "select count(*) from column_edge e join lineage l on l.id = e.lineage where l.runs > 0"), 2);
        assert_int_equal(test_number(&t, "select sum(runs) from lineage"), 12);
        /* an event of a day whose queries are gone counts nothing that is counted already */
        test_add(&t, &list[0]);
        test_commit(&t);
        assert_int_equal(test_number(&t, "select sum(runs) from lineage"), 12);
        assert_int_equal(test_number(&t, "select count(*) from execution"), 2);
        /* it runs again: its edges are back */
        again = list[1];
        again.query_id = "q31";
        again.ended = AT(40, 0);
        test_add(&t, &again);
        test_commit(&t);
        assert_int_equal(test_number(&t, "select count(*) from column_edge e join lineage l on l.id = e.lineage where l.runs > 0"), 4);
        test_store_close(&t);
    }
}

/* Many queries of one day, which are more than one transaction takes, and some of others. */
static void load_many(struct test_store *t)
{
    static const int count = 11000;
    for (int i = 0; i < count; i++) {
        char id[20], sql[40];
        snprintf(id, sizeof id, "m%d", i);
        snprintf(sql, sizeof sql, "select %d", i);
        const struct test_event event = {.query_id = id, .sql = sql, .ended = AT(5, 0) + i, .inputs = "ods.a", .operation = "SELECT"};
        test_add(t, &event);
    }
    test_commit(t);
    load_in_order(t);
    const struct test_event newest = {.query_id = "q29", .ended = AT(40, 0), .inputs = "ods.a", .operation = "SELECT"};
    test_add(t, &newest);
    test_commit(t);
}

static void what_is_old_goes_in_slices(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        struct store_pruned pruned;
        int64_t ms = 0, slices = 0, queries = 0;
        const struct store_keeping keeping = {.queries = 30, .columns = 30, .tables = 35};
        struct store_slice slice = {.clock = clock_manual(&ms)};
        test_store_open(&t, kind, "whole");
        load_many(&t);
        assert_true(store_prune(t.store, &keeping, AT(400, 0), NULL, &pruned));
        assert_false(pruned.more);
        assert_int_equal(pruned.queries, 11015);
        assert_int_equal(test_number(&t, "select count(*) from sql_text"), 0);
        char *expected = test_store_dump(&t);
        test_store_close(&t);
        test_store_open(&t, kind, "slices");
        load_many(&t);
        do {
            assert_true(store_prune(t.store, &keeping, AT(400, 0), &slice, &pruned));
            queries += pruned.queries;
            slices++;
            if (slices % 2 == 0)
                test_store_reopen(&t);
        } while (pruned.more);
        assert_int_equal(queries, 11015);
        assert_true(slices > 9);
        assert_int_equal(test_number(&t, "select count(*) from sql_text"), 0);
        char *dump = test_store_dump(&t);
        check_same(dump, expected, kind, 0);
        free(dump);
        free(expected);
        test_store_close(&t);
    }
}

static void scripts_are_replaced(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        size_t count;
        const struct test_event *list = events(&count);
        test_store_open(&t, kind, "scripts");
        struct script_statement s = {.script = STR("etl/t.hql"), .name_space = STR("n"), .engine = STR("hive"), .line = 3, .sql = STR("insert")};
        s.statement = str_make(list[0].document, strlen(list[0].document));
        assert_true(applier_begin_script(t.applier, s.script) && applier_add_script(t.applier, &s));
        test_commit(&t);
        assert_int_equal(test_number(&t, "select scripts from lineage"), 1);
        /* the same statement runs: one lineage */
        struct test_event ran = list[0];
        test_add(&t, &ran);
        test_commit(&t);
        assert_int_equal(test_number(&t, "select count(*) from lineage"), 1);
        s.statement = str_make(list[1].document, strlen(list[1].document));
        assert_true(applier_begin_script(t.applier, s.script) && applier_add_script(t.applier, &s));
        test_commit(&t);
        assert_int_equal(test_number(&t, "select sum(scripts) from lineage"), 1);
        assert_int_equal(test_number(&t, "select scripts from lineage where runs = 1"), 0);
        assert_int_equal(test_number(&t, "select line from script"), 3);
        test_store_close(&t);
    }
}

static void a_failed_commit_is_tried_again(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t, other;
        test_store_open(&t, kind, "again");
        size_t count;
        const struct test_event *list = events(&count);
        test_add(&t, &list[0]);
        /* the table is away for a while */
        assert_true(db_script(store_db(t.store), STR("alter table execution rename to elsewhere")));
        assert_false(applier_commit(t.applier));
        assert_true(applier_message(t.applier).len > 0);
        assert_int_equal(applier_count(t.applier), 1);
        assert_true(db_script(store_db(t.store), STR("alter table elsewhere rename to execution")));
        for (size_t i = 1; i < count; i++)
            test_add(&t, &list[i]);
        test_commit(&t);
        char *dump = test_store_dump(&t);
        test_store_open(&other, kind, "other");
        load_in_order(&other);
        char *expected = test_store_dump(&other);
        check_same(dump, expected, kind, 0);
        free(dump);
        free(expected);
        test_store_close(&t);
        test_store_close(&other);
    }
}

/* t is rebuilt from tmp, which is rebuilt from t: what else feeds t stays current. u, which is rebuilt from t only, is reset. */
static void a_circle_resets_nothing(void **state)
{
    (void)state;
    static char circle[4][1000];
    const char *to_tmp = test_document(circle[0], 1000, "insert_overwrite", "overwrite", "dwd.t", "tmp.t", "x");
    const char *back = test_document(circle[1], 1000, "insert_overwrite", "overwrite", "tmp.t", "dwd.t", "x");
    const char *feed = test_document(circle[2], 1000, "insert", "append", "ods.a", "dwd.t", "x");
    const char *copy = test_document(circle[3], 1000, "insert_overwrite", "overwrite", "dwd.t", "dws.u", "x");
    const struct test_event list[] = {
        {.query_id = "c1", .ended = AT(0, 1), .document = feed, .inputs = "ods.a", .outputs = "dwd.t"},
        {.query_id = "c2", .ended = AT(0, 2), .document = back, .inputs = "tmp.t", .outputs = "dwd.t"},
        {.query_id = "c3", .ended = AT(0, 3), .document = to_tmp, .inputs = "dwd.t", .outputs = "tmp.t"},
        {.query_id = "c4", .ended = AT(0, 4), .document = copy, .inputs = "dwd.t", .outputs = "dws.u"},
    };
    static const int orders[][4] = {{0, 1, 2, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    for (int kind = 0; kind < store_kinds(); kind++)
        for (size_t o = 0; o < 4; o++) {
            struct test_store t;
            test_store_open(&t, kind, "circle");
            for (size_t i = 0; i < 4; i++) {
                test_add(&t, &list[orders[o][i]]);
                test_commit(&t);
            }
            assert_int_equal(test_number(&t, "select coalesce(last_reset, 0) from dataset where name = 'dwd.t'"), 0);
            assert_int_equal(test_number(&t, "select coalesce(last_reset, 0) from dataset where name = 'tmp.t'"), 0);
            assert_int_equal(test_number(&t, "select last_reset from dataset where name = 'dws.u'"), AT(0, 4));
            test_store_close(&t);
        }
}

static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    struct test_store t;
    char sql[80];
    test_store_open(&t, 0, "full");
    snprintf(sql, sizeof sql, "pragma max_page_count = %lld", (long long)test_number(&t, "pragma page_count"));
    assert_true(db_script(store_db(t.store), str_make(sql, strlen(sql))));
    size_t count;
    const struct test_event *list = events(&count);
    for (size_t i = 0; i < count; i++)
        test_add(&t, &list[i]);
    /* many texts, so that the pages that are there do not do */
    for (int i = 0; i < 2000; i++) {
        char id[20], text[80];
        snprintf(id, sizeof id, "many%d", i);
        snprintf(text, sizeof text, "select %d from ods.a where a long text tells nothing", i);
        const struct test_event many = {.query_id = id, .ended = AT(3, 9), .sql = text, .inputs = "ods.a", .operation = "SELECT"};
        test_add(&t, &many);
    }
    assert_false(applier_commit(t.applier));
    assert_int_equal(applier_trouble(t.applier), DB_FULL);
    assert_int_equal(test_number(&t, "select count(*) from execution"), 0);
    assert_true(db_script(store_db(t.store), STR("pragma max_page_count = 1000000")));
    test_commit(&t);
    assert_int_equal(test_number(&t, "select count(*) from execution"), 2015);
    test_store_close(&t);
}

/* What Impala calls a column without a name holds its literals: with each run another one. */
static const char labelled[] =
    "{\"index\":0,\"operation\":\"insert\",\"inputs\":[\"ods.a\"],\"outputs\":[{\"table\":\"ads.l\",\"write_mode\":\"append\"}],\"columns\":["
    "{\"target\":\"ads.l.a\",\"ordinal\":0,\"transform\":\"identity\",\"sources\":[\"ods.a.a\"],\"expression\":\"a\"},"
    "{\"target\":\"ads.l.if(b > %d, 'x', c)\",\"ordinal\":1,\"transform\":\"transformation\",\"sources\":[\"ods.a.c\"],"
    "\"expression\":\"if(b > %d, 'x', c)\"},"
    "{\"target\":\"ads.l.%d\",\"ordinal\":2,\"transform\":\"constant\",\"sources\":[],\"expression\":\"%d\"},"
    "{\"target\":\"ads.l.2024\",\"ordinal\":3,\"transform\":\"identity\",\"sources\":[\"ods.a.2024\"],\"expression\":\"`2024`\"},"
    "{\"target\":\"ads.l.sum(d)\",\"ordinal\":4,\"transform\":\"aggregation\",\"sources\":[\"ods.a.d\"],\"expression\":\"sum(d)\"}],"
    "\"predicates\":[{\"clause\":\"conditional\",\"sources\":[\"ods.a.b\"],\"targets\":[\"ads.l.if(b > %d, 'x', c)\"]}],\"views\":[],"
    "\"diagnostics\":[],\"error\":null}";

static void literals_make_no_columns(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        test_store_open(&t, kind, "labels");
        for (int i = 1; i <= 3; i++) {
            char id[8], document[1200];
            snprintf(id, sizeof id, "l%d", i);
            snprintf(document, sizeof document, labelled, i, i, i * 10, i * 10, i);
            const struct test_event event = {.query_id = id, .ended = AT(1, i), .document = document, .inputs = "ods.a", .outputs = "ads.l"};
            test_add(&t, &event);
            if (i == 2)
                test_commit(&t);
        }
        test_commit(&t);
        assert_int_equal(test_number(&t, "select runs from lineage"), 3);
        assert_string_equal(test_text(&t, "select group_concat(name, ' ') from (select c.name from col c join dataset d on d.id = c.dataset --sqlite\n"
                                          "select string_agg(name, ' ' order by id) from (select c.id, c.name from col c join dataset d on d.id = c.dataset --postgres\n"
                                          " where d.name = 'ads.l' order by c.id) as x"),
                            "a _c1 _c2 2024 sum(d)");
        assert_int_equal(test_number(&t, "select count(*) from column_edge e join col c on c.id = e.dst where c.name = '_c1' and e.kind = 16"), 1);
        test_store_close(&t);
    }
}

static void positions_move_with_the_commit(void **state)
{
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++) {
        struct test_store t;
        test_store_open(&t, kind, "positions");
        assert_int_equal(applier_position(t.applier, STR("topic/0"), -1), -1);
        assert_true(applier_checkpoint(t.applier, STR("topic/0"), 17) && applier_checkpoint(t.applier, STR("topic/0"), 18));
        assert_int_equal(applier_position(t.applier, STR("topic/0"), -1), -1);
        test_commit(&t);
        test_store_reopen(&t);
        assert_int_equal(applier_position(t.applier, STR("topic/0"), -1), 18);
        test_store_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_gives_the_same_store),
        cmocka_unit_test(sums_are_those_of_the_newest_revisions),
        cmocka_unit_test(heat_is_of_thirty_days),
        cmocka_unit_test(what_is_old_goes_and_comes_back_when_it_runs),
        cmocka_unit_test(what_is_old_goes_in_slices),
        cmocka_unit_test(scripts_are_replaced),
        cmocka_unit_test(a_failed_commit_is_tried_again),
        cmocka_unit_test(a_circle_resets_nothing),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(literals_make_no_columns),
        cmocka_unit_test(positions_move_with_the_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
