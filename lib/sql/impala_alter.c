/* Impala's ALTER TABLE, and COMMENT ON. */
#include "sql/impala.h"

/* ---- columns ---- */

static void set_columns(struct alter_stmt *alter, uint8_t kind, struct column_def *columns,
                        uint32_t count)
{
    alter->kind = kind;
    alter->columns = columns;
    alter->column_count = count;
}

/* One coldef as the only column. */
static void set_column(struct parser *p, struct alter_stmt *alter, uint8_t kind)
{
    struct column_def *column = ARENA_NEW(p->arena, struct column_def);
    struct column_def parsed = impala_column_def(p);
    if (column != NULL)
        *column = parsed;
    set_columns(alter, kind, column, column != NULL ? 1 : 0);
}

/* COLUMNS '(' coldef {',' coldef} ')' */
static void column_list(struct parser *p, struct alter_stmt *alter, uint8_t kind)
{
    struct column_def *columns = NULL;
    expect_word(p, KW_COLUMNS);
    uint32_t count = impala_column_defs(p, &columns);
    set_columns(alter, kind, columns, count);
}

/* CHANGE [COLUMN] id coldef */
static void change(struct parser *p, struct alter_stmt *alter)
{
    accept_word(p, KW_COLUMN);
    alter->column = parse_ident(p, "a column name");
    set_column(p, alter, ALTER_CHANGE_COLUMN);
}

/* ALTER [COLUMN] id (SET option {option} | DROP DEFAULT) */
static void alter_column(struct parser *p, struct alter_stmt *alter)
{
    accept_word(p, KW_COLUMN);
    struct column_def column = {.name = parse_ident(p, "a column name")};
    alter->column = column.name;
    struct clause *clause = new_clause(p, STR("alter_column"));
    if (accept_word(p, KW_DROP)) {
        expect_word(p, KW_DEFAULT);
        clause_add_node(p, clause, new_clause(p, STR("drop_default")));
    } else {
        expect_word(p, KW_SET);
        if (!impala_column_option(p, &column))
            parse_fail(p, STR("an option of a column"));
        while (impala_column_option(p, &column))
            continue;
        clause_add_node(p, clause, column.options);
    }
    clause_add_node(p, alter->options, clause);
}

/* ---- partitions ---- */

/* PARTITION '(' id '=' expr {',' ..} ')' [LOCATION str] [CACHED ..]; the first is the statement's
 */
static void add_partition(struct parser *p, struct alter_stmt *alter)
{
    expect_word(p, KW_PARTITION);
    struct partition_spec partition = impala_partition(p, false);
    str_t location = accept_word(p, KW_LOCATION) ? parse_string(p, "a path in quotes") : STR("");
    clause_add_node(p, alter->options, impala_cached(p));
    if (alter->partition.present)
        return;
    alter->partition = partition;
    alter->location = location;
}

/* (PARTITION ..)+ [SET FILEFORMAT format] */
static void add_partitions(struct parser *p, struct alter_stmt *alter)
{
    alter->kind = ALTER_ADD_PARTITION;
    do
        add_partition(p, alter);
    while (at_word(p, KW_PARTITION));
    if (!accept_word(p, KW_SET))
        return;
    struct clause *clause = new_clause(p, STR("fileformat"));
    expect_word(p, KW_FILEFORMAT);
    const struct token *format = p->token;
    impala_file_format(p);
    clause_add_word(p, clause, format);
    clause_add_node(p, alter->options, clause);
}

/* RANGE rpart behind ADD or DROP */
static void range(struct parser *p, struct alter_stmt *alter, str_t label)
{
    struct clause *clause = new_clause(p, label);
    expect_word(p, KW_RANGE);
    clause_add_node(p, clause, impala_range_partition(p));
    clause_add_node(p, alter->options, clause);
}

/* ADD ([IF NOT EXISTS] (COLUMNS .. | PARTITION .. | RANGE ..) | COLUMN [IF NOT EXISTS] coldef) */
static void add(struct parser *p, struct alter_stmt *alter)
{
    if (accept_word(p, KW_COLUMN)) {
        impala_if_not_exists(p);
        set_column(p, alter, ALTER_ADD_COLUMNS);
        return;
    }
    impala_if_not_exists(p);
    if (at_word(p, KW_COLUMNS))
        column_list(p, alter, ALTER_ADD_COLUMNS);
    else if (at_word(p, KW_RANGE))
        range(p, alter, STR("add_range"));
    else if (at_word(p, KW_PARTITION))
        add_partitions(p, alter);
    else
        parse_fail(p, STR("COLUMN, COLUMNS, PARTITION or RANGE"));
}

/* DROP ([COLUMN] id | [IF EXISTS] (PARTITION '(' exprs ')' [PURGE] | RANGE rpart)) */
static void drop(struct parser *p, struct alter_stmt *alter)
{
    bool if_exists = impala_if_exists(p);
    if (accept_word(p, KW_PARTITION)) {
        alter->kind = ALTER_DROP_PARTITION;
        alter->partition = impala_partition_filter(p);
        if (at_word(p, KW_PURGE))
            impala_keep(p, alter->options);
    } else if (at_word(p, KW_RANGE)) {
        range(p, alter, STR("drop_range"));
    } else if (if_exists) {
        parse_fail(p, STR("PARTITION or RANGE"));
    } else {
        accept_word(p, KW_COLUMN);
        alter->kind = ALTER_DROP_COLUMN;
        alter->column = parse_ident(p, "a column name");
    }
}

/* ---- SET and UNSET ---- */

/* COLUMN STATS id props */
static struct clause *column_stats(struct parser *p)
{
    expect_word(p, KW_STATS);
    struct qname column = impala_plain_name(p, "a column name");
    struct clause *clause = impala_properties(p, STR("column_stats"));
    clause_add_name(p, clause, column);
    return clause;
}

static struct clause *file_format(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("fileformat"));
    const struct token *format = p->token;
    impala_file_format(p);
    clause_add_word(p, clause, format);
    return clause;
}

/* PARTITION SPEC '(' pfields ')' */
static struct clause *partition_spec(struct parser *p)
{
    expect_word(p, KW_SPEC);
    return impala_iceberg_spec(p);
}

static struct clause *set_what(struct parser *p, struct alter_stmt *alter)
{
    switch (p->token->word) {
    case KW_FILEFORMAT:
        take(p);
        return file_format(p);
    case KW_TBLPROPERTIES:
        take(p);
        alter->kind = ALTER_SET_PROPERTIES;
        return impala_properties(p, STR("tblproperties"));
    case KW_SERDEPROPERTIES:
        take(p);
        return impala_properties(p, STR("serdeproperties"));
    case KW_ROW:
        return impala_row_format(p);
    case KW_CACHED:
    case KW_UNCACHED:
        return impala_cached(p);
    default:
        parse_fail(p, STR("what to set"));
        return NULL;
    }
}

/* What only a whole table has: COLUMN STATS, OWNER, PARTITION SPEC */
static bool set_of_table(struct parser *p, struct alter_stmt *alter)
{
    if (alter->partition.present)
        return false;
    if (at_word(p, KW_OWNER))
        clause_add_node(p, alter->options, impala_owner(p));
    else if (accept_word(p, KW_COLUMN))
        clause_add_node(p, alter->options, column_stats(p));
    else if (accept_word(p, KW_PARTITION))
        clause_add_node(p, alter->options, partition_spec(p));
    else
        return false;
    return true;
}

static void set(struct parser *p, struct alter_stmt *alter)
{
    if (accept_word(p, KW_LOCATION))
        alter->location = parse_string(p, "a path in quotes");
    else if (!set_of_table(p, alter))
        clause_add_node(p, alter->options, set_what(p, alter));
}

/* UNSET (TBLPROPERTIES | SERDEPROPERTIES) [IF EXISTS] '(' str {',' str} ')' */
static void unset(struct parser *p, struct alter_stmt *alter)
{
    bool table = accept_word(p, KW_TBLPROPERTIES);
    if (!table)
        expect_word(p, KW_SERDEPROPERTIES);
    impala_if_exists(p);
    str_t label = table ? STR("unset_tblproperties") : STR("unset_serdeproperties");
    clause_add_node(p, alter->options, impala_property_keys(p, label));
}

/* ---- the rest ---- */

/* CONVERT TO ICEBERG [TBLPROPERTIES props] */
static void convert(struct parser *p, struct alter_stmt *alter)
{
    struct clause *clause = new_clause(p, STR("convert_to"));
    expect_word(p, KW_TO);
    const struct token *format = p->token;
    expect_word(p, KW_ICEBERG);
    clause_add_word(p, clause, format);
    clause_add_node(p, alter->options, clause);
    if (accept_word(p, KW_TBLPROPERTIES))
        clause_add_node(p, alter->options, impala_properties(p, STR("tblproperties")));
}

/* EXECUTE func */
static void execute(struct parser *p, struct alter_stmt *alter)
{
    struct clause *clause = new_clause(p, STR("execute"));
    const struct token *first = p->token;
    struct expr *call = parse_expr(p);
    if (call != NULL && call->kind != EXPR_CALL)
        parse_fail_at(p, DIAG_SYNTAX, first, STR("expected a call, found another expression"));
    clause_add_expr(p, clause, call);
    clause_add_node(p, alter->options, clause);
}

/* RECOVER PARTITIONS */
static void recover(struct parser *p, struct alter_stmt *alter)
{
    expect_word(p, KW_PARTITIONS);
    clause_add_node(p, alter->options, new_clause(p, STR("recover_partitions")));
}

static void rename_to(struct parser *p, struct alter_stmt *alter)
{
    expect_word(p, KW_TO);
    alter->kind = ALTER_RENAME;
    alter->new_name = impala_table_name(p);
}

/* What takes no PARTITION before it. */
static void table_action(struct parser *p, struct alter_stmt *alter)
{
    switch (p->token->word) {
    case KW_ADD:
        take(p);
        add(p, alter);
        break;
    case KW_REPLACE:
        take(p);
        column_list(p, alter, ALTER_REPLACE_COLUMNS);
        break;
    case KW_DROP:
        take(p);
        drop(p, alter);
        break;
    case KW_CHANGE:
        take(p);
        change(p, alter);
        break;
    case KW_ALTER:
        take(p);
        alter_column(p, alter);
        break;
    case KW_RENAME:
        take(p);
        rename_to(p, alter);
        break;
    case KW_SORT:
        clause_add_node(p, alter->options, impala_sort_by(p));
        break;
    case KW_RECOVER:
        take(p);
        recover(p, alter);
        break;
    case KW_EXECUTE:
        take(p);
        execute(p, alter);
        break;
    case KW_CONVERT:
        take(p);
        convert(p, alter);
        break;
    default:
        parse_fail(p, STR("what to alter"));
    }
}

/* table ([PARTITION '(' exprs ')'] (SET .. | UNSET ..) | action) behind ALTER TABLE */
struct stmt *impala_alter_table(struct parser *p, const struct token *first)
{
    struct alter_stmt *alter = ARENA_NEW(p->arena, struct alter_stmt);
    if (alter == NULL)
        return NULL;
    alter->kind = ALTER_OTHER;
    alter->name = impala_table_name(p);
    alter->options = new_clause(p, STR("options"));
    if (accept_word(p, KW_PARTITION))
        alter->partition = impala_partition_filter(p);
    if (accept_word(p, KW_SET))
        set(p, alter);
    else if (accept_word(p, KW_UNSET))
        unset(p, alter);
    else if (alter->partition.present)
        parse_fail(p, STR("SET or UNSET"));
    else
        table_action(p, alter);
    return new_stmt(p, STMT_ALTER_TABLE, alter, first);
}

/* COMMENT ON (DATABASE id | TABLE table | VIEW table | COLUMN [db '.'] t '.' c) IS (str | NULL) */
struct stmt *impala_comment(struct parser *p)
{
    const struct token *first = take(p);
    expect_word(p, KW_ON);
    struct clause *clause = new_clause(p, STR("comment_on"));
    struct qname name = {0};
    const struct token *what = p->token;
    if (accept_word(p, KW_DATABASE)) {
        name = impala_plain_name(p, "a database");
    } else if (accept_word(p, KW_TABLE) || accept_word(p, KW_VIEW)) {
        name = impala_table_name(p);
    } else {
        if (!accept_word(p, KW_COLUMN))
            parse_fail(p, STR("DATABASE, TABLE, VIEW or COLUMN"));
        name = parse_qname(p, "a column name");
        if (name.count < 2 || name.count > 3)
            parse_fail(p, STR("a column name with its table"));
    }
    clause_add_word(p, clause, what);
    expect_word(p, KW_IS);
    if (at_word(p, KW_NULL))
        impala_keep(p, clause);
    else
        impala_keep_string(p, clause, "a comment in quotes or NULL");
    return impala_object(p, STMT_ALTER_OTHER, first, name, clause);
}
