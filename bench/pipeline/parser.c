/*
 * parser [SECONDS [QUERIES]]: how fast the daemon log's lines are read, one core, the parser alone: bytes in memory → records. Prints one line of
 * JSON. Time is the processor's, the best run of SECONDS (2). The lines are those of QUERIES (4,000) queries; a second text is hostile: lines that
 * are no records, broken ones, texts of thousands of lines, one line without an end. Both come once, 10 times and 100 times over:
 * a byte should take as long in each.
 */
#include "collect/format.h"
#include "shared/seconds.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    QUERIES = 4000,
    HOSTILE = 200, /* of the blocks of hostile lines */
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
    for (int i = 0; i < HOSTILE * 10; i++) {
        BUF_ADD(text, "\n\n[INFO] [INFO] \n[INFO] 2026-99-99 99:99:99,999 QueryId: \n");
        buf_add(text, str_make(head, sizeof head - 1));
        BUF_ADD(text, "InputTables: [,,,,,,,,,,,,,,,,,,,,,,,,\n");
        buf_add(text, str_make(head, sizeof head - 1));
        BUF_ADD(text, "Status: , Duration:, Duration:, Duration:, Duration:\n");
    }
    for (int i = 0; i < HOSTILE / 100; i++) {
        buf_add(text, str_make(head, sizeof head - 1));
        BUF_ADD(text, "User: a Sql: select\n");
        for (int k = 0; k < 10000; k++)
            BUF_ADD(text, "[ERROR]\n");
    }
    buf_add_repeat(text, '[', 400 << 10);
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

/* Best seconds of the text once, 10 and 100 times over; gives the measure of 10. */
static struct measure measure_growth(const struct buf *text, double budget, double ns_a_byte[3])
{
    struct measure ten = {0};
    for (int i = 0, times = 1; i < 3; i++, times *= 10) {
        struct buf copies;
        buf_init(&copies, 0);
        for (int k = 0; k < times; k++)
            buf_add(&copies, buf_str(text));
        struct measure m = measure(buf_str(&copies), budget);
        ns_a_byte[i] = m.seconds * 1e9 / (double)copies.len;
        ten = i == 1 ? m : ten;
        buf_release(&copies);
    }
    return ten;
}

int main(int argc, char **argv)
{
    double budget = argc > 1 ? strtod(argv[1], NULL) : 2, plain_ns[3], hostile_ns[3];
    unsigned queries = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : QUERIES;
    struct buf text, hostile;
    buf_init(&text, 0);
    buf_init(&hostile, 0);
    for (unsigned query = 0; query < queries; query++)
        add_query(&text, query);
    add_hostile(&hostile);
    struct measure plain = measure_growth(&text, budget, plain_ns), bad = measure_growth(&hostile, budget, hostile_ns);
    printf("{\"parser_lines_per_second\":%.0f,\"parser_bytes_per_second\":%.0f,\"parser_hostile_lines_per_second\":%.0f,"
           "\"parser_hostile_bytes_per_second\":%.0f,\"parser_ns_per_byte_1x\":%.3f,\"parser_ns_per_byte_10x\":%.3f,"
           "\"parser_ns_per_byte_100x\":%.3f,\"parser_growth_100\":%.2f,\"parser_hostile_growth_100\":%.2f,\"parser_failures\":%llu}\n",
           (double)plain.lines / plain.seconds, 1e9 / plain_ns[1], (double)bad.lines / bad.seconds, 1e9 / hostile_ns[1], plain_ns[0],
           plain_ns[1], plain_ns[2], plain_ns[2] / plain_ns[0], hostile_ns[2] / hostile_ns[0], (unsigned long long)plain.count.failures);
    buf_release(&text);
    buf_release(&hostile);
    bool whole = plain.count.records == (uint64_t)queries * 10 * 5 && plain.count.failures == 0;
    return whole ? 0 : 1;
}
