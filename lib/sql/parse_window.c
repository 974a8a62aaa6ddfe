/* Sort keys and windows, for both dialects. */
#include "sql/parser.h"

/* expr [ASC | DESC] [NULLS (FIRST | LAST)] */
static struct sort_key parse_sort_key(struct parser *p)
{
    struct sort_key key = {.expr = parse_expr(p)};
    if (accept_word(p, KW_DESC))
        key.descending = true;
    else
        accept_word(p, KW_ASC);
    if (!accept_word(p, KW_NULLS))
        return key;
    if (accept_word(p, KW_FIRST))
        key.nulls = 1;
    else if (accept_word(p, KW_LAST))
        key.nulls = 2;
    else
        parse_fail(p, STR("FIRST or LAST"));
    return key;
}

struct sort_keys parse_sort_keys(struct parser *p)
{
    VEC(struct sort_key) list = {0};
    do {
        struct sort_key key = parse_sort_key(p);
        struct sort_key *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = key;
    } while (accept(p, TOKEN_COMMA));
    return (struct sort_keys){list.items, list.count};
}

static void add_bound(struct parser *p, struct window *window, struct expr *bound)
{
    struct expr **items = ARENA_ARRAY(p->arena, struct expr *, window->frame.count + 1);
    if (items == NULL || bound == NULL)
        return;
    for (uint32_t i = 0; i < window->frame.count; i++)
        items[i] = window->frame.items[i];
    items[window->frame.count++] = bound;
    window->frame.items = items;
}

/* Hive's frames are bounded by bare numbers, Impala's by expressions. */
static struct expr *parse_bound_value(struct parser *p)
{
    if (p->dialect == DIALECT_IMPALA)
        return parse_expr(p);
    if (!at(p, TOKEN_NUMBER) && !at(p, TOKEN_VARIABLE)) {
        parse_fail(p, STR("UNBOUNDED, CURRENT ROW or a number"));
        return NULL;
    }
    const struct token *token = take(p);
    struct expr *value = new_expr(p, EXPR_LITERAL, (span_t){token->start, token->end});
    if (value != NULL)
        value->op = LITERAL_NUMBER;
    return value;
}

/* UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | value (PRECEDING | FOLLOWING) */
static void parse_bound(struct parser *p, struct window *window, bool may_follow)
{
    if (accept_word(p, KW_CURRENT)) {
        expect_word(p, KW_ROW);
        return;
    }
    if (!accept_word(p, KW_UNBOUNDED))
        add_bound(p, window, parse_bound_value(p));
    if (accept_word(p, KW_PRECEDING) || (may_follow && accept_word(p, KW_FOLLOWING)))
        return;
    parse_fail(p, may_follow ? STR("PRECEDING or FOLLOWING") : STR("PRECEDING"));
}

/* (ROWS | RANGE) (bound | BETWEEN bound AND bound) */
static void parse_frame(struct parser *p, struct window *window)
{
    if (!accept_word(p, KW_ROWS) && !accept_word(p, KW_RANGE))
        return;
    window->has_frame = true;
    if (!accept_word(p, KW_BETWEEN)) {
        parse_bound(p, window, p->dialect == DIALECT_IMPALA);
        return;
    }
    parse_bound(p, window, true);
    expect_word(p, KW_AND);
    parse_bound(p, window, true);
}

/* expr {',' expr} | '(' expr {',' expr} ')': the parentheses are those of a row */
struct exprs parse_key_exprs(struct parser *p)
{
    struct exprs list = {0};
    list.count = parse_expr_list(p, &list.items);
    bool row = list.count == 1 && list.items != NULL && list.items[0] != NULL &&
               list.items[0]->kind == EXPR_ROW;
    if (row)
        list = (struct exprs){list.items[0]->args, list.items[0]->arg_count};
    return list;
}

/*
 * PARTITION BY exprs [ORDER BY keys] | DISTRIBUTE BY exprs [SORT BY keys] | CLUSTER BY exprs |
 * ORDER BY keys | SORT BY keys Only the first with ORDER BY is Impala's.
 */
void parse_partitioning(struct parser *p, struct window *window)
{
    bool hive = p->dialect == DIALECT_HIVE;
    bool sorted = false;
    if (accept_words(p, KW_PARTITION, KW_BY)) {
        window->partition_by = parse_key_exprs(p);
    } else if (hive && accept_words(p, KW_DISTRIBUTE, KW_BY)) {
        window->partition_by = parse_key_exprs(p);
        sorted = true;
    } else if (hive && accept_words(p, KW_CLUSTER, KW_BY)) {
        window->partition_by = parse_key_exprs(p);
        return;
    } else {
        sorted = hive && at_words(p, KW_SORT, KW_BY);
    }
    if (sorted ? accept_words(p, KW_SORT, KW_BY) : accept_words(p, KW_ORDER, KW_BY))
        window->order_by = parse_sort_keys(p);
}

/* Whether a window begins with the name of another: not when the word begins the partitioning. */
static bool at_base_window(const struct parser *p)
{
    bool keyed = at_words(p, KW_DISTRIBUTE, KW_BY) || at_words(p, KW_CLUSTER, KW_BY) ||
                 at_words(p, KW_SORT, KW_BY);
    return p->dialect == DIALECT_HIVE && is_name_token(p->token) && !keyed;
}

/* '(' [name] [partitioning] [frame] ')' */
static void parse_window_definition(struct parser *p, struct window *window)
{
    expect(p, TOKEN_LPAREN, p->dialect == DIALECT_HIVE ? "a window's name or (" : "(");
    if (at_base_window(p))
        window->base = new_ident(p, parse_ident(p, "a window"));
    parse_partitioning(p, window);
    parse_frame(p, window);
    if (!at_words(p, KW_PARTITION, KW_BY) && accept_word(p, KW_PARTITION))
        expect_word(p, KW_BY);
    if (!accept(p, TOKEN_RPAREN))
        parse_fail_end(p, STR(")"));
}

/* name | definition */
struct window *parse_window(struct parser *p)
{
    const struct token *first = p->token;
    struct window window = {0};
    if (at_base_window(p))
        window.base = new_ident(p, parse_ident(p, "a window"));
    else
        parse_window_definition(p, &window);
    window.span = span_from(p, first);
    struct window *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = window;
    return copy;
}
