/*
 * Hints: comments that begin with +, lists in brackets, and the bare word STRAIGHT_JOIN. They say
 * nothing about lineage and leave no trace in the tree, but they stand only where the grammar has a
 * place for them and have a grammar of their own: hints = [hint {',' hint}]     hint =
 * STRAIGHT_JOIN | name ['(' (int | id {',' id}) ')']
 */
#include "sql/impala.h"

static bool is_line_break(char c)
{
    return c == '\n' || c == '\r';
}

/* The name of a hint; some are keywords. */
static bool at_hint_name(const struct parser *p)
{
    return at(p, TOKEN_WORD) && (p->token->reserved != WORD_RESERVED || at_word(p, KW_CLUSTERED));
}

/* '(' (int | id {',' id}) ')' */
static void hint_arguments(struct parser *p)
{
    if (at(p, TOKEN_NUMBER)) {
        impala_integer(p);
    } else {
        do
            parse_ident(p, "a name or an integer");
        while (accept(p, TOKEN_COMMA));
    }
    expect(p, TOKEN_RPAREN, ")");
}

static void hint(struct parser *p)
{
    if (accept_word(p, KW_STRAIGHT_JOIN))
        return;
    if (!at_hint_name(p))
        parse_fail(p, STR("a hint"));
    else
        take(p);
    if (accept(p, TOKEN_LPAREN))
        hint_arguments(p);
}

static void hint_list(struct parser *p)
{
    do
        hint(p);
    while (accept(p, TOKEN_COMMA));
}

/* SELECTIVITY '(' decimal ')' */
static void selectivity(struct parser *p)
{
    expect_word(p, KW_SELECTIVITY);
    expect(p, TOKEN_LPAREN, "(");
    if (memchr(token_text(p, p->token).ptr, '.', token_text(p, p->token).len) == NULL)
        parse_fail(p, STR("a number with a decimal point"));
    expect(p, TOKEN_NUMBER, "a number with a decimal point");
    expect(p, TOKEN_RPAREN, ")");
}

/* Where the text of a hint ends in the text that is parsed: before its closing sign. */
static size_t hint_text_end(const struct parser *p, const struct token *token)
{
    return p->text.ptr[token->start] == '-' ? token->end : token->end - 2;
}

/* A hint after -- ends with its line; without a line break it has no end. */
static bool is_closed(const struct parser *p, const struct token *token)
{
    return p->text.ptr[token->start] != '-' ||
           (token->end < p->text.len && is_line_break(p->text.ptr[token->end]));
}

/* Parses what stands inside a comment with the given rule. */
static void parse_inside(struct parser *p, void (*rule)(struct parser *))
{
    const struct token *token = take(p);
    size_t end = hint_text_end(p, token);
    size_t start = str_find(p->text, '+', token->start) + 1;
    struct tokens tokens = {0};
    struct parser inner = *p;
    inner.text = str_make(p->text.ptr, end);
    lex_statement(inner.text, start, p->options, p->arena, &tokens);
    if (tokens.list.count == 0 || p->arena->failed)
        return;
    inner.first = inner.token = tokens.list.items;
    inner.end = &tokens.list.items[tokens.list.count - 1];
    if (inner.token != inner.end)
        rule(&inner);
    if (inner.failed || inner.token != inner.end || inner.end->start != end || !is_closed(p, token))
        parse_fail_at(p, DIAG_SYNTAX, token,
                      STR("expected a list of hints with an end, found something else"));
}

bool impala_at_hints(const struct parser *p)
{
    return at(p, TOKEN_HINT) || at(p, TOKEN_LBRACKET) || at_word(p, KW_STRAIGHT_JOIN);
}

void impala_hints(struct parser *p)
{
    if (at(p, TOKEN_HINT)) {
        parse_inside(p, hint_list);
    } else if (accept(p, TOKEN_LBRACKET)) {
        hint_list(p);
        expect(p, TOKEN_RBRACKET, "]");
    } else {
        accept_word(p, KW_STRAIGHT_JOIN);
    }
}

void impala_selectivity_hint(struct parser *p)
{
    if (at(p, TOKEN_HINT))
        parse_inside(p, selectivity);
}
