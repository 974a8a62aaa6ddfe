/* Impala's statements by their first word. */
#include "sql/impala.h"

static struct stmt *query_statement(struct parser *p, const struct token *first, struct cte *ctes,
                                    uint32_t cte_count)
{
    struct query *query = impala_query_after_with(p, first, ctes, cte_count);
    return new_stmt(p, STMT_QUERY, query, first);
}

/* WITH cte {',' cte} (insert | upsert | query) */
static struct stmt *with_statement(struct parser *p)
{
    const struct token *first = p->token;
    struct cte *ctes = NULL;
    uint32_t count = impala_with(p, &ctes);
    if (at_word(p, KW_INSERT) || at_word(p, KW_UPSERT))
        return impala_insert(p, first, ctes, count);
    return query_statement(p, first, ctes, count);
}

/*
 * What has a plan: queries and statements that change rows. NULL without error where none of them
 * begins.
 */
static struct stmt *planned_statement(struct parser *p)
{
    const struct token *first = p->token;
    switch (first->word) {
    case KW_SELECT:
    case KW_VALUES:
        return query_statement(p, first, NULL, 0);
    case KW_WITH:
        return with_statement(p);
    case KW_INSERT:
    case KW_UPSERT:
        return impala_insert(p, first, NULL, 0);
    case KW_UPDATE:
        return impala_update(p);
    case KW_DELETE:
        return impala_delete(p);
    case KW_MERGE:
        return impala_merge(p);
    case KW_OPTIMIZE:
        return impala_optimize(p);
    default:
        return at(p, TOKEN_LPAREN) ? query_statement(p, first, NULL, 0) : NULL;
    }
}

/* EXPLAIN (query | insert | ctas | update | upsert | delete | merge | optimize) */
static struct stmt *explain(struct parser *p)
{
    const struct token *first = take(p);
    struct wrapper_stmt *explain = ARENA_NEW(p->arena, struct wrapper_stmt);
    const struct token *start = p->token;
    struct stmt *inner = at_word(p, KW_CREATE) ? impala_create(p) : planned_statement(p);
    bool planned =
        inner != NULL && (inner->kind != STMT_CREATE_TABLE || inner->u.create_table->query != NULL);
    if (!planned || (start->word == KW_CREATE && inner->kind != STMT_CREATE_TABLE)) {
        p->token = p->failed ? p->token : start;
        parse_fail(p, STR("a statement that has a plan"));
    }
    if (explain != NULL)
        explain->inner = inner;
    return new_stmt(p, STMT_EXPLAIN, explain, first);
}

static struct stmt *administrative_statement(struct parser *p)
{
    switch (p->token->word) {
    case KW_EXPLAIN:
        return explain(p);
    case KW_CREATE:
        return impala_create(p);
    case KW_DROP:
        return impala_drop(p);
    case KW_ALTER:
        return impala_alter(p);
    case KW_COMMENT:
        return impala_comment(p);
    case KW_LOAD:
        return impala_load(p);
    case KW_TRUNCATE:
        return impala_truncate(p);
    case KW_USE:
        return impala_use(p);
    case KW_SET:
        return impala_set(p);
    case KW_UNSET:
        return impala_unset(p);
    case KW_SHOW:
        return impala_show(p);
    case KW_DESCRIBE:
    case KW_DESC:
        return impala_describe(p);
    case KW_COMPUTE:
        return impala_compute(p);
    case KW_INVALIDATE:
        return impala_invalidate(p);
    case KW_REFRESH:
        return impala_refresh(p);
    case KW_GRANT:
        return impala_grant(p);
    case KW_REVOKE:
        return impala_revoke(p);
    case KW_KILL:
        return impala_kill(p);
    case KW_COPY:
        return impala_copy(p);
    default:
        if (at(p, TOKEN_COLON))
            return impala_admin_function(p);
        parse_fail(p, STR("a statement"));
        return NULL;
    }
}

struct stmt *impala_parse_statement(struct parser *p)
{
    struct stmt *stmt = planned_statement(p);
    return stmt != NULL || p->failed || p->arena->failed ? stmt : administrative_statement(p);
}
