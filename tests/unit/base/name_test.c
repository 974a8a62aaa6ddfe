/* lib/base: names folded eight bytes at a time, and a hash that spreads what scripts number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/octets.h"

enum {
    NAMES = 1000,
    SLOTS = 2048
};

/* Every length around the borders of eight bytes, the text ending where its memory ends. */
static void folding(void **state)
{
    (void)state;
    static const char text[] = "Ab_Z09z@[`{\xC3\x84qRSTUVWXYZ1";
    static const char folded[] = "ab_z09z@[`{\xC3\x84qrstuvwxyz1";
    struct arena arena;
    arena_init(&arena, 0, NULL);
    for (size_t len = 0; len < sizeof text; len++) {
        char *exact = malloc(len + (len == 0));
        memcpy(exact, text, len);
        struct name name = arena_name(&arena, str_make(exact, len));
        assert_int_equal(name.len, len);
        assert_memory_equal(name.ptr, folded, len);
        assert_int_equal(name.hash, name_hash(folded, len));
        assert_true(name_eq(name, name_of(str_make(folded, len))));
        free(exact);
    }
    arena_release(&arena);
}

static void partial_loads(void **state)
{
    (void)state;
    static const char bytes[] = "\x01\x02\x03\x04\x05\x06\x07\x08";
    uint64_t all = octets_load(bytes);
    assert_int_equal(all, UINT64_C(0x0807060504030201));
    for (size_t len = 0; len <= 8; len++)
        assert_int_equal(octets_load_part(bytes, len), len == 8 ? all : all & ((UINT64_C(1) << 8 * len) - 1));
}

/* How many slots are passed over when names are put into a table that is half full. */
static size_t passed_over(const char *before, const char *behind)
{
    bool used[SLOTS] = {false};
    size_t passed = 0;
    for (int i = 0; i < NAMES; i++) {
        char name[64];
        int len = snprintf(name, sizeof name, "%s%d%s", before, i, behind);
        size_t slot = name_hash(name, (size_t)len) % SLOTS;
        for (; used[slot]; slot = (slot + 1) % SLOTS)
            passed++;
        used[slot] = true;
    }
    return passed;
}

static void numbered_names_spread(void **state)
{
    (void)state;
    assert_in_range(passed_over("t", ""), 0, NAMES);
    assert_in_range(passed_over("col_", ""), 0, NAMES);
    assert_in_range(passed_over("ods.side_", ""), 0, NAMES);
    assert_in_range(passed_over("default.table_", ""), 0, NAMES);
    assert_in_range(passed_over("", "_suffix_of_some_length"), 0, NAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folding),
        cmocka_unit_test(partial_loads),
        cmocka_unit_test(numbered_names_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
