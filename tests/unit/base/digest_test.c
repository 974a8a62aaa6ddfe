/* lib/base/digest.h against known values; lengths around the block sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digest.h"

/* abcdef.. of a length */
static str_t letters(char *room, size_t len)
{
    for (size_t i = 0; i < len; i++)
        room[i] = (char)('a' + i % 26);
    return str_make(room, len);
}

static void md5(void **state)
{
    (void)state;
    static const struct {
        size_t len;
        const char *digest;
    } cases[] = {
        {0, "d41d8cd98f00b204e9800998ecf8427e"},
        {1, "0cc175b9c0f1b6a831c399e269772661"},
        {3, "900150983cd24fb0d6963f7d28e17f72"},
        {55, "0d7ae056b2f015cd7dc67494efd658f1"},
        {56, "31fcfb5165169eb55898e7e4cf34d19a"},
        {57, "fd62afaf3aa1e2a52882cb464f5ccc4d"},
        {63, "1b30c0670c15e7da3c2ba7bce77ebe99"},
        {64, "a2eaf6295c32adc403865fd96a2f182b"},
        {65, "eba2cce0ca8df47e62414a736b3105a2"},
        {119, "b05187e08da41fa3ef16bd56afaafd99"},
        {120, "62af9b597a9f55e16ab2b897387fc052"},
        {200, "32cce8c4f2bf6f04dbb71b5cb9e37c30"},
    };
    char room[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out, 0);
        add_md5(&out, letters(room, cases[i].len));
        assert_int_equal(out.len, 32);
        assert_memory_equal(out.ptr, cases[i].digest, 32);
        buf_release(&out);
    }
}

/* Values of the published reference code, halves written byte by byte. */
static void murmur3(void **state)
{
    (void)state;
    static const struct {
        str_t text;
        const char *digest;
    } cases[] = {
        {STR(""), "00000000000000000000000000000000"},
        {STR("hello"), "029bbd41b3a7d8cb191dae486a901e5b"},
        {STR("The quick brown fox jumps over the lazy dog"), "6c1b07bc7bbc4be347939ac4a93c437a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out, 0);
        add_murmur3(&out, cases[i].text);
        assert_int_equal(out.len, 32);
        assert_memory_equal(out.ptr, cases[i].digest, 32);
        buf_release(&out);
    }
}

static void utf16(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0, NULL);
    str_t units = utf16le(&arena, STR("a\xE4\xB8\xAD\xF0\x9F\x98\x80\xFF"));
    static const char expected[] = "a\0\x2D\x4E\x3D\xD8\x00\xDE\xFD\xFF";
    assert_int_equal(units.len, sizeof expected - 1);
    assert_memory_equal(units.ptr, expected, units.len);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(md5), cmocka_unit_test(murmur3), cmocka_unit_test(utf16)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
