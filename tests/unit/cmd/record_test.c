/* cmd/record.h: records, what is passed over in them, and where a mistake is. The reader is no part of the library: it is built in here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../../cmd/record.c"

static void assert_text(str_t text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

static void members(void **state)
{
    (void)state;
    struct arena arena;
    struct record record;
    size_t where;
    arena_init(&arena, 0, NULL);
    str_t line = STR(" {\"id\" : \"a\\/b\", \"x\": [1, {\"sql\": \"no ] }\"}, \"\\\"\"], \"sql\":\"select\\n'\\u00e9'\", \"dialect\": null,"
                     "\"database\":\"dw\",\"catalogs\":[\"one\" , \"two\"],\"options\":{\"a\":{\"b\":[]},\"expand_complex_types\":true},\"n\":-1.5e3}\r");
    assert_null(record_read(&record, line, &arena, &where));
    assert_text(record.id, "a/b");
    assert_text(record.sql, "select\n'\xC3\xA9'");
    assert_text(record.dialect, "");
    assert_text(record.database, "dw");
    assert_int_equal(record.catalogs.count, 2);
    assert_text(record.catalogs.items[1], "two");
    assert_true(record.expand_complex_types);
    arena_release(&arena);
}

static void escapes(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *text;
        size_t len;
    } cases[] = {
        {"{\"sql\":\"\"}", "", 0},
        {"{\"sql\":\"\\b\\f\\r\\t\\\\\\\"\"}", "\b\f\r\t\\\"", 6},
        {"{\"sql\":\"a\\u0000b\"}", "a\0b", 3},
        {"{\"sql\":\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"}", "\x7f\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", 11},
        {"{\"sql\":\"\\ud83d\\ude00\"}", "\xF0\x9F\x98\x80", 4},
        {"{\"sql\":\"\\ud83dx\"}", "\xEF\xBF\xBDx", 4},               /* half of a pair */
        {"{\"sql\":\"\\ude00\\ud83d\"}", "\xEF\xBF\xBD\xEF\xBF\xBD", 6}, /* in the wrong order */
        {"{\"sql\":\"\\ud83d\\u0041\"}", "\xEF\xBF\xBD" "A", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        struct record record;
        size_t where;
        arena_init(&arena, 0, NULL);
        assert_null(record_read(&record, str_make(cases[i].json, strlen(cases[i].json)), &arena, &where));
        assert_int_equal(record.sql.len, cases[i].len);
        assert_memory_equal(record.sql.ptr, cases[i].text, cases[i].len);
        arena_release(&arena);
    }
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *wrong;
        size_t where;
    } cases[] = {
        {"", "a JSON object is wanted", 0},
        {"[]", "a JSON object is wanted", 0},
        {"{}", "the record has no \"sql\"", 2},
        {"{\"sql\":null}", "the record has no \"sql\"", 12},
        {"{\"sql\":\"x", "string without end", 9},
        {"{\"sql\":\"x\\\"", "string without end", 11},
        {"{\"sql\" \"x\"}", "expected `:`", 7},
        {"{\"sql\":\"x\"", "expected `,` or `}`", 10},
        {"{\"sql\":\"x\"} y", "expected the end", 12},
        {"{\"sql\":\"x\",}", "expected a string", 11},
        {"{\"a\":[1,[\"sql\":\"x\"}", "expected `,` or `]`", 14},
        {"{\"sql\":\"\\u12g4\"}", "wrong escape in a string", 15},
        {"{\"sql\":\"a	b\"}", "control character in a string", 9},
        {"{\"a\":,\"sql\":\"\"}", "expected a value", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        struct record record;
        size_t where;
        arena_init(&arena, 0, NULL);
        const char *wrong = record_read(&record, str_make(cases[i].json, strlen(cases[i].json)), &arena, &where);
        assert_non_null(wrong);
        assert_string_equal(wrong, cases[i].wrong);
        assert_int_equal(where, cases[i].where);
        arena_release(&arena);
    }
}

/* Any text cut anywhere ends in a message, not in reading on. */
static void cut_anywhere(void **state)
{
    (void)state;
    static const char whole[] = "{\"id\":\"a\\u00e9\",\"x\":[{\"y\":[1,2,{}]},\"z\"],\"catalogs\":[\"c\"],\"options\":{\"o\":1},\"sql\":\"s\"}";
    for (size_t len = 0; len < sizeof whole - 1; len++) {
        struct arena arena;
        struct record record;
        size_t where;
        char *copy = len == 0 ? NULL : test_malloc(len);
        if (copy != NULL)
            memcpy(copy, whole, len);
        arena_init(&arena, 0, NULL);
        assert_non_null(record_read(&record, str_make(copy == NULL ? "" : copy, len), &arena, &where));
        assert_true(where <= len);
        arena_release(&arena);
        if (copy != NULL)
            test_free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members), cmocka_unit_test(escapes), cmocka_unit_test(mistakes),
                                       cmocka_unit_test(cut_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
