/*
 * Impala's FROM: tables, collections, queries and UNNEST, joined from left to right. Commas and
 * joins have one precedence, so FROM is a flat chain.
 */
#include "sql/impala.h"

/* ---- what follows a table ---- */

struct expr *impala_as_of(struct parser *p)
{
    if (!accept_word(p, KW_FOR))
        return NULL;
    bool version = at_word(p, KW_SYSTEM_VERSION);
    if (!version && !at_word(p, KW_SYSTEM_TIME))
        parse_fail(p, STR("SYSTEM_TIME or SYSTEM_VERSION"));
    take(p);
    expect_word(p, KW_AS);
    expect_word(p, KW_OF);
    if (!version)
        return parse_expr(p);
    const struct token *token = p->token;
    if (!accept(p, TOKEN_VARIABLE))
        expect(p, TOKEN_NUMBER, "a number");
    struct expr *number = new_expr(p, EXPR_LITERAL, (span_t){token->start, token->end});
    if (number != NULL)
        number->op = LITERAL_NUMBER;
    return number;
}

/* '(' int ')' */
static void sample_number(struct parser *p, struct clause *clause)
{
    expect(p, TOKEN_LPAREN, "(");
    clause_add_word(p, clause, impala_integer(p));
    expect(p, TOKEN_RPAREN, ")");
}

struct clause *impala_sample(struct parser *p)
{
    if (!accept_word(p, KW_TABLESAMPLE))
        return NULL;
    struct clause *clause = new_clause(p, STR("tablesample"));
    expect_word(p, KW_SYSTEM);
    sample_number(p, clause);
    if (accept_word(p, KW_REPEATABLE))
        sample_number(p, clause);
    return clause;
}

/* ---- PIVOT and UNPIVOT ---- */

/* What stands for the column in the rows: a literal, kept as a name. */
static struct ident *unpivot_label(struct parser *p)
{
    if (at(p, TOKEN_STRING))
        return new_ident(p, impala_alias_ident(p));
    const struct token *first = p->token;
    parse_literal(p);
    return p->failed ? NULL : new_ident(p, ident_of_token(p, first));
}

/* An item without a name of its own: id [AS literal] */
static uint32_t unpivot_items(struct parser *p, struct select_item **out)
{
    VEC(struct select_item) list = {0};
    do {
        const struct token *first = p->token;
        struct qname name = impala_plain_name(p, "a column name");
        struct select_item item = {.expr = new_expr(p, EXPR_COLUMN, name.span)};
        if (item.expr != NULL)
            item.expr->u.name = name;
        if (accept_word(p, KW_AS))
            item.alias = unpivot_label(p);
        item.span = span_from(p, first);
        struct select_item *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = item;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}

/*
 * PIVOT '(' items FOR id IN '(' items ')' ')'
 * UNPIVOT '(' id FOR id IN '(' id [AS literal] {',' ..} ')' ')'
 */
static struct pivot *pivot(struct parser *p)
{
    struct pivot *pivot = ARENA_NEW(p->arena, struct pivot);
    bool unpivot = take(p)->word == KW_UNPIVOT;
    if (pivot == NULL)
        return NULL;
    pivot->unpivot = unpivot;
    expect(p, TOKEN_LPAREN, "(");
    if (unpivot)
        pivot->value_column = parse_ident(p, "a column name");
    else
        pivot->item_count = impala_select_items(p, &pivot->items);
    expect_word(p, KW_FOR);
    pivot->for_column = parse_ident(p, "a column name");
    expect_word(p, KW_IN);
    expect(p, TOKEN_LPAREN, "(");
    pivot->in_count =
        unpivot ? unpivot_items(p, &pivot->in_items) : impala_select_items(p, &pivot->in_items);
    expect(p, TOKEN_RPAREN, ", or )");
    expect(p, TOKEN_RPAREN, ")");
    return pivot;
}

/* ---- references ---- */

static struct from_item *new_item(struct parser *p, enum from_kind kind)
{
    struct from_item *item = ARENA_NEW(p->arena, struct from_item);
    if (item != NULL)
        item->kind = (uint8_t)kind;
    return item;
}

static void set_argument(struct parser *p, struct from_item *item, struct expr *argument)
{
    struct expr **args = argument != NULL ? arena_alloc(p->arena, sizeof(*args)) : NULL;
    if (args == NULL)
        return;
    args[0] = argument;
    item->args = (struct exprs){args, 1};
}

static struct ident *mandatory_alias(struct parser *p)
{
    struct ident *alias = impala_alias(p);
    if (alias == NULL && !p->arena->failed)
        parse_fail(p, STR("an alias"));
    return alias;
}

/* '(' query ')' alias [sample] */
static struct from_item *inline_view(struct parser *p)
{
    struct from_item *item = new_item(p, FROM_QUERY);
    take(p);
    struct query *query = impala_parse_query(p);
    expect(p, TOKEN_RPAREN, ")");
    struct ident *alias = mandatory_alias(p);
    impala_sample(p);
    if (item != NULL) {
        item->query = query;
        item->alias = alias;
    }
    return item;
}

/* path [asof] [alias] [sample] | path (PIVOT | UNPIVOT) (..) alias */
static struct from_item *path_ref(struct parser *p)
{
    struct from_item *item = new_item(p, FROM_TABLE);
    struct qname name = parse_qname(p, "a table name");
    if (item == NULL)
        return NULL;
    item->name = name;
    if (at_word(p, KW_PIVOT) || at_word(p, KW_UNPIVOT)) {
        item->pivot = pivot(p);
        item->alias = mandatory_alias(p);
        return item;
    }
    set_argument(p, item, impala_as_of(p));
    item->alias = impala_alias(p);
    impala_sample(p);
    return item;
}

struct from_item *impala_table_ref(struct parser *p)
{
    const struct token *first = p->token;
    struct from_item *item = at(p, TOKEN_LPAREN) ? inline_view(p) : path_ref(p);
    if (item != NULL)
        item->span = span_from(p, first);
    return item;
}

/* A path as an expression: what UNNEST takes. */
static struct expr *collection(struct parser *p)
{
    struct qname name = parse_qname(p, "a collection");
    struct expr *expr = new_expr(p, EXPR_COLUMN, name.span);
    if (expr != NULL)
        expr->u.name = name;
    return expr;
}

static struct exprs collections(struct parser *p)
{
    VEC(struct expr *) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct expr *expr = collection(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = expr;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return (struct exprs){list.items, list.count};
}

/* UNNEST '(' path {',' path} ')' [AS '(' id {',' id} ')'] */
static struct from_item *unnest(struct parser *p)
{
    const struct token *first = take(p);
    struct from_item *item = new_item(p, FROM_UNNEST);
    struct exprs args = collections(p);
    struct ident *columns = NULL;
    uint32_t count = accept_word(p, KW_AS) ? parse_ident_list(p, &columns, "a column name") : 0;
    if (count > 0 && count != args.count)
        parse_fail_at(p, DIAG_VALUE, first,
                      STR("UNNEST has another number of aliases than of collections"));
    if (item == NULL)
        return NULL;
    item->args = args;
    item->columns = columns;
    item->column_count = count;
    item->span = span_from(p, first);
    return item;
}

/* ref = table [hints] | unnest */
static struct from_item *first_ref(struct parser *p)
{
    if (at_word(p, KW_UNNEST))
        return unnest(p);
    struct from_item *item = impala_table_ref(p);
    impala_hints(p);
    return item;
}

/* ---- joins ---- */

/* What stands behind LEFT, RIGHT or FULL: [OUTER] | SEMI | ANTI */
static uint8_t sided_join(struct parser *p, uint16_t side)
{
    if (side != KW_FULL && accept_word(p, KW_SEMI))
        return side == KW_LEFT ? JOIN_LEFT_SEMI : JOIN_RIGHT_SEMI;
    if (side != KW_FULL && accept_word(p, KW_ANTI))
        return side == KW_LEFT ? JOIN_LEFT_ANTI : JOIN_RIGHT_ANTI;
    accept_word(p, KW_OUTER);
    return side == KW_LEFT ? JOIN_LEFT : side == KW_RIGHT ? JOIN_RIGHT : JOIN_FULL;
}

/*
 * joinop = [INNER] JOIN | CROSS JOIN | (LEFT | RIGHT | FULL) [OUTER] JOIN
 *        | (LEFT | RIGHT) (SEMI | ANTI) JOIN
 */
static uint8_t join_operator(struct parser *p)
{
    if (accept_word(p, KW_JOIN))
        return JOIN_INNER;
    uint16_t word = take(p)->word;
    uint8_t kind = word == KW_INNER   ? JOIN_INNER
                   : word == KW_CROSS ? JOIN_CROSS
                                      : sided_join(p, word);
    expect_word(p, KW_JOIN);
    return kind;
}

/* joinop [hints] table [hints] [ON expr | USING '(' ids ')'] */
static struct join_step join(struct parser *p)
{
    struct join_step step = {.kind = join_operator(p)};
    impala_hints(p);
    step.right = impala_table_ref(p);
    impala_hints(p);
    if (step.kind == JOIN_CROSS)
        return step;
    if (accept_word(p, KW_ON))
        step.on = parse_expr(p);
    else if (accept_word(p, KW_USING))
        step.using_count = parse_ident_list(p, &step.using_columns, "a column name");
    return step;
}

static bool at_join(const struct parser *p)
{
    switch (p->token->word) {
    case KW_JOIN:
    case KW_INNER:
    case KW_CROSS:
    case KW_LEFT:
    case KW_RIGHT:
    case KW_FULL:
        return true;
    default:
        return false;
    }
}

/* Collections are unnested side by side; two UNNESTs would leave open how. */
static void check_unnest(struct parser *p, const struct from_item *item, const struct token *token,
                         bool *seen)
{
    if (item == NULL || item->kind != FROM_UNNEST)
        return;
    if (*seen)
        parse_fail_at(p, DIAG_VALUE, token,
                      STR("UNNEST may stand only once in FROM; it takes several collections"));
    *seen = true;
}

struct steps {
    VEC(struct join_step) list;
};

static void join_steps(struct parser *p, struct steps *steps, bool unnested)
{
    while (at(p, TOKEN_COMMA) || at_join(p)) {
        const struct token *first = p->token;
        struct join_step step = {.kind = JOIN_COMMA};
        if (accept(p, TOKEN_COMMA)) {
            const struct token *token = p->token;
            step.right = first_ref(p);
            check_unnest(p, step.right, token, &unnested);
        } else {
            step = join(p);
        }
        step.span = span_from(p, first);
        struct join_step *slot = VEC_PUSH(p->arena, &steps->list);
        if (slot != NULL)
            *slot = step;
    }
}

struct from_item *impala_from(struct parser *p)
{
    const struct token *token = p->token;
    struct from_item *first = first_ref(p);
    struct steps steps = {0};
    join_steps(p, &steps, first != NULL && first->kind == FROM_UNNEST);
    if (steps.list.count == 0)
        return first;
    struct from_item *chain = new_item(p, FROM_JOIN);
    if (chain == NULL)
        return NULL;
    chain->first = first;
    chain->joins = steps.list.items;
    chain->join_count = steps.list.count;
    chain->span = span_from(p, token);
    return chain;
}
