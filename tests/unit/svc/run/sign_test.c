/* svc/run/sign.h against signatures computed by another implementation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/sign.h"

static void check(const char *url, int64_t at_ms, const char *expected)
{
    struct buf out;
    buf_init(&out, 0);
    buf_add(&out, str_make(url, strlen(url)));
    sign_dingtalk(&out, STR("SECtest+secret"), at_ms);
    buf_add_char(&out, '\0');
    assert_string_equal(out.ptr, expected);
    buf_release(&out);
}

static void calls_are_signed_as_dingtalk_asks(void **state)
{
    (void)state;
    check("https://h/robot/send?access_token=t", 1773584553004,
          "https://h/robot/send?access_token=t&timestamp=1773584553004&sign=1G1PKJLjrsZ8Ns1ezOGcuen4dcJTeRcQKaNWOS2hnpE%3D");
    check("https://h/", 6, "https://h/?timestamp=6&sign=MLeh9aVpVLHTIiRLJHE%2BzPDCQ620OtSPF7VnM%2FwuIbQ%3D");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_signed_as_dingtalk_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
