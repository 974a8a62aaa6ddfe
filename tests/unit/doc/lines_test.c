/* lib/doc/lines.h: places, asked for in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "doc/lines.h"

static const char sample[] = "ab\n\ncd\r\nlast";

/* Line and column by counting. */
static struct line_column counted(str_t text, size_t at)
{
    struct line_column place = {1, 1};
    for (size_t i = 0; i < at && i < text.len; i++) {
        place.column = text.ptr[i] == '\n' ? 1 : place.column + 1;
        place.line += text.ptr[i] == '\n';
    }
    return place;
}

static void assert_place(struct line_cursor *cursor, size_t at)
{
    struct line_column got = lines_find(cursor, at), expected = counted(cursor->text, at);
    assert_int_equal(got.line, expected.line);
    assert_int_equal(got.column, expected.column);
}

static void any_order(void **state)
{
    (void)state;
    str_t text = str_make(sample, sizeof sample - 1);
    for (size_t mark = 0; mark <= text.len; mark++) {
        for (size_t first = 0; first <= text.len + 1; first++) {
            for (size_t second = 0; second <= text.len + 1; second++) {
                struct line_cursor cursor;
                lines_init(&cursor, text);
                lines_mark(&cursor, mark);
                assert_place(&cursor, first);
                assert_place(&cursor, second);
            }
        }
    }
}

static void no_text(void **state)
{
    (void)state;
    struct line_cursor cursor;
    lines_init(&cursor, STR(""));
    assert_int_equal(lines_find(&cursor, 0).line, 1);
    assert_int_equal(lines_find(&cursor, 5).column, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_order), cmocka_unit_test(no_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
