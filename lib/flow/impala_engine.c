/*
 * The reading of Impala's engine: what its lineage event log reports (impala.md 7.1). One PROJECTION a target, window keys as a PREDICATE
 * of that target, and one set of PREDICATE columns for the whole statement: filters, joins, the keys of grouped blocks with an
 * aggregate, and orders that have a limit.
 */
#include "flow/flow.h"

static bool counts(const struct bound_query *query, const struct predicate *predicate)
{
    switch (predicate->own_clause) {
    case CLAUSE_JOIN:
    case CLAUSE_FILTER:
        return true;
    case CLAUSE_GROUP_BY:
        return query->aggregated;
    case CLAUSE_SORT:
        return query->has_limit;
    case CLAUSE_WINDOW:
    case CLAUSE_CONDITIONAL:
    case CLAUSE_DISTINCT:
    case CLAUSE_KIND_COUNT:
        return false;
    }
    return false;
}

static void use_query(struct flow *f, struct bound_query *query)
{
    for (struct predicate *p = query->predicates.first; p != NULL; p = p->next)
        if (counts(query, p))
            flow_use_for_leg(f, p);
}

/* Window keys stay with the target; scalar subqueries become joins of the whole statement. */
static bool visit_column(struct tracer *t, struct column *column)
{
    struct flow *f = t->context;
    for (struct predicate *p = column->predicates.first; p != NULL; p = p->next)
        if (p->clause == CLAUSE_WINDOW)
            flow_use_for_target(f, p);
    for (struct bound_query *q = column->subqueries; q != NULL; q = q->next_subquery)
        flow_each_query(f, q, use_query);
    return true;
}

static void flow_leg(struct flow *f, struct bound_leg *leg)
{
    f->leg = leg;
    if (leg->query != NULL)
        flow_each_query(f, leg->query, use_query);
    for (uint32_t i = 0; i < leg->targets.count && !f->arena->failed; i++) {
        struct target_column *target = f->target = &leg->targets.items[i];
        trace_begin(&f->tracer);
        if (target->column != NULL)
            trace_column(&f->tracer, target->column);
        flow_put_column(f, target);
    }
}

/* EXPLAIN, DELETE and the like leave no record (impala.md 7.6). */
static bool leaves_record(const struct bound_statement *bound)
{
    return !bound->explain && bound->operation != OPERATION_DELETE && bound->operation != OPERATION_RENAME;
}

void flow_impala_engine(struct flow *f)
{
    f->tracer.skip_roles = DEP_WINDOW_KEY | DEP_ROWS;
    f->predicate_skip = DEP_ROWS;
    f->tracer.path_in_column = true;
    f->tracer.visit = visit_column;
    f->tracer.context = f;
    if (f->bound->operation == OPERATION_CREATE_TABLE)
        f->bound->extra_outputs.count = 0; /* an empty graph */
    if (!leaves_record(f->bound))
        return;
    for (uint32_t i = 0; i < f->bound->legs.count; i++)
        flow_leg(f, &f->bound->legs.items[i]);
    flow_put_predicates(f);
}
