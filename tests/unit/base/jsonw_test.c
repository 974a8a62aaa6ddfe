/* lib/base/jsonw.h: layout, commas, escapes, and text that is no UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/jsonw.h"

static void assert_written(struct buf *out, const char *expected)
{
    assert_int_equal(out->len, strlen(expected));
    assert_memory_equal(out->ptr, expected, out->len);
    buf_release(out);
}

static void write_sample(struct jsonw *w)
{
    jsonw_object_begin(w);
    jsonw_member(w, STR("a"), STR("x"));
    jsonw_key(w, STR("list"));
    jsonw_array_begin(w);
    jsonw_number(w, 0);
    jsonw_number(w, UINT64_MAX);
    jsonw_bool(w, true);
    jsonw_null(w);
    jsonw_array_end(w);
    jsonw_key(w, STR("row"));
    jsonw_row(w);
    jsonw_object_begin(w);
    jsonw_key_text(w, STR("k\""));
    jsonw_array_begin(w);
    jsonw_bool(w, false);
    jsonw_number(w, 4294967296);
    jsonw_array_end(w);
    jsonw_member_number(w, STR("n"), 7);
    jsonw_object_end(w);
    jsonw_key(w, STR("rows"));
    jsonw_array_begin(w);
    for (int i = 0; i < 2; i++) {
        jsonw_row(w);
        jsonw_array_begin(w);
        jsonw_raw(w, STR("-1"));
        jsonw_array_end(w);
    }
    jsonw_array_end(w);
    jsonw_key(w, STR("empty"));
    jsonw_object_begin(w);
    jsonw_object_end(w);
    jsonw_object_end(w);
}

/* Where digits are taken eight at once. */
static void long_numbers(void **state)
{
    (void)state;
    static const struct {
        uint64_t number;
        const char *text;
    } cases[] = {{4294967295, "4294967295"},
                 {4294967296, "4294967296"},
                 {1773584553311, "1773584553311"},
                 {1000000000000, "1000000000000"},
                 {429496729500000000, "429496729500000000"},
                 {429496729600000001, "429496729600000001"},
                 {10000000000000000000u, "10000000000000000000"},
                 {UINT64_MAX, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out, 0);
        buf_add_number(&out, cases[i].number);
        assert_written(&out, cases[i].text);
    }
}

static void on_one_line(void **state)
{
    (void)state;
    struct buf out;
    struct jsonw w;
    buf_init(&out, 0);
    jsonw_init(&w, &out, false);
    write_sample(&w);
    assert_written(&out, "{\"a\":\"x\",\"list\":[0,18446744073709551615,true,null],\"row\":{\"k\\\"\":[false,4294967296],\"n\":7},"
                         "\"rows\":[[-1],[-1]],\"empty\":{}}");
}

static void indented(void **state)
{
    (void)state;
    struct buf out;
    struct jsonw w;
    buf_init(&out, 0);
    jsonw_init(&w, &out, true);
    write_sample(&w);
    assert_written(&out, "{\n"
                         "  \"a\": \"x\",\n"
                         "  \"list\": [\n"
                         "    0,\n"
                         "    18446744073709551615,\n"
                         "    true,\n"
                         "    null\n"
                         "  ],\n"
                         "  \"row\": {\"k\\\"\": [false, 4294967296], \"n\": 7},\n"
                         "  \"rows\": [\n"
                         "    [-1],\n"
                         "    [-1]\n"
                         "  ],\n"
                         "  \"empty\": {}\n"
                         "}");
}

static void escapes(void **state)
{
    (void)state;
    static const struct {
        str_t text;
        const char *expected;
    } cases[] = {
        {STR(""), ""},
        {STR("plain and long enough for words"), "plain and long enough for words"},
        {STR("\"\\/"), "\\\"\\\\/"},
        {STR("\n\r\t\b\f"), "\\n\\r\\t\\u0008\\u000c"},
        {STR("a\0b\x1f\x7f"), "a\\u0000b\\u001f\x7f"},
        {STR("12345678\"12345678"), "12345678\\\"12345678"},
        {STR("1234567\x01"), "1234567\\u0001"},
        {STR("\xE4\xB8\xAD\xF0\x9F\x98\x80\xC3\xA9"), "\xE4\xB8\xAD\xF0\x9F\x98\x80\xC3\xA9"},
        {STR("a\xFFz"), "a\xEF\xBF\xBDz"},
        {STR("\xE4\xB8"), "\xEF\xBF\xBD\xEF\xBF\xBD"},          /* cut short */
        {STR("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD"},          /* overlong */
        {STR("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* a surrogate */
        {STR("\xF4\x90\x80\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out;
        buf_init(&out, 0);
        buf_add_char(&out, '<');
        json_escape(&out, cases[i].text);
        assert_int_equal(out.len, strlen(cases[i].expected) + 1);
        assert_memory_equal(out.ptr + 1, cases[i].expected, out.len - 1);
        buf_release(&out);
    }
}

/* Every byte at every place of a word: the fast path may never pass over one that needs an escape. */
static void every_byte_at_every_place(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < 17; at++) {
            char text[17];
            memset(text, 'x', sizeof text);
            text[at] = (char)byte;
            struct buf out;
            buf_init(&out, 0);
            json_escape(&out, str_make(text, sizeof text));
            bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
            assert_int_equal(plain, out.len == sizeof text);
            for (size_t i = 0; i < out.len; i++)
                assert_true((unsigned char)out.ptr[i] >= 0x20);
            buf_release(&out);
        }
    }
}

static void a_full_buffer_is_remembered(void **state)
{
    (void)state;
    struct buf out;
    struct jsonw w;
    buf_init(&out, 24);
    jsonw_init(&w, &out, false);
    write_sample(&w);
    assert_true(out.failed);
    assert_true(out.len <= 24);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_one_line),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(indented),
        cmocka_unit_test(escapes),
        cmocka_unit_test(every_byte_at_every_place),
        cmocka_unit_test(a_full_buffer_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
