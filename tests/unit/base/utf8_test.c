/* lib/base/utf8.h: validity, width, cutting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

static void validity(void **state)
{
    (void)state;
    size_t where = 99;
    assert_true(utf8_valid(STR(""), &where));
    assert_true(utf8_valid(STR("ascii only, and longer than a word"), &where));
    assert_true(utf8_valid(STR("\xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80"), &where));
    assert_false(utf8_valid(STR("12345678\xFF"), &where));
    assert_int_equal(where, 8);
    assert_false(utf8_valid(STR("\xE4\xB8\xAD\xE6\x96"), &where));
    assert_int_equal(where, 3);
}

static void width(void **state)
{
    (void)state;
    assert_int_equal(utf8_width(STR("abc")), 3);
    assert_int_equal(utf8_width(STR("\xE4\xB8\xAD\xE6\x96\x87")), 4);
    assert_int_equal(utf8_width(STR("e\xCC\x81")), 1); /* a combining accent takes no room */
    assert_int_equal(utf8_width(STR("\xFF")), 1);
}

static void cutting(void **state)
{
    (void)state;
    str_t text = STR("a\xE4\xB8\xAD\xE6\x96\x87");
    assert_int_equal(utf8_cut(text, 0).len, 0);
    assert_int_equal(utf8_cut(text, 1).len, 1);
    assert_int_equal(utf8_cut(text, 2).len, 1);
    assert_int_equal(utf8_cut(text, 3).len, 4);
    assert_int_equal(utf8_cut(text, 99).len, 7);
}

static void replacing(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 0);
    add_valid_utf8(&out, STR("\xFF" "a\xC3\xA9\xE4\xB8"));
    static const char expected[] = "\xEF\xBF\xBD" "a\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD";
    assert_int_equal(out.len, sizeof expected - 1);
    assert_memory_equal(out.ptr, expected, out.len);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(validity), cmocka_unit_test(width), cmocka_unit_test(cutting),
                                       cmocka_unit_test(replacing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
