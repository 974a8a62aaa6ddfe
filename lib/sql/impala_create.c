/*
 * Impala's CREATE, DROP and ALTER: dispatch, and databases, roles and what is dropped. The rest has
 * files of its own.
 */
#include "sql/impala.h"

/* ---- databases ---- */

static bool accept_database(struct parser *p)
{
    return accept_word(p, KW_DATABASE) || accept_word(p, KW_SCHEMA);
}

/* (label str) of a string behind a word */
static void string_option(struct parser *p, struct clause *options, enum keyword word, str_t label)
{
    if (!accept_word(p, word))
        return;
    struct clause *clause = new_clause(p, label);
    impala_keep_string(p, clause, "a string in quotes");
    clause_add_node(p, options, clause);
}

/*
 * [IF NOT EXISTS] id [COMMENT str] [WITH DBPROPERTIES props] [LOCATION str] [MANAGEDLOCATION str]
 * behind CREATE DATABASE
 */
static struct stmt *create_database(struct parser *p, const struct token *first)
{
    struct object_stmt *object = ARENA_NEW(p->arena, struct object_stmt);
    if (object == NULL)
        return NULL;
    object->if_not_exists = impala_if_not_exists(p);
    object->name = impala_plain_name(p, "a database");
    object->options = new_clause(p, STR("options"));
    string_option(p, object->options, KW_COMMENT, STR("comment"));
    if (accept_word(p, KW_WITH)) {
        expect_word(p, KW_DBPROPERTIES);
        clause_add_node(p, object->options, impala_properties(p, STR("dbproperties")));
    }
    if (accept_word(p, KW_LOCATION))
        object->location = parse_string(p, "a path in quotes");
    string_option(p, object->options, KW_MANAGEDLOCATION, STR("managedlocation"));
    return new_stmt(p, STMT_CREATE_DATABASE, object, first);
}

/* [IF EXISTS] id [CASCADE | RESTRICT] behind DROP DATABASE */
static struct stmt *drop_database(struct parser *p, const struct token *first)
{
    struct object_stmt *object = ARENA_NEW(p->arena, struct object_stmt);
    if (object == NULL)
        return NULL;
    object->if_exists = impala_if_exists(p);
    object->name = impala_plain_name(p, "a database");
    object->options = new_clause(p, STR("options"));
    if (at_word(p, KW_CASCADE) || at_word(p, KW_RESTRICT))
        impala_keep(p, object->options);
    return new_stmt(p, STMT_DROP_DATABASE, object, first);
}

/* ---- dispatch ---- */

/* ROLE id */
static struct stmt *role(struct parser *p, enum stmt_kind kind, const struct token *first)
{
    take(p);
    struct qname name = impala_plain_name(p, "a role");
    return impala_object(p, kind, first, name, new_clause(p, STR("role")));
}

/*
 * create = CREATE ([hints] [EXTERNAL] TABLE | VIEW | DATABASE | [AGGREGATE] FUNCTION
 *                 | DATA SOURCE | ROLE) ..
 */
struct stmt *impala_create(struct parser *p)
{
    const struct token *first = take(p);
    if (accept_database(p))
        return create_database(p, first);
    switch (p->token->word) {
    case KW_VIEW:
        return impala_create_view(p, first);
    case KW_AGGREGATE:
    case KW_FUNCTION:
        return impala_create_function(p, first);
    case KW_DATA:
        return impala_create_data_source(p, first);
    case KW_ROLE:
        return role(p, STMT_CREATE_OTHER, first);
    case KW_TABLE:
    case KW_EXTERNAL:
        return impala_create_table(p, first);
    default:
        if (!impala_at_hints(p))
            parse_fail(p, STR("TABLE, VIEW, DATABASE, FUNCTION, DATA SOURCE or ROLE"));
        impala_hints(p);
        return impala_create_table(p, first);
    }
}

/* (TABLE | VIEW) [IF EXISTS] table [PURGE], which only tables have */
static struct stmt *drop_table(struct parser *p, const struct token *first)
{
    bool view = take(p)->word == KW_VIEW;
    struct object_stmt *object = ARENA_NEW(p->arena, struct object_stmt);
    if (object == NULL)
        return NULL;
    object->if_exists = impala_if_exists(p);
    object->name = impala_table_name(p);
    object->options = new_clause(p, STR("options"));
    if (!view && at_word(p, KW_PURGE))
        impala_keep(p, object->options);
    return new_stmt(p, view ? STMT_DROP_VIEW : STMT_DROP_TABLE, object, first);
}

/* DATA SOURCE [IF EXISTS] id behind DROP */
static struct stmt *drop_data_source(struct parser *p, const struct token *first)
{
    take(p);
    expect_word(p, KW_SOURCE);
    impala_if_exists(p);
    struct qname name = impala_plain_name(p, "a data source");
    return impala_object(p, STMT_DROP_OTHER, first, name, new_clause(p, STR("data_source")));
}

/*
 * drop = DROP (TABLE | VIEW | DATABASE | [AGGREGATE] FUNCTION | DATA SOURCE
 *             | [INCREMENTAL] STATS | ROLE) ..
 */
struct stmt *impala_drop(struct parser *p)
{
    const struct token *first = take(p);
    if (accept_database(p))
        return drop_database(p, first);
    switch (p->token->word) {
    case KW_TABLE:
    case KW_VIEW:
        return drop_table(p, first);
    case KW_AGGREGATE:
    case KW_FUNCTION:
        return impala_drop_function(p, first);
    case KW_DATA:
        return drop_data_source(p, first);
    case KW_STATS:
    case KW_INCREMENTAL:
        return impala_drop_stats(p, first);
    case KW_ROLE:
        return role(p, STMT_DROP_OTHER, first);
    default:
        parse_fail(p, STR("TABLE, VIEW, DATABASE, FUNCTION, DATA SOURCE, STATS or ROLE"));
        return NULL;
    }
}

/* ---- ALTER DATABASE ---- */

/* DATABASE id SET (owner | DBPROPERTIES props) behind ALTER */
static struct stmt *alter_database(struct parser *p, const struct token *first)
{
    struct qname name = impala_plain_name(p, "a database");
    struct clause *options = new_clause(p, STR("database"));
    expect_word(p, KW_SET);
    if (accept_word(p, KW_DBPROPERTIES))
        clause_add_node(p, options, impala_properties(p, STR("dbproperties")));
    else if (at_word(p, KW_OWNER))
        clause_add_node(p, options, impala_owner(p));
    else
        parse_fail(p, STR("DBPROPERTIES or OWNER"));
    return impala_object(p, STMT_ALTER_OTHER, first, name, options);
}

/* alter = ALTER (TABLE | VIEW | DATABASE) .. */
struct stmt *impala_alter(struct parser *p)
{
    const struct token *first = take(p);
    if (accept_word(p, KW_TABLE))
        return impala_alter_table(p, first);
    if (accept_word(p, KW_VIEW))
        return impala_alter_view(p, first);
    expect_word(p, KW_DATABASE);
    return alter_database(p, first);
}
