/* svc/record/members.h: what is JSON and what is none, judged as lib/base/json.h judges it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/members.h"

static void texts_are_judged_as_the_tree_reader_judges(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "{\"a\":1}",
                                        "[1,2,3]",
                                        "{\"a\":[{\"b\":{}},[],\"x\"],\"c\":null}",
                                        " [ true , false , null ] ",
                                        "\"x\"",
                                        "-0.5e+10",
                                        "",
                                        " ",
                                        "{",
                                        "}",
                                        "[1,]",
                                        "[,1]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1,}",
                                        "{a:1}",
                                        "[1 2]",
                                        "1.",
                                        ".5",
                                        "+1",
                                        "1e",
                                        "tru",
                                        "nullx",
                                        "\"\\u00e9\\n\"",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"a",
                                        "\"\\\"",
                                        "\"a\nb\"",
                                        "[\"a\",{\"b\":[[[]]]}]",
                                        "[[]",
                                        "[]]",
                                        "{\"a\":[}",
                                        "{\"a\":{]}",
                                        "[\"12345678\\\"12345678\"]",
                                        "[\"\\u0022\"]",
                                        "{\"\\u0061\":1}",
                                        "{1:2}",
                                        "[{}{}]",
                                        "[[],[],{}]",
                                        "{\"a\":{},\"b\":[],\"c\":[{}]}",
                                        "[1]x",
                                        "-",
                                        "[-]",
                                        "{\"a\":1 \"b\":2}",
                                        "{\"a\" 1}",
                                        "[\"\t\"]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct arena arena;
        const char *message;
        size_t where;
        str_t text = str_make(texts[i], strlen(texts[i]));
        arena_init(&arena, 0, NULL);
        bool good = json_read(&arena, text, &message, &where) != NULL;
        if (good != json_is_valid(text))
            fail_msg("`%s`", texts[i]);
        arena_release(&arena);
    }
}

static void values_come_as_they_stand(void **state)
{
    (void)state;
    struct arena arena;
    struct member m;
    str_t text;
    int64_t number;
    arena_init(&arena, 0, NULL);
    struct member_reader r = member_reader_of(STR("{\"a\" : \"x\\u4e2d\\n\", \"b\":-12 ,\"c\": [ "
                                                  "1, {\"d\":2} ] , \"e\":9223372036854775808}"));
    assert_true(member_next(&r, &m) && str_eq(m.key, STR("a")) && m.escaped);
    assert_true(member_text(&m, &arena, &text) && str_eq(text, STR("x\xE4\xB8\xAD\n")));
    assert_true(member_next(&r, &m) && member_integer(&m, &number) && number == -12);
    assert_true(member_next(&r, &m) && m.kind == JSON_ARRAY &&
                str_eq(m.value, STR("[ 1, {\"d\":2} ]")));
    assert_true(member_next(&r, &m) && !member_integer(&m, &number));
    assert_false(member_next(&r, &m));
    assert_null(r.message);
    arena_release(&arena);
}

static void bad_bytes_and_numbers_are_refused(void **state)
{
    (void)state;
    assert_true(json_is_valid(STR("\"\xE4\xB8\xAD\"")));
    assert_false(json_is_valid(STR("\"\xE4\xB8\"")));
    assert_false(json_is_valid(STR("[\"0123456789\xFF"
                                   "0123456789\"]")));
    assert_false(json_is_valid(str_make("\"\0\"", 3)));
    assert_false(json_is_valid(STR("01")));
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    static char text[1026];
    memset(text, '[', 513);
    memset(text + 513, ']', 513);
    assert_true(json_is_valid(str_make(text + 1, 1024)));
    assert_false(json_is_valid(str_make(text, 1026)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_judged_as_the_tree_reader_judges),
        cmocka_unit_test(values_come_as_they_stand),
        cmocka_unit_test(bad_bytes_and_numbers_are_refused),
        cmocka_unit_test(nesting_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
