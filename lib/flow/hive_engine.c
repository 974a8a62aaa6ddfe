/*
 * The reading of Hive's engine: what its LineageLogger reports. Statements in which nothing is optimised away are read from the
 * bound graph as it is; others are planned first (see hive_plan.h).
 */
#include "flow/hive_plan.h"

#include "bind/binder.h"

/* What may change the sources of a column. */
static const uint32_t planned_traits = TRAIT_WINDOW | TRAIT_DISTINCT | TRAIT_TABLE_FUNCTION | TRAIT_SETOP_ALL | TRAIT_LITERAL | TRAIT_CHOICE |
                                       TRAIT_ON | TRAIT_SUBQUERY | TRAIT_REPEAT;

/* ---- the plan of a statement ---- */

/* The FROM that legs of a multi-insert share; NULL: none, or each has lateral views of its own. */
static struct bound_query *shared_from(const struct bound_statement *bound)
{
    for (uint32_t i = 0; i < bound->legs.count; i++)
        if (bound->legs.items[i].query != NULL && bound->legs.items[i].query->from_shared != NULL)
            return bound->legs.items[i].query->from_shared;
    return NULL;
}

/* What several legs read is optimised by itself, unless it is one table, view or CTE by its name; the legs are not. */
static bool is_one_name(const struct bound_query *from)
{
    const struct scope *scope = from->scope;
    if (scope == NULL || scope->relations.count != 1)
        return false;
    const struct relation *relation = scope->relations.items[0];
    return relation->kind == RELATION_SCAN || relation->is_cte || relation->is_view;
}

/* Statements that Hive compiles without its optimiser, views and all. */
static bool is_unplanned(uint32_t traits)
{
    return (traits & TRAIT_UNPLANNED) != 0 || (traits & (TRAIT_SORT | TRAIT_LIMIT)) == (TRAIT_SORT | TRAIT_LIMIT);
}

static struct part *leg_part(struct plan *p, struct bound_query *query, struct part *from)
{
    if (query == NULL)
        return NULL;
    if (from != NULL && query->from_shared == from->query)
        return plan_leg(p, query, from);
    return plan_query(p, query, NULL);
}

static struct part **plan_legs(struct plan *p)
{
    struct bound_statement *bound = p->flow->bound;
    struct part **parts = ARENA_ARRAY(p->arena, struct part *, bound->legs.count == 0 ? 1 : bound->legs.count);
    struct part *from = NULL;
    bool several = bound->legs.count > 1 && bound->operation == OPERATION_MULTI_INSERT;
    struct bound_query *shared = several ? shared_from(bound) : NULL;
    if (parts == NULL)
        return NULL;
    p->aside = is_unplanned(bound->traits);
    if (shared != NULL) {
        p->raw = p->aside || is_one_name(shared);
        from = plan_query(p, shared, NULL);
    }
    p->raw = p->aside || several;
    for (uint32_t i = 0; i < bound->legs.count && !p->failed; i++) {
        struct bound_query *query = bound->legs.items[i].query;
        bool again = i > 0 && query == bound->legs.items[i - 1].query;
        parts[i] = again ? parts[i - 1] : leg_part(p, query, from);
    }
    if (several && !p->failed)
        share_distinct(p, parts, bound->legs.count);
    p->raw = false;
    if (!p->failed)
        plan_solve(p);
    return p->failed || p->arena->failed ? NULL : parts;
}

/* ---- columns ---- */

/* A target's value: an output of the leg's query, or an expression of its own (MERGE). */
static struct node *value_of(struct plan *p, struct part *part, const struct target_column *target)
{
    struct column *column = target->column;
    if (column == NULL || part == NULL)
        return NULL;
    if (column->query == part->query && column->ordinal < part->output_count && part->query->columns.items[column->ordinal] == column)
        return part->outputs[column->ordinal];
    if (column->expr != NULL && column->scope == part->scope) {
        p->part = part;
        struct node *node = plan_expr(p, part->scope, column->expr);
        p->part = NULL;
        return node;
    }
    struct node_key key = {.kind = NODE_COLUMN, .column = column};
    return node_make(p, &key);
}

/* Hive reports neither the keys of static partitions nor the partition columns of what a statement creates. */
static bool is_reported(const struct bound_leg *leg, const struct target_column *target)
{
    bool creates = leg->output.mode == WRITE_CREATE || leg->output.mode == WRITE_REPLACE;
    return !target->static_partition && !(creates && target->dynamic_partition);
}

/* Of MERGE only what it inserts; nothing of UPDATE and DELETE. */
static bool has_columns(const struct flow *f, const struct bound_leg *leg)
{
    if (f->bound->operation == OPERATION_UPDATE || f->bound->operation == OPERATION_DELETE)
        return false;
    return leg->merge_action == 0 || leg->merge_action == MERGE_INSERT + 1 || leg->merge_action == MERGE_INSERT_STAR + 1;
}

/* Hive names a result's plain columns with their table's alias, where the query gives it or the star tells it. */
static str_t result_name(struct flow *f, const struct target_column *target)
{
    const struct column *column = target->column;
    if (column == NULL || column->flags & COLUMN_ALIASED)
        return target->name;
    str_t alias = STR("");
    if (column->expr == NULL && column->star_of != NULL)
        alias = name_str(column->star_of->alias);
    else if (column->expr != NULL && column->expr->kind == EXPR_COLUMN && column->expr->u.name.count == 2 &&
             column->scope != NULL && scope_relation(column->scope, column->expr->u.name.parts, 1) != NULL)
        alias = name_str(column->expr->u.name.parts[0].name);
    if (alias.len == 0)
        return target->name;
    return arena_join(f->arena, arena_join(f->arena, alias, STR(".")), target->name);
}

static bool is_result(const struct bound_leg *leg)
{
    return leg->output.dataset.table.len == 0 && leg->output.dataset.path.len == 0 && leg->query != NULL && leg->query->kind == BOUND_BLOCK;
}

static void put_leg(struct flow *f, struct plan *p, struct part *part, struct bound_leg *leg)
{
    f->leg = leg;
    for (uint32_t i = 0; has_columns(f, leg) && i < leg->targets.count && !f->arena->failed; i++) {
        struct target_column *target = f->target = &leg->targets.items[i];
        if (!is_reported(leg, target))
            continue;
        trace_begin(&f->tracer);
        if (p != NULL && part != NULL)
            plan_trace(p, value_of(p, part, target), false);
        else if (target->column != NULL)
            trace_column(&f->tracer, target->column);
        if (is_result(leg))
            target->name = result_name(f, target);
        flow_put_column(f, target);
    }
}

/* ---- predicates ---- */

static void use_query(struct flow *f, struct bound_query *query)
{
    for (struct predicate *p = query->predicates.first; p != NULL; p = p->next)
        if (p->own_clause == CLAUSE_JOIN || p->own_clause == CLAUSE_FILTER)
            flow_use_for_leg(f, p);
}

static void use_leg(struct flow *f, struct bound_leg *leg)
{
    f->leg = leg;
    for (struct predicate *p = leg->predicates.first; p != NULL; p = p->next)
        if (p->own_clause == CLAUSE_JOIN || p->own_clause == CLAUSE_FILTER)
            flow_use_for_leg(f, p);
    if (leg->query != NULL)
        flow_each_query(f, leg->query, use_query);
}

void flow_hive_engine(struct flow *f)
{
    struct plan plan = {.flow = f, .arena = f->arena};
    f->tracer.no_paths = true;
    f->value_queries = true;
    bool planned = (f->bound->traits & planned_traits) != 0;
    struct part **parts = planned ? plan_legs(&plan) : NULL;
    for (uint32_t i = 0; i < f->bound->legs.count; i++)
        put_leg(f, parts == NULL ? NULL : &plan, parts == NULL ? NULL : parts[i], &f->bound->legs.items[i]);
    for (uint32_t i = 0; i < f->bound->legs.count; i++)
        use_leg(f, &f->bound->legs.items[i]);
    if (parts != NULL)
        plan_predicates(&plan);
    flow_put_predicates(f);
}
