/* lib/base/unicode.h: decoding, blanks, and what may stand in a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/unicode.h"

static size_t decode(str_t text, uint32_t *code)
{
    *code = 0;
    return utf8_decode(text.ptr, text.ptr + text.len, code);
}

static void characters_are_decoded(void **state)
{
    (void)state;
    uint32_t code;
    assert_int_equal(decode(STR("a"), &code), 1);
    assert_int_equal(code, 'a');
    assert_int_equal(decode(STR("\xC3\xA9"), &code), 2);
    assert_int_equal(code, 0xE9);
    assert_int_equal(decode(STR("\xE8\xAE\xA2x"), &code), 3);
    assert_int_equal(code, 0x8BA2);
    assert_int_equal(decode(STR("\xF0\x9F\x98\x80"), &code), 4);
    assert_int_equal(code, 0x1F600);
}

static void bytes_that_are_no_characters_are_refused(void **state)
{
    (void)state;
    static const str_t bad[] = {
        {"\x80", 1},
        {"\xC3", 1},
        {"\xC3(", 2},
        {"\xC0\x80", 2},
        {"\xE0\x80\x80", 3},
        {"\xED\xA0\x80", 3},
        {"\xF5\x80\x80\x80", 4},
        {"\xF4\x90\x80\x80", 4},
        {"\xFF", 1},
        {"\xE8\xAE", 2},
    };
    uint32_t code;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(decode(bad[i], &code), 0);
}

static void blanks_are_known(void **state)
{
    (void)state;
    static const uint32_t blanks[] = {0xA0, 0x2003, 0x200B, 0x2028, 0x3000, 0xFEFF};
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        assert_true(unicode_is_blank(blanks[i]));
        assert_false(unicode_is_name_part(blanks[i]));
    }
    assert_false(unicode_is_blank(0x8BA2));
}

static void names_hold_letters_and_no_punctuation(void **state)
{
    (void)state;
    static const uint32_t letters[] = {0xA2,   0xAA,   0xE9,   0x3B1,  0x430,  0x5D0, 0x627,
                                       0x20AC, 0x3042, 0x4E00, 0x9FFF, 0xAC00, 0xFF21};
    static const uint32_t others[] = {0x80,   0xA1,   0xD7,   0x2014,  0x2192, 0x3001,  0x300A,
                                      0xFF08, 0xFF0C, 0xFF1B, 0x1F600, 0xE000, 0x10FFFF};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        assert_true(unicode_is_name_part(letters[i]));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(unicode_is_name_part(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_decoded),
        cmocka_unit_test(bytes_that_are_no_characters_are_refused),
        cmocka_unit_test(blanks_are_known),
        cmocka_unit_test(names_hold_letters_and_no_punctuation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
