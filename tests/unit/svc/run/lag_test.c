/* svc/run/lag.h: how late a stage is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/lag.h"

struct fixture {
    struct lag_watch watch;
    double ages[3];
    struct lag_sample sample;
    int64_t now;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){.now = 1000};
    f->sample.age_count = 3;
}

static int look(struct fixture *f)
{
    f->sample.ages = f->ages;
    f->now += 1000;
    return (int)(lag_figure(&f->watch, &f->sample, f->now) * 10);
}

static void the_oldest_record_of_the_hosts_that_tell_something_counts(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    assert_int_equal(look(&f), 0);
    f.ages[0] = 1.5;
    f.ages[1] = 3600; /* read late, and then nothing any more */
    f.sample.records = 2;
    assert_int_equal(look(&f), 36000);
    for (int i = 0; i < 9; i++) {
        f.ages[0] = i % 2 == 0 ? 1.5 : 1.7;
        f.sample.records++;
        assert_int_equal(look(&f), 36000);
    }
    f.ages[0] = 1.6;
    assert_int_equal(look(&f), 16);
    f.now += 60000;
    assert_int_equal(look(&f), 0);
    f.ages[2] = -3; /* a clock ahead of ours */
    assert_int_equal(look(&f), 0);
}

static void what_is_stuck_grows_late(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    f.sample = (struct lag_sample){.records = 10, .waiting = true};
    assert_int_equal(look(&f), 0); /* on its way */
    assert_int_equal(look(&f), 0); /* not moved since */
    assert_int_equal(look(&f), 10);
    assert_int_equal(look(&f), 20);
    f.sample.records = 11;
    assert_int_equal(look(&f), 0);
    f.sample.waiting = false;
    assert_int_equal(look(&f), 0);
}

static void a_receiver_that_is_away_counts_though_records_are_read(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    f.sample.away = true;
    for (int i = 0; i < 5; i++) {
        f.sample.records++;
        assert_int_equal(look(&f), i * 10);
    }
    f.sample.away = false;
    f.sample.records++;
    assert_int_equal(look(&f), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_record_of_the_hosts_that_tell_something_counts),
        cmocka_unit_test(what_is_stuck_grows_late),
        cmocka_unit_test(a_receiver_that_is_away_counts_though_records_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
