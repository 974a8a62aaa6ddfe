/* One statement in five overwrites a partition with a join, one aggregates, one goes through a CTE, one has cases, one only reads. */
#include "shared/queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void write_sql(struct query *query, uint32_t f, uint32_t literal)
{
    char *out = query->sql;
    size_t size = sizeof query->sql;
    uint32_t day = literal % 28 + 1;
    switch (f % 5) {
    case 0:
        snprintf(out, size,
                 "insert overwrite table dwd.t%u partition (dt='2024-03-%02u') select a.c%u, a.c%u, d.name from ods.t%u_raw a join ods.dim%u d on "
                 "a.id = d.id where a.dt = '2024-03-%02u' and a.x%u > %u", f % 3000, day, f % 40, f % 37, f % 3000, f % 50, day, f, literal);
        snprintf(query->output, sizeof query->output, "dwd.t%u", f % 3000);
        break;
    case 1:
        snprintf(out, size, "select c%u, c%u, count(*) cnt from dwd.t%u where dt = '2024-03-%02u' and k%u = 'v%u' group by c%u, c%u limit 100",
                 f % 40, f % 37, f % 3000, day, f, literal, f % 40, f % 37);
        break;
    case 2:
        snprintf(out, size,
                 "with tmp as (select uid, c%u, amt from dws.t%u where dt = '2024-03-%02u') insert into ads.r%u select uid, c%u, sum(amt) s%u from tmp "
                 "group by uid, c%u having sum(amt) > %u", f % 40, f % 3000, day, f % 2000, f % 40, f, f % 40, literal);
        snprintf(query->output, sizeof query->output, "ads.r%u", f % 2000);
        break;
    case 3:
        snprintf(out, size,
                 "insert into ads.u%u select a.c%u, coalesce(b.c%u, 'n%u'), case when a.lv = 'VIP' then 'Y' else 'N' end f%u from dwd.t%u a left join "
                 "dws.p%u b on a.id = b.id", f % 2000, f % 40, f % 37, literal, f, f % 3000, f % 100);
        snprintf(query->output, sizeof query->output, "ads.u%u", f % 2000);
        break;
    default:
        snprintf(out, size, "select max(c%u) m, min(c%u) n%u from ads.t%u where dt between '2024-03-01' and '2024-03-%02u' and z < %u", f % 40, f % 37, f,
                 f % 3000, day, literal);
    }
}

void query_make(struct query *query, uint32_t number, uint32_t fingerprints, uint32_t literal)
{
    uint32_t f = number * 2654435761u % fingerprints;
    query->number = number;
    query->output[0] = '\0';
    write_sql(query, f, literal);
    snprintf(query->id, sizeof query->id, "%08x%08x:%08x00000000", number * 2246822519u, number * 3266489917u, number);
    snprintf(query->input, sizeof query->input, "dwd.t%u", f % 3000);
    snprintf(query->path, sizeof query->path, "hdfs://ns1/user/hive/warehouse/dwd.db/t%u/dt=2024-03-15", f % 3000);
}

uint32_t query_number(str_t id)
{
    char digits[9] = {0};
    char *end;
    if (id.len != QUERY_ID_LEN || id.ptr[16] != ':')
        return UINT32_MAX;
    memcpy(digits, id.ptr + 17, 8);
    unsigned long number = strtoul(digits, &end, 16);
    return *end == '\0' ? (uint32_t)number : UINT32_MAX;
}

static void add_text(struct buf *out, const char *text)
{
    buf_add(out, str_make(text, strlen(text)));
}

void query_line(struct buf *out, const struct query *query, enum raw_kind kind, int64_t time_ms)
{
    char head[80], when[24];
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
    snprintf(head, sizeof head, "[INFO] %s,%03d QueryId: %s ", when, (int)(time_ms % 1000), query->id);
    add_text(out, head);
    if (kind == RAW_START) {
        BUF_ADD(out, "User: etl Sql: ");
        add_text(out, query->sql);
    } else if (kind == RAW_INPUT || kind == RAW_OUTPUT) {
        add_text(out, kind == RAW_INPUT ? "InputTables: [" : "OutputTables: [");
        add_text(out, kind == RAW_INPUT ? query->input : query->output);
        buf_add_char(out, ']');
    } else if (kind == RAW_SCAN) {
        BUF_ADD(out, "ScanNode: ");
        add_text(out, query->path);
    } else {
        BUF_ADD(out, "Status: OK, Duration: 667ms");
    }
    buf_add_char(out, '\n');
}

static str_t text_of(const char *text)
{
    return str_make(text, strlen(text));
}

void query_record(struct buf *out, const struct query *query, enum raw_kind kind, int64_t time_ms)
{
    str_t table = text_of(kind == RAW_OUTPUT ? query->output : query->input);
    struct raw_record record = raw_empty(RAW_DAEMON_LOG, kind);
    record.cluster = STR("warehouse");
    record.host = STR("impala-1");
    record.position = (struct raw_position){
        .file = STR("/var/log/impalad/impalad.INFO"), .file_id = 0xfedcba9876543210, .offset = query->number * (uint64_t)900 + (uint64_t)kind * 180};
    record.query_id = text_of(query->id);
    record.captured_at = record.time_ms = time_ms;
    record.level = STR("INFO");
    if (kind == RAW_START) {
        record.user = STR("etl");
        record.sql = text_of(query->sql);
    } else if (kind == RAW_INPUT || kind == RAW_OUTPUT) {
        record.tables = &table;
        record.table_count = table.len > 0;
    } else if (kind == RAW_SCAN) {
        record.path = text_of(query->path);
    } else {
        record.status = STR("OK");
        record.duration_ms = 667;
    }
    raw_write(out, &record);
}
