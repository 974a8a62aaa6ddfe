/* svc/run/zone.c: local times of some places, at the edges of daylight saving time too, with what the system's files say today. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/zone.h"

/* Wall time in seconds. */
static int64_t at(int64_t year, unsigned month, unsigned day, int hour, int minute)
{
    return zone_days(year, month, day) * 86400 + hour * 3600 + minute * 60;
}

static struct zone *place(str_t name)
{
    const char *reason;
    struct zone *zone = zone_open(name, NULL, &reason);
    assert_non_null(zone);
    return zone;
}

static void days(void **state)
{
    (void)state;
    assert_int_equal(zone_days(1970, 1, 1), 0);
    assert_int_equal(zone_days(2000, 3, 1), 11017);
    for (int64_t day = -200000; day < 200000; day += 17) {
        int64_t year;
        unsigned month, of_month;
        zone_date(day, &year, &month, &of_month);
        assert_int_equal(zone_days(year, month, of_month), day);
    }
}

static void fixed(void **state)
{
    (void)state;
    static const struct {
        str_t name;
        int32_t offset;
    } cases[] = {{STR("UTC"), 0}, {STR("Z"), 0}, {STR("+08:00"), 28800}, {STR("-03:30"), -12600}, {STR("Asia/Shanghai"), 28800}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct zone *zone = place(cases[i].name);
        assert_int_equal(zone_offset(zone, 1773584553), cases[i].offset);
        assert_int_equal(zone_utc(zone, 1773584553 + cases[i].offset, INT64_MIN), 1773584553);
        zone_free(zone);
    }
    assert_int_equal(zone_utc(NULL, 12, INT64_MIN), 12);
}

/* 2026-10-25 03:00 CEST becomes 02:00 CET; 2026-03-29 02:00 CET becomes 03:00 CEST. */
static void edges(void **state)
{
    (void)state;
    struct zone *zone = place(STR("Europe/Berlin"));
    int64_t twice = at(2026, 10, 25, 2, 30), first = at(2026, 10, 25, 0, 30), second = at(2026, 10, 25, 1, 30);
    assert_int_equal(zone_utc(zone, twice, INT64_MIN), first);
    assert_int_equal(zone_utc(zone, twice, first - 60), first);
    assert_int_equal(zone_utc(zone, twice, first + 500), first);
    assert_int_equal(zone_utc(zone, twice, first + 601), second);
    assert_int_equal(zone_utc(zone, at(2026, 3, 29, 2, 30), INT64_MIN), at(2026, 3, 29, 1, 30));
    assert_int_equal(zone_utc(zone, at(2026, 7, 1, 12, 0), INT64_MIN), at(2026, 7, 1, 10, 0));
    assert_int_equal(zone_utc(zone, at(2026, 1, 1, 12, 0), INT64_MIN), at(2026, 1, 1, 11, 0));
    zone_free(zone);
}

/* Behind the last change that the file lists its rule goes on, on both halves of the globe. */
static void far_years(void **state)
{
    (void)state;
    struct zone *north = place(STR("America/New_York")), *south = place(STR("Australia/Sydney"));
    assert_int_equal(zone_offset(north, at(2090, 7, 1, 0, 0)), -4 * 3600);
    assert_int_equal(zone_offset(north, at(2090, 1, 1, 0, 0)), -5 * 3600);
    assert_int_equal(zone_offset(south, at(2090, 7, 1, 0, 0)), 10 * 3600);
    assert_int_equal(zone_offset(south, at(2090, 1, 1, 0, 0)), 11 * 3600);
    zone_free(north);
    zone_free(south);
}

static void no_zones(void **state)
{
    (void)state;
    static const str_t names[] = {STR(""), STR("Nowhere/Atall"), STR("../../etc/passwd"), STR("/etc/localtime"), STR("+8"), STR("+99:00"), STR("a\0b")};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *reason = NULL;
        struct zone *zone = zone_open(names[i], NULL, &reason);
        if (str_eq(names[i], STR("+8"))) {
            assert_non_null(zone);
            zone_free(zone);
            continue;
        }
        assert_null(zone);
        assert_non_null(reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days),      cmocka_unit_test(fixed),    cmocka_unit_test(edges),
        cmocka_unit_test(far_years), cmocka_unit_test(no_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
