/* lib/base/json.h: what it reads, and where it says a mistake is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

static const struct json *read_text(struct arena *arena, str_t text)
{
    const char *message;
    size_t where;
    arena_init(arena, 0, NULL);
    return json_read(arena, text, &message, &where);
}

static void assert_text(str_t text, str_t expected)
{
    assert_int_equal(text.len, expected.len);
    assert_memory_equal(text.ptr, expected.ptr, expected.len);
}

static void scalars(void **state)
{
    (void)state;
    static const struct {
        str_t text;
        enum json_kind kind;
    } cases[] = {
        {STR("null"), JSON_NULL},          {STR(" true "), JSON_TRUE},   {STR("false"), JSON_FALSE},
        {STR("-12.5e+3"), JSON_NUMBER},    {STR("0"), JSON_NUMBER},      {STR("\"a\""), JSON_STRING},
        {STR("[]"), JSON_ARRAY},           {STR("{ }"), JSON_OBJECT},    {STR("[1,[2,[3]],{\"a\":[]}]"), JSON_ARRAY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        const struct json *value = read_text(&arena, cases[i].text);
        assert_non_null(value);
        assert_int_equal(value->kind, cases[i].kind);
        arena_release(&arena);
    }
}

static void members(void **state)
{
    (void)state;
    struct arena arena;
    const struct json *value = read_text(&arena, STR("{\"a\": \"x\", \"b\": {\"c\": [true, \"y\"]}, \"a\": \"z\", \"t\": true}"));
    assert_non_null(value);
    assert_text(json_member_text(value, STR("a")), STR("z"));
    assert_true(json_member_true(value, STR("t")));
    assert_false(json_member_true(value, STR("a")));
    assert_null(json_member(value, STR("c")));
    const struct json *list = json_member(json_member(value, STR("b")), STR("c"));
    assert_int_equal(list->first->kind, JSON_TRUE);
    assert_text(list->first->next->text, STR("y"));
    assert_null(list->first->next->next);
    arena_release(&arena);
}

static void escapes(void **state)
{
    (void)state;
    struct arena arena;
    const struct json *value = read_text(&arena, STR("\"a\\n\\\"\\u00e9\\ud83d\\ude00\\ud83dx\\/\""));
    assert_non_null(value);
    assert_text(value->text, STR("a\n\"\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBDx/"));
    arena_release(&arena);
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        str_t text;
        size_t where;
    } cases[] = {
        {STR(""), 0},          {STR("{"), 1},          {STR("[1,]"), 3},        {STR("[1 2]"), 3},   {STR("{\"a\" 1}"), 5},
        {STR("{\"a\":1,}"), 7}, {STR("\"abc"), 4},      {STR("\"a\\"), 3},       {STR("01x"), 2},     {STR("nul"), 0},
        {STR("{} {}"), 3},     {STR("[\"\\x\"]"), 5},   {STR("\"\\u12\""), 6},   {STR("\"\x01\""), 1}, {STR("-"), 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        const char *message = NULL;
        size_t where = 999;
        arena_init(&arena, 0, NULL);
        assert_null(json_read(&arena, cases[i].text, &message, &where));
        assert_non_null(message);
        assert_int_equal(where, cases[i].where);
        arena_release(&arena);
    }
}

static void deep_nesting_costs_no_stack(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    static char text[2 * DEPTH];
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    struct arena arena;
    assert_non_null(read_text(&arena, str_make(text, sizeof text)));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),  cmocka_unit_test(members),
        cmocka_unit_test(escapes),  cmocka_unit_test(mistakes),
        cmocka_unit_test(deep_nesting_costs_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
