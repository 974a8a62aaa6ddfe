/* Hive: ALTER TABLE. Each action fills what lineage needs; its words are kept in the options. */
#include "sql/hive.h"

/* [RESTRICT | CASCADE] */
static void accept_cascade(struct parser *p)
{
    if (!accept_word(p, KW_RESTRICT))
        accept_word(p, KW_CASCADE);
}

/* ---- columns ---- */

/*
 * CHANGE [COLUMN] old new type [constraint] [COMMENT str] [FIRST | AFTER id] [RESTRICT | CASCADE]
 */
static void parse_change(struct parser *p, struct alter_stmt *alter)
{
    take(p);
    accept_word(p, KW_COLUMN);
    alter->kind = ALTER_CHANGE_COLUMN;
    alter->column = parse_column_ident(p, "a column name");
    struct column_def column = hive_parse_column_def(p);
    alter->columns = ARENA_NEW(p->arena, struct column_def);
    if (alter->columns != NULL) {
        *alter->columns = column;
        alter->column_count = 1;
    }
    alter->first = accept_word(p, KW_FIRST);
    alter->has_after = !alter->first && accept_word(p, KW_AFTER);
    if (alter->has_after)
        alter->after = parse_column_ident(p, "a column name");
    accept_cascade(p);
}

/* (ADD | REPLACE) COLUMNS '(' column {',' column} ')' [RESTRICT | CASCADE] */
static void parse_columns(struct parser *p, struct alter_stmt *alter)
{
    alter->kind = at_word(p, KW_ADD) ? ALTER_ADD_COLUMNS : ALTER_REPLACE_COLUMNS;
    skip_tokens(p, 2);
    alter->column_count = hive_parse_column_defs(p, &alter->columns);
    accept_cascade(p);
}

/* PARTITION COLUMN '(' id type ')' */
static void parse_partition_column(struct parser *p)
{
    skip_tokens(p, 2);
    expect(p, TOKEN_LPAREN, "(");
    hive_parse_column_def(p);
    expect(p, TOKEN_RPAREN, ")");
}

/* ---- partitions ---- */

/* {partition} of TOUCH, ARCHIVE and UNARCHIVE */
static void parse_partitions(struct parser *p, struct alter_stmt *alter)
{
    take(p);
    while (at_word(p, KW_PARTITION))
        alter->partition = hive_parse_partition(p);
}

/* ADD [IF NOT EXISTS] (partition [LOCATION str])+ */
static void parse_add_partitions(struct parser *p, struct alter_stmt *alter)
{
    alter->kind = ALTER_ADD_PARTITION;
    accept_if_not_exists(p);
    bool first = true;
    do {
        if (!at_word(p, KW_PARTITION))
            expect_word(p, KW_PARTITION);
        struct partition_spec spec = hive_parse_partition(p);
        str_t location =
            accept_word(p, KW_LOCATION) ? parse_string(p, "a path in quotes") : STR("");
        if (first) {
            alter->partition = spec;
            alter->location = location;
        }
        first = false;
    } while (at_word(p, KW_PARTITION));
}

/* DROP [IF EXISTS] filter {',' filter} [IGNORE PROTECTION] [PURGE] [replication] */
static void parse_drop_partitions(struct parser *p, struct alter_stmt *alter)
{
    alter->kind = ALTER_DROP_PARTITION;
    alter->partition = hive_parse_partition_filter(p);
    while (accept(p, TOKEN_COMMA))
        hive_parse_partition_filter(p);
    if (accept_word(p, KW_IGNORE))
        accept_text(p, STR("protection"));
    accept_word(p, KW_PURGE);
    hive_parse_replication(p, alter->options);
}

/* EXCHANGE partition WITH TABLE qname */
static void parse_exchange(struct parser *p, struct alter_stmt *alter)
{
    take(p);
    alter->kind = ALTER_EXCHANGE_PARTITION;
    alter->partition = hive_parse_partition_filter(p);
    expect_word(p, KW_WITH);
    expect_word(p, KW_TABLE);
    alter->new_name = parse_qname(p, "a table");
}

/* ---- branches and tags ---- */

/* num (DAYS | HOURS | MINUTES) */
static void parse_age(struct parser *p)
{
    expect_number(p, "a number");
    if (!accept_word(p, KW_DAYS) && !accept_word(p, KW_HOURS) && !accept_word(p, KW_MINUTES))
        parse_fail(p, STR("DAYS, HOURS or MINUTES"));
}

/* [FOR (SYSTEM_VERSION | SYSTEM_TIME | TAG) AS OF value] */
static void parse_reference_point(struct parser *p)
{
    if (!accept_word(p, KW_FOR))
        return;
    bool tag = accept_word(p, KW_TAG);
    if (!tag && !accept_word(p, KW_SYSTEM_VERSION) && !accept_word(p, KW_SYSTEM_TIME))
        parse_fail(p, STR("SYSTEM_VERSION, SYSTEM_TIME or TAG"));
    expect_word(p, KW_AS);
    expect_word(p, KW_OF);
    parse_sum_expr(p);
}

/* [RETAIN age] [WITH SNAPSHOT RETENTION num SNAPSHOTS [age]] */
static void parse_retention(struct parser *p)
{
    if (accept_word(p, KW_RETAIN))
        parse_age(p);
    if (!accept_words(p, KW_WITH, KW_SNAPSHOT))
        return;
    expect_word(p, KW_RETENTION);
    expect_number(p, "a number of snapshots");
    expect_word(p, KW_SNAPSHOTS);
    if (at(p, TOKEN_NUMBER))
        parse_age(p);
}

/* CREATE [OR REPLACE] (BRANCH | TAG) [IF NOT EXISTS] id [at] [retention] */
static void parse_create_reference(struct parser *p)
{
    take(p);
    accept_words(p, KW_OR, KW_REPLACE);
    if (!accept_word(p, KW_BRANCH) && !accept_word(p, KW_TAG))
        parse_fail(p, STR("BRANCH or TAG"));
    accept_if_not_exists(p);
    parse_ident(p, "a name");
    parse_reference_point(p);
    parse_retention(p);
}

/* REPLACE (BRANCH | TAG) id AS OF (SYSTEM_VERSION num | BRANCH id) [retention] */
static void parse_replace_reference(struct parser *p)
{
    skip_tokens(p, 2);
    parse_ident(p, "a name");
    expect_word(p, KW_AS);
    expect_word(p, KW_OF);
    if (accept_word(p, KW_BRANCH)) {
        parse_ident(p, "a name");
    } else {
        expect_word(p, KW_SYSTEM_VERSION);
        expect_number(p, "a version");
    }
    parse_retention(p);
}

/* ---- SET and UNSET ---- */

/*
 * FILEFORMAT (id | INPUTFORMAT str OUTPUTFORMAT str SERDE str [INPUTDRIVER str OUTPUTDRIVER str])
 */
static void parse_fileformat(struct parser *p)
{
    if (!accept_word(p, KW_INPUTFORMAT)) {
        parse_ident(p, "a file format");
        return;
    }
    parse_string(p, "a class name in quotes");
    expect_word(p, KW_OUTPUTFORMAT);
    parse_string(p, "a class name in quotes");
    expect_word(p, KW_SERDE);
    parse_string(p, "a class name in quotes");
    if (!accept_word(p, KW_INPUTDRIVER))
        return;
    parse_string(p, "a class name in quotes");
    expect_word(p, KW_OUTPUTDRIVER);
    parse_string(p, "a class name in quotes");
}

/* SKEWED LOCATION '(' value '=' str {',' ..} ')' */
static void parse_skewed_location(struct parser *p)
{
    expect_word(p, KW_LOCATION);
    expect(p, TOKEN_LPAREN, "(");
    do {
        if (accept(p, TOKEN_LPAREN)) {
            do
                hive_parse_constant(p);
            while (accept(p, TOKEN_COMMA));
            expect(p, TOKEN_RPAREN, ", or )");
        } else {
            hive_parse_constant(p);
        }
        expect(p, TOKEN_EQ, "=");
        parse_string(p, "a path in quotes");
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
}

/* SERDE str [WITH SERDEPROPERTIES props] */
static void parse_serde(struct parser *p, struct alter_stmt *alter)
{
    parse_string(p, "a class name in quotes");
    if (accept_words(p, KW_WITH, KW_SERDEPROPERTIES))
        clause_add_node(p, alter->options, parse_properties(p, STR("serdeproperties")));
}

static void parse_set(struct parser *p, struct alter_stmt *alter)
{
    switch (take(p)->word) {
    case KW_LOCATION:
        alter->location = parse_string(p, "a path in quotes");
        break;
    case KW_FILEFORMAT:
        parse_fileformat(p);
        break;
    case KW_SERDE:
        parse_serde(p, alter);
        break;
    case KW_SERDEPROPERTIES:
        clause_add_node(p, alter->options, parse_properties(p, STR("serdeproperties")));
        break;
    case KW_TBLPROPERTIES:
        alter->kind = ALTER_SET_PROPERTIES;
        clause_add_node(p, alter->options, parse_properties(p, STR("tblproperties")));
        break;
    case KW_OWNER:
        hive_parse_principal(p);
        break;
    case KW_SKEWED:
        parse_skewed_location(p);
        break;
    case KW_PARTITION:
        expect_word(p, KW_SPEC);
        hive_parse_partition_fields(p);
        break;
    case KW_WRITE:
        p->token--;
        hive_parse_write_order(p, alter->options);
        break;
    default:
        p->token--;
        parse_fail(p, STR("LOCATION, FILEFORMAT, SERDE, SERDEPROPERTIES, TBLPROPERTIES, OWNER, "
                          "SKEWED or PARTITION"));
    }
}

/* UNSET (TBLPROPERTIES [IF EXISTS] props | SERDEPROPERTIES props) */
static void parse_unset(struct parser *p, struct alter_stmt *alter)
{
    bool table = accept_word(p, KW_TBLPROPERTIES);
    if (!table)
        expect_word(p, KW_SERDEPROPERTIES);
    else
        alter->kind = ALTER_SET_PROPERTIES;
    accept_if_exists(p);
    clause_add_node(p, alter->options,
                    parse_properties(p, table ? STR("tblproperties") : STR("serdeproperties")));
}

/* ---- maintenance ---- */

/*
 * UPDATE STATISTICS [FOR [COLUMN] id] SET props [COMMENT str] | UPDATE COLUMNS [RESTRICT | CASCADE]
 */
static void parse_update(struct parser *p)
{
    take(p);
    if (accept_word(p, KW_COLUMNS)) {
        accept_cascade(p);
        return;
    }
    expect_word(p, KW_STATISTICS);
    if (accept_word(p, KW_FOR)) {
        accept_word(p, KW_COLUMN);
        parse_column_ident(p, "a column name");
    }
    expect_word(p, KW_SET);
    parse_properties(p, STR("properties"));
    if (accept_word(p, KW_COMMENT))
        parse_string(p, "a comment in quotes");
}

/*
 * [CLUSTERED INTO num BUCKETS] [AND WAIT] [POOL str] [WITH OVERWRITE TBLPROPERTIES props] [WHERE
 * expr] [ORDER BY keys]
 */
static void parse_compact(struct parser *p)
{
    take(p);
    parse_string(p, "a kind of compaction in quotes");
    if (accept_words(p, KW_CLUSTERED, KW_INTO)) {
        expect_number(p, "a number of buckets");
        expect_word(p, KW_BUCKETS);
    }
    accept_words(p, KW_AND, KW_WAIT);
    if (accept_word(p, KW_POOL))
        parse_string(p, "a pool in quotes");
    if (accept_words(p, KW_WITH, KW_OVERWRITE)) {
        expect_word(p, KW_TBLPROPERTIES);
        parse_properties(p, STR("tblproperties"));
    }
    if (accept_word(p, KW_WHERE))
        parse_expr(p);
    if (accept_words(p, KW_ORDER, KW_BY))
        parse_sort_keys(p);
}

/* NOT (CLUSTERED | SORTED | SKEWED | STORED AS DIRECTORIES) */
static void parse_not(struct parser *p)
{
    take(p);
    if (accept_word(p, KW_CLUSTERED) || accept_word(p, KW_SORTED) || accept_word(p, KW_SKEWED))
        return;
    expect_word(p, KW_STORED);
    expect_word(p, KW_AS);
    expect_word(p, KW_DIRECTORIES);
}

/* EXPIRE_SNAPSHOTS ['(' expr {',' expr} ')' | BETWEEN ts AND ts | RETAIN LAST num] */
static void parse_expire_snapshots(struct parser *p)
{
    struct expr **args;
    if (accept(p, TOKEN_LPAREN)) {
        parse_expr_list(p, &args);
        expect(p, TOKEN_RPAREN, ", or )");
    } else if (accept_word(p, KW_BETWEEN)) {
        parse_sum_expr(p);
        expect_word(p, KW_AND);
        parse_sum_expr(p);
    } else if (accept_word(p, KW_RETAIN)) {
        expect_word(p, KW_LAST);
        expect_number(p, "a number of snapshots");
    }
}

/* DELETE ORPHAN-FILES [OLDER THAN '(' str ')'] */
static void parse_orphan_files(struct parser *p)
{
    expect_word(p, KW_ORPHAN_FILES);
    if (!accept_word(p, KW_OLDER))
        return;
    expect_word(p, KW_THAN);
    expect(p, TOKEN_LPAREN, "(");
    parse_string(p, "a time in quotes");
    expect(p, TOKEN_RPAREN, ")");
}

/* '(' expr ')' */
static void parse_argument(struct parser *p)
{
    expect(p, TOKEN_LPAREN, "(");
    parse_expr(p);
    expect(p, TOKEN_RPAREN, ")");
}

/* EXECUTE operation of an Iceberg table */
static void parse_execute(struct parser *p)
{
    take(p);
    switch (p->token->word) {
    case KW_ROLLBACK:
    case KW_SET_CURRENT_SNAPSHOT:
        take(p);
        parse_argument(p);
        break;
    case KW_EXPIRE_SNAPSHOTS:
        take(p);
        parse_expire_snapshots(p);
        break;
    case KW_FAST_FORWARD:
        take(p);
        parse_string(p, "a branch in quotes");
        if (at(p, TOKEN_STRING))
            take(p);
        break;
    case KW_CHERRY_PICK:
        take(p);
        expect_number(p, "a snapshot's number");
        break;
    case KW_DELETE:
        take(p);
        parse_orphan_files(p);
        break;
    default:
        expect_word(p, KW_REWRITE_MANIFESTS);
    }
}

/* ---- actions ---- */

/* RENAME TO (qname | partition) | RENAME BRANCH id TO id */
static void parse_rename(struct parser *p, struct alter_stmt *alter)
{
    take(p);
    if (accept_word(p, KW_BRANCH)) {
        parse_ident(p, "a branch");
        expect_word(p, KW_TO);
        parse_ident(p, "a branch");
        return;
    }
    expect_word(p, KW_TO);
    if (at_word(p, KW_PARTITION)) {
        alter->kind = ALTER_RENAME_PARTITION;
        hive_parse_partition(p);
        return;
    }
    alter->kind = ALTER_RENAME;
    alter->new_name = parse_qname(p, "the new name");
}

/* ADD COLUMNS .. | ADD CONSTRAINT .. | ADD partition .. */
static void parse_add(struct parser *p, struct alter_stmt *alter)
{
    if (peek_at(p, 1)->word == KW_COLUMNS) {
        parse_columns(p, alter);
        return;
    }
    take(p);
    if (!hive_parse_table_constraint(p, alter->options))
        parse_add_partitions(p, alter);
}

/*
 * DROP COLUMN .. | DROP CONSTRAINT id | DROP STATISTICS .. | DROP (BRANCH | TAG) id | DROP filter
 * ..
 */
static void parse_drop(struct parser *p, struct alter_stmt *alter)
{
    take(p);
    if (accept_word(p, KW_CONSTRAINT)) {
        parse_ident(p, "a constraint's name");
    } else if (accept_word(p, KW_COLUMN)) {
        alter->kind = ALTER_DROP_COLUMN;
        accept_if_exists(p);
        alter->column = parse_column_ident(p, "a column name");
        accept_cascade(p);
    } else if (accept_word(p, KW_STATISTICS)) {
        expect_word(p, KW_FOR);
        expect_word(p, KW_COLUMNS);
    } else if (accept_word(p, KW_BRANCH) || accept_word(p, KW_TAG)) {
        accept_if_exists(p);
        parse_ident(p, "a name");
    } else {
        accept_if_exists(p);
        parse_drop_partitions(p, alter);
    }
}

/* CONVERT TO id [TBLPROPERTIES props] */
static void parse_convert(struct parser *p)
{
    take(p);
    expect_word(p, KW_TO);
    parse_ident(p, "a table format");
    if (accept_word(p, KW_TBLPROPERTIES))
        parse_properties(p, STR("tblproperties"));
}

/* (ENABLE | DISABLE) (NO_DROP [CASCADE] | OFFLINE | READONLY): of old versions */
static void parse_protection(struct parser *p)
{
    take(p);
    parse_ident(p, "NO_DROP, OFFLINE or READONLY");
    accept_word(p, KW_CASCADE);
}

/* INTO num BUCKETS */
static void parse_bucket_count(struct parser *p)
{
    take(p);
    expect_number(p, "a number of buckets");
    expect_word(p, KW_BUCKETS);
}

/* Actions that change how a table is stored, not what it is. */
static void parse_storage_action(struct parser *p, struct alter_stmt *alter)
{
    switch (p->token->word) {
    case KW_INTO:
        parse_bucket_count(p);
        break;
    case KW_CLUSTERED:
        hive_parse_buckets(p, alter->options);
        break;
    case KW_SKEWED:
        hive_parse_skew(p, alter->options);
        break;
    case KW_NOT:
        parse_not(p);
        break;
    case KW_TOUCH:
    case KW_ARCHIVE:
    case KW_UNARCHIVE:
        parse_partitions(p, alter);
        break;
    case KW_CONCATENATE:
        take(p);
        break;
    case KW_UPDATE:
        parse_update(p);
        break;
    case KW_COMPACT:
        parse_compact(p);
        break;
    case KW_CONVERT:
        parse_convert(p);
        break;
    case KW_EXECUTE:
        parse_execute(p);
        break;
    case KW_CREATE:
        parse_create_reference(p);
        break;
    case KW_ENABLE:
    case KW_DISABLE:
        parse_protection(p);
        break;
    default:
        parse_fail(p, STR("what to alter: RENAME, ADD, DROP, CHANGE, REPLACE, SET .."));
    }
}

static void parse_action(struct parser *p, struct alter_stmt *alter)
{
    switch (p->token->word) {
    case KW_RENAME:
        parse_rename(p, alter);
        break;
    case KW_CHANGE:
        parse_change(p, alter);
        break;
    case KW_ADD:
        parse_add(p, alter);
        break;
    case KW_REPLACE:
        if (peek_at(p, 1)->word == KW_COLUMNS)
            parse_columns(p, alter);
        else if (peek_at(p, 1)->word == KW_BRANCH || peek_at(p, 1)->word == KW_TAG)
            parse_replace_reference(p);
        else
            parse_fail(p, STR("COLUMNS, BRANCH or TAG behind REPLACE"));
        break;
    case KW_DROP:
        parse_drop(p, alter);
        break;
    case KW_EXCHANGE:
        parse_exchange(p, alter);
        break;
    case KW_SET:
        take(p);
        parse_set(p, alter);
        break;
    case KW_UNSET:
        take(p);
        parse_unset(p, alter);
        break;
    default:
        parse_storage_action(p, alter);
    }
}

/* ALTER TABLE qname [partition] action, with the cursor behind TABLE */
struct stmt *hive_parse_alter_table(struct parser *p, const struct token *first)
{
    struct alter_stmt alter = {.name = parse_qname(p, "a table"), .kind = ALTER_OTHER};
    alter.options = new_clause(p, STR("options"));
    const struct token *action = p->token;
    if (at_words(p, KW_PARTITION, KW_COLUMN)) {
        parse_partition_column(p);
    } else {
        alter.partition = hive_parse_partition(p);
        action = p->token;
        parse_action(p, &alter);
    }
    add_token_clause(p, alter.options, STR("action"), action);
    struct alter_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = alter;
    return new_stmt(p, STMT_ALTER_TABLE, copy, first);
}
