/* svc/doctor/findings.h: how findings are written, whatever stands in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "doctor/findings.h"
#include "doctor/span.h"

static void check(void (*write)(const struct findings *findings, struct buf *out), const struct findings *findings, const char *expected)
{
    struct buf out;
    buf_init(&out, 0);
    write(findings, &out);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
}

static void nothing_found_is_well(void **state)
{
    (void)state;
    struct findings findings;
    findings_init(&findings);
    assert_int_equal(findings_worst(&findings), FINDING_OK);
    check(findings_write_text, &findings, "0 ok, 0 warnings, 0 failures\n");
    findings_release(&findings);
}

static void findings_stay_on_their_lines(void **state)
{
    (void)state;
    struct findings findings;
    findings_init(&findings);
    finding_add(&findings, FINDING_OK, "files", STR("a\nb"), "%s", "one\ttwo\r\n\"three\"");
    finding_add(&findings, FINDING_WARN, "parsing", STR(""), "%s", "");
    finding_todo(&findings, "look\n%s", "there");
    assert_int_equal(findings_worst(&findings), FINDING_WARN);
    finding_add(&findings, FINDING_FAIL, "a-long-name-of-a-check", STR("x"), "y");
    assert_int_equal(findings_worst(&findings), FINDING_FAIL);
    check(findings_write_text, &findings,
          "ok    files         a b: one two  \"three\"\n"
          "warn  parsing       \n"
          "                    do: look there\n"
          "fail  a-long-name-of-a-check x: y\n"
          "1 ok, 1 warning, 1 failure\n");
    check(findings_write_json, &findings,
          "{\n  \"status\": \"fail\",\n  \"ok\": 1,\n  \"warnings\": 1,\n  \"failures\": 1,\n  \"checks\": [\n"
          "    {\"level\": \"ok\", \"check\": \"files\", \"about\": \"a b\", \"text\": \"one two  \\\"three\\\"\", \"todo\": \"\"},\n"
          "    {\"level\": \"warn\", \"check\": \"parsing\", \"about\": \"\", \"text\": \"\", \"todo\": \"look there\"},\n"
          "    {\"level\": \"fail\", \"check\": \"a-long-name-of-a-check\", \"about\": \"x\", \"text\": \"y\", \"todo\": \"\"}\n  ]\n}\n");
    findings_release(&findings);
}

/* More than fit at first; a text that is cut; memory that is out is a failure. */
static void many_and_long_ones_are_kept(void **state)
{
    (void)state;
    struct findings findings;
    char text[5000];
    findings_init(&findings);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 100; i++)
        finding_add(&findings, FINDING_OK, "files", STR("n"), "%d", i);
    finding_add(&findings, FINDING_OK, "files", str_make(text, sizeof text - 1), "%s", text);
    assert_int_equal(findings.count, 101);
    assert_true(str_eq(findings.items[99].text, STR("99")));
    assert_int_equal(findings.items[100].text.len, 1023);
    assert_int_equal(findings.items[100].about.len, 256);
    findings_release(&findings);
    findings_init(&findings);
    findings.arena.limit = 1;
    finding_add(&findings, FINDING_OK, "files", STR("n"), "text");
    finding_todo(&findings, "nothing to add it to");
    assert_int_equal(findings_worst(&findings), FINDING_FAIL);
    findings_release(&findings);
}

static void spans_are_told_in_one_unit(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {{-5000, "0 s"}, {999, "0 s"}, {59999, "59 s"}, {60000, "1 min"}, {3599999, "59 min"}, {3600000, "1 h"},
                 {172799999, "47 h"}, {172800000, "2 days"}, {INT64_MAX, "106751991167 days"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SPAN_TEXT];
        span_text(cases[i].ms, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_found_is_well),
        cmocka_unit_test(findings_stay_on_their_lines),
        cmocka_unit_test(many_and_long_ones_are_kept),
        cmocka_unit_test(spans_are_told_in_one_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
