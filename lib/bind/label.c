/* Labels are written from tokens, by rules about what stands beside what; windows are three dots, as Impala has it (impala.md 7.2). */
#include "bind/label.h"

#include "sql/lex.h"

struct label {
    struct arena *arena;
    str_t text; /* that the tokens are of */
    VEC(char) out;
};

static void put(struct label *label, char c)
{
    char *place = VEC_PUSH(label->arena, &label->out);
    if (place != NULL)
        *place = ascii_lower(c);
}

static void put_text(struct label *label, str_t text)
{
    for (size_t i = 0; i < text.len; i++)
        put(label, text.ptr[i]);
}

/* Words behind which a parenthesis does not begin arguments. */
static bool is_operator_word(const struct token *token)
{
    switch (token->word) {
    case KW_AND:
    case KW_OR:
    case KW_NOT:
    case KW_IN:
    case KW_BETWEEN:
    case KW_LIKE:
    case KW_IS:
    case KW_CASE:
    case KW_WHEN:
    case KW_THEN:
    case KW_ELSE:
    case KW_DISTINCT:
    case KW_DIV:
    case KW_FROM:
    case KW_WHERE:
    case KW_SELECT:
    case KW_BY:
    case KW_AS:
        return true;
    default:
        return false;
    }
}

static bool is_sign(const struct token *token)
{
    return token->kind == TOKEN_MINUS || token->kind == TOKEN_PLUS || token->kind == TOKEN_TILDE || token->kind == TOKEN_NOT_SIGN;
}

/* Whether an operand can end with the token, so that a sign behind it stands between two. */
static bool ends_operand(const struct token *token)
{
    return token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING || token->kind == TOKEN_QUOTED || token->kind == TOKEN_RPAREN
           || (token->kind == TOKEN_WORD && !is_operator_word(token));
}

static bool blank_between(const struct token *tokens, uint32_t i)
{
    const struct token *before = &tokens[i - 1], *token = &tokens[i];
    if (before->kind == TOKEN_LPAREN || before->kind == TOKEN_LBRACKET || before->kind == TOKEN_DOT)
        return false;
    if (is_sign(before) && (i == 1 || !ends_operand(&tokens[i - 2])))
        return false;
    switch (token->kind) {
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
    case TOKEN_LBRACKET:
    case TOKEN_DOT:
    case TOKEN_COMMA:
        return false;
    case TOKEN_LPAREN:
        return !(before->kind == TOKEN_QUOTED || (before->kind == TOKEN_WORD && !is_operator_word(before)));
    default:
        return true;
    }
}

/* Behind the parenthesis that matches the one at token i. */
static uint32_t behind_match(const struct tokens *tokens, uint32_t i)
{
    uint32_t depth = 0;
    for (; i + 1 < tokens->list.count; i++) {
        uint8_t kind = tokens->list.items[i].kind;
        depth += kind == TOKEN_LPAREN;
        if (kind == TOKEN_RPAREN && --depth == 0)
            return i + 1;
    }
    return i;
}

static void put_tokens(struct label *label, const struct tokens *tokens)
{
    const struct token *items = tokens->list.items;
    for (uint32_t i = 0; i + 1 < tokens->list.count;) {
        if (i > 0 && blank_between(items, i))
            put(label, ' ');
        put_text(label, str_make(label->text.ptr + items[i].start, items[i].end - items[i].start));
        bool window = items[i].word == KW_OVER && items[i + 1].kind == TOKEN_LPAREN;
        if (window)
            put_text(label, STR("(...)"));
        i = window ? behind_match(tokens, i + 1) : i + 1;
    }
}

struct name expression_label(struct binder *b, span_t span)
{
    struct tokens tokens = {0};
    struct label label = {.arena = b->arena, .text = binder_slice(b, span)};
    lex_statement(label.text, 0, b->in->parse_options, b->arena, &tokens);
    if (b->arena->failed)
        return NAME("");
    put_tokens(&label, &tokens);
    return name_of(str_make(label.out.items, label.out.count));
}
