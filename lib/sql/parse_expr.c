/*
 * Expressions: the machine and what it does with the operators between operands. See
 * expr_machine.h.
 */
#include "sql/expr_machine.h"

/* ---- the stacks ---- */

/* Containers and prefixes nest by the text; other operators only as deep as there are levels. */
static bool counts_as_nesting(enum frame_kind kind)
{
    return kind <= FRAME_PREFIX;
}

struct expr_frame *open_frame(struct machine *m, enum frame_kind kind, uint8_t level,
                              uint32_t start)
{
    struct parser *p = m->p;
    if (counts_as_nesting(kind) && ++p->expr_depth > LIMIT_EXPR_DEPTH) {
        parse_fail_at(p, DIAG_TOO_DEEP, p->token, STR("the expression is nested too deeply"));
        return NULL;
    }
    struct expr_frame *frame = VEC_PUSH(p->arena, &p->frames);
    if (frame == NULL) {
        parse_out_of_memory(p);
        return NULL;
    }
    frame->kind = (uint8_t)kind;
    frame->level = level;
    frame->base = p->operands.count;
    frame->start = start;
    return frame;
}

void drop_frame(struct machine *m)
{
    if (counts_as_nesting(top_frame(m)->kind))
        m->p->expr_depth--;
    m->p->frames.count--;
}

void push_value(struct machine *m, uint8_t op)
{
    struct expr_operand *operand = VEC_PUSH(m->p->arena, &m->p->operands);
    if (operand == NULL)
        parse_out_of_memory(m->p);
    else
        *operand = (struct expr_operand){m->value, op};
}

void take_operands(struct machine *m, const struct expr_frame *frame, struct expr *node)
{
    struct parser *p = m->p;
    uint32_t count = p->operands.count - frame->base;
    struct expr **args = arena_alloc(p->arena, count * sizeof(*args));
    if (args != NULL && node != NULL) {
        for (uint32_t i = 0; i < count; i++)
            args[i] = p->operands.items[frame->base + i].expr;
        node->args = args;
        node->arg_count = count;
    }
    p->operands.count = frame->base;
}

/* ---- operators ---- */

static struct expr *new_postfix(struct machine *m, enum expr_kind kind, enum expr_op op,
                                uint16_t flags)
{
    struct expr *node = new_expr(m->p, kind, (span_t){m->start, last_byte(m->p)});
    struct expr **args = arena_alloc(m->p->arena, sizeof(*args));
    if (node == NULL || args == NULL)
        return NULL;
    args[0] = m->value;
    node->args = args;
    node->arg_count = 1;
    node->op = (uint8_t)op;
    node->flags = flags;
    return node;
}

/* In Hive's chain of rules predicates and IS stand at most once. */
static bool may_repeat(const struct expr_rules *rules, uint8_t level)
{
    return !rules->layered || (level != rules->predicate_level && level != rules->is_level);
}

/*
 * Makes way for an operator of this level: what binds tighter is closed. False when it cannot stand
 * here.
 */
static bool admit(struct machine *m, uint8_t level)
{
    while (is_operator_frame(top_frame(m)) && top_frame(m)->level > level)
        close_operator(m);
    const struct expr_frame *top = top_frame(m);
    bool repeats = is_operator_frame(top) && top->level == level;
    if (repeats && top->kind == FRAME_CHAIN)
        return true;
    if (repeats)
        close_operator(m);
    if (m->rules->layered && m->level < level + (may_repeat(m->rules, level) ? 0 : 1))
        return false;
    return top_frame(m)->level < level;
}

/* BETWEEN low AND high: the first AND that no looser operator holds. */
static enum machine_state between_high(struct machine *m)
{
    take(m->p);
    push_value(m, OP_NONE);
    struct expr_frame *frame = top_frame(m);
    frame->kind = FRAME_BETWEEN_HIGH;
    frame->level = m->rules->predicate_level;
    m->p->expr_depth--;
    return WANT;
}

static enum machine_state chain(struct machine *m, struct infix rule)
{
    if (!admit(m, rule.level))
        return close_container(m);
    struct expr_frame *top = top_frame(m);
    if (top->kind == FRAME_CHAIN && top->level == rule.level) {
        push_value(m, top->state);
        top->state = rule.op;
        take(m->p);
        return WANT;
    }
    take(m->p);
    struct expr_frame *frame = open_frame(m, FRAME_CHAIN, rule.level, m->start);
    if (frame == NULL)
        return DONE;
    frame->op = frame->state = rule.op;
    push_value(m, OP_NONE);
    return WANT;
}

static enum machine_state conjunction(struct machine *m, struct infix rule)
{
    while (is_operator_frame(top_frame(m)) && top_frame(m)->level > rule.level)
        close_operator(m);
    return top_frame(m)->kind == FRAME_BETWEEN_LOW ? between_high(m) : chain(m, rule);
}

/* value op (ANY | SOME | ALL) '(' query ')' */
static enum machine_state quantified(struct machine *m, struct infix rule)
{
    struct parser *p = m->p;
    bool all = p->token[1].word == KW_ALL;
    skip_tokens(p, 2);
    struct query *query = parse_parenthesised_query(p);
    struct expr *node = new_postfix(m, EXPR_QUANTIFIED, rule.op, all ? QUANTIFIED_ALL : 0);
    if (node != NULL)
        node->u.query = query;
    return set_value(m, node, m->start, m->rules->predicate_level);
}

static bool at_quantifier(const struct token *token)
{
    return token->word == KW_ANY || token->word == KW_SOME || token->word == KW_ALL;
}

/* Opens a frame that takes the newest operand as its left side. */
static struct expr_frame *open_right_side(struct machine *m, enum frame_kind kind, uint8_t level,
                                          uint8_t op)
{
    struct expr_frame *frame = open_frame(m, kind, level, m->start);
    if (frame != NULL) {
        frame->op = op;
        push_value(m, OP_NONE);
    }
    return frame;
}

static enum machine_state compare(struct machine *m, struct infix rule)
{
    struct parser *p = m->p;
    bool quantifier = m->rules->quantifiers && at_quantifier(p->token + 1);
    if (!admit(m, quantifier ? m->rules->predicate_level : rule.level))
        return close_container(m);
    if (quantifier)
        return quantified(m, rule);
    take(p);
    return open_right_side(m, FRAME_COMPARE, rule.level, rule.op) != NULL ? WANT : DONE;
}

/* value [NOT] LIKE pattern | value [NOT] LIKE (ANY | ALL) '(' pattern {',' pattern} ')' */
static enum machine_state like(struct machine *m, struct infix rule, uint16_t flags)
{
    struct parser *p = m->p;
    take(p);
    bool list =
        m->rules->quantifiers && at_quantifier(p->token) && p->token[1].kind == TOKEN_LPAREN;
    struct expr_frame *frame = open_right_side(m, list ? FRAME_LIKE_LIST : FRAME_LIKE,
                                               list ? LEVEL_CONTAINER : rule.level, rule.op);
    if (frame == NULL)
        return DONE;
    frame->flags = flags;
    if (list) {
        frame->flags |= p->token->word == KW_ALL ? QUANTIFIED_ALL : 0;
        skip_tokens(p, 2);
    }
    return WANT;
}

/* value [NOT] IN ('(' query ')' | '(' expr {',' expr} ')') */
static enum machine_state in(struct machine *m, uint16_t flags)
{
    struct parser *p = m->p;
    take(p);
    if (at_parenthesised_query(p)) {
        struct query *query = parse_parenthesised_query(p);
        struct expr *node = new_postfix(m, EXPR_IN_QUERY, OP_NONE, flags);
        if (node != NULL)
            node->u.query = query;
        return set_value(m, node, m->start, m->rules->predicate_level);
    }
    bool variable = at(p, TOKEN_VARIABLE);
    if (!variable && !expect(p, TOKEN_LPAREN, "( after IN"))
        return DONE;
    struct expr_frame *frame = open_right_side(m, FRAME_IN, LEVEL_CONTAINER, OP_NONE);
    if (frame == NULL)
        return DONE;
    frame->flags = flags;
    if (!variable)
        return WANT;
    /* An unset variable stands for the whole list. */
    const struct token *token = take(p);
    set_value(m, new_expr(p, EXPR_VARIABLE, (span_t){token->start, token->end}), token->start,
              LEVEL_ATOM);
    return finish_list(m, EXPR_IN);
}

/* value [NOT] BETWEEN low AND high */
static enum machine_state between(struct machine *m, uint16_t flags)
{
    take(m->p);
    struct expr_frame *frame =
        open_right_side(m, FRAME_BETWEEN_LOW, m->rules->between_floor, OP_NONE);
    if (frame == NULL)
        return DONE;
    frame->flags = flags;
    return WANT;
}

/* LIKE, IN and BETWEEN, with the NOT before them. */
static enum machine_state predicate(struct machine *m, struct infix rule, uint16_t flags)
{
    if (!admit(m, rule.level))
        return close_container(m);
    if (flags != 0)
        take(m->p);
    switch (rule.action) {
    case INFIX_LIKE:
        return like(m, rule, flags);
    case INFIX_IN:
        return in(m, flags);
    default:
        return between(m, flags);
    }
}

/* NOT behind an operand only comes before LIKE, IN and BETWEEN. */
static enum machine_state negated_predicate(struct machine *m)
{
    struct infix rule = m->rules->words[m->p->token[1].word];
    if (rule.action == INFIX_LIKE || rule.action == INFIX_IN || rule.action == INFIX_BETWEEN)
        return predicate(m, rule, EXPR_NEGATED);
    return close_container(m);
}

static enum expr_op is_what(uint16_t word)
{
    switch (word) {
    case KW_NULL:
        return OP_IS_NULL;
    case KW_TRUE:
        return OP_IS_TRUE;
    case KW_FALSE:
        return OP_IS_FALSE;
    case KW_UNKNOWN:
        return OP_IS_UNKNOWN;
    default:
        return OP_NONE;
    }
}

/* value IS [NOT] (NULL | TRUE | FALSE | UNKNOWN) | value IS [NOT] DISTINCT FROM value */
static enum machine_state is(struct machine *m)
{
    struct parser *p = m->p;
    size_t negated = p->token[1].word == KW_NOT || p->token[1].kind == TOKEN_NOT_SIGN;
    bool distinct = peek_at(p, 1 + negated)->word == KW_DISTINCT;
    uint8_t level = distinct ? m->rules->distinct_level : m->rules->is_level;
    if (!admit(m, level))
        return close_container(m);
    skip_tokens(p, 1 + negated);
    if (distinct) {
        take(p);
        expect_word(p, KW_FROM);
        uint8_t op = negated ? OP_NOT_DISTINCT_FROM : OP_DISTINCT_FROM;
        return open_right_side(m, FRAME_COMPARE, level, op) != NULL ? WANT : DONE;
    }
    enum expr_op op = is_what(p->token->word);
    if (op == OP_NONE) {
        parse_fail(p, STR("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM"));
        return DONE;
    }
    take(p);
    return set_value(m, new_postfix(m, EXPR_IS, op, negated ? EXPR_NEGATED : 0), m->start, level);
}

/* value '.' name */
static enum machine_state field(struct machine *m, struct infix rule)
{
    struct parser *p = m->p;
    if (m->level < rule.level)
        return close_container(m);
    take(p);
    if (!is_column_name(p, p->token)) {
        parse_fail(p, STR("a field name"));
        return DONE;
    }
    struct ident *part = new_ident(p, ident_of_token(p, take(p)));
    struct expr *node = new_postfix(m, EXPR_FIELD, OP_NONE, 0);
    if (node != NULL && part != NULL)
        node->u.name = (struct qname){part, 1, part->span};
    return set_value(m, node, m->start, LEVEL_ATOM);
}

/* value '[' expr ']' */
static enum machine_state subscript(struct machine *m, struct infix rule)
{
    if (m->level < rule.level)
        return close_container(m);
    take(m->p);
    return open_right_side(m, FRAME_INDEX, LEVEL_CONTAINER, OP_NONE) != NULL ? WANT : DONE;
}

/* value '!' */
static enum machine_state factorial(struct machine *m, struct infix rule)
{
    if (!admit(m, rule.level))
        return close_container(m);
    take(m->p);
    return set_value(m, new_postfix(m, EXPR_UNARY, OP_FACTORIAL, 0), m->start, LEVEL_ATOM);
}

/* ---- the machine ---- */

/* The operator that the token is; INFIX_NONE when it is none. */
static struct infix infix_of(const struct expr_rules *rules, const struct token *token)
{
    return token->kind == TOKEN_WORD ? rules->words[token->word] : rules->tokens[token->kind];
}

/* HAVE: an operator, or what closes the innermost container. */
static enum machine_state read_infix(struct machine *m)
{
    const struct token *token = m->p->token;
    struct infix rule = infix_of(m->rules, token);
    switch (rule.action) {
    case INFIX_CHAIN:
        return rule.op == OP_AND ? conjunction(m, rule) : chain(m, rule);
    case INFIX_COMPARE:
        return compare(m, rule);
    case INFIX_LIKE:
    case INFIX_IN:
    case INFIX_BETWEEN:
        return predicate(m, rule, 0);
    case INFIX_IS:
        return is(m);
    case INFIX_NOT:
        return negated_predicate(m);
    case INFIX_DOT:
        return field(m, rule);
    case INFIX_INDEX:
        return subscript(m, rule);
    case INFIX_FACTORIAL:
        return factorial(m, rule);
    default:
        return close_container(m);
    }
}

/*
 * Whether the whole expression is one name, behind which neither an operator nor a call comes. Most are, and need no
 * machine. Words of the language are left to it.
 */
static bool is_lone_column(const struct parser *p, const struct expr_rules *rules)
{
    const struct token *token = p->token;
    if (token->kind != TOKEN_WORD || token->word != KW_NONE)
        return false;
    while (token[1].kind == TOKEN_DOT && is_name_token(token + 2))
        token += 2;
    return token[1].kind != TOKEN_LPAREN && infix_of(rules, token + 1).action == INFIX_NONE;
}

/* Whether the whole expression is one number or string: an item of a list, such as a row of VALUES has many of. */
static bool is_lone_literal(const struct parser *p)
{
    const struct token *token = p->token;
    bool literal = token->kind == TOKEN_NUMBER || token->kind == TOKEN_STRING;
    return literal && (token[1].kind == TOKEN_COMMA || token[1].kind == TOKEN_RPAREN);
}

static struct expr *lone_literal(struct parser *p)
{
    const struct token *token = take(p);
    struct expr *node = new_expr(p, EXPR_LITERAL, (span_t){token->start, token->end});
    if (node != NULL)
        node->op = token->kind == TOKEN_STRING ? LITERAL_STRING : LITERAL_NUMBER;
    return node;
}

static struct expr *lone_column(struct parser *p)
{
    struct qname name = take_qname(p);
    struct expr *node = new_expr(p, EXPR_COLUMN, name.span);
    if (node != NULL)
        node->u.name = name;
    return p->failed ? NULL : node;
}

static struct expr *run(struct parser *p, uint8_t floor, uint8_t flags)
{
    const struct expr_rules *rules = p->dialect == DIALECT_HIVE ? &hive_expr_rules : &impala_expr_rules;
    if (is_lone_column(p, rules))
        return lone_column(p);
    if (is_lone_literal(p))
        return lone_literal(p);
    struct machine m = {.p = p, .rules = rules};
    uint32_t frames = p->frames.count, operands = p->operands.count, depth = p->expr_depth;
    struct expr_frame *base = open_frame(&m, FRAME_BASE, floor, p->token->start);
    if (base != NULL) {
        base->state = flags;
        enum machine_state state = WANT;
        while (state != DONE && !p->failed)
            state = state == WANT ? read_operand(&m) : read_infix(&m);
    }
    p->frames.count = frames;
    p->operands.count = operands;
    p->expr_depth = depth;
    return p->failed ? NULL : m.value;
}

struct expr *parse_expr(struct parser *p)
{
    return run(p, LEVEL_CONTAINER, 0);
}

struct expr *parse_select_expr(struct parser *p)
{
    return run(p, LEVEL_CONTAINER, BASE_STAR);
}

struct expr *parse_value_expr(struct parser *p)
{
    return run(p, LEVEL_CONTAINER, BASE_DEFAULT);
}

struct expr *parse_sum_expr(struct parser *p)
{
    const struct expr_rules *rules =
        p->dialect == DIALECT_HIVE ? &hive_expr_rules : &impala_expr_rules;
    return run(p, (uint8_t)(rules->sum_level - 1), BASE_DEFAULT);
}

/* [sign] constant */
struct expr *parse_literal(struct parser *p)
{
    const struct token *first = p->token;
    struct expr *value = parse_sum_expr(p);
    bool sign = value != NULL && value->kind == EXPR_UNARY && value->args != NULL;
    const struct expr *inner = sign ? value->args[0] : value;
    if (inner != NULL && inner->kind != EXPR_LITERAL && inner->kind != EXPR_VARIABLE)
        parse_fail_at(p, DIAG_SYNTAX, first, STR("expected a constant"));
    return value;
}

uint32_t parse_expr_list(struct parser *p, struct expr ***out)
{
    VEC(struct expr *) list = {0};
    do {
        struct expr *expr = parse_expr(p);
        struct expr **slot = VEC_PUSH(p->arena, &list);
        if (slot != NULL)
            *slot = expr;
    } while (accept(p, TOKEN_COMMA));
    *out = list.items;
    return list.count;
}
