/* Impala's GRANT and REVOKE, of roles and of rights. */
#include "sql/impala.h"

/*
 * SERVER [id] | DATABASE id | TABLE table | COLUMN [db '.'] t '.' c | (URI | STORAGEHANDLER_URI)
 * str | USER_DEFINED_FN fname
 */
void impala_privilege_object(struct parser *p, struct clause *clause, bool server_name)
{
    const struct token *what = p->token;
    clause_add_word(p, clause, what);
    if (accept_word(p, KW_SERVER)) {
        if (server_name && is_identifier(p, p->token))
            clause_add_name(p, clause, impala_plain_name(p, "a server"));
    } else if (accept_word(p, KW_DATABASE)) {
        clause_add_name(p, clause, impala_plain_name(p, "a database"));
    } else if (accept_word(p, KW_TABLE) || accept_word(p, KW_USER_DEFINED_FN)) {
        clause_add_name(p, clause, impala_table_name(p));
    } else if (!server_name && accept_word(p, KW_COLUMN)) {
        struct qname column = parse_qname(p, "a column name");
        if (column.count < 2 || column.count > 3)
            parse_fail(p, STR("a column name with its table"));
        clause_add_name(p, clause, column);
    } else if (accept_word(p, KW_URI) || accept_word(p, KW_STORAGEHANDLER_URI)) {
        impala_keep_string(p, clause, "an address in quotes");
    } else {
        parse_fail(p, STR("SERVER, DATABASE, TABLE, URI or what else has rights"));
    }
}

static bool at_privilege(const struct parser *p)
{
    switch (p->token->word) {
    case KW_SELECT:
    case KW_INSERT:
    case KW_REFRESH:
    case KW_CREATE:
    case KW_ALTER:
    case KW_DROP:
    case KW_ALL:
    case KW_RWSTORAGE:
        return true;
    default:
        return false;
    }
}

/* priv ON object | priv '(' ids ')' ON TABLE table: that only SELECT has columns is found later */
static void privilege(struct parser *p, struct clause *clause)
{
    bool columns = peek_at(p, 1)->kind == TOKEN_LPAREN;
    if (!at_privilege(p))
        parse_fail(p, STR("a right"));
    impala_keep(p, clause);
    if (columns) {
        struct ident *names = NULL;
        uint32_t count = impala_ident_list_or_none(p, &names);
        clause_add_node(p, clause, impala_names_clause(p, STR("columns"), names, count));
    }
    expect_word(p, KW_ON);
    if (columns && !at_word(p, KW_TABLE))
        parse_fail(p, STR("TABLE"));
    impala_privilege_object(p, clause, true);
}

/* [ROLE | USER | GROUP] id */
static void principal(struct parser *p, struct clause *clause)
{
    bool kind = at_word(p, KW_ROLE) || at_word(p, KW_GROUP) ||
                (at_word(p, KW_USER) && is_identifier(p, peek_at(p, 1)));
    if (kind)
        impala_keep(p, clause);
    clause_add_name(p, clause, impala_plain_name(p, "a name"));
}

/* (GROUP | USER) id */
static void member(struct parser *p, struct clause *clause)
{
    if (!at_word(p, KW_GROUP) && !at_word(p, KW_USER))
        parse_fail(p, STR("GROUP or USER"));
    impala_keep(p, clause);
    clause_add_name(p, clause, impala_plain_name(p, "a name"));
}

static struct stmt *finish(struct parser *p, const struct token *first, struct clause *clause)
{
    return impala_object(p, STMT_GRANT, first, (struct qname){0}, clause);
}

/* [WITH word OPTION] */
static void with_option(struct parser *p, struct clause *clause, enum keyword word)
{
    if (!accept_word(p, KW_WITH))
        return;
    const struct token *option = p->token;
    expect_word(p, word);
    expect_word(p, KW_OPTION);
    clause_add_word(p, clause, option);
}

/* GRANT (ROLE id TO member [WITH ADMIN OPTION] | privilege TO principal [WITH GRANT OPTION]) */
struct stmt *impala_grant(struct parser *p)
{
    const struct token *first = take(p);
    struct clause *clause = new_clause(p, STR("grant"));
    if (at_word(p, KW_ROLE)) {
        impala_keep(p, clause);
        clause_add_name(p, clause, impala_plain_name(p, "a role"));
        expect_word(p, KW_TO);
        member(p, clause);
        with_option(p, clause, KW_ADMIN);
        return finish(p, first, clause);
    }
    privilege(p, clause);
    expect_word(p, KW_TO);
    principal(p, clause);
    with_option(p, clause, KW_GRANT);
    return finish(p, first, clause);
}

/* REVOKE ([ADMIN OPTION FOR] [ROLE] id FROM member | [GRANT OPTION FOR] privilege FROM principal)
 */
struct stmt *impala_revoke(struct parser *p)
{
    const struct token *first = take(p);
    struct clause *clause = new_clause(p, STR("revoke"));
    bool admin = at_words(p, KW_ADMIN, KW_OPTION);
    if (admin || at_words(p, KW_GRANT, KW_OPTION)) {
        impala_keep(p, clause);
        take(p);
        expect_word(p, KW_FOR);
    }
    if (admin || at_word(p, KW_ROLE)) {
        accept_word(p, KW_ROLE);
        clause_add_name(p, clause, impala_plain_name(p, "a role"));
        expect_word(p, KW_FROM);
        member(p, clause);
        return finish(p, first, clause);
    }
    privilege(p, clause);
    expect_word(p, KW_FROM);
    principal(p, clause);
    return finish(p, first, clause);
}
