/* lib/base/grid.h: aligned columns, text on one line, colours only when wanted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/grid.h"

static const struct look plain = {false, 0};

static void assert_line(str_t text, size_t limit, const char *expected)
{
    struct buf out;
    buf_init(&out, 0);
    buf_add_char(&out, '|');
    add_one_line(&out, text, limit);
    assert_int_equal(out.len, strlen(expected) + 1);
    assert_memory_equal(out.ptr + 1, expected, out.len - 1);
    buf_release(&out);
}

static void one_line(void **state)
{
    (void)state;
    assert_line(STR(""), 0, "");
    assert_line(STR("  a\n\t b \0 c  "), 0, "a b c");
    assert_line(STR("abcdef"), 6, "abcdef");
    assert_line(STR("abcdef"), 5, "abcd…");
    assert_line(STR("ab cdef"), 4, "ab …");
    assert_line(STR("ab cdef"), 3, "ab…");
    assert_line(STR("\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97"), 5, "\xE4\xB8\xAD\xE6\x96\x87…");
}

static void columns(void **state)
{
    (void)state;
    static const str_t heading[] = {{"name", 4}, {"type", 4}, {"note", 4}};
    static const str_t rows[][3] = {{STR("id"), STR("bigint"), STR("")},
                                    {STR("\xE5\x9F\x8E\xE5\xB8\x82"), STR("string"), STR("a\nb")},
                                    {STR(""), STR(""), STR("")}};
    struct arena arena;
    struct grid grid;
    struct buf out;
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    grid_init(&grid, &arena, heading, 3);
    for (size_t r = 0; r < 3; r++) {
        str_t *cells = grid_row(&grid);
        for (size_t c = 0; c < 3; c++)
            cells[c] = rows[r][c];
    }
    grid_print(&grid, &out, &plain, 1);
    static const char expected[] = " name  type    note\n"
                                   " id    bigint\n"
                                   " \xE5\x9F\x8E\xE5\xB8\x82  string  a b\n"
                                   "\n";
    assert_int_equal(out.len, sizeof expected - 1);
    assert_memory_equal(out.ptr, expected, out.len);
    buf_release(&out);
    arena_release(&arena);
}

static void colours(void **state)
{
    (void)state;
    static const struct look coloured = {true, 0};
    struct buf out;
    buf_init(&out, 0);
    paint(&out, &plain, PAINT_RED, STR("a"));
    paint(&out, &coloured, PAINT_PLAIN, STR("b"));
    paint(&out, &coloured, PAINT_RED, STR("c"));
    static const char expected[] = "ab\033[31mc\033[0m";
    assert_int_equal(out.len, sizeof expected - 1);
    assert_memory_equal(out.ptr, expected, out.len);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_line), cmocka_unit_test(columns), cmocka_unit_test(colours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
