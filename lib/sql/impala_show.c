/* Impala's SHOW and DESCRIBE. */
#include "sql/impala.h"

/* [[LIKE] str] */
static void pattern(struct parser *p, struct clause *clause)
{
    bool like = accept_word(p, KW_LIKE);
    if (like || at(p, TOKEN_STRING))
        impala_keep_string(p, clause, "a pattern in quotes");
}

/* DATABASES, DATA SOURCES: no object, a pattern */
static struct stmt *list_all(struct parser *p, const struct token *first, str_t label)
{
    struct clause *clause = new_clause(p, label);
    pattern(p, clause);
    return impala_object(p, STMT_SHOW, first, (struct qname){0}, clause);
}

/* [IN id] [[LIKE] str] behind TABLES, VIEWS, FUNCTIONS */
static struct stmt *list_in_database(struct parser *p, const struct token *first, str_t label)
{
    struct clause *clause = new_clause(p, label);
    struct qname database = {0};
    if (accept_word(p, KW_IN))
        database = impala_plain_name(p, "a database");
    pattern(p, clause);
    return impala_object(p, STMT_SHOW, first, database, clause);
}

/* A table behind words that have been taken. */
static struct stmt *of_table(struct parser *p, const struct token *first, str_t label)
{
    struct qname name = impala_table_name(p);
    return impala_object(p, STMT_SHOW, first, name, new_clause(p, label));
}

/* METADATA TABLES IN table [[LIKE] str] */
static struct stmt *metadata_tables(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("metadata_tables"));
    expect_word(p, KW_TABLES);
    expect_word(p, KW_IN);
    struct qname name = impala_table_name(p);
    pattern(p, clause);
    return impala_object(p, STMT_SHOW, first, name, clause);
}

/* CREATE ((TABLE | VIEW) table [WITH STATS] | [AGGREGATE] FUNCTION fname) */
static struct stmt *show_create(struct parser *p, const struct token *first)
{
    if (at_word(p, KW_TABLE) || at_word(p, KW_VIEW)) {
        struct clause *clause =
            new_clause(p, take(p)->word == KW_VIEW ? STR("create_view") : STR("create_table"));
        struct qname name = impala_table_name(p);
        if (at_words(p, KW_WITH, KW_STATS)) {
            impala_keep(p, clause);
            impala_keep(p, clause);
        }
        return impala_object(p, STMT_SHOW, first, name, clause);
    }
    bool aggregate = accept_word(p, KW_AGGREGATE);
    expect_word(p, KW_FUNCTION);
    return of_table(p, first,
                    aggregate ? STR("create_aggregate_function") : STR("create_function"));
}

/* PARTITIONS table [WHERE expr] */
static struct stmt *partitions(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("partitions"));
    struct qname name = impala_table_name(p);
    if (accept_word(p, KW_WHERE))
        clause_add_expr(p, clause, parse_expr(p));
    return impala_object(p, STMT_SHOW, first, name, clause);
}

/* FILES IN table [asof] [PARTITION '(' exprs ')'] */
static struct stmt *files(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("files"));
    expect_word(p, KW_IN);
    struct qname name = impala_table_name(p);
    struct expr *as_of = impala_as_of(p);
    if (as_of != NULL)
        clause_add_expr(p, clause, as_of);
    struct partition_spec partition = {0};
    if (accept_word(p, KW_PARTITION))
        partition = impala_partition_filter(p);
    struct stmt *stmt = impala_object(p, STMT_SHOW, first, name, clause);
    if (stmt != NULL && stmt->u.object != NULL)
        stmt->u.object->partition = partition;
    return stmt;
}

/* CURRENT (ROLES | GROUPS) */
static struct stmt *current(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("current"));
    if (!at_word(p, KW_ROLES) && !at_word(p, KW_GROUPS))
        parse_fail(p, STR("ROLES or GROUPS"));
    impala_keep(p, clause);
    return impala_object(p, STMT_SHOW, first, (struct qname){0}, clause);
}

/* ROLE GRANT (GROUP | USER) id */
static struct stmt *role_grant(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("role_grant"));
    expect_word(p, KW_GRANT);
    if (!at_word(p, KW_GROUP) && !at_word(p, KW_USER))
        parse_fail(p, STR("GROUP or USER"));
    impala_keep(p, clause);
    clause_add_name(p, clause, impala_plain_name(p, "a name"));
    return impala_object(p, STMT_SHOW, first, (struct qname){0}, clause);
}

/* GRANT (ROLE | GROUP | USER) id [ON object] */
static struct stmt *show_grant(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("grant"));
    if (!at_word(p, KW_ROLE) && !at_word(p, KW_GROUP) && !at_word(p, KW_USER))
        parse_fail(p, STR("ROLE, GROUP or USER"));
    impala_keep(p, clause);
    clause_add_name(p, clause, impala_plain_name(p, "a name"));
    if (accept_word(p, KW_ON))
        impala_privilege_object(p, clause, false);
    return impala_object(p, STMT_SHOW, first, (struct qname){0}, clause);
}

/* (TABLE | COLUMN) STATS table */
static struct stmt *stats(struct parser *p, const struct token *first, str_t label)
{
    expect_word(p, KW_STATS);
    return of_table(p, first, label);
}

/* SHOW .. */
struct stmt *impala_show(struct parser *p)
{
    const struct token *first = take(p), *what = take(p);
    switch (what->word) {
    case KW_DATABASES:
    case KW_SCHEMAS:
        return list_all(p, first, STR("databases"));
    case KW_TABLES:
        return list_in_database(p, first, STR("tables"));
    case KW_VIEWS:
        return list_in_database(p, first, STR("views"));
    case KW_FUNCTIONS:
        return list_in_database(p, first, STR("functions"));
    case KW_AGGREGATE:
        expect_word(p, KW_FUNCTIONS);
        return list_in_database(p, first, STR("aggregate_functions"));
    case KW_ANALYTIC:
        expect_word(p, KW_FUNCTIONS);
        return list_in_database(p, first, STR("analytic_functions"));
    case KW_METADATA:
        return metadata_tables(p, first);
    case KW_CREATE:
        return show_create(p, first);
    case KW_TABLE:
        return stats(p, first, STR("table_stats"));
    case KW_COLUMN:
        return stats(p, first, STR("column_stats"));
    case KW_PARTITIONS:
        return partitions(p, first);
    case KW_RANGE:
        expect_word(p, KW_PARTITIONS);
        return of_table(p, first, STR("range_partitions"));
    case KW_HASH:
        expect_word(p, KW_SCHEMA);
        return of_table(p, first, STR("hash_schema"));
    case KW_FILES:
        return files(p, first);
    case KW_DATA:
        expect_word(p, KW_SOURCES);
        return list_all(p, first, STR("data_sources"));
    case KW_ROLES:
        return impala_object(p, STMT_SHOW, first, (struct qname){0}, new_clause(p, STR("roles")));
    case KW_CURRENT:
        return current(p, first);
    case KW_ROLE:
        return role_grant(p, first);
    case KW_GRANT:
        return show_grant(p, first);
    default:
        p->token = what;
        parse_fail(p, STR("what to show"));
        return NULL;
    }
}

/* ---- DESCRIBE ---- */

static void keep_detail(struct parser *p, struct clause *clause)
{
    if (at_word(p, KW_FORMATTED) || at_word(p, KW_EXTENDED))
        impala_keep(p, clause);
}

/* HISTORY table [FROM expr | BETWEEN expr AND expr] */
static struct stmt *history(struct parser *p, const struct token *first)
{
    struct clause *clause = new_clause(p, STR("history"));
    struct qname name = impala_table_name(p);
    if (accept_word(p, KW_FROM)) {
        clause_add_expr(p, clause, parse_expr(p));
    } else if (accept_word(p, KW_BETWEEN)) {
        clause_add_expr(p, clause, parse_sum_expr(p));
        expect_word(p, KW_AND);
        clause_add_expr(p, clause, parse_sum_expr(p));
    }
    return impala_object(p, STMT_DESCRIBE, first, name, clause);
}

/*
 * (DESCRIBE | DESC) ((DATABASE | SCHEMA) [detail] id | HISTORY table .. | [detail] path)
 * DESC is the shell's.
 */
struct stmt *impala_describe(struct parser *p)
{
    const struct token *first = take(p);
    if (accept_word(p, KW_DATABASE) || accept_word(p, KW_SCHEMA)) {
        struct clause *clause = new_clause(p, STR("database"));
        keep_detail(p, clause);
        struct qname name = impala_plain_name(p, "a database");
        return impala_object(p, STMT_DESCRIBE, first, name, clause);
    }
    if (at_word(p, KW_HISTORY) && is_identifier(p, peek_at(p, 1))) {
        take(p);
        return history(p, first);
    }
    struct clause *clause = new_clause(p, STR("table"));
    keep_detail(p, clause);
    struct qname name = parse_qname(p, "a table name");
    return impala_object(p, STMT_DESCRIBE, first, name, clause);
}
