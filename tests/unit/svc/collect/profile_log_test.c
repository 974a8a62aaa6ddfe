/*
 * svc/collect/profile_log.c: lines made by tests/profiles/make_profiles, each also in pieces; and,
 * where they lie beside this tree, real ones with what another decoder says of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/format.h"

#include <stdio.h>
#include <stdlib.h>

#define PROFILES SOURCE_DIR "/tests/profiles/"
#define SAMPLES SOURCE_DIR "/../shared/corpus/impala/samples/"

/* What came, as JSON lines and `!code` lines. */
struct got {
    struct buf text;
    size_t records;
    void (*look)(const struct raw_record *record, size_t number, void *context);
    void *context;
};

static bool take(void *context, struct raw_record *record, size_t at, size_t end)
{
    struct got *got = context;
    assert_true(at < end);
    if (got->look != NULL)
        got->look(record, got->records, got->context);
    record->captured_at = 1;
    raw_write(&got->text, record);
    BUF_ADD(&got->text, "\n");
    got->records++;
    return true;
}

static void fail_line(void *context, const char *code, size_t at, size_t end)
{
    struct got *got = context;
    assert_true(at < end);
    BUF_ADD(&got->text, "!");
    buf_add(&got->text, str_make(code, strlen(code)));
    BUF_ADD(&got->text, "\n");
}

static bool read_file(const char *path, struct buf *text)
{
    FILE *file = fopen(path, "rb");
    char piece[65536];
    if (file == NULL)
        return false;
    for (size_t len; (len = fread(piece, 1, sizeof piece, file)) > 0;)
        buf_add(text, str_make(piece, len));
    fclose(file);
    return true;
}

/* Gives the bytes at most `step` at a time, what was left before them. */
static void read_in_steps(str_t bytes, size_t step, const struct zone *zone, struct got *got)
{
    struct format *format = format_new(&profile_log_format, zone);
    const struct format_output output = {take, fail_line, got};
    size_t from = 0;
    for (size_t end = step < bytes.len ? step : bytes.len; from < bytes.len;) {
        from +=
            format_read(format, str_make(bytes.ptr + from, end - from), end == bytes.len, &output);
        end = bytes.len - end < step ? bytes.len : end + step;
    }
    format_free(format);
}

static void expect(const char *file, const char *expected)
{
    const char *reason;
    struct zone *zone = zone_open(STR("+08:00"), NULL, &reason);
    struct buf text;
    buf_init(&text, 0);
    assert_true(read_file(file, &text));
    for (size_t step = 777; step < 2 * text.len + 777; step *= 3) {
        struct got got = {0};
        buf_init(&got.text, 0);
        read_in_steps(buf_str(&text), step, zone, &got);
        buf_add_char(&got.text, '\0');
        assert_string_equal(got.text.ptr, expected);
        buf_release(&got.text);
    }
    buf_release(&text);
    zone_free(zone);
}

#define HEAD "{\"v\":1,\"source\":\"profile-log\",\"kind\":\"QUERY\",\"query_id\":"
#define COPY_AT(ms)                                                                                \
    HEAD "\"aa00000000000001:bb00000000000000\",\"position\":{},\"captured_at\":1,\"time_ms\":" ms \
         ",\"user\":\"etl\","                                                                      \
         "\"database\":\"default\",\"statement_type\":\"DDL\",\"status\":\"OK\",\"state\":"        \
         "\"FINISHED\","                                                                           \
         "\"start_ms\":1773585000000,\"end_ms\":1773585001250,\"duration_ms\":1250,"               \
         "\"tables\":[\"sales.orders\",\"sales.items\"],\"sql\":\"create table sales.copy as "     \
         "select * from sales.orders\"}\n"
#define COPY COPY_AT("1773585001260")

/* The root's id counts; what other nodes call by the same names does not. */
static void query(void **state)
{
    (void)state;
    expect(PROFILES "query.log",
           HEAD "\"4d4f5a1c2b3e9f01:8a7b6c5d00000000\",\"position\":{},\"captured_at\":1,\"time_"
                "ms\":1773584555625,"
                "\"user\":\"etl@EXAMPLE.COM\",\"database\":\"sales\",\"session_id\":"
                "\"1b0f2e3d4c5b6a79:8897a6b5c4d3e2f1\","
                "\"statement_type\":\"DML\",\"status\":\"OK\",\"state\":\"FINISHED\",\"start_ms\":"
                "1773584553004,"
                "\"end_ms\":1773584555619,\"duration_ms\":2615,\"tables\":[\"sales.daily\",\"sales."
                "orders\"],"
                "\"sql\":\"insert into sales.daily\\nselect region, sum(amount) -- "
                "\u8ba2\u5355\\nfrom orders group by region\"}\n");
}

static void ddl(void **state)
{
    (void)state;
    expect(PROFILES "ddl.log", COPY);
}

static void failed_and_cancelled(void **state)
{
    (void)state;
    expect(PROFILES "ended.log",
           HEAD "\"aa00000000000002:bb00000000000000\",\"position\":{},\"captured_at\":1,\"time_"
                "ms\":1773585060510,\"user\":\"ana\","
                "\"database\":\"default\",\"statement_type\":\"QUERY\",\"status\":\"CANCELLED\","
                "\"state\":\"EXCEPTION\","
                "\"error\":\"Cancelled from the web "
                "page\",\"start_ms\":1773585060000,\"end_ms\":1773585060500,\"duration_ms\":500,"
                "\"sql\":\"select 1\"}\n" HEAD
                "\"aa00000000000003:bb00000000000000\",\"position\":{},\"captured_at\":1,\"time_"
                "ms\":1773585060520,\"user\":\"ana\","
                "\"database\":\"default\",\"statement_type\":\"QUERY\",\"status\":\"ERROR\","
                "\"state\":\"EXCEPTION\","
                "\"error\":\"Memory limit exceeded: 2 "
                "GB\",\"start_ms\":1773585060000,\"sql\":\"select 1\"}\n");
}

static void bad_lines_lose_no_good_one(void **state)
{
    (void)state;
    expect(PROFILES "broken.log",
           "!time\n!query_id\n!base64\n!zlib\n!thrift\n!thrift\n" COPY "!thrift\n!thrift\n");
}

/* What the decoder prints as JSON, on one line or many. */
static void json(void **state)
{
    (void)state;
    expect(PROFILES "pages.json",
           COPY_AT("1773585001250") "!json\n" COPY_AT("1773585001250") "!query_id\n");
}

static void look_at_start(const struct raw_record *record, size_t number, void *context)
{
    (void)number;
    *(int64_t *)context = record->start_ms;
}

/* A daemon that lives by another zone than was configured: its lines' own times tell. */
static void wrong_zone_is_noticed(void **state)
{
    (void)state;
    static const char *const zones[] = {"UTC", "+08:00", "-09:30", "Asia/Kathmandu"};
    struct buf text;
    buf_init(&text, 0);
    assert_true(read_file(PROFILES "ddl.log", &text));
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        const char *reason;
        struct zone *zone = zone_open(str_make(zones[i], strlen(zones[i])), NULL, &reason);
        int64_t start_ms = 0;
        struct got got = {.look = look_at_start, .context = &start_ms};
        buf_init(&got.text, 0);
        read_in_steps(buf_str(&text), SIZE_MAX / 2, zone, &got);
        assert_int_equal(start_ms, 1773585000000);
        buf_release(&got.text);
        zone_free(zone);
    }
    buf_release(&text);
}

/* ---- real ones ----------------------------------------------------------------------------- */

/* A line of the other decoder's summary: fields between tabs. */
struct summary {
    str_t lines[8];
    size_t count, seen;
};

static str_t field_of(str_t line, size_t number)
{
    size_t from = 0;
    for (; number > 0; number--)
        from = str_find(line, '\t', from) + 1;
    return str_make(line.ptr + from, str_find(line, '\t', from) - from);
}

static void expect_text(str_t got, str_t expected)
{
    assert_int_equal(got.len, expected.len);
    assert_memory_equal(got.ptr, expected.ptr, got.len);
}

/* `yyyy-MM-dd HH:mm:ss.fffffffff` in California's summer. */
static int64_t california(str_t text)
{
    int year, month, day, hour, minute, second, millis;
    char copy[32] = "";
    memcpy(copy, text.ptr, text.len < 23 ? text.len : 23);
    assert_int_equal(
        sscanf(copy, "%d-%d-%d %d:%d:%d.%d", &year, &month, &day, &hour, &minute, &second, &millis),
        7);
    int64_t days = zone_days(year, (unsigned)month, (unsigned)day);
    return (((days * 24 + hour + 7) * 60 + minute) * 60 + second) * 1000 + millis;
}

static void compare(const struct raw_record *record, size_t number, void *context)
{
    struct summary *summary = context;
    str_t line = summary->lines[number + 1]; /* behind the headings */
    expect_text(record->query_id, field_of(line, 0));
    expect_text(record->user, field_of(line, 1));
    expect_text(record->database, field_of(line, 2));
    expect_text(record->statement_type, field_of(line, 3));
    assert_int_equal(record->start_ms, california(field_of(line, 4)));
    assert_int_equal(record->end_ms, california(field_of(line, 5)));
    expect_text(record->state, field_of(line, 15));
    expect_text(record->status, field_of(line, 16));
    str_t sql = field_of(line, 19);
    if (str_ends_with(sql, STR("...")))
        sql.len -= 3;
    else
        assert_int_equal(sql.len, record->sql.len);
    expect_text(str_make(record->sql.ptr, sql.len), sql);
    assert_true(record->end_ms <= record->time_ms && record->end_ms + 60000 > record->time_ms);
    assert_true(record->session_id.len == 33 && record->duration_ms >= 0 &&
                record->duration_ms <= record->end_ms - record->start_ms + 1);
    summary->seen++;
}

static void look_at_any(const struct raw_record *record, size_t number, void *context)
{
    (void)number;
    assert_true(record->query_id.len == 33 && record->sql.len > 0 && record->user.len > 0 &&
                record->state.len > 0);
    ++*(size_t *)context;
}

static void read_sample(const char *name, void (*look)(const struct raw_record *, size_t, void *),
                        void *context)
{
    char path[512];
    const char *reason;
    struct buf text;
    struct got got = {.look = look, .context = context};
    struct zone *zone = zone_open(STR("America/Los_Angeles"), NULL, &reason);
    buf_init(&text, 0);
    buf_init(&got.text, 0);
    snprintf(path, sizeof path, SAMPLES "%s", name);
    assert_true(read_file(path, &text));
    read_in_steps(buf_str(&text), SIZE_MAX / 2, zone, &got);
    assert_null(got.text.len == 0 ? NULL : memchr(got.text.ptr, '!', got.text.len));
    buf_release(&text);
    buf_release(&got.text);
    zone_free(zone);
}

static void compare_sample(const char *name)
{
    char path[512];
    struct buf text;
    struct summary summary = {0};
    buf_init(&text, 0);
    snprintf(path, sizeof path, SAMPLES "%s.expected.summary", name);
    assert_true(read_file(path, &text));
    str_t all = buf_str(&text);
    for (size_t from = 0; from < all.len && summary.count < 8;) {
        size_t end = str_find(all, '\n', from);
        summary.lines[summary.count++] = str_make(all.ptr + from, end - from);
        from = end + 1;
    }
    read_sample(name, compare, &summary);
    assert_int_equal(summary.seen, 4);
    buf_release(&text);
}

static void real_logs(void **state)
{
    (void)state;
    FILE *there = fopen(SAMPLES "impala_profile_log_failed_query", "rb");
    if (there == NULL)
        skip();
    fclose(there);
    compare_sample("impala_profile_log_tpcds_compute_stats");
    compare_sample("impala_profile_log_tpcds_compute_stats_v2");
    static const struct {
        const char *name;
        size_t records;
    } others[] = {{"legacy_impala_profile_log_tpcds_compute_stats", 4},
                  {"impala_profile_log_cancelled_query", 1},
                  {"impala_profile_log_failed_query", 1},
                  {"impala_profile_log_tpcds_compute_stats_v2.expected.json", 4},
                  {"tpcds_1_local_run_num_nodes_0_profile.json", 1}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t records = 0;
        read_sample(others[i].name, look_at_any, &records);
        assert_int_equal(records, others[i].records);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(query),
        cmocka_unit_test(ddl),
        cmocka_unit_test(failed_and_cancelled),
        cmocka_unit_test(bad_lines_lose_no_good_one),
        cmocka_unit_test(json),
        cmocka_unit_test(wrong_zone_is_noticed),
        cmocka_unit_test(real_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
