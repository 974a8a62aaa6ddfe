/* Hive's FROM: tables, subqueries, table functions, joins, lateral views, UNIQUEJOIN. */
#include "sql/hive.h"

/* NULL, and the statement has failed, when out of memory. */
static struct from_item *new_item(struct parser *p, enum from_kind kind)
{
    struct from_item *item = ARENA_NEW(p->arena, struct from_item);
    if (item != NULL)
        item->kind = (uint8_t)kind;
    else
        parse_out_of_memory(p);
    return item;
}

/* [[AS] id] */
static struct ident *parse_alias(struct parser *p)
{
    if (accept_word(p, KW_AS))
        return new_ident(p, parse_column_ident(p, "an alias"));
    const struct token *token = p->token;
    bool argument =
        token->kind == TOKEN_WORD && token[1].kind == TOKEN_LPAREN && token[2].kind == TOKEN_STRING;
    if (!is_name_token(token) || argument || hive_begins_clause(token))
        return NULL;
    return new_ident(p, ident_of_token(p, take(p)));
}

/* [[AS] id ['(' id {',' id} ')']] */
static void parse_alias_and_columns(struct parser *p, struct from_item *item)
{
    item->alias = parse_alias(p);
    if (item->alias != NULL && at(p, TOKEN_LPAREN))
        item->column_count = hive_parse_columns(p, &item->columns);
}

/* ---- lateral views ---- */

/* id [AS id {',' id}] */
static void parse_view_names(struct parser *p, struct lateral_view *view)
{
    VEC(struct ident) list = {0};
    view->alias = new_ident(p, parse_ident(p, "an alias of the lateral view"));
    if (!accept_word(p, KW_AS))
        return;
    do {
        struct ident ident = parse_column_ident(p, "a column name");
        struct ident *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = ident;
    } while (is_name_token(peek_at(p, 1)) && peek_at(p, 2)->kind != TOKEN_LPAREN &&
             accept(p, TOKEN_COMMA));
    view->columns = list.items;
    view->column_count = list.count;
}

/* TABLE '(' values ')' [AS] id ['(' id {',' id} ')'] */
static void parse_lateral_table(struct parser *p, struct lateral_view *view)
{
    take(p);
    expect(p, TOKEN_LPAREN, "(");
    view->query = hive_parse_set_query(p);
    expect(p, TOKEN_RPAREN, ")");
    accept_word(p, KW_AS);
    view->alias = new_ident(p, parse_ident(p, "an alias"));
    if (at(p, TOKEN_LPAREN))
        view->column_count = hive_parse_columns(p, &view->columns);
}

/* LATERAL VIEW [OUTER] call id [AS id {',' id}] | LATERAL TABLE .., with the cursor at LATERAL */
static struct lateral_view parse_lateral(struct parser *p)
{
    const struct token *first = take(p);
    struct lateral_view view = {0};
    if (at_word(p, KW_TABLE)) {
        parse_lateral_table(p, &view);
    } else {
        expect_word(p, KW_VIEW);
        view.outer = accept_word(p, KW_OUTER);
        const struct token *start = p->token;
        view.call = parse_expr(p);
        if (view.call != NULL && view.call->kind != EXPR_CALL)
            parse_fail_at(p, DIAG_SYNTAX, start, STR("expected a call of a table function"));
        parse_view_names(p, &view);
    }
    view.span = span_from(p, first);
    return view;
}

/* [','] LATERAL */
static bool accept_lateral(struct parser *p)
{
    if (at(p, TOKEN_COMMA) && peek_at(p, 1)->word == KW_LATERAL)
        take(p);
    return at_word(p, KW_LATERAL);
}

static void parse_laterals(struct parser *p, struct from_item *item)
{
    VEC(struct lateral_view) list = {0};
    while (accept_lateral(p)) {
        struct lateral_view view = parse_lateral(p);
        struct lateral_view *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = view;
    }
    item->laterals = list.items;
    item->lateral_count = list.count;
}

/* ---- tables ---- */

/* BUCKET num OUT OF num [ON exprs] | num PERCENT | num ROWS | bytes */
static void parse_sample_size(struct parser *p, struct from_item *item)
{
    if (accept_word(p, KW_BUCKET)) {
        expect_number(p, "a number of a bucket");
        expect_word(p, KW_OUT);
        expect_word(p, KW_OF);
        expect_number(p, "a number of buckets");
        if (accept_word(p, KW_ON))
            item->args.count = parse_expr_list(p, &item->args.items);
    } else if (!accept(p, TOKEN_BYTES)) {
        expect_number(p, "BUCKET, a number or a length");
        if (!accept_word(p, KW_PERCENT) && !accept_word(p, KW_ROWS))
            parse_fail(p, STR("PERCENT or ROWS"));
    }
}

/* [TABLESAMPLE '(' size ')'] */
static void parse_sample(struct parser *p, struct from_item *item)
{
    if (!accept_word(p, KW_TABLESAMPLE))
        return;
    item->sampled = true;
    expect(p, TOKEN_LPAREN, "(");
    parse_sample_size(p, item);
    expect(p, TOKEN_RPAREN, ")");
}

/* [FOR (SYSTEM_TIME | SYSTEM_VERSION) AS OF expr] */
static void parse_as_of(struct parser *p, struct from_item *item)
{
    if (!accept_word(p, KW_FOR))
        return;
    if (!accept_word(p, KW_SYSTEM_TIME) && !accept_word(p, KW_SYSTEM_VERSION))
        parse_fail(p, STR("SYSTEM_TIME or SYSTEM_VERSION"));
    expect_word(p, KW_AS);
    expect_word(p, KW_OF);
    item->args.count = parse_expr_list(p, &item->args.items);
}

/* qname [props] [sample] [asof] [[AS] id] */
static void parse_named_table(struct parser *p, struct from_item *item)
{
    item->name = parse_qname(p, "a table");
    if (at(p, TOKEN_LPAREN) && peek_at(p, 1)->kind == TOKEN_STRING)
        parse_properties(p, STR("scan"));
    parse_sample(p, item);
    parse_as_of(p, item);
    parse_alias_and_columns(p, item);
}

struct from_item *hive_parse_table(struct parser *p)
{
    const struct token *first = p->token;
    struct from_item *item = new_item(p, FROM_TABLE);
    if (item == NULL)
        return NULL;
    parse_named_table(p, item);
    item->span = span_from(p, first);
    return item;
}

/* ---- table functions ---- */

/* Arguments behind the input: id '(' expr ')' {',' id '(' expr ')'} */
static void parse_function_arguments(struct parser *p, struct from_item *item)
{
    VEC(struct expr *) list = {0};
    while (is_name_token(p->token)) {
        take(p);
        expect(p, TOKEN_LPAREN, "(");
        struct expr *arg = parse_expr(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = arg;
        expect(p, TOKEN_RPAREN, ")");
        if (!accept(p, TOKEN_COMMA))
            break;
    }
    item->args = (struct exprs){list.items, list.count};
}

static struct from_item *parse_one_source(struct parser *p);

/* id '(' ON input [partitioning] [arguments] ')' [id] */
static void parse_table_function(struct parser *p, struct from_item *item)
{
    item->kind = FROM_TABLE_FUNCTION;
    item->name = parse_qname(p, "a table function");
    if (!enter_query(p))
        return;
    skip_tokens(p, 2);
    item->first = parse_one_source(p);
    item->window = ARENA_NEW(p->arena, struct window);
    struct window spare = {0};
    parse_partitioning(p, item->window != NULL ? item->window : &spare);
    parse_function_arguments(p, item);
    expect(p, TOKEN_RPAREN, ")");
    leave_query(p);
    item->alias = parse_alias(p);
}

/* id '(' exprs ')' [[AS] id]: not Hive's, but in scripts for Spark */
static void parse_generator(struct parser *p, struct from_item *item)
{
    item->kind = FROM_TABLE_FUNCTION;
    item->name = parse_qname(p, "a table function");
    take(p);
    if (!at(p, TOKEN_RPAREN))
        item->args.count = parse_expr_list(p, &item->args.items);
    expect(p, TOKEN_RPAREN, ", or )");
    parse_alias_and_columns(p, item);
}

/* ---- sources ---- */

/* '(' query ')' [AS] id */
static void parse_subquery(struct parser *p, struct from_item *item)
{
    item->kind = FROM_QUERY;
    take(p);
    item->query = hive_parse_query(p);
    expect_query_end(p);
    parse_sample(p, item);
    parse_alias_and_columns(p, item);
}

/* TABLE '(' values ')' [AS] id ['(' id {',' id} ')'] */
static void parse_values_table(struct parser *p, struct from_item *item)
{
    item->kind = FROM_VALUES;
    skip_tokens(p, 2);
    item->query = hive_parse_set_query(p);
    expect(p, TOKEN_RPAREN, ")");
    parse_alias_and_columns(p, item);
}

/* A table, subquery, table function or TABLE(VALUES ..), without lateral views. */
static void parse_source_into(struct parser *p, struct from_item *item)
{
    const struct token *token = p->token;
    if (token->kind == TOKEN_LPAREN)
        parse_subquery(p, item);
    else if (token->word == KW_TABLE && token[1].kind == TOKEN_LPAREN)
        parse_values_table(p, item);
    else if (is_name_token(token) && token[1].kind == TOKEN_LPAREN && token[2].word == KW_ON)
        parse_table_function(p, item);
    else if (is_name_token(token) && token[1].kind == TOKEN_LPAREN && token[2].kind != TOKEN_STRING)
        parse_generator(p, item);
    else
        parse_named_table(p, item);
}

static struct from_item *parse_one_source(struct parser *p)
{
    const struct token *first = p->token;
    struct from_item *item = new_item(p, FROM_TABLE);
    if (item == NULL)
        return NULL;
    parse_source_into(p, item);
    item->span = span_from(p, first);
    return item;
}

struct from_item *hive_parse_source(struct parser *p)
{
    return parse_one_source(p);
}

/* source {lateral} */
static struct from_item *parse_right(struct parser *p)
{
    const struct token *first = p->token;
    struct from_item *item = new_item(p, FROM_TABLE);
    if (item == NULL)
        return NULL;
    parse_source_into(p, item);
    parse_laterals(p, item);
    item->span = span_from(p, first);
    return item;
}

/* ---- joins ---- */

/* Whether the tokens from `token` on are [OUTER] JOIN. */
static bool at_outer_join(const struct token *token)
{
    return token->word == KW_JOIN || (token->word == KW_OUTER && token[1].word == KW_JOIN);
}

/* `anti` is no word of Hive's, but scripts for Spark use it. */
static bool is_anti(const struct parser *p, const struct token *token)
{
    return token->kind == TOKEN_WORD && token[1].word == KW_JOIN &&
           str_eq_fold(token_text(p, token), STR("anti"));
}

/*
 * LEFT [OUTER] JOIN | LEFT SEMI JOIN | LEFT ANTI JOIN, and RIGHT and FULL likewise, with the cursor
 * at the first word
 */
static bool accept_sided_join(struct parser *p, uint8_t *kind)
{
    uint16_t side = p->token->word;
    const struct token *next = p->token + 1;
    if (at_outer_join(next)) {
        skip_tokens(p, next->word == KW_JOIN ? 2 : 3);
        *kind = side == KW_LEFT ? JOIN_LEFT : side == KW_RIGHT ? JOIN_RIGHT : JOIN_FULL;
        return true;
    }
    bool semi = next->word == KW_SEMI && next[1].word == KW_JOIN;
    if (side != KW_LEFT || (!semi && !is_anti(p, next)))
        return false;
    skip_tokens(p, 3);
    *kind = semi ? JOIN_LEFT_SEMI : JOIN_LEFT_ANTI;
    return true;
}

/* ',' | [INNER | CROSS] JOIN | (LEFT | RIGHT | FULL) [OUTER] JOIN | LEFT (SEMI | ANTI) JOIN */
static bool accept_join(struct parser *p, uint8_t *kind)
{
    if (accept(p, TOKEN_COMMA)) {
        *kind = JOIN_COMMA;
        return true;
    }
    switch (p->token->word) {
    case KW_JOIN:
        take(p);
        *kind = JOIN_INNER;
        return true;
    case KW_INNER:
    case KW_CROSS:
        *kind = at_word(p, KW_INNER) ? JOIN_INNER : JOIN_CROSS;
        take(p);
        return expect_word(p, KW_JOIN);
    case KW_LEFT:
    case KW_RIGHT:
    case KW_FULL:
        return accept_sided_join(p, kind);
    default:
        return false;
    }
}

struct join_list {
    VEC(struct join_step) steps;
};

static void add_step(struct parser *p, struct join_list *list, const struct join_step *step)
{
    struct join_step *slot = VEC_PUSH(p->arena, &list->steps);
    if (slot != NULL)
        *slot = *step;
}

/* [ON expr | USING '(' id {',' id} ')'] */
static void parse_join_condition(struct parser *p, struct join_step *step)
{
    if (accept_word(p, KW_ON))
        step->on = parse_expr(p);
    else if (accept_word(p, KW_USING))
        step->using_count = hive_parse_columns(p, &step->using_columns);
    /* Hive's grammar takes the condition and only then asks for the comma. */
    if (step->kind == JOIN_COMMA && (step->on != NULL || step->using_count > 0))
        parse_fail_at(p, DIAG_SYNTAX, p->token,
                      STR("a source behind a comma takes no ON or USING"));
}

/* LATERAL VIEW behind a join's condition sees all sources before it. */
static void parse_join_laterals(struct parser *p, struct join_list *list)
{
    while (accept_lateral(p)) {
        struct join_step step = {.kind = JOIN_LATERAL_VIEW};
        struct lateral_view view = parse_lateral(p);
        step.lateral = arena_alloc(p->arena, sizeof(view));
        if (step.lateral != NULL)
            *step.lateral = view;
        step.span = view.span;
        add_step(p, list, &step);
    }
}

/* {join right [condition]} */
static void parse_joins(struct parser *p, struct join_list *list)
{
    uint8_t kind;
    const struct token *first = p->token;
    while (accept_join(p, &kind)) {
        struct join_step step = {.kind = kind};
        step.right = parse_right(p);
        parse_join_condition(p, &step);
        step.span = span_from(p, first);
        add_step(p, list, &step);
        parse_join_laterals(p, list);
        first = p->token;
    }
}

/* Whether '(' begins a subquery; else it holds joined sources. */
static bool at_subquery(struct parser *p)
{
    return at_parenthesised_query(p) || peek_at(p, 1)->word == KW_MAP;
}

static struct from_item *parse_joined(struct parser *p);

/* '(' joined ')' | source {lateral} */
static struct from_item *parse_leftmost(struct parser *p)
{
    if (!at(p, TOKEN_LPAREN) || at_subquery(p))
        return parse_right(p);
    const struct token *first = p->token;
    if (!enter_query(p))
        return NULL;
    take(p);
    struct from_item *item = parse_joined(p);
    expect(p, TOKEN_RPAREN, "a join or )");
    leave_query(p);
    if (item != NULL)
        item->span = span_from(p, first);
    return item;
}

/* leftmost {join right [condition]} */
static struct from_item *parse_joined(struct parser *p)
{
    const struct token *first = p->token;
    struct from_item *leftmost = parse_leftmost(p);
    struct join_list list = {0};
    parse_join_laterals(p, &list);
    parse_joins(p, &list);
    if (list.steps.count == 0)
        return leftmost;
    struct from_item *item = new_item(p, FROM_JOIN);
    if (item == NULL)
        return NULL;
    item->first = leftmost;
    item->joins = list.steps.items;
    item->join_count = list.steps.count;
    item->span = span_from(p, first);
    return item;
}

struct from_item *hive_parse_late_laterals(struct parser *p, struct from_item *from)
{
    const struct token *first = p->token;
    struct join_list list = {0};
    parse_join_laterals(p, &list);
    struct from_item *item = list.steps.count > 0 ? new_item(p, FROM_JOIN) : NULL;
    if (item == NULL)
        return from;
    item->first = from;
    item->joins = list.steps.items;
    item->join_count = list.steps.count;
    item->span = span_from(p, first);
    return item;
}

/* ---- UNIQUEJOIN ---- */

/* '(' expr {',' expr} ')' as one row */
static struct expr *parse_unique_keys(struct parser *p)
{
    const struct token *first = p->token;
    expect(p, TOKEN_LPAREN, "( and the keys");
    struct expr *row = new_expr(p, EXPR_ROW, (span_t){0, 0});
    struct expr **keys = NULL;
    uint32_t count = parse_expr_list(p, &keys);
    expect(p, TOKEN_RPAREN, ", or )");
    if (row != NULL) {
        row->args = keys;
        row->arg_count = keys != NULL ? count : 0;
        row->span = span_from(p, first);
    }
    return row;
}

/* [PRESERVE] qname [sample] [[AS] id] keys */
static struct join_step parse_unique_source(struct parser *p)
{
    const struct token *first = p->token;
    struct join_step step = {.kind = accept_word(p, KW_PRESERVE) ? JOIN_FULL : JOIN_INNER};
    struct from_item *item = step.right = new_item(p, FROM_TABLE);
    const struct token *start = p->token;
    if (item == NULL)
        return step;
    item->name = parse_qname(p, "a table");
    parse_sample(p, item);
    item->alias = parse_alias(p);
    item->span = span_from(p, start);
    step.on = parse_unique_keys(p);
    step.span = span_from(p, first);
    return step;
}

/* UNIQUEJOIN source ',' source {',' source} */
static struct from_item *parse_unique_join(struct parser *p)
{
    const struct token *first = take(p);
    struct join_list list = {0};
    do {
        struct join_step step = parse_unique_source(p);
        add_step(p, &list, &step);
    } while (accept(p, TOKEN_COMMA));
    struct from_item *item = new_item(p, FROM_UNIQUEJOIN);
    if (item == NULL)
        return NULL;
    item->joins = list.steps.items;
    item->join_count = list.steps.count;
    item->span = span_from(p, first);
    return item;
}

struct from_item *hive_parse_from(struct parser *p)
{
    return at_word(p, KW_UNIQUEJOIN) ? parse_unique_join(p) : parse_joined(p);
}
