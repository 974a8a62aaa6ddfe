/* Small pieces that many of Impala's statements hold: names, lists, properties, partitions. */
#include "sql/impala.h"

struct qname impala_table_name(struct parser *p)
{
    const struct token *first = p->token;
    struct qname name = parse_qname(p, "a table name");
    if (name.count > 2)
        parse_fail_at(p, DIAG_SYNTAX, first,
                      STR("expected a name of at most two parts, found more"));
    return name;
}

struct qname impala_plain_name(struct parser *p, const char *what)
{
    struct ident *part = new_ident(p, parse_ident(p, what));
    return part != NULL ? (struct qname){part, 1, part->span} : (struct qname){0};
}

struct ident impala_any_word(struct parser *p, const char *what)
{
    if (at(p, TOKEN_WORD))
        return ident_of_token(p, take(p));
    return parse_ident(p, what);
}

bool impala_if_exists(struct parser *p)
{
    if (!accept_word(p, KW_IF))
        return false;
    return expect_word(p, KW_EXISTS);
}

bool impala_if_not_exists(struct parser *p)
{
    if (!accept_word(p, KW_IF))
        return false;
    return expect_word(p, KW_NOT) && expect_word(p, KW_EXISTS);
}

static bool is_integer(str_t text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return true;
}

const struct token *impala_integer(struct parser *p)
{
    const struct token *token = p->token;
    if (!at(p, TOKEN_VARIABLE) && !(at(p, TOKEN_NUMBER) && is_integer(token_text(p, token))))
        parse_fail(p, STR("an integer"));
    else
        take(p);
    return token;
}

uint32_t impala_ident_list_or_none(struct parser *p, struct ident **out)
{
    if (at(p, TOKEN_LPAREN) && peek_at(p, 1)->kind == TOKEN_RPAREN) {
        skip_tokens(p, 2);
        *out = NULL;
        return 0;
    }
    return parse_ident_list(p, out, "a column name");
}

/* ---- properties ---- */

/* str '=' str */
static struct clause *property(struct parser *p)
{
    struct clause *pair = new_clause(p, STR("="));
    impala_keep_string(p, pair, "a property name in quotes");
    expect(p, TOKEN_EQ, "=");
    impala_keep_string(p, pair, "a property value in quotes");
    return pair;
}

struct clause *impala_properties(struct parser *p, str_t label)
{
    struct clause *clause = new_clause(p, label);
    expect(p, TOKEN_LPAREN, "(");
    do
        clause_add_node(p, clause, property(p));
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return clause;
}

struct clause *impala_property_keys(struct parser *p, str_t label)
{
    struct clause *clause = new_clause(p, label);
    expect(p, TOKEN_LPAREN, "(");
    do
        impala_keep_string(p, clause, "a property name in quotes");
    while (accept(p, TOKEN_COMMA));
    expect(p, TOKEN_RPAREN, ", or )");
    return clause;
}

/* ---- partitions ---- */

struct keys {
    VEC(struct partition_key) list;
};

static struct partition_key *new_key(struct parser *p, struct keys *keys)
{
    return VEC_PUSH(p->arena, &keys->list);
}

static struct partition_spec finish_keys(struct parser *p, const struct token *first,
                                         const struct keys *keys)
{
    expect(p, TOKEN_RPAREN, ", or )");
    return (struct partition_spec){keys->list.items, keys->list.count, true, span_from(p, first)};
}

struct partition_spec impala_partition(struct parser *p, bool dynamic)
{
    const struct token *first = p->token;
    struct keys keys = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct partition_key key = {.name = parse_ident(p, "a partition column"), .op = OP_EQ};
        if (accept(p, TOKEN_EQ))
            key.value = parse_expr(p);
        else if (!dynamic)
            parse_fail(p, STR("="));
        struct partition_key *slot = new_key(p, &keys);
        if (slot != NULL)
            *slot = key;
    } while (accept(p, TOKEN_COMMA));
    return finish_keys(p, first, &keys);
}

/* column op value as a key; anything else as a condition by itself */
static struct partition_key condition_key(struct expr *expr)
{
    const struct expr *column =
        expr != NULL && expr->kind == EXPR_COMPARE && expr->arg_count == 2 ? expr->args[0] : NULL;
    if (column != NULL && column->kind == EXPR_COLUMN && column->u.name.count == 1)
        return (struct partition_key){
            .name = column->u.name.parts[0], .value = expr->args[1], .op = expr->op};
    struct partition_key nameless = {.value = expr, .op = OP_NONE};
    nameless.name.name = NAME("");
    return nameless;
}

struct partition_spec impala_partition_filter(struct parser *p)
{
    const struct token *first = p->token;
    struct keys keys = {0};
    expect(p, TOKEN_LPAREN, "(");
    do {
        struct expr *condition = parse_expr(p);
        struct partition_key *slot = new_key(p, &keys);
        if (slot != NULL)
            *slot = condition_key(condition);
    } while (accept(p, TOKEN_COMMA));
    return finish_keys(p, first, &keys);
}

/* ---- the tree ---- */

struct stmt *impala_object(struct parser *p, enum stmt_kind kind, const struct token *first,
                           struct qname name, struct clause *options)
{
    struct object_stmt *object = ARENA_NEW(p->arena, struct object_stmt);
    if (object != NULL) {
        object->name = name;
        object->options = options;
    }
    return new_stmt(p, kind, object, first);
}

void impala_keep(struct parser *p, struct clause *clause)
{
    clause_add_word(p, clause, take(p));
}

void impala_keep_string(struct parser *p, struct clause *clause, const char *what)
{
    const struct token *token = p->token;
    parse_string(p, what);
    clause_add_word(p, clause, token);
}

struct clause *impala_names_clause(struct parser *p, str_t label, const struct ident *names,
                                   uint32_t count)
{
    struct clause *clause = new_clause(p, label);
    for (uint32_t i = 0; i < count; i++) {
        struct ident *part = new_ident(p, names[i]);
        if (part != NULL)
            clause_add_name(p, clause, (struct qname){part, 1, part->span});
    }
    return clause;
}

struct clause *impala_owner(struct parser *p)
{
    struct clause *clause = new_clause(p, STR("owner"));
    expect_word(p, KW_OWNER);
    if (!at_word(p, KW_USER) && !at_word(p, KW_ROLE))
        parse_fail(p, STR("USER or ROLE"));
    impala_keep(p, clause);
    clause_add_name(p, clause, impala_plain_name(p, "a name"));
    return clause;
}
