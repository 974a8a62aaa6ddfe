/*
 * parser [SECONDS]: how fast the daemon log's lines are read, one core, the parser alone: bytes in memory → records. Prints one line of JSON. Time is the
 * processor's. The lines are those of many queries, interleaved; a second text is hostile: lines that are no records, broken
 * ones, texts of thousands of lines, one line without an end; a third is the first eight times over, which should take eight times as long.
 */
#include "collect/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    QUERIES = 40000,
    CHUNK = 256 << 10
};

struct count {
    uint64_t records, failures;
};

static bool take(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct count *count = context;
    count->records += record->query_id.len > 0 && end > at;
    return true;
}

static void failed(void *context, const char *code, size_t at, size_t end)
{
    struct count *count = context;
    (void)code;
    count->failures += end > at;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void add_query(struct buf *text, unsigned query)
{
    char line[1024];
    static const char *const sql[] = {
        "insert overwrite table dws.sku_day partition (ds='2026-03-15') select sku, sum(amount) from dwd.order_item where ds = '2026-03-15' group by sku",
        "select u.id, count(*)\n  from ods.users u\n  join dwd.visits v on u.id = v.user_id\n where v.ds >= '2026-03-01'\n group by u.id",
        "create table tmp.x stored as parquet as select * from ods.app_log_raw limit 1000",
    };
    for (unsigned kind = 0; kind < 5; kind++) {
        int len = snprintf(line, sizeof line, "[INFO] 2026-03-15 14:%02u:%02u,%03u QueryId: %016x:%08x00000000 ", query / 60 / 50 % 60,
                           query / 50 % 60, query % 1000, query * 2654435761u, query);
        if (kind == 0)
            len += snprintf(line + len, sizeof line - (size_t)len, "User: etl_%u Sql: %s", query % 40, sql[query % 3]);
        else if (kind == 1)
            len += snprintf(line + len, sizeof line - (size_t)len, "InputTables: [dwd.order_item, ods.users, dwd.visits_%u]", query % 100);
        else if (kind == 2)
            len += snprintf(line + len, sizeof line - (size_t)len, "OutputTables: [dws.sku_day_%u]", query % 100);
        else if (kind == 3)
            len += snprintf(line + len, sizeof line - (size_t)len,
                            "ScanNode: hdfs://ns1/user/hive/warehouse/dwd.db/order_item/ds=2026-03-%02u", query % 31 + 1);
        else
            len += snprintf(line + len, sizeof line - (size_t)len, "Status: OK, Duration: %ums", query % 9000);
        buf_add(text, str_make(line, (size_t)len));
        buf_add_char(text, '\n');
    }
}

static void add_hostile(struct buf *text)
{
    static const char head[] = "[INFO] 2026-03-15 14:00:00,000 QueryId: 0123456789abcdef:0123456700000000 ";
    for (int i = 0; i < 20000; i++) {
        BUF_ADD(text, "\n\n[INFO] [INFO] \n[INFO] 2026-99-99 99:99:99,999 QueryId: \n");
        buf_add(text, str_make(head, sizeof head - 1));
        BUF_ADD(text, "InputTables: [,,,,,,,,,,,,,,,,,,,,,,,,\n");
        buf_add(text, str_make(head, sizeof head - 1));
        BUF_ADD(text, "Status: , Duration:, Duration:, Duration:, Duration:\n");
    }
    for (int i = 0; i < 20; i++) {
        buf_add(text, str_make(head, sizeof head - 1));
        BUF_ADD(text, "User: a Sql: select\n");
        for (int k = 0; k < 10000; k++)
            BUF_ADD(text, "[ERROR]\n");
    }
    buf_add_repeat(text, '[', 4 << 20);
}

/* As the reader does it: a chunk, and what was not taken again with the next; a larger chunk when nothing was. */
static struct count parse(str_t text, uint64_t *lines)
{
    struct count count = {0};
    const struct format_output output = {take, failed, &count};
    struct format *format = format_new(&daemon_log_format, NULL);
    for (size_t at = 0, size = CHUNK; at < text.len;) {
        size_t given = text.len - at < size ? text.len - at : size;
        size_t taken = format_read(format, str_make(text.ptr + at, given), at + given == text.len, &output);
        size = taken == 0 ? size * 2 : CHUNK;
        at += taken;
    }
    *lines = format->lines;
    format_free(format);
    return count;
}

struct measure {
    double seconds; /* of one run, the best */
    uint64_t lines;
    struct count count;
};

static struct measure measure(str_t text, double budget)
{
    struct measure m = {.seconds = 1e9};
    for (double spent = 0; spent < budget;) {
        double begin = processor_seconds();
        m.count = parse(text, &m.lines);
        double took = processor_seconds() - begin;
        spent += took;
        if (took < m.seconds)
            m.seconds = took;
    }
    return m;
}

int main(int argc, char **argv)
{
    double budget = argc > 1 ? strtod(argv[1], NULL) : 2;
    struct buf text, hostile, large;
    buf_init(&text, 0);
    buf_init(&hostile, 0);
    buf_init(&large, 0);
    for (unsigned query = 0; query < QUERIES; query++)
        add_query(&text, query);
    add_hostile(&hostile);
    for (int i = 0; i < 8; i++)
        buf_add(&large, buf_str(&text));
    struct measure plain = measure(buf_str(&text), budget), bad = measure(buf_str(&hostile), budget),
                   eight = measure(buf_str(&large), budget);
    printf("{\"parser_lines_per_second\":%.0f,\"parser_bytes_per_second\":%.0f,\"parser_records\":%llu,\"parser_failures\":%llu,"
           "\"parser_hostile_bytes_per_second\":%.0f,\"parser_hostile_lines_per_second\":%.0f,\"parser_growth_8\":%.2f}\n",
           (double)plain.lines / plain.seconds, (double)text.len / plain.seconds, (unsigned long long)plain.count.records,
           (unsigned long long)plain.count.failures, (double)hostile.len / bad.seconds, (double)bad.lines / bad.seconds,
           eight.seconds / plain.seconds);
    buf_release(&text);
    buf_release(&hostile);
    buf_release(&large);
    return 0;
}
