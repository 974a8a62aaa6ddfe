/* Nodes with what is known put in: which of them are constant, and what is left of the others. */
#include "flow/hive_plan.h"

static struct node *constant(struct plan *p, const struct node *node)
{
    return node_literal(p, LITERAL_IS_OTHER, STR(""), (enum value_type)node->type);
}

static bool is_dead(const struct part *part)
{
    return part != NULL && part->dead;
}

/* Constant when it is in every branch that gives rows. */
static struct node *fold_branches(struct plan *p, struct node *node)
{
    struct node *same = NULL;
    bool equal = true, all = node->arg_count > 0 && !node->opaque;
    for (uint32_t i = 0; i < node->arg_count && all; i++) {
        if (i < node->owner->input_count && node->owner->inputs[i]->dead)
            continue;
        struct node *arg = node_fold(p, node->args[i]);
        all = arg != NULL && arg->kind == NODE_LITERAL;
        equal = all && equal && (same == NULL || literals_equal(same, arg));
        same = arg;
    }
    if (!all)
        return node;
    return equal && same != NULL ? same : constant(p, node);
}

/* count(*), count(1) */
static bool counts_rows(const struct node *node)
{
    for (uint32_t i = 0; i < node->arg_count; i++)
        if (node->args[i]->kind != NODE_LITERAL)
            return false;
    return true;
}

/* Constant when all that counts of its arguments is. */
static struct node *fold_aggregate(struct plan *p, struct node *node)
{
    if (counts_rows(node))
        return node;
    for (uint32_t i = 0; i < node->arg_count; i++) {
        bool lost = i < 64 && (node->lost >> i & 1) != 0;
        struct node *arg = lost ? NULL : node_fold(p, node->args[i]);
        if (arg != NULL && arg->kind != NODE_LITERAL)
            return node;
    }
    return constant(p, node);
}

static struct node *rebuild(struct plan *p, struct node *node)
{
    struct node **args = node->arg_count == 0 ? NULL : ARENA_ARRAY(p->arena, struct node *, node->arg_count);
    bool changed = false;
    if (args == NULL)
        return node;
    for (uint32_t i = 0; i < node->arg_count; i++) {
        args[i] = node_fold(p, node->args[i]);
        if (args[i] == NULL)
            return node;
        changed |= args[i] != node->args[i];
    }
    if (!changed)
        return node;
    struct node_key key = {.kind = node->kind, .op = node->op, .type = node->type, .name = node->name, .args = args,
                           .arg_count = node->arg_count, .column = node->column, .owner = node->owner, .ordinal = node->ordinal};
    bool raw = p->raw;
    p->raw = node->raw;
    struct node *built = node_simple(p, &key);
    p->raw = raw;
    return built == NULL ? node : built;
}

static struct node *fold_one(struct plan *p, struct node *node)
{
    if (node->fact != NULL)
        return node->fact;
    switch ((enum node_kind)node->kind) {
    case NODE_LITERAL:
        return node;
    case NODE_COLUMN:
    case NODE_WINDOW:
    case NODE_SCRIPT:
        return is_dead(node->owner) ? constant(p, node) : node;
    case NODE_BARRIER: {
        struct node *below = is_dead(node->owner) ? constant(p, node) : node_fold(p, node->args[0]);
        return below != NULL && below->kind == NODE_LITERAL ? below : node;
    }
    case NODE_BRANCHES:
        return is_dead(node->owner) ? constant(p, node) : fold_branches(p, node);
    case NODE_AGGREGATE:
        return is_dead(node->owner) ? constant(p, node) : fold_aggregate(p, node);
    case NODE_SUBQUERY:
        return node;
    case NODE_OPERATOR:
    case NODE_IN:
    case NODE_CASE:
    case NODE_CAST:
    case NODE_FIELD:
    case NODE_ROW:
    case NODE_CALL:
        break;
    }
    return rebuild(p, node);
}

struct node *node_fold(struct plan *p, struct node *node)
{
    if (node == NULL)
        return NULL;
    if (node->fold_stamp == p->fold_stamp)
        return node->folded;
    struct node *folded = fold_one(p, node);
    if (folded == NULL)
        folded = node;
    node->fold_stamp = p->fold_stamp;
    node->folded = folded;
    return folded;
}

/* ---- where a node comes from ---- */

struct trace_way {
    struct node *node;
    uint8_t strength;
    bool script;
};

typedef VEC(struct trace_way) ways_t;

static void go(struct plan *p, ways_t *ways, struct node *node, const struct trace_way *from, uint8_t strength, bool script)
{
    struct trace_way *way = node == NULL ? NULL : VEC_PUSH(p->arena, ways);
    if (way == NULL)
        return;
    *way = (struct trace_way){node, strength > from->strength ? strength : from->strength, from->script || script};
}

static void go_args(struct plan *p, ways_t *ways, const struct trace_way *from, uint8_t strength, bool script)
{
    for (uint32_t i = 0; i < from->node->arg_count; i++)
        go(p, ways, from->node->args[i], from, strength, script);
}

static void go_subquery(struct plan *p, ways_t *ways, const struct trace_way *from)
{
    const struct part *part = from->node->owner;
    if (from->node->op == EXPR_EXISTS)
        return;
    go_args(p, ways, from, STRENGTH_TRANSFORMATION, false);
    for (uint32_t i = 0; i < part->output_count; i++)
        go(p, ways, part->outputs[i], from, from->node->op == EXPR_SUBQUERY ? STRENGTH_IDENTITY : STRENGTH_TRANSFORMATION, false);
}

static void go_branches_of(struct plan *p, ways_t *ways, const struct trace_way *from, const struct node *node)
{
    const struct part *part = node->owner;
    for (uint32_t i = 0; i < node->arg_count; i++) {
        bool dead = !node->opaque && i < part->input_count && part->inputs[i] != NULL && part->inputs[i]->dead;
        if (!dead)
            go(p, ways, node->args[i], from, STRENGTH_IDENTITY, false);
    }
}

static void go_branches(struct plan *p, ways_t *ways, const struct trace_way *from)
{
    struct part *part = from->node->owner;
    uint32_t ordinal = from->node->ordinal, i = 0;
    go_branches_of(p, ways, from, from->node);
    while (!from->node->opaque && (i = branches_next(p, part, ordinal, i)) < part->output_count) {
        const struct node *same = part->outputs[i++];
        while (same != NULL && same->kind == NODE_BARRIER && same->owner == part)
            same = same->args[0];
        if (same != NULL && same->kind == NODE_BRANCHES)
            go_branches_of(p, ways, from, same);
    }
}

static void go_window(struct plan *p, ways_t *ways, const struct trace_way *from)
{
    uint32_t count;
    struct part *part = window_row_part(p, from->node->owner);
    if (part->row_stamp == p->stamp)
        return;
    part->row_stamp = p->stamp;
    struct node **row = window_row(p, from->node->owner, &count);
    for (uint32_t i = 0; i < count; i++)
        go(p, ways, row[i], from, STRENGTH_TRANSFORMATION, true);
}

static void go_aggregate(struct plan *p, ways_t *ways, const struct trace_way *from)
{
    if (counts_rows(from->node))
        trace_rows(&p->flow->tracer, from->node->owner->query, STRENGTH_AGGREGATION);
    for (uint32_t i = 0; i < from->node->arg_count; i++)
        if (i >= 64 || (from->node->lost >> i & 1) == 0)
            go(p, ways, from->node->args[i], from, STRENGTH_AGGREGATION, false);
}

static void follow(struct plan *p, ways_t *ways, const struct trace_way *way)
{
    switch ((enum node_kind)way->node->kind) {
    case NODE_LITERAL:
        return;
    case NODE_COLUMN:
        trace_column_as(&p->flow->tracer, way->node->column, way->strength, way->script);
        return;
    case NODE_BARRIER:
        go_args(p, ways, way, STRENGTH_IDENTITY, false);
        return;
    case NODE_BRANCHES:
        go_branches(p, ways, way);
        return;
    case NODE_AGGREGATE:
        go_aggregate(p, ways, way);
        return;
    case NODE_WINDOW:
        go_window(p, ways, way);
        return;
    case NODE_SCRIPT:
        go_args(p, ways, way, STRENGTH_TRANSFORMATION, true);
        return;
    case NODE_SUBQUERY:
        go_subquery(p, ways, way);
        return;
    case NODE_FIELD:
        if (!p->skip_fields)
            go_args(p, ways, way, STRENGTH_TRANSFORMATION, false);
        return;
    case NODE_OPERATOR:
    case NODE_IN:
    case NODE_CASE:
    case NODE_CAST:
    case NODE_ROW:
    case NODE_CALL:
        go_args(p, ways, way, STRENGTH_TRANSFORMATION, false);
        return;
    }
}

void plan_trace(struct plan *p, struct node *node, bool keep_constants)
{
    ways_t ways = {NULL, 0, 0};
    struct trace_way top = {node, STRENGTH_IDENTITY, false};
    uint32_t stamp = ++p->stamp;
    go(p, &ways, node, &top, STRENGTH_IDENTITY, false);
    while (ways.count > 0 && !p->arena->failed) {
        struct trace_way way = ways.items[--ways.count];
        if (!keep_constants)
            way.node = node_fold(p, way.node);
        uint32_t strength = 1 + way.strength + (way.script ? 8u : 0u);
        if (way.node->stamp == stamp && way.node->strength >= strength)
            continue;
        way.node->stamp = stamp;
        way.node->strength = strength;
        follow(p, &ways, &way);
    }
}
