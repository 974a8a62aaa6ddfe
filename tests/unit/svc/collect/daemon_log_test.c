/* svc/collect/daemon_log.c: the lines, one by one and cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/formats.h"

#define ID "4d4f5a1c2b3e9f01:8a7b6c5d00000000"
#define HEAD "[INFO] 2026-03-15 14:22:33,456 QueryId: " ID " "
#define JSON(kind) "{\"v\":1,\"source\":\"daemon-log\",\"kind\":\"" kind "\",\"query_id\":\"" ID "\",\"position\":{},\"captured_at\":0,\"time_ms\":1773584553456,\"level\":\"INFO\""

static void check(str_t text, const char *expected)
{
    formats_check(&daemon_log_format, NULL, "impalad.INFO", text, 40, expected);
}

static void every_kind(void **state)
{
    (void)state;
    check(STR(HEAD "User: ann Sql: insert into t\n  select '[INFO]x'\n\nfrom s\n" HEAD "InputTables: [s, db.b,c]\n" HEAD
                   "OutputTables: [t]\n" HEAD "ScanNode: hdfs://ns/user/hive/warehouse/ods.db/log/ds=1\n" HEAD
                   "Status: OK, Duration: 1m2s5ms\n"),
          JSON("START") ",\"user\":\"ann\",\"sql\":\"insert into t\\n  select '[INFO]x'\\n\\nfrom s\"}\n"
          JSON("INPUT") ",\"tables\":[\"s\",\"db.b\",\"c\"]}\n"
          JSON("OUTPUT") ",\"tables\":[\"t\"]}\n"
          JSON("SCAN") ",\"path\":\"hdfs://ns/user/hive/warehouse/ods.db/log/ds=1\"}\n"
          JSON("FINISH") ",\"status\":\"OK\",\"duration_ms\":62005}\n");
}

static void empty_lists_and_no_text(void **state)
{
    (void)state;
    check(STR(HEAD "User: ann\n" HEAD "InputTables: []\r\n" HEAD "OutputTables: [ ]\n"),
          JSON("START") ",\"user\":\"ann\"}\n" JSON("INPUT") "}\n" JSON("OUTPUT") "}\n");
}

static void failures_of_queries(void **state)
{
    (void)state;
    check(STR(HEAD "Status: EXCEPTION: Memory limit exceeded, Duration: of life, Duration: 3s\n" HEAD "Status: CANCELLED\n"),
          JSON("FINISH") ",\"status\":\"EXCEPTION\",\"error\":\"Memory limit exceeded, Duration: of life\",\"duration_ms\":3000}\n"
          JSON("FINISH") ",\"status\":\"CANCELLED\"}\n");
}

static void other_ids(void **state)
{
    (void)state;
    check(STR("[WARN] 2026-03-15 14:22:33,456 QueryId: 4D4F5A1C-2B3E-9F01-8A7B-6C5D00000000 User: a\n"),
          "{\"v\":1,\"source\":\"daemon-log\",\"kind\":\"START\",\"query_id\":\"4d4f5a1c-2b3e-9f01-8a7b-6c5d00000000\","
          "\"position\":{},\"captured_at\":0,\"time_ms\":1773584553456,\"level\":\"WARN\",\"user\":\"a\"}\n");
}

/* The last text goes to the end; what stands before the first record, and lines of others, are passed over. */
static void around_records(void **state)
{
    (void)state;
    check(STR("\x01\x02 rest of a text\n[INFO] 2026-03-15 14:22:33,456 Starting up\n" HEAD "User: ann Sql:\nselect 1\n"),
          JSON("START") ",\"user\":\"ann\",\"sql\":\"select 1\"}\n");
}

static void broken_lines(void **state)
{
    (void)state;
    check(STR("[INFO] 2026-13-15 14:22:33,456 QueryId: " ID " User: a\n[INFO] 2026-03-15 14:22:33,456 QueryId: 12 User: a\n" HEAD
                   "What: a\n" HEAD "InputTables: a, b\n" HEAD "Status: OK, Duration: soon\n" HEAD "ScanNode: \n" HEAD "Status: \n"),
          "failed time\nfailed query_id\nfailed kind\nfailed tables\nfailed status\nfailed path\nfailed status\n");
}

static void local_times(void **state)
{
    (void)state;
    const char *reason;
    struct zone *zone = zone_open(STR("Asia/Shanghai"), NULL, &reason);
    assert_non_null(zone);
    formats_check(&daemon_log_format, zone, "x", STR("[ERROR] 2026-03-15 22:22:33,456 QueryId: " ID " User: a\n"), 3,
                  "{\"v\":1,\"source\":\"daemon-log\",\"kind\":\"START\",\"query_id\":\"" ID
                  "\",\"position\":{},\"captured_at\":0,\"time_ms\":1773584553456,\"level\":\"ERROR\",\"user\":\"a\"}\n");
    zone_free(zone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),     cmocka_unit_test(empty_lists_and_no_text),
        cmocka_unit_test(failures_of_queries), cmocka_unit_test(other_ids),
        cmocka_unit_test(around_records), cmocka_unit_test(broken_lines),
        cmocka_unit_test(local_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
