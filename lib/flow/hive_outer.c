/*
 * Outer joins that a condition above makes inner: what cannot be true for a row of NULLs leaves no row that lacks a partner. A full
 * join becomes one-sided so.
 */
#include "flow/hive_plan.h"

bool join_is_inner(uint8_t kind)
{
    return kind == JOIN_INNER || kind == JOIN_COMMA || kind == JOIN_CROSS || kind == JOIN_LEFT_SEMI;
}

bool condition_is_outer(const struct condition *condition)
{
    return condition->kind == CONDITION_ON && !join_is_inner(condition->part->joins[condition->join].kind);
}

static bool in_range(const struct part *part, uint32_t from, uint32_t to)
{
    return part->slot >= from && part->slot < to;
}

/* NULLs of one input never pass: the joins that would make them go. */
static void strengthen(const struct part *block, const struct part *input, uint32_t below_join)
{
    for (uint32_t i = 0; i < block->join_count && i < below_join; i++) {
        struct part_join *join = &block->joins[i];
        bool left = in_range(input, join->first_left, join->first_right), right = in_range(input, join->first_right, join->end_right);
        if (join->kind == JOIN_FULL && (left || right))
            join->kind = left ? JOIN_LEFT : JOIN_RIGHT;
        else if ((join->kind == JOIN_LEFT && right) || (join->kind == JOIN_RIGHT && left))
            join->kind = JOIN_INNER;
    }
}

/* Rejects NULLs of a part: every join between it and the block of the condition. */
static void reject(const struct part *part, const struct condition *condition)
{
    const struct part *input = part;
    for (const struct part *block = input->parent; block != NULL && input->id > condition->part->id; block = input->parent) {
        bool own_on = block == condition->part && condition->kind == CONDITION_ON;
        if (block->kind == PART_BLOCK && !input->subquery)
            strengthen(block, input, own_on ? condition->join : UINT32_MAX);
        input = block;
    }
}

static const struct part *part_of_leaf(const struct node *node)
{
    bool leaf = node->kind == NODE_COLUMN || node->kind == NODE_BARRIER || node->kind == NODE_BRANCHES || node->kind == NODE_AGGREGATE ||
                node->kind == NODE_WINDOW || node->kind == NODE_SCRIPT;
    return leaf ? node->owner : NULL;
}

static bool is_comparison(const struct node *node)
{
    return node->kind == NODE_OPERATOR && ((node->op >= OP_EQ && node->op <= OP_GE) || (node->op >= OP_LIKE && node->op <= OP_IREGEXP));
}

static bool is_arithmetic(const struct node *node)
{
    return node->kind == NODE_CAST || node->kind == NODE_FIELD || (node->kind == NODE_OPERATOR && node->op >= OP_ADD && node->op <= OP_FACTORIAL);
}

/* A condition of an EXISTS over a column of the query around it is one of that query. */
static void reject_leaf(const struct part *leaf, const struct condition *condition)
{
    if (leaf->id >= condition->part->id || !condition->part->semi || condition->part->parent == NULL) {
        reject(leaf, condition);
        return;
    }
    struct condition around = *condition;
    around.part = condition->part->parent;
    around.kind = CONDITION_WHERE;
    reject(leaf, &around);
}

/* Columns without which the value is NULL. */
static void reject_value(const struct node *node, const struct condition *condition)
{
    if (part_of_leaf(node) != NULL)
        reject_leaf(part_of_leaf(node), condition);
    for (uint32_t i = 0; is_arithmetic(node) && i < node->arg_count; i++)
        reject_value(node->args[i], condition);
}

static bool rejects_something(const struct node *node)
{
    if (is_comparison(node))
        return true;
    if (node->kind == NODE_IN)
        return true;
    if (node->kind == NODE_OPERATOR && node->op == OP_AND)
        return rejects_something(node->args[0]);
    return node->kind == NODE_OPERATOR && node->op == OP_NOT && rejects_something(node->args[0]);
}

/* An OR over the columns of one part rejects its NULLs when each of its terms does. */
static void reject_any(struct plan *p, const struct node *node, const struct condition *condition)
{
    bool all = node->first_part == node->last_part && node->first_part < p->parts.count;
    for (uint32_t i = 0; all && i < node->arg_count; i++)
        all = rejects_something(node->args[i]);
    if (all)
        reject(p->parts.items[node->first_part], condition);
}

static void reject_condition(struct plan *p, const struct node *node, const struct condition *condition)
{
    bool negated = node->kind == NODE_OPERATOR && node->op == OP_NOT;
    const struct node *inner = negated ? node->args[0] : node;
    bool between = inner->kind == NODE_CALL && str_eq(name_str(inner->name), STR("between"));
    bool not_null = negated && inner->kind == NODE_OPERATOR && inner->op == OP_IS_NULL;
    if (is_comparison(inner) || between || not_null) {
        for (uint32_t i = 0; i < inner->arg_count; i++)
            reject_value(inner->args[i], condition);
    } else if (inner->kind == NODE_IN || (inner->kind == NODE_SUBQUERY && inner->op == EXPR_IN_QUERY && inner->arg_count > 0 && !negated)) {
        reject_value(inner->args[0], condition);
    } else if (!negated && node->kind == NODE_OPERATOR && node->op == OP_AND) {
        for (uint32_t i = 0; i < node->arg_count; i++)
            reject_condition(p, node->args[i], condition);
    } else if (!negated && node->kind == NODE_OPERATOR && node->op == OP_OR) {
        reject_any(p, node, condition);
    }
}

void plan_strengthen(struct plan *p)
{
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < p->conditions.count; i++)
            if (!p->conditions.items[i]->part->raw && !condition_is_outer(p->conditions.items[i]))
                reject_condition(p, p->conditions.items[i]->node, p->conditions.items[i]);
}
