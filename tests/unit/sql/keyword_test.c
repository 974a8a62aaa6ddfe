/* lib/sql/keyword.c and keywords.def: the order of the words, and how they are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sql/lex.h"

static const struct {
    const char *text;
    enum word_class word_class[2]; /* by enum dialect */
} words[] = {
    {"", {WORD_PLAIN, WORD_PLAIN}},
#define KEYWORD(id, text, hive, impala) {text, {hive, impala}},
#include "sql/keywords.def"
#undef KEYWORD
};

static void words_are_sorted(void **state)
{
    (void)state;
    for (size_t i = 2; i < KEYWORD_COUNT; i++)
        if (strcmp(words[i - 1].text, words[i].text) >= 0)
            fail_msg("%s stands before %s", words[i - 1].text, words[i].text);
}

static void upper(const char *word, char *out)
{
    for (; *word != '\0'; word++)
        *out++ = (char)(*word >= 'a' && *word <= 'z' ? *word - 32 : *word);
    *out = '\0';
}

static void check_found(const char *text, size_t expected, enum dialect dialect)
{
    enum word_class found_class;
    enum keyword found = keyword_find(str_make(text, strlen(text)), dialect, &found_class);
    bool known = words[expected].word_class[dialect] != WORD_PLAIN;
    assert_int_equal(found_class, words[expected].word_class[dialect]);
    assert_int_equal(found, known ? expected : KW_NONE);
}

static void every_word_is_found_in_any_case(void **state)
{
    (void)state;
    char folded[64];
    for (size_t i = 1; i < KEYWORD_COUNT; i++) {
        upper(words[i].text, folded);
        for (int dialect = DIALECT_HIVE; dialect <= DIALECT_IMPALA; dialect++) {
            check_found(words[i].text, i, (enum dialect)dialect);
            check_found(folded, i, (enum dialect)dialect);
        }
    }
}

/* Changing any one letter of a keyword gives another keyword or none. */
static void no_other_word_is_found(void **state)
{
    (void)state;
    char changed[64];
    enum word_class found_class;
    for (size_t i = 1; i < KEYWORD_COUNT; i++) {
        size_t len = strlen(words[i].text);
        for (size_t at = 0; at < len; at++) {
            memcpy(changed, words[i].text, len);
            changed[at] = changed[at] == 'q' ? 'z' : 'q';
            enum keyword found = keyword_find(str_make(changed, len), DIALECT_HIVE, &found_class);
            if (found != KW_NONE &&
                (strlen(words[found].text) != len || memcmp(words[found].text, changed, len) != 0))
                fail_msg("%.*s is taken for %s", (int)len, changed, words[found].text);
        }
    }
}

static void words_of_odd_lengths_are_none(void **state)
{
    (void)state;
    static const char *const none[] = {"",
                                       "a",
                                       "t",
                                       "x1",
                                       "se",
                                       "selectt",
                                       "select_",
                                       "current_transform_group_for_types",
                                       "a_name_that_is_far_longer_than_any_keyword_of_any_dialect"};
    enum word_class found_class;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(
            keyword_find(str_make(none[i], strlen(none[i])), DIALECT_IMPALA, &found_class),
            KW_NONE);
}

static void texts_are_as_people_write_them(void **state)
{
    (void)state;
    assert_true(str_eq(keyword_text(KW_SELECT), STR("SELECT")));
    assert_true(str_eq(keyword_text(KW_CURRENT_DATE), STR("CURRENT_DATE")));
    assert_true(str_eq(keyword_text(KW_ORPHAN_FILES), STR("orphan-files")));
    assert_true(str_eq(keyword_text(KW_DOLLAR_ELEM), STR("$elem$")));
    assert_true(str_eq(keyword_text(KW_NONE), STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_sorted),
        cmocka_unit_test(every_word_is_found_in_any_case),
        cmocka_unit_test(no_other_word_is_found),
        cmocka_unit_test(words_of_odd_lengths_are_none),
        cmocka_unit_test(texts_are_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
