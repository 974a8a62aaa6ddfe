/* svc/collect/hive_log.c: statements, their ends, and LineageLogger's objects from Hive's own log, in its layouts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/formats.h"

#define Q "hive_20260315142233_3F0c9a4e-1d5b-4a6f-9e57-0a1b2c3d4e5f"
#define LOW "hive_20260315142233_3f0c9a4e-1d5b-4a6f-9e57-0a1b2c3d4e5f"
#define S "6a1f0e2d-77aa-4c0d-8b1e-112233445566"
#define DAY "2026-03-15T14:22:"
#define HANDLER "  INFO [" S " HiveServer2-Handler-Pool: Thread-58] ql.Driver: "
#define BARE_HANDLER "  INFO [HiveServer2-Handler-Pool: Thread-58] ql.Driver: "
#define WORKER "  INFO [HiveServer2-Background-Pool: Thread-95] ql.Driver: "
#define GRAPH                                                                                                              \
    "\"edges\":[{\"sources\":[1],\"targets\":[0],\"edgeType\":\"PROJECTION\"}],\"vertices\":[{\"id\":0,\"vertexType\":\"COLUMN\"," \
    "\"vertexId\":\"d.t.a\"},{\"id\":1,\"vertexType\":\"COLUMN\",\"vertexId\":\"d.s.b\"}]"
#define OBJECT "{\"version\":\"1.0\",\"user\":\"hive\",\"timestamp\":1773584553,\"duration\":2000,\"database\":\"d\",\"queryText\":\"insert into t\\nselect b from s\"," GRAPH "}"

#define RECORD(source, kind, id, time) \
    "{\"v\":1,\"source\":\"" source "\",\"kind\":\"" kind "\",\"query_id\":\"" id "\",\"position\":{},\"captured_at\":0,\"time_ms\":1773584" time
#define INFO ",\"level\":\"INFO\""
#define WHO ",\"user\":\"etl\",\"session_id\":\"" S "\""
#define START RECORD("hive-log", "START", LOW, "553600") INFO WHO ",\"start_ms\":1773584553004,\"sql\":\"insert into t\\nselect b from s\"}\n"
#define LINEAGE(id, session, more, times)                                                                                                    \
    RECORD("hive-hook", "LINEAGE", id, "555000") ",\"user\":\"hive\",\"database\":\"d\"" session more times                                      \
    ",\"tables\":[\"d.s\"],\"outputs\":[\"d.t\"],\"sql\":\"insert into t\\nselect b from s\",\"graph\":{" GRAPH "}}\n"
#define STANDS_FOR_ITSELF(id) \
    LINEAGE(id, "", ",\"status\":\"OK\"", ",\"start_ms\":1773584553000,\"end_ms\":1773584555000,\"duration_ms\":2000")

static void check(str_t text, const char *expected)
{
    formats_check(&hive_log_format, NULL, "hiveserver2.log", text, 40, expected);
}

#define COMPILED                                                                                                     \
    DAY "30,101  INFO [HiveServer2-Handler-Pool: Thread-57] session.SessionState: Created HDFS directory: /tmp/hive/etl/" S "\n" \
    DAY "33,004" HANDLER "Compiling command(queryId=" Q "): insert into t\nselect b from s\n"                          \
    DAY "33,500" HANDLER "Completed compiling command(queryId=" Q "); Time taken: 0.496 seconds\n"
#define EXECUTING DAY "33,600" WORKER "Executing command(queryId=" Q "): insert into t\nselect b from s\n"
#define OBJECT_LINE DAY "35,000  INFO [HiveServer2-Background-Pool: Thread-95] hooks.LineageLogger: " OBJECT "\n"
#define COMPLETED DAY "35,104" WORKER "Completed executing command(queryId=" Q "); Time taken: 1.504 seconds\n"

static void whole_query(void **state)
{
    (void)state;
    check(STR(COMPILED EXECUTING OBJECT_LINE COMPLETED "a line of others\n" OBJECT_LINE),
          START LINEAGE(LOW, ",\"session_id\":\"" S "\"", "", "")
              RECORD("hive-log", "FINISH", LOW, "555104") INFO WHO
          ",\"status\":\"OK\",\"start_ms\":1773584553004,\"end_ms\":1773584555104,\"duration_ms\":2100}\n"
          LINEAGE(LOW, ",\"session_id\":\"" S "\"", "", ""));
}

/* What is only compiled gives nothing; what began before the log has an end of which little is known. */
static void parts_of_a_query(void **state)
{
    (void)state;
    check(STR(COMPILED), "");
    check(STR(COMPLETED),
          RECORD("hive-log", "FINISH", LOW, "555104") INFO
          ",\"status\":\"UNKNOWN\",\"end_ms\":1773584555104,\"duration_ms\":1504}\n");
    check(STR(OBJECT_LINE "2026-03-15T14:22:35,000  INFO [T] hooks.LineageLogger: {\n \"version\" : \"1.0\",\"user\n"),
          STANDS_FOR_ITSELF("d66e34b361f41c69b6510a2dc447b791") "failed cut\n");
    formats_check(&hive_hook_format, NULL, "x", STR(OBJECT_LINE), 40, STANDS_FOR_ITSELF("d66e34b361f41c69b6510a2dc447b791"));
}

static void failures(void **state)
{
    (void)state;
    check(STR(DAY "33,004" HANDLER "Compiling command(queryId=" Q "): selec 1\n"
              DAY "33,104 ERROR [" S " HiveServer2-Handler-Pool: Thread-58] ql.Driver: FAILED: ParseException line 1:0 cannot recognize input\n"
              "org.apache.hadoop.hive.ql.parse.ParseException: line 1:0\n\tat x.y(Z.java:1)\n"
              DAY "33,204" BARE_HANDLER "Completed compiling command(queryId=" Q "); Time taken: 0.2 seconds\n"),
          RECORD("hive-log", "FINISH", LOW, "553104") ",\"level\":\"ERROR\",\"session_id\":\"" S
          "\",\"status\":\"ERROR\",\"error\":\"ParseException line 1:0 cannot recognize input\",\"start_ms\":1773584553004,"
          "\"end_ms\":1773584553104,\"duration_ms\":100,\"sql\":\"selec 1\"}\n");
    check(STR(COMPILED EXECUTING
              DAY "35,000 ERROR [HiveServer2-Background-Pool: Thread-95] ql.Driver: FAILED: Execution Error, return code 2\n" COMPLETED
              DAY "36,000 ERROR [HiveServer2-Handler-Pool: Thread-58] ql.Driver: FAILED: something of others\n"),
          START RECORD("hive-log", "FINISH", LOW, "555104") INFO WHO
          ",\"status\":\"ERROR\",\"error\":\"Execution Error, return code 2\",\"start_ms\":1773584553004,\"end_ms\":1773584555104,"
          "\"duration_ms\":2100}\n");
    check(STR(COMPILED EXECUTING DAY "34,600" WORKER "Executing command(queryId=" Q ") has been interrupted after 1.0 seconds\n"),
          START RECORD("hive-log", "FINISH", LOW, "554600") INFO WHO
          ",\"status\":\"CANCELLED\",\"start_ms\":1773584553004,\"end_ms\":1773584554600,\"duration_ms\":1596}\n");
    check(STR(DAY "33,004" HANDLER "Compiling command(queryId=): x\n" DAY "33,004" HANDLER "Executing command(queryId=a b): x\n"),
          "failed query_id\nfailed query_id\n");
}

static void one(const char *line)
{
    formats_check(&hive_log_format, NULL, "x", str_make(line, strlen(line)), 3,
                  RECORD("hive-log", "START", "q", "553004") INFO ",\"start_ms\":1773584553004,\"sql\":\"select 1\"}\n");
}

/* Where the logger stands, and how the thread is called. */
static void layouts(void **state)
{
    (void)state;
    one("2026-03-15T14:22:33,004  INFO [main] ql.Driver: Executing command(queryId=q): select 1\n");
    one("2026-03-15 14:22:33,004 INFO  [main]: ql.Driver (Driver.java:execute(1328)) - Executing command(queryId=q): select 1");
    one("2026-03-15 14:22:33,004 INFO  [main]: ql.Driver (:()) - Executing command(queryId=q): select 1");
    one("2026-03-15 14:22:33.004 INFO  org.apache.hadoop.hive.ql.Driver: [HiveServer2-Background-Pool: Thread-9]: Executing command(queryId=Q): select 1\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_query),
        cmocka_unit_test(parts_of_a_query),
        cmocka_unit_test(failures),
        cmocka_unit_test(layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
