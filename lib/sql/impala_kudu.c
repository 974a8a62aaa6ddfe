/* How Kudu and Iceberg tables are divided: PARTITION BY HASH and RANGE, and PARTITIONED BY SPEC. */
#include "sql/impala.h"

/* HASH ['(' ids ')'] PARTITIONS int */
static struct clause *hash_partition(struct parser *p)
{
    take(p);
    struct ident *names = NULL;
    uint32_t count = at(p, TOKEN_LPAREN) ? parse_ident_list(p, &names, "a column name") : 0;
    struct clause *clause = impala_names_clause(p, STR("hash"), names, count);
    expect_word(p, KW_PARTITIONS);
    clause_add_word(p, clause, impala_integer(p));
    return clause;
}

/* HASH .. {[','] HASH ..} behind a range */
static void hash_partitions(struct parser *p, struct clause *clause)
{
    while (at_word(p, KW_HASH) || (at(p, TOKEN_COMMA) && peek_at(p, 1)->word == KW_HASH)) {
        accept(p, TOKEN_COMMA);
        clause_add_node(p, clause, hash_partition(p));
    }
}

static bool accept_less(struct parser *p, struct clause *clause)
{
    if (!at(p, TOKEN_LT) && !at(p, TOKEN_LE))
        return false;
    impala_keep(p, clause);
    return true;
}

/* VALUE '=' (expr | '(' expr {',' expr} ')') */
static void range_value(struct parser *p, struct clause *clause)
{
    expect(p, TOKEN_EQ, "=");
    if (!accept(p, TOKEN_LPAREN)) {
        clause_add_expr(p, clause, parse_expr(p));
        return;
    }
    do
        clause_add_expr(p, clause, parse_expr(p));
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
}

/* [const ('<' | '<=')] VALUES [('<' | '<=') const] */
static void range_bounds(struct parser *p, struct clause *clause)
{
    bool lower = !at_word(p, KW_VALUES);
    if (lower) {
        clause_add_expr(p, clause, parse_sum_expr(p));
        if (!accept_less(p, clause))
            parse_fail(p, STR("< or <="));
    }
    expect_word(p, KW_VALUES);
    if (accept_less(p, clause))
        clause_add_expr(p, clause, parse_sum_expr(p));
    else if (!lower)
        parse_fail(p, STR("< or <="));
}

/* rpart = PARTITION (bounds | VALUE '=' ..) {HASH ..} */
struct clause *impala_range_partition(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("partition"));
    expect_word(p, KW_PARTITION);
    if (accept_text(p, STR("value")))
        range_value(p, clause);
    else
        range_bounds(p, clause);
    hash_partitions(p, clause);
    return clause;
}

/* RANGE ['(' ids ')'] '(' rpart {[','] rpart} ')' */
static struct clause *range_partitions(struct parser *p)
{
    take(p);
    struct ident *names = NULL;
    bool named = at(p, TOKEN_LPAREN) && peek_at(p, 1)->word != KW_PARTITION;
    uint32_t count = named ? parse_ident_list(p, &names, "a column name") : 0;
    struct clause *clause = impala_names_clause(p, STR("range"), names, count);
    expect(p, TOKEN_LPAREN, "(");
    do {
        clause_add_node(p, clause, impala_range_partition(p));
        accept(p, TOKEN_COMMA);
    } while (at_word(p, KW_PARTITION));
    expect(p, TOKEN_RPAREN, "PARTITION or )");
    return clause;
}

/* PARTITION BY (HASH .. {[','] HASH ..} [[','] RANGE ..] | RANGE ..) */
struct clause *impala_kudu_partitions(struct parser *p)
{
    if (!accept_word(p, KW_PARTITION))
        return NULL;
    expect_word(p, KW_BY);
    struct clause *clause = new_clause(p, STR("partition_by"));
    if (at_word(p, KW_HASH))
        hash_partitions(p, clause);
    else if (!at_word(p, KW_RANGE))
        parse_fail(p, STR("HASH or RANGE"));
    if (at_word(p, KW_RANGE) || (at(p, TOKEN_COMMA) && peek_at(p, 1)->word == KW_RANGE)) {
        accept(p, TOKEN_COMMA);
        clause_add_node(p, clause, range_partitions(p));
    }
    return clause;
}

/* pfield = id | fn '(' id ')' | fn '(' int ',' id ')' */
static struct clause *partition_field(struct parser *p)
{
    if (peek_at(p, 1)->kind != TOKEN_LPAREN) {
        struct clause *clause = new_clause(p, STR("identity"));
        clause_add_name(p, clause, impala_plain_name(p, "a column name"));
        return clause;
    }
    struct ident function = impala_any_word(p, "a transform");
    struct clause *clause = new_clause(p, name_str(function.name));
    take(p);
    if (at(p, TOKEN_NUMBER)) {
        clause_add_word(p, clause, impala_integer(p));
        expect(p, TOKEN_COMMA, ",");
    }
    clause_add_name(p, clause, impala_plain_name(p, "a column name"));
    expect(p, TOKEN_RPAREN, ")");
    return clause;
}

struct clause *impala_iceberg_spec(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("spec"));
    expect(p, TOKEN_LPAREN, "(");
    do
        clause_add_node(p, clause, partition_field(p));
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return clause;
}
