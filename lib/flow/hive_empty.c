/*
 * Parts that give no rows: a condition that is never true, values that exclude one another, LIMIT 0. All their outputs are constant, and
 * so are those of what cannot do without them.
 */
#include "flow/hive_plan.h"

/* ---- conditions that are never true ---- */

/* `a <> a`, `a < a` */
static bool differs_from_itself(const struct node *node)
{
    bool unequal = node->kind == NODE_OPERATOR && (node->op == OP_NE || node->op == OP_LT || node->op == OP_GT);
    return unequal && node->args[0] == node->args[1] && node->first_part <= node->last_part;
}

/* `1 = 0`; a bare NULL stays. */
static bool is_never(const struct node *node)
{
    bool null = node_is_literal(node, LITERAL_IS_NULL) && node->type == VALUE_BOOLEAN;
    if (null || node_is_literal(node, LITERAL_IS_FALSE) || differs_from_itself(node))
        return true;
    for (uint32_t i = 0; node->kind == NODE_OPERATOR && node->op == OP_AND && i < node->arg_count; i++)
        if (is_never(node->args[i]) || node_is_literal(node->args[i], LITERAL_IS_NULL))
            return true;
    return false;
}

/* An outer join that never matches: its optional side gives no rows. */
static void empty_side(const struct condition *condition)
{
    const struct part_join *join = &condition->part->joins[condition->join];
    uint32_t from = join->kind == JOIN_RIGHT ? join->first_left : join->first_right, to = join->kind == JOIN_RIGHT ? join->first_right : join->end_right;
    for (uint32_t i = from; i < to && (join->kind == JOIN_LEFT || join->kind == JOIN_RIGHT); i++)
        if (condition->part->inputs[i] != NULL)
            condition->part->inputs[i]->empty = true;
}

/* Operands without which the term is not true. */
static uint32_t strict_operands(const struct node *term)
{
    bool compares = term->kind == NODE_OPERATOR && ((term->op >= OP_EQ && term->op <= OP_GE) || (term->op >= OP_LIKE && term->op <= OP_IREGEXP));
    if (compares && term->op != OP_NULL_SAFE_EQ)
        return term->arg_count;
    if (term->kind == NODE_IN || (term->kind == NODE_SUBQUERY && term->op == EXPR_IN_QUERY && term->arg_count > 0))
        return 1;
    return term->kind == NODE_CALL && str_eq(name_str(term->name), STR("between")) ? term->arg_count : 0;
}

/* Of an outer join only the side that is kept tells. */
static bool tells(const struct condition *condition, const struct node *node)
{
    if (!condition_is_outer(condition))
        return true;
    const struct part *part = condition->part;
    const struct part_join *join = &part->joins[condition->join];
    uint32_t first = join->kind == JOIN_LEFT ? join->first_left : join->first_right, end = join->kind == JOIN_LEFT ? join->first_right : join->end_right;
    uint32_t input = part_only_input(part, node);
    return (join->kind == JOIN_LEFT || join->kind == JOIN_RIGHT) && input >= first && input < end;
}

static bool on_optional_side(const struct part *part, const struct part *input)
{
    for (uint32_t i = 0; i < part->join_count; i++) {
        const struct part_join *join = &part->joins[i];
        bool left = input->slot >= join->first_left && input->slot < join->first_right;
        bool right = input->slot >= join->first_right && input->slot < join->end_right;
        if ((left && (join->kind == JOIN_RIGHT || join->kind == JOIN_FULL)) || (right && (join->kind == JOIN_LEFT || join->kind == JOIN_FULL)))
            return true;
    }
    return false;
}

/* Whether an outer join above may make NULLs of what the part gives: what is known there tells nothing of its rows. */
static bool is_optional(const struct part *part)
{
    for (; part->parent != NULL; part = part->parent)
        if (part->parent->kind == PART_BLOCK && !part->subquery && on_optional_side(part->parent, part))
            return true;
    return false;
}

/* `a > 5` where a is NULL by another condition */
static bool lacks_operand(struct plan *p, const struct condition *condition, const struct node *term)
{
    if (term->kind == NODE_OPERATOR && term->op == OP_NOT && term->args[0]->kind != NODE_SUBQUERY)
        term = term->args[0];
    for (uint32_t i = 0; i < strict_operands(term); i++) {
        struct node *operand = term->args[i];
        if (operand->kind != NODE_LITERAL && tells(condition, operand) && node_is_literal(node_fold(p, operand), LITERAL_IS_NULL))
            return true;
    }
    return false;
}

static bool never_holds(struct plan *p, const struct condition *condition)
{
    const struct node *node = condition->node;
    bool many = node->kind == NODE_OPERATOR && node->op == OP_AND;
    for (uint32_t i = 0; i < (many ? node->arg_count : 1) && !is_optional(condition->part); i++)
        if (lacks_operand(p, condition, many ? node->args[i] : node))
            return true;
    return is_never(node);
}

static void apply_never(struct plan *p)
{
    for (uint32_t i = 0; i < p->conditions.count; i++) {
        const struct condition *condition = p->conditions.items[i];
        if (condition->part->raw || !never_holds(p, condition))
            continue;
        if (condition_is_outer(condition))
            empty_side(condition);
        else
            condition->part->empty = true;
    }
}

/* `a = 3 AND a > 5`, `a > 5 AND a < 3` */
static bool is_contradicted(const struct node *term, const struct part *part)
{
    bool turned = term->kind == NODE_OPERATOR && term->arg_count == 2 && term->args[0]->kind == NODE_LITERAL;
    bool compares = term->kind == NODE_OPERATOR && term->op >= OP_NE && term->op <= OP_GE && term->arg_count == 2;
    const struct node *value = compares ? term->args[turned ? 1 : 0] : NULL, *literal = compares ? term->args[turned ? 0 : 1] : NULL;
    if (value == NULL || literal->kind != NODE_LITERAL || value->kind == NODE_LITERAL)
        return false;
    int order = value->fact != NULL && value->fact_part == part ? literals_order(value->fact, literal) : 2;
    if (term->op == OP_NE)
        return order == 0;
    bool less = term->op == OP_LT || term->op == OP_LE, strict = term->op == OP_LT || term->op == OP_GT;
    if (order == 2)
        return value->low != NULL && value->high != NULL && literals_order(value->low, value->high) == 1;
    return less != turned ? order == 1 || (strict && order == 0) : order == -1 || (strict && order == 0);
}

static void find_contradictions(struct plan *p)
{
    for (uint32_t i = 0; i < p->conditions.count; i++) {
        struct condition *condition = p->conditions.items[i];
        const struct node *node = condition->node;
        if (condition->part->raw || condition->kind != CONDITION_WHERE)
            continue;
        bool many = node->kind == NODE_OPERATOR && node->op == OP_AND;
        for (uint32_t k = 0; k < (many ? node->arg_count : 1); k++)
            condition->part->empty |= is_contradicted(many ? node->args[k] : node, condition->part);
    }
}

/* ---- what follows for other parts ---- */

/* Whether the joins of a block leave no rows, given which of its inputs have none. */
static bool joins_are_empty(struct plan *p, const struct part *part)
{
    if (part->input_count == 0)
        return false;
    bool *empty = ARENA_ARRAY(p->arena, bool, part->input_count);
    if (empty == NULL)
        return false;
    for (uint32_t i = 0; i < part->input_count; i++)
        empty[i] = part->inputs[i] != NULL && part->inputs[i]->empty;
    for (uint32_t i = 0; i < part->join_count; i++) {
        const struct part_join *join = &part->joins[i];
        bool *left = &empty[join->first_left];
        bool right = empty[join->first_right];
        if (join_is_inner(join->kind))
            *left = *left || right;
        else if (join->kind == JOIN_RIGHT)
            *left = right;
        else if (join->kind == JOIN_FULL)
            *left = *left && right;
    }
    return empty[0];
}

/* INTERSECT and EXCEPT count rows of a union, so that of them too an empty branch only goes. */
static bool branches_are_empty(const struct part *part)
{
    bool all = part->input_count > 0;
    for (uint32_t i = 0; i < part->input_count; i++)
        all = all && part->inputs[i] != NULL && part->inputs[i]->empty;
    return all;
}

static void spread_empty(struct plan *p)
{
    for (uint32_t i = p->parts.count; i-- > 0;) {
        struct part *part = p->parts.items[i];
        if (part->raw)
            continue;
        if (part->kind == PART_BLOCK && !part->empty)
            part->empty = joins_are_empty(p, part);
        else if (part->kind == PART_SETOP)
            part->empty = part->empty || branches_are_empty(part);
        if (part->empty && part->aggregated && !part->grouped) {
            part->input_empty = true; /* a global aggregate still gives its one row */
            part->empty = false;
        }
        bool rows = part->parent != NULL && (part->parent->kind == PART_RENAMED || (part->semi && part->subquery));
        if (part->empty && rows)
            part->parent->empty = true;
    }
    for (uint32_t i = 0; i < p->parts.count; i++) {
        struct part *part = p->parts.items[i];
        part->dead = part->empty || (part->parent != NULL && (part->parent->dead || part->parent->input_empty));
    }
}

void plan_find_empty(struct plan *p)
{
    p->fold_stamp++;
    apply_never(p);
    find_contradictions(p);
    spread_empty(p);
}
