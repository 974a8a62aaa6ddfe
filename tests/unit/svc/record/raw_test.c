/* svc/record/raw.h: what is written, what is read, what is refused and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/raw.h"

#include <stdio.h>

static str_t tables[] = {STR("ods.a"), STR("ods.b\"c")};
static str_t outputs[] = {STR("dwd.t")};

static struct raw_record full_record(void)
{
    struct raw_record r = raw_empty(RAW_LINEAGE_LOG, RAW_LINEAGE);
    r.cluster = STR("prod");
    r.host = STR("impala-1");
    r.backfill = true;
    r.position = (struct raw_position){.file = STR("/var/log/x"),
                                       .file_id = 0xfedcba9876543210,
                                       .offset = 77};
    r.captured_at = 1773584553311;
    r.query_id = STR("4d4f5a1c2b3e9f01:8a7b6c5d00000000");
    r.time_ms = 1773584553000;
    r.level = STR("INFO");
    r.user = STR("etl@EXAMPLE.COM");
    r.database = STR("default");
    r.session_id = STR("s");
    r.statement_type = STR("DML");
    r.status = STR("OK");
    r.state = STR("FINISHED");
    r.error = STR("e");
    r.start_ms = 1;
    r.end_ms = 2;
    r.duration_ms = 0;
    r.tables = tables;
    r.table_count = 2;
    r.outputs = outputs;
    r.output_count = 1;
    r.path = STR("hdfs://ns/x");
    r.sql = STR("select '\xE4\xB8\xAD',\n\t\"b\" \\ from t");
    r.sql_cut = true;
    r.sql_one_line = true;
    r.graph = STR("{\"edges\":[],\"vertices\":[]}");
    return r;
}

static const char full_json[] =
    "{\"v\":1,\"source\":\"lineage-log\",\"kind\":\"LINEAGE\",\"query_id\":\"4d4f5a1c2b3e9f01:"
    "8a7b6c5d00000000\",\"cluster\":\"prod\","
    "\"host\":\"impala-1\",\"backfill\":true,\"position\":{\"file\":\"/var/log/"
    "x\",\"file_id\":\"fedcba9876543210\",\"offset\":77},"
    "\"captured_at\":1773584553311,"
    "\"time_ms\":1773584553000,\"level\":\"INFO\",\"user\":\"etl@EXAMPLE.COM\",\"database\":"
    "\"default\",\"session_id\":\"s\","
    "\"statement_type\":\"DML\",\"status\":\"OK\",\"state\":\"FINISHED\",\"error\":\"e\",\"start_"
    "ms\":1,\"end_ms\":2,\"duration_ms\":0,"
    "\"tables\":[\"ods.a\",\"ods.b\\\"c\"],\"outputs\":[\"dwd.t\"],\"path\":\"hdfs://ns/x\","
    "\"sql\":\"select '\xE4\xB8\xAD',\\n\\t\\\"b\\\" \\\\ from "
    "t\",\"sql_cut\":true,\"sql_one_line\":true,"
    "\"graph\":{\"edges\":[],\"vertices\":[]}}";

static void check_written(const struct raw_record *record, const char *expected)
{
    struct buf out;
    buf_init(&out, 0);
    raw_write(&out, record);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
}

static void all_members_are_written_in_order(void **state)
{
    (void)state;
    struct raw_record r = full_record();
    check_written(&r, full_json);
}

static void absent_members_are_left_out(void **state)
{
    (void)state;
    struct raw_record r = raw_empty(RAW_WEB, RAW_START);
    r.query_id = STR("a:b");
    r.captured_at = 5;
    r.position.cursor = STR("c");
    check_written(&r, "{\"v\":1,\"source\":\"web\",\"kind\":\"START\",\"query_id\":\"a:b\","
                      "\"position\":{\"cursor\":\"c\"},\"captured_at\":5}");
}

static void what_was_written_is_read_back(void **state)
{
    (void)state;
    struct arena arena;
    struct raw_record r;
    str_t reason;
    arena_init(&arena, 0, NULL);
    assert_true(raw_read(str_make(full_json, sizeof full_json - 1), &arena, &r, &reason));
    assert_int_equal(reason.len, 0);
    check_written(&r, full_json);
    assert_true(str_eq(r.sql, full_record().sql));
    arena_release(&arena);
}

/* What a text is refused for; "" when it is not. */
static void check_reason(const char *json, const char *expected)
{
    struct arena arena;
    struct raw_record r;
    str_t reason;
    char text[1000];
    arena_init(&arena, 0, NULL);
    bool good = raw_read(str_make(json, strlen(json)), &arena, &r, &reason);
    snprintf(text, sizeof text, "%.*s", (int)reason.len, reason.ptr);
    assert_string_equal(text, expected);
    assert_int_equal(good, expected[0] == '\0');
    arena_release(&arena);
}

#define GOOD                                                                                       \
    "\"v\":1,\"source\":\"web\",\"kind\":\"START\",\"query_id\":\"a\",\"position\":{},\"captured_" \
    "at\":5"

static void what_is_wrong_is_told_completely(void **state)
{
    (void)state;
    check_reason("{" GOOD "}", "");
    check_reason(" { " GOOD
                 " , \"new_member\" : [ 1 , { \"a\" : [ ] , \"b\" : { } } ] , \"sql\" : null } ",
                 "");
    check_reason("{" GOOD
                 ",\"position\":{\"device\":1,\"inode\":2,\"head_hash\":\"0123456789abcdef\"}}",
                 ""); /* as older captures wrote it */
    check_reason("", "no JSON: expected an object");
    check_reason("[]", "no JSON: expected an object");
    check_reason("{" GOOD "", "no JSON: expected `,` or `}`");
    check_reason("{" GOOD "} x", "no JSON: expected the end");
    check_reason("{" GOOD ",}", "no JSON: expected the name of a member");
    check_reason("{}", "v: missing; source: missing; kind: missing; query_id: missing; position: "
                       "missing; captured_at: missing");
    check_reason("{" GOOD
                 ",\"user\":7,\"tables\":[1],\"duration_ms\":1.5,\"graph\":[],\"sql_cut\":\"yes\"}",
                 "user: expected a text; tables: expected an array of texts; duration_ms: expected "
                 "a whole number of milliseconds; "
                 "graph: expected an object; sql_cut: expected true or false");
    check_reason("{" GOOD ",\"position\":{\"offset\":-1,\"file_id\":\"0\"}}",
                 "offset: expected a whole number; file_id: expected 16 hexadecimal digits");
    check_reason("{" GOOD ",\"source\":\"fax\",\"kind\":\"start\"}",
                 "source: not one of the known names; kind: not one of the known names");
    check_reason("{" GOOD ",\"query_id\":\"A\"}", "query_id: not in lower case");
    check_reason("{" GOOD ",\"query_id\":\"\",\"captured_at\":0}",
                 "query_id: empty; captured_at: empty");
    check_reason("{" GOOD ",\"kind\":\"SCAN\"}", "path: missing in a SCAN record");
    check_reason("{" GOOD ",\"kind\":\"FINISH\"}", "status: missing in a FINISH record");
    check_reason("{" GOOD ",\"kind\":\"LINEAGE\"}", "graph: missing in a LINEAGE record");
}

static void a_newer_version_is_refused_for_that_alone(void **state)
{
    (void)state;
    check_reason("{\"v\":2,\"source\":\"fax\",\"user\":7}",
                 "v: version 2 is newer than 1, the newest that is known here");
}

static void identity_follows_the_file_not_its_name(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0, NULL);
    struct raw_record r = full_record();
    str_t before = raw_identity(&r, &arena);
    r.position.file = STR("/var/log/x.1");
    assert_true(str_eq(before, raw_identity(&r, &arena)));
    assert_true(str_eq(
        before, STR("lineage-log:impala-1:18364758544493064720:77")));
    r.position.cursor = STR("q1");
    assert_true(str_eq(STR("lineage-log:impala-1:q1"), raw_identity(&r, &arena)));
    arena_release(&arena);
}

static void names_lead_both_ways(void **state)
{
    (void)state;
    enum raw_source source;
    enum raw_kind kind;
    for (int i = 0; i < RAW_SOURCE_COUNT; i++)
        assert_true(raw_source_by_name(raw_source_name((enum raw_source)i), &source) &&
                    (int)source == i);
    for (int i = 0; i < RAW_KIND_COUNT; i++)
        assert_true(raw_kind_by_name(raw_kind_name((enum raw_kind)i), &kind) && (int)kind == i);
    assert_false(raw_source_by_name(STR("Web"), &source));
}

static void failing_memory_is_a_reason(void **state)
{
    (void)state;
    struct raw_record r;
    str_t reason;
    for (size_t limit = 1; limit < 3000; limit += 300) {
        struct arena arena;
        arena_init(&arena, limit, NULL);
        if (!raw_read(str_make(full_json, sizeof full_json - 1), &arena, &r, &reason))
            assert_true(reason.len > 0);
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_members_are_written_in_order),
        cmocka_unit_test(absent_members_are_left_out),
        cmocka_unit_test(what_was_written_is_read_back),
        cmocka_unit_test(what_is_wrong_is_told_completely),
        cmocka_unit_test(a_newer_version_is_refused_for_that_alone),
        cmocka_unit_test(identity_follows_the_file_not_its_name),
        cmocka_unit_test(names_lead_both_ways),
        cmocka_unit_test(failing_memory_is_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
