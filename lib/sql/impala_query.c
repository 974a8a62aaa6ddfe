/*
 * Impala's queries, from WITH to OFFSET. A chain of set operations is one flat node; ORDER BY,
 * LIMIT and OFFSET behind its last operand belong to the whole, unless that operand stands in
 * parentheses.
 */
#include "sql/impala.h"

bool impala_begins_query(const struct token *token)
{
    return token->word == KW_SELECT || token->word == KW_VALUES || token->word == KW_WITH;
}

bool impala_at_query(const struct parser *p)
{
    return impala_begins_query(p->token) || at(p, TOKEN_LPAREN);
}

static struct query *new_query(struct parser *p, enum query_kind kind)
{
    struct query *query = ARENA_NEW(p->arena, struct query);
    if (query != NULL)
        query->kind = (uint8_t)kind;
    return query;
}

/* ---- select list ---- */

struct ident impala_alias_ident(struct parser *p)
{
    if (!at(p, TOKEN_STRING))
        return parse_ident(p, "a name");
    struct ident ident = {.span = {p->token->start, p->token->end}, .quoted = true};
    ident.name = arena_name(p->arena, parse_string(p, "a name"));
    return ident;
}

struct ident *impala_alias(struct parser *p)
{
    if (accept_word(p, KW_AS) || at(p, TOKEN_STRING) || is_identifier(p, p->token))
        return new_ident(p, impala_alias_ident(p));
    return NULL;
}

/* expr [alias] | '*' | path '.' '*' */
static struct select_item select_item(struct parser *p)
{
    const struct token *first = p->token;
    struct select_item item = {.expr = parse_select_expr(p)};
    if (item.expr == NULL || item.expr->kind != EXPR_STAR)
        item.alias = impala_alias(p);
    item.span = span_from(p, first);
    return item;
}

uint32_t impala_select_items(struct parser *p, struct select_item **out)
{
    VEC(struct select_item) list = {0};
    do {
        struct select_item item = select_item(p);
        struct select_item *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = item;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}

/* ---- clauses ---- */

static bool at_rollup(const struct parser *p)
{
    return at_word(p, KW_ROLLUP) || at_word(p, KW_CUBE);
}

static uint8_t take_rollup(struct parser *p)
{
    return take(p)->word == KW_ROLLUP ? GROUP_ROLLUP : GROUP_CUBE;
}

/* Whether '(' at the cursor is a set of keys, and not a key that begins with a parenthesis. */
static bool at_key_set(const struct parser *p)
{
    size_t depth = 0;
    const struct token *token = p->token;
    do {
        if (token->kind == TOKEN_LPAREN)
            depth++;
        else if (token->kind == TOKEN_RPAREN)
            depth--;
        token++;
    } while (depth > 0 && token != p->end);
    return token->kind == TOKEN_COMMA || token->kind == TOKEN_RPAREN;
}

/* gset = expr | '(' [expr {',' expr}] ')' */
static struct expr *grouping_set(struct parser *p)
{
    const struct token *first = p->token;
    if (!at(p, TOKEN_LPAREN) || !at_key_set(p))
        return parse_expr(p);
    take(p);
    struct expr *row = new_expr(p, EXPR_ROW, (span_t){0, 0});
    struct expr **keys = NULL;
    uint32_t count = at(p, TOKEN_RPAREN) ? 0 : parse_expr_list(p, &keys);
    expect(p, TOKEN_RPAREN, ", or )");
    if (row != NULL) {
        row->args = keys;
        row->arg_count = count;
        row->span = span_from(p, first);
    }
    return row;
}

static struct exprs grouping_sets(struct parser *p)
{
    VEC(struct expr *) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct expr *set = grouping_set(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = set;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return (struct exprs){list.items, list.count};
}

static struct exprs expr_list(struct parser *p)
{
    struct exprs list = {0};
    list.count = parse_expr_list(p, &list.items);
    return list;
}

/*
 * GROUP BY (expr {',' expr} [WITH (ROLLUP | CUBE)] | (ROLLUP | CUBE) '(' .. ')'
 *           | GROUPING SETS '(' .. ')')
 */
static struct group_by group_by(struct parser *p)
{
    const struct token *first = p->token;
    struct group_by group = {.kind = GROUP_NONE};
    if (!accept_word(p, KW_GROUP))
        return group;
    expect_word(p, KW_BY);
    if (at_rollup(p)) {
        group.kind = take_rollup(p);
        expect(p, TOKEN_LPAREN, "(");
        group.keys = expr_list(p);
        expect(p, TOKEN_RPAREN, ", or )");
    } else if (accept_words(p, KW_GROUPING, KW_SETS)) {
        group.kind = GROUP_SETS;
        group.sets = grouping_sets(p);
    } else {
        group.kind = GROUP_PLAIN;
        group.keys = expr_list(p);
        if (accept_word(p, KW_WITH)) {
            if (!at_rollup(p))
                parse_fail(p, STR("ROLLUP or CUBE"));
            group.kind = take_rollup(p);
        }
    }
    group.span = span_from(p, first);
    return group;
}

/* LIMIT expr | OFFSET expr, each once and in this order */
static struct exprs limit(struct parser *p)
{
    VEC(struct expr *) list = {0};
    static const enum keyword words[] = {KW_LIMIT, KW_OFFSET};
    for (size_t i = 0; i < 2; i++) {
        if (!accept_word(p, words[i]))
            continue;
        struct expr *count = parse_expr(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = count;
    }
    return (struct exprs){list.items, list.count};
}

static bool at_order(const struct parser *p)
{
    return at_word(p, KW_ORDER) || at_word(p, KW_LIMIT) || at_word(p, KW_OFFSET);
}

/* [ORDER BY order {',' order}] [LIMIT expr] [OFFSET expr] */
static void order_and_limit(struct parser *p, struct query *query)
{
    struct sort_keys keys = {0};
    if (accept_word(p, KW_ORDER)) {
        expect_word(p, KW_BY);
        keys = parse_sort_keys(p);
    }
    struct exprs bounds = limit(p);
    if (query == NULL)
        return;
    query->order_by = keys;
    query->limit = bounds;
    query->has_limit = bounds.count > 0;
}

/* ---- SELECT ---- */

/* FROM from [WHERE [hints] expr] [groupby] [HAVING expr] */
static void from_clauses(struct parser *p, struct block *block)
{
    block->from = impala_from(p);
    if (accept_word(p, KW_WHERE)) {
        impala_hints(p);
        block->where = parse_expr(p);
    }
    block->group_by = group_by(p);
    if (accept_word(p, KW_HAVING))
        block->having = parse_expr(p);
}

/* SELECT [ALL | DISTINCT] [hints] items [FROM .. [ORDER BY ..] [LIMIT ..] [OFFSET ..]] */
static struct query *select_query(struct parser *p)
{
    const struct token *first = take(p);
    struct query *query = new_query(p, QUERY_BLOCK);
    struct block *block = ARENA_NEW(p->arena, struct block);
    if (query == NULL || block == NULL)
        return NULL;
    query->u.block = block;
    block->distinct = accept_word(p, KW_DISTINCT);
    if (!block->distinct)
        accept_word(p, KW_ALL);
    impala_hints(p);
    block->item_count = impala_select_items(p, &block->items);
    bool has_from = accept_word(p, KW_FROM);
    if (has_from)
        from_clauses(p, block);
    block->span = span_from(p, first);
    if (has_from)
        order_and_limit(p, query);
    query->span = span_from(p, first);
    return query;
}

/* ---- VALUES ---- */

uint32_t impala_row(struct parser *p, struct select_item **out)
{
    expect(p, TOKEN_LPAREN, "(");
    uint32_t count = impala_select_items(p, out);
    expect(p, TOKEN_RPAREN, ", or )");
    return count;
}

struct rows {
    VEC(struct select_item *) rows;
    VEC(uint32_t) lengths;
};

static void add_row(struct parser *p, struct rows *rows)
{
    struct select_item *items = NULL;
    uint32_t count = impala_row(p, &items);
    struct select_item **row = VEC_PUSH(p->arena, &rows->rows);
    uint32_t *length = VEC_PUSH(p->arena, &rows->lengths);
    if (row == NULL || length == NULL)
        return;
    *row = items;
    *length = count;
}

/*
 * Whether `expr alias` stands before the token: what can end an expression, then a name or a
 * string.
 */
static bool ends_with_alias(const struct parser *p, const struct token *token)
{
    const struct token *before = token - 2;
    bool operand = before->kind == TOKEN_NUMBER || before->kind == TOKEN_STRING ||
                   before->kind == TOKEN_RPAREN || before->word == KW_END ||
                   before->word == KW_NULL || is_identifier(p, before);
    return operand && (token[-1].kind == TOKEN_STRING || is_identifier(p, token - 1));
}

/*
 * Whether the '(' behind VALUES holds rows in parentheses: `((1, 2), (3, 4))`, `((1 x), (2))`,
 * against `((1), 2)`, a row that begins with an expression in parentheses. There are no values of
 * several parts, so a comma or an alias inside the inner parentheses tells.
 */
static bool at_rows_in_parentheses(const struct parser *p)
{
    const struct token *token = peek_at(p, 1);
    if (token->kind != TOKEN_LPAREN || impala_begins_query(token + 1))
        return false;
    size_t depth = 0;
    for (; token != p->end; token++) {
        if (token->kind == TOKEN_LPAREN)
            depth++;
        else if (token->kind == TOKEN_RPAREN && --depth == 0)
            return ends_with_alias(p, token);
        else if (depth == 1 && (token->kind == TOKEN_COMMA || token->word == KW_AS))
            return true;
    }
    return false;
}

/* VALUES (row {',' row} | '(' row {',' row} ')') [ORDER BY ..] [LIMIT ..] [OFFSET ..] */
static struct query *values_query(struct parser *p)
{
    const struct token *first = take(p);
    struct query *query = new_query(p, QUERY_VALUES);
    struct values *values = ARENA_NEW(p->arena, struct values);
    if (query == NULL || values == NULL)
        return NULL;
    query->u.values = values;
    bool enclosed = at(p, TOKEN_LPAREN) && at_rows_in_parentheses(p);
    if (enclosed)
        take(p);
    struct rows rows = {0};
    do
        add_row(p, &rows);
    while (accept(p, TOKEN_COMMA));
    if (enclosed)
        expect(p, TOKEN_RPAREN, ", or )");
    values->rows = rows.rows.items;
    values->row_lengths = rows.lengths.items;
    values->row_count = rows.rows.count;
    values->span = span_from(p, first);
    order_and_limit(p, query);
    query->span = span_from(p, first);
    return query;
}

/* ---- set operations ---- */

/* operand = select | values | '(' query ')' */
static struct query *operand(struct parser *p)
{
    const struct token *first = p->token;
    if (at_word(p, KW_SELECT))
        return select_query(p);
    if (at_word(p, KW_VALUES))
        return values_query(p);
    if (!accept(p, TOKEN_LPAREN)) {
        parse_fail(p, STR("a query"));
        return NULL;
    }
    struct query *query = impala_parse_query(p);
    expect(p, TOKEN_RPAREN, ")");
    if (query != NULL)
        query->span = span_from(p, first);
    return query;
}

static bool at_set_operator(const struct parser *p)
{
    return at_word(p, KW_UNION) || at_word(p, KW_EXCEPT) || at_word(p, KW_MINUS) ||
           at_word(p, KW_INTERSECT);
}

/* setop = UNION [ALL | DISTINCT] | (EXCEPT | MINUS | INTERSECT) [DISTINCT] */
static uint8_t set_operator(struct parser *p)
{
    uint16_t word = take(p)->word;
    if (word == KW_UNION && accept_word(p, KW_ALL))
        return SETOP_UNION_ALL;
    accept_word(p, KW_DISTINCT);
    return word == KW_UNION ? SETOP_UNION : word == KW_INTERSECT ? SETOP_INTERSECT : SETOP_EXCEPT;
}

struct operands {
    VEC(struct query *) list;
    VEC(uint8_t) ops;
};

static void add_operand(struct parser *p, struct operands *operands, struct query *query)
{
    struct query **slot = VEC_PUSH(p->arena, &operands->list);
    if (slot != NULL)
        *slot = query;
}

/* What ORDER BY and LIMIT the last operand has taken is the whole chain's. */
static void move_order(struct query *from, struct query *to)
{
    to->order_by = from->order_by;
    to->limit = from->limit;
    to->has_limit = from->has_limit;
    from->order_by = (struct sort_keys){0};
    from->limit = (struct exprs){0};
    from->has_limit = false;
}

static struct query *finish_set_operation(struct parser *p, const struct operands *operands,
                                          bool last_in_parentheses)
{
    struct query *query = new_query(p, QUERY_SETOP);
    struct setop *setop = ARENA_NEW(p->arena, struct setop);
    if (query == NULL || setop == NULL || operands->list.items == NULL || p->arena->failed)
        return NULL;
    *setop = (struct setop){operands->list.items, operands->ops.items, operands->list.count};
    query->u.setop = setop;
    struct query *last = setop->operands[setop->operand_count - 1];
    if (at_word(p, KW_ORDER) || at_word(p, KW_LIMIT))
        order_and_limit(p, query);
    else if (!last_in_parentheses && last != NULL)
        move_order(last, query);
    return query;
}

/* setop operand {setop operand} behind the first operand */
static struct query *set_operation(struct parser *p, struct query *first_operand)
{
    struct operands operands = {0};
    add_operand(p, &operands, first_operand);
    bool in_parentheses = false;
    while (at_set_operator(p)) {
        uint8_t op = set_operator(p);
        uint8_t *slot = VEC_PUSH(p->arena, &operands.ops);
        if (slot != NULL)
            *slot = op;
        in_parentheses = at(p, TOKEN_LPAREN);
        add_operand(p, &operands, operand(p));
    }
    return finish_set_operation(p, &operands, in_parentheses);
}

/* A query in parentheses with ORDER BY or LIMIT behind them. */
static struct query *nested_query(struct parser *p, struct query *inner)
{
    struct query *query = new_query(p, QUERY_NESTED);
    if (query == NULL)
        return NULL;
    query->u.nested = inner;
    order_and_limit(p, query);
    return query;
}

/* ---- WITH ---- */

/* cte = (id | str) ['(' id {',' id} ')'] AS '(' query ')' */
static struct cte cte(struct parser *p)
{
    const struct token *first = p->token;
    struct cte cte = {.name = impala_alias_ident(p)};
    if (at(p, TOKEN_LPAREN))
        cte.column_count = parse_ident_list(p, &cte.columns, "a column name");
    expect_word(p, KW_AS);
    expect(p, TOKEN_LPAREN, "(");
    cte.query = impala_parse_query(p);
    expect(p, TOKEN_RPAREN, ")");
    cte.span = span_from(p, first);
    return cte;
}

uint32_t impala_with(struct parser *p, struct cte **out)
{
    VEC(struct cte) list = {0};
    take(p);
    do {
        struct cte next = cte(p);
        struct cte *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = next;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}

/* operand {setop operand} [ORDER BY ..] [LIMIT ..] [OFFSET ..] */
struct query *impala_query_after_with(struct parser *p, const struct token *first, struct cte *ctes,
                                      uint32_t cte_count)
{
    bool in_parentheses = at(p, TOKEN_LPAREN);
    struct query *query = operand(p);
    if (at_set_operator(p))
        query = set_operation(p, query);
    else if (in_parentheses &&
             (at_order(p) || (cte_count > 0 && query != NULL && query->cte_count > 0)))
        query = nested_query(p, query);
    if (query == NULL)
        return NULL;
    if (cte_count > 0) {
        query->ctes = ctes;
        query->cte_count = cte_count;
    }
    query->span = span_from(p, first);
    return query;
}

/* query = [WITH cte {',' cte}] operand .. */
struct query *impala_parse_query(struct parser *p)
{
    if (!enter_query(p))
        return NULL;
    const struct token *first = p->token;
    struct cte *ctes = NULL;
    uint32_t cte_count = at_word(p, KW_WITH) ? impala_with(p, &ctes) : 0;
    struct query *query = impala_query_after_with(p, first, ctes, cte_count);
    leave_query(p);
    return query;
}
