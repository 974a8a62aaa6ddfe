/* Hive: CREATE VIEW, CREATE MATERIALIZED VIEW and ALTER of both. */
#include "sql/hive.h"

/* '(' id [COMMENT str] {',' id [COMMENT str]} ')' */
static void parse_view_columns(struct parser *p, struct create_view *view)
{
    VEC(struct column_def) list = {0};
    take(p);
    do {
        struct column_def column = {.name = parse_column_ident(p, "a column name")};
        if (accept_word(p, KW_COMMENT))
            column.comment = parse_string(p, "a comment in quotes");
        struct column_def *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = column;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    view->columns = list.items;
    view->column_count = list.count;
}

/* [PARTITIONED ON ('(' id {',' id} ')' | SPEC fields)] */
static void parse_partitioned_on(struct parser *p, struct create_view *view)
{
    const struct token *first = p->token;
    if (!accept_word(p, KW_PARTITIONED))
        return;
    expect_word(p, KW_ON);
    if (accept_word(p, KW_SPEC)) {
        hive_parse_partition_fields(p);
        add_token_clause(p, view->options, STR("partitioned_on_spec"), first);
        return;
    }
    view->partitioned_count = hive_parse_columns(p, &view->partitioned_on);
}

/* [COMMENT str] */
static void parse_comment(struct parser *p, struct create_view *view)
{
    if (accept_word(p, KW_COMMENT))
        view->comment = parse_string(p, "a comment in quotes");
}

/* [TBLPROPERTIES props] */
static void parse_view_properties(struct parser *p, struct create_view *view)
{
    if (accept_word(p, KW_TBLPROPERTIES))
        clause_add_node(p, view->options, parse_properties(p, STR("tblproperties")));
}

/* [columns] [COMMENT str] [PARTITIONED ON ..] [TBLPROPERTIES props] */
static void parse_view_clauses(struct parser *p, struct create_view *view)
{
    if (at(p, TOKEN_LPAREN))
        parse_view_columns(p, view);
    parse_comment(p, view);
    parse_partitioned_on(p, view);
    parse_comment(p, view);
    parse_view_properties(p, view);
}

/* [CLUSTERED ON columns | DISTRIBUTED ON columns SORTED ON columns] */
static void parse_view_order(struct parser *p, struct create_view *view)
{
    const struct token *first = p->token;
    struct ident *columns;
    if (accept_word(p, KW_CLUSTERED)) {
        expect_word(p, KW_ON);
        hive_parse_columns(p, &columns);
    } else if (accept_word(p, KW_DISTRIBUTED)) {
        expect_word(p, KW_ON);
        hive_parse_columns(p, &columns);
        expect_word(p, KW_SORTED);
        expect_word(p, KW_ON);
        hive_parse_columns(p, &columns);
    } else {
        return;
    }
    add_token_clause(p, view->options, STR("order"), first);
}

/*
 * [DISABLE REWRITE] [COMMENT str] [PARTITIONED ON ..] [order] [rowFormat] [stored] [LOCATION str]
 * [TBLPROPERTIES props]
 */
static void parse_materialized_clauses(struct parser *p, struct create_view *view)
{
    const struct token *first = p->token;
    if (at_word(p, KW_ENABLE) || at_word(p, KW_DISABLE)) {
        take(p);
        expect_word(p, KW_REWRITE);
        add_token_clause(p, view->options, STR("rewrite"), first);
    }
    parse_comment(p, view);
    parse_partitioned_on(p, view);
    parse_view_order(p, view);
    struct table_clauses clauses = {.options = view->options, .comment = view->comment};
    while (hive_parse_storage_clause(p, &clauses))
        continue;
    view->comment = clauses.comment;
    view->location = clauses.location;
    view->stored_as = clauses.stored_as;
}

static struct stmt *new_view(struct parser *p, struct create_view view, const struct token *first)
{
    struct create_view *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = view;
    return new_stmt(p, STMT_CREATE_VIEW, copy, first);
}

/*
 * CREATE [OR REPLACE] [MATERIALIZED] VIEW [IF NOT EXISTS] qname clauses AS query, with the cursor
 * behind CREATE
 */
struct stmt *hive_parse_create_view(struct parser *p, const struct token *first)
{
    struct create_view view = {.options = new_clause(p, STR("options"))};
    view.or_replace = accept_words(p, KW_OR, KW_REPLACE);
    view.materialized = accept_word(p, KW_MATERIALIZED);
    expect_word(p, KW_VIEW);
    view.if_not_exists = accept_if_not_exists(p);
    view.name = parse_qname(p, "a view's name");
    if (view.materialized)
        parse_materialized_clauses(p, &view);
    else
        parse_view_clauses(p, &view);
    expect_word(p, KW_AS);
    view.query = hive_parse_query(p);
    return new_view(p, view, first);
}

/* ---- ALTER VIEW ---- */

static struct stmt *new_alter(struct parser *p, struct alter_stmt alter, const struct token *from,
                              const struct token *first)
{
    struct alter_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    add_token_clause(p, alter.options, STR("action"), from);
    if (copy != NULL)
        *copy = alter;
    return new_stmt(p, STMT_ALTER_VIEW, copy, first);
}

/* ADD [IF NOT EXISTS] (partition [LOCATION str])+ | DROP [IF EXISTS] filter {',' filter} */
static void parse_view_partitions(struct parser *p, struct alter_stmt *alter, bool add)
{
    if (add)
        accept_if_not_exists(p);
    else
        accept_if_exists(p);
    alter->kind = add ? ALTER_ADD_PARTITION : ALTER_DROP_PARTITION;
    alter->partition = hive_parse_partition_filter(p);
    while (add ? at_word(p, KW_PARTITION) : accept(p, TOKEN_COMMA))
        hive_parse_partition_filter(p);
}

/* (SET | UNSET) TBLPROPERTIES [IF EXISTS] props */
static void parse_set_properties(struct parser *p, struct alter_stmt *alter)
{
    alter->kind = ALTER_SET_PROPERTIES;
    take(p);
    expect_word(p, KW_TBLPROPERTIES);
    accept_if_exists(p);
    clause_add_node(p, alter->options, parse_properties(p, STR("tblproperties")));
}

/* REBUILD | (ENABLE | DISABLE) REWRITE */
static void parse_materialized_action(struct parser *p, struct alter_stmt *alter)
{
    alter->kind = ALTER_REBUILD;
    if (accept_word(p, KW_REBUILD))
        return;
    alter->kind = ALTER_OTHER;
    if (!accept_word(p, KW_ENABLE) && !accept_word(p, KW_DISABLE))
        parse_fail(p, STR("REBUILD, ENABLE REWRITE or DISABLE REWRITE"));
    expect_word(p, KW_REWRITE);
}

static void parse_view_action(struct parser *p, struct alter_stmt *alter)
{
    if (accept_words(p, KW_RENAME, KW_TO)) {
        alter->kind = ALTER_RENAME;
        alter->new_name = parse_qname(p, "the new name");
    } else if (at_word(p, KW_SET) || at_word(p, KW_UNSET)) {
        parse_set_properties(p, alter);
    } else if (at_word(p, KW_ADD) || at_word(p, KW_DROP)) {
        parse_view_partitions(p, alter, take(p)->word == KW_ADD);
    } else {
        parse_fail(p, STR("AS, RENAME, SET, UNSET, ADD or DROP"));
    }
}

/* ALTER [MATERIALIZED] VIEW qname ([AS] query | action), with the cursor behind VIEW */
struct stmt *hive_parse_alter_view(struct parser *p, const struct token *first, bool materialized)
{
    struct qname name = parse_qname(p, "a view");
    bool as = accept_word(p, KW_AS);
    if (!materialized &&
        (as || at_word(p, KW_SELECT) || at_word(p, KW_WITH) || at(p, TOKEN_LPAREN))) {
        struct create_view view = {
            .name = name, .alter = true, .options = new_clause(p, STR("options"))};
        view.query = hive_parse_query(p);
        return new_view(p, view, first);
    }
    struct alter_stmt alter = {.name = name, .view = true, .materialized = materialized};
    alter.options = new_clause(p, STR("options"));
    const struct token *from = p->token;
    if (materialized)
        parse_materialized_action(p, &alter);
    else
        parse_view_action(p, &alter);
    return new_alter(p, alter, from, first);
}
