/* Values of string literals and quoted names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sql/parser.h"

struct value {
    str_t token, value;
};

#define VALUE(token, value) {{token, sizeof(token) - 1}, {value, sizeof(value) - 1}}

static void strings(void **state)
{
    (void)state;
    static const struct value cases[] = {
        VALUE("'a'", "a"),
        VALUE("''", ""),
        VALUE("\"it's\"", "it's"),
        VALUE("'a''b'", "ab"),
        VALUE("'a'  \"b\"\n'c'", "abc"),
        VALUE("'\\'\\\"\\\\'", "'\"\\"),
        VALUE("'\\n\\t\\r\\b\\Z'", "\n\t\r\b\x1A"),
        VALUE("'\\0\\x'", "\0x"),
        VALUE("'\\%\\_'", "\\%\\_"),
        VALUE("'\\101\\060'", "A0"),
        VALUE("'\\10'", "10"),
        VALUE("'\\u00e9\\u4E2d'", "\xC3\xA9\xE4\xB8\xAD"),
        VALUE("'\\uD83D\\uDE00'", "\xF0\x9F\x98\x80"),
        VALUE("'\\uD83D'", "\xEF\xBF\xBD"),
        VALUE("'\\u12'", "u12"),
        VALUE("${x}", "${x}"),
        VALUE("'", "'"),
        VALUE("", ""),
    };
    struct arena arena;
    arena_init(&arena, 0, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        str_t found = string_literal_value(cases[i].token, DIALECT_HIVE, &arena);
        if (!str_eq(found, cases[i].value))
            fail_msg("%s is %.*s", cases[i].token.ptr, (int)found.len, found.ptr);
    }
    arena_release(&arena);
}

static void names(void **state)
{
    (void)state;
    static const struct value hive[] = {VALUE("`a`", "a"), VALUE("`a``b`", "a`b"),
                                        VALUE("` a `", " a "), VALUE("\"a\"\"b\"", "a\"b"),
                                        VALUE("`a\\b`", "a\\b")};
    static const struct value impala[] = {VALUE("` a `", "a"), VALUE("`a.b`", "a.b")};
    struct arena arena;
    arena_init(&arena, 0, NULL);
    for (size_t i = 0; i < sizeof(hive) / sizeof(hive[0]); i++)
        assert_true(str_eq(quoted_name_value(hive[i].token, DIALECT_HIVE, &arena), hive[i].value));
    for (size_t i = 0; i < sizeof(impala) / sizeof(impala[0]); i++)
        assert_true(
            str_eq(quoted_name_value(impala[i].token, DIALECT_IMPALA, &arena), impala[i].value));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
