/*
 * Which columns of conditions Hive's engine shows. All of WHERE and HAVING; of an inner join's ON what compares one side with the other;
 * of an outer join's the first pair of keys, and what concerns the side that may stay empty.
 */
#include "flow/hive_plan.h"

struct counting {
    struct plan *plan;
    const struct condition *condition;
    const struct node *pair; /* of an outer join or a NOT EXISTS: the keys that both count */
    bool rest; /* a term over both sides is no pair of keys */
};

static bool reads_input(const struct part *part, const struct node *node)
{
    return node->first_part <= node->last_part && node->first_part >= part->id && node->last_part < part->end;
}

/* Whether the node's columns come from more than one input of its block. */
static bool spans(const struct part *part, const struct node *node)
{
    if (node->first_part > node->last_part || part->input_count < 2)
        return false;
    return reads_input(part, node) && part_only_input(part, node) == part->input_count;
}

static bool is_logic(const struct node *node)
{
    return node->kind == NODE_OPERATOR && (node->op == OP_AND || node->op == OP_OR || node->op == OP_NOT);
}

/* A comparison over both sides counts when each operand keeps to one. */
static bool compares_sides(const struct part *part, const struct node *node)
{
    if (!spans(part, node))
        return true;
    for (uint32_t i = 0; i < node->arg_count; i++) {
        bool right = is_logic(node) ? compares_sides(part, node->args[i]) : !spans(part, node->args[i]);
        if (!right)
            return false;
    }
    return node->kind != NODE_SUBQUERY;
}

static void count(struct counting *c, struct node *node)
{
    c->plan->skip_fields = true;
    plan_trace(c->plan, node, true);
    c->plan->skip_fields = false;
}

static void count_plain(struct counting *c, struct node *term)
{
    if (compares_sides(c->condition->part, term))
        count(c, term);
}

static bool on_inputs(const struct part *part, const struct node *node, uint32_t first, uint32_t end)
{
    if (first >= end || end > part->input_count || part->inputs[first] == NULL || part->inputs[end - 1] == NULL)
        return false;
    return node->first_part <= node->last_part && node->first_part >= part->inputs[first]->id && node->last_part < part->inputs[end - 1]->end;
}

static bool is_constant(struct counting *c, struct node *node)
{
    const struct node *folded = node_fold(c->plan, node);
    return folded != NULL && folded->kind == NODE_LITERAL && folded->literal != LITERAL_IS_NULL;
}

/* Whether one operand is known anyway: then the term is about the other one only. */
static bool count_half(struct counting *c, struct node *term, uint32_t first, uint32_t end)
{
    struct node *left = term->args[0], *right = term->args[1];
    bool left_known = is_constant(c, left), right_known = is_constant(c, right);
    if (left_known == right_known)
        return false;
    struct node *rest = left_known ? right : left;
    bool full = c->condition->part->joins[c->condition->join].kind == JOIN_FULL;
    if (!full && on_inputs(c->condition->part, rest, first, end))
        count(c, rest);
    return true;
}

static bool all_dead(const struct part *part, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && i < part->input_count; i++)
        if (part->inputs[i] == NULL || !part->inputs[i]->dead)
            return false;
    return true;
}

/* A term of an outer join's ON. */
static void count_outer(struct counting *c, struct node *term)
{
    const struct part *part = c->condition->part;
    const struct part_join *join = &part->joins[c->condition->join];
    bool right = join->kind == JOIN_RIGHT;
    uint32_t first = right ? join->first_left : join->first_right, end = right ? join->first_right : join->end_right;
    bool optional = join->kind != JOIN_FULL;
    bool pair = term->kind == NODE_OPERATOR && term->op == OP_EQ && spans(part, term) && compares_sides(part, term);
    if (all_dead(part, first, end) || (pair && !part->raw && count_half(c, term, first, end)))
        return;
    if (term == c->pair || (optional && on_inputs(part, term, first, end))) {
        count(c, term);
    } else if (optional && spans(part, term) && compares_sides(part, term)) {
        for (uint32_t i = 0; i < term->arg_count; i++)
            if (on_inputs(part, term->args[i], first, end))
                count(c, term->args[i]);
    }
}

/* A term of ON where nothing is optimised: the first pair of keys, and what is checked of one side before the join. An inner join with more
 * than keys is a filter as a whole. */
static void count_unplanned(struct counting *c, struct node *term)
{
    const struct part *part = c->condition->part;
    const struct part_join *join = &part->joins[c->condition->join];
    bool left = on_inputs(part, term, join->first_left, join->first_right), right = on_inputs(part, term, join->first_right, join->end_right);
    bool checked = join_is_inner(join->kind) ? left || right : join->kind == JOIN_LEFT ? right : join->kind == JOIN_RIGHT && left;
    if (term == c->pair || checked || (c->rest && join_is_inner(join->kind)))
        count(c, term);
}

static bool reads_outside(const struct part *part, const struct node *node)
{
    return node->first_part <= node->last_part && !reads_input(part, node);
}

/* A term of a subquery below NOT EXISTS: like an outer join with the subquery as the optional side. */
static void count_anti(struct counting *c, struct node *term)
{
    const struct part *part = c->condition->part;
    bool inside = false;
    for (uint32_t i = 0; i < term->arg_count; i++)
        inside |= reads_input(part, term->args[i]);
    if (!inside || !reads_outside(part, term)) {
        count(c, term);
        return;
    }
    if (term == c->pair) {
        count(c, term);
        return;
    }
    for (uint32_t i = 0; i < term->arg_count; i++)
        if (reads_input(part, term->args[i]))
            count(c, term->args[i]);
}

static void count_term(struct counting *c, struct node *term)
{
    const struct condition *condition = c->condition;
    uint8_t kind = condition->kind == CONDITION_ON ? condition->part->joins[condition->join].kind : (uint8_t)JOIN_INNER;
    bool above = condition->kind == CONDITION_HAVING || (condition->kind == CONDITION_WHERE && condition->part->lateral);
    if (above) /* a filter over groups or table functions, no term of a join */
        count(c, term);
    else if (c->plan->aside && condition->kind == CONDITION_ON)
        count_unplanned(c, term);
    else if (kind == JOIN_LEFT || kind == JOIN_RIGHT || kind == JOIN_FULL || kind == JOIN_LEFT_ANTI)
        count_outer(c, term);
    else if (condition->part->anti)
        count_anti(c, term);
    else
        count_plain(c, term);
}

/* Keys that are compared as they are come before those that one side is converted for. */
static bool same_types(const struct node *a, const struct node *b)
{
    const struct type *x = a->column == NULL ? NULL : a->column->type, *y = b->column == NULL ? NULL : b->column->type;
    return x == NULL || y == NULL || x->kind != TYPE_PRIMITIVE || y->kind != TYPE_PRIMITIVE || name_eq(x->name, y->name);
}

static const struct node *first_pair(struct counting *c, struct node *const *terms, uint32_t count)
{
    const struct part *part = c->condition->part;
    bool on = c->condition->kind == CONDITION_ON;
    const struct node *first = NULL, *converted = NULL;
    for (uint32_t i = 0; i < count && first == NULL; i++) {
        const struct node *term = terms[i];
        bool equal = term->kind == NODE_OPERATOR && term->op == OP_EQ;
        bool pair = equal && (on ? spans(part, term) && compares_sides(part, term) : reads_outside(part, term));
        bool known = pair && on && !part->raw && is_constant(c, term->args[0]) != is_constant(c, term->args[1]);
        if (!pair || known)
            continue;
        if (c->plan->aside || same_types(term->args[0], term->args[1]))
            first = term;
        else if (converted == NULL)
            converted = term;
    }
    return first != NULL ? first : converted;
}

static void count_condition(struct plan *p, const struct condition *condition)
{
    struct counting c = {.plan = p, .condition = condition};
    struct node *node = condition->node;
    if (condition->part->dead && !condition->part->raw)
        return;
    bool many = node->kind == NODE_OPERATOR && node->op == OP_AND;
    c.pair = first_pair(&c, many ? node->args : &node, many ? node->arg_count : 1);
    for (uint32_t i = 0; i < (many ? node->arg_count : 1); i++) {
        const struct node *term = many ? node->args[i] : node;
        c.rest |= spans(condition->part, term) && !(term->kind == NODE_OPERATOR && term->op == OP_EQ);
    }
    for (uint32_t i = 0; i < (many ? node->arg_count : 1); i++)
        count_term(&c, many ? node->args[i] : node);
}

static void trace_predicate(struct flow *f, const struct predicate *predicate)
{
    if (predicate->reading == NULL) {
        trace_deps(&f->tracer, &predicate->deps);
        return;
    }
    for (const struct condition *condition = predicate->reading; condition != NULL; condition = condition->next)
        count_condition(f->context, condition);
}

void plan_predicates(struct plan *p)
{
    p->flow->context = p;
    p->flow->trace_predicate = trace_predicate;
}
