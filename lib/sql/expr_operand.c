/* Expressions: what begins an operand. See expr_machine.h. */
#include "base/calendar.h"
#include "sql/expr_machine.h"

static span_t token_span(const struct token *token)
{
    return (span_t){token->start, token->end};
}

static enum machine_state fail(struct machine *m, str_t what)
{
    parse_fail(m->p, what);
    return DONE;
}

/* ---- literals ---- */

static enum machine_state literal(struct machine *m, enum expr_op op, const struct token *first)
{
    struct expr *node = new_expr(m->p, EXPR_LITERAL, (span_t){first->start, last_byte(m->p)});
    if (node != NULL)
        node->op = (uint8_t)op;
    return set_value(m, node, first->start, LEVEL_ATOM);
}

bool is_interval_unit(const struct token *token)
{
    switch (token->word) {
    case KW_YEAR:
    case KW_YEARS:
    case KW_MONTH:
    case KW_MONTHS:
    case KW_DAY:
    case KW_DAYS:
    case KW_HOUR:
    case KW_HOURS:
    case KW_MINUTE:
    case KW_MINUTES:
    case KW_SECOND:
    case KW_SECONDS:
        return true;
    default:
        return false;
    }
}

/* unit | YEAR TO MONTH | DAY TO SECOND */
void take_interval_unit(struct parser *p)
{
    bool range = p->token[1].word == KW_TO;
    take(p);
    if (!range)
        return;
    take(p);
    if (is_interval_unit(p->token))
        take(p);
    else
        parse_fail(p, STR("MONTH or SECOND"));
}

static struct expr *new_interval(struct machine *m, uint32_t start, const struct token *value)
{
    struct parser *p = m->p;
    struct expr *node = new_expr(p, EXPR_INTERVAL, (span_t){start, last_byte(p)});
    struct expr **args = arena_alloc(p->arena, sizeof(*args));
    struct expr *arg = new_expr(p, EXPR_LITERAL, token_span(value));
    if (node == NULL || args == NULL || arg == NULL)
        return NULL;
    arg->op = value->kind == TOKEN_STRING ? LITERAL_STRING : LITERAL_NUMBER;
    args[0] = arg;
    node->args = args;
    node->arg_count = 1;
    return node;
}

/* [INTERVAL] (str | num) unit */
static enum machine_state interval_literal(struct machine *m, uint32_t start)
{
    const struct token *value = take(m->p);
    if (!is_interval_unit(m->p->token))
        return fail(m, STR("a unit of time"));
    take_interval_unit(m->p);
    return set_value(m, new_interval(m, start, value), start, LEVEL_ATOM);
}

/* number | str {str}, each with a unit an interval in Hive */
static enum machine_state constant(struct machine *m)
{
    struct parser *p = m->p;
    const struct token *first = p->token;
    bool string = first->kind == TOKEN_STRING;
    if (p->dialect == DIALECT_HIVE) {
        if (is_interval_unit(first + 1))
            return interval_literal(m, first->start);
        if (string)
            while (p->token[1].kind == TOKEN_STRING)
                take(p);
    }
    take(p);
    return literal(m, string ? LITERAL_STRING : LITERAL_NUMBER, first);
}

/* DATE str | TIMESTAMP str; Impala's parser refuses dates that do not exist. */
static enum machine_state typed_literal(struct machine *m, enum expr_op op)
{
    struct parser *p = m->p;
    const struct token *first = take(p);
    str_t quoted = token_text(p, p->token);
    if (p->dialect == DIALECT_IMPALA && !is_calendar_date(str_make(quoted.ptr + 1, quoted.len - 2)))
        parse_fail_at(p, DIAG_VALUE, p->token, STR("the date does not exist"));
    take(m->p);
    return literal(m, op, first);
}

static enum machine_state word_literal(struct machine *m, enum expr_op op)
{
    return literal(m, op, take(m->p));
}

/* ---- names and calls ---- */

static enum machine_state column(struct machine *m)
{
    struct parser *p = m->p;
    uint32_t start = p->token->start;
    struct qname name = take_qname(p);
    struct expr *node = new_expr(p, EXPR_COLUMN, name.span);
    if (node != NULL)
        node->u.name = name;
    return set_value(m, node, start, LEVEL_ATOM);
}

/* `*` is a whole argument or select item, so nothing but the end of it may follow. */
static enum machine_state star(struct machine *m, struct qname name, uint32_t start)
{
    struct parser *p = m->p;
    take(p);
    struct expr *node = new_expr(p, EXPR_STAR, (span_t){start, last_byte(p)});
    if (node != NULL)
        node->u.name = name;
    set_value(m, node, start, LEVEL_ATOM);
    return close_container(m);
}

/* Whether `*` may stand here: f(*), f(t.*) and select items. Impala's functions take it alone. */
static bool star_may_stand(const struct machine *m)
{
    const struct expr_frame *top = top_frame(m);
    if (top->kind == FRAME_CALL)
        return m->rules->layered || top->base == m->p->operands.count;
    return top->kind == FRAME_BASE && (top->state & BASE_STAR) != 0;
}

/* name '.' '*' */
static enum machine_state qualified_star(struct machine *m)
{
    struct parser *p = m->p;
    uint32_t start = p->token->start;
    struct qname name = take_qname(p);
    take(p);
    bool in_call = top_frame(m)->kind == FRAME_CALL;
    return star_may_stand(m) && (m->rules->layered || !in_call) ? star(m, name, start)
                                                                : fail(m, STR("a column name"));
}

static bool accept_trim_side(struct parser *p)
{
    return accept_word(p, KW_LEADING) || accept_word(p, KW_TRAILING) || accept_word(p, KW_BOTH);
}

/* What may come between `(` and the first argument. */
static void read_call_head(struct machine *m, const struct expr_frame *frame)
{
    struct parser *p = m->p;
    if ((frame->state & CALL_FROM) != 0 && accept_trim_side(p)) {
        accept_word(p, KW_FROM);
        return;
    }
    bool distinct = at_word(p, KW_DISTINCT);
    if (!distinct && !at_word(p, KW_ALL))
        return;
    take(p);
    struct call *call = call_details(p, frame->node);
    if (call != NULL) {
        call->distinct = distinct;
        call->all = !distinct;
    }
}

/* name '(' with the cursor at '(' */
static enum machine_state open_call(struct machine *m, struct qname name, uint8_t form)
{
    struct parser *p = m->p;
    take(p);
    struct expr *node = new_expr(p, EXPR_CALL, name.span);
    if (node != NULL)
        node->u.name = name;
    if (accept(p, TOKEN_RPAREN))
        return finish_call(m, node, name.span.start);
    struct expr_frame *frame = open_frame(m, FRAME_CALL, LEVEL_CONTAINER, name.span.start);
    if (frame == NULL)
        return DONE;
    frame->node = node;
    frame->state = form;
    read_call_head(m, frame);
    return WANT;
}

/* The next token as a name of one part, whatever word it is. */
static struct qname take_word_name(struct parser *p)
{
    struct ident *part = new_ident(p, ident_of_token(p, take(p)));
    span_t span = token_span(p->token - 1);
    return (struct qname){part, part != NULL ? 1 : 0, span};
}

static uint8_t call_form(const struct machine *m, struct qname name)
{
    if (!m->rules->call_from || name.count == 0)
        return 0;
    struct name last = name.parts[name.count - 1].name;
    return name_eq(last, NAME("extract")) ? CALL_FROM | CALL_FIRST_IS_UNIT : CALL_FROM;
}

/* name {'.' name} | name '.' '*' | [name '.'] name '(' .. */
static enum machine_state name(struct machine *m)
{
    struct parser *p = m->p;
    const struct token *token = p->token;
    if (token[1].kind == TOKEN_LPAREN) {
        uint8_t form = p->dialect == DIALECT_HIVE && token->word == KW_TRIM ? CALL_FROM : 0;
        struct qname one = take_word_name(p);
        return open_call(m, one, form | call_form(m, one));
    }
    if (token[1].kind != TOKEN_DOT)
        return column(m);
    while (token[1].kind == TOKEN_DOT && is_column_name(p, token + 2))
        token += 2;
    if (token[1].kind == TOKEN_DOT && token[2].kind == TOKEN_STAR)
        return qualified_star(m);
    if (token[1].kind == TOKEN_LPAREN && (token == p->token + 2 || !m->rules->layered)) {
        struct qname two = take_qname(p);
        return open_call(m, two, call_form(m, two));
    }
    return column(m);
}

/*
 * A variable without a value stands for itself; glued to other text or followed by `.` or `(` it is
 * a name.
 */
static enum machine_state variable(struct machine *m)
{
    struct parser *p = m->p;
    const struct token *token = p->token;
    str_t text = token_text(p, token);
    bool alone = str_starts_with(text, STR("${")) && str_find(text, '}', 0) + 1 == text.len;
    if (!alone || token[1].kind == TOKEN_DOT || token[1].kind == TOKEN_LPAREN)
        return name(m);
    take(p);
    return set_value(m, new_expr(p, EXPR_VARIABLE, token_span(token)), token->start, LEVEL_ATOM);
}

/* CURRENT_DATE ['(' ')'] and the like */
static enum machine_state call_without_arguments(struct machine *m)
{
    struct parser *p = m->p;
    if (p->token[1].kind == TOKEN_LPAREN)
        return open_call(m, take_word_name(p), 0);
    struct qname name = take_word_name(p);
    struct expr *node = new_expr(p, EXPR_CALL, name.span);
    if (node != NULL)
        node->u.name = name;
    return set_value(m, node, name.span.start, LEVEL_ATOM);
}

/* EXTRACT '(' unit FROM .. : the unit is no argument */
static enum machine_state extract(struct machine *m)
{
    struct parser *p = m->p;
    struct qname name = take_word_name(p);
    enum machine_state state = open_call(m, name, 0);
    if (state != WANT)
        return fail(m, STR("a unit of time"));
    if (!is_interval_unit(p->token) && !at_word(p, KW_QUARTER) && !at_word(p, KW_WEEK) &&
        !at_word(p, KW_WEEKS) && !at_word(p, KW_DAYOFWEEK))
        return fail(m, STR("a unit of time"));
    take(p);
    expect_word(p, KW_FROM);
    return WANT;
}

/* ---- brackets and key words ---- */

struct query *parse_parenthesised_query(struct parser *p)
{
    expect(p, TOKEN_LPAREN, "( and a query");
    struct query *query = p->dialect == DIALECT_HIVE ? hive_parse_expr_query(p) : parse_query(p);
    expect_query_end(p);
    return query;
}

/* '(' query ')' | '(' expr {',' expr} ')' */
static enum machine_state parenthesis(struct machine *m)
{
    struct parser *p = m->p;
    uint32_t start = p->token->start;
    if (at_parenthesised_query(p)) {
        struct query *query = parse_parenthesised_query(p);
        struct expr *node = new_expr(p, EXPR_SUBQUERY, (span_t){start, last_byte(p)});
        if (node != NULL)
            node->u.query = query;
        return set_value(m, node, start, LEVEL_ATOM);
    }
    take(p);
    return open_frame(m, FRAME_PAREN, LEVEL_CONTAINER, start) != NULL ? WANT : DONE;
}

static enum machine_state prefix(struct machine *m, enum expr_op op, uint8_t level)
{
    struct parser *p = m->p;
    if (m->rules->layered && level < top_frame(m)->level)
        return fail(m, STR("an expression"));
    struct expr_frame *frame = open_frame(m, FRAME_PREFIX, level, p->token->start);
    if (frame == NULL)
        return DONE;
    frame->op = (uint8_t)op;
    take(p);
    return WANT;
}

/* EXISTS '(' query ')' */
static enum machine_state exists(struct machine *m)
{
    struct parser *p = m->p;
    uint32_t start = take(p)->start;
    struct query *query = parse_parenthesised_query(p);
    struct expr *node = new_expr(p, EXPR_EXISTS, (span_t){start, last_byte(p)});
    if (node != NULL)
        node->u.query = query;
    return set_value(m, node, start, m->rules->predicate_level);
}

/* CASE [expr] (WHEN expr THEN expr)+ [ELSE expr] END */
static enum machine_state case_of(struct machine *m)
{
    struct parser *p = m->p;
    struct expr_frame *frame = open_frame(m, FRAME_CASE, LEVEL_CONTAINER, p->token->start);
    if (frame == NULL)
        return DONE;
    take(p);
    frame->state = accept_word(p, KW_WHEN) ? CASE_PART_WHEN : CASE_PART_OPERAND;
    frame->flags = frame->state == CASE_PART_OPERAND ? CASE_OPERAND : 0;
    return WANT;
}

/* CAST '(' expr AS type ')' */
static enum machine_state cast(struct machine *m)
{
    struct parser *p = m->p;
    uint32_t start = take(p)->start;
    if (!expect(p, TOKEN_LPAREN, "( after CAST"))
        return DONE;
    return open_frame(m, FRAME_CAST, LEVEL_CONTAINER, start) != NULL ? WANT : DONE;
}

/* INTERVAL (str | num) unit | INTERVAL '(' expr ')' unit */
static enum machine_state hive_interval(struct machine *m)
{
    struct parser *p = m->p;
    const struct token *first = take(p);
    switch (p->token->kind) {
    case TOKEN_STRING:
    case TOKEN_NUMBER:
    case TOKEN_VARIABLE:
        return interval_literal(m, first->start);
    case TOKEN_LPAREN:
        take(p);
        return open_frame(m, FRAME_INTERVAL, LEVEL_CONTAINER, first->start) != NULL ? WANT : DONE;
    default:
        return fail(m, STR("a number or string of an interval"));
    }
}

/* Whether an interval may be the next argument: plain expressions have come before it. */
static bool interval_may_be_argument(const struct parser *p, const struct expr_frame *call)
{
    if (p->operands.count == call->base || (call->node != NULL && call->node->call != NULL))
        return false;
    const struct expr *before = p->operands.items[p->operands.count - 1].expr;
    return before == NULL || before->kind != EXPR_STAR;
}

/* INTERVAL expr unit: next to + or -, or the last of a function's arguments */
static enum machine_state impala_interval(struct machine *m)
{
    struct parser *p = m->p;
    const struct expr_frame *top = top_frame(m);
    enum interval_place place = INTERVAL_FREE;
    if (top->kind == FRAME_CHAIN && (top->state == OP_ADD || top->state == OP_SUB))
        place = INTERVAL_SUMMAND;
    else if (top->kind == FRAME_CALL && interval_may_be_argument(p, top))
        place = INTERVAL_ARGUMENT;
    struct expr_frame *frame = open_frame(m, FRAME_INTERVAL, LEVEL_CONTAINER, take(p)->start);
    if (frame == NULL)
        return DONE;
    frame->state = (uint8_t)place;
    return WANT;
}

static enum machine_state interval(struct machine *m)
{
    return m->p->dialect == DIALECT_HIVE ? hive_interval(m) : impala_interval(m);
}

/* ---- words ---- */

/* Reserved words that are functions when `(` follows. */
static bool is_callable(const struct machine *m, uint16_t word)
{
    bool hive = m->p->dialect == DIALECT_HIVE;
    switch (word) {
    case KW_IF:
    case KW_GROUPING:
        return true;
    case KW_REPLACE:
    case KW_TRUNCATE:
    case KW_LEFT:
    case KW_RIGHT:
    case KW_UNNEST:
        return !hive;
    case KW_ARRAY:
    case KW_MAP:
    case KW_BIGINT:
    case KW_BINARY:
    case KW_BOOLEAN:
    case KW_DATE:
    case KW_DOUBLE:
    case KW_FLOAT:
    case KW_REAL:
    case KW_INT:
    case KW_INTEGER:
    case KW_SMALLINT:
    case KW_TIMESTAMP:
    case KW_VARIANT:
        return hive;
    default:
        return false;
    }
}

/* A word that is neither operator nor key word of an expression: a name if it can be one. */
static enum machine_state word_name(struct machine *m)
{
    struct parser *p = m->p;
    const struct token *token = p->token;
    if (token->reserved != WORD_RESERVED)
        return name(m);
    if (token[1].kind == TOKEN_LPAREN && is_callable(m, token->word)) {
        struct qname one = take_word_name(p);
        return open_call(m, one, 0);
    }
    return is_column_name(p, token) ? name(m) : fail(m, STR("an expression"));
}

/* DEFAULT as a value, where that is one */
static enum machine_state default_value(struct machine *m)
{
    struct parser *p = m->p;
    const struct expr_frame *top = top_frame(m);
    bool allowed =
        top->kind == FRAME_BASE ? (top->state & BASE_DEFAULT) != 0 : top->kind == FRAME_PAREN;
    if (!allowed || p->dialect != DIALECT_HIVE || p->token[1].kind == TOKEN_DOT ||
        p->token[1].kind == TOKEN_LPAREN)
        return word_name(m);
    const struct token *token = take(p);
    return set_value(m, new_expr(p, EXPR_DEFAULT, token_span(token)), token->start, LEVEL_ATOM);
}

/* Words that begin an expression in Hive only. */
static enum machine_state hive_word(struct machine *m)
{
    const struct token *token = m->p->token;
    bool called = token[1].kind == TOKEN_LPAREN;
    switch (token->word) {
    case KW_TIMESTAMP:
    case KW_TIMESTAMPLOCALTZ:
        return token[1].kind == TOKEN_STRING ? typed_literal(m, LITERAL_TIMESTAMP) : word_name(m);
    case KW_CURRENT_DATE:
    case KW_CURRENT_TIMESTAMP:
        return call_without_arguments(m);
    case KW_EXTRACT:
        return called ? extract(m) : word_name(m);
    case KW_FLOOR:
        return called ? open_call(m, take_word_name(m->p), CALL_TO) : word_name(m);
    default:
        return word_name(m);
    }
}

static enum machine_state word(struct machine *m)
{
    const struct token *token = m->p->token;
    switch (token->word) {
    case KW_NONE:
        return name(m);
    case KW_NULL:
        return word_literal(m, LITERAL_NULL);
    case KW_TRUE:
        return word_literal(m, LITERAL_TRUE);
    case KW_FALSE:
        return word_literal(m, LITERAL_FALSE);
    case KW_CASE:
        return case_of(m);
    case KW_CAST:
        return cast(m);
    case KW_NOT:
        return prefix(m, OP_NOT, m->rules->not_level);
    case KW_EXISTS:
        return exists(m);
    case KW_DATE:
        return token[1].kind == TOKEN_STRING ? typed_literal(m, LITERAL_DATE) : word_name(m);
    case KW_INTERVAL:
        return interval(m);
    case KW_DEFAULT:
        return default_value(m);
    default:
        return m->p->dialect == DIALECT_HIVE ? hive_word(m) : word_name(m);
    }
}

enum machine_state read_operand(struct machine *m)
{
    struct parser *p = m->p;
    switch (p->token->kind) {
    case TOKEN_WORD:
        return word(m);
    case TOKEN_QUOTED:
        return name(m);
    case TOKEN_NUMBER:
    case TOKEN_STRING:
        return constant(m);
    case TOKEN_VARIABLE:
        return variable(m);
    case TOKEN_LPAREN:
        return parenthesis(m);
    case TOKEN_MINUS:
        return prefix(m, OP_NEG, m->rules->sign_level);
    case TOKEN_PLUS:
        return prefix(m, OP_POS, m->rules->sign_level);
    case TOKEN_TILDE:
        return prefix(m, OP_BIT_NOT, m->rules->bit_not_level);
    case TOKEN_NOT_SIGN:
        return prefix(m, OP_NOT, m->rules->not_level);
    case TOKEN_STAR:
        return star_may_stand(m) ? star(m, (struct qname){0}, p->token->start)
                                 : fail(m, STR("an expression"));
    case TOKEN_CHARSET:
        return word_literal(m, LITERAL_CHARSET);
    case TOKEN_QUESTION:
        if (p->dialect == DIALECT_HIVE)
            return set_value(m, new_expr(p, EXPR_PARAMETER, token_span(take(p))), last_byte(p) - 1,
                             LEVEL_ATOM);
        return fail(m, STR("an expression"));
    default:
        return fail(m, STR("an expression"));
    }
}
