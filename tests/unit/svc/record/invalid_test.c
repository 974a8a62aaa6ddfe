/* svc/record/invalid.h and base64.h: whatever bytes came, they come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/base64.h"
#include "record/invalid.h"

static void check_there_and_back(str_t value, const char *expected)
{
    struct arena arena;
    struct buf out;
    struct invalid_record back;
    str_t reason;
    struct invalid_record record = {.v = 1,
                                    .stage = STR("normalize"),
                                    .at = 5,
                                    .reason = STR("v: newer; user: expected a text"),
                                    .topic = STR("raw"),
                                    .partition = 0,
                                    .offset = 12,
                                    .value = value};
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    invalid_write(&out, &record);
    assert_true(invalid_read(buf_str(&out), &arena, &back, &reason));
    assert_true(str_eq(back.value, value) && str_eq(back.reason, record.reason) &&
                back.offset == 12 && back.partition == 0);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
    arena_release(&arena);
}

#define HEAD                                                                                  \
    "{\"v\":1,\"stage\":\"normalize\",\"at\":5,\"reasons\":[\"v: newer\",\"user: expected a " \
    "text\"],\"topic\":\"raw\",\"partition\":0,\"offset\":12"

static void any_bytes_come_back(void **state)
{
    (void)state;
    check_there_and_back(STR("{\"v\":2}"), HEAD ",\"value\":\"{\\\"v\\\":2}\"}");
    check_there_and_back(STR("\xFF\0x"), HEAD ",\"base64\":true,\"value\":\"/wB4\"}");
    check_there_and_back(STR(""), HEAD "}");
}

static void base64_follows_the_standard(void **state)
{
    (void)state;
    static const str_t pairs[][2] = {{STR(""), STR("")},
                                     {STR("f"), STR("Zg==")},
                                     {STR("fo"), STR("Zm8=")},
                                     {STR("foo"), STR("Zm9v")},
                                     {STR("foobar"), STR("Zm9vYmFy")},
                                     {STR("\xFB\xFF"), STR("+/8=")}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct buf out, back;
        buf_init(&out, 0);
        buf_init(&back, 0);
        add_base64(&out, pairs[i][0]);
        assert_true(str_eq(buf_str(&out), pairs[i][1]));
        assert_true(base64_decode(&back, pairs[i][1]) && str_eq(buf_str(&back), pairs[i][0]));
        buf_release(&out);
        buf_release(&back);
    }
    static const str_t wrong[] = {STR("A"),
                                  STR("Zg=="
                                      "Zg=="),
                                  STR("Zh=="),
                                  STR("Z*=="),
                                  STR("Zm9vYmFy\n"),
                                  STR("=")};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct buf back;
        buf_init(&back, 0);
        assert_false(base64_decode(&back, wrong[i]));
        assert_int_equal(back.len, 0);
        buf_release(&back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_come_back),
        cmocka_unit_test(base64_follows_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
