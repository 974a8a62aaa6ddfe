/* svc/api/out.h: one item as JSON and as CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/out.h"

static void write_items(struct out *out)
{
    static const str_t words[] = {STR("a;b"), STR("c")};
    out_begin(out, STR(""));
    out_list(out, STR("items"));
    for (int i = 0; i < 2; i++) {
        out_row(out);
        out_begin(out, STR("inner"));
        out_word(out, STR("name"), i == 0 ? STR("x, \"y\"") : STR("=1+1"));
        out_begin(out, STR("deep"));
        out_known(out, STR("n"), i == 0 ? -1 : 7);
        out_end(out);
        out_end(out);
        out_text(out, STR("none"), STR(""));
        out_time(out, STR("time"), i * 1000);
        out_tenths(out, STR("heat"), i == 0 ? 25 : 30);
        out_hundredths(out, STR("share"), 5);
        out_flag(out, STR("flag"), i == 0);
        out_number(out, STR("level"), -2);
        out_texts(out, STR("words"), words, 2);
        out_row_end(out);
    }
    out_list_end(out);
    out_number(out, STR("total"), 2);
    out_end(out);
}

static void check(bool csv, const char *wanted)
{
    struct buf body;
    struct out out;
    buf_init(&body, 0);
    out_init(&out, &body, csv);
    write_items(&out);
    out_release(&out);
    buf_add_char(&body, '\0');
    assert_string_equal(body.ptr, wanted);
    buf_release(&body);
}

static void items_are_objects_or_lines(void **state)
{
    (void)state;
    check(false, "{\"items\":["
                 "{\"inner\":{\"name\":\"x, "
                 "\\\"y\\\"\",\"deep\":{\"n\":null}},\"none\":null,\"time\":null,\"heat\":2.5,"
                 "\"share\":0.05,\"flag\":true,\"level\":-2,"
                 "\"words\":[\"a;b\",\"c\"]},"
                 "{\"inner\":{\"name\":\"=1+1\",\"deep\":{\"n\":7}},\"none\":null,\"time\":1000,"
                 "\"heat\":3,\"share\":0.05,\"flag\":false,\"level\":-2,"
                 "\"words\":[\"a;b\",\"c\"]}],\"total\":2}");
    check(true, "inner.name,inner.deep.n,none,time,heat,share,flag,level,words\r\n"
                "\"x, \"\"y\"\"\",,,,2.5,0.05,true,-2,a;b;c\r\n"
                "\"'=1+1\",7,,1000,3,0.05,false,-2,a;b;c\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(items_are_objects_or_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
