/* What the questions do with texts alone: days, names, words of SQL, marks, composed expressions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ask/catalog.h"
#include "ask/inline.h"
#include "ask/names.h"
#include "ask/queries.h"
#include "ask/words.h"

#include <stdio.h>
#include <stdlib.h>

static struct arena arena;

static str_t of(const char *text)
{
    return str_make(text, strlen(text));
}

static void check_text(str_t got, const char *wanted)
{
    if (!str_eq(got, of(wanted)))
        fail_msg("got `%.*s`, wanted `%s`", (int)got.len, got.ptr, wanted);
}

static void days_have_names(void **state)
{
    (void)state;
    static const struct {
        int64_t day;
        const char *name;
    } days[] = {{0, "1970-01-01"},
                {-1, "1969-12-31"},
                {11016, "2000-02-29"},
                {20787, "2026-11-30"},
                {-719162, "0001-01-01"}};
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        char name[11];
        int64_t day;
        ask_day_name(days[i].day, name);
        assert_string_equal(name, days[i].name);
        assert_true(ask_day_by_name(of(name), &day) && day == days[i].day);
    }
    static const char *const wrong[] = {"",           "2026-1-1",   "2026-02-29", "2026-13-01",
                                        "2026-00-10", "2026-04-31", "20260401",   "2026-04-011",
                                        "2026/04/01", "abcd-ef-gh"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t day;
        assert_false(ask_day_by_name(of(wrong[i]), &day));
    }
}

static void names_tell_layer_and_family(void **state)
{
    (void)state;
    size_t stem;
    check_text(layer_of(of("dwd"), of("dwd.orders")), "dwd");
    check_text(layer_of(of("mart"), of("mart.ADS_board")), "ads");
    check_text(layer_of(of("temp_x"), of("temp_x.t")), "tmp");
    check_text(layer_of(of("sales"), of("sales.orders")), "");
    check_text(family_of(&arena, of("db.t_20240315"), &stem), "db.t_{yyyymmdd}");
    assert_int_equal(stem, 5);
    check_text(family_of(&arena, of("db.t_202403"), &stem), "db.t_{yyyymm}");
    check_text(family_of(&arena, of("db.t_20241315"), &stem), "");
    check_text(family_of(&arena, of("db.t_9"), &stem), "");
    assert_int_equal(name_distance(of("city_day"), of("city_dya"), 5), 1);
    assert_int_equal(name_distance(of("city_day"), of("CITY_days"), 5), 1);
    assert_int_equal(name_distance(of("a"), of("abcdefgh"), 3), 4);
    check_text(last_name(of("a.b.c")), "c");
}

static void words_of_sql_are_names(void **state)
{
    (void)state;
    struct sql_words words;
    static const char *const wanted[] = {"select",     "a.b", "x",     "from",
                                         "my.table 1", "t$1", "where", "名"};
    sql_words_begin(&words, of("SELECT a.B, `x` /* from no.where */ FROM `My`.`Table 1` T$1 -- "
                               "not.this\nWHERE 名 = 'or.that \\' x' \"y\""));
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_true(sql_words_next(&words));
        check_text(buf_str(&words.word), wanted[i]);
    }
    assert_false(sql_words_next(&words));
    sql_words_end(&words);
    static const char *const broken[] = {"`", "'", "/*", "--", "a.", ".", "`a`.", "/", "'\\"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        sql_words_begin(&words, of(broken[i]));
        while (sql_words_next(&words))
            ;
        sql_words_end(&words);
    }
    struct ask_words names =
        ask_names_in(&arena, of("use dws; select * from t join ods.s"), of(""), 100);
    assert_true(names.count >= 6);
    bool found = false;
    for (uint32_t i = 0; i < names.count; i++)
        found = found || str_eq(names.items[i], STR("dws.t"));
    assert_true(found);
}

static void sources_and_targets_are_marked(void **state)
{
    (void)state;
    str_t inputs[] = {STR("dwd.o"), STR("dws.t")}, outputs[] = {STR("dws.t")};
    const struct ask_words in = {inputs, 2, 2}, out = {outputs, 1, 1};
    str_t sql = of("INSERT OVERWRITE TABLE dws.T SELECT a FROM dwd.o JOIN t ON 'dwd.o' = 1");
    uint32_t count;
    struct ask_mark *marks = ask_marks(&arena, sql, of("dws"), &in, &out, &count);
    static const struct {
        const char *text, *name;
        bool target;
    } wanted[] = {{"dws.T", "dws.t", true}, {"dwd.o", "dwd.o", false}, {"t", "dws.t", false}};
    assert_int_equal(count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        check_text(str_make(sql.ptr + marks[i].start, marks[i].end - marks[i].start),
                   wanted[i].text);
        check_text(marks[i].name, wanted[i].name);
        assert_true(marks[i].target == wanted[i].target);
    }
}

struct composing {
    const char *sql, *expression, *column, *inner, *wanted;
    bool met;
};

static void check_composed(const struct composing *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct inline_wish wish = {of(cases[i].sql), of(cases[i].expression), STR("ods.o"),
                                         of(cases[i].column), of(cases[i].inner)};
        bool met;
        check_text(inline_expression(&arena, &wish, &met), cases[i].wanted);
        assert_true(met == cases[i].met);
    }
}

static void expressions_are_composed(void **state)
{
    (void)state;
    static const struct composing cases[] = {
        {"", "sum(o.amount)", "amount", "cast(p.a AS int)", "sum(cast(p.a AS int))", true},
        {"", "o.amount", "amount", "a + b", "a + b", true},
        {"", "o.amount * 2", "amount", "a + b", "(a + b) * 2", true},
        {"", "o.amount * 2", "amount", "(a + b)", "(a + b) * 2", true},
        {"", "nvl(`AMOUNT`, 'amount')", "amount", "p.x", "nvl(p.x, 'amount')", true},
        {"", "amount(amount) + amounts", "amount", "y", "amount(y) + amounts", true},
        {"", "concat(a, 'x')", "b", "y", "concat(a, 'x')", false},
        {"", "amount + 'unclosed", "amount", "y", "y + 'unclosed", true},
        {"", "f(amount)", "amount", "(a) + (b)", "f((a) + (b))", true},
        {"", "amount", "amount", "", "amount", true},
        {"", "", "amount", "y", "", false},
        {"((((", "(((", "amount", "y", "(((", false},
    };
    check_composed(cases, sizeof cases / sizeof cases[0]);
}

static void what_subqueries_compute_is_put_in(void **state)
{
    (void)state;
    static const char cte[] = "with c as (select o.k, o.amount * 2 as a from ods.o o) insert into "
                              "dws.t select sum(c.a) from c";
    static const char chain[] = "with c as (select amount x from ods.o), d as (select c.x + 1 as y "
                                "from c) insert into dws.t select max(e.y) from d e";
    static const char nested[] =
        "insert into dws.t select nvl(p.paid, 0) as paid from dwd.u u left join (select k, "
        "sum(amount) /* ) */ as paid from ods.o group by k) p on u.k = p.k";
    static const char plain[] =
        "insert into dws.t select total from (select f(`amount`) total, 'x, y' z from ods.o) q";
    static const char first[] = "from (select s.amount, nvl(s.off, 0) as off from ods.o s) src "
                                "insert overwrite table dws.t select src.amount - src.off";
    static const char same[] = "with c as (select sum(amount) as amount from ods.o) insert into "
                               "dws.t select c.amount / 2 as amount from c";
    static const char star[] = "insert into dws.t select q.amount + 1 from (select * from ods.o) q";
    static const char both[] =
        "insert into dws.t select o.amount - r.amount from ods.o o join ods.r r on o.k = r.k";
    static const struct composing cases[] = {
        {cte, "sum(c.a)", "amount", "", "sum(o.amount * 2)", true},
        {cte, "sum(c.a)", "amount", "x", "sum(x * 2)", true},
        {chain, "max(e.y)", "amount", "z - 1", "max((z - 1) + 1)", true},
        {nested, "nvl(p.paid, 0)", "amount", "v", "nvl(sum(v), 0)", true},
        {plain, "total", "amount", "v", "f(v)", true},
        {first, "src.amount - src.off", "off", "d", "s.amount - nvl(d, 0)", true},
        {same, "c.amount / 2", "amount", "v", "sum(v) / 2", true},
        {star, "q.amount + 1", "amount", "v", "v + 1", true},
        {both, "o.amount - r.amount", "amount", "v", "v - r.amount", true},
        {cte, "sum(c.b)", "amount", "v", "sum(c.b)", false},
    };
    check_composed(cases, sizeof cases / sizeof cases[0]);
}

/* Cut at any place, and grown at every level: it ends, and soon. */
static void hostile_texts_end(void **state)
{
    (void)state;
    static const char whole[] = "with c as (select o.k, (o.amount * 2) as `a` from ods.o o), d as "
                                "(select 'x' y, c.a from c) insert into t select sum(d.a) from d";
    struct buf grown;
    bool met;
    for (size_t len = 0; len < sizeof whole; len++)
        for (size_t from = 0; from < len; from += 7)
            (void)inline_expression(
                &arena,
                &(struct inline_wish){.sql = str_make(whole, len),
                                      .expression = str_make(whole + from, len - from),
                                      .table = STR("ods.o"),
                                      .column = STR("amount"),
                                      .inner = STR("x + 1")},
                &met);
    buf_init(&grown, 0);
    BUF_ADD(&grown, "with c0 as (select amount as x from ods.o)");
    for (int i = 1; i < 40; i++) {
        char line[200];
        int n = snprintf(line, sizeof line,
                         ", c%d as (select p.x + p.x + p.x + p.x + p.x as x from c%d p)", i, i - 1);
        buf_add(&grown, str_make(line, (size_t)n));
    }
    (void)inline_expression(&arena,
                            &(struct inline_wish){.sql = buf_str(&grown),
                                                  .expression = STR("c39.x"),
                                                  .table = STR("ods.o"),
                                                  .column = STR("amount")},
                            &met);
    buf_release(&grown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_have_names),
        cmocka_unit_test(names_tell_layer_and_family),
        cmocka_unit_test(words_of_sql_are_names),
        cmocka_unit_test(sources_and_targets_are_marked),
        cmocka_unit_test(expressions_are_composed),
        cmocka_unit_test(what_subqueries_compute_is_put_in),
        cmocka_unit_test(hostile_texts_end),
    };
    arena_init(&arena, 0, NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_release(&arena);
    return failed;
}
