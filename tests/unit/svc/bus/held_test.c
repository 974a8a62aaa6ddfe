/* svc/bus/held.h: copies stay what they were while others come and go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/held.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST = 3000,
    ROUNDS = 200000
};

/* A text that follows from the number. */
static str_t text_of(uint64_t number, char *text)
{
    size_t len = (size_t)snprintf(text, 32, "%llu:", (unsigned long long)number);
    size_t more = number % 997 == 0 ? 20000 : number * 7 % 300;
    memset(text + len, 'a' + (int)(number % 26), more);
    return str_make(text, len + more);
}

static void check(struct held *held, uint64_t number, char *text)
{
    struct held_record *record = held_find(held, number);
    assert_non_null(record);
    assert_int_equal(record->cookie, number * 3);
    str_t value = text_of(number, text);
    assert_true(str_eq(held_value(record), value));
    assert_true(str_eq(held_key(record), str_make(value.ptr, number % 5)));
}

static void copies_stay_what_they_were(void **state)
{
    (void)state;
    struct held held;
    char *text = malloc(32 + 20000);
    uint64_t oldest = 1;
    held_init(&held);
    srand(1);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t number = held.next;
        str_t value = text_of(number, text);
        assert_non_null(held_add(&held, str_make(value.ptr, number % 5), value, number * 3));
        uint64_t some = oldest + (uint64_t)rand() % (held.next - oldest);
        if (held_find(&held, some) != NULL)
            check(&held, some, text);
        if (rand() % 3 == 0)
            held_drop(&held, some);
        while (held.next - oldest > (uint64_t)(rand() % MOST))
            held_drop(&held, oldest++);
        assert_null(held_find(&held, oldest - 1));
    }
    assert_true(held.next - held.first <= held.next - oldest);
    assert_true(held.size < 8 << 20);
    held_release(&held);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_stay_what_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
