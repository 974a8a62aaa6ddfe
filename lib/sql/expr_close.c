/* Expressions: what closes a frame and makes its node. See expr_machine.h. */
#include "sql/expr_machine.h"

/* ---- operators ---- */

static enum expr_kind operator_kind(uint8_t frame_kind)
{
    switch (frame_kind) {
    case FRAME_PREFIX:
        return EXPR_UNARY;
    case FRAME_CHAIN:
        return EXPR_CHAIN;
    case FRAME_COMPARE:
        return EXPR_COMPARE;
    case FRAME_LIKE:
        return EXPR_LIKE;
    default:
        return EXPR_BETWEEN;
    }
}

/* The operators before each operand of a chain from the second on. */
static uint8_t *chain_operators(struct machine *m, const struct expr_frame *frame)
{
    struct parser *p = m->p;
    uint32_t count = p->operands.count - frame->base;
    uint8_t *ops = arena_alloc(p->arena, count);
    if (ops != NULL)
        for (uint32_t i = 1; i < count; i++)
            ops[i - 1] = p->operands.items[frame->base + i].op;
    return ops;
}

void close_operator(struct machine *m)
{
    struct expr_frame frame = *top_frame(m);
    push_value(m, frame.state);
    drop_frame(m);
    if (m->p->failed)
        return;
    struct expr *node =
        new_expr(m->p, operator_kind(frame.kind), (span_t){frame.start, last_byte(m->p)});
    if (node != NULL) {
        node->op = frame.op;
        node->flags = frame.flags;
        if (frame.kind == FRAME_CHAIN)
            node->u.ops = chain_operators(m, &frame);
    }
    take_operands(m, &frame, node);
    set_value(m, node, frame.start, frame.level);
}

/* ---- brackets ---- */

/* Pushes the value, drops the frame and makes a node of its operands. */
static struct expr *finish_frame(struct machine *m, enum expr_kind kind, struct expr_frame *out)
{
    struct parser *p = m->p;
    *out = *top_frame(m);
    push_value(m, OP_NONE);
    drop_frame(m);
    if (p->failed)
        return NULL;
    struct expr *node = new_expr(p, kind, (span_t){out->start, last_byte(p)});
    if (node != NULL) {
        node->op = out->op;
        node->flags = out->flags;
    }
    take_operands(m, out, node);
    return node;
}

enum machine_state finish_list(struct machine *m, enum expr_kind kind)
{
    struct expr_frame frame;
    struct expr *node = finish_frame(m, kind, &frame);
    uint8_t level = kind == EXPR_ROW || kind == EXPR_INDEX ? LEVEL_ATOM : m->rules->predicate_level;
    return set_value(m, node, frame.start, level);
}

/* item {',' item} ')' */
static enum machine_state close_list(struct machine *m, enum expr_kind kind)
{
    struct parser *p = m->p;
    if (accept(p, TOKEN_COMMA)) {
        push_value(m, OP_NONE);
        return WANT;
    }
    if (!expect(p, TOKEN_RPAREN, ", or )"))
        return DONE;
    return finish_list(m, kind);
}

/* ( str | num ) unit */
static bool is_interval_value(const struct machine *m)
{
    const struct expr *value = m->value;
    return m->p->dialect == DIALECT_HIVE && value != NULL && value->kind == EXPR_LITERAL &&
           (value->op == LITERAL_STRING || value->op == LITERAL_NUMBER) &&
           is_interval_unit(m->p->token);
}

/* expr ')': no node of its own */
static enum machine_state close_group(struct machine *m)
{
    struct parser *p = m->p;
    struct expr_frame frame = *top_frame(m);
    take(p);
    if (is_interval_value(m)) {
        take_interval_unit(p);
        struct expr *node = finish_frame(m, EXPR_INTERVAL, &frame);
        return set_value(m, node, frame.start, LEVEL_ATOM);
    }
    drop_frame(m);
    if (m->value != NULL) {
        m->value->flags |= EXPR_PAREN;
        m->value->span = (span_t){frame.start, last_byte(p)};
    }
    if (m->rules->predicate_hints)
        impala_selectivity_hint(p);
    return set_value(m, m->value, frame.start, LEVEL_ATOM);
}

static enum machine_state close_paren(struct machine *m)
{
    bool group = m->p->operands.count == top_frame(m)->base;
    if (group && at(m->p, TOKEN_RPAREN))
        return close_group(m);
    if (!m->rules->rows) {
        parse_fail(m->p, STR(")"));
        return DONE;
    }
    return close_list(m, EXPR_ROW);
}

static enum machine_state close_index(struct machine *m)
{
    return expect(m->p, TOKEN_RBRACKET, "]") ? finish_list(m, EXPR_INDEX) : DONE;
}

/* expr AS type [FORMAT str] ')' */
static enum machine_state close_cast(struct machine *m)
{
    struct parser *p = m->p;
    expect_word(p, KW_AS);
    struct type *type = parse_type(p);
    if (accept_word(p, KW_FORMAT))
        parse_string(p, "a date format in quotes");
    if (!expect(p, TOKEN_RPAREN, ")"))
        return DONE;
    struct expr_frame frame;
    struct expr *node = finish_frame(m, EXPR_CAST, &frame);
    if (node != NULL)
        node->u.type = type;
    return set_value(m, node, frame.start, LEVEL_ATOM);
}

/* Impala: an interval is the last argument of a call, stands behind + or -, or before +. */
static bool interval_may_end(struct machine *m)
{
    struct parser *p = m->p;
    enum interval_place place = top_frame(m)->state;
    if (place == INTERVAL_FREE && !at(p, TOKEN_PLUS))
        parse_fail(p, STR("+ after the interval"));
    if (place == INTERVAL_ARGUMENT && !at(p, TOKEN_RPAREN))
        parse_fail(p, STR(")"));
    return !p->failed;
}

/* INTERVAL '(' expr ')' unit | INTERVAL expr unit */
static enum machine_state close_interval(struct machine *m)
{
    struct parser *p = m->p;
    bool hive = p->dialect == DIALECT_HIVE;
    if (hive && !expect(p, TOKEN_RPAREN, ")"))
        return DONE;
    if (hive ? !is_interval_unit(p->token) : !is_name_token(p->token)) {
        parse_fail(p, STR("a unit of time"));
        return DONE;
    }
    if (hive)
        take_interval_unit(p);
    else
        take(p);
    if (!hive && !interval_may_end(m))
        return DONE;
    struct expr_frame frame;
    struct expr *node = finish_frame(m, EXPR_INTERVAL, &frame);
    return set_value(m, node, frame.start, LEVEL_ATOM);
}

/* ---- CASE ---- */

static enum machine_state next_case_part(struct machine *m, enum case_part part)
{
    take(m->p);
    push_value(m, OP_NONE);
    top_frame(m)->state = (uint8_t)part;
    return WANT;
}

static enum machine_state close_case(struct machine *m)
{
    struct parser *p = m->p;
    struct expr_frame *frame = top_frame(m);
    uint8_t part = frame->state;
    if (part == CASE_PART_WHEN) {
        if (at_word(p, KW_THEN))
            return next_case_part(m, CASE_PART_THEN);
        parse_fail(p, STR("THEN"));
        return DONE;
    }
    if (part != CASE_PART_ELSE && at_word(p, KW_WHEN))
        return next_case_part(m, CASE_PART_WHEN);
    if (part == CASE_PART_THEN && at_word(p, KW_ELSE)) {
        frame->flags |= CASE_ELSE;
        return next_case_part(m, CASE_PART_ELSE);
    }
    if (part == CASE_PART_OPERAND || !accept_word(p, KW_END)) {
        parse_fail(p, part == CASE_PART_OPERAND ? STR("WHEN")
                      : part == CASE_PART_ELSE  ? STR("END")
                                                : STR("WHEN, ELSE or END"));
        return DONE;
    }
    struct expr_frame closed;
    struct expr *node = finish_frame(m, EXPR_CASE, &closed);
    return set_value(m, node, closed.start, LEVEL_ATOM);
}

/* ---- calls ---- */

struct call *call_details(struct parser *p, struct expr *node)
{
    if (node != NULL && node->call == NULL)
        node->call = ARENA_NEW(p->arena, struct call);
    return node != NULL ? node->call : NULL;
}

/* (RESPECT | IGNORE) NULLS */
static bool at_null_treatment(const struct parser *p)
{
    return at_words(p, KW_RESPECT, KW_NULLS) || at_words(p, KW_IGNORE, KW_NULLS);
}

static void take_null_treatment(struct parser *p, struct expr *node)
{
    struct call *call = call_details(p, node);
    if (call != NULL)
        call->nulls = at_word(p, KW_RESPECT) ? 1 : 2;
    skip_tokens(p, 2);
}

/* WITHIN GROUP '(' ORDER BY keys ')' */
static void within_group(struct parser *p, struct expr *node)
{
    if (!enter_query(p))
        return;
    skip_tokens(p, 2);
    expect(p, TOKEN_LPAREN, "(");
    expect_word(p, KW_ORDER);
    expect_word(p, KW_BY);
    struct sort_keys keys = parse_sort_keys(p);
    expect(p, TOKEN_RPAREN, ", or )");
    struct call *call = call_details(p, node);
    if (call != NULL)
        call->within_group = keys;
    leave_query(p);
}

static void over(struct parser *p, struct expr *node)
{
    if (!enter_query(p))
        return;
    take(p);
    struct window *window = parse_window(p);
    struct call *call = call_details(p, node);
    if (call != NULL)
        call->over = window;
    leave_query(p);
}

/* Impala turns DECODE into a CASE, which has no window. */
static bool may_have_window(const struct parser *p, const struct expr *node)
{
    return p->dialect == DIALECT_HIVE || node == NULL || node->u.name.count != 1 ||
           !name_eq(node->u.name.parts[0].name, NAME("decode"));
}

/* [WITHIN GROUP ..] | [[(RESPECT | IGNORE) NULLS] OVER window]; Impala has only OVER */
enum machine_state finish_call(struct machine *m, struct expr *node, uint32_t start)
{
    struct parser *p = m->p;
    if (at_words(p, KW_WITHIN, KW_GROUP))
        within_group(p, node);
    else if (p->dialect == DIALECT_HIVE && at_null_treatment(p) && peek_at(p, 2)->word == KW_OVER)
        take_null_treatment(p, node);
    if (at_word(p, KW_OVER) && may_have_window(p, node))
        over(p, node);
    if (node != NULL)
        node->span.end = last_byte(p);
    return set_value(m, node, start, LEVEL_ATOM);
}

static enum machine_state close_call(struct machine *m)
{
    struct parser *p = m->p;
    struct expr_frame *frame = top_frame(m);
    if (accept(p, TOKEN_COMMA)) {
        push_value(m, OP_NONE);
        return WANT;
    }
    if ((frame->state & CALL_FROM) != 0 && accept_word(p, KW_FROM)) {
        if ((frame->state & CALL_FIRST_IS_UNIT) == 0)
            push_value(m, OP_NONE);
        return WANT;
    }
    if ((frame->state & CALL_TO) != 0 && accept_word(p, KW_TO))
        take(p);
    if (at_null_treatment(p))
        take_null_treatment(p, frame->node);
    if (!expect(p, TOKEN_RPAREN, ", or )"))
        return DONE;
    struct expr *node = frame->node;
    struct expr_frame closed = *frame;
    push_value(m, OP_NONE);
    drop_frame(m);
    take_operands(m, &closed, node);
    return finish_call(m, node, closed.start);
}

/* ---- the container on top ---- */

enum machine_state close_container(struct machine *m)
{
    while (is_operator_frame(top_frame(m)))
        close_operator(m);
    switch (top_frame(m)->kind) {
    case FRAME_PAREN:
        return close_paren(m);
    case FRAME_CALL:
        return close_call(m);
    case FRAME_CAST:
        return close_cast(m);
    case FRAME_CASE:
        return close_case(m);
    case FRAME_INDEX:
        return close_index(m);
    case FRAME_IN:
        return close_list(m, EXPR_IN);
    case FRAME_LIKE_LIST:
        return close_list(m, EXPR_LIKE);
    case FRAME_BETWEEN_LOW:
        parse_fail(m->p, STR("AND of BETWEEN"));
        return DONE;
    case FRAME_INTERVAL:
        return close_interval(m);
    default:
        return DONE;
    }
}
