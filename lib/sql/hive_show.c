/* Hive: SHOW, DESCRIBE and ANALYZE. */
#include "sql/hive.h"

/* ---- SHOW ---- */

/* [(FROM | IN) db] */
static void parse_in_database(struct parser *p)
{
    if (accept_word(p, KW_FROM) || accept_word(p, KW_IN))
        parse_qname(p, "a database");
}

/* [LIKE pattern] */
static void parse_like(struct parser *p)
{
    if (accept_word(p, KW_LIKE))
        expect_pattern(p);
}

/* [LIKE (str | [db '.'] id)] */
static void parse_like_function(struct parser *p)
{
    if (accept_word(p, KW_LIKE) && !accept(p, TOKEN_STRING))
        parse_qname(p, "a pattern");
}

/* [(FROM | IN) db] [LIKE pattern | pattern] */
static void parse_names_of(struct parser *p)
{
    parse_in_database(p);
    if (at(p, TOKEN_STRING) || is_name_token(p->token))
        take(p);
    else
        parse_like(p);
}

/* [EXTENDED] TABLES [(FROM | IN) db] [LIKE pattern | pattern | WHERE id '=' str] */
static void parse_show_tables(struct parser *p)
{
    parse_in_database(p);
    if (!accept_word(p, KW_WHERE)) {
        parse_names_of(p);
        return;
    }
    parse_ident(p, "a name");
    expect(p, TOKEN_EQ, "=");
    parse_string(p, "a value in quotes");
}

/* [SORTED] COLUMNS (FROM | IN) qname [(FROM | IN) db] [LIKE pattern | str] */
static void parse_show_columns(struct parser *p, struct object_stmt *object)
{
    if (!accept_word(p, KW_FROM) && !accept_word(p, KW_IN))
        parse_fail(p, STR("FROM or IN"));
    object->name = parse_qname(p, "a table");
    parse_in_database(p);
    if (!accept(p, TOKEN_STRING))
        parse_like(p);
}

/* [ORDER BY keys] [LIMIT ..] */
static void parse_order_and_limit(struct parser *p)
{
    if (accept_words(p, KW_ORDER, KW_BY))
        parse_sort_keys(p);
    if (!accept_word(p, KW_LIMIT))
        return;
    expect_number(p, "a number of rows");
    if (accept(p, TOKEN_COMMA) || accept_word(p, KW_OFFSET))
        expect_number(p, "a number of rows");
}

/* PARTITIONS qname [partition] [WHERE expr] [ORDER BY keys] [LIMIT ..] */
static void parse_show_partitions(struct parser *p, struct object_stmt *object)
{
    object->name = parse_qname(p, "a table");
    object->partition = hive_parse_partition(p);
    if (accept_word(p, KW_WHERE))
        parse_expr(p);
    parse_order_and_limit(p);
}

/* CREATE (TABLE qname | (DATABASE | SCHEMA) db) */
static void parse_show_create(struct parser *p, struct object_stmt *object)
{
    if (accept_word(p, KW_DATABASE) || accept_word(p, KW_SCHEMA)) {
        object->name = parse_qname(p, "a database");
        return;
    }
    expect_word(p, KW_TABLE);
    object->name = parse_qname(p, "a table");
}

/* TABLE EXTENDED [(FROM | IN) db] LIKE pattern [partition] */
static void parse_show_extended(struct parser *p, struct object_stmt *object)
{
    expect_word(p, KW_EXTENDED);
    parse_in_database(p);
    expect_word(p, KW_LIKE);
    expect_pattern(p);
    object->partition = hive_parse_partition(p);
}

/* LOCKS [(DATABASE | SCHEMA) db | qname [partition]] [EXTENDED] */
static void parse_show_locks(struct parser *p, struct object_stmt *object)
{
    if (accept_word(p, KW_DATABASE) || accept_word(p, KW_SCHEMA)) {
        object->name = parse_qname(p, "a database");
    } else if (is_name_token(p->token)) {
        object->name = parse_qname(p, "a table");
        object->partition = hive_parse_partition(p);
    }
    accept_word(p, KW_EXTENDED);
}

/* [POOL str] [TYPE str] [STATUS str], in this order */
static void parse_compaction_filters(struct parser *p)
{
    if (accept_word(p, KW_POOL))
        parse_string(p, "a pool in quotes");
    if (accept_word(p, KW_TYPE))
        parse_string(p, "a type in quotes");
    if (accept_word(p, KW_STATUS))
        parse_string(p, "a state in quotes");
}

/*
 * COMPACTIONS [COMPACTIONID '=' num | (DATABASE db | qname [partition]) filters] [ORDER BY keys]
 * [LIMIT ..]
 */
static void parse_show_compactions(struct parser *p, struct object_stmt *object)
{
    bool filtered = at_word(p, KW_POOL) || at_word(p, KW_TYPE) || at_word(p, KW_STATUS);
    if (accept_word(p, KW_COMPACTIONID)) {
        expect(p, TOKEN_EQ, "=");
        expect_number(p, "a compaction's number");
    } else if (accept_word(p, KW_DATABASE) || accept_word(p, KW_SCHEMA)) {
        object->name = parse_qname(p, "a database");
    } else if (is_name_token(p->token) && !filtered && !hive_begins_clause(p->token)) {
        object->name = parse_qname(p, "a table");
        object->partition = hive_parse_partition(p);
    }
    parse_compaction_filters(p);
    parse_order_and_limit(p);
}

/* GRANT [principal] [ON (ALL | object)] */
static void parse_show_grant(struct parser *p, struct object_stmt *object)
{
    if (!at(p, TOKEN_END) && !at_word(p, KW_ON))
        hive_parse_principal(p);
    if (accept_word(p, KW_ON) && !accept_word(p, KW_ALL))
        hive_parse_granted_object(p, object);
}

/* ROLE GRANT principal | ROLES | CURRENT ROLES | PRINCIPALS [id] */
static bool parse_show_roles(struct parser *p, uint16_t word)
{
    switch (word) {
    case KW_ROLE:
        expect_word(p, KW_GRANT);
        hive_parse_principal(p);
        return true;
    case KW_CURRENT:
        expect_word(p, KW_ROLES);
        return true;
    case KW_PRINCIPALS:
        parse_ident(p, "a role");
        return true;
    default:
        return word == KW_ROLES;
    }
}

/* (INDEX | INDEXES) ON qname [(FROM | IN) db], with FORMATTED before it: removed in Hive 3 */
static void parse_show_indexes(struct parser *p, struct object_stmt *object)
{
    expect_word(p, KW_ON);
    object->name = parse_qname(p, "a table");
    parse_in_database(p);
}

static void parse_show_resource(struct parser *p)
{
    if (accept_word(p, KW_PLANS))
        return;
    expect_word(p, KW_PLAN);
    parse_ident(p, "a resource plan");
}

/* SHOW subjects that name no table. */
static bool parse_show_other(struct parser *p, uint16_t word)
{
    switch (word) {
    case KW_DATABASES:
    case KW_SCHEMAS:
    case KW_CATALOGS:
        parse_like(p);
        return true;
    case KW_FUNCTIONS:
        parse_like_function(p);
        return true;
    case KW_VIEWS:
        parse_names_of(p);
        return true;
    case KW_MATERIALIZED:
        expect_word(p, KW_VIEWS);
        parse_names_of(p);
        return true;
    case KW_CONF:
        parse_string(p, "a setting in quotes");
        return true;
    case KW_RESOURCE:
        parse_show_resource(p);
        return true;
    case KW_TRANSACTIONS:
    case KW_CONNECTORS:
        return true;
    default:
        return parse_show_roles(p, word);
    }
}

static void parse_show_subject(struct parser *p, struct object_stmt *object)
{
    const struct token *subject = take(p);
    switch (subject->word) {
    case KW_EXTENDED:
        expect_word(p, KW_TABLES);
        parse_show_tables(p);
        break;
    case KW_TABLES:
        parse_show_tables(p);
        break;
    case KW_SORTED:
        expect_word(p, KW_COLUMNS);
        parse_show_columns(p, object);
        break;
    case KW_COLUMNS:
        parse_show_columns(p, object);
        break;
    case KW_PARTITIONS:
        parse_show_partitions(p, object);
        break;
    case KW_CREATE:
        parse_show_create(p, object);
        break;
    case KW_TABLE:
        parse_show_extended(p, object);
        break;
    case KW_TBLPROPERTIES:
        object->name = parse_qname(p, "a table");
        if (at(p, TOKEN_LPAREN))
            parse_properties(p, STR("properties"));
        break;
    case KW_LOCKS:
        parse_show_locks(p, object);
        break;
    case KW_COMPACTIONS:
        parse_show_compactions(p, object);
        break;
    case KW_GRANT:
        parse_show_grant(p, object);
        break;
    case KW_FORMATTED:
        if (!accept_word(p, KW_INDEX))
            expect_word(p, KW_INDEXES);
        parse_show_indexes(p, object);
        break;
    case KW_INDEX:
    case KW_INDEXES:
        parse_show_indexes(p, object);
        break;
    default:
        if (parse_show_other(p, subject->word))
            break;
        p->token = subject;
        parse_fail(p, STR("what to show: TABLES, COLUMNS, PARTITIONS .."));
    }
}

/* SHOW subject */
struct stmt *hive_parse_show(struct parser *p)
{
    const struct token *first = take(p);
    struct object_stmt object = {0};
    parse_show_subject(p, &object);
    return new_object_stmt(p, STMT_SHOW, object, first);
}

/* ---- DESCRIBE ---- */

/* The name of a function: qname, str, an operator or a word that is one. */
static void parse_function_name(struct parser *p, struct object_stmt *object)
{
    if (is_name_token(p->token))
        object->name = take_qname(p);
    else if (at(p, TOKEN_END))
        parse_fail(p, STR("a function"));
    else
        take(p);
}

/* {'.' (id | $ELEM$ | $KEY$ | $VALUE$)} */
static void parse_column_path(struct parser *p)
{
    if (!is_column_name(p, p->token))
        return;
    take(p);
    while (accept(p, TOKEN_DOT))
        parse_column_ident(p, "a field name");
}

/* DESCRIBE takes db.table and then a column: a third part cannot be joined to the name. */
static struct qname parse_described_table(struct parser *p)
{
    const struct token *start = p->token;
    struct qname name = parse_qname(p, "a table");
    if (name.count > 2) {
        p->token = start + 3;
        parse_fail(p, STR("a column or the end"));
    }
    return name;
}

/* [EXTENDED | FORMATTED] qname [partition] [column path] */
static void parse_describe_table(struct parser *p, struct object_stmt *object)
{
    bool detailed = at_word(p, KW_EXTENDED) || at_word(p, KW_FORMATTED);
    if (detailed && is_table_name(p, peek_at(p, 1)))
        take(p);
    object->name = parse_described_table(p);
    object->partition = hive_parse_partition(p);
    parse_column_path(p);
    if (!object->partition.present)
        object->partition = hive_parse_partition(p);
}

/* (DESCRIBE | DESC) subject */
struct stmt *hive_parse_describe(struct parser *p)
{
    const struct token *first = take(p);
    struct object_stmt object = {0};
    bool named = is_name_token(peek_at(p, 1)) || peek_at(p, 1)->word == KW_EXTENDED;
    bool database = at_word(p, KW_DATABASE) || (at_word(p, KW_SCHEMA) && named);
    bool other = (at_word(p, KW_CATALOG) || at_word(p, KW_CONNECTOR)) && named;
    if (database || other) {
        take(p);
        accept_word(p, KW_EXTENDED);
        object.name = parse_qname(p, "a name");
    } else if (accept_word(p, KW_FUNCTION)) {
        accept_word(p, KW_EXTENDED);
        parse_function_name(p, &object);
    } else {
        parse_describe_table(p, &object);
    }
    return new_object_stmt(p, STMT_DESCRIBE, object, first);
}

/* ---- ANALYZE ---- */

/* COMPUTE STATISTICS [NOSCAN | PARTIALSCAN | FOR COLUMNS [id {',' id}]] */
static void parse_compute(struct parser *p)
{
    take(p);
    expect_word(p, KW_STATISTICS);
    if (accept_word(p, KW_NOSCAN) || accept_text(p, STR("partialscan")) || !accept_word(p, KW_FOR))
        return;
    expect_word(p, KW_COLUMNS);
    if (!is_column_name(p, p->token))
        return;
    do
        parse_column_ident(p, "a column name");
    while (accept(p, TOKEN_COMMA));
}

/* ANALYZE TABLE qname [partition] (COMPUTE .. | CACHE METADATA) */
struct stmt *hive_parse_analyze(struct parser *p)
{
    const struct token *first = take(p);
    struct object_stmt object = {0};
    expect_word(p, KW_TABLE);
    object.name = parse_qname(p, "a table");
    object.partition = hive_parse_partition(p);
    if (at_word(p, KW_COMPUTE)) {
        parse_compute(p);
    } else if (accept_word(p, KW_CACHE)) {
        expect_word(p, KW_METADATA);
    } else {
        parse_fail(p, STR("COMPUTE STATISTICS or CACHE METADATA"));
    }
    return new_object_stmt(p, STMT_ANALYZE, object, first);
}
