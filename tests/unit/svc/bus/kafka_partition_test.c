/* svc/bus/kafka.h: keys go to the partitions to which the Java clients send them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/kafka.h"

/* Hashes as Java's murmur2 gives them. */
static void partitions_agree_with_java(void **state)
{
    (void)state;
    static const struct {
        str_t key;
        int32_t hash;
    } known[] = {
        {STR("21"), -973932308},
        {STR("foobar"), -790332482},
        {STR("a-little-bit-long-string"), -985981536},
        {STR("a-little-bit-longer-string"), -1486304829},
        {STR("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8"), -58897971},
        {STR("abc"), 479470107},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (int32_t partitions = 1; partitions < 100; partitions += 11)
            assert_int_equal(kafka_partition(known[i].key, partitions), (known[i].hash & 0x7fffffff) % partitions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(partitions_agree_with_java)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
