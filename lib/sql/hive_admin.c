/*
 * Hive: statements without lineage that are neither SHOW nor DDL: rights, locks, transactions,
 * replication, maintenance.
 */
#include "sql/hive.h"

/* ---- rights ---- */

static bool is_privilege(const struct token *token)
{
    switch (token->word) {
    case KW_ALL:
    case KW_ALTER:
    case KW_UPDATE:
    case KW_CREATE:
    case KW_DROP:
    case KW_INDEX:
    case KW_LOCK:
    case KW_SELECT:
    case KW_SHOW_DATABASE:
    case KW_INSERT:
    case KW_DELETE:
        return true;
    default:
        return false;
    }
}

/* (USER | GROUP | ROLE) id */
void hive_parse_principal(struct parser *p)
{
    if (!accept_word(p, KW_USER) && !accept_word(p, KW_GROUP) && !accept_word(p, KW_ROLE))
        parse_fail(p, STR("USER, GROUP or ROLE"));
    parse_ident(p, "a name");
}

/* principal {',' principal} */
static void parse_principals(struct parser *p)
{
    do
        hive_parse_principal(p);
    while (accept(p, TOKEN_COMMA));
}

/* privilege ['(' columns ')'] {',' ..} */
static void parse_privileges(struct parser *p)
{
    struct ident *columns;
    do {
        if (is_privilege(p->token))
            take(p);
        else
            parse_fail(p, STR("a privilege"));
        if (at(p, TOKEN_LPAREN))
            hive_parse_columns(p, &columns);
    } while (accept(p, TOKEN_COMMA));
}

void hive_parse_granted_object(struct parser *p, struct object_stmt *object)
{
    struct ident *columns;
    if (at_word(p, KW_URI) && peek_at(p, 1)->kind == TOKEN_STRING) {
        skip_tokens(p, 2);
        return;
    }
    bool server = at_word(p, KW_SERVER) && is_name_token(peek_at(p, 1));
    bool schema = at_word(p, KW_SCHEMA) && is_name_token(peek_at(p, 1));
    if (server || schema || at_word(p, KW_DATABASE) || at_word(p, KW_TABLE))
        take(p);
    object->name = parse_qname(p, "an object");
    if (at(p, TOKEN_LPAREN))
        hive_parse_columns(p, &columns);
    object->partition = hive_parse_partition(p);
}

/* [ROLE] id {',' id} */
static void parse_roles(struct parser *p)
{
    if (at_word(p, KW_ROLE) && is_name_token(peek_at(p, 1)))
        take(p);
    do
        parse_ident(p, "a role or privilege");
    while (accept(p, TOKEN_COMMA));
}

/* [WITH (GRANT | ADMIN) OPTION] */
static void accept_grant_option(struct parser *p)
{
    if (!accept_word(p, KW_WITH))
        return;
    if (!accept_word(p, KW_ADMIN))
        expect_word(p, KW_GRANT);
    expect_word(p, KW_OPTION);
}

/* GRANT (privileges [ON object] | [ROLE] roles) TO principals [WITH (GRANT | ADMIN) OPTION] */
static void parse_grant(struct parser *p, struct object_stmt *object)
{
    if (is_privilege(p->token)) {
        parse_privileges(p);
        if (accept_word(p, KW_ON))
            hive_parse_granted_object(p, object);
    } else {
        parse_roles(p);
    }
    expect_word(p, KW_TO);
    parse_principals(p);
    accept_grant_option(p);
}

/* REVOKE [(GRANT | ADMIN) OPTION FOR] (privileges [ON object] | [ROLE] roles) FROM principals */
static void parse_revoke(struct parser *p, struct object_stmt *object)
{
    bool option = at_words(p, KW_GRANT, KW_OPTION) || at_words(p, KW_ADMIN, KW_OPTION);
    if (option) {
        skip_tokens(p, 2);
        expect_word(p, KW_FOR);
    }
    if (is_privilege(p->token)) {
        parse_privileges(p);
        if (accept_word(p, KW_ON))
            hive_parse_granted_object(p, object);
    } else {
        parse_roles(p);
    }
    expect_word(p, KW_FROM);
    parse_principals(p);
}

/* ---- locks and transactions ---- */

/* (TABLE qname [partition] | (DATABASE | SCHEMA) db) [SHARED | EXCLUSIVE] */
static void parse_lock(struct parser *p, struct object_stmt *object, bool lock)
{
    if (accept_word(p, KW_DATABASE) || accept_word(p, KW_SCHEMA)) {
        object->name = parse_qname(p, "a database");
    } else {
        expect_word(p, KW_TABLE);
        object->name = parse_qname(p, "a table");
        object->partition = hive_parse_partition(p);
    }
    if (lock && !accept_word(p, KW_SHARED))
        expect_word(p, KW_EXCLUSIVE);
}

/* [mode {',' mode}], mode = ISOLATION LEVEL SNAPSHOT | READ (ONLY | WRITE) */
static void parse_transaction_modes(struct parser *p)
{
    expect_word(p, KW_TRANSACTION);
    if (at(p, TOKEN_END))
        return;
    do {
        if (accept_word(p, KW_READ)) {
            if (!accept_word(p, KW_ONLY))
                expect_word(p, KW_WRITE);
        } else {
            expect_word(p, KW_ISOLATION);
            expect_word(p, KW_LEVEL);
            expect_word(p, KW_SNAPSHOT);
        }
    } while (accept(p, TOKEN_COMMA));
}

/* ABORT (TRANSACTIONS | COMPACTIONS) num+ */
static void parse_abort(struct parser *p)
{
    if (!accept_word(p, KW_COMPACTIONS))
        expect_word(p, KW_TRANSACTIONS);
    do
        expect_number(p, "a number");
    while (at(p, TOKEN_NUMBER));
}

/* KILL QUERY str+ */
static void parse_kill(struct parser *p)
{
    expect_word(p, KW_QUERY);
    do
        parse_string(p, "a query's id in quotes");
    while (at(p, TOKEN_STRING));
}

/* ---- replication ---- */

/* id ['.' str ['.' str]] | db.table of old versions */
static void parse_policy(struct parser *p)
{
    parse_qname(p, "a database");
    if (accept(p, TOKEN_DOT)) {
        parse_string(p, "a pattern in quotes");
        if (accept(p, TOKEN_DOT))
            parse_string(p, "a pattern in quotes");
    }
}

/* [FROM num [TO num] [LIMIT num]]: of old versions */
static void accept_events(struct parser *p)
{
    if (!accept_word(p, KW_FROM))
        return;
    expect_number(p, "an event's number");
    if (accept_word(p, KW_TO))
        expect_number(p, "an event's number");
    if (accept_word(p, KW_LIMIT))
        expect_number(p, "a number");
}

/*
 * DUMP policy [REPLACE policy] [WITH props] | LOAD policy [INTO id] [WITH props] | STATUS id [WITH
 * props]
 */
static void parse_repl(struct parser *p)
{
    if (accept_word(p, KW_DUMP)) {
        parse_policy(p);
        if (accept_word(p, KW_REPLACE))
            parse_policy(p);
        accept_events(p);
    } else if (accept_word(p, KW_LOAD)) {
        parse_policy(p);
        if (accept_word(p, KW_INTO))
            parse_qname(p, "a database");
        if (accept_word(p, KW_FROM))
            parse_string(p, "a path in quotes");
    } else {
        expect_word(p, KW_STATUS);
        parse_policy(p);
    }
    if (accept_word(p, KW_WITH))
        parse_properties(p, STR("properties"));
}

/* ---- maintenance ---- */

/* MSCK [REPAIR] TABLE qname [(ADD | DROP | SYNC) PARTITIONS [filter]] */
static void parse_msck(struct parser *p, struct object_stmt *object)
{
    accept_word(p, KW_REPAIR);
    expect_word(p, KW_TABLE);
    object->name = parse_qname(p, "a table");
    if (!accept_word(p, KW_ADD) && !accept_word(p, KW_DROP) && !accept_word(p, KW_SYNC)) {
        object->partition = hive_parse_partition(p);
        return;
    }
    expect_word(p, KW_PARTITIONS);
    if (at(p, TOKEN_LPAREN))
        object->partition = hive_parse_partition_list(p);
    else if (at_word(p, KW_PARTITION))
        object->partition = hive_parse_partition_filter(p);
}

/* OPTIMIZE TABLE qname REWRITE DATA [POOL str] [WHERE expr] [ORDER BY keys] */
static void parse_optimize(struct parser *p, struct object_stmt *object)
{
    expect_word(p, KW_TABLE);
    object->name = parse_qname(p, "a table");
    expect_word(p, KW_REWRITE);
    expect_word(p, KW_DATA);
    if (accept_word(p, KW_POOL))
        parse_string(p, "a pool in quotes");
    if (accept_word(p, KW_WHERE))
        parse_expr(p);
    if (accept_words(p, KW_ORDER, KW_BY))
        parse_sort_keys(p);
}

/*
 * SET (ROLE (ALL | NONE | id) | AUTOCOMMIT (TRUE | FALSE) | CATALOG id); other SETs are the
 * client's
 */
static void parse_set(struct parser *p)
{
    if (accept_word(p, KW_AUTOCOMMIT)) {
        if (!accept_word(p, KW_TRUE))
            expect_word(p, KW_FALSE);
    } else if (accept_word(p, KW_CATALOG)) {
        parse_ident(p, "a catalog");
    } else {
        expect_word(p, KW_ROLE);
        if (!accept_word(p, KW_ALL) && !accept_word(p, KW_NONE_WORD))
            parse_ident(p, "a role");
    }
}

/* REPLACE (ACTIVE RESOURCE PLAN WITH id | RESOURCE PLAN id WITH id) */
static void parse_replace_plan(struct parser *p)
{
    bool active = accept_word(p, KW_ACTIVE);
    expect_word(p, KW_RESOURCE);
    expect_word(p, KW_PLAN);
    if (!active)
        parse_ident(p, "a resource plan");
    expect_word(p, KW_WITH);
    parse_ident(p, "a resource plan");
}

/* ---- dispatch ---- */

static enum stmt_kind admin_kind(uint16_t word)
{
    switch (word) {
    case KW_USE:
        return STMT_USE;
    case KW_MSCK:
        return STMT_MSCK;
    case KW_OPTIMIZE:
        return STMT_OPTIMIZE;
    case KW_LOCK:
    case KW_UNLOCK:
        return STMT_LOCK;
    case KW_GRANT:
    case KW_REVOKE:
        return STMT_GRANT;
    case KW_START:
    case KW_COMMIT:
    case KW_ROLLBACK:
    case KW_ABORT:
        return STMT_TRANSACTION;
    default:
        return STMT_ADMIN;
    }
}

/* Statements about a table, a database or rights. */
static bool parse_object_words(struct parser *p, uint16_t word, struct object_stmt *object)
{
    switch (word) {
    case KW_USE:
        object->name = parse_qname(p, "a database");
        return true;
    case KW_MSCK:
        parse_msck(p, object);
        return true;
    case KW_OPTIMIZE:
        parse_optimize(p, object);
        return true;
    case KW_LOCK:
    case KW_UNLOCK:
        parse_lock(p, object, word == KW_LOCK);
        return true;
    case KW_GRANT:
        parse_grant(p, object);
        return true;
    case KW_REVOKE:
        parse_revoke(p, object);
        return true;
    default:
        return false;
    }
}

/* Statements about the session or the server. */
static void parse_session_words(struct parser *p, const struct token *first)
{
    switch (first->word) {
    case KW_SET:
        parse_set(p);
        break;
    case KW_RELOAD:
        if (!accept_word(p, KW_FUNCTIONS))
            expect_word(p, KW_FUNCTION);
        break;
    case KW_START:
        parse_transaction_modes(p);
        break;
    case KW_COMMIT:
    case KW_ROLLBACK:
        accept_word(p, KW_WORK);
        break;
    case KW_ABORT:
        parse_abort(p);
        break;
    case KW_KILL:
        parse_kill(p);
        break;
    case KW_REPL:
        parse_repl(p);
        break;
    case KW_ENABLE:
    case KW_DISABLE:
        expect_word(p, KW_WORKLOAD);
        expect_word(p, KW_MANAGEMENT);
        break;
    case KW_REPLACE:
        parse_replace_plan(p);
        break;
    default:
        if (p->failed)
            break;
        p->token = first;
        parse_fail(p, STR("a statement"));
    }
}

struct stmt *hive_parse_admin(struct parser *p)
{
    const struct token *first = take(p);
    struct object_stmt object = {0};
    if (!parse_object_words(p, first->word, &object))
        parse_session_words(p, first);
    return new_object_stmt(p, admin_kind(first->word), object, first);
}
