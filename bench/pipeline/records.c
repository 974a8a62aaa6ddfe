/*
 * Raw records written and read in memory: prints one JSON object with how many a second, one core, and their mean size.
 *
 *   records [COUNT]     2,000,000 unless said
 *
 * The records are those of one query of five log lines, as the tail of a daemon's log makes them.
 */
#include "record/raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    KINDS = 5
};

static double seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct raw_record make(enum raw_kind kind, str_t *tables)
{
    struct raw_record record = raw_empty(RAW_DAEMON_LOG, kind);
    record.cluster = STR("warehouse");
    record.host = STR("impala-1");
    record.position = (struct raw_position){.file = STR("/var/log/impalad/impalad.INFO"),
                                            .file_id = 0xfedcba9876543210,
                                            .offset = 123456789};
    record.captured_at = 1773584553311;
    record.query_id = STR("4d4f5a1c2b3e9f01:8a7b6c5d00000000");
    record.time_ms = 1773584553000;
    record.level = STR("INFO");
    if (kind == RAW_START) {
        record.user = STR("etl");
        record.sql = STR("insert into sales.daily partition (dt='2026-03-15')\nselect region, "
                         "sum(amount) total from sales.orders o where o.status = 'paid' group by region");
    }
    record.tables = tables;
    record.table_count = kind == RAW_INPUT ? 2 : kind == RAW_OUTPUT ? 1 : 0;
    record.path = kind == RAW_SCAN ? STR("hdfs://ns/user/hive/warehouse/sales.db/orders") : STR("");
    record.status = kind == RAW_FINISH ? STR("OK") : STR("");
    record.duration_ms = kind == RAW_FINISH ? 667 : -1;
    return record;
}

static double write_all(const struct raw_record *records, long count)
{
    struct buf out;
    buf_init(&out, 0);
    double start = seconds();
    for (long i = 0; i < count; i++) {
        buf_clear(&out);
        raw_write(&out, &records[i % KINDS]);
    }
    buf_release(&out);
    return seconds() - start;
}

/* The time; every record must be good. */
static double read_all(const struct buf *texts, long count)
{
    struct arena arena;
    struct raw_record record;
    str_t reason;
    arena_init(&arena, 0, NULL);
    double start = seconds();
    for (long i = 0; i < count; i++) {
        arena_clear(&arena);
        if (!raw_read(buf_str(&texts[i % KINDS]), &arena, &record, &reason))
            exit(3);
    }
    double took = seconds() - start;
    arena_release(&arena);
    return took;
}

int main(int argc, char **argv)
{
    str_t tables[] = {STR("sales.orders"), STR("sales.regions")};
    struct raw_record records[KINDS];
    struct buf texts[KINDS];
    size_t bytes = 0;
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 2000000;
    for (int kind = 0; kind < KINDS; kind++) {
        records[kind] = make((enum raw_kind)kind, tables);
        buf_init(&texts[kind], 0);
        raw_write(&texts[kind], &records[kind]);
        bytes += texts[kind].len;
    }
    double written = write_all(records, count), read = read_all(texts, count);
    printf("{\"records\":%ld,\"bytes_a_record\":%zu,\"raw_records_written_per_second\":%.0f,"
           "\"raw_records_read_per_second\":%.0f}\n",
           count, bytes / KINDS, (double)count / written, (double)count / read);
    for (int kind = 0; kind < KINDS; kind++)
        buf_release(&texts[kind]);
    return 0;
}
