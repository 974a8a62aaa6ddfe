/* What canonical items say, and what stands before a literal: only behind words and signs that take any value it is free. */
#include "fingerprint/literals.h"

#include "fingerprint/canon.h"

static bool is_one_of(uint16_t word, const uint16_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] == word)
            return true;
    return false;
}

/* Behind others a literal has a form of its own (DATE '..'), or counts something. */
static bool takes_any_value(const struct token *word)
{
    static const uint16_t words[] = {KW_LIKE, KW_RLIKE, KW_REGEXP, KW_ILIKE, KW_IREGEXP, KW_AND,    KW_OR,      KW_NOT,    KW_BETWEEN, KW_THEN,
                                     KW_ELSE, KW_WHEN,  KW_CASE,   KW_WHERE, KW_ON,      KW_HAVING, KW_SELECT,  KW_LIMIT,  KW_OFFSET};
    return is_one_of(word->word, words, sizeof words / sizeof words[0]);
}

/* decimal(18, 2): the token behind the parenthesis, or behind the comma in it */
static bool is_of_type(const struct token *tokens, uint32_t i)
{
    static const uint16_t types[] = {KW_DECIMAL, KW_NUMERIC, KW_DEC, KW_CHAR, KW_VARCHAR};
    uint32_t open = i >= 3 && tokens[i - 1].kind == TOKEN_COMMA && tokens[i - 2].kind == TOKEN_NUMBER ? i - 3 : i - 1;
    return open >= 1 && tokens[open].kind == TOKEN_LPAREN && is_one_of(tokens[open - 1].word, types, sizeof types / sizeof types[0]);
}

static bool may_matter(const struct token *tokens, uint32_t i)
{
    if (i == 0)
        return true;
    switch (tokens[i - 1].kind) {
    case TOKEN_LPAREN:
    case TOKEN_COMMA:
        return is_of_type(tokens, i);
    case TOKEN_EQ:
    case TOKEN_NE:
    case TOKEN_LT:
    case TOKEN_LE:
    case TOKEN_GT:
    case TOKEN_GE:
    case TOKEN_NULL_SAFE_EQ:
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_STAR:
    case TOKEN_SLASH:
    case TOKEN_PERCENT:
    case TOKEN_CONCAT:
        return false;
    default:
        return !takes_any_value(&tokens[i - 1]);
    }
}

bool literals_find(struct literals *literals, str_t text, const struct tokens *tokens, enum dialect dialect, struct arena *arena)
{
    struct canon canon;
    struct canon_item item;
    canon_init(&canon, text, tokens, dialect, arena);
    canon.keep_all = true;
    for (uint32_t at = 0; canon_next(&canon, &item);) {
        if (item.kind != CANON_LITERAL)
            continue;
        while (tokens->list.items[at].start < item.span.start)
            at++;
        struct literal *literal = VEC_PUSH(arena, &literals->list);
        if (literal == NULL)
            return false;
        *literal = (struct literal){item.span, item.structure || may_matter(tokens->list.items, at)};
    }
    return !arena->failed;
}
