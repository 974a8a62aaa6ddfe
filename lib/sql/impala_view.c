/* Impala's CREATE VIEW and ALTER VIEW. */
#include "sql/impala.h"

/* '(' id [COMMENT str] {',' ..} ')' */
static uint32_t view_columns(struct parser *p, struct column_def **out)
{
    VEC(struct column_def) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct column_def column = {.name = parse_ident(p, "a column name")};
        if (accept_word(p, KW_COMMENT))
            column.comment = parse_string(p, "a comment in quotes");
        struct column_def *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = column;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    *out = list.items;
    return list.count;
}

/* VIEW [IF NOT EXISTS] table ['(' columns ')'] [COMMENT str] [TBLPROPERTIES props] AS query */
struct stmt *impala_create_view(struct parser *p, const struct token *first)
{
    struct create_view *view = ARENA_NEW(p->arena, struct create_view);
    if (view == NULL)
        return NULL;
    take(p);
    view->if_not_exists = impala_if_not_exists(p);
    view->name = impala_table_name(p);
    if (at(p, TOKEN_LPAREN))
        view->column_count = view_columns(p, &view->columns);
    if (accept_word(p, KW_COMMENT))
        view->comment = parse_string(p, "a comment in quotes");
    view->options = new_clause(p, STR("options"));
    if (accept_word(p, KW_TBLPROPERTIES))
        clause_add_node(p, view->options, impala_properties(p, STR("tblproperties")));
    expect_word(p, KW_AS);
    view->query = impala_parse_query(p);
    return new_stmt(p, STMT_CREATE_VIEW, view, first);
}

/* ALTER VIEW table ['(' columns ')'] AS query, from the columns on */
static struct stmt *alter_view_query(struct parser *p, const struct token *first, struct qname name)
{
    struct create_view *view = ARENA_NEW(p->arena, struct create_view);
    if (view == NULL)
        return NULL;
    view->alter = true;
    view->name = name;
    if (at(p, TOKEN_LPAREN))
        view->column_count = view_columns(p, &view->columns);
    expect_word(p, KW_AS);
    view->query = impala_parse_query(p);
    return new_stmt(p, STMT_CREATE_VIEW, view, first);
}

/*
 * RENAME TO table | SET (TBLPROPERTIES props | owner)
 *                 | UNSET TBLPROPERTIES [IF EXISTS] '(' strs ')'
 */
static void alter_view_action(struct parser *p, struct alter_stmt *alter)
{
    if (accept_word(p, KW_RENAME)) {
        expect_word(p, KW_TO);
        alter->kind = ALTER_RENAME;
        alter->new_name = impala_table_name(p);
    } else if (accept_word(p, KW_UNSET)) {
        expect_word(p, KW_TBLPROPERTIES);
        impala_if_exists(p);
        clause_add_node(p, alter->options, impala_property_keys(p, STR("unset_tblproperties")));
    } else {
        expect_word(p, KW_SET);
        if (accept_word(p, KW_TBLPROPERTIES)) {
            alter->kind = ALTER_SET_PROPERTIES;
            clause_add_node(p, alter->options, impala_properties(p, STR("tblproperties")));
        } else if (at_word(p, KW_OWNER)) {
            clause_add_node(p, alter->options, impala_owner(p));
        } else {
            parse_fail(p, STR("TBLPROPERTIES or OWNER"));
        }
    }
}

/* VIEW table (action | ['(' columns ')'] AS query) behind ALTER */
struct stmt *impala_alter_view(struct parser *p, const struct token *first)
{
    struct qname name = impala_table_name(p);
    if (at(p, TOKEN_LPAREN) || at_word(p, KW_AS))
        return alter_view_query(p, first, name);
    struct alter_stmt *alter = ARENA_NEW(p->arena, struct alter_stmt);
    if (alter == NULL)
        return NULL;
    alter->name = name;
    alter->view = true;
    alter->kind = ALTER_OTHER;
    alter->options = new_clause(p, STR("options"));
    alter_view_action(p, alter);
    return new_stmt(p, STMT_ALTER_VIEW, alter, first);
}
