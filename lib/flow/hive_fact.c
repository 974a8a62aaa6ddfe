/*
 * Conditions → what is constant. A conjunct `E = literal` fixes E wherever it occurs; over the pairs of joins it fixes the other
 * side too.
 */
#include "flow/hive_plan.h"

enum {
    MOST_DISJUNCTS = 64, /* of an OR whose common facts are looked for */
    ROUNDS = 3           /* constants of set operations may make others, and so on */
};

struct fact {
    struct node *node, *literal;
};

typedef VEC(struct fact) facts_t;

/* ---- facts of one condition ---- */

/* Whether the node reads what the last of a block's table functions gives. */
static bool reads_function(const struct part *block, const struct node *node)
{
    const struct part *last = block->input_count == 0 ? NULL : block->inputs[block->input_count - 1];
    return last != NULL && last->kind == PART_LATERAL && node->last_part >= last->id && node->last_part < last->end;
}

static bool can_be_fixed(const struct node *node)
{
    if (node->kind == NODE_LITERAL || node->kind == NODE_FIELD || node->kind == NODE_CASE || node->kind == NODE_SUBQUERY || node->kind == NODE_ROW)
        return false;
    if (node->function_block != NULL && !reads_function(node->function_block, node))
        return false;
    return !(node->kind == NODE_BARRIER && node->opaque) && node->first_part <= node->last_part;
}

static bool types_allow(const struct node *node, const struct node *literal)
{
    if (literal->literal == LITERAL_IS_NULL)
        return true;
    switch ((enum value_type)node->type) {
    case VALUE_STRING:
    case VALUE_CHAR:
        return literal->type == VALUE_STRING || literal->type == VALUE_CHAR || literal->type == VALUE_UNKNOWN;
    case VALUE_BOOLEAN:
        return literal->literal != LITERAL_IS_TRUE && literal->literal != LITERAL_IS_FALSE;
    case VALUE_DATE:
        return literal->type != VALUE_NUMBER;
    case VALUE_UNKNOWN:
    case VALUE_NUMBER:
    case VALUE_OTHER:
        return true;
    }
    return true;
}

static void push_fact(struct plan *p, facts_t *facts, struct node *node, struct node *literal)
{
    if (node == NULL || literal == NULL)
        return;
    struct fact *fact = can_be_fixed(node) && types_allow(node, literal) ? VEC_PUSH(p->arena, facts) : NULL;
    if (fact != NULL)
        *fact = (struct fact){node, literal};
    bool as_number = node->type == VALUE_STRING && literal->type == VALUE_NUMBER && node->kind != NODE_LITERAL;
    struct node_key cast = {.kind = NODE_CAST, .type = VALUE_NUMBER, .name = NAME("double"), .args = &node, .arg_count = 1};
    if (as_number)
        push_fact(p, facts, node_make(p, &cast), literal);
    bool widened = node->kind == NODE_CAST && node->type == VALUE_NUMBER && node->args[0]->type == VALUE_NUMBER;
    if (fact != NULL && widened)
        push_fact(p, facts, node->args[0], literal);
}

static void collect(struct plan *p, struct node *node, facts_t *facts);

static void collect_equal(struct plan *p, struct node *left, struct node *right, facts_t *facts)
{
    if (right->kind == NODE_LITERAL && left->kind != NODE_LITERAL)
        push_fact(p, facts, left, right);
    else if (left->kind == NODE_LITERAL && right->kind != NODE_LITERAL)
        push_fact(p, facts, right, left);
    else if (left->kind == NODE_ROW && right->kind == NODE_ROW && left->arg_count == right->arg_count)
        for (uint32_t i = 0; i < left->arg_count; i++)
            collect_equal(p, left->args[i], right->args[i], facts);
}

/* (a, b) in ((1, 2), (1, 3)): a is 1 */
static void collect_rows(struct plan *p, const struct node *in, facts_t *facts)
{
    const struct node *row = in->args[0];
    for (uint32_t c = 0; row->kind == NODE_ROW && c < row->arg_count; c++) {
        struct node *literal = NULL;
        bool same = true;
        for (uint32_t i = 1; i < in->arg_count && same; i++) {
            const struct node *item = in->args[i];
            same = item->kind == NODE_ROW && item->arg_count == row->arg_count && item->args[c]->kind == NODE_LITERAL &&
                   (literal == NULL || literals_equal(literal, item->args[c]));
            literal = same ? item->args[c] : NULL;
        }
        if (same && literal != NULL)
            push_fact(p, facts, row->args[c], literal);
    }
}

/* x IN (1, 2) AND x IN (2, 3): x is 2 */
static void collect_choices(struct plan *p, struct node *in, facts_t *facts)
{
    struct node *value = in->args[0], *common = NULL;
    const struct node *known = value->choices;
    uint32_t count = 0;
    value->choices = in;
    for (uint32_t i = 1; known != NULL && known != in && i < in->arg_count && in->arg_count <= MOST_DISJUNCTS; i++) {
        for (uint32_t k = 1; k < known->arg_count && k <= MOST_DISJUNCTS; k++) {
            bool same = in->args[i]->kind == NODE_LITERAL && literals_equal(in->args[i], known->args[k]);
            common = same ? in->args[i] : common;
            count += same;
        }
    }
    if (count == 1)
        push_fact(p, facts, value, common);
}

static bool has_fact(const facts_t *facts, const struct fact *wanted)
{
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->items[i].node == wanted->node && literals_equal(facts->items[i].literal, wanted->literal))
            return true;
    return false;
}

/* What holds in every term of an OR. */
static void collect_common(struct plan *p, const struct node *node, facts_t *facts)
{
    facts_t common = {NULL, 0, 0};
    bool first = true;
    for (uint32_t i = 0; i < node->arg_count && node->arg_count <= MOST_DISJUNCTS; i++) {
        if (node_is_literal(node->args[i], LITERAL_IS_NULL))
            continue;
        facts_t here = {NULL, 0, 0};
        collect(p, node->args[i], &here);
        if (first)
            common = here;
        first = false;
        uint32_t kept = 0;
        for (uint32_t k = 0; k < common.count; k++)
            if (has_fact(&here, &common.items[k]))
                common.items[kept++] = common.items[k];
        common.count = kept;
    }
    for (uint32_t i = 0; i < common.count; i++)
        push_fact(p, facts, common.items[i].node, common.items[i].literal);
}

static void collect_bound(struct plan *p, struct node *node, facts_t *facts)
{
    bool turned = node->args[0]->kind == NODE_LITERAL;
    struct node *value = node->args[turned ? 1 : 0], *literal = node->args[turned ? 0 : 1];
    if (literal->kind != NODE_LITERAL || value->kind == NODE_LITERAL)
        return;
    if ((node->op == OP_GE || node->op == OP_GT) != turned)
        value->low = literal;
    else
        value->high = literal;
    if ((node->op == OP_GE || node->op == OP_LE) && value->low != NULL && value->high != NULL && literals_equal(value->low, value->high))
        push_fact(p, facts, value, literal);
}

static void collect_operator(struct plan *p, struct node *node, facts_t *facts)
{
    switch (node->op) {
    case OP_AND:
        for (uint32_t i = 0; i < node->arg_count; i++)
            collect(p, node->args[i], facts);
        return;
    case OP_OR:
        collect_common(p, node, facts);
        return;
    case OP_EQ:
        collect_equal(p, node->args[0], node->args[1], facts);
        return;
    case OP_GE:
    case OP_LE:
    case OP_GT:
    case OP_LT:
        collect_bound(p, node, facts);
        return;
    case OP_IS_NULL:
        if (node->args[0]->kind != NODE_LITERAL)
            push_fact(p, facts, node->args[0], node_literal(p, LITERAL_IS_NULL, STR(""), VALUE_UNKNOWN));
        return;
    case OP_IS_TRUE:
        collect(p, node->args[0], facts);
        return;
    default:
        return;
    }
}

/* CASE WHEN c THEN x ELSE false END: c and x */
static void collect_case(struct plan *p, const struct node *node, facts_t *facts)
{
    const struct node *last = node->args[node->arg_count - 1];
    bool guards = node->arg_count == 3 && (node_is_literal(last, LITERAL_IS_FALSE) || node_is_literal(last, LITERAL_IS_NULL));
    if (!guards)
        return;
    collect(p, node->args[0], facts);
    collect(p, node->args[1], facts);
}

/* x IN (SELECT 3) */
static void collect_constant_query(struct plan *p, const struct node *node, facts_t *facts)
{
    const struct part *part = node->owner;
    bool constant = node->op == EXPR_IN_QUERY && node->arg_count == 1 && part->input_count == 0 && part->output_count == 1;
    if (constant && part->outputs[0] != NULL && part->outputs[0]->kind == NODE_LITERAL)
        push_fact(p, facts, node->args[0], part->outputs[0]);
}

static void collect(struct plan *p, struct node *node, facts_t *facts)
{
    if (node->kind == NODE_OPERATOR)
        collect_operator(p, node, facts);
    else if (node->kind == NODE_IN) {
        collect_rows(p, node, facts);
        collect_choices(p, node, facts);
    } else if (node->kind == NODE_SUBQUERY)
        collect_constant_query(p, node, facts);
    else if (node->kind == NODE_CASE)
        collect_case(p, node, facts);
}

/* ---- where a fact holds ---- */

static bool reads_only(const struct node *node, uint32_t from, uint32_t to)
{
    return node->first_part >= from && node->last_part < to;
}

/* Whether all that the node reads lies on one side of the join. */
static bool on_side(const struct part *block, const struct node *node, uint32_t first, uint32_t end)
{
    if (first >= end || end > block->input_count || block->inputs[first] == NULL || block->inputs[end - 1] == NULL)
        return false;
    return reads_only(node, block->inputs[first]->id, block->inputs[end - 1]->end);
}

static bool holds(const struct condition *condition, const struct node *node)
{
    const struct part *part = condition->part;
    if (!reads_only(node, part->id, part->end))
        return part->semi;
    if (part->lateral && condition->kind == CONDITION_WHERE && node->kind >= NODE_OPERATOR && !reads_function(part, node))
        return false; /* checked below the table functions, computed again above them */
    if (condition->kind != CONDITION_ON)
        return true;
    const struct part_join *join = &part->joins[condition->join];
    if (join_is_inner(join->kind))
        return true;
    if (join->kind == JOIN_LEFT)
        return on_side(part, node, join->first_right, join->end_right);
    return join->kind == JOIN_RIGHT && on_side(part, node, join->first_left, join->first_right);
}

/* Two equal columns that one WHERE says different things of. */
static void contradict_pair(const struct node *a, const struct node *b, struct part *part)
{
    if (part != NULL && b->fact != NULL && b->fact_part == part && literals_differ(a->fact, b->fact))
        part->empty = true;
}

static void contradict(struct node *node, const struct node *literal, struct part *part)
{
    bool nulls = node->fact->literal == LITERAL_IS_NULL || literal->literal == LITERAL_IS_NULL;
    if (part != NULL && literals_differ(node->fact, literal) && (!nulls || node->fact_part == part))
        part->empty = true;
}

/* `part`: whose condition it is, NULL when it came over a join. */
static void learn(struct plan *p, struct node *node, struct node *literal, struct part *part, bool where)
{
    if (node->fact != NULL) {
        contradict(node, literal, part);
        return;
    }
    struct node **slot = VEC_PUSH(p->arena, &p->work);
    if (slot == NULL)
        return;
    node->fact = literal;
    node->fact_part = where ? part : NULL;
    *slot = node;
}

/* ---- pairs ---- */

static bool pair_types(const struct node *from, const struct node *to)
{
    if (from->type == VALUE_UNKNOWN || to->type == VALUE_UNKNOWN || from->type == to->type)
        return true;
    return (from->type == VALUE_STRING && to->type == VALUE_DATE) || (from->type == VALUE_CHAR && to->type == VALUE_STRING);
}

static void add_pair(struct plan *p, struct node *from, struct node *to)
{
    struct node_pair *pair = can_be_fixed(from) && can_be_fixed(to) && pair_types(from, to) ? ARENA_NEW(p->arena, struct node_pair) : NULL;
    if (pair == NULL)
        return;
    bool computed = from->kind == NODE_BRANCHES || from->kind == NODE_BARRIER;
    struct node **slot = from->pairs == NULL && computed ? VEC_PUSH(p->arena, &p->paired) : NULL;
    if (slot != NULL)
        *slot = from;
    *pair = (struct node_pair){to, from->pairs};
    from->pairs = pair;
}

static bool apart(const struct node *a, const struct node *b)
{
    bool both = a->first_part <= a->last_part && b->first_part <= b->last_part;
    return both && (a->last_part < b->first_part || b->last_part < a->first_part);
}

static void pair_sides(struct plan *p, const struct condition *condition, struct node *a, struct node *b)
{
    const struct part *part = condition->part;
    if (!apart(a, b))
        return;
    bool inside = reads_only(a, part->id, part->end) && reads_only(b, part->id, part->end);
    if (!inside && !part->semi)
        return;
    if (condition->kind != CONDITION_ON || join_is_inner(part->joins[condition->join].kind)) {
        add_pair(p, a, b);
        add_pair(p, b, a);
        return;
    }
    const struct part_join *join = &part->joins[condition->join];
    bool left = join->kind == JOIN_LEFT;
    if (join->kind != JOIN_LEFT && join->kind != JOIN_RIGHT)
        return;
    uint32_t kept = left ? join->first_left : join->first_right, kept_end = left ? join->first_right : join->end_right;
    if (on_side(part, a, kept, kept_end))
        add_pair(p, a, b);
    else if (on_side(part, b, kept, kept_end))
        add_pair(p, b, a);
}

static void collect_pairs(struct plan *p, struct node *node, const struct condition *condition)
{
    if (node->kind == NODE_SUBQUERY && node->op == EXPR_IN_QUERY && node->arg_count == 1 && node->owner->output_count == 1) {
        add_pair(p, node->args[0], node->owner->outputs[0]);
        add_pair(p, node->owner->outputs[0], node->args[0]);
        return;
    }
    if (node->kind != NODE_OPERATOR)
        return;
    if (node->op == OP_EQ)
        pair_sides(p, condition, node->args[0], node->args[1]);
    for (uint32_t i = 0; node->op == OP_AND && i < node->arg_count; i++)
        collect_pairs(p, node->args[i], condition);
}

/* ---- all conditions ---- */

static void mark_subqueries(struct node *node)
{
    if (node->kind == NODE_SUBQUERY && (node->op == EXPR_IN_QUERY || node->op == EXPR_EXISTS))
        node->owner->semi = true;
    if (node->kind != NODE_OPERATOR)
        return;
    if (node->op == OP_NOT && node->args[0]->kind == NODE_SUBQUERY)
        node->args[0]->owner->anti = true;
    for (uint32_t i = 0; node->op == OP_AND && i < node->arg_count; i++)
        mark_subqueries(node->args[i]);
}

static void apply_condition(struct plan *p, const struct condition *condition)
{
    bool outer = condition_is_outer(condition);
    facts_t facts = {NULL, 0, 0};
    collect(p, condition->node, &facts);
    for (uint32_t i = 0; i < facts.count; i++)
        if (holds(condition, facts.items[i].node))
            learn(p, facts.items[i].node, facts.items[i].literal, outer ? NULL : condition->part, condition->kind == CONDITION_WHERE);
    collect_pairs(p, condition->node, condition);
}

/* A fact about a set operation's output holds in each branch; a branch that has another constant there gives no rows. */
static void push_into_branches(struct plan *p, const struct node *node)
{
    for (uint32_t i = 0; i < node->arg_count && !node->opaque && i < node->owner->input_count; i++) {
        struct node *arg = node->args[i];
        if (arg->kind == NODE_LITERAL) {
            if (literals_differ(arg, node->fact))
                node->owner->inputs[i]->empty = true;
        } else if (can_be_fixed(arg) && types_allow(arg, node->fact)) {
            learn(p, arg, node->fact, node->owner->inputs[i], false);
        }
    }
}

static void spread(struct plan *p)
{
    while (p->work.count > 0 && !p->arena->failed) {
        struct node *node = p->work.items[--p->work.count];
        for (const struct node_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
            contradict_pair(node, pair->other, node->fact_part);
            if (types_allow(pair->other, node->fact))
                learn(p, pair->other, node->fact, NULL, false);
        }
        if (node->kind == NODE_BRANCHES)
            push_into_branches(p, node);
    }
}

/* Set operations whose branches all have a constant there. */
static void learn_from_below(struct plan *p)
{
    p->fold_stamp++;
    for (uint32_t i = 0; i < p->paired.count; i++) {
        struct node *node = p->paired.items[i];
        struct node *folded = node->fact == NULL ? node_fold(p, node) : NULL;
        if (folded != NULL && folded->kind == NODE_LITERAL)
            learn(p, node, folded, NULL, false);
    }
}

void plan_solve(struct plan *p)
{
    for (uint32_t i = 0; i < p->conditions.count; i++)
        if (!p->conditions.items[i]->part->raw)
            mark_subqueries(p->conditions.items[i]->node);
    plan_strengthen(p);
    for (uint32_t i = 0; i < p->conditions.count && !p->arena->failed; i++)
        if (!p->conditions.items[i]->part->raw)
            apply_condition(p, p->conditions.items[i]);
    for (int round = 0; round < ROUNDS; round++) {
        spread(p);
        if (p->paired.count == 0)
            break;
        learn_from_below(p);
    }
    spread(p);
    plan_find_empty(p);
    p->fold_stamp++;
}
