/* Scripts: where statements and client commands begin and end, and what settings they change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sql/parse.h"

enum { MOST_PIECES = 8 };

static str_t str_of(const char *text)
{
    return str_make(text, strlen(text));
}

/* The pieces of a script must be these texts, byte for byte; NULL ends the list. */
static void check_pieces(enum dialect dialect, str_t text, const char *const *pieces)
{
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, text, &(struct parse_options){.dialect = dialect});
    size_t i = 0;
    for (; script_reader_next(&reader, &arena, &parsed); i++) {
        span_t span = parsed.stmt->span;
        assert_non_null(pieces[i]);
        if (!str_eq(str_make(text.ptr + span.start, span.end - span.start), str_of(pieces[i])))
            fail_msg("%zu: %.*s", i, (int)(span.end - span.start), text.ptr + span.start);
    }
    assert_null(pieces[i]);
    assert_int_equal(reader.pos, text.len);
    arena_release(&arena);
}

#define PIECES(text, ...) \
    check_pieces(DIALECT_HIVE, STR(text), (const char *const[]){__VA_ARGS__, NULL})
#define IMPALA_PIECES(text, ...) \
    check_pieces(DIALECT_IMPALA, STR(text), (const char *const[]){__VA_ARGS__, NULL})

static void nothing_is_no_statement(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    check_pieces(DIALECT_HIVE, STR(""), none);
    check_pieces(DIALECT_HIVE, STR(" \r\n;;\t; "), none);
    check_pieces(DIALECT_HIVE, STR("-- only\n/* comments; */ ;"), none);
    check_pieces(DIALECT_HIVE, STR("\xEF\xBB\xBF"), none);
}

static void statements_end_at_semicolons(void **state)
{
    (void)state;
    PIECES("select 1;select 2", "select 1", "select 2");
    PIECES("\xEF\xBB\xBF-- c\r\nselect 1 ;\r\n\r\n select\r\n2 -- d\r\n", "select 1",
           "select\r\n2");
    PIECES("select ';', \"a;b\", `c;d` -- e;f\n, /* g;h */ 1; select 2",
           "select ';', \"a;b\", `c;d` -- e;f\n, /* g;h */ 1", "select 2");
    PIECES("select 'it\\'s; x'; select 2", "select 'it\\'s; x'", "select 2");
}

static void broken_statements_end_there_too(void **state)
{
    (void)state;
    PIECES("selec 1; select 2", "selec 1", "select 2");
    PIECES("select 'x; select 2", "select 'x", "select 2");
    PIECES("select `x; select 2", "select `x", "select 2");
    PIECES("select (((; select 2", "select (((", "select 2");
    PIECES("select \x01 1; select 2", "select \x01 1", "select 2");
}

static void commands_run_to_their_semicolon(void **state)
{
    (void)state;
    PIECES("set a=b; set c = 'x;y' ;SET;select 1", "set a=b", "set c = 'x;y'", "SET", "select 1");
    PIECES("set a=it's; select 1", "set a=it's", "select 1");
    PIECES("add jar /x-y/z.jar;list jars;reset;dfs -ls /a;", "add jar /x-y/z.jar", "list jars",
           "reset", "dfs -ls /a");
    PIECES("delete jar x; delete from t", "delete jar x", "delete from t");
    PIECES("reload; reload function", "reload", "reload function");
    PIECES("set role r; set autocommit true; set role=r", "set role r", "set autocommit true",
           "set role=r");
    PIECES("compile `x` as groovy named y.groovy; llap cluster -info",
           "compile `x` as groovy named y.groovy", "llap cluster -info");
}

static void some_commands_run_to_the_line_end(void **state)
{
    (void)state;
    PIECES("source a/b.sql\nselect 1", "source a/b.sql", "select 1");
    PIECES("!ls -l; select 1", "!ls -l", "select 1");
    PIECES("!sh x\nselect 1;quit", "!sh x", "select 1", "quit");
    IMPALA_PIECES("profile; src x.sql\nselect 1; set a=1", "profile", "src x.sql", "select 1",
                  "set a=1");
}

static struct command_stmt *first_command(struct arena *arena, str_t text, uint16_t *kind)
{
    struct script_reader reader;
    struct parsed parsed;
    script_reader_init(&reader, text, &(struct parse_options){.dialect = DIALECT_HIVE});
    assert_true(script_reader_next(&reader, arena, &parsed));
    *kind = parsed.stmt->kind;
    return parsed.stmt->u.command;
}

static void check_setting(const char *text, const char *key, const char *value)
{
    struct arena arena;
    uint16_t kind;
    arena_init(&arena, 0, NULL);
    struct command_stmt *command = first_command(&arena, str_of(text), &kind);
    assert_int_equal(kind, STMT_SET);
    assert_true(str_eq(command->key, str_of(key)));
    assert_true(str_eq(command->value, str_of(value)));
    arena_release(&arena);
}

static void settings_have_keys_and_values(void **state)
{
    (void)state;
    check_setting("SET hivevar:day = 2024-01-01 ;", "hivevar:day", "2024-01-01");
    check_setting("set a=b=c", "a", "b=c");
    check_setting("set a=", "a", "");
    check_setting("set -v", "-v", "");
    check_setting("set", "", "");
}

/* SET hive.support.quoted.identifiers holds from the next statement on. */
static void settings_change_quoting(void **state)
{
    (void)state;
    static const char text[] =
        "select \"a\";set hive.support.quoted.identifiers=standard;"
        "select \"a\";set hive.support.quoted.identifiers=column;select \"a\"";
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    int kinds[MOST_PIECES], count = 0;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, str_of(text), &(struct parse_options){.dialect = DIALECT_HIVE});
    while (script_reader_next(&reader, &arena, &parsed))
        if (parsed.stmt->kind == STMT_QUERY)
            kinds[count++] = parsed.stmt->u.query->u.block->items[0].expr->kind;
    assert_int_equal(count, 3);
    assert_int_equal(kinds[0], EXPR_LITERAL);
    assert_int_equal(kinds[1], EXPR_COLUMN);
    assert_int_equal(kinds[2], EXPR_LITERAL);
    arena_release(&arena);
}

static void places_have_lines_and_columns(void **state)
{
    (void)state;
    static const str_t text = {"ab\ncd\r\n\nx", 9};
    static const uint32_t expected[][3] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 3},
                                           {7, 3, 1}, {8, 4, 1}, {9, 4, 2}, {99, 4, 2}};
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        uint32_t line, column;
        text_position(text, expected[i][0], &line, &column);
        assert_int_equal(line, expected[i][1]);
        assert_int_equal(column, expected[i][2]);
    }
}

static void pieces_parse_by_themselves(void **state)
{
    (void)state;
    struct arena arena;
    struct parse_error error;
    struct parse_options options = {.dialect = DIALECT_HIVE};
    arena_init(&arena, 0, NULL);
    assert_non_null(
        parse_query_text(STR("with q as (select 1) select * from q"), &options, &arena, &error));
    assert_int_equal(error.message.len, 0);
    assert_null(parse_query_text(STR("select 1 2"), &options, &arena, &error));
    assert_int_equal(error.at, 9);
    struct type *type = parse_type_text(STR("map<string,array<INT>>"), DIALECT_HIVE, &arena);
    assert_int_equal(type->kind, TYPE_MAP);
    assert_int_equal(type->fields[1].type->kind, TYPE_ARRAY);
    assert_null(parse_type_text(STR("array<int"), DIALECT_HIVE, &arena));
    assert_null(parse_type_text(STR("int int"), DIALECT_HIVE, &arena));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_no_statement),
        cmocka_unit_test(statements_end_at_semicolons),
        cmocka_unit_test(broken_statements_end_there_too),
        cmocka_unit_test(commands_run_to_their_semicolon),
        cmocka_unit_test(some_commands_run_to_the_line_end),
        cmocka_unit_test(settings_have_keys_and_values),
        cmocka_unit_test(settings_change_quoting),
        cmocka_unit_test(places_have_lines_and_columns),
        cmocka_unit_test(pieces_parse_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
