/*
 * Hive's queries: WITH, set operations, blocks, VALUES. What stands behind FROM is in hive_from.c.
 */
#include "sql/hive.h"

bool hive_begins_clause(const struct token *token)
{
    switch (token->word) {
    case KW_LIMIT:
    case KW_OFFSET:
        return token[1].kind == TOKEN_NUMBER || token[1].kind == TOKEN_VARIABLE;
    case KW_SORT:
    case KW_CLUSTER:
    case KW_DISTRIBUTE:
        return token[1].word == KW_BY;
    case KW_RECORDWRITER:
    case KW_RECORDREADER:
        return token[1].kind == TOKEN_STRING;
    case KW_QUALIFY:
        return true;
    default:
        return false;
    }
}

uint32_t hive_parse_columns(struct parser *p, struct ident **out)
{
    VEC(struct ident) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct ident ident = parse_column_ident(p, "a column name");
        struct ident *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = ident;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    *out = list.items;
    return list.count;
}

/* ---- WITH ---- */

/* id ['(' id {',' id} ')'] AS '(' query ')' */
static struct cte parse_cte(struct parser *p)
{
    const struct token *first = p->token;
    struct cte cte = {.name = parse_ident(p, "a name after WITH")};
    if (at(p, TOKEN_LPAREN))
        cte.column_count = hive_parse_columns(p, &cte.columns);
    expect_word(p, KW_AS);
    expect(p, TOKEN_LPAREN, "( and a query");
    cte.query = hive_parse_query(p);
    expect_query_end(p);
    cte.span = span_from(p, first);
    return cte;
}

uint32_t hive_parse_with(struct parser *p, struct cte **out)
{
    VEC(struct cte) list = {0};
    if (!accept_word(p, KW_WITH))
        return 0;
    do {
        struct cte cte = parse_cte(p);
        struct cte *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = cte;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}

/* ---- the select list ---- */

/* [[AS] id | AS '(' id {',' id} ')'] */
static void parse_item_alias(struct parser *p, struct select_item *item)
{
    if (accept_word(p, KW_AS)) {
        if (at(p, TOKEN_LPAREN))
            item->alias_count = hive_parse_columns(p, &item->aliases);
        else
            item->alias = new_ident(p, parse_column_ident(p, "an alias"));
    } else if (is_name_token(p->token) && !hive_begins_clause(p->token)) {
        item->alias = new_ident(p, ident_of_token(p, take(p)));
    }
}

/* '*' | qname '.' '*' | expr [alias] */
static void parse_select_item(struct parser *p, struct select_item *item)
{
    const struct token *first = p->token;
    item->expr = parse_select_expr(p);
    if (item->expr == NULL || item->expr->kind != EXPR_STAR)
        parse_item_alias(p, item);
    item->span = span_from(p, first);
}

/* A list that goes on behind a comma with what can be no item ends at the comma for Hive. */
static void blame_comma(struct parser *p, const struct token *comma)
{
    if (!p->failed || p->error.code != DIAG_SYNTAX || p->error.at != comma[1].start)
        return;
    p->error.at = comma->start;
    p->error.end = comma->end;
    p->error.message = arena_join(p->arena, p->error.message, STR(" behind the comma"));
}

static void parse_select_items(struct parser *p, struct block *block)
{
    VEC(struct select_item) list = {0};
    do {
        struct select_item item = {0};
        const struct token *first = p->token;
        parse_select_item(p, &item);
        if (list.count > 0)
            blame_comma(p, first - 1);
        struct select_item *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = item;
    } while (accept(p, TOKEN_COMMA));
    block->items = list.items;
    block->item_count = list.count;
}

/* ---- TRANSFORM, MAP, REDUCE ---- */

/* A column of a script's output: id [type [COMMENT str]]. */
static void parse_script_column(struct parser *p, struct ident *column, struct type **type)
{
    *column = parse_column_ident(p, "a column name");
    if (!at_type(p))
        return;
    *type = parse_type(p);
    if (accept_word(p, KW_COMMENT))
        parse_string(p, "a comment in quotes");
}

/* [AS ('(' columns ')' | columns)] */
static void parse_script_columns(struct parser *p, struct script_call *script)
{
    VEC(struct ident) columns = {0};
    VEC(struct type *) types = {0};
    if (!accept_word(p, KW_AS))
        return;
    bool parentheses = accept(p, TOKEN_LPAREN);
    do {
        struct ident column;
        struct type *type = NULL;
        parse_script_column(p, &column, &type);
        struct ident *column_slot = VEC_PUSH(p->arena, &columns);
        struct type **type_slot = VEC_PUSH(p->arena, &types);
        if (column_slot != NULL && type_slot != NULL) {
            *column_slot = column;
            *type_slot = type;
        }
    } while (accept(p, TOKEN_COMMA));
    if (parentheses)
        expect(p, TOKEN_RPAREN, ", or )");
    script->columns = columns.items;
    script->types = types.items;
    script->column_count = columns.count;
}

static void parse_row_format(struct parser *p)
{
    struct table_clauses ignored = {.options = new_clause(p, STR("row_format"))};
    if (at_words(p, KW_ROW, KW_FORMAT))
        hive_parse_storage_clause(p, &ignored);
}

/* [rowFormat] [RECORDWRITER str] USING str [AS columns] [rowFormat] [RECORDREADER str] */
static struct script_call *parse_script(struct parser *p)
{
    struct script_call script = {0};
    parse_row_format(p);
    if (accept_word(p, KW_RECORDWRITER))
        parse_string(p, "a class name in quotes");
    expect_word(p, KW_USING);
    const struct token *command = p->token;
    parse_string(p, "a command in quotes");
    script.command = (span_t){command->start, command->end};
    parse_script_columns(p, &script);
    parse_row_format(p);
    if (accept_word(p, KW_RECORDREADER))
        parse_string(p, "a class name in quotes");
    struct script_call *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = script;
    return copy;
}

static void parse_script_select(struct parser *p, struct block *block, bool parentheses)
{
    take(p);
    if (parentheses)
        expect(p, TOKEN_LPAREN, "(");
    parse_select_items(p, block);
    if (parentheses)
        expect(p, TOKEN_RPAREN, ", or )");
    block->script = parse_script(p);
}

/*
 * SELECT [hint] ([ALL | DISTINCT] items | TRANSFORM '(' items ')' script) | (MAP | REDUCE) items
 * script
 */
static void parse_select_clause(struct parser *p, struct block *block)
{
    if (at_word(p, KW_MAP) || at_word(p, KW_REDUCE)) {
        parse_script_select(p, block, false);
        return;
    }
    expect_word(p, KW_SELECT);
    while (accept(p, TOKEN_HINT))
        continue;
    if (at_word(p, KW_TRANSFORM) && peek_at(p, 1)->kind == TOKEN_LPAREN) {
        parse_script_select(p, block, true);
        return;
    }
    if (accept_word(p, KW_DISTINCT))
        block->distinct = true;
    else
        accept_word(p, KW_ALL);
    parse_select_items(p, block);
}

/* ---- GROUP BY ---- */

/* '(' [expr {',' expr}] ')' | expr */
static struct expr *parse_grouping_set(struct parser *p)
{
    if (!at(p, TOKEN_LPAREN) || peek_at(p, 1)->kind != TOKEN_RPAREN)
        return parse_expr(p);
    struct expr *empty = new_expr(p, EXPR_ROW, (span_t){p->token->start, p->token[1].end});
    skip_tokens(p, 2);
    return empty;
}

/* GROUPING SETS '(' set {',' set} ')' */
static struct exprs parse_grouping_sets(struct parser *p)
{
    VEC(struct expr *) list = {0};
    skip_tokens(p, 2);
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct expr *set = parse_grouping_set(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = set;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return (struct exprs){list.items, list.count};
}

/* (ROLLUP | CUBE) '(' exprs ')' */
static void parse_rollup(struct parser *p, struct group_by *group)
{
    group->kind = take(p)->word == KW_ROLLUP ? GROUP_ROLLUP : GROUP_CUBE;
    expect(p, TOKEN_LPAREN, "(");
    group->keys.count = parse_expr_list(p, &group->keys.items);
    expect(p, TOKEN_RPAREN, ", or )");
}

/* exprs [WITH ROLLUP | WITH CUBE] [GROUPING SETS ..] */
static void parse_group_keys(struct parser *p, struct group_by *group)
{
    group->kind = GROUP_PLAIN;
    group->keys.count = parse_expr_list(p, &group->keys.items);
    if (accept_words(p, KW_WITH, KW_ROLLUP))
        group->kind = GROUP_ROLLUP;
    else if (accept_words(p, KW_WITH, KW_CUBE))
        group->kind = GROUP_CUBE;
    if (at_words(p, KW_GROUPING, KW_SETS)) {
        group->kind = GROUP_SETS;
        group->sets = parse_grouping_sets(p);
    }
}

/* [GROUP BY ..] */
static void parse_group_by(struct parser *p, struct group_by *group)
{
    const struct token *first = p->token;
    if (!accept_word(p, KW_GROUP))
        return;
    expect_word(p, KW_BY);
    bool rolled = at_word(p, KW_ROLLUP) || at_word(p, KW_CUBE);
    if (rolled && peek_at(p, 1)->kind == TOKEN_LPAREN) {
        parse_rollup(p, group);
    } else if (at(p, TOKEN_LPAREN) && peek_at(p, 1)->kind == TOKEN_RPAREN) {
        skip_tokens(p, 2);
        group->kind = GROUP_EMPTY;
    } else {
        parse_group_keys(p, group);
    }
    group->span = span_from(p, first);
}

/* ---- blocks ---- */

/* [WINDOW id AS window {',' id AS window}] */
static void parse_windows(struct parser *p, struct block *block)
{
    VEC(struct named_window) list = {0};
    if (!accept_word(p, KW_WINDOW))
        return;
    do {
        struct named_window named = {.name = parse_ident(p, "a window's name")};
        expect_word(p, KW_AS);
        named.window = parse_window(p);
        struct named_window *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = named;
    } while (accept(p, TOKEN_COMMA));
    block->windows = list.items;
    block->window_count = list.count;
}

/* [WHERE expr] [group] [HAVING expr] [windows] [QUALIFY expr] */
static void parse_block_clauses(struct parser *p, struct block *block)
{
    if (accept_word(p, KW_WHERE))
        block->where = parse_expr(p);
    parse_group_by(p, &block->group_by);
    if (accept_word(p, KW_HAVING))
        block->having = parse_expr(p);
    parse_windows(p, block);
    if (accept_word(p, KW_QUALIFY))
        block->qualify = parse_expr(p);
}

static struct query *new_query(struct parser *p, enum query_kind kind, const struct token *first)
{
    struct query *query = ARENA_NEW(p->arena, struct query);
    if (query != NULL) {
        query->kind = (uint8_t)kind;
        query->span = span_from(p, first);
    }
    return query;
}

/* An empty block; NULL, and the statement has failed, when out of memory. */
static struct block *new_block(struct parser *p)
{
    struct block *block = ARENA_NEW(p->arena, struct block);
    if (block == NULL)
        parse_out_of_memory(p);
    return block;
}

static struct query *block_query(struct parser *p, struct block *block, const struct token *first)
{
    struct query *query = new_query(p, QUERY_BLOCK, first);
    if (query == NULL)
        return NULL;
    block->span = query->span;
    query->u.block = block;
    return query;
}

/* select [FROM source] clauses */
static struct query *parse_select(struct parser *p)
{
    const struct token *first = p->token;
    struct block *block = new_block(p);
    if (block == NULL)
        return NULL;
    parse_select_clause(p, block);
    if (accept_word(p, KW_FROM))
        block->from = hive_parse_from(p);
    parse_block_clauses(p, block);
    return block_query(p, block, first);
}

/* ---- ORDER BY .. LIMIT ---- */

/*
 * Whether the parentheses at the cursor hold sort keys, not an expression: one of them says ASC,
 * DESC or NULLS.
 */
static bool at_sort_key_list(const struct parser *p)
{
    size_t depth = 0;
    for (const struct token *token = p->token; token != p->end; token++) {
        if (token->kind == TOKEN_LPAREN)
            depth++;
        else if (token->kind == TOKEN_RPAREN && --depth == 0)
            return false;
        else if (depth == 1 &&
                 (token->word == KW_ASC || token->word == KW_DESC || token->word == KW_NULLS))
            return true;
    }
    return false;
}

/* keys | '(' keys ')' */
static struct sort_keys parse_sort_by(struct parser *p)
{
    if (!at(p, TOKEN_LPAREN) || !at_sort_key_list(p))
        return parse_sort_keys(p);
    take(p);
    struct sort_keys keys = parse_sort_keys(p);
    expect(p, TOKEN_RPAREN, ", or )");
    return keys;
}

static struct expr *parse_limit_number(struct parser *p)
{
    const struct token *token = p->token;
    expect_number(p, "a number of rows");
    enum expr_kind kind = token->kind == TOKEN_VARIABLE ? EXPR_VARIABLE : EXPR_LITERAL;
    struct expr *number = new_expr(p, kind, (span_t){token->start, token->end});
    if (number != NULL && kind == EXPR_LITERAL)
        number->op = LITERAL_NUMBER;
    return number;
}

/* [LIMIT num | LIMIT num ',' num | LIMIT num OFFSET num] */
static void parse_limit(struct parser *p, struct query *query)
{
    if (!accept_word(p, KW_LIMIT))
        return;
    query->has_limit = true;
    query->limit.items = ARENA_ARRAY(p->arena, struct expr *, 2);
    struct expr *first = parse_limit_number(p);
    struct expr *second = NULL;
    if (accept(p, TOKEN_COMMA) || accept_word(p, KW_OFFSET))
        second = parse_limit_number(p);
    if (query->limit.items == NULL)
        return;
    query->limit.items[0] = first;
    query->limit.items[1] = second;
    query->limit.count = second != NULL ? 2 : 1;
}

/* [ORDER BY keys] [CLUSTER BY exprs] [DISTRIBUTE BY exprs] [SORT BY keys] [LIMIT ..] */
static void parse_query_tail(struct parser *p, struct query *query)
{
    if (accept_words(p, KW_ORDER, KW_BY))
        query->order_by = parse_sort_keys(p);
    if (accept_words(p, KW_CLUSTER, KW_BY))
        query->cluster_by = parse_key_exprs(p);
    if (accept_words(p, KW_DISTRIBUTE, KW_BY))
        query->distribute_by = parse_key_exprs(p);
    if (accept_words(p, KW_SORT, KW_BY))
        query->sort_by = parse_sort_by(p);
    parse_limit(p, query);
}

static bool at_query_tail(const struct parser *p)
{
    return at_words(p, KW_ORDER, KW_BY) || at_words(p, KW_CLUSTER, KW_BY) ||
           at_words(p, KW_DISTRIBUTE, KW_BY) || at_words(p, KW_SORT, KW_BY) || at_word(p, KW_LIMIT);
}

/* ---- FROM first ---- */

struct query *hive_parse_body(struct parser *p, struct from_item *from)
{
    const struct token *first = p->token;
    struct block *block = new_block(p);
    if (block == NULL)
        return NULL;
    parse_select_clause(p, block);
    block->from = hive_parse_late_laterals(p, from);
    parse_block_clauses(p, block);
    struct query *query = block_query(p, block, first);
    if (query == NULL)
        return NULL;
    parse_query_tail(p, query);
    query->span = span_from(p, first);
    return query;
}

/* FROM source body */
static struct query *parse_from_first(struct parser *p)
{
    const struct token *first = take(p);
    struct from_item *from = hive_parse_from(p);
    struct query *query = hive_parse_body(p, from);
    if (query != NULL)
        query->span.start = first->start;
    return query;
}

/* ---- VALUES ---- */

struct item_list {
    VEC(struct select_item) items;
};

/* A copy of the items of just their length: rows are many, and each is short. */
static struct select_item *keep_row(struct parser *p, const struct item_list *list)
{
    size_t size = list->items.count * sizeof(struct select_item);
    struct select_item *row = arena_alloc(p->arena, size);
    if (row != NULL && size > 0)
        memcpy(row, list->items.items, size);
    return row;
}

/* '(' value [[AS] id] {',' value [[AS] id]} ')' */
static void parse_values_row(struct parser *p, struct item_list *list)
{
    list->items.count = 0;
    expect(p, TOKEN_LPAREN, "( and a row of values");
    do {
        const struct token *first = p->token;
        struct select_item item = {.expr = parse_value_expr(p)};
        parse_item_alias(p, &item);
        item.span = span_from(p, first);
        struct select_item *slot = VEC_PUSH(p->arena, &list->items);
        if (slot != NULL)
            *slot = item;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
}

struct values *hive_parse_values(struct parser *p)
{
    const struct token *first = p->token;
    struct item_list row = {0};
    VEC(struct select_item *) rows = {0};
    VEC(uint32_t) lengths = {0};
    expect_word(p, KW_VALUES);
    do {
        parse_values_row(p, &row);
        struct select_item **row_slot = VEC_PUSH(p->arena, &rows);
        uint32_t *length_slot = VEC_PUSH(p->arena, &lengths);
        if (row_slot != NULL && length_slot != NULL) {
            *row_slot = keep_row(p, &row);
            *length_slot = row.items.count;
        }
    } while (accept(p, TOKEN_COMMA));
    struct values *values = ARENA_NEW(p->arena, struct values);
    if (values != NULL)
        *values = (struct values){rows.items, lengths.items, rows.count, span_from(p, first)};
    return values;
}

static struct query *parse_values_query(struct parser *p)
{
    const struct token *first = p->token;
    struct values *values = hive_parse_values(p);
    struct query *query = new_query(p, QUERY_VALUES, first);
    if (query != NULL)
        query->u.values = values;
    return query;
}

/* ---- set operations ---- */

/* select | values | FROM source body | '(' query ')' */
static struct query *parse_operand(struct parser *p)
{
    if (at_word(p, KW_VALUES))
        return parse_values_query(p);
    if (at_word(p, KW_FROM))
        return parse_from_first(p);
    if (!at(p, TOKEN_LPAREN))
        return parse_select(p);
    if (!enter_query(p))
        return NULL;
    take(p);
    struct query *query = hive_parse_set_query(p);
    expect_query_end(p);
    leave_query(p);
    return query;
}

/* Whether a set operator is at the cursor; takes it with ALL or DISTINCT. */
static bool accept_set_operator(struct parser *p, uint8_t *op)
{
    enum setop_kind plain, all;
    switch (p->token->word) {
    case KW_UNION:
        plain = SETOP_UNION;
        all = SETOP_UNION_ALL;
        break;
    case KW_INTERSECT:
        plain = SETOP_INTERSECT;
        all = SETOP_INTERSECT_ALL;
        break;
    case KW_EXCEPT:
    case KW_MINUS:
        plain = SETOP_EXCEPT;
        all = SETOP_EXCEPT_ALL;
        break;
    default:
        return false;
    }
    take(p);
    if (accept_word(p, KW_ALL))
        plain = all;
    else
        accept_word(p, KW_DISTINCT);
    *op = (uint8_t)plain;
    return true;
}

struct operand_list {
    VEC(struct query *) operands;
    VEC(uint8_t) ops;
};

static void add_operand(struct parser *p, struct operand_list *list, struct query *operand)
{
    struct query **slot = VEC_PUSH(p->arena, &list->operands);
    if (slot != NULL)
        *slot = operand;
}

struct query *hive_parse_set_operations(struct parser *p, struct query *first,
                                        const struct token *start)
{
    struct operand_list list = {0};
    uint8_t op;
    if (!accept_set_operator(p, &op))
        return first;
    add_operand(p, &list, first);
    do {
        uint8_t *slot = VEC_PUSH(p->arena, &list.ops);
        if (slot != NULL)
            *slot = op;
        add_operand(p, &list, parse_operand(p));
    } while (accept_set_operator(p, &op));
    struct query *query = new_query(p, QUERY_SETOP, start);
    struct setop *setop = ARENA_NEW(p->arena, struct setop);
    if (query == NULL || setop == NULL)
        return NULL;
    *setop = (struct setop){list.operands.items, list.ops.items, list.operands.count};
    query->u.setop = setop;
    return query;
}

/* `( query ) LIMIT 1`: clauses of its own around a query that may have some itself. */
static struct query *nest(struct parser *p, struct query *inner, const struct token *first)
{
    struct query *query = new_query(p, QUERY_NESTED, first);
    if (query != NULL)
        query->u.nested = inner;
    return query;
}

/* operand {setop operand} [ORDER BY ..] [LIMIT ..] */
struct query *hive_parse_set_query(struct parser *p)
{
    const struct token *first = p->token;
    bool parentheses = at(p, TOKEN_LPAREN);
    struct query *operand = parse_operand(p);
    struct query *query = hive_parse_set_operations(p, operand, first);
    if (!at_query_tail(p))
        return query;
    if (parentheses && query == operand)
        query = nest(p, query, first);
    struct query spare = {0};
    parse_query_tail(p, query != NULL ? query : &spare);
    if (query != NULL)
        query->span = span_from(p, first);
    return query;
}

struct query *hive_parse_query(struct parser *p)
{
    const struct token *first = p->token;
    if (!enter_query(p))
        return NULL;
    struct cte *ctes = NULL;
    uint32_t cte_count = hive_parse_with(p, &ctes);
    struct query *query = hive_parse_set_query(p);
    leave_query(p);
    if (query != NULL && cte_count > 0) {
        query->ctes = ctes;
        query->cte_count = cte_count;
        query->span = span_from(p, first);
    }
    return query;
}

struct query *hive_parse_expr_query(struct parser *p)
{
    if (!enter_query(p))
        return NULL;
    struct query *query = hive_parse_set_query(p);
    leave_query(p);
    return query;
}
