/* Impala's CREATE TABLE in all its forms, and the pieces of it that ALTER TABLE shares. */
#include "sql/impala.h"

/* ---- columns ---- */

/* Adds (label ..) to the column's options; an option that stands already is refused. */
static struct clause *new_option(struct parser *p, struct column_def *column, str_t label)
{
    if (column->options == NULL)
        column->options = new_clause(p, STR("column"));
    struct clause *options = column->options;
    for (uint32_t i = 0; options != NULL && i < options->items.count; i++)
        if (str_eq(options->items.items[i].u.clause->label, label))
            parse_fail_at(p, DIAG_VALUE, p->token, STR("the option stands twice"));
    struct clause *option = new_clause(p, label);
    clause_add_node(p, options, option);
    return option;
}

/* Names of encodings and compressions may be any words. */
static void word_option(struct parser *p, struct column_def *column, str_t label)
{
    struct clause *option = new_option(p, column, label);
    take(p);
    if (at(p, TOKEN_WORD) || is_identifier(p, p->token))
        impala_keep(p, option);
    else
        parse_fail(p, STR("a name"));
}

/* [NON UNIQUE] PRIMARY KEY */
static void key_option(struct parser *p, struct column_def *column)
{
    struct clause *option = new_option(p, column, STR("primary_key"));
    if (accept_word(p, KW_NON)) {
        expect_word(p, KW_UNIQUE);
        if (option != NULL)
            option->label = STR("non_unique_primary_key");
    }
    expect_word(p, KW_PRIMARY);
    expect_word(p, KW_KEY);
}

static void comment_option(struct parser *p, struct column_def *column)
{
    if (column->comment.ptr != NULL)
        parse_fail_at(p, DIAG_VALUE, p->token, STR("the option stands twice"));
    take(p);
    column->comment = parse_string(p, "a comment in quotes");
}

bool impala_column_option(struct parser *p, struct column_def *column)
{
    switch (p->token->word) {
    case KW_PRIMARY:
    case KW_NON:
        key_option(p, column);
        return true;
    case KW_NOT:
        new_option(p, column, STR("not_null"));
        take(p);
        expect_word(p, KW_NULL);
        return true;
    case KW_NULL:
        new_option(p, column, STR("null"));
        take(p);
        return true;
    case KW_ENCODING:
        word_option(p, column, STR("encoding"));
        return true;
    case KW_COMPRESSION:
        word_option(p, column, STR("compression"));
        return true;
    case KW_DEFAULT: {
        struct clause *option = new_option(p, column, STR("default"));
        take(p);
        clause_add_expr(p, option, parse_expr(p));
        return true;
    }
    case KW_BLOCK_SIZE: {
        struct clause *option = new_option(p, column, STR("block_size"));
        take(p);
        clause_add_word(p, option, p->token);
        if (!accept(p, TOKEN_STRING) && !accept(p, TOKEN_VARIABLE))
            expect(p, TOKEN_NUMBER, "a number");
        return true;
    }
    case KW_COMMENT:
        comment_option(p, column);
        return true;
    default:
        return false;
    }
}

struct column_def impala_column_def(struct parser *p)
{
    struct column_def column = {.name = parse_ident(p, "a column name")};
    column.type = parse_type(p);
    while (impala_column_option(p, &column))
        continue;
    return column;
}

struct columns {
    VEC(struct column_def) list;
};

static void add_column(struct parser *p, struct columns *columns, struct column_def column)
{
    struct column_def *slot = VEC_PUSH(p->arena, &columns->list);
    if (slot != NULL)
        *slot = column;
}

uint32_t impala_column_defs(struct parser *p, struct column_def **out)
{
    struct columns columns = {0};
    expect(p, TOKEN_LPAREN, "(");
    do
        add_column(p, &columns, impala_column_def(p));
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    *out = columns.list.items;
    return columns.list.count;
}

/* ---- keys among the columns ---- */

static void keep_any(struct parser *p, struct clause *clause, enum keyword first,
                     enum keyword second)
{
    if (at_word(p, first) || at_word(p, second))
        impala_keep(p, clause);
}

/* [ENABLE | DISABLE] [VALIDATE | NOVALIDATE] [RELY | NORELY] */
static void constraint_state(struct parser *p, struct clause *clause)
{
    keep_any(p, clause, KW_ENABLE, KW_DISABLE);
    keep_any(p, clause, KW_VALIDATE, KW_NOVALIDATE);
    keep_any(p, clause, KW_RELY, KW_NORELY);
}

static struct clause *column_names(struct parser *p, str_t label)
{
    struct ident *names = NULL;
    uint32_t count = parse_ident_list(p, &names, "a column name");
    return impala_names_clause(p, label, names, count);
}

/* [NON UNIQUE] PRIMARY KEY '(' ids ')' [NOT ENFORCED] [constraint] */
static struct clause *primary_key(struct parser *p)
{
    bool unique = !accept_word(p, KW_NON);
    if (!unique)
        expect_word(p, KW_UNIQUE);
    expect_word(p, KW_PRIMARY);
    expect_word(p, KW_KEY);
    struct clause *clause =
        column_names(p, unique ? STR("primary_key") : STR("non_unique_primary_key"));
    if (at_words(p, KW_NOT, KW_ENFORCED)) {
        impala_keep(p, clause);
        impala_keep(p, clause);
    }
    constraint_state(p, clause);
    return clause;
}

/* FOREIGN KEY '(' ids ')' REFERENCES table '(' ids ')' [constraint] */
static struct clause *foreign_key(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("foreign_key"));
    expect_word(p, KW_FOREIGN);
    expect_word(p, KW_KEY);
    clause_add_node(p, clause, column_names(p, STR("columns")));
    expect_word(p, KW_REFERENCES);
    clause_add_name(p, clause, impala_table_name(p));
    clause_add_node(p, clause, column_names(p, STR("columns")));
    constraint_state(p, clause);
    return clause;
}

static bool at_primary_key(const struct parser *p)
{
    return at_word(p, KW_PRIMARY) || at_word(p, KW_NON);
}

/* '(' coldef {',' coldef} {',' key} ')' */
static void table_columns(struct parser *p, struct create_table *create)
{
    struct columns columns = {0};
    bool keys = false, has_primary = false;
    expect(p, TOKEN_LPAREN, "(");
    do {
        if (at_primary_key(p) || at_word(p, KW_FOREIGN)) {
            if (columns.list.count == 0)
                parse_fail(p, STR("a column name"));
            bool foreign = at_word(p, KW_FOREIGN);
            if (has_primary && !foreign)
                parse_fail(p, STR("FOREIGN"));
            has_primary = has_primary || !foreign;
            keys = true;
            clause_add_node(p, create->options, foreign ? foreign_key(p) : primary_key(p));
        } else if (keys) {
            parse_fail(p, STR("a key"));
        } else {
            add_column(p, &columns, impala_column_def(p));
        }
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    create->has_columns = true;
    create->columns = columns.list.items;
    create->column_count = columns.list.count;
}

/* ---- options ---- */

str_t impala_file_format(struct parser *p)
{
    static const uint16_t formats[] = {KW_PARQUET,      KW_PARQUETFILE, KW_ORC,         KW_TEXTFILE,
                                       KW_SEQUENCEFILE, KW_RCFILE,      KW_AVRO,        KW_JSONFILE,
                                       KW_KUDU,         KW_ICEBERG,     KW_HUDIPARQUET, KW_JDBC,
                                       KW_PAIMON};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (at_word(p, formats[i]))
            return name_str(arena_name(p->arena, token_text(p, take(p))));
    parse_fail(p, STR("a file format"));
    return STR("");
}

struct clause *impala_sort_by(struct parser *p)
{
    if (!accept_word(p, KW_SORT))
        return NULL;
    expect_word(p, KW_BY);
    struct clause *order = new_clause(p, STR("order"));
    keep_any(p, order, KW_LEXICAL, KW_ZORDER);
    struct ident *names = NULL;
    uint32_t count = impala_ident_list_or_none(p, &names);
    struct clause *clause = impala_names_clause(p, STR("sort_by"), names, count);
    if (order != NULL && order->items.count > 0)
        clause_add_node(p, clause, order);
    return clause;
}

/* CLUSTERED BY '(' [ids] ')' [SORT BY ..] INTO int BUCKETS */
static struct clause *clustered_by(struct parser *p)
{
    take(p);
    expect_word(p, KW_BY);
    struct ident *names = NULL;
    uint32_t count = impala_ident_list_or_none(p, &names);
    struct clause *clause = impala_names_clause(p, STR("clustered_by"), names, count);
    clause_add_node(p, clause, impala_sort_by(p));
    expect_word(p, KW_INTO);
    struct clause *buckets = new_clause(p, STR("buckets"));
    clause_add_word(p, buckets, impala_integer(p));
    expect_word(p, KW_BUCKETS);
    clause_add_node(p, clause, buckets);
    return clause;
}

/* str behind a word that is there, as (label str) */
static void string_clause(struct parser *p, struct clause *parent, str_t label)
{
    struct clause *clause = new_clause(p, label);
    impala_keep_string(p, clause, "a string in quotes");
    clause_add_node(p, parent, clause);
}

struct clause *impala_row_format(struct parser *p)
{
    if (!accept_word(p, KW_ROW))
        return NULL;
    struct clause *clause = new_clause(p, STR("row_format"));
    expect_word(p, KW_FORMAT);
    expect_word(p, KW_DELIMITED);
    if (accept_word(p, KW_FIELDS)) {
        expect_word(p, KW_TERMINATED);
        expect_word(p, KW_BY);
        string_clause(p, clause, STR("fields"));
    }
    if (accept_word(p, KW_ESCAPED)) {
        expect_word(p, KW_BY);
        string_clause(p, clause, STR("escaped"));
    }
    if (accept_word(p, KW_LINES)) {
        expect_word(p, KW_TERMINATED);
        expect_word(p, KW_BY);
        string_clause(p, clause, STR("lines"));
    }
    return clause;
}

struct clause *impala_cached(struct parser *p)
{
    if (accept_word(p, KW_UNCACHED))
        return new_clause(p, STR("uncached"));
    if (!accept_word(p, KW_CACHED))
        return NULL;
    struct clause *clause = new_clause(p, STR("cached_in"));
    expect_word(p, KW_IN);
    impala_keep_string(p, clause, "a pool in quotes");
    if (accept_word(p, KW_WITH)) {
        expect_word(p, KW_REPLICATION);
        expect(p, TOKEN_EQ, "=");
        clause_add_word(p, clause, impala_integer(p));
    }
    return clause;
}

/* [STORED AS format | STORED BY (KUDU | ICEBERG | JDBC | PAIMON)] */
static void stored(struct parser *p, struct create_table *create)
{
    if (!accept_word(p, KW_STORED))
        return;
    bool by = accept_word(p, KW_BY);
    bool handler = at_word(p, KW_KUDU) || at_word(p, KW_ICEBERG) || at_word(p, KW_JDBC) ||
                   at_word(p, KW_PAIMON);
    if (by && !handler)
        parse_fail(p, STR("KUDU, ICEBERG, JDBC or PAIMON"));
    if (!by)
        expect_word(p, KW_AS);
    create->stored_as = impala_file_format(p);
}

static void comment(struct parser *p, struct create_table *create)
{
    if (accept_word(p, KW_COMMENT))
        create->comment = parse_string(p, "a comment in quotes");
}

static void location(struct parser *p, struct create_table *create)
{
    if (accept_word(p, KW_LOCATION))
        create->location = parse_string(p, "a path in quotes");
}

/* options, in this order only */
static void table_options(struct parser *p, struct create_table *create)
{
    if (at_word(p, KW_CLUSTERED))
        clause_add_node(p, create->options, clustered_by(p));
    else
        clause_add_node(p, create->options, impala_sort_by(p));
    comment(p, create);
    clause_add_node(p, create->options, impala_row_format(p));
    if (accept_word(p, KW_WITH)) {
        expect_word(p, KW_SERDEPROPERTIES);
        clause_add_node(p, create->options, impala_properties(p, STR("serdeproperties")));
    }
    stored(p, create);
    location(p, create);
    clause_add_node(p, create->options, impala_cached(p));
    if (accept_word(p, KW_TBLPROPERTIES))
        clause_add_node(p, create->options, impala_properties(p, STR("tblproperties")));
}

/* ---- layout ---- */

/* SPEC '(' pfields ')' | '(' coldefs ')' | '(' ids ')' behind PARTITIONED BY */
static void partitioned_by(struct parser *p, struct create_table *create)
{
    if (accept_word(p, KW_SPEC)) {
        clause_add_node(p, create->options, impala_iceberg_spec(p));
        return;
    }
    struct columns columns = {0};
    bool names_only = peek_at(p, 2)->kind == TOKEN_COMMA || peek_at(p, 2)->kind == TOKEN_RPAREN;
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct column_def column = {0};
        if (names_only)
            column.name = parse_ident(p, "a column name");
        else
            column = impala_column_def(p);
        add_column(p, &columns, column);
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    create->partitions = columns.list.items;
    create->partition_count = columns.list.count;
}

/* [PRIMARY KEY ..] [PARTITIONED BY .. | PARTITION BY ..] */
static void layout(struct parser *p, struct create_table *create)
{
    if (!create->has_columns && at_primary_key(p))
        clause_add_node(p, create->options, primary_key(p));
    if (accept_word(p, KW_PARTITIONED)) {
        expect_word(p, KW_BY);
        partitioned_by(p, create);
        return;
    }
    clause_add_node(p, create->options, impala_kudu_partitions(p));
}

/* PRODUCED BY DATA SOURCE id ['(' str ')'] [COMMENT str] */
static void data_source(struct parser *p, struct create_table *create)
{
    take(p);
    expect_word(p, KW_BY);
    expect_word(p, KW_DATA);
    expect_word(p, KW_SOURCE);
    struct clause *clause = new_clause(p, STR("data_source"));
    clause_add_name(p, clause, impala_plain_name(p, "a data source"));
    if (accept(p, TOKEN_LPAREN)) {
        impala_keep_string(p, clause, "a string in quotes");
        expect(p, TOKEN_RPAREN, ")");
    }
    clause_add_node(p, create->options, clause);
    comment(p, create);
}

/* LIKE format str [layout] options */
static void like_file(struct parser *p, struct create_table *create)
{
    take(p);
    impala_file_format(p);
    create->like_file = parse_string(p, "a path in quotes");
    layout(p, create);
    table_options(p, create);
}

/* LIKE table [COMMENT str] [STORED AS format] [LOCATION str] */
static void like(struct parser *p, struct create_table *create)
{
    take(p);
    create->like = impala_table_name(p);
    comment(p, create);
    stored(p, create);
    location(p, create);
}

/* Whether all partitions are names, whose columns only a query can give. */
static bool has_plain_partitions(const struct create_table *create)
{
    return create->partition_count > 0 && create->partitions != NULL &&
           create->partitions[0].type == NULL;
}

static bool may_have_query(const struct create_table *create)
{
    bool typed = create->partition_count > 0 && !has_plain_partitions(create);
    return !create->has_columns && !typed && create->like_file.len == 0;
}

/* What stands behind the name. */
static void table_body(struct parser *p, struct create_table *create)
{
    if (at(p, TOKEN_LPAREN))
        table_columns(p, create);
    if (create->has_columns && !create->external && at_word(p, KW_PRODUCED)) {
        data_source(p, create);
        return;
    }
    if (!create->has_columns && at_word(p, KW_SORT)) {
        clause_add_node(p, create->options, impala_sort_by(p));
        if (at_word(p, KW_LIKE)) {
            like(p, create);
            return;
        }
    } else if (!create->has_columns && at_word(p, KW_LIKE)) {
        if (peek_at(p, 2)->kind == TOKEN_STRING)
            like_file(p, create);
        else
            like(p, create);
        return;
    } else {
        layout(p, create);
    }
    table_options(p, create);
    if (may_have_query(create) && accept_word(p, KW_AS))
        create->query = impala_parse_query(p);
    else if (has_plain_partitions(create))
        parse_fail(p, STR("AS"));
}

/* [EXTERNAL] TABLE [IF NOT EXISTS] table .. behind CREATE [hints] */
struct stmt *impala_create_table(struct parser *p, const struct token *first)
{
    struct create_table *create = ARENA_NEW(p->arena, struct create_table);
    if (create == NULL)
        return NULL;
    create->external = accept_word(p, KW_EXTERNAL);
    expect_word(p, KW_TABLE);
    create->if_not_exists = impala_if_not_exists(p);
    create->name = impala_table_name(p);
    create->options = new_clause(p, STR("options"));
    table_body(p, create);
    return new_stmt(p, STMT_CREATE_TABLE, create, first);
}
