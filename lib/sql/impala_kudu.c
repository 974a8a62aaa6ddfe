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

/* '<' | '<=' | '>' | '>=': that Kudu takes only the first two is found later. */
static bool accept_comparison(struct parser *p, struct clause *clause)
{
    if (!at(p, TOKEN_LT) && !at(p, TOKEN_LE) && !at(p, TOKEN_GT) && !at(p, TOKEN_GE))
        return false;
    impala_keep(p, clause);
    return true;
}

/* Whether '(' at the cursor holds several expressions, and not one or a query. */
static bool at_row(const struct parser *p)
{
    const struct token *token = p->token;
    if (!at(p, TOKEN_LPAREN) || impala_begins_query(token + 1))
        return false;
    size_t depth = 0;
    for (; token != p->end; token++) {
        if (token->kind == TOKEN_LPAREN)
            depth++;
        else if (token->kind == TOKEN_COMMA && depth == 1)
            return true;
        else if (token->kind == TOKEN_RPAREN && --depth == 0)
            return false;
    }
    return false;
}

/* const = expr | '(' expr {',' expr} ')' */
static void constant(struct parser *p, struct clause *clause)
{
    if (!at_row(p)) {
        clause_add_expr(p, clause, parse_sum_expr(p));
        return;
    }
    struct clause *row = new_clause(p, STR("row"));
    take(p);
    do
        clause_add_expr(p, row, parse_expr(p));
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    clause_add_node(p, clause, row);
}

/* [const comparison] VALUES [comparison const], at least one of them */
static void range_bounds(struct parser *p, struct clause *clause)
{
    bool lower = !at_word(p, KW_VALUES);
    if (lower) {
        constant(p, clause);
        if (!accept_comparison(p, clause))
            parse_fail(p, STR("< or <="));
    }
    expect_word(p, KW_VALUES);
    if (accept_comparison(p, clause))
        constant(p, clause);
    else if (!lower)
        parse_fail(p, STR("< or <="));
}

/* rpart = PARTITION (bounds | VALUE '=' const) {HASH ..} */
struct clause *impala_range_partition(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("partition"));
    expect_word(p, KW_PARTITION);
    if (accept_text(p, STR("value"))) {
        expect(p, TOKEN_EQ, "=");
        constant(p, clause);
    } else {
        range_bounds(p, clause);
    }
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

/* PARTITION BY (HASH .. | RANGE ..) {[','] HASH .. | RANGE ..}, with one RANGE at most */
struct clause *impala_kudu_partitions(struct parser *p)
{
    if (!accept_word(p, KW_PARTITION))
        return NULL;
    expect_word(p, KW_BY);
    struct clause *clause = new_clause(p, STR("partition_by"));
    bool ranged = false;
    do {
        bool range = at_word(p, KW_RANGE) && !ranged;
        ranged = ranged || range;
        if (range)
            clause_add_node(p, clause, range_partitions(p));
        else if (at_word(p, KW_HASH))
            clause_add_node(p, clause, hash_partition(p));
        else
            parse_fail(p, STR("HASH or RANGE"));
    } while (accept(p, TOKEN_COMMA) || at_word(p, KW_HASH) || at_word(p, KW_RANGE));
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
