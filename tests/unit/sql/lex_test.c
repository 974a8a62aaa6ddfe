/*
 * lib/sql/lex.c and lex_word.c: text to tokens in both dialects. A case shows each token as
 * kind(text).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "sql/lex.h"

/* Kinds that a case tells apart; a sign stands for itself. */
static const char *kind_name(const struct token *token)
{
    switch (token->kind) {
    case TOKEN_WORD:
        return token->reserved == WORD_RESERVED      ? "key"
               : token->reserved == WORD_NONRESERVED ? "soft"
                                                     : "word";
    case TOKEN_QUOTED:
        return "quoted";
    case TOKEN_STRING:
        return "string";
    case TOKEN_NUMBER:
        return "number";
    case TOKEN_BYTES:
        return "bytes";
    case TOKEN_CHARSET:
        return "charset";
    case TOKEN_HINT:
        return "hint";
    case TOKEN_VARIABLE:
        return "variable";
    case TOKEN_BAD:
        return "bad";
    case TOKEN_NE:
        return "ne";
    case TOKEN_LE:
        return "le";
    case TOKEN_GE:
        return "ge";
    case TOKEN_NULL_SAFE_EQ:
        return "same";
    case TOKEN_EQ:
        return "eq";
    default:
        return "";
    }
}

static void add_tokens(struct buf *out, str_t text, const struct tokens *tokens)
{
    for (uint32_t i = 0; i + 1 < tokens->list.count; i++) {
        const struct token *token = &tokens->list.items[i];
        const char *kind = kind_name(token);
        str_t shown = str_make(text.ptr + token->start, token->end - token->start);
        if (i > 0)
            buf_add_char(out, ' ');
        buf_add(out, str_make(kind, strlen(kind)));
        if (*kind != '\0')
            buf_add_char(out, '(');
        buf_add(out, shown);
        if (*kind != '\0')
            buf_add_char(out, ')');
    }
}

/* The tokens of all statements, statements parted by ` ; `. */
static void check_text(str_t text, const char *expected, const struct parse_options *options)
{
    struct arena arena;
    struct buf out;
    struct tokens tokens = {0};
    arena_init(&arena, 0, NULL);
    buf_init(&out, 0);
    for (size_t pos = 0; pos < text.len;) {
        if (pos > 0)
            BUF_ADD(&out, " ; ");
        tokens.list.count = 0;
        pos = lex_statement(text, pos, options, &arena, &tokens);
        assert_true(tokens.list.count > 0);
        assert_int_equal(tokens.list.items[tokens.list.count - 1].kind, TOKEN_END);
        add_tokens(&out, text, &tokens);
    }
    buf_add_char(&out, '\0');
    if (strcmp(out.ptr, expected) != 0)
        fail_msg("text:     %.*s\nexpected: %s\ngot:      %s", (int)text.len, text.ptr, expected,
                 out.ptr);
    buf_release(&out);
    arena_release(&arena);
}

struct lex_case {
    const char *text, *expected;
};

static void check_cases(const struct lex_case *cases, size_t count,
                        const struct parse_options *options)
{
    for (size_t i = 0; i < count; i++)
        check_text(str_make(cases[i].text, strlen(cases[i].text)), cases[i].expected, options);
}

#define CHECK(cases, ...) \
    check_cases(cases, sizeof(cases) / sizeof((cases)[0]), &(struct parse_options){__VA_ARGS__})

/* ---- Hive ---- */

static void hive_words(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"Select sEt day uid", "key(Select) key(sEt) soft(day) word(uid)"},
        {"t1.a_b.c2", "word(t1) . word(a_b) . word(c2)"},
        {"2020_sales 1a 5F 5e", "word(2020_sales) word(1a) word(5F) word(5e)"},
        {"1e5x 3_x", "word(1e5x) word(3_x)"},
        {"`a b` `a``b` ``", "quoted(`a b`) quoted(`a``b`) quoted(``)"},
        {"`a\\`b", "quoted(`a\\`) word(b)"},
        {"_c0 a_", "bad(_c0) word(a_)"},
        {"$elem$ $KEY$ $x $", "soft($elem$) soft($KEY$) $ word(x) $"},
        {"a-b execute fast-forward", "word(a) - word(b) soft(execute) soft(fast-forward)"},
        {"fast-forward execute delete orphan-files",
         "word(fast) - word(forward) soft(execute) key(delete) key(orphan-files)"},
        {"execute a-b", "soft(execute) word(a) - word(b)"},
        {"\xE8\xAE\xA2\xE5\x8D\x95 a\xE5\x8D\x95",
         "bad(\xE8\xAE\xA2\xE5\x8D\x95) word(a) bad(\xE5\x8D\x95)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
}

static void hive_numbers(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"12 1.5 1. 1.e3 1e6 1.5E-3",
         "number(12) number(1.5) number(1.) number(1.e3) number(1e6) number(1.5E-3)"},
        {"10L 3s 7Y 2.5D 1bd 1e3BD",
         "number(10L) number(3s) number(7Y) number(2.5D) number(1bd) number(1e3BD)"},
        {"10m 1b 4K 2G 1.5M", "bytes(10m) bytes(1b) bytes(4K) bytes(2G) number(1.5) word(M)"},
        {"1.5F 1.5x 1e-5x", "number(1.5) word(F) number(1.5) word(x) number(1e-5) word(x)"},
        {".5 t.5", ". number(5) word(t) . number(5)"},
        {"0x1F 0xZ", "bad(0x1F) word(0xZ)"},
        {"_utf8 0xE982B5 _utf-8'x' _gbk \"y\"",
         "charset(_utf8 0xE982B5) charset(_utf-8'x') charset(_gbk \"y\")"},
        {"1-2 1+e3", "number(1) - number(2) number(1) + word(e3)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
}

static void hive_strings(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"'a' \"b\"", "string('a') string(\"b\")"},
        {"'It''s' 'a'\"b\"", "string('It''s') string('a'\"b\")"},
        {"'a\\'b' 'a\\\\' x", "string('a\\'b') string('a\\\\') word(x)"},
        {"'two\nlines;' x", "string('two\nlines;') word(x)"},
        {"'${x}'", "string('${x}')"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
    static const struct lex_case standard[] = {
        {"\"a\"\"b\" 'c'\"d\"", "quoted(\"a\"\"b\") string('c') quoted(\"d\")"},
        {"`a``b`", "quoted(`a``b`)"},
    };
    CHECK(standard, .dialect = DIALECT_HIVE, .quoted_identifiers = QUOTED_STANDARD);
    static const struct lex_case none[] = {
        {"`(ds|hr)?+.+` ``x`", "quoted(`(ds|hr)?+.+`) quoted(``) word(x) bad(`)"},
        {"\"a\"", "string(\"a\")"},
    };
    CHECK(none, .dialect = DIALECT_HIVE, .quoted_identifiers = QUOTED_NONE);
}

static void hive_comments(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"a -- b ; 'c\nd", "word(a) word(d)"},
        {"a--1\r2", "word(a) number(2)"},
        {"a /* b /* c */ d; */ e", "word(a) word(e)"},
        {"a /* b /* c */ d", "word(a) bad(/* b /* c */ d)"},
        {"select /*+ mapjoin(b) */ x", "key(select) hint(/*+ mapjoin(b) */) word(x)"},
        {"/* + b */ a", "word(a)"},
        {"-- + b\na", "word(a)"},
        {"# note ; \n  # note\na # b", "word(a) bad(#) word(b)"},
        {"a//b", "word(a) / / word(b)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
}

static void hive_signs(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"a=b==c<>d!=e<=>f",
         "word(a) eq(=) word(b) eq(==) word(c) ne(<>) word(d) ne(!=) word(e) same(<=>) word(f)"},
        {"a<=b>=c<d>e", "word(a) le(<=) word(b) ge(>=) word(c) < word(d) > word(e)"},
        {"a||b|c&d&&e^f~g",
         "word(a) || word(b) | word(c) & word(d) & & word(e) ^ word(f) ~ word(g)"},
        {"array<array<int>>", "key(array) < key(array) < key(int) > >"},
        {"a < > b", "word(a) < > word(b)"},
        {"!a[1]{2}?,:(%)", "! word(a) [ number(1) ] { number(2) } ? , : ( % )"},
        {"a\\b @", "word(a) bad(\\) word(b) bad(@)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
}

/* ---- Impala ---- */

static void impala_words(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"Select day default uid", "key(Select) soft(day) soft(default) word(uid)"},
        {"blob of query", "key(blob) key(of) soft(query)"},
        {"2020_sales 1a $b a$b$ _c0", "word(2020_sales) word(1a) word($b) word(a$b$) word(_c0)"},
        {"\xE8\xAE\xA2\xE5\x8D\x95 a\xC3\xA9"
         "1 \xE2\x82\xAC",
         "word(\xE8\xAE\xA2\xE5\x8D\x95) word(a\xC3\xA9"
         "1) word(\xE2\x82\xAC)"},
        {"a\xE2\x80\x94"
         "b",
         "word(a) bad(\xE2\x80\x94) word(b)"},
        {"t.1a t .2b", "word(t) . word(1a) word(t) . word(2b)"},
        {"`a b` `a\\`b` ` c `", "quoted(`a b`) quoted(`a\\`b`) quoted(` c `)"},
        {"`` ` \n`", "bad(``) bad(` \n`)"},
        {"`a``b`", "quoted(`a`) quoted(`b`)"},
        {"fast-forward", "word(fast) - word(forward)"},
    };
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

static void impala_literals(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"12 1.5 1. .5 1e6 1.5E-3 .5e1",
         "number(12) number(1.5) number(1.) number(.5) number(1e6) number(1.5E-3) number(.5e1)"},
        {"10L 1e5x 0x1F 1e", "word(10L) word(1e5x) word(0x1F) word(1e)"},
        {"1.5x t.5 from .5x",
         "number(1.5) word(x) word(t) number(.5) key(from) number(.5) word(x)"},
        {"'it''s' 'a\\'b' \"c\"", "string('it') string('s') string('a\\'b') string(\"c\")"},
        {"x'ab'", "word(x) string('ab')"},
    };
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

static void impala_comments(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"a--1\nb /* c /* d */ e", "word(a) word(b) word(e)"},
        {"a /* b", "word(a) bad(/* b)"},
        {"/* +h */ /*+h*/ -- +h\nx", "hint(/* +h */) hint(/*+h*/) hint(-- +h) word(x)"},
        {"/* + a\nb */ x", "word(x)"},
        {"# a", "bad(#) word(a)"},
    };
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

static void impala_signs(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"a < > b < = c > = d ! = e < = > f", "word(a) ne(< >) word(b) le(< =) word(c) ge(> =) "
                                              "word(d) ne(! =) word(e) same(< = >) word(f)"},
        {"a==b", "word(a) eq(=) eq(=) word(b)"},
        {"a&&b&c||d|e", "word(a) && word(b) & word(c) || word(d) | word(e)"},
        {"int... ?{}", "key(int) ... bad(?) bad({) bad(})"},
    };
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

/* ---- both ---- */

static void variables_stand_for_names(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"${x} db_${env}.t ${a}_x",
         "variable(${x}) variable(db_${env}) . word(t) variable(${a}_x)"},
        {"${a}${b}_1 ${hiveconf:d}.${t}",
         "variable(${a}${b}_1) variable(${hiveconf:d}) . variable(${t})"},
        {"2020_${m} 10${z}", "variable(2020_${m}) variable(10${z})"},
        {"a${x", "word(a) $ { word(x)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
    static const struct lex_case impala[] = {
        {"${var:x} db_${env}.t a$b${c}",
         "variable(${var:x}) variable(db_${env}) . word(t) variable(a$b${c})"},
    };
    CHECK(impala, .dialect = DIALECT_IMPALA);
}

static void blanks_beyond_ascii_are_passed_over(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"\xEF\xBB\xBFselect\xC2\xA0x\xE3\x80\x80"
         "from\xE2\x80\x83t",
         "key(select) word(x) key(from) word(t)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

static void statements_end_outside_quotes(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"a;b;", "word(a) ; word(b)"},
        {"';' ; \";\" ; `;` ; /*;*/ c --;", "string(';') ; string(\";\") ; quoted(`;`) ; word(c)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

static void a_quote_without_end_hides_nothing(void **state)
{
    (void)state;
    static const struct lex_case cases[] = {
        {"a 'b;c \"d;e `f; g",
         "word(a) bad(') word(b) ; word(c) bad(\") word(d) ; word(e) bad(`) word(f) ; word(g)"},
        {"'a\\'b;\\'c", "bad(') word(a) bad(\\) bad(') word(b) ; bad(\\) bad(') word(c)"},
    };
    CHECK(cases, .dialect = DIALECT_HIVE);
    CHECK(cases, .dialect = DIALECT_IMPALA);
}

static void any_bytes_give_tokens(void **state)
{
    (void)state;
    struct parse_options hive = {.dialect = DIALECT_HIVE}, impala = {.dialect = DIALECT_IMPALA};
    check_text(STR("a\xFF\xFE"
                   "b"),
               "word(a) bad(\xFF\xFE) word(b)", &hive);
    check_text(STR("a\xFF\xFE"
                   "b"),
               "word(a) bad(\xFF\xFE) word(b)", &impala);
    check_text(STR("'a\xFF' `\xFF`"), "string('a\xFF') quoted(`\xFF`)", &hive);
    struct tokens tokens = {0};
    struct arena arena;
    arena_init(&arena, 0, NULL);
    assert_int_equal(lex_statement(STR("a\0'b\0c'"), 0, &hive, &arena, &tokens), 7);
    assert_int_equal(tokens.list.count, 4);
    assert_int_equal(tokens.list.items[1].kind, TOKEN_BAD);
    assert_int_equal(tokens.list.items[2].kind, TOKEN_STRING);
    arena_release(&arena);
}

/* Every prefix of a text lexes without reading behind it: the copies have their exact size. */
static void every_prefix_is_lexed(void **state)
{
    (void)state;
    static const char text[] =
        "select `a``b`, 'it\\'s' \"x\", 1.5e-3BD, _utf8 0xAB, ${v:x}_y /*+ h */ /* c */ -- d\n"
        "from \xE8\xAE\xA2.t where a <= > b && c || !d ... execute fast-forward $elem$ 10m;";
    for (size_t len = 0; len < sizeof text; len++) {
        char *copy = test_malloc(len + (len == 0));
        memcpy(copy, text, len);
        for (int dialect = DIALECT_HIVE; dialect <= DIALECT_IMPALA; dialect++) {
            struct parse_options options = {.dialect = (enum dialect)dialect};
            struct tokens tokens = {0};
            struct arena arena;
            arena_init(&arena, 0, NULL);
            assert_in_range(lex_statement(str_make(copy, len), 0, &options, &arena, &tokens), 0,
                            len);
            assert_true(tokens.list.items[tokens.list.count - 1].end <= len);
            arena_release(&arena);
        }
        test_free(copy);
    }
}

/* A text of quotes that find no end is read once, not once a quote. */
static void quotes_without_end_stay_linear(void **state)
{
    (void)state;
    enum { PAIRS = 200000 };
    char *text = test_malloc(2 * PAIRS + 1);
    text[0] = '\'';
    for (size_t i = 0; i < PAIRS; i++)
        memcpy(text + 1 + 2 * i, "\\'", 2);
    struct parse_options options = {.dialect = DIALECT_HIVE};
    struct tokens tokens = {0};
    struct arena arena;
    arena_init(&arena, 0, NULL);
    lex_statement(str_make(text, 2 * PAIRS + 1), 0, &options, &arena, &tokens);
    assert_int_equal(tokens.list.count, 2 * PAIRS + 2);
    arena_release(&arena);
    test_free(text);
}

static void blanks_are_skipped(void **state)
{
    (void)state;
    assert_int_equal(lex_skip_blanks(STR("  -- a\n /* b */ c"), 0, DIALECT_HIVE), 16);
    assert_int_equal(lex_skip_blanks(STR("/*+ a */ b"), 0, DIALECT_HIVE), 0);
    assert_int_equal(lex_skip_blanks(STR("\xEF\xBB\xBF\n;"), 0, DIALECT_IMPALA), 4);
    assert_int_equal(lex_skip_blanks(STR("a"), 0, DIALECT_IMPALA), 0);
    assert_int_equal(lex_skip_blanks(STR(" "), 0, DIALECT_IMPALA), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hive_words),
        cmocka_unit_test(hive_numbers),
        cmocka_unit_test(hive_strings),
        cmocka_unit_test(hive_comments),
        cmocka_unit_test(hive_signs),
        cmocka_unit_test(impala_words),
        cmocka_unit_test(impala_literals),
        cmocka_unit_test(impala_comments),
        cmocka_unit_test(impala_signs),
        cmocka_unit_test(variables_stand_for_names),
        cmocka_unit_test(blanks_beyond_ascii_are_passed_over),
        cmocka_unit_test(statements_end_outside_quotes),
        cmocka_unit_test(a_quote_without_end_hides_nothing),
        cmocka_unit_test(any_bytes_give_tokens),
        cmocka_unit_test(every_prefix_is_lexed),
        cmocka_unit_test(quotes_without_end_stay_linear),
        cmocka_unit_test(blanks_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
