/*
 * Impala's statements about the session, metadata and statistics. Their trees are generic: no
 * lineage comes from them.
 */
#include "sql/impala.h"

/* USE id */
struct stmt *impala_use(struct parser *p)
{
    const struct token *first = take(p);
    struct qname name = impala_plain_name(p, "a database");
    return impala_object(p, STMT_USE, first, name, NULL);
}

/* ---- SET ---- */

static struct stmt *command(struct parser *p, const struct token *first, str_t word, str_t key,
                            str_t value)
{
    struct command_stmt *command = ARENA_NEW(p->arena, struct command_stmt);
    if (command != NULL)
        *command = (struct command_stmt){word, key, value};
    return new_stmt(p, STMT_SET, command, first);
}

/* ['-'] number | str | word */
static str_t set_value(struct parser *p)
{
    const struct token *first = p->token;
    if (at(p, TOKEN_STRING))
        return parse_string(p, "a value");
    bool negative = accept(p, TOKEN_MINUS);
    bool word = !negative && (at(p, TOKEN_WORD) || is_identifier(p, p->token));
    if (!word && !at(p, TOKEN_NUMBER)) {
        parse_fail(p, STR("a value"));
        return STR("");
    }
    take(p);
    span_t span = span_from(p, first);
    return str_make(p->text.ptr + span.start, span.end - span.start);
}

/* SET [ALL | id '=' value] */
struct stmt *impala_set(struct parser *p)
{
    const struct token *first = take(p);
    if (at(p, TOKEN_END) || accept_word(p, KW_ALL))
        return command(p, first, STR("set"), STR(""), STR(""));
    struct ident key = parse_ident(p, "an option");
    expect(p, TOKEN_EQ, "=");
    str_t value = set_value(p);
    return command(p, first, STR("set"), name_str(key.name), value);
}

/* UNSET ALL */
struct stmt *impala_unset(struct parser *p)
{
    const struct token *first = take(p);
    expect_word(p, KW_ALL);
    return command(p, first, STR("unset"), STR(""), STR(""));
}

/* ---- metadata ---- */

/* INVALIDATE METADATA [table] */
struct stmt *impala_invalidate(struct parser *p)
{
    const struct token *first = take(p);
    expect_word(p, KW_METADATA);
    struct qname name = {0};
    if (!at(p, TOKEN_END))
        name = impala_table_name(p);
    return impala_object(p, STMT_REFRESH, first, name, new_clause(p, STR("invalidate_metadata")));
}

/* A partition as (partition (= name value) ..) */
static struct clause *partition_clause(struct parser *p, const struct partition_spec *partition)
{
    struct clause *clause = new_clause(p, STR("partition"));
    for (uint32_t i = 0; i < partition->count && partition->keys != NULL; i++) {
        struct clause *key = impala_names_clause(p, STR("="), &partition->keys[i].name, 1);
        clause_add_expr(p, key, partition->keys[i].value);
        clause_add_node(p, clause, key);
    }
    return clause;
}

/* REFRESH (table {PARTITION '(' id '=' expr {',' ..} ')'} | FUNCTIONS id | AUTHORIZATION) */
struct stmt *impala_refresh(struct parser *p)
{
    const struct token *first = take(p);
    if (accept_word(p, KW_AUTHORIZATION))
        return impala_object(p, STMT_REFRESH, first, (struct qname){0},
                             new_clause(p, STR("authorization")));
    if (accept_word(p, KW_FUNCTIONS)) {
        struct qname database = impala_plain_name(p, "a database");
        return impala_object(p, STMT_REFRESH, first, database, new_clause(p, STR("functions")));
    }
    struct qname name = impala_table_name(p);
    struct clause *options = new_clause(p, STR("table"));
    struct partition_spec first_partition = {0};
    while (accept_word(p, KW_PARTITION)) {
        struct partition_spec partition = impala_partition(p, false);
        if (!first_partition.present)
            first_partition = partition;
        clause_add_node(p, options, partition_clause(p, &partition));
    }
    struct stmt *stmt = impala_object(p, STMT_REFRESH, first, name, options);
    if (stmt != NULL && stmt->u.object != NULL)
        stmt->u.object->partition = first_partition;
    return stmt;
}

/* ---- statistics ---- */

/* '(' [ids] ')' as (columns ..) */
static void stats_columns(struct parser *p, struct clause *options)
{
    if (!at(p, TOKEN_LPAREN))
        return;
    struct ident *names = NULL;
    uint32_t count = impala_ident_list_or_none(p, &names);
    clause_add_node(p, options, impala_names_clause(p, STR("columns"), names, count));
}

/*
 * COMPUTE (STATS table ['(' [ids] ')'] [sample] | INCREMENTAL STATS table [PARTITION '(' exprs ')']
 * ['(' [ids] ')'])
 */
struct stmt *impala_compute(struct parser *p)
{
    const struct token *first = take(p);
    bool incremental = accept_word(p, KW_INCREMENTAL);
    expect_word(p, KW_STATS);
    struct qname name = impala_table_name(p);
    struct clause *options = new_clause(p, incremental ? STR("incremental_stats") : STR("stats"));
    struct partition_spec partition = {0};
    if (incremental && accept_word(p, KW_PARTITION))
        partition = impala_partition_filter(p);
    stats_columns(p, options);
    if (!incremental)
        clause_add_node(p, options, impala_sample(p));
    struct stmt *stmt = impala_object(p, STMT_ANALYZE, first, name, options);
    if (stmt != NULL && stmt->u.object != NULL)
        stmt->u.object->partition = partition;
    return stmt;
}

/* (STATS table | INCREMENTAL STATS table PARTITION '(' exprs ')') behind DROP */
struct stmt *impala_drop_stats(struct parser *p, const struct token *first)
{
    bool incremental = accept_word(p, KW_INCREMENTAL);
    expect_word(p, KW_STATS);
    struct qname name = impala_table_name(p);
    struct clause *options = new_clause(p, incremental ? STR("incremental_stats") : STR("stats"));
    struct partition_spec partition = {0};
    if (incremental) {
        expect_word(p, KW_PARTITION);
        partition = impala_partition_filter(p);
    }
    struct stmt *stmt = impala_object(p, STMT_DROP_OTHER, first, name, options);
    if (stmt != NULL && stmt->u.object != NULL)
        stmt->u.object->partition = partition;
    return stmt;
}

/* ---- the server ---- */

/* KILL QUERY str */
struct stmt *impala_kill(struct parser *p)
{
    const struct token *first = take(p);
    struct clause *options = new_clause(p, STR("kill_query"));
    expect_word(p, KW_QUERY);
    impala_keep_string(p, options, "the id of a query in quotes");
    return impala_object(p, STMT_ADMIN, first, (struct qname){0}, options);
}

/* COPY TESTCASE (TO str query | FROM str) */
struct stmt *impala_copy(struct parser *p)
{
    const struct token *first = take(p);
    expect_word(p, KW_TESTCASE);
    bool to = accept_word(p, KW_TO);
    if (!to)
        expect_word(p, KW_FROM);
    struct clause *options =
        new_clause(p, to ? STR("copy_testcase_to") : STR("copy_testcase_from"));
    impala_keep_string(p, options, "a path in quotes");
    if (to)
        clause_add_query(p, options, impala_parse_query(p));
    return impala_object(p, STMT_ADMIN, first, (struct qname){0}, options);
}

/* ':' id '(' [expr {',' expr}] ')' */
struct stmt *impala_admin_function(struct parser *p)
{
    const struct token *first = take(p);
    struct qname name = impala_plain_name(p, "a function");
    struct clause *options = new_clause(p, STR("admin_function"));
    expect(p, TOKEN_LPAREN, "(");
    if (!at(p, TOKEN_RPAREN)) {
        do
            clause_add_expr(p, options, parse_expr(p));
        while (accept(p, TOKEN_COMMA));
    }
    expect(p, TOKEN_RPAREN, ", or )");
    return impala_object(p, STMT_ADMIN, first, name, options);
}
