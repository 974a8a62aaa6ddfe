/* What the tests of questions share. */
#include "support/asking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/upkeep.h"

void asking_begin(struct asking *a, int kind, const char *name, int64_t now)
{
    test_store_open(&a->t, kind, name);
    arena_init(&a->arena, 0, NULL);
    a->ask = ask_of(a->t.store, &a->arena, now);
}

void asking_end(struct asking *a)
{
    assert_false(ask_failed(&a->ask));
    arena_release(&a->arena);
    test_store_close(&a->t);
}

void asking_load(struct asking *a, const struct test_event *events, size_t count, int64_t heat_at)
{
    for (size_t i = 0; i < count; i++)
        test_add(&a->t, &events[i]);
    test_commit(&a->t);
    assert_true(store_heat(a->t.store, heat_at));
}

int64_t asking_table(struct asking *a, const char *name)
{
    struct ask_found found = ask_find(&a->ask, STR(""), str_make(name, strlen(name)));
    assert_true(found.id > 0);
    return found.id;
}
