/* svc/collect: Impala's lineage and audit logs, and Hive's LineageLogger in whatever log it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/formats.h"

#define Q "4d4f5a1c2b3e9f01:8a7b6c5d00000000"
#define S "1b0f2e3d4c5b6a79:8897a6b5c4d3e2f1"
#define GRAPH                                                                                                              \
    "\"edges\":[{\"sources\":[1],\"targets\":[0],\"edgeType\":\"PROJECTION\"}],\"vertices\":[{\"id\":0,\"vertexType\":\"COLUMN\"," \
    "\"vertexId\":\"a\",\"metadata\":{\"tableName\":\"d.t\"}},{\"id\":1,\"vertexType\":\"COLUMN\",\"vertexId\":\"d.s.b\"}]"

static void lineage_log(void **state)
{
    (void)state;
    formats_check(&lineage_log_format, NULL, "x",
                  STR("{\"queryText\":\"insert into d.t select b from d.s\",\"operationType\":\"INSERT\",\"queryId\":\"" Q
                      "\",\"hash\":\"0\",\"user\":\"u\",\"timestamp\":1773584553,\"endTime\":1773584555," GRAPH "}\n"
                      "\nnot JSON\n{\"queryId\":\"x\"," GRAPH "}\n{\"queryId\":\"" Q "\",\"edges\":[]}\n{\"queryId\":\"" Q "\"," GRAPH),
                  60,
                  "{\"v\":1,\"source\":\"lineage-log\",\"kind\":\"LINEAGE\",\"query_id\":\"" Q
                  "\",\"position\":{},\"captured_at\":0,\"time_ms\":1773584555000,\"user\":\"u\",\"statement_type\":\"INSERT\",\"start_ms\":1773584553000,"
                  "\"end_ms\":1773584555000,\"tables\":[\"d.s\"],\"outputs\":[\"d.t\"],\"sql\":\"insert into d.t select b from d.s\","
                  "\"sql_one_line\":true,\"graph\":{" GRAPH "}}\nfailed json\nfailed query_id\nfailed graph\nfailed json\n");
}

static void audit_log(void **state)
{
    (void)state;
    const char *reason;
    struct zone *zone = zone_open(STR("+08:00"), NULL, &reason);
    formats_check(&audit_log_format, zone, "x",
                  STR("{\"1773584553311\":{\"query_id\":\"" Q "\",\"session_id\":\"" S
                      "\",\"start_time\":\"2026-03-15 22:22:33.004512\",\"authorization_failure\":false,\"status\":\"\",\"user\":\"u\","
                      "\"impersonator\":null,\"statement_type\":\"DML\",\"network_address\":\"h:1\",\"sql_statement\":\"insert into d.t select 1\","
                      "\"catalog_objects\":[{\"name\":\"d.t\",\"object_type\":\"TABLE\",\"privilege\":\"INSERT\"},"
                      "{\"name\":\"d\",\"object_type\":\"DATABASE\",\"privilege\":\"ANY\"},"
                      "{\"name\":\"d.v\",\"object_type\":\"VIEW\",\"privilege\":\"SELECT\"}]}}\n{\"x\":{}}\n[]\n{}\n"),
                  60,
                  "{\"v\":1,\"source\":\"audit-log\",\"kind\":\"QUERY\",\"query_id\":\"" Q
                  "\",\"position\":{},\"captured_at\":0,\"time_ms\":1773584553311,\"user\":\"u\",\"session_id\":\"" S
                  "\",\"statement_type\":\"DML\",\"status\":\"OK\",\"start_ms\":1773584553004,\"end_ms\":1773584553311,"
                  "\"tables\":[\"d.v\"],\"outputs\":[\"d.t\"],\"sql\":\"insert into d.t select 1\",\"sql_one_line\":true}\n"
                  "failed event\nfailed json\nfailed event\n");
    zone_free(zone);
}

#define HOOK "{\"version\":\"1.0\",\"user\":\"etl\",\"timestamp\":1772359860,\"duration\":12345,\"jobIds\":[],\"engine\":\"tez\",\"database\":\"dw\"," \
             "\"hash\":\"0\",\"queryText\":\"insert into d.t select b from d.s where x = '{'\"," GRAPH "}"
#define PREFIX "2026-03-01T10:11:12,345  INFO [HiveServer2-Background-Pool: Thread-42] hooks.LineageLogger: "

#define HOOK_RECORD                                                                                                              \
    "{\"v\":1,\"source\":\"hive-hook\",\"kind\":\"LINEAGE\",\"query_id\":\"d2bc8c3eacec9023af2b8524e2321ffc\",\"position\":{},"         \
    "\"captured_at\":0,\"time_ms\":1772359872345,\"user\":\"etl\",\"database\":\"dw\",\"status\":\"OK\",\"start_ms\":1772359860000,"   \
    "\"end_ms\":1772359872345,\"duration_ms\":12345,\"tables\":[\"d.s\"],\"outputs\":[\"d.t\"],"                                        \
    "\"sql\":\"insert into d.t select b from d.s where x = '{'\",\"graph\":{" GRAPH "}}\n"

static void hive_hook(void **state)
{
    (void)state;
    formats_check(&hive_hook_format, NULL, "x", STR("a line of others\n" PREFIX HOOK "\nmore\n" PREFIX "{\"version\":\"1.0\",\"user\n" PREFIX HOOK), 60,
                  HOOK_RECORD "failed cut\n" HOOK_RECORD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lineage_log),
        cmocka_unit_test(audit_log),
        cmocka_unit_test(hive_hook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
