/* Impala's CREATE and DROP of functions and of data sources. */
#include "sql/impala.h"

/* args = '(' [type {',' type} ['...']] ')' */
static struct clause *arguments(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("arguments"));
    expect(p, TOKEN_LPAREN, "(");
    if (!at(p, TOKEN_RPAREN)) {
        do
            clause_add_type(p, clause, parse_type(p));
        while (accept(p, TOKEN_COMMA));
        if (at(p, TOKEN_ELLIPSIS))
            impala_keep(p, clause);
    }
    expect(p, TOKEN_RPAREN, ")");
    return clause;
}

static bool at_function_key(const struct parser *p)
{
    switch (p->token->word) {
    case KW_COMMENT:
    case KW_SYMBOL:
    case KW_PREPARE_FN:
    case KW_CLOSE_FN:
    case KW_INIT_FN:
    case KW_UPDATE_FN:
    case KW_MERGE_FN:
    case KW_SERIALIZE_FN:
    case KW_FINALIZE_FN:
        return true;
    default:
        return false;
    }
}

static bool has_label(const struct clause *clause, str_t label)
{
    for (uint32_t i = 0; clause != NULL && i < clause->items.count; i++) {
        const struct clause_item *item = &clause->items.items[i];
        if (item->kind == CLAUSE_NODE && str_eq(item->u.clause->label, label))
            return true;
    }
    return false;
}

/* {key '=' str}, each key once */
static void function_keys(struct parser *p, struct clause *options)
{
    while (at_function_key(p)) {
        const struct token *token = take(p);
        str_t label = name_str(arena_name(p->arena, token_text(p, token)));
        if (has_label(options, label))
            parse_fail_at(p, DIAG_VALUE, token, STR("the option stands twice"));
        struct clause *clause = new_clause(p, label);
        expect(p, TOKEN_EQ, "=");
        impala_keep_string(p, clause, "a string in quotes");
        clause_add_node(p, options, clause);
    }
}

static void type_option(struct parser *p, struct clause *options, str_t label)
{
    struct clause *clause = new_clause(p, label);
    clause_add_type(p, clause, parse_type(p));
    clause_add_node(p, options, clause);
}

static void location_option(struct parser *p, struct clause *options)
{
    struct clause *clause = new_clause(p, STR("location"));
    impala_keep_string(p, clause, "a path in quotes");
    clause_add_node(p, options, clause);
}

/* [args RETURNS type]; an aggregate must have them, and may have [INTERMEDIATE type] */
static void signature(struct parser *p, struct clause *options, bool aggregate)
{
    if (!aggregate && !at(p, TOKEN_LPAREN))
        return;
    clause_add_node(p, options, arguments(p));
    expect_word(p, KW_RETURNS);
    type_option(p, options, STR("returns"));
    if (aggregate && accept_word(p, KW_INTERMEDIATE))
        type_option(p, options, STR("intermediate"));
}

/* [AGGREGATE] FUNCTION [IF NOT EXISTS] fname signature LOCATION str {key '=' str} behind CREATE */
struct stmt *impala_create_function(struct parser *p, const struct token *first)
{
    struct create_function *function = ARENA_NEW(p->arena, struct create_function);
    if (function == NULL)
        return NULL;
    bool aggregate = accept_word(p, KW_AGGREGATE);
    expect_word(p, KW_FUNCTION);
    impala_if_not_exists(p);
    function->name = parse_qname(p, "a function name");
    function->options = new_clause(p, aggregate ? STR("aggregate") : STR("scalar"));
    signature(p, function->options, aggregate);
    expect_word(p, KW_LOCATION);
    location_option(p, function->options);
    function_keys(p, function->options);
    return new_stmt(p, STMT_CREATE_FUNCTION, function, first);
}

/* [AGGREGATE] FUNCTION [IF EXISTS] fname [args] behind DROP */
struct stmt *impala_drop_function(struct parser *p, const struct token *first)
{
    struct clause *options =
        new_clause(p, at_word(p, KW_AGGREGATE) ? STR("aggregate") : STR("scalar"));
    accept_word(p, KW_AGGREGATE);
    expect_word(p, KW_FUNCTION);
    bool if_exists = impala_if_exists(p);
    struct qname name = parse_qname(p, "a function name");
    if (at(p, TOKEN_LPAREN))
        clause_add_node(p, options, arguments(p));
    struct stmt *stmt = impala_object(p, STMT_DROP_FUNCTION, first, name, options);
    if (stmt != NULL && stmt->u.object != NULL)
        stmt->u.object->if_exists = if_exists;
    return stmt;
}

/* DATA SOURCE [IF NOT EXISTS] id [LOCATION str] CLASS str API_VERSION str behind CREATE */
struct stmt *impala_create_data_source(struct parser *p, const struct token *first)
{
    take(p);
    expect_word(p, KW_SOURCE);
    impala_if_not_exists(p);
    struct qname name = impala_plain_name(p, "a data source");
    struct clause *options = new_clause(p, STR("data_source"));
    if (accept_word(p, KW_LOCATION))
        location_option(p, options);
    expect_word(p, KW_CLASS);
    impala_keep_string(p, options, "a class in quotes");
    expect_word(p, KW_API_VERSION);
    impala_keep_string(p, options, "a version in quotes");
    return impala_object(p, STMT_CREATE_OTHER, first, name, options);
}
