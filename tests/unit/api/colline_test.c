/* include/colline.h: calls out of order and with nothing, what lives how long, sourced texts, stopping, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "colline.h"

static void assert_text(colline_text text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

static colline_status begin(colline_analyzer *an, const char *sql)
{
    return colline_begin(an, sql, strlen(sql));
}

static bool drop_bytes(void *context, const char *bytes, size_t len)
{
    (void)bytes;
    size_t *total = context;
    *total += len;
    return true;
}

static bool refuse(void *context, const char *bytes, size_t len)
{
    (void)context;
    (void)bytes;
    (void)len;
    return false;
}

static void nothing_is_accepted_everywhere(void **state)
{
    (void)state;
    colline_catalog_free(NULL);
    colline_analyzer_free(NULL);
    colline_set_dialect(NULL, COLLINE_HIVE);
    colline_set_look(NULL, true, 80);
    assert_int_equal(colline_begin(NULL, "", 0), COLLINE_BAD_ARGUMENT);
    assert_null(colline_next(NULL));
    assert_int_equal(colline_memory_used(NULL), 0);
    assert_int_equal(colline_catalog_add_ddl(NULL, "", 0, COLLINE_HIVE, NULL), COLLINE_BAD_ARGUMENT);
    assert_text(colline_catalog_message(NULL), "");
    assert_null(colline_catalog_table(NULL, "a", 1));
    assert_int_equal(colline_statement_column_count(NULL), 0);
    assert_text(colline_statement_type(NULL), "");
    assert_null(colline_statement_column(NULL, 0));
    assert_text(colline_column_name(NULL), "");
    assert_text(colline_column_transform(NULL), "");
    assert_null(colline_column_source(NULL, 0));
    assert_text(colline_source_table(NULL), "");
    assert_text(colline_output_write_mode(NULL), "");
    assert_text(colline_predicate_clause(NULL), "");
    assert_text(colline_diagnostic_code(NULL), "");
    assert_text(colline_table_name(NULL), "");
    assert_text(colline_table_column_type(NULL, 3), "");
    assert_false(colline_statement_failed(NULL));
}

static void calls_out_of_order(void **state)
{
    (void)state;
    size_t total = 0;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_non_null(an);
    assert_null(colline_next(an));
    assert_int_equal(colline_define(an, "a", 1, "b", 1), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_document_add(an), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_document_close(an), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_write_document(an, COLLINE_JSON, "x", 1, drop_bytes, &total), COLLINE_BAD_ARGUMENT);
    assert_int_equal(begin(an, "select 1"), COLLINE_OK);
    assert_int_equal(colline_document_open(an, COLLINE_FORMAT_COUNT, "x", 1, drop_bytes, &total), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_include(an, "f", 1, "select 2", 8), COLLINE_BAD_ARGUMENT);
    assert_int_equal(colline_add_diagnostic(an, "source-file", "m", 1), COLLINE_BAD_ARGUMENT);
    assert_non_null(colline_next(an));
    assert_int_equal(colline_add_diagnostic(an, "no-such-code", "m", 1), COLLINE_BAD_ARGUMENT);
    assert_null(colline_next(an));
    assert_null(colline_next(an));
    assert_int_equal(total, 0);
    colline_analyzer_free(an);
}

static void indexes_out_of_range(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(begin(an, "insert overwrite table d.t partition (p = '1', q) select a, b from d.s"), COLLINE_OK);
    const colline_statement *st = colline_next(an);
    assert_int_equal(colline_statement_input_count(st), 1);
    assert_text(colline_dataset_table(colline_statement_input(st, 0)), "d.s");
    assert_null(colline_statement_input(st, 1));
    const colline_output *output = colline_statement_output(st, 0);
    assert_text(colline_output_write_mode(output), "overwrite_dynamic");
    assert_int_equal(colline_output_partition_count(output), 2);
    colline_text value;
    assert_true(colline_output_partition_value(output, 0, &value));
    assert_text(value, "1");
    assert_false(colline_output_partition_value(output, 1, &value));
    assert_text(value, "");
    assert_false(colline_output_partition_value(output, 2, NULL));
    assert_text(colline_output_partition_key(output, 2), "");
    assert_null(colline_statement_column(st, 99));
    assert_text(colline_column_step(colline_statement_column(st, 0), 99), "");
    colline_analyzer_free(an);
}

static void a_script_goes_on_in_a_sourced_text(void **state)
{
    (void)state;
    static const char *const expected[] = {"COMMAND", "USE", "SELECT"};
    static const char inner[] = "use inner_db;";
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(begin(an, "source a.hql; select x from t"), COLLINE_OK);
    const colline_statement *st = NULL;
    for (size_t i = 0; i < 3; i++) {
        st = colline_next(an);
        assert_non_null(st);
        assert_text(colline_statement_type(st), expected[i]);
        assert_int_equal(colline_statement_index(st), i);
        assert_int_equal(colline_include_depth(an), i == 1);
        if (i == 0) {
            assert_text(colline_statement_sourced_file(st), "a.hql");
            assert_int_equal(colline_include(an, "a.hql", 5, inner, sizeof inner - 1), COLLINE_OK);
        }
    }
    assert_text(colline_dataset_table(colline_statement_input(st, 0)), "inner_db.t");
    assert_int_equal(colline_statement_span(st).start, 14);
    assert_null(colline_next(an));
    colline_analyzer_free(an);
}

static void variables(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(begin(an, "select ${x} from t"), COLLINE_OK);
    assert_int_equal(colline_define(an, "x", 1, "col", 3), COLLINE_OK);
    assert_text(colline_column_name(colline_statement_column(colline_next(an), 0)), "col");
    /* The next script knows nothing of it. */
    assert_int_equal(begin(an, "select ${x} as y from t"), COLLINE_OK);
    const colline_statement *st = colline_next(an);
    assert_text(colline_diagnostic_code(colline_statement_diagnostic(st, 0)), "unset-variable");
    colline_analyzer_free(an);
}

static void errors_have_places(void **state)
{
    (void)state;
    uint32_t line = 0, column = 0;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(begin(an, "select 1;\nselect a\nfrom from t;\nselect 2"), COLLINE_OK);
    assert_false(colline_statement_failed(colline_next(an)));
    const colline_statement *st = colline_next(an);
    assert_true(colline_statement_failed(st));
    assert_text(colline_statement_error_code(st), "syntax");
    colline_position(an, colline_statement_error_span(st).start, &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 6);
    colline_position(an, 0, &line, &column);
    assert_int_equal(line, 1);
    assert_int_equal(column, 1);
    assert_false(colline_statement_failed(colline_next(an)));
    colline_analyzer_free(an);
}

static void writing_can_be_stopped(void **state)
{
    (void)state;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(begin(an, "select 1"), COLLINE_OK);
    assert_int_equal(colline_write_document(an, COLLINE_JSONL, "x", 1, refuse, NULL), COLLINE_STOPPED);
    /* The analyzer is as good as before. */
    size_t total = 0;
    assert_int_equal(begin(an, "select 1"), COLLINE_OK);
    assert_int_equal(colline_write_document(an, COLLINE_JSONL, "x", 1, drop_bytes, &total), COLLINE_OK);
    assert_true(total > 100);
    colline_analyzer_free(an);
}

static void memory_has_a_limit(void **state)
{
    (void)state;
    enum { TERMS = 20000, LIMIT = 256 * 1024 };
    static char sql[TERMS * 4 + 64];
    size_t len = (size_t)sprintf(sql, "select a");
    for (size_t i = 0; i < TERMS; i++)
        len += (size_t)sprintf(sql + len, " + a");
    len += (size_t)sprintf(sql + len, " from t; select b from u");
    colline_analyzer *an = colline_analyzer_new(NULL, LIMIT);
    assert_non_null(an);
    assert_int_equal(colline_begin(an, sql, len), COLLINE_OK);
    const colline_statement *st = colline_next(an);
    assert_text(colline_statement_error_code(st), "too-large");
    st = colline_next(an);
    assert_false(colline_statement_failed(st));
    assert_text(colline_column_name(colline_statement_column(st, 0)), "b");
    colline_analyzer_free(an);
}

static void catalogs(void **state)
{
    (void)state;
    size_t broken = 0, where = 0;
    static const char ddl[] = "use d; create table t (a int, b string) partitioned by (p int);\nbroken; create table u (x int)";
    colline_catalog *catalog = colline_catalog_new(0);
    assert_int_equal(colline_catalog_add_ddl(catalog, ddl, sizeof ddl - 1, COLLINE_HIVE, &broken), COLLINE_OK);
    assert_int_equal(broken, 1);
    assert_memory_equal(colline_catalog_message(catalog).ptr, "2:1: ", 5);
    const colline_table *table = colline_catalog_table(catalog, "d.t", 3);
    assert_int_equal(colline_table_column_count(table), 3);
    assert_text(colline_table_column_name(table, 1), "b");
    assert_text(colline_table_column_type(table, 1), "string");
    assert_false(colline_table_column_is_partition(table, 1));
    assert_true(colline_table_column_is_partition(table, 2));
    assert_text(colline_table_kind(table), "table");
    assert_null(colline_catalog_table(catalog, "d.v", 3));
    assert_int_equal(colline_catalog_add_json(catalog, "{", 1, &where), COLLINE_BAD_INPUT);
    assert_true(colline_catalog_message(catalog).len > 0);
    assert_int_equal(colline_catalog_save(catalog, refuse, NULL), COLLINE_STOPPED);
    colline_catalog_free(catalog);
}

static void fingerprints(void **state)
{
    (void)state;
    char one[33], two[33], three[33];
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(colline_fingerprint(an, "select a from t where b = 1", 27, one), COLLINE_OK);
    assert_int_equal(colline_fingerprint(an, "SELECT a FROM t WHERE b = 22", 28, two), COLLINE_OK);
    assert_int_equal(colline_fingerprint(an, "select c from t where b = 1", 27, three), COLLINE_OK);
    assert_int_equal(strlen(one), 32);
    assert_string_equal(one, two);
    assert_string_not_equal(one, three);
    assert_int_equal(colline_fingerprint(an, " ; -- x", 7, one), COLLINE_BAD_INPUT);
    colline_analyzer_free(an);
}

static void key_of(colline_analyzer *an, const char *sql, char key[33])
{
    assert_int_equal(colline_begin(an, sql, strlen(sql)), COLLINE_OK);
    assert_non_null(colline_next(an));
    assert_int_equal(colline_statement_lineage_key(an, "hive://m", 8, key), COLLINE_OK);
}

static void lineage_keys(void **state)
{
    (void)state;
    char one[33], two[33], three[33], four[33];
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(colline_statement_lineage_key(an, NULL, 0, one), COLLINE_BAD_ARGUMENT);
    key_of(an, "select a from t where b = 1 order by 1", one);
    key_of(an, "SELECT a FROM t WHERE b = 22 ORDER BY 1", two);
    key_of(an, "select a from t where b = 1 order by 2", three);
    colline_set_database(an, "d", 1);
    key_of(an, "select a from t where b = 1 order by 1", four);
    assert_string_equal(one, two);
    assert_string_not_equal(one, three);
    assert_string_not_equal(one, four);
    colline_analyzer_free(an);
}

static void lineage_used_again(void **state)
{
    (void)state;
    static const char kept[] = "insert overwrite table r partition (d = '1') select a + 1, b from t where c in ('x', 'y')";
    static const char again[] = "INSERT OVERWRITE TABLE r PARTITION (d = '22')  SELECT a + 30, b FROM t WHERE c IN ('z')";
    colline_text value;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_null(colline_reuse(an, again, sizeof again - 1));
    assert_int_equal(colline_begin(an, kept, sizeof kept - 1), COLLINE_OK);
    assert_non_null(colline_next(an));
    const colline_statement *st = colline_reuse(an, again, sizeof again - 1);
    assert_non_null(st);
    assert_text(colline_column_expression(colline_statement_column(st, 0)), "a + 30");
    assert_int_equal(colline_column_span(colline_statement_column(st, 0)).start, 54);
    assert_text(colline_predicate_expression(colline_statement_predicate(st, 0)), "c IN ('z')");
    assert_true(colline_output_partition_value(colline_statement_output(st, 0), 0, &value));
    assert_text(value, "22");
    assert_int_equal(colline_statement_span(st).end, sizeof again - 1);
    assert_null(colline_reuse(an, "select a from t", 15));
    colline_analyzer_free(an);
}

static void parsing_alone(void **state)
{
    (void)state;
    static const char sql[] = "select 1; selec 2; select 3;";
    size_t statements = 0, errors = 0;
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    assert_int_equal(colline_parse(an, sql, sizeof sql - 1, &statements, &errors), COLLINE_OK);
    assert_int_equal(statements, 3);
    assert_int_equal(errors, 1);
    assert_int_equal(colline_parse(an, NULL, 0, NULL, NULL), COLLINE_OK);
    colline_analyzer_free(an);
}

static void formats_by_name(void **state)
{
    (void)state;
    colline_format format = COLLINE_JSON;
    assert_true(colline_format_by_name("mermaid", 7, &format));
    assert_int_equal(format, COLLINE_MERMAID);
    assert_true(colline_format_by_name("ast", 3, &format));
    assert_int_equal(format, COLLINE_AST);
    assert_false(colline_format_by_name("", 0, &format));
    assert_false(colline_format_by_name("JSON", 4, &format));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_accepted_everywhere),
        cmocka_unit_test(calls_out_of_order),
        cmocka_unit_test(indexes_out_of_range),
        cmocka_unit_test(a_script_goes_on_in_a_sourced_text),
        cmocka_unit_test(variables),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(writing_can_be_stopped),
        cmocka_unit_test(memory_has_a_limit),
        cmocka_unit_test(catalogs),
        cmocka_unit_test(fingerprints), cmocka_unit_test(lineage_keys), cmocka_unit_test(lineage_used_again),
        cmocka_unit_test(parsing_alone),
        cmocka_unit_test(formats_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
