/* colline_begin_inside: a script that stands in pieces in a larger text has its places there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "colline.h"

static void assert_text(colline_text text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

static void assert_span(colline_span span, uint32_t start, uint32_t end)
{
    assert_int_equal(span.start, start);
    assert_int_equal(span.end, end);
}

/* The outer text says: run "select a, \"x\" b from $t where d = ${d}", of which the quotes lose
 * their backslashes. */
static const char outer[] =
    "#\nrun \"select a, \\\"x\\\" b from $t where d = \\${d}\"; run 'selec'";
static const char text[] = "select a, \"x\" b from ${t} where d = ${d}";

enum {
    SQL = 7,       /* in the outer text */
    QUOTE = 17,    /* the first backslash */
    VARIABLE = 30, /* $t */
    HIVE = 43      /* the backslash before ${d} */
};

static const colline_piece pieces[] = {
    {0, SQL, QUOTE, true},
    {10, QUOTE + 1, QUOTE + 3, true},    /* "x */
    {12, QUOTE + 4, VARIABLE, true},     /* " b from_ */
    {21, VARIABLE, VARIABLE + 2, false}, /* ${t} */
    {25, VARIABLE + 2, HIVE, true},      /* _where d =_ */
    {36, HIVE + 1, HIVE + 5, true},      /* ${d} */
};

static const colline_statement *next_inside(colline_analyzer *an)
{
    colline_status status =
        colline_begin_inside(an, text, sizeof text - 1, outer, sizeof outer - 1, pieces, 6);
    assert_int_equal(status, COLLINE_OK);
    const colline_statement *st = colline_next(an);
    assert_non_null(st);
    return st;
}

static void places_are_of_the_outer_text(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    const colline_statement *st = next_inside(an);
    assert_memory_equal(outer + SQL, "select", 6);
    assert_memory_equal(outer + VARIABLE, "$t", 2);
    assert_memory_equal(outer + HIVE, "\\${d}", 5);
    assert_span(colline_statement_span(st), SQL, HIVE + 5);
    assert_span(colline_column_span(colline_statement_column(st, 0)), SQL + 7, SQL + 8);
    assert_span(colline_column_span(colline_statement_column(st, 1)), QUOTE + 1, QUOTE + 5);
    assert_text(colline_column_expression(colline_statement_column(st, 1)), "\"x\"");
    assert_span(colline_predicate_span(colline_statement_predicate(st, 0)), VARIABLE + 9, HIVE + 5);
    uint32_t line, column;
    colline_position(an, colline_statement_span(st).start, &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 6);
    assert_null(colline_next(an));
    colline_analyzer_free(an);
}

static const colline_diagnostic *find(const colline_statement *st, const char *code)
{
    for (size_t i = 0; i < colline_statement_diagnostic_count(st); i++) {
        colline_text found = colline_diagnostic_code(colline_statement_diagnostic(st, i));
        if (found.len == strlen(code) && memcmp(found.ptr, code, found.len) == 0)
            return colline_statement_diagnostic(st, i);
    }
    return NULL;
}

static void variables_are_of_one_language_or_the_other(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    const colline_statement *st = next_inside(an);
    assert_span(colline_diagnostic_span(find(st, "dynamic-sql")), VARIABLE, VARIABLE + 2);
    assert_span(colline_diagnostic_span(find(st, "unset-variable")), HIVE + 1, HIVE + 5);
    assert_text(colline_dataset_table(colline_statement_input(st, 0)), "default.${t}");

    assert_int_equal(
        colline_begin_inside(an, text, sizeof text - 1, outer, sizeof outer - 1, pieces, 6),
        COLLINE_OK);
    colline_define(an, "t", 1, "dw.orders", 9);
    colline_define(an, "d", 1, "1", 1);
    st = colline_next(an);
    assert_null(find(st, "dynamic-sql"));
    assert_null(find(st, "unset-variable"));
    assert_text(colline_dataset_table(colline_statement_input(st, 0)), "dw.orders");
    assert_span(colline_predicate_span(colline_statement_predicate(st, 0)), VARIABLE + 9, HIVE + 5);
    colline_analyzer_free(an);
}

static void lines_may_be_told(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(
        colline_begin_inside(an, text, sizeof text - 1, outer, sizeof outer - 1, pieces, 6),
        COLLINE_OK);
    colline_set_line(an, 2, 1000);
    const colline_statement *st = colline_next(an);
    uint32_t line, column;
    colline_position(an, colline_statement_span(st).end, &line, &column);
    assert_int_equal(line, 1000);
    assert_int_equal(column, HIVE + 5 - 2 + 1);
    colline_position(an, 0, &line, &column);
    assert_int_equal(line, 1);
    colline_analyzer_free(an);
}

/* A sourced file has places of its own; behind it the outer text's come back. */
static void sourced_texts_have_their_own_places(void **state)
{
    (void)state;
    static const char script[] = "source f;\nselect 1", around[] = "<<source f;\nselect 1>>",
                      file[] = "\n\nselect x from y";
    static const colline_piece piece[] = {{0, 2, 20, true}};
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(
        colline_begin_inside(an, script, sizeof script - 1, around, sizeof around - 1, piece, 1),
        COLLINE_OK);
    assert_span(colline_statement_span(colline_next(an)), 2, 10);
    assert_int_equal(colline_include(an, "f", 1, file, sizeof file - 1), COLLINE_OK);
    const colline_statement *st = colline_next(an);
    uint32_t line, column;
    colline_position(an, colline_statement_span(st).start, &line, &column);
    assert_span(colline_statement_span(st), 2, 17);
    assert_int_equal(line, 3);
    st = colline_next(an);
    colline_position(an, colline_statement_span(st).start, &line, &column);
    assert_span(colline_statement_span(st), 12, 20);
    assert_int_equal(line, 2);
    colline_analyzer_free(an);
}

static void wrong_arguments(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(colline_begin_inside(NULL, text, 1, outer, 1, pieces, 1),
                     COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_begin_inside(an, text, 1, NULL, 1, pieces, 1), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_begin_inside(an, text, 1, outer, 1, NULL, 1), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_begin_inside(an, text, 1, outer, 1, pieces, 0), COLLINE_BAD_ARGUMENT);
    colline_set_line(NULL, 0, 1);
    /* Pieces that point past the outer text do no harm. */
    static const colline_piece far[] = {{0, 4000000000u, 4000000100u, true}};
    assert_int_equal(colline_begin_inside(an, text, sizeof text - 1, outer, 3, far, 1), COLLINE_OK);
    uint32_t line, column;
    colline_position(an, colline_statement_span(colline_next(an)).start, &line, &column);
    assert_int_equal(line, 2);
    colline_analyzer_free(an);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_of_the_outer_text),
        cmocka_unit_test(variables_are_of_one_language_or_the_other),
        cmocka_unit_test(lines_may_be_told),
        cmocka_unit_test(sourced_texts_have_their_own_places),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
