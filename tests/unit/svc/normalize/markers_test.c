/* svc/normalize/markers.h: ids of two shapes, and that each marker comes out once, in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "normalize/markers.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MANY = 20000,
    MINUTE = 60000
};

static str_t text(const char *s)
{
    return str_make(s, strlen(s));
}

static void take_id(void *context, str_t id, int64_t due)
{
    char *last = context;
    (void)due;
    memcpy(last, id.ptr, id.len);
    last[id.len] = '\0';
}

static void ids_come_back_as_they_were(void **state)
{
    (void)state;
    static const char *const ids[] = {"0123456789abcdef:fedcba9876543210", "00000000-0000-4000-8000-00000000000f", "ffffffffffffffff:ffffffffffffffff",
                                      "0000000000000000:0000000000000000"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char last[64] = "";
        struct markers markers;
        markers_init(&markers);
        assert_true(markers_add(&markers, text(ids[i]), 1000));
        assert_true(markers_has(&markers, text(ids[i])));
        assert_int_equal(markers_sweep(&markers, 999, take_id, last), 1000);
        assert_string_equal(last, "");
        assert_int_equal(markers_sweep(&markers, 1000, take_id, last), INT64_MAX);
        assert_string_equal(last, ids[i]);
        assert_false(markers_has(&markers, text(ids[i])));
        markers_release(&markers);
    }
}

static void ids_of_other_shapes_are_refused(void **state)
{
    (void)state;
    static const char *const ids[] = {"", "0123456789abcdef", "0123456789ABCDEF:fedcba9876543210", "0123456789abcdef-fedcba9876543210",
                                      "0123456789abcdeg:fedcba9876543210", "00000000-0000-4000-8000:00000000000f", "0123456789abcdef:fedcba98765432100",
                                      "hive_20260315140000_0123456789abcdef"};
    struct markers markers;
    markers_init(&markers);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        assert_false(markers_add(&markers, text(ids[i]), 1000));
        assert_false(markers_has(&markers, text(ids[i])));
    }
    assert_int_equal(markers.count, 0);
    markers_release(&markers);
}

static void the_shape_of_an_id_is_part_of_it(void **state)
{
    (void)state;
    struct markers markers;
    markers_init(&markers);
    assert_true(markers_add(&markers, text("0123456789abcdef:fedcba9876543210"), 1000));
    assert_false(markers_has(&markers, text("01234567-89ab-cdef-fedc-ba9876543210")));
    assert_true(markers_add(&markers, text("01234567-89ab-cdef-fedc-ba9876543210"), 2000));
    assert_int_equal(markers.count, 2);
    assert_true(markers_add(&markers, text("0123456789abcdef:fedcba9876543210"), 3000));
    assert_int_equal(markers.count, 2);
    markers_release(&markers);
}

struct many {
    int64_t now;
    int64_t due[MANY];
    unsigned char out[MANY];
    size_t count;
};

static size_t write_id(char id[40], size_t number)
{
    return (size_t)snprintf(id, 40, "%016zx:%016zx", number * 2654435761u, number);
}

static void take_one(void *context, str_t id, int64_t due)
{
    struct many *many = context;
    char digits[17] = {0};
    memcpy(digits, id.ptr + 17, 16);
    size_t number = strtoull(digits, NULL, 16);
    assert_true(number < MANY);
    assert_int_equal(many->out[number]++, 0);
    assert_int_equal(due, many->due[number]);
    assert_true(due <= many->now && many->now <= due + MINUTE + 2000);
    many->count++;
}

/* Two hours of markers that live for half an hour, more or less, while time goes on by seconds. */
static void each_comes_out_once_and_in_time(void **state)
{
    (void)state;
    static struct many many;
    struct markers markers;
    char id[40];
    uint64_t random = 1;
    markers_init(&markers);
    size_t added = 0;
    for (int second = 0; second < 3 * 3600; second++) {
        many.now = 1700000000000 + second * 1000;
        for (size_t until = (size_t)second * MANY / 7200; added < until && added < MANY; added++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            many.due[added] = (many.now + 1700000 + (int64_t)(random >> 33) % 300000) & ~(int64_t)1;
            assert_true(markers_add(&markers, str_make(id, write_id(id, added)), many.due[added]));
        }
        int64_t next = markers_sweep(&markers, many.now, take_one, &many);
        assert_true(next > many.now);
        assert_int_equal(markers.count, added - many.count);
    }
    assert_int_equal(added, MANY);
    assert_int_equal(many.count, MANY);
    for (size_t i = 0; i < MANY; i++)
        assert_false(markers_has(&markers, str_make(id, write_id(id, i))));
    assert_true(markers.capacity * sizeof *markers.slots <= (size_t)64 * 16384);
    markers_release(&markers);
}

static void a_long_pause_brings_all_at_once(void **state)
{
    (void)state;
    static struct many many;
    struct markers markers;
    char id[40];
    memset(&many, 0, sizeof many);
    markers_init(&markers);
    many.now = 5000 + MINUTE;
    for (size_t i = 0; i < MANY; i++) {
        many.due[i] = 5000;
        assert_true(markers_add(&markers, str_make(id, write_id(id, i)), 5000));
    }
    assert_int_equal(markers_sweep(&markers, many.now, take_one, &many), INT64_MAX);
    assert_int_equal(many.count, MANY);
    markers_release(&markers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_come_back_as_they_were),
        cmocka_unit_test(ids_of_other_shapes_are_refused),
        cmocka_unit_test(the_shape_of_an_id_is_part_of_it),
        cmocka_unit_test(each_comes_out_once_and_in_time),
        cmocka_unit_test(a_long_pause_brings_all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
