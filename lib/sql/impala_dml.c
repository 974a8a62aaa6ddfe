/*
 * Impala's statements that change rows: INSERT, UPSERT, UPDATE, DELETE, MERGE, LOAD, TRUNCATE,
 * OPTIMIZE.
 */
#include "sql/impala.h"

/* ---- INSERT and UPSERT ---- */

/* Whether '(' at the cursor begins a list of columns, and not a query. */
static bool at_column_list(const struct parser *p)
{
    const struct token *token = peek_at(p, 1);
    return at(p, TOKEN_LPAREN) && token->kind != TOKEN_LPAREN && !impala_begins_query(token);
}

/* (INTO | OVERWRITE) [TABLE] table ['(' [ids] ')'] [PARTITION '(' id ['=' expr] {',' ..} ')'] */
static struct insert_target *insert_target(struct parser *p, bool upsert)
{
    struct insert_target *target = ARENA_NEW(p->arena, struct insert_target);
    if (target == NULL)
        return NULL;
    const struct token *first = p->token;
    target->upsert = upsert;
    target->overwrite = !upsert && accept_word(p, KW_OVERWRITE);
    if (!target->overwrite)
        expect_word(p, KW_INTO);
    accept_word(p, KW_TABLE);
    target->table = impala_table_name(p);
    if (at_column_list(p)) {
        target->has_columns = true;
        target->column_count = impala_ident_list_or_none(p, &target->columns);
    }
    if (!upsert && accept_word(p, KW_PARTITION))
        target->partition = impala_partition(p, true);
    target->span = span_from(p, first);
    return target;
}

/* The query of an INSERT, which only a list of columns makes dispensable. */
static struct query *insert_query(struct parser *p, const struct insert_target *target)
{
    if (impala_at_query(p))
        return impala_parse_query(p);
    if (target != NULL && !target->has_columns)
        parse_fail(p, STR("a query"));
    return NULL;
}

/* INSERT [hints] target [hints] [query] | UPSERT [hints] target [hints] [query] */
struct stmt *impala_insert(struct parser *p, const struct token *first, struct cte *ctes,
                           uint32_t cte_count)
{
    bool upsert = take(p)->word == KW_UPSERT;
    struct insert_stmt *insert = ARENA_NEW(p->arena, struct insert_stmt);
    struct insert_leg *leg = ARENA_NEW(p->arena, struct insert_leg);
    bool hinted = impala_at_hints(p);
    impala_hints(p);
    struct insert_target *target = insert_target(p, upsert);
    if (!hinted)
        impala_hints(p);
    struct query *query = insert_query(p, target);
    if (insert == NULL || leg == NULL)
        return NULL;
    *leg = (struct insert_leg){target, query};
    *insert =
        (struct insert_stmt){.ctes = ctes, .cte_count = cte_count, .legs = leg, .leg_count = 1};
    return new_stmt(p, upsert ? STMT_UPSERT : STMT_INSERT, insert, first);
}

/* ---- UPDATE and DELETE ---- */

/* path '=' expr {',' ..} */
static uint32_t assignments(struct parser *p, struct assignment **out)
{
    VEC(struct assignment) list = {0};
    do {
        struct assignment assignment = {.column = parse_qname(p, "a column name")};
        expect(p, TOKEN_EQ, "=");
        assignment.value = parse_expr(p);
        struct assignment *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = assignment;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}

/* [WHERE [hints] expr] */
static struct expr *where(struct parser *p)
{
    if (!accept_word(p, KW_WHERE))
        return NULL;
    impala_hints(p);
    return parse_expr(p);
}

/* UPDATE path SET path '=' expr {',' ..} [FROM from] [WHERE expr] */
struct stmt *impala_update(struct parser *p)
{
    const struct token *first = take(p);
    struct update_stmt *update = ARENA_NEW(p->arena, struct update_stmt);
    if (update == NULL)
        return NULL;
    update->table = parse_qname(p, "a table name");
    expect_word(p, KW_SET);
    update->set_count = assignments(p, &update->sets);
    if (accept_word(p, KW_FROM))
        update->from = impala_from(p);
    update->where = where(p);
    return new_stmt(p, STMT_UPDATE, update, first);
}

/* DELETE [FROM] path [WHERE expr] | DELETE path FROM from [WHERE expr] */
struct stmt *impala_delete(struct parser *p)
{
    const struct token *first = take(p);
    struct delete_stmt *delete = ARENA_NEW(p->arena, struct delete_stmt);
    if (delete == NULL)
        return NULL;
    bool from_first = accept_word(p, KW_FROM);
    delete->table = parse_qname(p, "a table name");
    if (!from_first && accept_word(p, KW_FROM))
        delete->from = impala_from(p);
    delete->where = where(p);
    return new_stmt(p, STMT_DELETE, delete, first);
}

/* ---- MERGE ---- */

/* UPDATE SET (path '=' expr {',' ..} | '*') */
static void merge_update(struct parser *p, struct merge_when *when)
{
    expect_word(p, KW_SET);
    when->action = MERGE_UPDATE;
    if (accept(p, TOKEN_STAR))
        when->action = MERGE_UPDATE_STAR;
    else
        when->set_count = assignments(p, &when->sets);
}

/* '(' item {',' item} ')' without the aliases */
static struct exprs merge_values(struct parser *p)
{
    struct select_item *items = NULL;
    uint32_t count = impala_row(p, &items);
    struct exprs values = {ARENA_ARRAY(p->arena, struct expr *, count), 0};
    if (values.items == NULL)
        return values;
    for (uint32_t i = 0; i < count; i++)
        values.items[i] = items[i].expr;
    values.count = count;
    return values;
}

/* INSERT (['(' [ids] ')'] VALUES row | '*') */
static void merge_insert(struct parser *p, struct merge_when *when)
{
    when->action = MERGE_INSERT;
    if (accept(p, TOKEN_STAR)) {
        when->action = MERGE_INSERT_STAR;
        return;
    }
    if (at(p, TOKEN_LPAREN))
        when->column_count = impala_ident_list_or_none(p, &when->columns);
    expect_word(p, KW_VALUES);
    when->values = merge_values(p);
}

/* [NOT] MATCHED [BY (TARGET | SOURCE)] */
static uint8_t merge_kind(struct parser *p)
{
    bool not_matched = accept_word(p, KW_NOT);
    expect_word(p, KW_MATCHED);
    if (!not_matched)
        return MERGE_MATCHED;
    if (accept_word(p, KW_BY)) {
        if (accept_word(p, KW_SOURCE))
            return MERGE_NOT_MATCHED_BY_SOURCE;
        expect_word(p, KW_TARGET);
    }
    return MERGE_NOT_MATCHED;
}

/* expr {',' expr}, all of which must hold */
static struct expr *merge_condition(struct parser *p)
{
    struct expr **conditions = NULL;
    const struct token *first = p->token;
    uint32_t count = parse_expr_list(p, &conditions);
    if (count < 2 || conditions == NULL)
        return conditions != NULL ? conditions[0] : NULL;
    struct expr *chain = new_expr(p, EXPR_CHAIN, span_from(p, first));
    uint8_t *ops = arena_alloc(p->arena, count - 1);
    if (chain == NULL || ops == NULL)
        return NULL;
    memset(ops, OP_AND, count - 1);
    chain->op = OP_AND;
    chain->args = conditions;
    chain->arg_count = count;
    chain->u.ops = ops;
    return chain;
}

/* mcase = WHEN kind [AND expr {',' expr}] THEN action */
static struct merge_when merge_when(struct parser *p)
{
    const struct token *first = take(p);
    struct merge_when when = {.kind = merge_kind(p)};
    if (accept_word(p, KW_AND))
        when.condition = merge_condition(p);
    expect_word(p, KW_THEN);
    bool inserts = when.kind == MERGE_NOT_MATCHED;
    if (inserts && accept_word(p, KW_INSERT))
        merge_insert(p, &when);
    else if (!inserts && accept_word(p, KW_UPDATE))
        merge_update(p, &when);
    else if (!inserts && accept_word(p, KW_DELETE))
        when.action = MERGE_DELETE;
    else
        parse_fail(p, inserts ? STR("INSERT") : STR("UPDATE or DELETE"));
    when.span = span_from(p, first);
    return when;
}

/* MERGE INTO table USING table ON expr mcase {mcase} */
struct stmt *impala_merge(struct parser *p)
{
    const struct token *first = take(p);
    struct merge_stmt *merge = ARENA_NEW(p->arena, struct merge_stmt);
    if (merge == NULL)
        return NULL;
    expect_word(p, KW_INTO);
    merge->target = impala_table_ref(p);
    expect_word(p, KW_USING);
    merge->source = impala_table_ref(p);
    expect_word(p, KW_ON);
    merge->on = parse_expr(p);
    VEC(struct merge_when) list = {0};
    if (!at_word(p, KW_WHEN))
        parse_fail(p, STR("WHEN"));
    while (at_word(p, KW_WHEN)) {
        struct merge_when when = merge_when(p);
        struct merge_when *slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = when;
    }
    merge->whens = list.items;
    merge->when_count = list.count;
    return new_stmt(p, STMT_MERGE, merge, first);
}

/* ---- files and whole tables ---- */

/* LOAD DATA INPATH str [OVERWRITE] INTO TABLE table [PARTITION '(' id '=' expr {',' ..} ')'] */
struct stmt *impala_load(struct parser *p)
{
    const struct token *first = take(p);
    struct transfer_stmt *load = ARENA_NEW(p->arena, struct transfer_stmt);
    if (load == NULL)
        return NULL;
    expect_word(p, KW_DATA);
    expect_word(p, KW_INPATH);
    load->path = parse_string(p, "a path in quotes");
    load->overwrite = accept_word(p, KW_OVERWRITE);
    expect_word(p, KW_INTO);
    expect_word(p, KW_TABLE);
    load->table = impala_table_name(p);
    if (accept_word(p, KW_PARTITION))
        load->partition = impala_partition(p, false);
    return new_stmt(p, STMT_LOAD, load, first);
}

/* TRUNCATE [TABLE] [IF EXISTS] table */
struct stmt *impala_truncate(struct parser *p)
{
    const struct token *first = take(p);
    struct object_stmt *truncate = ARENA_NEW(p->arena, struct object_stmt);
    if (truncate == NULL)
        return NULL;
    accept_word(p, KW_TABLE);
    truncate->if_exists = impala_if_exists(p);
    truncate->name = impala_table_name(p);
    return new_stmt(p, STMT_TRUNCATE, truncate, first);
}

/* OPTIMIZE TABLE table ['(' FILE_SIZE_THRESHOLD_MB '=' int ')'] */
struct stmt *impala_optimize(struct parser *p)
{
    const struct token *first = take(p);
    expect_word(p, KW_TABLE);
    struct qname name = impala_table_name(p);
    struct clause *options = new_clause(p, STR("optimize"));
    if (accept(p, TOKEN_LPAREN)) {
        struct clause *size = new_clause(p, STR("file_size_threshold_mb"));
        expect_word(p, KW_FILE_SIZE_THRESHOLD_MB);
        expect(p, TOKEN_EQ, "=");
        clause_add_word(p, size, impala_integer(p));
        expect(p, TOKEN_RPAREN, ")");
        clause_add_node(p, options, size);
    }
    return impala_object(p, STMT_OPTIMIZE, first, name, options);
}
