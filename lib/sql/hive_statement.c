/*
 * Hive: the first word of a statement decides; statements within statements; small pieces that all
 * files use.
 */
#include "sql/hive.h"

/* ---- small pieces ---- */

struct clause *clause_of_tokens(struct parser *p, str_t label, const struct token *first)
{
    struct clause *clause = new_clause(p, label);
    if (p->failed)
        return clause;
    for (const struct token *token = first; token < p->token; token++)
        clause_add_word(p, clause, token);
    return clause;
}

void add_token_clause(struct parser *p, struct clause *options, str_t label,
                      const struct token *first)
{
    clause_add_node(p, options, clause_of_tokens(p, label, first));
}

struct stmt *new_object_stmt(struct parser *p, enum stmt_kind kind, struct object_stmt object,
                             const struct token *first)
{
    struct object_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    object.options = clause_of_tokens(p, STR("words"), first);
    if (copy != NULL)
        *copy = object;
    return new_stmt(p, kind, copy, first);
}

bool accept_if_exists(struct parser *p)
{
    if (!accept_word(p, KW_IF))
        return false;
    return expect_word(p, KW_EXISTS);
}

bool accept_if_not_exists(struct parser *p)
{
    if (!accept_word(p, KW_IF))
        return false;
    expect_word(p, KW_NOT);
    return expect_word(p, KW_EXISTS);
}

void expect_number(struct parser *p, const char *what)
{
    if (!accept(p, TOKEN_VARIABLE))
        expect(p, TOKEN_NUMBER, what);
}

void expect_pattern(struct parser *p)
{
    if (!accept(p, TOKEN_STRING))
        parse_ident(p, "a pattern");
}

/* ---- statements within statements ---- */

/* CBO [COST | JOINCOST] | VECTORIZATION [ONLY] [SUMMARY | OPERATOR | EXPRESSION | DETAIL] */
static void parse_explain_detail(struct parser *p, uint16_t word)
{
    if (word == KW_CBO) {
        if (!accept_word(p, KW_COST))
            accept_word(p, KW_JOINCOST);
        return;
    }
    accept_word(p, KW_ONLY);
    if (!accept_word(p, KW_SUMMARY) && !accept_word(p, KW_OPERATOR) &&
        !accept_word(p, KW_EXPRESSION))
        accept_word(p, KW_DETAIL);
}

/* One option; false when the statement begins. */
static bool parse_explain_option(struct parser *p, struct wrapper_stmt *explain)
{
    uint16_t word = p->token->word;
    switch (word) {
    case KW_ANALYZE:
        if (peek_at(p, 1)->word == KW_TABLE)
            return false;
        explain->analyze = true;
        break;
    case KW_EXTENDED:
    case KW_FORMATTED:
    case KW_DEPENDENCY:
    case KW_LOGICAL:
    case KW_AUTHORIZATION:
    case KW_REOPTIMIZATION:
    case KW_LOCKS:
    case KW_AST:
    case KW_DEBUG:
    case KW_DDL:
    case KW_REWRITE:
    case KW_CBO:
    case KW_VECTORIZATION:
        break;
    default:
        return false;
    }
    take(p);
    if (word == KW_CBO || word == KW_VECTORIZATION)
        parse_explain_detail(p, word);
    return true;
}

static struct stmt *new_wrapper(struct parser *p, enum stmt_kind kind, struct wrapper_stmt wrapper,
                                const struct token *first)
{
    struct wrapper_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = wrapper;
    return new_stmt(p, kind, copy, first);
}

static struct stmt *parse_executable(struct parser *p);

/* EXPLAIN {option} statement */
static struct stmt *parse_explain(struct parser *p)
{
    const struct token *first = take(p);
    struct wrapper_stmt explain = {0};
    while (parse_explain_option(p, &explain))
        continue;
    explain.options = clause_of_tokens(p, STR("options"), first + 1);
    explain.inner = parse_executable(p);
    return new_wrapper(p, STMT_EXPLAIN, explain, first);
}

/* EXECUTE id [USING constant {',' constant}] */
static struct stmt *parse_execute(struct parser *p)
{
    const struct token *first = take(p);
    struct execute_stmt *execute = ARENA_NEW(p->arena, struct execute_stmt);
    struct execute_stmt spare = {0};
    struct execute_stmt *body = execute != NULL ? execute : &spare;
    body->name = parse_ident(p, "a prepared statement");
    if (accept_word(p, KW_USING))
        body->args.count = parse_expr_list(p, &body->args.items);
    return new_stmt(p, STMT_EXECUTE, execute, first);
}

/* ---- queries as statements ---- */

static struct stmt *parse_query_statement(struct parser *p, struct cte *ctes, uint32_t cte_count,
                                          const struct token *first)
{
    struct query *query = hive_parse_set_query(p);
    if (query != NULL && cte_count > 0) {
        query->ctes = ctes;
        query->cte_count = cte_count;
        query->span = span_from(p, first);
    }
    return new_stmt(p, STMT_QUERY, query, first);
}

/* [WITH ctes] (INSERT .. | FROM .. | query) */
static struct stmt *parse_query_or_insert(struct parser *p)
{
    const struct token *first = p->token;
    struct cte *ctes = NULL;
    uint32_t cte_count = hive_parse_with(p, &ctes);
    if (at_word(p, KW_INSERT))
        return hive_parse_insert(p, ctes, cte_count, first);
    if (at_word(p, KW_FROM))
        return hive_parse_from_first(p, ctes, cte_count, first);
    return parse_query_statement(p, ctes, cte_count, first);
}

static bool begins_query_or_insert(const struct token *token)
{
    switch (token->word) {
    case KW_SELECT:
    case KW_WITH:
    case KW_FROM:
    case KW_MAP:
    case KW_REDUCE:
    case KW_VALUES:
    case KW_INSERT:
        return true;
    default:
        return token->kind == TOKEN_LPAREN;
    }
}

/* PREPARE id FROM query */
static struct stmt *parse_prepare(struct parser *p)
{
    const struct token *first = take(p);
    struct wrapper_stmt prepare = {.name = parse_ident(p, "a name")};
    expect_word(p, KW_FROM);
    prepare.inner = parse_query_or_insert(p);
    return new_wrapper(p, STMT_PREPARE, prepare, first);
}

/* ---- dispatch ---- */

/* What EXPLAIN may explain. */
static struct stmt *parse_executable(struct parser *p)
{
    if (begins_query_or_insert(p->token))
        return parse_query_or_insert(p);
    switch (p->token->word) {
    case KW_MERGE:
        return hive_parse_merge(p);
    case KW_UPDATE:
        return hive_parse_update(p);
    case KW_DELETE:
        return hive_parse_delete(p);
    case KW_LOAD:
        return hive_parse_load(p);
    case KW_EXPORT:
        return hive_parse_export(p);
    case KW_IMPORT:
        return hive_parse_import(p);
    case KW_CREATE:
        return hive_parse_create(p);
    case KW_ALTER:
        return hive_parse_alter(p);
    case KW_DROP:
        return hive_parse_drop(p);
    case KW_TRUNCATE:
        return hive_parse_truncate(p);
    case KW_ANALYZE:
        return hive_parse_analyze(p);
    case KW_SHOW:
        return hive_parse_show(p);
    case KW_DESCRIBE:
    case KW_DESC:
        return hive_parse_describe(p);
    case KW_PREPARE:
        return parse_prepare(p);
    case KW_EXECUTE:
        return parse_execute(p);
    default:
        return hive_parse_admin(p);
    }
}

struct stmt *hive_parse_statement(struct parser *p)
{
    return at_word(p, KW_EXPLAIN) ? parse_explain(p) : parse_executable(p);
}
