/*
 * The reading of values (the default): what a value is computed from. A window function's argument is a source, its keys are
 * predicates; conditions of CASE and IF are both (design section 3).
 */
#include "flow/flow.h"

static struct flow *flow_of(struct tracer *t)
{
    return t->context;
}

static void use_subquery(struct flow *f, struct bound_query *query)
{
    for (struct predicate *p = query->predicates.first; p != NULL; p = p->next)
        flow_use_for_target(f, p);
}

/* A vertex on the way to the target in hand: its own predicates decide that target. */
static bool visit_column(struct tracer *t, struct column *column)
{
    struct flow *f = flow_of(t);
    f->ranked |= (column->flags & COLUMN_WINDOW) != 0;
    for (struct predicate *p = column->predicates.first; p != NULL; p = p->next)
        flow_use_for_target(f, p);
    for (struct bound_query *q = column->subqueries; q != NULL; q = q->next_subquery)
        flow_each_query(f, q, use_subquery);
    return true;
}

static void use_query(struct flow *f, struct bound_query *query)
{
    for (struct predicate *p = query->predicates.first; p != NULL; p = p->next)
        flow_use_for_leg(f, p);
}

static void flow_leg(struct flow *f, struct bound_leg *leg)
{
    f->leg = leg;
    for (struct predicate *p = leg->predicates.first; p != NULL; p = p->next)
        flow_use_for_leg(f, p);
    if (leg->query != NULL)
        flow_each_query(f, leg->query, use_query);
    for (uint32_t i = 0; i < leg->targets.count && !f->arena->failed; i++) {
        struct target_column *target = f->target = &leg->targets.items[i];
        f->ranked = false;
        trace_begin(&f->tracer);
        if (target->column != NULL)
            trace_column(&f->tracer, target->column);
        flow_put_column(f, target);
    }
}

void flow_value(struct flow *f)
{
    f->tracer.skip_roles = f->predicate_skip = DEP_WINDOW_KEY;
    f->tracer.visit = visit_column;
    f->tracer.context = f;
    for (uint32_t i = 0; i < f->bound->legs.count; i++)
        flow_leg(f, &f->bound->legs.items[i]);
    flow_put_predicates(f);
}
