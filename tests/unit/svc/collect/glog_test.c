/* svc/collect/glog.c: sessions, statements and ends of queries from Impala's own log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/glog.h"
#include "support/formats.h"

#define FILE_NAME "impalad.h1.impala.log.INFO.20260315-142200.4711"
#define Q "4d4f5a1c2b3e9f01:8a7b6c5d00000000"
#define S "1b0f2e3d4c5b6a79:8897a6b5c4d3e2f1"
#define OPENED                                                                                                          \
    "I0315 14:22:30.101112 20111 impala-hs2-server.cc:476] Opened session: " S                                         \
    ", effective username: etl@EXAMPLE.COM, client address: <10.1.2.3:51022>.\n"
#define REGISTERED \
    "I0315 14:22:33.004912 20111 impala-server.cc:1540] " Q "] Registered query query_id=" Q " session_id=" S "\n"
#define JSON(kind, time) "{\"v\":1,\"source\":\"glog\",\"kind\":\"" kind "\",\"query_id\":\"" Q "\",\"position\":{},\"captured_at\":0,\"time_ms\":" time ",\"level\":\"INFO\""
#define WHO ",\"user\":\"etl@EXAMPLE.COM\""
#define SESSION ",\"session_id\":\"" S "\""
#define START JSON("START", "1773584553004") WHO SESSION ",\"start_ms\":1773584553004}\n"

static void check(str_t text, const char *expected)
{
    formats_check(&glog_format, NULL, FILE_NAME, text, 40, expected);
}

static void whole_query(void **state)
{
    (void)state;
    check(STR("Log file created at: 2026/03/15 14:22:00\nRunning on machine: h1\n" OPENED REGISTERED
              "I0315 14:22:33.006001 20111 Frontend.java:2527] " Q "] Analyzing query: insert into sales.daily\n"
              "select ' db: x'\n\nfrom o db: default\n"
              "I0315 14:22:33.120345 20111 AnalysisContext.java:508] " Q "] Analysis took 109 ms\n"
              "I0315 14:22:35.590001 20340 coordinator.cc:846] 4d4f5a1c2b3e9f01:8a7b6c5d00000003] ExecState: query id=" Q " execution completed\n"
              "I0315 14:22:35.700002 20111 impala-server.cc:1851] " Q "] Query successfully unregistered: query_id=" Q "\n"),
          START JSON("START", "1773584553006") WHO ",\"database\":\"default\"" SESSION
          ",\"sql\":\"insert into sales.daily\\nselect ' db: x'\\n\\nfrom o\"}\n"
          JSON("FINISH", "1773584555590") WHO SESSION
          ",\"status\":\"OK\",\"start_ms\":1773584553004,\"end_ms\":1773584555590,\"duration_ms\":2586}\n");
}

/* What is not analysed to its end has failed; how DDL went is not told. */
static void ends_without_execution(void **state)
{
    (void)state;
    check(STR(REGISTERED "I0315 14:22:33.006001 20111 Frontend.java:2527] Analyzing query: selec db: d\n"
              "I0315 14:22:33.007002 20111 impala-server.cc:1851] UnregisterQuery(): query_id=" Q "\n"),
          JSON("START", "1773584553004") SESSION ",\"start_ms\":1773584553004}\n"
          JSON("START", "1773584553006") ",\"database\":\"d\"" SESSION ",\"sql\":\"selec\"}\n"
          JSON("FINISH", "1773584553007") SESSION
          ",\"status\":\"ERROR\",\"start_ms\":1773584553004,\"end_ms\":1773584553007,\"duration_ms\":3}\n");
    check(STR("I0315 14:22:33.007002 1 impala-server.cc:1851] Query successfully unregistered: query_id=" Q "\n"),
          JSON("FINISH", "1773584553007") ",\"status\":\"UNKNOWN\",\"end_ms\":1773584553007}\n");
}

static void failed_execution(void **state)
{
    (void)state;
    check(STR("I0315 14:22:33.007002 1 coordinator.cc:846] ExecState: query id=" Q
              " finstance=4d4f5a1c2b3e9f01:8a7b6c5d00000001 on host=h:1 (EXECUTING -> ERROR) status=Memory limit exceeded\n"
              "I0315 14:22:33.008002 1 coordinator.cc:846] ExecState: query id=" Q " execution cancelled\n"),
          JSON("FINISH", "1773584553007") ",\"status\":\"ERROR\",\"error\":\"Memory limit exceeded\",\"end_ms\":1773584553007}\n");
}

/* A file begun in December goes on in January; eight digits tell the year themselves. */
static void years(void **state)
{
    (void)state;
    formats_check(&glog_format, NULL, "impalad.h.u.log.INFO.20251231-235900.1",
                  STR("I1231 23:59:59.999000 1 a.cc:1] Registered query query_id=" Q " session_id=" S "\n"
                      "I0101 00:00:00.000000 1 a.cc:1] ExecState: query id=" Q " execution cancelled\n"),
                  5,
                  JSON("START", "1767225599999") SESSION ",\"start_ms\":1767225599999}\n"
                  JSON("FINISH", "1767225600000") SESSION
                  ",\"status\":\"CANCELLED\",\"start_ms\":1767225599999,\"end_ms\":1767225600000,\"duration_ms\":1}\n");
    formats_check(&glog_format, NULL, "impalad.INFO",
                  STR("I20260101 00:00:00.000000 1 a.cc:1] ExecState: query id=" Q " execution cancelled\n"), 5,
                  JSON("FINISH", "1767225600000") ",\"status\":\"CANCELLED\",\"end_ms\":1767225600000}\n");
}

static void text_of_the_jvm(void **state)
{
    (void)state;
    char text[] = "a\xc0\x80" "b\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd";
    size_t len = glog_mend_text(text, sizeof text - 1);
    assert_int_equal(len, 10);
    assert_memory_equal(text, "a\0b\xf0\x9f\x98\x80\xed\xa0\xbd", 10);
}

static void tables_of_ids(void **state)
{
    (void)state;
    struct id_table table;
    id_table_init(&table, 100);
    for (uint64_t i = 0; i < 1000; i++)
        id_table_add(&table, (struct id128){i, i * i})->user = (uint32_t)i;
    assert_int_equal(table.count, 100);
    size_t found = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const struct id_entry *entry = id_table_find(&table, (struct id128){i, i * i});
        if (entry == NULL)
            continue;
        assert_int_equal(entry->user, i);
        id_table_remove(&table, (struct id128){i, i * i});
        found++;
    }
    assert_int_equal(found, 100);
    assert_int_equal(table.count, 0);
    id_table_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_query), cmocka_unit_test(ends_without_execution), cmocka_unit_test(failed_execution),
        cmocka_unit_test(years),       cmocka_unit_test(text_of_the_jvm),        cmocka_unit_test(tables_of_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
