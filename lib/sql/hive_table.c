/*
 * Hive: columns, constraints and storage clauses of the statements that make tables and views;
 * CREATE TABLE.
 */
#include "sql/hive.h"

/* ---- constraints ---- */

/* [ENABLE | DISABLE] [VALIDATE | NOVALIDATE] | [NOT] ENFORCED, then [RELY | NORELY] */
static void parse_constraint_state(struct parser *p)
{
    if (accept_word(p, KW_ENABLE) || accept_word(p, KW_DISABLE)) {
        if (!accept_word(p, KW_VALIDATE))
            accept_word(p, KW_NOVALIDATE);
    } else if (!accept_words(p, KW_NOT, KW_ENFORCED)) {
        accept_word(p, KW_ENFORCED);
    }
    if (!accept_word(p, KW_RELY))
        accept_word(p, KW_NORELY);
}

static void parse_check(struct parser *p)
{
    expect(p, TOKEN_LPAREN, "(");
    parse_expr(p);
    expect(p, TOKEN_RPAREN, ")");
}

static void parse_references(struct parser *p)
{
    struct ident *columns;
    parse_qname(p, "a table");
    hive_parse_columns(p, &columns);
}

static bool at_column_constraint(const struct parser *p)
{
    switch (p->token->word) {
    case KW_CONSTRAINT:
    case KW_DEFAULT:
    case KW_CHECK:
    case KW_PRIMARY:
    case KW_UNIQUE:
    case KW_REFERENCES:
        return true;
    default:
        return at_words(p, KW_NOT, KW_NULL);
    }
}

/*
 * NOT NULL | DEFAULT value | CHECK '(' expr ')' | PRIMARY KEY | UNIQUE | REFERENCES qname '(' id
 * ')'
 */
static void parse_constraint_kind(struct parser *p)
{
    if (accept_word(p, KW_DEFAULT)) {
        parse_sum_expr(p);
    } else if (accept_word(p, KW_CHECK)) {
        parse_check(p);
    } else if (accept_word(p, KW_PRIMARY)) {
        expect_word(p, KW_KEY);
    } else if (accept_word(p, KW_REFERENCES)) {
        parse_references(p);
    } else if (!accept_word(p, KW_UNIQUE)) {
        expect_word(p, KW_NOT);
        expect_word(p, KW_NULL);
    }
}

/* [CONSTRAINT id] kind [state] */
static void parse_column_constraint(struct parser *p, struct column_def *column)
{
    const struct token *first = p->token;
    if (!at_column_constraint(p))
        return;
    if (accept_word(p, KW_CONSTRAINT))
        parse_ident(p, "a constraint's name");
    parse_constraint_kind(p);
    parse_constraint_state(p);
    column->options = new_clause(p, STR("options"));
    add_token_clause(p, column->options, STR("constraint"), first);
}

/*
 * (PRIMARY KEY | UNIQUE) columns | CHECK '(' expr ')' | FOREIGN KEY columns REFERENCES qname
 * columns
 */
static void parse_table_constraint_kind(struct parser *p)
{
    struct ident *columns;
    if (accept_word(p, KW_CHECK)) {
        parse_check(p);
    } else if (accept_word(p, KW_FOREIGN)) {
        expect_word(p, KW_KEY);
        hive_parse_columns(p, &columns);
        expect_word(p, KW_REFERENCES);
        parse_references(p);
    } else {
        if (accept_word(p, KW_PRIMARY))
            expect_word(p, KW_KEY);
        else if (!accept_word(p, KW_UNIQUE))
            parse_fail(p, STR("PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK"));
        hive_parse_columns(p, &columns);
    }
}

bool hive_parse_table_constraint(struct parser *p, struct clause *options)
{
    const struct token *first = p->token;
    bool keyed = at_words(p, KW_PRIMARY, KW_KEY) || at_words(p, KW_FOREIGN, KW_KEY);
    bool bracketed =
        (at_word(p, KW_UNIQUE) || at_word(p, KW_CHECK)) && peek_at(p, 1)->kind == TOKEN_LPAREN;
    if (!at_word(p, KW_CONSTRAINT) && !keyed && !bracketed)
        return false;
    if (accept_word(p, KW_CONSTRAINT))
        parse_ident(p, "a constraint's name");
    parse_table_constraint_kind(p);
    parse_constraint_state(p);
    add_token_clause(p, options, STR("constraint"), first);
    return true;
}

/* ---- columns ---- */

struct column_def hive_parse_column_def(struct parser *p)
{
    struct column_def column = {.name = parse_column_ident(p, "a column name")};
    column.type = parse_type(p);
    parse_column_constraint(p, &column);
    if (accept_word(p, KW_COMMENT))
        column.comment = parse_string(p, "a comment in quotes");
    parse_column_constraint(p, &column);
    return column;
}

uint32_t hive_parse_column_defs(struct parser *p, struct column_def **out)
{
    VEC(struct column_def) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct column_def column = hive_parse_column_def(p);
        struct column_def *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = column;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    *out = list.items;
    return list.count;
}

/* '(' (column | constraint) {',' ..} ')' */
static void parse_table_columns(struct parser *p, struct create_table *table)
{
    VEC(struct column_def) list = {0};
    table->has_columns = true;
    expect(p, TOKEN_LPAREN, "(");
    do {
        if (hive_parse_table_constraint(p, table->options))
            continue;
        struct column_def column = hive_parse_column_def(p);
        struct column_def *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = column;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    table->columns = list.items;
    table->column_count = list.count;
}

/* ---- partitions, buckets, order ---- */

struct expr *hive_parse_transform(struct parser *p)
{
    const struct token *first = p->token;
    struct ident *name = new_ident(p, ident_of_token(p, take(p)));
    struct expr *call = new_expr(p, EXPR_CALL, (span_t){first->start, first->end});
    struct expr **args = NULL;
    expect(p, TOKEN_LPAREN, "(");
    uint32_t count = parse_expr_list(p, &args);
    expect(p, TOKEN_RPAREN, ", or )");
    if (call == NULL || name == NULL)
        return NULL;
    call->u.name = (struct qname){name, 1, name->span};
    call->args = args;
    call->arg_count = args != NULL ? count : 0;
    call->span = span_from(p, first);
    return call;
}

/* '(' (id | transform) {',' ..} ')' */
void hive_parse_partition_fields(struct parser *p)
{
    expect(p, TOKEN_LPAREN, "(");
    if (accept(p, TOKEN_RPAREN))
        return;
    do
        if (p->token->kind == TOKEN_WORD && peek_at(p, 1)->kind == TOKEN_LPAREN)
            hive_parse_transform(p);
        else
            parse_column_ident(p, "a column name");
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
}

/* id, or id type .. */
static struct column_def parse_partition_column(struct parser *p)
{
    const struct token *next = peek_at(p, 1);
    if (next->kind != TOKEN_COMMA && next->kind != TOKEN_RPAREN)
        return hive_parse_column_def(p);
    return (struct column_def){.name = parse_column_ident(p, "a column name")};
}

/* PARTITIONED BY ('(' column {',' column} ')' | SPEC '(' field {',' field} ')') */
static void parse_partitioned_by(struct parser *p, struct create_table *table)
{
    const struct token *first = p->token;
    VEC(struct column_def) list = {0};
    skip_tokens(p, 2);
    if (accept_word(p, KW_SPEC)) {
        hive_parse_partition_fields(p);
        add_token_clause(p, table->options, STR("partitioned_by_spec"), first);
        return;
    }
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct column_def column = parse_partition_column(p);
        struct column_def *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = column;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    table->partitions = list.items;
    table->partition_count = list.count;
}

/* id [ASC | DESC] [NULLS (FIRST | LAST)] {',' ..} */
static void parse_sorted_columns(struct parser *p)
{
    do {
        parse_column_ident(p, "a column name");
        if (!accept_word(p, KW_ASC))
            accept_word(p, KW_DESC);
        if (accept_word(p, KW_NULLS) && !accept_word(p, KW_FIRST))
            expect_word(p, KW_LAST);
    } while (accept(p, TOKEN_COMMA));
}

/* CLUSTERED BY columns [SORTED BY '(' sorted ')'] INTO num BUCKETS */
void hive_parse_buckets(struct parser *p, struct clause *options)
{
    const struct token *first = p->token;
    struct ident *columns;
    skip_tokens(p, 2);
    hive_parse_columns(p, &columns);
    if (accept_word(p, KW_SORTED)) {
        expect_word(p, KW_BY);
        expect(p, TOKEN_LPAREN, "(");
        parse_sorted_columns(p);
        expect(p, TOKEN_RPAREN, ", or )");
    }
    expect_word(p, KW_INTO);
    expect_number(p, "a number of buckets");
    expect_word(p, KW_BUCKETS);
    add_token_clause(p, options, STR("clustered_by"), first);
}

/* constant | '(' constant {',' constant} ')' */
static void parse_skewed_value(struct parser *p)
{
    if (!accept(p, TOKEN_LPAREN)) {
        hive_parse_constant(p);
        return;
    }
    do
        hive_parse_constant(p);
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
}

/* SKEWED BY columns ON '(' value {',' value} ')' [STORED AS DIRECTORIES] */
void hive_parse_skew(struct parser *p, struct clause *options)
{
    const struct token *first = p->token;
    struct ident *columns;
    skip_tokens(p, 2);
    hive_parse_columns(p, &columns);
    expect_word(p, KW_ON);
    expect(p, TOKEN_LPAREN, "(");
    do
        parse_skewed_value(p);
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    if (at_words(p, KW_STORED, KW_AS) && peek_at(p, 2)->word == KW_DIRECTORIES)
        skip_tokens(p, 3);
    add_token_clause(p, options, STR("skewed_by"), first);
}

/* WRITE [LOCALLY] ORDERED BY (sorted | ZORDER columns) */
void hive_parse_write_order(struct parser *p, struct clause *options)
{
    const struct token *first = take(p);
    struct ident *columns;
    accept_word(p, KW_LOCALLY);
    expect_word(p, KW_ORDERED);
    expect_word(p, KW_BY);
    if (at_word(p, KW_ZORDER) && peek_at(p, 1)->kind == TOKEN_LPAREN) {
        take(p);
        hive_parse_columns(p, &columns);
    } else {
        parse_sorted_columns(p);
    }
    add_token_clause(p, options, STR("write_order"), first);
}

/* ---- storage ---- */

static void parse_serde_properties(struct parser *p)
{
    if (accept_words(p, KW_WITH, KW_SERDEPROPERTIES))
        parse_properties(p, STR("serdeproperties"));
}

/* words [TERMINATED] BY str */
static bool accept_terminator(struct parser *p, enum keyword first, enum keyword second)
{
    if (second == KW_TERMINATED
            ? !at_words(p, first, second)
            : !(at_words(p, first, second) && peek_at(p, 2)->word == KW_TERMINATED))
        return false;
    skip_tokens(p, second == KW_TERMINATED ? 2 : 3);
    expect_word(p, KW_BY);
    parse_string(p, "a delimiter in quotes");
    return true;
}

/* DELIMITED and what delimits what */
static void parse_delimited(struct parser *p)
{
    if (accept_terminator(p, KW_FIELDS, KW_TERMINATED) && accept_word(p, KW_ESCAPED)) {
        expect_word(p, KW_BY);
        parse_string(p, "a character in quotes");
    }
    accept_terminator(p, KW_COLLECTION, KW_ITEMS);
    accept_terminator(p, KW_MAP, KW_KEYS);
    accept_terminator(p, KW_LINES, KW_TERMINATED);
    if (!at_words(p, KW_NULL, KW_DEFINED))
        return;
    skip_tokens(p, 2);
    expect_word(p, KW_AS);
    parse_string(p, "a string in quotes");
}

/* ROW FORMAT (SERDE str [WITH SERDEPROPERTIES props] | DELIMITED ..) */
static void parse_row_format(struct parser *p, struct table_clauses *clauses)
{
    const struct token *first = p->token;
    skip_tokens(p, 2);
    if (accept_word(p, KW_SERDE)) {
        parse_string(p, "a class name in quotes");
        parse_serde_properties(p);
    } else if (accept_word(p, KW_DELIMITED)) {
        parse_delimited(p);
    } else {
        parse_fail(p, STR("SERDE or DELIMITED"));
    }
    add_token_clause(p, clauses->options, STR("row_format"), first);
}

/* INPUTFORMAT str OUTPUTFORMAT str [INPUTDRIVER str OUTPUTDRIVER str] */
static void parse_format_classes(struct parser *p)
{
    expect_word(p, KW_INPUTFORMAT);
    parse_string(p, "a class name in quotes");
    expect_word(p, KW_OUTPUTFORMAT);
    parse_string(p, "a class name in quotes");
    if (!accept_word(p, KW_INPUTDRIVER))
        return;
    parse_string(p, "a class name in quotes");
    expect_word(p, KW_OUTPUTDRIVER);
    parse_string(p, "a class name in quotes");
}

/*
 * STORED AS (id | INPUTFORMAT ..) | STORED BY (str | id) [WITH SERDEPROPERTIES props] [STORED AS
 * id]
 */
static void parse_stored(struct parser *p, struct table_clauses *clauses)
{
    const struct token *first = take(p);
    if (accept_word(p, KW_BY)) {
        clauses->stored_as =
            at(p, TOKEN_STRING) ? parse_string(p, "a class name")
                                : name_str(parse_ident(p, "a class name in quotes or a name").name);
        parse_serde_properties(p);
        add_token_clause(p, clauses->options, STR("stored_by"), first);
        return;
    }
    expect_word(p, KW_AS);
    if (at_word(p, KW_INPUTFORMAT)) {
        parse_format_classes(p);
    } else {
        str_t format = name_str(parse_ident(p, "a file format").name);
        if (clauses->stored_as.len == 0)
            clauses->stored_as = format;
    }
    add_token_clause(p, clauses->options, STR("stored_as"), first);
}

bool hive_parse_storage_clause(struct parser *p, struct table_clauses *clauses)
{
    const struct token *first = p->token;
    switch (first->word) {
    case KW_ROW:
        parse_row_format(p, clauses);
        return true;
    case KW_STORED:
        parse_stored(p, clauses);
        return true;
    case KW_LOCATION:
        take(p);
        clauses->location = parse_string(p, "a path in quotes");
        return true;
    case KW_COMMENT:
        take(p);
        clauses->comment = parse_string(p, "a comment in quotes");
        return true;
    case KW_TBLPROPERTIES:
        take(p);
        clause_add_node(p, clauses->options, parse_properties(p, STR("tblproperties")));
        return true;
    default:
        return false;
    }
}

/* ---- CREATE TABLE ---- */

/* One clause behind the columns; false when there is none. */
static bool parse_table_clause(struct parser *p, struct create_table *table,
                               struct table_clauses *clauses)
{
    if (at_words(p, KW_PARTITIONED, KW_BY))
        parse_partitioned_by(p, table);
    else if (at_words(p, KW_CLUSTERED, KW_BY))
        hive_parse_buckets(p, clauses->options);
    else if (at_words(p, KW_SKEWED, KW_BY))
        hive_parse_skew(p, clauses->options);
    else if (at_word(p, KW_WRITE))
        hive_parse_write_order(p, clauses->options);
    else
        return hive_parse_storage_clause(p, clauses);
    return true;
}

/* LIKE qname | LIKE FILE id str */
static void parse_like(struct parser *p, struct create_table *table)
{
    const struct token *first = take(p);
    bool file = at_word(p, KW_FILE) && is_name_token(p->token + 1) &&
                p->token[1].kind != TOKEN_END && peek_at(p, 2)->kind == TOKEN_STRING;
    if (!file) {
        table->like = parse_qname(p, "a table");
        return;
    }
    skip_tokens(p, 2);
    table->like_file = parse_string(p, "a path in quotes");
    add_token_clause(p, table->options, STR("like_file"), first);
}

static void parse_table_body(struct parser *p, struct create_table *table)
{
    struct table_clauses clauses = {.options = table->options};
    if (at_word(p, KW_LIKE))
        parse_like(p, table);
    else if (at(p, TOKEN_LPAREN))
        parse_table_columns(p, table);
    while (parse_table_clause(p, table, &clauses))
        continue;
    if (table->like.count == 0 && accept_word(p, KW_AS))
        table->query = hive_parse_query(p);
    table->location = clauses.location;
    table->comment = clauses.comment;
    table->stored_as = clauses.stored_as;
}

/*
 * CREATE [TEMPORARY] [TRANSACTIONAL] [EXTERNAL] [MANAGED] TABLE [IF NOT EXISTS] qname body, with
 * the cursor behind CREATE
 */
struct stmt *hive_parse_create_table(struct parser *p, const struct token *first)
{
    struct create_table table = {.options = new_clause(p, STR("options"))};
    table.or_replace = accept_words(p, KW_OR, KW_REPLACE);
    table.temporary = accept_word(p, KW_TEMPORARY);
    if (at_word(p, KW_TRANSACTIONAL))
        add_token_clause(p, table.options, STR("transactional"), take(p));
    table.external = accept_word(p, KW_EXTERNAL);
    accept_word(p, KW_MANAGED);
    expect_word(p, KW_TABLE);
    table.if_not_exists = accept_if_not_exists(p);
    table.name = parse_qname(p, "a table's name");
    parse_table_body(p, &table);
    struct create_table *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = table;
    return new_stmt(p, STMT_CREATE_TABLE, copy, first);
}
