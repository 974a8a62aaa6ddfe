/*
 * What a window function comes of in Hive's eyes: every column of the row that reaches it, whatever its arguments. Which columns that
 * row has depends on what lies below: all of a single table, what a join must deliver, keys and aggregates that are needed.
 */
#include "flow/hive_plan.h"

#include "bind/bind.h"

enum {
    LIVE_VALUE = 1, /* needed for a value or a key */
    LIVE_FILTER = 2 /* needed for a condition only */
};

typedef VEC(struct node *) nodes_t;

static void push(struct plan *p, nodes_t *nodes, struct node *node)
{
    struct node **slot = node == NULL ? NULL : VEC_PUSH(p->arena, nodes);
    if (slot != NULL)
        *slot = node;
}

/* ---- columns that are needed ---- */

struct live_mark {
    struct column *column;
    uint32_t bit;
};

struct live {
    struct plan *plan;
    VEC(struct live_mark) stack;
};

static void mark(struct live *live, struct column *column, uint32_t bit)
{
    if (column == NULL || column->live & bit)
        return;
    struct live_mark *top = VEC_PUSH(live->plan->arena, &live->stack);
    if (top == NULL)
        return;
    column->live |= bit;
    *top = (struct live_mark){column, bit};
}

static void mark_deps(struct live *live, const struct deps *deps, uint32_t bit)
{
    for (uint32_t i = 0; i < deps->count; i++)
        mark(live, deps->items[i].column, bit);
}

static void mark_query(struct live *live, struct bound_query *query)
{
    for (const struct predicate *predicate = query->predicates.first; predicate != NULL; predicate = predicate->next)
        mark_deps(live, &predicate->deps, predicate->clause == CLAUSE_FILTER ? LIVE_FILTER : LIVE_VALUE);
}

static void visit_query(struct flow *f, struct bound_query *query)
{
    mark_query(f->context, query);
}

/* Marks what the targets need; once a statement. */
static void find_live(struct plan *p)
{
    struct live live = {.plan = p};
    struct flow *f = p->flow;
    void *context = f->context;
    f->context = &live;
    for (uint32_t i = 0; i < f->bound->legs.count; i++) {
        struct bound_leg *leg = &f->bound->legs.items[i];
        for (uint32_t k = 0; k < leg->targets.count; k++)
            mark(&live, leg->targets.items[k].column, LIVE_VALUE);
        flow_each_query(f, leg->query, visit_query);
    }
    while (live.stack.count > 0) {
        struct live_mark top = live.stack.items[--live.stack.count];
        bool computed = (top.column->flags & (COLUMN_WINDOW | COLUMN_AGGREGATE)) != 0; /* a condition on it stays above */
        mark_deps(&live, &top.column->deps, computed ? LIVE_VALUE : top.bit);
    }
    f->context = context;
    p->live_done = true;
}

static bool is_live(const struct part *part, uint32_t i, uint32_t bits)
{
    return part->query == NULL || i >= part->query->columns.count || (part->query->columns.items[i]->live & bits) != 0;
}

/* ---- rows ---- */

static void add_input(struct plan *p, struct part *part, bool nested, nodes_t *row);

/* A column that stays one even where its value is known. */
static struct node *kept_column(struct plan *p, struct column *column)
{
    struct node_key key = {.kind = NODE_COLUMN, .column = column};
    return node_make(p, &key);
}

static void add_scan(struct plan *p, struct part *part, nodes_t *row)
{
    struct relation *relation = part->relation;
    for (uint32_t i = 0; i < relation->column_count; i++)
        push(p, row, kept_column(p, bind_relation_column(p->arena, p->flow->bound, relation, i)));
    for (uint32_t i = 0; i < relation->extra.count && relation->column_count == 0; i++)
        if (!(relation->extra.items[i]->flags & COLUMN_HIDDEN))
            push(p, row, kept_column(p, relation->extra.items[i]));
}

static void add_outputs(struct plan *p, struct part *part, uint32_t live, nodes_t *row)
{
    for (uint32_t i = 0; i < part->output_count; i++)
        if (live == 0 || is_live(part, i, live))
            push(p, row, part->outputs[i]);
}

/* The aggregates of the part below a node. */
static void add_aggregates(struct plan *p, const struct part *part, struct node *node, nodes_t *row)
{
    nodes_t stack = {NULL, 0, 0};
    push(p, &stack, node);
    uint32_t stamp = ++p->set_stamp;
    while (stack.count > 0 && !p->arena->failed) {
        struct node *top = stack.items[--stack.count];
        if (top->set_stamp == stamp)
            continue;
        top->set_stamp = stamp;
        if (top->kind == NODE_AGGREGATE && top->owner == part)
            push(p, row, top);
        for (uint32_t i = 0; i < top->arg_count && top->kind != NODE_AGGREGATE; i++)
            push(p, &stack, top->args[i]);
    }
}

static void add_grouped(struct plan *p, struct part *part, nodes_t *row)
{
    for (uint32_t i = 0; i < part->keys.count; i++)
        push(p, row, part->keys.items[i]);
    for (uint32_t i = 0; i < part->output_count; i++)
        if (p->aside || is_live(part, i, LIVE_VALUE | LIVE_FILTER))
            add_aggregates(p, part, part->outputs[i], row);
    for (uint32_t i = 0; i < part->windows.count; i++)
        add_aggregates(p, part, part->windows.items[i], row);
    for (uint32_t i = 0; i < p->conditions.count; i++)
        if (p->conditions.items[i]->part == part && p->conditions.items[i]->kind == CONDITION_HAVING)
            add_aggregates(p, part, p->conditions.items[i]->node, row);
}

/* The columns that a node reads, each once for a stamp; the block's own window functions give way to what they read. */
static void add_leaves(struct plan *p, const struct part *part, struct node *node, uint32_t stamp, nodes_t *row)
{
    nodes_t stack = {NULL, 0, 0};
    push(p, &stack, node);
    while (stack.count > 0 && !p->arena->failed) {
        struct node *top = stack.items[--stack.count];
        if (top->set_stamp == stamp)
            continue;
        top->set_stamp = stamp;
        bool own = top->owner == part && (top->kind == NODE_WINDOW || (top->kind == NODE_BARRIER && !top->opaque));
        bool leaf = top->kind >= NODE_COLUMN && top->kind <= NODE_SUBQUERY && !own;
        if (leaf)
            push(p, row, top);
        for (uint32_t i = 0; !leaf && i < top->arg_count; i++)
            push(p, &stack, top->args[i]);
    }
}

/* What the block's own items and windows use. */
static void add_used(struct plan *p, struct part *part, bool nested, uint32_t stamp, nodes_t *row)
{
    for (uint32_t i = 0; i < part->output_count; i++)
        if (is_live(part, i, nested ? LIVE_VALUE : LIVE_VALUE | LIVE_FILTER))
            add_leaves(p, part, part->outputs[i], stamp, row);
    for (uint32_t i = 0; i < part->windows.count; i++)
        add_leaves(p, part, part->windows.items[i], stamp, row);
}

/* ---- conditions below a window ---- */

static bool is_fixed_column(const struct node *node)
{
    return node->kind == NODE_COLUMN && node->fact != NULL;
}

static bool makes_constant(const struct node *term)
{
    if (term->kind != NODE_OPERATOR)
        return false;
    if (term->op == OP_IS_NULL)
        return is_fixed_column(term->args[0]);
    bool literal = term->op == OP_EQ && (term->args[0]->kind == NODE_LITERAL || term->args[1]->kind == NODE_LITERAL);
    return literal && (is_fixed_column(term->args[0]) || is_fixed_column(term->args[1]));
}

static struct node *subquery_of(struct node *term, bool *negated)
{
    *negated = term->kind == NODE_OPERATOR && term->op == OP_NOT;
    if (*negated)
        term = term->args[0];
    if (term->kind == NODE_SUBQUERY)
        return term;
    for (uint32_t i = 0; term->kind == NODE_OPERATOR && term->op >= OP_EQ && term->op <= OP_GE && i < term->arg_count; i++)
        if (term->args[i]->kind == NODE_SUBQUERY)
            return term->args[i];
    return NULL;
}

/* Whether a window function of the block computes anything from what it reads. */
static bool windows_compute(const struct part *part)
{
    for (uint32_t i = 0; i < part->windows.count; i++) {
        const struct node *window = part->windows.items[i];
        for (uint32_t k = 0; k < window->arg_count; k++)
            if (window->args[k]->kind > NODE_SUBQUERY)
                return true;
    }
    return false;
}

struct join_terms {
    struct part *part;
    const struct condition *condition; /* in hand */
    bool single; /* conjuncts on one base table count */
    bool fixed;  /* one of the conjuncts makes a constant */
    nodes_t *row;
};

static void each_term(struct plan *p, const struct part *part, void (*visit)(struct plan *, struct join_terms *, struct node *),
                      struct join_terms *terms)
{
    for (uint32_t i = 0; i < p->conditions.count; i++) {
        const struct condition *condition = p->conditions.items[i];
        if (condition->part != part || condition->kind == CONDITION_HAVING)
            continue;
        struct node *node = condition->node;
        terms->condition = condition;
        bool many = node->kind == NODE_OPERATOR && node->op == OP_AND;
        for (uint32_t k = 0; k < (many ? node->arg_count : 1); k++)
            visit(p, terms, many ? node->args[k] : node);
    }
}

static void note_fixed(struct plan *p, struct join_terms *terms, struct node *term)
{
    (void)p;
    terms->fixed |= makes_constant(term);
}

static bool is_semi(const struct condition *condition)
{
    uint8_t kind = condition->kind == CONDITION_ON ? condition->part->joins[condition->join].kind : (uint8_t)JOIN_INNER;
    return kind == JOIN_LEFT_SEMI || kind == JOIN_LEFT_ANTI;
}

/* An outer join's condition on the side that is kept is checked in the join itself. */
static bool keeps_input(const struct condition *condition, uint32_t input)
{
    const struct part_join *join = &condition->part->joins[condition->join];
    bool left = input >= join->first_left && input < join->first_right, right = input >= join->first_right && input < join->end_right;
    return (left && join->kind != JOIN_RIGHT) || (right && join->kind != JOIN_LEFT);
}

static void add_term(struct plan *p, struct join_terms *terms, struct node *term)
{
    uint32_t input = part_only_input(terms->part, term);
    bool spans = term->first_part <= term->last_part && input == terms->part->input_count;
    bool base = input < terms->part->input_count && terms->part->inputs[input]->kind == PART_SCAN;
    bool aggregate = input < terms->part->input_count && terms->part->inputs[input]->aggregated;
    bool negated;
    if (is_semi(terms->condition)) {
        for (uint32_t i = 0; i < term->arg_count; i++)
            if (part_only_input(terms->part, term->args[i]) < terms->part->joins[terms->condition->join].first_right)
                add_leaves(p, terms->part, term->args[i], ++p->set_stamp, terms->row);
        return;
    }
    bool stays = condition_is_outer(terms->condition) && input < terms->part->input_count && keeps_input(terms->condition, input);
    if (subquery_of(term, &negated) == NULL && (spans || stays || ((base || aggregate) && terms->single && !terms->fixed)))
        add_leaves(p, terms->part, term, ++p->set_stamp, terms->row);
}

/* What any leg of a multi-insert uses of the join that all read. */
static void add_used_by_legs(struct plan *p, const struct part *leg, nodes_t *row)
{
    uint32_t stamp = ++p->set_stamp;
    for (uint32_t i = 0; i < p->parts.count; i++)
        if (p->parts.items[i]->leg && p->parts.items[i]->parent == leg->parent)
            add_used(p, p->parts.items[i], false, stamp, row);
}

/* A block whose joins become one with those of the block above it. */
static bool merges_with_joins(const struct part *part)
{
    return part->kind == PART_BLOCK && !part->aggregated && !part->distinct && !part->limited && !part->windowed && !part->lateral;
}

/* What derived tables among the inputs bring along: joins their conditions over both sides, groups their keys. */
static void add_sides(struct plan *p, const struct part *part, uint32_t *joins, nodes_t *row)
{
    for (uint32_t i = 0; i < part->input_count; i++) {
        struct part *input = part->inputs[i];
        struct join_terms terms = {.part = input, .row = row};
        for (uint32_t k = 0; input != NULL && input->kind == PART_BLOCK && input->grouped && k < input->keys.count; k++)
            push(p, row, input->keys.items[k]);
        if (input == NULL || !merges_with_joins(input))
            continue;
        if (input->input_count > 1)
            each_term(p, input, add_term, &terms);
        *joins += input->input_count > 1 ? input->input_count - 1 : 0;
        add_sides(p, input, joins, row);
    }
}

static void add_join(struct plan *p, struct part *part, bool nested, nodes_t *row)
{
    uint32_t joins = part->input_count - 1;
    add_used(p, part, nested, ++p->set_stamp, row);
    add_sides(p, part, &joins, row);
    struct join_terms terms = {.part = part, .single = joins == 1 && !nested && !windows_compute(part), .row = row};
    each_term(p, part, note_fixed, &terms);
    each_term(p, part, add_term, &terms);
}

/* ---- subqueries in WHERE ---- */

static bool reads_outside(const struct part *part, const struct node *node)
{
    return node->first_part <= node->last_part && (node->first_part < part->id || node->last_part >= part->end);
}

/* The columns of the block that a subquery is linked by. */
static void add_links(struct plan *p, struct node *subquery, bool negated, nodes_t *row)
{
    const struct part *part = subquery->owner;
    for (uint32_t i = 0; i < subquery->arg_count; i++)
        push(p, row, subquery->args[i]);
    if (negated || subquery->op == EXPR_SUBQUERY)
        for (uint32_t i = 0; i < part->output_count && subquery->op != EXPR_EXISTS; i++)
            push(p, row, part->outputs[i]);
    for (uint32_t i = 0; i < p->conditions.count; i++) {
        struct node *node = p->conditions.items[i]->node;
        if (p->conditions.items[i]->part != part)
            continue;
        bool many = node->kind == NODE_OPERATOR && node->op == OP_AND;
        for (uint32_t k = 0; k < (many ? node->arg_count : 1); k++) {
            struct node *term = many ? node->args[k] : node;
            for (uint32_t a = 0; a < term->arg_count; a++)
                if (reads_outside(part, term->args[a]))
                    push(p, row, term->args[a]);
        }
    }
}

static void add_term_links(struct plan *p, struct join_terms *terms, struct node *term)
{
    bool negated;
    struct node *subquery = subquery_of(term, &negated);
    if (subquery == NULL)
        return;
    terms->fixed = true;
    add_links(p, subquery, negated, terms->row);
    for (uint32_t i = 0; term->kind == NODE_OPERATOR && term->op != OP_NOT && i < term->arg_count; i++)
        push(p, terms->row, term->args[i]);
}

/* ---- what lies below ---- */

static bool reads_just(const struct node *node, const struct part *part)
{
    return node->first_part == part->id && node->last_part == part->id;
}

/* Whether a condition is about a table alone. */
static bool is_filtered(const struct plan *p, const struct part *scan)
{
    for (uint32_t i = 0; i < p->conditions.count; i++) {
        const struct node *node = p->conditions.items[i]->node;
        bool many = node->kind == NODE_OPERATOR && node->op == OP_AND, found = reads_just(node, scan);
        for (uint32_t k = 0; many && k < node->arg_count && !found; k++)
            found = reads_just(node->args[k], scan);
        if (found)
            return true;
    }
    return false;
}

/* Below a LATERAL VIEW, a filter on a table brings the columns along that no star shows. */
static void add_virtual(struct plan *p, const struct part *scan, nodes_t *row)
{
    static const str_t names[] = {STR("block__offset__inside__file"), STR("input__file__name"), STR("row__id"), STR("row__is__deleted")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct column *column = bind_relation_find(p->arena, p->flow->bound, scan->relation, name_of(names[i]));
        if (column != NULL)
            push(p, row, kept_column(p, column));
    }
}

/* All that the inputs of a block give, but for those that only filter. */
static void add_inputs(struct plan *p, struct part *part, nodes_t *row)
{
    for (uint32_t i = 0; i < part->input_count; i++) {
        struct part *input = part->inputs[i];
        if (part->scope != NULL && i < part->scope->relations.count && part->scope->relations.items[i]->filters_only)
            continue;
        if (input != NULL && input->kind == PART_SCAN) {
            add_scan(p, input, row);
            if (!p->aside && part->lateral && is_filtered(p, input))
                add_virtual(p, input, row);
        } else if (input != NULL) {
            add_outputs(p, input, 0, row);
        }
    }
}

/* The rows that a block's FROM and WHERE give. */
static void add_below(struct plan *p, struct part *part, bool nested, nodes_t *row)
{
    if (p->aside) { /* nothing is pruned */
        add_inputs(p, part, row);
        return;
    }
    struct join_terms terms = {.part = part, .row = row};
    uint32_t joins = 0;
    each_term(p, part, add_term_links, &terms);
    if (terms.fixed) {
        if (part->input_count > 1)
            add_join(p, part, nested, row);
        else
            add_used(p, part, nested, ++p->set_stamp, row);
        if (part->input_count == 1)
            add_sides(p, part, &joins, row);
    } else if (part->lateral) {
        add_inputs(p, part, row);
    } else if (part->input_count == 1 && part->inputs[0] != NULL) {
        add_input(p, part->inputs[0], true, row);
    } else if (part->input_count > 1) {
        add_join(p, part, nested, row);
    }
}

static void add_block(struct plan *p, struct part *part, bool nested, nodes_t *row)
{
    if (part->windowed)
        add_outputs(p, part, LIVE_VALUE | LIVE_FILTER, row);
    else if (part->aggregated)
        add_grouped(p, part, row);
    else if (part->distinct || part->limited)
        add_outputs(p, part, part->distinct ? 0 : LIVE_VALUE | LIVE_FILTER, row);
    else
        add_below(p, part, nested, row);
}

static bool is_union_all(const struct part *part)
{
    for (uint32_t i = 1; i < part->query->branches.count; i++)
        if (part->query->branches.items[i].op != SETOP_UNION_ALL)
            return false;
    return true;
}

static void add_input(struct plan *p, struct part *part, bool nested, nodes_t *row)
{
    switch ((enum part_kind)part->kind) {
    case PART_SCAN:
        add_scan(p, part, row);
        return;
    case PART_BLOCK:
        add_block(p, part, nested, row);
        return;
    case PART_SETOP:
        add_outputs(p, part, is_union_all(part) ? LIVE_VALUE : 0, row);
        return;
    case PART_RENAMED:
        if (part->input_count == 1)
            add_input(p, part->inputs[0], nested, row);
        return;
    case PART_VALUES:
    case PART_LATERAL:
    case PART_FUNCTION:
        add_outputs(p, part, 0, row);
        return;
    }
}

/* A leg of a multi-insert over a derived table: all that the table gives. */
static bool is_leg_over_query(const struct part *part)
{
    return part->parent != NULL && part->parent->kind == PART_BLOCK && part->leg && part->input_count == 1 &&
           part->inputs[0] != NULL && part->inputs[0]->kind != PART_SCAN;
}

static bool is_leg_over_join(const struct plan *p, const struct part *part)
{
    return !p->aside && part->leg && part->parent != NULL && !part->aggregated && !part->lateral && part->input_count > 1;
}

struct part *window_row_part(const struct plan *p, struct part *part)
{
    return is_leg_over_join(p, part) ? part->parent : part;
}

struct node **window_row(struct plan *p, struct part *part, uint32_t *count)
{
    bool shared = is_leg_over_join(p, part);
    const struct part *leg = part;
    part = window_row_part(p, part);
    if (!part->window_row_done) {
        if (!p->live_done)
            find_live(p);
        nodes_t row = {NULL, 0, 0};
        if (shared)
            add_used_by_legs(p, leg, &row);
        else if (part->aggregated)
            add_grouped(p, part, &row);
        else if (is_leg_over_query(part))
            add_outputs(p, part->inputs[0], 0, &row);
        else
            add_below(p, part, false, &row);
        part->window_row = row.items;
        part->window_row_count = row.count;
        part->window_row_done = true;
    }
    *count = part->window_row_count;
    return part->window_row;
}
