/*
 * Hive's statements that write data: INSERT, multi-insert, UPDATE, DELETE, MERGE, LOAD, EXPORT,
 * IMPORT, TRUNCATE.
 */
#include "sql/hive.h"

/* ---- partitions ---- */

/* Constants of partitions: str {str} | [sign] number | DATE str | NULL | TRUE | ? | variable .. */
static bool is_constant(const struct expr *value)
{
    switch ((enum expr_kind)value->kind) {
    case EXPR_LITERAL:
    case EXPR_VARIABLE:
    case EXPR_PARAMETER:
    case EXPR_INTERVAL:
        return true;
    case EXPR_CALL: /* CURRENT_DATE */
        return value->arg_count == 0;
    case EXPR_COLUMN:
    case EXPR_STAR:
    case EXPR_CAST:
    case EXPR_CASE:
    case EXPR_UNARY:
    case EXPR_CHAIN:
    case EXPR_COMPARE:
    case EXPR_IS:
    case EXPR_LIKE:
    case EXPR_BETWEEN:
    case EXPR_IN:
    case EXPR_IN_QUERY:
    case EXPR_QUANTIFIED:
    case EXPR_EXISTS:
    case EXPR_SUBQUERY:
    case EXPR_FIELD:
    case EXPR_INDEX:
    case EXPR_ROW:
    case EXPR_DEFAULT:
        break;
    }
    return false;
}

struct expr *hive_parse_constant(struct parser *p)
{
    const struct token *token = p->token;
    struct expr *value = parse_sum_expr(p);
    bool sign = value != NULL && value->kind == EXPR_UNARY && value->args != NULL;
    const struct expr *inner = sign ? value->args[0] : value;
    if (inner != NULL && !p->failed && !is_constant(inner))
        parse_fail_at(p, DIAG_SYNTAX, token, STR("expected a constant"));
    return value;
}

static bool at_transform(const struct parser *p)
{
    return p->token->kind == TOKEN_WORD && peek_at(p, 1)->kind == TOKEN_LPAREN;
}

static enum expr_op comparison(const struct token *token)
{
    switch (token->kind) {
    case TOKEN_EQ:
        return OP_EQ;
    case TOKEN_NE:
        return OP_NE;
    case TOKEN_LT:
        return OP_LT;
    case TOKEN_LE:
        return OP_LE;
    case TOKEN_GT:
        return OP_GT;
    case TOKEN_GE:
        return OP_GE;
    default:
        return token->word == KW_LIKE ? OP_LIKE : OP_NONE;
    }
}

/* (id | transform '(' .. ')') [op constant] */
static struct partition_key parse_partition_key(struct parser *p, bool filter)
{
    struct partition_key key = {.op = OP_EQ};
    if (at_transform(p)) {
        key.transform = hive_parse_transform(p);
        return key;
    }
    key.name = parse_column_ident(p, "a partition column");
    enum expr_op op = comparison(p->token);
    if (op == OP_NONE || (!filter && op != OP_EQ))
        return key;
    take(p);
    key.op = (uint8_t)op;
    key.value = hive_parse_constant(p);
    return key;
}

/* '(' key {',' key} ')', behind PARTITION or PARTITIONS */
static struct partition_spec parse_partition_keys(struct parser *p, bool filter,
                                                  const struct token *first)
{
    VEC(struct partition_key) list = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct partition_key key = parse_partition_key(p, filter);
        struct partition_key *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = key;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return (struct partition_spec){list.items, list.count, true, span_from(p, first)};
}

struct partition_spec hive_parse_partition(struct parser *p)
{
    return at_word(p, KW_PARTITION) ? parse_partition_keys(p, false, take(p))
                                    : (struct partition_spec){0};
}

struct partition_spec hive_parse_partition_filter(struct parser *p)
{
    const struct token *first = p->token;
    expect_word(p, KW_PARTITION);
    return p->failed ? (struct partition_spec){0} : parse_partition_keys(p, true, first);
}

struct partition_spec hive_parse_partition_list(struct parser *p)
{
    return parse_partition_keys(p, true, p->token);
}

/* ---- INSERT ---- */

/* [LOCAL] DIRECTORY str [rowFormat] [stored] [IF NOT EXISTS] */
static void parse_directory(struct parser *p, struct insert_target *target)
{
    struct table_clauses clauses = {.options = new_clause(p, STR("directory"))};
    target->directory = true;
    target->local = accept_word(p, KW_LOCAL);
    expect_word(p, KW_DIRECTORY);
    target->path = parse_string(p, "a path in quotes");
    while (at_words(p, KW_ROW, KW_FORMAT) || at_word(p, KW_STORED))
        hive_parse_storage_clause(p, &clauses);
    target->if_not_exists = accept_if_not_exists(p);
}

/* '(' [id {',' id}] ')' unless a query stands there */
static void parse_insert_columns(struct parser *p, struct insert_target *target)
{
    if (target->has_columns || !at(p, TOKEN_LPAREN) || at_parenthesised_query(p))
        return;
    if (peek_at(p, 1)->word == KW_MAP || peek_at(p, 1)->kind == TOKEN_LPAREN)
        return;
    target->has_columns = true;
    target->column_count = hive_parse_columns(p, &target->columns);
}

/* [TABLE] qname [columns] [partition] [IF NOT EXISTS] [columns] */
static void parse_insert_table(struct parser *p, struct insert_target *target)
{
    accept_word(p, KW_TABLE);
    target->table = parse_qname(p, "a table");
    parse_insert_columns(p, target);
    target->partition = hive_parse_partition(p);
    target->if_not_exists = accept_if_not_exists(p);
    parse_insert_columns(p, target);
}

/* INSERT (OVERWRITE TABLE qname .. | OVERWRITE [LOCAL] DIRECTORY .. | INTO [TABLE] qname ..) */
static struct insert_target *parse_insert_target(struct parser *p)
{
    const struct token *first = take(p);
    struct insert_target target = {0};
    accept(p, TOKEN_HINT);
    if (accept_word(p, KW_OVERWRITE)) {
        target.overwrite = true;
        if (at_word(p, KW_LOCAL) ||
            (at_word(p, KW_DIRECTORY) && peek_at(p, 1)->kind == TOKEN_STRING))
            parse_directory(p, &target);
        else
            parse_insert_table(p, &target);
    } else if (accept_word(p, KW_INTO)) {
        parse_insert_table(p, &target);
    } else {
        parse_fail(p, STR("OVERWRITE or INTO"));
    }
    target.span = span_from(p, first);
    struct insert_target *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = target;
    return copy;
}

static struct stmt *new_insert(struct parser *p, struct insert_stmt insert,
                               const struct token *first)
{
    struct insert_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = insert;
    return new_stmt(p, STMT_INSERT, copy, first);
}

/* INSERT target query */
struct stmt *hive_parse_insert(struct parser *p, struct cte *ctes, uint32_t cte_count,
                               const struct token *first)
{
    struct insert_leg *leg = ARENA_NEW(p->arena, struct insert_leg);
    struct insert_target *target = parse_insert_target(p);
    struct query *query = hive_parse_set_query(p);
    if (leg != NULL)
        *leg = (struct insert_leg){target, query};
    return new_insert(
        p,
        (struct insert_stmt){
            .ctes = ctes, .cte_count = cte_count, .legs = leg, .leg_count = leg != NULL},
        first);
}

static bool at_body(const struct parser *p)
{
    return at_word(p, KW_INSERT) || at_word(p, KW_SELECT) || at_word(p, KW_MAP) ||
           at_word(p, KW_REDUCE);
}

/* [insert] select .. */
static struct insert_leg parse_leg(struct parser *p, struct from_item *from)
{
    struct insert_leg leg = {0};
    if (at_word(p, KW_INSERT))
        leg.target = parse_insert_target(p);
    leg.query = hive_parse_body(p, from);
    return leg;
}

/* A statement that is only a query: its one leg, with what set operations follow. */
static struct stmt *from_first_query(struct parser *p, struct insert_stmt *insert,
                                     const struct token *first)
{
    struct query *query = insert->leg_count > 0 ? insert->legs[0].query : NULL;
    if (query != NULL)
        query->span.start = first->start;
    query = hive_parse_set_operations(p, query, first);
    if (query != NULL) {
        query->ctes = insert->ctes;
        query->cte_count = insert->cte_count;
    }
    return new_stmt(p, STMT_QUERY, query, first);
}

/* FROM source body+ */
struct stmt *hive_parse_from_first(struct parser *p, struct cte *ctes, uint32_t cte_count,
                                   const struct token *first)
{
    struct insert_stmt insert = {.ctes = ctes, .cte_count = cte_count};
    VEC(struct insert_leg) legs = {0};
    bool inserts = false;
    take(p);
    insert.from = hive_parse_from(p);
    do {
        struct insert_leg leg = parse_leg(p, insert.from);
        inserts = inserts || leg.target != NULL;
        struct insert_leg *slot = VEC_PUSH(p->arena, &legs);
        if (slot != NULL)
            *slot = leg;
    } while (at_body(p));
    insert.legs = legs.items;
    insert.leg_count = legs.count;
    if (!inserts && legs.count <= 1)
        return from_first_query(p, &insert, first);
    return new_insert(p, insert, first);
}

/* ---- UPDATE, DELETE, MERGE ---- */

/* qname '=' (sum | DEFAULT) {',' ..} */
static uint32_t parse_assignments(struct parser *p, struct assignment **out, bool any_expr)
{
    VEC(struct assignment) list = {0};
    do {
        struct assignment set = {.column = parse_qname(p, "a column")};
        expect(p, TOKEN_EQ, "=");
        set.value = any_expr ? parse_value_expr(p) : parse_sum_expr(p);
        struct assignment *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = set;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}

/* UPDATE qname SET assignments [WHERE expr] */
struct stmt *hive_parse_update(struct parser *p)
{
    const struct token *first = take(p);
    struct update_stmt update = {.table = parse_qname(p, "a table")};
    expect_word(p, KW_SET);
    update.set_count = parse_assignments(p, &update.sets, false);
    if (accept_word(p, KW_WHERE))
        update.where = parse_expr(p);
    struct update_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = update;
    return new_stmt(p, STMT_UPDATE, copy, first);
}

/* DELETE FROM qname [WHERE expr] */
struct stmt *hive_parse_delete(struct parser *p)
{
    const struct token *first = take(p);
    struct delete_stmt *delete_ = ARENA_NEW(p->arena, struct delete_stmt);
    expect_word(p, KW_FROM);
    struct qname table = parse_qname(p, "a table");
    struct expr *where = accept_word(p, KW_WHERE) ? parse_expr(p) : NULL;
    if (delete_ != NULL) {
        delete_->table = table;
        delete_->where = where;
    }
    return new_stmt(p, STMT_DELETE, delete_, first);
}

/* UPDATE SET assignments | UPDATE SET '*' | DELETE */
static void parse_matched_action(struct parser *p, struct merge_when *when)
{
    if (accept_word(p, KW_DELETE)) {
        when->action = MERGE_DELETE;
        return;
    }
    when->action = MERGE_UPDATE;
    expect_word(p, KW_UPDATE);
    expect_word(p, KW_SET);
    if (accept(p, TOKEN_STAR))
        when->action = MERGE_UPDATE_STAR;
    else
        when->set_count = parse_assignments(p, &when->sets, true);
}

/* INSERT [columns] VALUES '(' value {',' value} ')' | INSERT '*' */
static void parse_not_matched_action(struct parser *p, struct merge_when *when)
{
    when->action = MERGE_INSERT;
    expect_word(p, KW_INSERT);
    if (accept(p, TOKEN_STAR)) {
        when->action = MERGE_INSERT_STAR;
        return;
    }
    if (at(p, TOKEN_LPAREN))
        when->column_count = hive_parse_columns(p, &when->columns);
    expect_word(p, KW_VALUES);
    expect(p, TOKEN_LPAREN, "(");
    VEC(struct expr *) list = {0};
    do {
        struct expr *value = parse_value_expr(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = value;
    } while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    when->values = (struct exprs){list.items, list.count};
}

/* WHEN [NOT] MATCHED [AND expr] THEN action */
static struct merge_when parse_when(struct parser *p)
{
    const struct token *first = take(p);
    bool negated = accept_word(p, KW_NOT);
    struct merge_when when = {.kind = negated ? MERGE_NOT_MATCHED : MERGE_MATCHED};
    expect_word(p, KW_MATCHED);
    if (accept_word(p, KW_AND))
        when.condition = parse_expr(p);
    expect_word(p, KW_THEN);
    if (negated)
        parse_not_matched_action(p, &when);
    else
        parse_matched_action(p, &when);
    when.span = span_from(p, first);
    return when;
}

/* MERGE [hint] INTO table USING source ON expr when* */
struct stmt *hive_parse_merge(struct parser *p)
{
    const struct token *first = take(p);
    struct merge_stmt merge = {0};
    VEC(struct merge_when) whens = {0};
    accept(p, TOKEN_HINT);
    expect_word(p, KW_INTO);
    merge.target = hive_parse_table(p);
    expect_word(p, KW_USING);
    merge.source = hive_parse_source(p);
    expect_word(p, KW_ON);
    merge.on = parse_expr(p);
    while (at_word(p, KW_WHEN)) {
        struct merge_when when = parse_when(p);
        struct merge_when *slot = VEC_PUSH(p->arena, &whens);
        if (slot != NULL)
            *slot = when;
    }
    merge.whens = whens.items;
    merge.when_count = whens.count;
    struct merge_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = merge;
    return new_stmt(p, STMT_MERGE, copy, first);
}

/* ---- between tables and paths ---- */

static struct stmt *new_transfer(struct parser *p, enum stmt_kind kind,
                                 struct transfer_stmt transfer, const struct token *first)
{
    struct transfer_stmt *copy = arena_alloc(p->arena, sizeof(*copy));
    if (copy != NULL)
        *copy = transfer;
    return new_stmt(p, kind, copy, first);
}

/*
 * LOAD DATA [LOCAL] INPATH str [OVERWRITE] INTO TABLE qname [partition] [INPUTFORMAT str SERDE str]
 */
struct stmt *hive_parse_load(struct parser *p)
{
    const struct token *first = take(p);
    struct transfer_stmt load = {.options = new_clause(p, STR("options"))};
    expect_word(p, KW_DATA);
    load.local = accept_word(p, KW_LOCAL);
    expect_word(p, KW_INPATH);
    load.path = parse_string(p, "a path in quotes");
    load.overwrite = accept_word(p, KW_OVERWRITE);
    expect_word(p, KW_INTO);
    expect_word(p, KW_TABLE);
    load.table = parse_qname(p, "a table");
    load.partition = hive_parse_partition(p);
    const struct token *format = p->token;
    if (accept_word(p, KW_INPUTFORMAT)) {
        parse_string(p, "a class name in quotes");
        expect_word(p, KW_SERDE);
        parse_string(p, "a class name in quotes");
        add_token_clause(p, load.options, STR("inputformat"), format);
    }
    return new_transfer(p, STMT_LOAD, load, first);
}

void hive_parse_replication(struct parser *p, struct clause *options)
{
    const struct token *first = p->token;
    if (!accept_word(p, KW_FOR))
        return;
    accept_word(p, KW_METADATA);
    expect_word(p, KW_REPLICATION);
    expect(p, TOKEN_LPAREN, "(");
    parse_string(p, "an event id in quotes");
    expect(p, TOKEN_RPAREN, ")");
    add_token_clause(p, options, STR("replication"), first);
}

/* EXPORT TABLE qname [partition] TO str [replication] */
struct stmt *hive_parse_export(struct parser *p)
{
    const struct token *first = take(p);
    struct transfer_stmt transfer = {.options = new_clause(p, STR("options"))};
    expect_word(p, KW_TABLE);
    transfer.table = parse_qname(p, "a table");
    transfer.partition = hive_parse_partition(p);
    expect_word(p, KW_TO);
    transfer.path = parse_string(p, "a path in quotes");
    hive_parse_replication(p, transfer.options);
    return new_transfer(p, STMT_EXPORT, transfer, first);
}

/* IMPORT [[EXTERNAL] TABLE qname [partition]] FROM str [LOCATION str] */
struct stmt *hive_parse_import(struct parser *p)
{
    const struct token *first = take(p);
    struct transfer_stmt transfer = {.options = new_clause(p, STR("options"))};
    transfer.external = accept_word(p, KW_EXTERNAL);
    if (transfer.external || at_word(p, KW_TABLE)) {
        expect_word(p, KW_TABLE);
        transfer.table = parse_qname(p, "a table");
        transfer.partition = hive_parse_partition(p);
    }
    expect_word(p, KW_FROM);
    transfer.path = parse_string(p, "a path in quotes");
    const struct token *location = p->token;
    if (accept_word(p, KW_LOCATION)) {
        parse_string(p, "a path in quotes");
        add_token_clause(p, transfer.options, STR("location"), location);
    }
    hive_parse_replication(p, transfer.options);
    return new_transfer(p, STMT_IMPORT, transfer, first);
}

/* TRUNCATE [TABLE] qname [partition] [COLUMNS '(' id {',' id} ')'] [FORCE] */
struct stmt *hive_parse_truncate(struct parser *p)
{
    const struct token *first = take(p);
    struct object_stmt object = {0};
    accept_word(p, KW_TABLE);
    object.name = parse_qname(p, "a table");
    object.partition = hive_parse_partition(p);
    if (accept_word(p, KW_COLUMNS)) {
        struct ident *columns;
        hive_parse_columns(p, &columns);
    }
    accept_word(p, KW_FORCE);
    return new_object_stmt(p, STMT_TRUNCATE, object, first);
}
