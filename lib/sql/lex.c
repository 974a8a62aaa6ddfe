/*
 * Text → tokens. lex_statement looks at one byte, finds its class in a table and lets the scanner
 * of that class take the token; blanks and comments are passed over. Words and numbers are in
 * lex_word.c.
 */
#include "base/unicode.h"
#include "sql/lex_internal.h"
#include "sql/lex_run.h"

/*
 * What a byte begins. From LEAD_MINUS on it may begin a comment or a blank; from LEAD_DOLLAR to LEAD_HIGH it may go on
 * with a word that stands before it.
 */
enum lead {
    LEAD_BAD,
    LEAD_WORD,
    LEAD_DIGIT,
    LEAD_SINGLE, /* a token of one character in both dialects */
    LEAD_OPERATOR,
    LEAD_DOT,
    LEAD_STRING,
    LEAD_BACKQUOTE,
    LEAD_UNDERSCORE,
    LEAD_HIVE_ONLY, /* a token of one character in Hive, none in Impala */
    LEAD_DOLLAR,
    LEAD_MINUS,
    LEAD_HIGH, /* beyond ASCII */
    LEAD_SLASH,
    LEAD_HASH,
    LEAD_BLANK,
    LEAD_END
};

/* clang-format off */
static const uint8_t leads[256] = {
    ['\t'] = LEAD_BLANK, ['\n'] = LEAD_BLANK, ['\f'] = LEAD_BLANK, ['\r'] = LEAD_BLANK,
    [' '] = LEAD_BLANK, [';'] = LEAD_END,
    ['-'] = LEAD_MINUS, ['/'] = LEAD_SLASH, ['#'] = LEAD_HASH,
    ['\''] = LEAD_STRING, ['"'] = LEAD_STRING, ['`'] = LEAD_BACKQUOTE,
    ['('] = LEAD_SINGLE, [')'] = LEAD_SINGLE, ['['] = LEAD_SINGLE, [']'] = LEAD_SINGLE,
    [','] = LEAD_SINGLE, [':'] = LEAD_SINGLE, ['+'] = LEAD_SINGLE, ['*'] = LEAD_SINGLE,
    ['%'] = LEAD_SINGLE, ['^'] = LEAD_SINGLE, ['~'] = LEAD_SINGLE,
    ['{'] = LEAD_HIVE_ONLY, ['}'] = LEAD_HIVE_ONLY, ['?'] = LEAD_HIVE_ONLY,
    ['='] = LEAD_OPERATOR, ['<'] = LEAD_OPERATOR, ['>'] = LEAD_OPERATOR, ['!'] = LEAD_OPERATOR,
    ['&'] = LEAD_OPERATOR, ['|'] = LEAD_OPERATOR,
    ['.'] = LEAD_DOT, ['$'] = LEAD_DOLLAR, ['_'] = LEAD_UNDERSCORE,
    ['0'] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    ['A'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ['a'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [128] = 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
};

_Static_assert(LEAD_WORD == 1 && LEAD_DIGIT == 2 && LEAD_HIGH == 12,
               "the table of leads is drawn with these numbers");

static const uint8_t singles[128] = {
    ['('] = TOKEN_LPAREN, [')'] = TOKEN_RPAREN, ['['] = TOKEN_LBRACKET, [']'] = TOKEN_RBRACKET,
    ['{'] = TOKEN_LBRACE, ['}'] = TOKEN_RBRACE, [','] = TOKEN_COMMA, [':'] = TOKEN_COLON,
    ['?'] = TOKEN_QUESTION, ['+'] = TOKEN_PLUS, ['*'] = TOKEN_STAR, ['%'] = TOKEN_PERCENT,
    ['^'] = TOKEN_CARET, ['~'] = TOKEN_TILDE,
};
/* clang-format on */

/* ---- blanks and comments ---- */

static const char *blanks_end(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

static const char *line_end(const char *p, const char *end)
{
    while (p < end && *p != '\n' && *p != '\r')
        p++;
    return p;
}

/* Behind the block comment at p; NULL where it has no end. Hive's nest. */
static const char *block_end(const char *p, const char *end, enum dialect dialect)
{
    size_t depth = 1;
    for (p += 2; end - p >= 2; p++) {
        if (p[0] == '*' && p[1] == '/') {
            p++;
            if (--depth == 0)
                return p + 1;
        } else if (p[0] == '/' && p[1] == '*' && dialect == DIALECT_HIVE) {
            p++;
            depth++;
        }
    }
    return NULL;
}

/* Whether a `+` makes a hint of the comment whose text begins at p and ends at `end`. */
static bool is_hint(const char *p, const char *end, enum dialect dialect)
{
    if (dialect == DIALECT_HIVE)
        return p < end && *p == '+';
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p < end && *p == '+' && line_end(p, end) == end;
}

/* Hive's clients take lines that begin with # for comments. */
static bool at_line_start(const char *p, const char *start)
{
    while (p > start && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == start || p[-1] == '\n' || p[-1] == '\r';
}

/* Behind a comment that is no hint, or behind a blank beyond ASCII; p where there is neither. */
static const char *trivia_end(const struct lexer *lx, const char *p)
{
    const char *behind = NULL;
    if (*p == '-' && lx->end - p >= 2 && p[1] == '-') {
        behind = line_end(p, lx->end);
        return lx->dialect == DIALECT_IMPALA && is_hint(p + 2, behind, lx->dialect) ? p : behind;
    }
    if (*p == '/' && lx->end - p >= 2 && p[1] == '*') {
        behind = block_end(p, lx->end, lx->dialect);
        return behind == NULL || is_hint(p + 2, behind - 2, lx->dialect) ? p : behind;
    }
    if (*p == '#' && lx->dialect == DIALECT_HIVE && at_line_start(p, lx->start))
        return line_end(p, lx->end);
    uint32_t code;
    size_t len = (uint8_t)*p >= 0x80 ? utf8_decode(p, lx->end, &code) : 0;
    return len > 0 && unicode_is_blank(code) ? p + len : p;
}

/* What two hyphens, or a slash and a star, begin: a hint, or a comment without end. */
static const char *scan_hint(const struct lexer *lx, const char *p, struct token *token)
{
    const char *behind = *p == '-' ? line_end(p, lx->end) : block_end(p, lx->end, lx->dialect);
    token->kind = behind == NULL ? TOKEN_BAD : TOKEN_HINT;
    return behind == NULL ? lx->end : behind;
}

/* ---- quotes ---- */

const char *string_end(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote)
        p += *p == '\\' ? 2 : 1;
    return p < end ? p + 1 : NULL;
}

/* A quote without end is a bad byte by itself, so that it does not hide the statements behind it.
 */
static const char *scan_unclosed(const char *p, struct token *token)
{
    token->kind = TOKEN_BAD;
    return p + 1;
}

/* A name between quotes, which are doubled inside. Hive's mode `none` knows no doubling. */
static const char *scan_doubled(const struct lexer *lx, const char *p, struct token *token)
{
    const char *open = p, *close;
    for (;;) {
        close = memchr(p + 1, *open, (size_t)(lx->end - p - 1));
        if (close == NULL)
            return scan_unclosed(open, token);
        if (lx->end - close < 2 || close[1] != *open || lx->quoted_identifiers == QUOTED_NONE)
            break;
        p = close + 1;
    }
    token->kind = TOKEN_QUOTED;
    return close + 1;
}

/*
 * Once a quote has found no end, no later one will: what the first passed over were escaped, and
 * each begins where the first went on. Remembering that keeps lexing linear.
 */
static const char *escaped_end(const struct lexer *lx, const char *p, uint8_t memory)
{
    const char *behind = lx->out->unclosed & memory ? NULL : string_end(p, lx->end);
    if (behind == NULL)
        lx->out->unclosed |= memory;
    return behind;
}

/* 'text' or "text"; in Hive pieces without a blank between them are one token. */
static const char *scan_string(const struct lexer *lx, const char *p, struct token *token)
{
    if (*p == '"' && lx->quoted_identifiers == QUOTED_STANDARD)
        return scan_doubled(lx, p, token);
    const char *behind = escaped_end(lx, p, *p == '"' ? UNCLOSED_DOUBLE : UNCLOSED_SINGLE);
    if (behind == NULL)
        return scan_unclosed(p, token);
    token->kind = TOKEN_STRING;
    if (lx->dialect == DIALECT_IMPALA)
        return behind;
    while (behind < lx->end &&
           (*behind == '\'' || (*behind == '"' && lx->quoted_identifiers != QUOTED_STANDARD))) {
        const char *piece =
            escaped_end(lx, behind, *behind == '"' ? UNCLOSED_DOUBLE : UNCLOSED_SINGLE);
        if (piece == NULL)
            break;
        behind = piece;
    }
    return behind;
}

/* `name`: in Impala a backslash takes the next character along, and a name is more than blanks. */
static const char *scan_backquote(const struct lexer *lx, const char *p, struct token *token)
{
    if (lx->dialect == DIALECT_HIVE)
        return scan_doubled(lx, p, token);
    const char *behind = escaped_end(lx, p, UNCLOSED_BACK);
    if (behind == NULL)
        return scan_unclosed(p, token);
    token->kind = blanks_end(p + 1, behind - 1) == behind - 1 ? TOKEN_BAD : TOKEN_QUOTED;
    return behind;
}

/* ---- operators ---- */

/* Behind the character c at p, in Impala also behind blanks; NULL where another one stands there.
 */
static const char *next_sign(const struct lexer *lx, const char *p, char c)
{
    if (lx->dialect == DIALECT_IMPALA)
        p = blanks_end(p, lx->end);
    return p < lx->end && *p == c ? p + 1 : NULL;
}

/* < <= <=> <> > >= ! != */
static const char *scan_comparison(const struct lexer *lx, const char *p, struct token *token)
{
    char first = *p++;
    const char *equal = next_sign(lx, p, '=');
    if (first == '!' || first == '>') {
        if (equal != NULL)
            token->kind = first == '!' ? TOKEN_NE : TOKEN_GE;
        else
            token->kind = first == '!' ? TOKEN_NOT_SIGN : TOKEN_GT;
        return equal != NULL ? equal : p;
    }
    const char *greater = next_sign(lx, equal != NULL ? equal : p, '>');
    if (greater != NULL) {
        token->kind = equal != NULL ? TOKEN_NULL_SAFE_EQ : TOKEN_NE;
        return greater;
    }
    token->kind = equal != NULL ? TOKEN_LE : TOKEN_LT;
    return equal != NULL ? equal : p;
}

/* A sign that may stand twice: == and || in Hive, && and || in Impala. */
static const char *scan_operator(const struct lexer *lx, const char *p, struct token *token)
{
    bool twice = lx->end - p >= 2 && p[1] == *p;
    switch (*p) {
    case '=':
        token->kind = TOKEN_EQ;
        return twice && lx->dialect == DIALECT_HIVE ? p + 2 : p + 1;
    case '|':
        token->kind = twice ? TOKEN_CONCAT : TOKEN_PIPE;
        return twice ? p + 2 : p + 1;
    case '&':
        twice = twice && lx->dialect == DIALECT_IMPALA;
        token->kind = twice ? TOKEN_AND_AND : TOKEN_AMP;
        return twice ? p + 2 : p + 1;
    default:
        return scan_comparison(lx, p, token);
    }
}

/*
 * Whether the dot at p belongs to a path: a name stands before it and a name that begins with
 * digits behind it.
 */
static bool is_path_dot(const struct lexer *lx, const char *p, const struct token *token)
{
    const struct token *before = token_before(lx, token);
    bool name = before->kind == TOKEN_WORD
                    ? before->reserved != WORD_RESERVED
                    : before->kind == TOKEN_QUOTED || before->kind == TOKEN_VARIABLE;
    return name && word_end(lx, p + 1) > digits_end(p + 1, lx->end);
}

static const char *scan_dot(const struct lexer *lx, const char *p, struct token *token)
{
    if (lx->dialect == DIALECT_IMPALA) {
        if (lx->end - p >= 3 && p[1] == '.' && p[2] == '.') {
            token->kind = TOKEN_ELLIPSIS;
            return p + 3;
        }
        if (lx->end - p >= 2 && is_digit(p[1]) && !is_path_dot(lx, p, token))
            return scan_number(lx, p, token);
    }
    token->kind = TOKEN_DOT;
    return p + 1;
}

/* ---- the rest ---- */

/* Letters beyond ASCII, which are words in Impala, and bytes that are no characters. */
static const char *scan_high(const struct lexer *lx, const char *p, struct token *token)
{
    if (word_end(lx, p) > p)
        return scan_word(lx, p, token);
    token->kind = TOKEN_BAD;
    while (p < lx->end && (uint8_t)*p >= 0x80) {
        uint32_t code;
        size_t len = utf8_decode(p, lx->end, &code);
        if (len > 0 && unicode_is_blank(code))
            break;
        p += len > 0 ? len : 1;
    }
    return p;
}

static const char *scan_single(const char *p, struct token *token, bool known)
{
    token->kind = known ? singles[(uint8_t)*p] : TOKEN_BAD;
    return p + 1;
}

static const char *scan_token(const struct lexer *lx, const char *p, struct token *token)
{
    bool hive = lx->dialect == DIALECT_HIVE;
    switch (leads[(uint8_t)*p]) {
    case LEAD_WORD:
        return scan_word(lx, p, token);
    case LEAD_SINGLE:
        return scan_single(p, token, true);
    case LEAD_DOT:
        return scan_dot(lx, p, token);
    case LEAD_DIGIT:
        return scan_number(lx, p, token);
    case LEAD_STRING:
        return scan_string(lx, p, token);
    case LEAD_OPERATOR:
        return scan_operator(lx, p, token);
    case LEAD_BACKQUOTE:
        return scan_backquote(lx, p, token);
    case LEAD_UNDERSCORE:
        return hive ? scan_charset(lx, p, token) : scan_word(lx, p, token);
    case LEAD_DOLLAR:
        return !hive && word_end(lx, p) > p ? scan_word(lx, p, token) : scan_dollar(lx, p, token);
    case LEAD_HIVE_ONLY:
        return scan_single(p, token, hive);
    case LEAD_HIGH:
        return scan_high(lx, p, token);
    case LEAD_MINUS:
    case LEAD_SLASH:
        if (lx->end - p >= 2 && p[1] == (*p == '-' ? '-' : '*'))
            return scan_hint(lx, p, token);
        token->kind = *p == '-' ? TOKEN_MINUS : TOKEN_SLASH;
        return p + 1;
    default:
        return scan_single(p, token, false);
    }
}

/*
 * The array of tokens is full: gives the place of the next one in a larger array, a guess from the length of the text at
 * first, twice as large later; NULL when out of memory.
 */
static struct token *make_room(struct arena *arena, struct tokens *out, size_t text_len)
{
    struct token *items = out->list.items;
    uint32_t full = out->list.count = out->list.capacity;
    if (full > UINT32_MAX / 2) {
        arena->failed = true;
        return NULL;
    }
    uint32_t first = text_len < 1024 ? (uint32_t)text_len / 4 + 8 : 256;
    uint32_t larger = full == 0 ? first : full * 2;
    if (!arena_extend(arena, items, full * sizeof(*items), larger * sizeof(*items))) {
        items = arena_alloc(arena, (size_t)larger * sizeof(*items));
        if (items == NULL)
            return NULL;
        if (out->list.items != NULL)
            memcpy(items, out->list.items, full * sizeof(*items));
    }
    out->list.items = items;
    out->list.capacity = larger;
    return items + full;
}

/*
 * Most words are shorter than a run and have one before the end of the text; it gives their end, and their first eight
 * bytes the key. 0: the word is longer, or may go on with other characters, and is left to scan_word.
 */
static inline size_t short_word_length(const char *p, const char *end)
{
    if (end - p <= RUN_LENGTH)
        return 0;
    size_t len = plain_length(p);
    uint8_t next = leads[(uint8_t)p[len]];
    bool more = next >= LEAD_DOLLAR && next <= LEAD_HIGH;
    return len == RUN_LENGTH || more ? 0 : len;
}

/* The token of this lead at p; returns the place behind it. */
static inline const char *read_token(const struct lexer *lx, enum lead lead, const char *p, struct token *token)
{
    uint32_t start = (uint32_t)(p - lx->start);
    size_t len = lead == LEAD_WORD ? short_word_length(p, lx->end) : 0;
    if (len > 0) {
        struct keyword_found found = keyword_lookup_key(keyword_key_within(p, len), p, len, lx->dialect);
        *token = (struct token){start, start + (uint32_t)len, TOKEN_WORD, found.word_class, found.word};
        return p + len;
    }
    if (lead == LEAD_SINGLE) {
        *token = (struct token){.start = start, .end = start + 1, .kind = singles[(uint8_t)*p]};
        return p + 1;
    }
    *token = (struct token){.start = start};
    p = scan_token(lx, p, token);
    token->end = (uint32_t)(p - lx->start);
    return p;
}

size_t lex_statement(str_t text, size_t pos, const struct parse_options *options,
                     struct arena *arena, struct tokens *out)
{
    struct lexer lx = {text.ptr, text.ptr + text.len, out, options->dialect, QUOTED_COLUMN};
    if (options->dialect == DIALECT_HIVE)
        lx.quoted_identifiers = (int)options->quoted_identifiers;
    const char *p = text.ptr + pos, *end = lx.end;
    struct token lost[2] = {0}; /* out of memory: the statement's end is looked for all the same */
    struct token *token = out->list.items, *limit = out->list.items;
    if (token != NULL) {
        token += out->list.count;
        limit += out->list.capacity;
    }
    for (;;) {
        enum lead lead = p < end ? (enum lead)leads[(uint8_t)*p] : LEAD_END;
        const char *behind = lead < LEAD_MINUS || lead == LEAD_END ? p : lead == LEAD_BLANK ? p + 1 : trivia_end(&lx, p);
        if (behind != p) {
            p = behind;
            continue;
        }
        if (token == limit) {
            token = make_room(arena, out, (size_t)(end - p));
            limit = token == NULL ? &lost[2] : out->list.items + out->list.capacity;
            if (token == NULL)
                token = &lost[1];
        }
        if (lead == LEAD_END)
            break;
        p = read_token(&lx, lead, p, token++);
        p += p < end && *p == ' '; /* whether one blank stands there cannot be guessed */
    }
    uint32_t at = (uint32_t)(p - text.ptr);
    *token = (struct token){.start = at, .end = at};
    if (!arena->failed)
        out->list.count = (uint32_t)(token + 1 - out->list.items);
    return at + (p < end ? 1 : 0);
}

size_t lex_skip_blanks(str_t text, size_t pos, enum dialect dialect)
{
    struct lexer lx = {text.ptr, text.ptr + text.len, NULL, dialect, QUOTED_COLUMN};
    const char *p = text.ptr + pos;
    while (p < lx.end) {
        uint8_t lead = leads[(uint8_t)*p];
        const char *behind = lead == LEAD_BLANK                        ? p + 1
                             : lead >= LEAD_MINUS && lead < LEAD_BLANK ? trivia_end(&lx, p)
                                                                       : p;
        if (behind == p)
            break;
        p = behind;
    }
    return (size_t)(p - text.ptr);
}
