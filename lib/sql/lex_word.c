/*
 * Scanners of words, numbers and variables: everything that letters and digits begin. The dialects
 * differ most here: Hive has suffixes of numbers, lengths in bytes and character sets; Impala takes
 * `$` and letters of all scripts into words.
 */
#include "base/unicode.h"
#include "sql/keyword.h"
#include "sql/lex_internal.h"
#include "sql/lex_run.h"

enum { PART_NO, PART_YES, PART_MAYBE };

/* Letters, digits and `_` are parts of words; `$` and bytes beyond ASCII may be. */
/* clang-format off */
static const uint8_t word_parts[256] = {
    ['$'] = PART_MAYBE,
    ['0'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ['A'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ['_'] = 1,
    ['a'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [128] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
};
/* clang-format on */

/* Behind the letters, digits and `_` at p. */
static const char *plain_end(const char *p, const char *end)
{
    for (; end - p >= RUN_LENGTH; p += RUN_LENGTH) {
        size_t len = plain_length(p);
        if (len < RUN_LENGTH)
            return p + len;
    }
    while (p < end && word_parts[(uint8_t)*p] == PART_YES)
        p++;
    return p;
}

static bool at_variable(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '$' && p[1] == '{';
}

/* Impala's words hold `$` and characters beyond ASCII too; p is where the plain ones stop. */
static const char *impala_word_end(const struct lexer *lx, const char *p)
{
    while (p < lx->end && word_parts[(uint8_t)*p] == PART_MAYBE) {
        uint32_t code;
        size_t len = utf8_decode(p, lx->end, &code);
        if (*p == '$' ? at_variable(p, lx->end) : len == 0 || !unicode_is_name_part(code))
            return p;
        p = plain_end(p + len, lx->end);
    }
    return p;
}

const char *word_end(const struct lexer *lx, const char *p)
{
    p = plain_end(p, lx->end);
    if (p < lx->end && word_parts[(uint8_t)*p] == PART_MAYBE && lx->dialect == DIALECT_IMPALA)
        return impala_word_end(lx, p);
    return p;
}

const char *digits_end(const char *p, const char *end)
{
    while (p < end && is_digit(*p))
        p++;
    return p;
}

/* Behind `${name}` at p; NULL where there is none. Names hold no blanks, `$` and quotes. */
static const char *variable_end(const char *p, const char *end)
{
    if (!at_variable(p, end))
        return NULL;
    const char *q = p + 2;
    while (q < end && *q != '}') {
        if (*q == '$' || *q == '\'' || *q == '"' || *q == ';' || is_blank(*q))
            return NULL;
        q++;
    }
    return q < end && q > p + 2 ? q + 1 : NULL;
}

/* Takes variables and parts of words from p on, for as long as they follow without a blank. */
static const char *scan_glued(const struct lexer *lx, const char *p, struct token *token)
{
    const char *behind = variable_end(p, lx->end);
    while (behind != NULL) {
        token->kind = TOKEN_VARIABLE;
        token->word = KW_NONE;
        token->reserved = WORD_PLAIN;
        p = word_end(lx, behind);
        behind = variable_end(p, lx->end);
    }
    return p;
}

/*
 * Hive's keywords with a hyphen are such only behind EXECUTE, and behind DELETE; elsewhere the
 * hyphen is a minus.
 */
static const char *hyphenated_end(const struct lexer *lx, const char *start, const char *p,
                                  struct token *token)
{
    const struct token *before = token_before(lx, token);
    if (before->word != KW_EXECUTE && before->word != KW_DELETE)
        return p;
    const char *behind = plain_end(p + 1, lx->end);
    struct keyword_found found = keyword_lookup(start, (size_t)(behind - start), lx->dialect);
    if (found.word == KW_NONE)
        return p;
    set_word(token, found);
    return behind;
}

const char *scan_word(const struct lexer *lx, const char *start, struct token *token)
{
    const char *p = word_end(lx, start);
    set_word(token, keyword_lookup(start, (size_t)(p - start), lx->dialect));
    if (p == lx->end)
        return p;
    if (*p == '$')
        return scan_glued(lx, p, token);
    if (*p == '-' && lx->dialect == DIALECT_HIVE)
        return hyphenated_end(lx, start, p, token);
    return p;
}

/* Behind `e+12` at p, or p where no exponent stands there. */
static const char *exponent_end(const char *p, const char *end)
{
    if (p == end || (*p | 0x20) != 'e')
        return p;
    const char *digits = p + 1;
    if (digits < end && (*digits == '+' || *digits == '-'))
        digits++;
    const char *behind = digits_end(digits, end);
    return behind == digits ? p : behind;
}

/* Whether the letters [p, end) are a suffix of Hive's numbers; *bytes: of a length in bytes. */
static bool is_suffix(const char *p, const char *end, bool integer, bool *bytes)
{
    *bytes = false;
    if (end - p == 2)
        return (p[0] | 0x20) == 'b' && (p[1] | 0x20) == 'd';
    if (end - p != 1)
        return false;
    switch (*p | 0x20) {
    case 'd':
        return true;
    case 'l':
    case 's':
    case 'y':
        return integer;
    case 'b':
    case 'k':
    case 'm':
    case 'g':
        *bytes = integer;
        return integer;
    default:
        return false;
    }
}

/* 0x and hexadecimal digits, nothing else. */
static bool is_hexadecimal(const char *p, const char *end)
{
    if (end - p < 3 || p[0] != '0' || (p[1] | 0x20) != 'x')
        return false;
    for (p += 2; p < end; p++)
        if (!is_digit(*p) && ((*p | 0x20) < 'a' || (*p | 0x20) > 'f'))
            return false;
    return true;
}

/*
 * Digits with what may follow; where letters follow that are no suffix: a word, or a number that
 * ends before them.
 */
static const char *scan_number_hive(const struct lexer *lx, const char *p, struct token *token)
{
    const char *start = p, *integer = digits_end(p, lx->end);
    p = integer < lx->end && *integer == '.' ? digits_end(integer + 1, lx->end) : integer;
    bool word_like = p == integer;
    const char *fraction = p;
    p = exponent_end(p, lx->end);
    word_like = word_like && (p == fraction || is_digit(fraction[1]));
    const char *run = plain_end(p, lx->end);
    bool bytes = false;
    if (run == p || is_suffix(p, run, p == integer, &bytes)) {
        token->kind = bytes ? TOKEN_BYTES : TOKEN_NUMBER;
        return run;
    }
    if (!word_like) {
        token->kind = TOKEN_NUMBER;
        return p;
    }
    if (!is_hexadecimal(start, run))
        return scan_word(lx, start, token);
    token->kind = TOKEN_BAD; /* only a character set gives it a meaning */
    return run;
}

/* Digits, fraction and exponent; a run of digits and letters that is no number is a word. */
static const char *scan_number_impala(const struct lexer *lx, const char *p, struct token *token)
{
    const char *start = p, *integer = digits_end(p, lx->end);
    bool dotted = integer < lx->end && *integer == '.';
    p = exponent_end(dotted ? digits_end(integer + 1, lx->end) : integer, lx->end);
    if (!dotted && word_end(lx, start) > p)
        return scan_word(lx, start, token);
    token->kind = TOKEN_NUMBER;
    return p;
}

const char *scan_number(const struct lexer *lx, const char *p, struct token *token)
{
    const char *behind = lx->dialect == DIALECT_HIVE ? scan_number_hive(lx, p, token)
                                                     : scan_number_impala(lx, p, token);
    return behind < lx->end && *behind == '$' ? scan_glued(lx, behind, token) : behind;
}

const char *scan_dollar(const struct lexer *lx, const char *p, struct token *token)
{
    if (variable_end(p, lx->end) != NULL)
        return scan_glued(lx, p, token);
    const char *behind = plain_end(p + 1, lx->end);
    if (behind < lx->end && *behind == '$') {
        struct keyword_found found = keyword_lookup(p, (size_t)(behind + 1 - p), lx->dialect);
        if (found.word != KW_NONE) {
            set_word(token, found);
            return behind + 1;
        }
    }
    token->kind = TOKEN_DOLLAR;
    return p + 1;
}

/*
 * Behind the literal, a string or hexadecimal digits, that follows the name of a character set;
 * NULL: none does.
 */
static const char *charset_literal_end(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    if (p < end && (*p == '\'' || *p == '"'))
        return string_end(p, end);
    const char *behind = plain_end(p, end);
    return is_hexadecimal(p, behind) ? behind : NULL;
}

const char *scan_charset(const struct lexer *lx, const char *p, struct token *token)
{
    const char *name = p + 1;
    while (name < lx->end &&
           (word_parts[(uint8_t)*name] == PART_YES || *name == '-' || *name == '.' || *name == ':'))
        name++;
    const char *behind = charset_literal_end(name, lx->end);
    if (behind != NULL) {
        token->kind = TOKEN_CHARSET;
        return behind;
    }
    token->kind = TOKEN_BAD;
    behind = plain_end(p, lx->end);
    return behind < lx->end && *behind == '$' ? scan_glued(lx, behind, token) : behind;
}
