/* lib/fingerprint/fingerprint.h: what the fingerprint is stable under, and what the lineage key tells apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fingerprint/fingerprint.h"

struct both {
    struct fingerprint print, key;
};

static struct both names_of(str_t text, enum dialect dialect, bool engine, str_t database)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    struct tokens tokens = {0};
    struct lineage_context context = {.options = {.dialect = dialect}, .engine = engine, .database = database};
    lex_statement(text, 0, &context.options, &arena, &tokens);
    struct both both;
    both.print = fingerprint_of(text, &tokens, dialect, &arena);
    both.key = lineage_key(text, &tokens, &context, both.print, &arena);
    assert_false(arena.failed);
    arena_release(&arena);
    return both;
}

static bool equal(struct fingerprint a, struct fingerprint b)
{
    return a.high == b.high && a.low == b.low;
}

static bool same_print(const char *a, const char *b, enum dialect dialect)
{
    return equal(names_of(str_make(a, strlen(a)), dialect, false, STR("ods")).print,
                 names_of(str_make(b, strlen(b)), dialect, false, STR("ods")).print);
}

static bool same_key(const char *a, const char *b, enum dialect dialect, bool engine)
{
    return equal(names_of(str_make(a, strlen(a)), dialect, engine, STR("ods")).key,
                 names_of(str_make(b, strlen(b)), dialect, engine, STR("ods")).key);
}

struct pair {
    enum dialect dialect;
    const char *a, *b;
};

static void spelling_does_not_count(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {DIALECT_HIVE, "select A.x from T a", "SELECT\n  a.X -- the x\nFROM t /* t */ A"},
        {DIALECT_HIVE, "select `uid` from `ods`.`t`", "select uid from ods.t"},
        {DIALECT_HIVE, "select /*+ mapjoin(a) */ x from a", "select x from a"},
        {DIALECT_HIVE, "select x from t where a != 1 and b == 2", "select x from t where a <> 7 and b = 8"},
        {DIALECT_IMPALA, "select straight_join x from t", "select straight_join /* +shuffle */ x from t"},
        {DIALECT_HIVE, "select averylongcolumnnameforatable from t", "select AveryLongColumnNameForATable from T"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_true(same_print(pairs[i].a, pairs[i].b, pairs[i].dialect));
}

static void literals_do_not_count(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {DIALECT_HIVE, "select x + 1 from t where d = '2024-01-01'", "select x + 22 from t where d = \"d2\""},
        {DIALECT_HIVE, "select -1 from t", "select 1 from t"},
        {DIALECT_HIVE, "select x from t where y = - 1.5e3", "select x from t where y = 2"},
        {DIALECT_HIVE, "select 'a' 'b' from t", "select 'ab' from t"},
        {DIALECT_HIVE, "select coalesce(x, null) from t", "select coalesce(x, 0) from t"},
        {DIALECT_HIVE, "select date '2024-01-01'", "select date '2024-01-02'"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_true(same_print(pairs[i].a, pairs[i].b, pairs[i].dialect));
}

static void list_lengths_do_not_count(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {DIALECT_HIVE, "select x from t where y in (1)", "select x from t where y in (1, -2, null, 4)"},
        {DIALECT_HIVE, "select x from t where (y, z) in ((1, 'a'))", "select x from t where (y, z) in ((1, 'a'), (2, 'b'))"},
        {DIALECT_HIVE, "insert into t values (1, 'a')", "insert into t values (1, 'a'), (2, null), (true, 'c')"},
        {DIALECT_HIVE, "select x from t where y in (select z from u where v in (1, 2))",
         "select x from t where y in (select z from u where v in (9))"},
        {DIALECT_IMPALA, "upsert into t values (1, now()), (2, now())", "upsert into t values (1, now())"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_true(same_print(pairs[i].a, pairs[i].b, pairs[i].dialect));
}

static void meaning_counts(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {DIALECT_HIVE, "select x from t", "select y from t"},
        {DIALECT_HIVE, "select a - 1 from t", "select a + 1 from t"},
        {DIALECT_HIVE, "select a, a from t", "select a from t"},
        {DIALECT_HIVE, "select x from t where y in (1)", "select x from t where y not in (1)"},
        {DIALECT_HIVE, "select x from t where y in (a, b)", "select x from t where y in (a)"},
        {DIALECT_HIVE, "select x from t where y in (select a, a from u)", "select x from t where y in (select a from u)"},
        {DIALECT_HIVE, "insert into t values (1, 2)", "insert into t values (1)"},
        {DIALECT_HIVE, "from u insert into t values (1), (2) insert into t select a, a",
         "from u insert into t values (1), (2) insert into t select a"},
        {DIALECT_HIVE, "select x from t where y is null", "select x from t where y is true"},
        {DIALECT_HIVE, "select f(1, 2) from t", "select f(1) from t"},
        {DIALECT_HIVE, "select ${a} from t", "select ${b} from t"},
        {DIALECT_HIVE, "select ab c from t", "select a bc from t"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_false(same_print(pairs[i].a, pairs[i].b, pairs[i].dialect));
}

/* One fingerprint, two lineages: the key must differ. */
static void structure_is_in_the_key(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {DIALECT_HIVE, "select a, b from t order by 1", "select a, b from t order by 2"},
        {DIALECT_HIVE, "select a, count(*) from t group by 1", "select a, count(*) from t group by 2"},
        {DIALECT_HIVE, "select named_struct('a', x) from t", "select named_struct('b', x) from t"},
        {DIALECT_HIVE, "select stack(2, a, b, c, d) from t", "select stack(1, a, b, c, d) from t"},
        {DIALECT_HIVE, "insert overwrite directory '/a' select x from t", "insert overwrite directory '/b' select x from t"},
        {DIALECT_HIVE, "load data inpath '/a' into table t", "load data inpath '/b' into table t"},
        {DIALECT_HIVE, "create external table t (a int) location '/a'", "create external table t (a int) location '/b'"},
        {DIALECT_HIVE, "export table t to '/a'", "export table t to '/b'"},
        {DIALECT_HIVE, "create table t (a int) tblproperties ('transactional' = 'true')",
         "create table t (a int) tblproperties ('transactional' = 'false')"},
        {DIALECT_HIVE, "select m['a'] from t", "select m['b'] from t"},
        {DIALECT_IMPALA, "select a 'x' from t", "select a 'y' from t"},
        {DIALECT_IMPALA, "select a as 'x' from t", "select a as 'y' from t"},
        {DIALECT_IMPALA, "create table t like parquet '/a'", "create table t like parquet '/b'"},
        {DIALECT_IMPALA, "select a + 1 from t", "select a + 2 from t"},
        {DIALECT_IMPALA, "select a in (1) from t", "select a in (1, 2) from t"},
        {DIALECT_HIVE, "select a `limit` from t", "select a limit from t"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(same_print(pairs[i].a, pairs[i].b, pairs[i].dialect));
        assert_false(same_key(pairs[i].a, pairs[i].b, pairs[i].dialect, false));
    }
}

static void slots_are_not_in_the_key(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {DIALECT_HIVE, "insert overwrite table t partition (dt='1') select a + 1 from s where b = 'x'",
         "INSERT overwrite TABLE t PARTITION (dt='2') select a + 2 from s where b = 'y'"},
        {DIALECT_HIVE, "select a from s where b in (1, 2) order by a limit 10", "select a from s where b in (1) order by a limit 5"},
        {DIALECT_IMPALA, "insert into t select a + 1 from s", "insert into t select a + 2 from s"},
        {DIALECT_IMPALA, "select a from s where b = 1", "select a from s where b = 2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_true(same_key(pairs[i].a, pairs[i].b, pairs[i].dialect, false));
}

static void the_session_is_in_the_key(void **state)
{
    (void)state;
    str_t sql = STR("select a from s where b = 1");
    struct both base = names_of(sql, DIALECT_HIVE, false, STR("ods"));
    assert_true(equal(base.print, names_of(sql, DIALECT_HIVE, false, STR("dwd")).print));
    assert_false(equal(base.key, names_of(sql, DIALECT_HIVE, false, STR("dwd")).key));
    assert_false(equal(base.key, names_of(sql, DIALECT_IMPALA, false, STR("ods")).key));
    assert_false(equal(base.key, names_of(sql, DIALECT_HIVE, true, STR("ods")).key));
    assert_false(same_key("select a from s where b = 1", "select a from s where b = 2", DIALECT_HIVE, true));
}

static void long_statements_use_the_stream(void **state)
{
    (void)state;
    char a[8192], b[8192];
    size_t len = 0;
    memcpy(a, "select ", 7);
    for (len = 7; len + 12 < sizeof a; len += 10)
        memcpy(a + len, "column_x, ", 10);
    memcpy(a + len, "y", 2);
    memcpy(b, a, len + 2);
    for (size_t i = 0; i < len; i++)
        if (b[i] == 'x')
            b[i] = 'X';
    assert_true(same_print(a, b, DIALECT_HIVE));
    b[5000] = '_';
    assert_false(same_print(a, b, DIALECT_HIVE));
}

/* The canonical form is a promise: stored fingerprints must stay what they are. */
static void fingerprints_stay(void **state)
{
    (void)state;
    char hex[32];
    fingerprint_hex(names_of(STR("select a, 'x' from t where b in (1, 2)"), DIALECT_HIVE, false, STR("ods")).print, hex);
    assert_memory_equal(hex, "1112bd6af04a6c01412256ab860b2665", 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelling_does_not_count),   cmocka_unit_test(literals_do_not_count),
        cmocka_unit_test(list_lengths_do_not_count), cmocka_unit_test(meaning_counts),
        cmocka_unit_test(structure_is_in_the_key),   cmocka_unit_test(slots_are_not_in_the_key),
        cmocka_unit_test(the_session_is_in_the_key), cmocka_unit_test(long_statements_use_the_stream),
        cmocka_unit_test(fingerprints_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
