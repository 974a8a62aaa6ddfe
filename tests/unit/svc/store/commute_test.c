/*
 * Loading commutes: whatever a random world holds, loaded in any order, any number of times, in transactions of any size, by processes that end in between,
 * gives the same store, byte for byte, on every kind of store. What fails is told by the fewest items that tell it.
 *     COLLINE_SEEDS=FIRST-LAST   other worlds than the usual
 */
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    ITEMS = 40,
    TIMES_MOST = 3,
    LOADS_MOST = WORLD_ITEMS_MOST * TIMES_MOST
};

/* One way to load a world. */
struct way {
    int items[LOADS_MOST];
    bool commits[LOADS_MOST], reopens[LOADS_MOST]; /* behind the item */
    int count;
};

static void make_way(struct world *w, struct way *way)
{
    way->count = 0;
    for (int i = 0; i < w->count; i++)
        for (uint32_t times = 1 + world_random(w, TIMES_MOST); times > 0; times--)
            way->items[way->count++] = i;
    for (int i = way->count - 1; i > 0; i--) {
        int k = (int)world_random(w, (uint32_t)i + 1), item = way->items[i];
        way->items[i] = way->items[k];
        way->items[k] = item;
    }
    uint32_t size = 1 + world_random(w, 8);
    for (int i = 0; i < way->count; i++) {
        way->reopens[i] = world_random(w, 25) == 0;
        way->commits[i] = way->reopens[i] || world_random(w, size) == 0;
    }
}

/* Each once, in the order of time, each in a transaction of its own. */
static void straight_way(const struct world *w, struct way *way)
{
    way->count = w->count;
    for (int i = 0; i < w->count; i++) {
        way->items[i] = i;
        way->commits[i] = true;
        way->reopens[i] = false;
    }
}

/* The dump of what it comes to; items that are `left_out` are not loaded. To be freed. */
static char *load(const struct world *w, const struct way *way, int kind, const bool *left_out)
{
    struct test_store t;
    test_store_open(&t, kind, "commute");
    for (int i = 0; i < way->count; i++) {
        if (left_out[way->items[i]])
            continue;
        world_add(&t, &w->items[way->items[i]]);
        if (way->commits[i])
            test_commit(&t);
        if (way->reopens[i])
            test_store_reopen(&t);
    }
    test_commit(&t);
    char *dump = test_store_dump(&t);
    test_store_close(&t);
    return dump;
}

static bool differs(const struct world *w, const struct way *way, int kind, const bool *left_out, bool say)
{
    struct way straight;
    straight_way(w, &straight);
    char *expected = load(w, &straight, 0, left_out), *dump = load(w, way, kind, left_out);
    size_t at = 0, line = 0;
    for (; dump[at] == expected[at] && dump[at] != '\0'; at++)
        line = dump[at] == '\n' ? at + 1 : line;
    bool found = dump[at] != expected[at];
    if (found && say)
        print_message("%.*s\ninstead of\n%.*s\n", (int)strcspn(dump + line, "\n"), dump + line, (int)strcspn(expected + line, "\n"), expected + line);
    free(expected);
    free(dump);
    return found;
}

/* Leaves out what it takes not. */
static void make_small(const struct world *w, struct way *way, int kind, bool *left_out)
{
    for (int i = 0; i < w->count; i++) {
        left_out[i] = true;
        left_out[i] = differs(w, way, kind, left_out, false);
    }
    for (int i = 0; i < way->count; i++) {
        if (left_out[way->items[i]])
            continue;
        int item = way->items[i], last = --way->count;
        struct way before = *way;
        memmove(way->items + i, way->items + i + 1, (size_t)(last - i) * sizeof way->items[0]);
        memmove(way->commits + i, way->commits + i + 1, (size_t)(last - i) * sizeof way->commits[0]);
        memmove(way->reopens + i, way->reopens + i + 1, (size_t)(last - i) * sizeof way->reopens[0]);
        bool there = false;
        for (int k = 0; k < way->count; k++)
            there |= way->items[k] == item;
        if (there && differs(w, way, kind, left_out, false)) {
            i--;
            continue;
        }
        *way = before;
        way->count++;
    }
}

static void tell(const struct world *w, struct way *way, int kind, uint32_t seed)
{
    bool left_out[WORLD_ITEMS_MOST] = {false};
    make_small(w, way, kind, left_out);
    print_message("kind %d, seed %u\n", kind, seed);
    for (int i = 0; i < way->count; i++)
        if (!left_out[way->items[i]]) {
            world_say(&w->items[way->items[i]]);
            if (way->commits[i])
                print_message("--%s\n", way->reopens[i] ? " end" : "");
        }
    (void)differs(w, way, kind, left_out, true);
    fail_msg("the order of loading counts");
}

static void check_world(uint32_t seed, int ways)
{
    static struct world w;
    static const bool all[WORLD_ITEMS_MOST];
    struct way way;
    world_make(&w, seed, ITEMS);
    straight_way(&w, &way);
    char *expected = load(&w, &way, 0, all);
    for (int kind = 0; kind < store_kinds(); kind++)
        for (int i = 0; i < ways; i++) {
            make_way(&w, &way);
            char *dump = load(&w, &way, kind, all);
            if (strcmp(dump, expected) != 0)
                tell(&w, &way, kind, seed);
            free(dump);
        }
    free(expected);
    world_release(&w);
}

static void any_way_of_loading_gives_the_same_store(void **state)
{
    (void)state;
    const char *seeds = getenv("COLLINE_SEEDS");
    unsigned first = 1, last = 40;
    if (seeds != NULL && sscanf(seeds, "%u-%u", &first, &last) != 2)
        fail_msg("COLLINE_SEEDS=FIRST-LAST");
    for (unsigned seed = first; seed <= last; seed++)
        check_world(seed, 3);
}

/* ---- what it comes to ------------------------------------------------------------------------------------------- */

static const char rename_document[] = "{\"index\":0,\"type\":\"ALTER TABLE\",\"operation\":\"rename\",\"fingerprint\":\"r\",\"inputs\":[\"d.old\"],\"outputs\":"
                                      "[{\"table\":\"d.new\",\"write_mode\":\"rename\"}],\"columns\":[],\"predicates\":[],\"views\":[],\"diagnostics\":[],\"error\":null}";

/* A table is made, renamed, and has a column more. */
static void load_rename(struct test_store *t, const int order[3])
{
    static const struct test_event events[] = {
        {.query_id = "q1", .ended = 20000LL * DAY_MS, .outputs = "d.old", .sql = "create table d.old (a int, b string comment 'second') comment 'table'"},
        {.query_id = "q2", .ended = 20001LL * DAY_MS, .inputs = "d.old", .outputs = "d.new", .sql = "alter table d.old rename to d.new", .document = rename_document},
        {.query_id = "q3", .ended = 20002LL * DAY_MS, .sql = "alter table d.new add columns (c int)"},
    };
    for (int i = 0; i < 3; i++) {
        test_add(t, &events[order[i]]);
        test_commit(t);
    }
}

static void a_renamed_table_takes_its_columns_with_it(void **state)
{
    static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}};
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++)
        for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
            struct test_store t;
            test_store_open(&t, kind, "renamed");
            load_rename(&t, orders[i]);
            assert_string_equal(test_text(&t, "select f.columns from definition f join dataset d on d.id = f.dataset where d.name = 'd.new' and f.source = 'q2'"),
                                "[{\"name\":\"a\",\"type\":\"int\"},{\"name\":\"b\",\"type\":\"string\",\"comment\":\"second\"}]");
            assert_string_equal(test_text(&t, "select f.columns from definition f join dataset d on d.id = f.dataset where d.name = 'd.old' and f.source = 'q2'"), "[]");
            assert_string_equal(test_text(&t, "select comment from dataset where name = 'd.new'"), "table");
            assert_string_equal(test_text(&t, "select status from dataset where name = 'd.new'"), "online");
            assert_string_equal(test_text(&t, "select status from dataset where name = 'd.old'"), "offline");
            assert_int_equal(test_number(&t, "select count(*) from col c join dataset d on d.id = c.dataset where d.name = 'd.new' and c.status = 'online'"), 3);
            assert_string_equal(test_text(&t, "select s.name from column_edge e join col s on s.id = e.src join col n on n.id = e.dst join dataset d on"
                                              " d.id = n.dataset where d.name = 'd.new' and n.name = 'b'"),
                                "b");
            assert_int_equal(test_number(&t, "select count(*) from column_edge"), 2);
            test_store_close(&t);
        }
}

/* The catalog of a day says one of two things of a table. */
static void load_catalogs(struct test_store *t, const char *said, const int *order)
{
    static const char *const forms[] = {"{\"version\":1,\"tables\":[{\"name\":\"d.t\",\"columns\":[{\"name\":\"a\",\"type\":\"int\"}]}]}",
                                        "{\"version\":1,\"tables\":[{\"name\":\"d.t\",\"columns\":[{\"name\":\"b\",\"type\":\"int\"}]}]}"};
    for (size_t i = 0; i < strlen(said); i++) {
        const char *form = forms[said[order[i]] == 'b'];
        const struct catalog_table row = {STR("f"), STR("n"), STR("d.t"), str_make(form, strlen(form)), order[i]};
        assert_true(applier_add_table(t->applier, &row));
        test_commit(t);
    }
}

static void of_catalogs_that_say_the_same_the_first_and_the_last_are_kept(void **state)
{
    static const int orders[][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {0, 1, 2, 4, 5, 6, 7, 3}, {3, 7, 0, 4, 1, 6, 2, 5}};
    (void)state;
    for (int kind = 0; kind < store_kinds(); kind++)
        for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
            struct test_store t;
            test_store_open(&t, kind, "catalogs");
            load_catalogs(&t, "aaabaaaa", orders[i]);
            assert_int_equal(test_number(&t, "select count(*) from definition"), 5);
            assert_int_equal(test_number(&t, "select sum(at) from definition where columns like '%\"a\"%'"), 0 + 2 + 4 + 7);
            assert_int_equal(test_number(&t, "select at from definition where columns like '%\"b\"%'"), 3);
            assert_string_equal(test_text(&t, "select status from col where name = 'b'"), "offline");
            test_store_close(&t);
        }
}

static void what_is_known_of_catalogs_grows_with_what_changes(void **state)
{
    (void)state;
    struct test_store t;
    int order[200];
    char said[201];
    for (int i = 0; i < 200; i++)
        order[i] = i;
    memset(said, 'a', 200);
    said[200] = '\0';
    test_store_open(&t, 0, "few");
    load_catalogs(&t, said, order);
    assert_int_equal(test_number(&t, "select count(*) from catalog_said"), 1);
    assert_int_equal(test_number(&t, "select count(*) from definition"), 2);
    test_store_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_way_of_loading_gives_the_same_store),
        cmocka_unit_test(a_renamed_table_takes_its_columns_with_it),
        cmocka_unit_test(of_catalogs_that_say_the_same_the_first_and_the_last_are_kept),
        cmocka_unit_test(what_is_known_of_catalogs_grows_with_what_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
