/*
 * Hive: CREATE, DROP and ALTER of all that is neither table, view nor workload; the words behind
 * CREATE, DROP, ALTER decide.
 */
#include "sql/hive.h"

/* Takes all that is left: syntax of old versions that is only recognised. */
static void skip_rest(struct parser *p)
{
    while (!at(p, TOKEN_END))
        take(p);
}

/* ---- databases, catalogs, connectors ---- */

/* [COMMENT str] */
static void accept_comment(struct parser *p)
{
    if (accept_word(p, KW_COMMENT))
        parse_string(p, "a comment in quotes");
}

/*
 * [IF NOT EXISTS] db [COMMENT str] [LOCATION str] [MANAGEDLOCATION str] [USING id] [WITH
 * DBPROPERTIES props]
 */
static struct stmt *parse_create_database(struct parser *p, const struct token *first, bool remote)
{
    struct object_stmt object = {.if_not_exists = accept_if_not_exists(p)};
    object.name = parse_qname(p, "a database's name");
    accept_comment(p);
    if (!remote && accept_word(p, KW_LOCATION))
        object.location = parse_string(p, "a path in quotes");
    if (!remote && accept_word(p, KW_MANAGEDLOCATION))
        parse_string(p, "a path in quotes");
    if (remote) {
        expect_word(p, KW_USING);
        parse_ident(p, "a connector");
    }
    if (accept_words(p, KW_WITH, KW_DBPROPERTIES))
        parse_properties(p, STR("dbproperties"));
    return new_object_stmt(p, STMT_CREATE_DATABASE, object, first);
}

/* [IF NOT EXISTS] id LOCATION str [COMMENT str] [PROPERTIES props] */
static void parse_create_catalog(struct parser *p, struct object_stmt *object)
{
    object->if_not_exists = accept_if_not_exists(p);
    object->name = parse_qname(p, "a catalog's name");
    expect_word(p, KW_LOCATION);
    object->location = parse_string(p, "a path in quotes");
    accept_comment(p);
    if (accept_word(p, KW_PROPERTIES))
        parse_properties(p, STR("properties"));
}

/* [IF NOT EXISTS] id [TYPE str] [URL str] [COMMENT str] [WITH DCPROPERTIES props] */
static void parse_create_connector(struct parser *p, struct object_stmt *object)
{
    object->if_not_exists = accept_if_not_exists(p);
    object->name = parse_qname(p, "a connector's name");
    if (accept_word(p, KW_TYPE))
        parse_string(p, "a type in quotes");
    if (accept_word(p, KW_URL))
        object->location = parse_string(p, "an address in quotes");
    accept_comment(p);
    if (accept_words(p, KW_WITH, KW_DCPROPERTIES))
        parse_properties(p, STR("dcproperties"));
}

/* ---- functions and macros ---- */

/* [USING (JAR | FILE | ARCHIVE) str {',' ..}] */
static void parse_resources(struct parser *p)
{
    if (!accept_word(p, KW_USING))
        return;
    do {
        if (!accept_word(p, KW_JAR) && !accept_word(p, KW_FILE) && !accept_word(p, KW_ARCHIVE))
            parse_fail(p, STR("JAR, FILE or ARCHIVE"));
        parse_string(p, "a path in quotes");
    } while (accept(p, TOKEN_COMMA));
}

static struct stmt *new_function(struct parser *p, struct create_function function,
                                 const struct token *first)
{
    struct create_function *copy = arena_alloc(p->arena, sizeof(*copy));
    function.options = clause_of_tokens(p, STR("options"), first);
    if (copy != NULL)
        *copy = function;
    return new_stmt(p, function.macro ? STMT_CREATE_MACRO : STMT_CREATE_FUNCTION, copy, first);
}

/* FUNCTION name AS str [USING ..], with the cursor behind FUNCTION */
static struct stmt *parse_create_function(struct parser *p, const struct token *first,
                                          bool temporary)
{
    struct create_function function = {.temporary = temporary};
    if (at(p, TOKEN_STRING))
        take(p);
    else
        function.name = parse_qname(p, "a function's name");
    expect_word(p, KW_AS);
    parse_string(p, "a class name in quotes");
    parse_resources(p);
    return new_function(p, function, first);
}

/* MACRO id '(' [id type {',' id type}] ')' expr, with the cursor behind MACRO */
static struct stmt *parse_create_macro(struct parser *p, const struct token *first)
{
    struct create_function macro = {.temporary = true, .macro = true};
    macro.name = parse_qname(p, "a macro's name");
    if (at(p, TOKEN_LPAREN) && peek_at(p, 1)->kind == TOKEN_RPAREN)
        skip_tokens(p, 2);
    else
        macro.param_count = hive_parse_column_defs(p, &macro.params);
    macro.body = parse_expr(p);
    return new_function(p, macro, first);
}

/* ---- branches and tags by themselves ---- */

/* [IF NOT EXISTS] id {clauses and FROM qname}, with the cursor behind BRANCH or TAG */
static void parse_create_reference(struct parser *p, struct object_stmt *object)
{
    object->if_not_exists = accept_if_not_exists(p);
    parse_ident(p, "a name");
    while (!at_word(p, KW_FROM) && !at(p, TOKEN_END))
        take(p);
    expect_word(p, KW_FROM);
    object->name = parse_qname(p, "a table");
    skip_rest(p);
}

/* ---- CREATE ---- */

/* TEMPORARY (FUNCTION | MACRO | [EXTERNAL] TABLE) */
static struct stmt *parse_create_temporary(struct parser *p, const struct token *first)
{
    switch (peek_at(p, 1)->word) {
    case KW_FUNCTION:
        skip_tokens(p, 2);
        return parse_create_function(p, first, true);
    case KW_MACRO:
        skip_tokens(p, 2);
        return parse_create_macro(p, first);
    default:
        return hive_parse_create_table(p, first);
    }
}

/* Objects that have a name and clauses and no lineage. */
static struct stmt *parse_create_object(struct parser *p, const struct token *first)
{
    struct object_stmt object = {0};
    switch (take(p)->word) {
    case KW_ROLE:
        object.name = parse_qname(p, "a role's name");
        break;
    case KW_CATALOG:
        parse_create_catalog(p, &object);
        break;
    case KW_CONNECTOR:
        parse_create_connector(p, &object);
        break;
    case KW_BRANCH:
    case KW_TAG:
        parse_create_reference(p, &object);
        break;
    case KW_INDEX:
        skip_rest(p);
        break;
    default:
        p->token--;
        parse_fail(p, STR("what to create: TABLE, VIEW, DATABASE, FUNCTION .."));
    }
    return new_object_stmt(p, STMT_CREATE_OTHER, object, first);
}

/* OR REPLACE (VIEW | TABLE | BRANCH | TAG) */
static struct stmt *parse_create_or_replace(struct parser *p, const struct token *first)
{
    switch (peek_at(p, 2)->word) {
    case KW_TABLE:
    case KW_TEMPORARY:
    case KW_EXTERNAL:
        return hive_parse_create_table(p, first);
    case KW_BRANCH:
    case KW_TAG:
        skip_tokens(p, 2);
        return parse_create_object(p, first);
    default:
        return hive_parse_create_view(p, first);
    }
}

/* CREATE .. */
struct stmt *hive_parse_create(struct parser *p)
{
    const struct token *first = take(p);
    switch (p->token->word) {
    case KW_OR:
        return parse_create_or_replace(p, first);
    case KW_TEMPORARY:
        return parse_create_temporary(p, first);
    case KW_TABLE:
    case KW_EXTERNAL:
    case KW_TRANSACTIONAL:
    case KW_MANAGED:
        return hive_parse_create_table(p, first);
    case KW_VIEW:
    case KW_MATERIALIZED:
        return hive_parse_create_view(p, first);
    case KW_REMOTE:
        take(p);
        if (!accept_word(p, KW_SCHEMA))
            expect_word(p, KW_DATABASE);
        return parse_create_database(p, first, true);
    case KW_DATABASE:
    case KW_SCHEMA:
        take(p);
        return parse_create_database(p, first, false);
    case KW_FUNCTION:
        take(p);
        return parse_create_function(p, first, false);
    case KW_SCHEDULED:
        return hive_parse_create_schedule(p, first);
    case KW_RESOURCE:
    case KW_TRIGGER:
    case KW_POOL:
    case KW_USER:
    case KW_GROUP:
    case KW_APPLICATION:
        return hive_parse_create_workload(p, first);
    default:
        return parse_create_object(p, first);
    }
}

/* ---- DROP ---- */

/* TABLE [IF EXISTS] qname [PURGE] [replication] */
static struct stmt *parse_drop_table(struct parser *p, const struct token *first)
{
    struct object_stmt object = {.if_exists = accept_if_exists(p)};
    object.name = parse_qname(p, "a table");
    accept_word(p, KW_PURGE);
    hive_parse_replication(p, NULL);
    return new_object_stmt(p, STMT_DROP_TABLE, object, first);
}

/* (DATABASE | SCHEMA) [IF EXISTS] db [RESTRICT | CASCADE] */
static struct stmt *parse_drop_database(struct parser *p, const struct token *first)
{
    struct object_stmt object = {.if_exists = accept_if_exists(p)};
    object.name = parse_qname(p, "a database");
    if (!accept_word(p, KW_RESTRICT))
        accept_word(p, KW_CASCADE);
    return new_object_stmt(p, STMT_DROP_DATABASE, object, first);
}

/* [IF EXISTS] qname */
static struct stmt *parse_drop_named(struct parser *p, const struct token *first,
                                     enum stmt_kind kind, const char *what)
{
    struct object_stmt object = {.if_exists = accept_if_exists(p)};
    if (kind == STMT_DROP_FUNCTION && at(p, TOKEN_STRING))
        take(p);
    else
        object.name = parse_qname(p, what);
    return new_object_stmt(p, kind, object, first);
}

/* TEMPORARY (FUNCTION | MACRO) [IF EXISTS] name */
static struct stmt *parse_drop_temporary(struct parser *p, const struct token *first)
{
    if (accept_word(p, KW_MACRO))
        return parse_drop_named(p, first, STMT_DROP_MACRO, "a macro");
    expect_word(p, KW_FUNCTION);
    return parse_drop_named(p, first, STMT_DROP_FUNCTION, "a function");
}

/*
 * ROLE id | (CATALOG | CONNECTOR) [IF EXISTS] id | (BRANCH | TAG) [IF EXISTS] id FROM qname | INDEX
 * ..
 */
static struct stmt *parse_drop_object(struct parser *p, const struct token *first)
{
    struct object_stmt object = {0};
    const struct token *what = take(p);
    switch (what->word) {
    case KW_ROLE:
    case KW_CATALOG:
    case KW_CONNECTOR:
        object.if_exists = accept_if_exists(p);
        object.name = parse_qname(p, "a name");
        break;
    case KW_BRANCH:
    case KW_TAG:
        object.if_exists = accept_if_exists(p);
        parse_ident(p, "a name");
        expect_word(p, KW_FROM);
        object.name = parse_qname(p, "a table");
        break;
    case KW_INDEX:
        skip_rest(p);
        break;
    default:
        p->token = what;
        parse_fail(p, STR("what to drop: TABLE, VIEW, DATABASE, FUNCTION .."));
    }
    return new_object_stmt(p, STMT_DROP_OTHER, object, first);
}

/* DROP .. */
struct stmt *hive_parse_drop(struct parser *p)
{
    const struct token *first = take(p);
    switch (p->token->word) {
    case KW_TABLE:
        take(p);
        return parse_drop_table(p, first);
    case KW_VIEW:
        take(p);
        return parse_drop_named(p, first, STMT_DROP_VIEW, "a view");
    case KW_MATERIALIZED:
        take(p);
        expect_word(p, KW_VIEW);
        return parse_drop_named(p, first, STMT_DROP_VIEW, "a view");
    case KW_DATABASE:
    case KW_SCHEMA:
        take(p);
        return parse_drop_database(p, first);
    case KW_FUNCTION:
        take(p);
        return parse_drop_named(p, first, STMT_DROP_FUNCTION, "a function");
    case KW_TEMPORARY:
        take(p);
        return parse_drop_temporary(p, first);
    case KW_SCHEDULED:
    case KW_RESOURCE:
    case KW_TRIGGER:
    case KW_POOL:
    case KW_USER:
    case KW_GROUP:
    case KW_APPLICATION:
        return hive_parse_drop_workload(p, first);
    default:
        return parse_drop_object(p, first);
    }
}

/* ---- ALTER ---- */

/*
 * SET (DBPROPERTIES props | OWNER principal | LOCATION str | MANAGEDLOCATION str | DCPROPERTIES
 * props | URL str)
 */
static void parse_set_object(struct parser *p, struct object_stmt *object)
{
    expect_word(p, KW_SET);
    switch (take(p)->word) {
    case KW_DBPROPERTIES:
    case KW_DCPROPERTIES:
    case KW_PROPERTIES:
        parse_properties(p, STR("properties"));
        break;
    case KW_OWNER:
        hive_parse_principal(p);
        break;
    case KW_LOCATION:
    case KW_MANAGEDLOCATION:
    case KW_URL:
        object->location = parse_string(p, "an address in quotes");
        break;
    default:
        if (p->failed)
            return;
        p->token--;
        parse_fail(p, STR("DBPROPERTIES, OWNER, LOCATION, MANAGEDLOCATION or URL"));
    }
}

/* (DATABASE | SCHEMA | CATALOG | CONNECTOR) name SET .. | INDEX .. */
static struct stmt *parse_alter_object(struct parser *p, const struct token *first)
{
    struct object_stmt object = {0};
    const struct token *what = take(p);
    switch (what->word) {
    case KW_DATABASE:
    case KW_SCHEMA:
    case KW_CATALOG:
    case KW_CONNECTOR:
        object.name = parse_qname(p, "a name");
        parse_set_object(p, &object);
        break;
    case KW_INDEX:
        skip_rest(p);
        break;
    default:
        p->token = what;
        parse_fail(p, STR("what to alter: TABLE, VIEW, DATABASE .."));
    }
    return new_object_stmt(p, STMT_ALTER_OTHER, object, first);
}

/* ALTER .. */
struct stmt *hive_parse_alter(struct parser *p)
{
    const struct token *first = take(p);
    switch (p->token->word) {
    case KW_TABLE:
        take(p);
        return hive_parse_alter_table(p, first);
    case KW_VIEW:
        take(p);
        return hive_parse_alter_view(p, first, false);
    case KW_MATERIALIZED:
        take(p);
        expect_word(p, KW_VIEW);
        return hive_parse_alter_view(p, first, true);
    case KW_SCHEDULED:
        return hive_parse_alter_schedule(p, first);
    case KW_RESOURCE:
    case KW_TRIGGER:
    case KW_POOL:
    case KW_USER:
    case KW_GROUP:
    case KW_APPLICATION:
        return hive_parse_alter_workload(p, first);
    default:
        return parse_alter_object(p, first);
    }
}
