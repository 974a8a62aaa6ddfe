/* lib/catalog/types.h: text → tree → the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "catalog/types.h"

static void round_trip(void **state)
{
    (void)state;
    static const struct {
        str_t in, out;
    } cases[] = {
        {STR("int"), STR("int")},
        {STR("decimal(10,2)"), STR("decimal(10,2)")},
        {STR("timestamp with local time zone"), STR("timestamp with local time zone")},
        {STR("array<int>"), STR("array<int>")},
        {STR("ARRAY< Struct<A : INT, b:map<string, double>>>"), STR("array<struct<a:int,b:map<string,double>>>")},
        {STR("uniontype<int,array<decimal(38,10)>>"), STR("uniontype<int,array<decimal(38,10)>>")},
        {STR("struct<`a b`:int,`c,d`:string>"), STR("struct<`a b`:int,`c,d`:string>")},
        {STR("map<string,array<array<struct<x:int>>>>"), STR("map<string,array<array<struct<x:int>>>>")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        arena_init(&arena, 0, NULL);
        const struct type *type = type_read(&arena, cases[i].in);
        assert_non_null(type);
        str_t text = type_text(&arena, type);
        assert_int_equal(text.len, cases[i].out.len);
        assert_memory_equal(text.ptr, cases[i].out.ptr, text.len);
        arena_release(&arena);
    }
}

static void fields_can_be_walked(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0, NULL);
    const struct type *type = type_read(&arena, STR("struct<City:string,geo:struct<lat:double,lon:double>>"));
    assert_int_equal(type->kind, TYPE_STRUCT);
    assert_int_equal(type->field_count, 2);
    assert_true(name_eq(type->fields[0].name, NAME("city")));
    assert_true(name_eq(type->fields[1].type->fields[1].name, NAME("lon")));
    arena_release(&arena);
}

static void ill_formed(void **state)
{
    (void)state;
    static const str_t cases[] = {STR(""),          STR("array<"),      STR("array<int"),     STR("array<int,int>"), STR("map<int>"),
                                  STR("struct<>"),  STR("struct<a>"),   STR("struct<a:int,>"), STR("int>"),          STR("list<int>"),
                                  STR("array<int>x"), STR("struct<`a:int>")};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena;
        arena_init(&arena, 0, NULL);
        assert_null(type_read(&arena, cases[i]));
        arena_release(&arena);
    }
}

static void deep_types_cost_no_stack(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static char text[7 * DEPTH + 3];
    for (size_t i = 0; i < DEPTH; i++)
        memcpy(text + 6 * i, "array<", 6);
    memcpy(text + 6 * DEPTH, "int", 3);
    memset(text + 6 * DEPTH + 3, '>', DEPTH);
    struct arena arena;
    arena_init(&arena, 0, NULL);
    const struct type *type = type_read(&arena, str_make(text, sizeof text));
    assert_non_null(type);
    assert_int_equal(type_text(&arena, type).len, sizeof text);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(fields_can_be_walked),
        cmocka_unit_test(ill_formed),
        cmocka_unit_test(deep_types_cost_no_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
