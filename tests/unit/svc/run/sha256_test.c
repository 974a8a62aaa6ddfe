/* svc/run/sha256.h: the standard's own examples, and lengths around the end of a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/sha256.h"

static void check(const char *text, size_t len, const char *wanted)
{
    char hex[65];
    sha256_hex(str_make(text, len), hex);
    assert_string_equal(hex, wanted);
}

static void hashes_are_those_of_the_standard(void **state)
{
    (void)state;
    char many[200];
    memset(many, 'a', sizeof many);
    check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check(many, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    check(many, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_are_those_of_the_standard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
