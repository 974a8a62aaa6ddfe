/* What both readings put into the document alike: columns with their steps, predicates with their targets, datasets. */
#include "flow/flow.h"

#include <stdlib.h>

/* ---- columns ---- */

static struct doc_column *add_column(struct flow *f, const struct target_column *target)
{
    struct doc_column *column = VEC_PUSH(f->arena, &f->columns);
    if (column == NULL)
        return NULL;
    column->table = f->leg->output.dataset.table;
    column->column = target->name;
    column->ordinal = target->ordinal;
    return column;
}

/* The only way on from a vertex, while there is one. */
static struct column *next_step(const struct column *column)
{
    struct column *next = NULL;
    for (uint32_t i = 0; i < column->deps.count; i++) {
        const struct dep *dep = &column->deps.items[i];
        if (dep->column == NULL || dep->column == next)
            continue;
        if (next != NULL)
            return NULL;
        next = dep->column;
    }
    return next;
}

enum {
    STEPS = 64 /* levels shown at most */
};

/* The expressions on the way down; what stands for the value is the first that is no bare column, else the last. */
static void describe(struct flow *f, struct doc_column *out, struct column *column)
{
    str_t steps[STEPS];
    uint32_t count = 0;
    const struct column *shown = NULL;
    for (struct column *c = column; c != NULL && count < STEPS; c = next_step(c)) {
        if (c->text.len == 0)
            continue;
        steps[count++] = c->text;
        if (shown == NULL || shown->flags & COLUMN_PLAIN)
            shown = c;
    }
    if (count == 0)
        return;
    out->expression = shown->text;
    out->span = shown->span;
    out->steps = ARENA_ARRAY(f->arena, str_t, count);
    if (out->steps == NULL)
        return;
    memcpy(out->steps, steps, count * sizeof *steps);
    out->step_count = count;
}

static void put_item(struct flow *f, struct target_column *target, enum transform transform, int strength, bool script)
{
    uint32_t count;
    struct doc_source *sources = trace_sources(&f->tracer, strength, script, true, &count);
    if (count == 0 && strength >= 0)
        return;
    struct doc_column *column = add_column(f, target);
    if (column == NULL)
        return;
    column->transform = transform;
    column->sources = sources;
    column->source_count = count;
    if (target->column != NULL)
        describe(f, column, target->column);
    else if (target->literal.len > 0)
        column->expression = target->literal;
}

static bool has_item(const struct flow *f, const struct target_column *target)
{
    for (uint32_t i = 0; i < f->columns.count; i++)
        if (str_eq(f->columns.items[i].column, target->name))
            return true;
    return false;
}

/* No source at all: a constant, or a row number; of the branches of a MERGE the one that says more stands. */
static void put_empty(struct flow *f, struct target_column *target)
{
    if (f->leg->merge_action != 0 && has_item(f, target))
        return;
    put_item(f, target, f->ranked ? TRANSFORM_TRANSFORMATION : TRANSFORM_CONSTANT, -1, false);
}

/* One item for each transform by which sources reach the target. */
void flow_put_column(struct flow *f, struct target_column *target)
{
    static const enum transform of_strength[] = {TRANSFORM_IDENTITY, TRANSFORM_TRANSFORMATION, TRANSFORM_AGGREGATION};
    bool script = false, present[STRENGTH_AGGREGATION + 1] = {false};
    for (uint32_t i = 0; i < f->tracer.reached.count; i++) {
        struct reached *r = &f->tracer.reached.items[i];
        r->script = r->script && f->in->reading == READING_ENGINE;
        script = script || r->script;
        present[r->strength] = present[r->strength] || !r->script;
    }
    if (f->tracer.reached.count == 0) {
        put_empty(f, target);
        return;
    }
    if (script)
        put_item(f, target, TRANSFORM_SCRIPT, 0, true);
    for (int strength = STRENGTH_IDENTITY; strength <= STRENGTH_AGGREGATION; strength++)
        if (present[strength])
            put_item(f, target, of_strength[strength], strength, false);
}

/* ---- predicates ---- */

static struct predicate_use *use_of(struct flow *f, struct predicate *predicate)
{
    if (predicate->use == NULL) {
        predicate->use = ARENA_NEW(f->arena, struct predicate_use);
        struct predicate **slot = VEC_PUSH(f->arena, &f->used);
        if (slot != NULL)
            *slot = predicate;
    }
    return predicate->use;
}

static void add_target(struct flow *f, struct predicate_use *use, const struct target_column *target)
{
    struct doc_target *slot = VEC_PUSH(f->arena, &use->targets);
    if (slot != NULL)
        *slot = (struct doc_target){f->leg->output.dataset.table, target->name};
}

void flow_use_for_target(struct flow *f, struct predicate *predicate)
{
    struct predicate_use *use = use_of(f, predicate);
    if (use == NULL || use->last_target == f->target || use->last_leg == f->leg)
        return;
    use->last_target = f->target;
    add_target(f, use, f->target);
}

void flow_use_for_leg(struct flow *f, struct predicate *predicate)
{
    struct predicate_use *use = use_of(f, predicate);
    if (use == NULL || use->last_leg == f->leg)
        return;
    use->last_leg = f->leg;
    struct bound_leg **slot = VEC_PUSH(f->arena, &use->whole_legs);
    if (slot != NULL)
        *slot = f->leg;
}

/* Targets of the legs that a predicate decides as a whole. */
static void add_leg_targets(struct flow *f, struct predicate_use *use)
{
    for (uint32_t i = 0; i < use->whole_legs.count; i++) {
        f->leg = use->whole_legs.items[i];
        for (uint32_t k = 0; k < f->leg->targets.count; k++)
            add_target(f, use, &f->leg->targets.items[k]);
    }
}

static int compare_targets(const void *a, const void *b)
{
    const struct doc_target *x = a, *y = b;
    int order = str_compare(x->table, y->table);
    return order != 0 ? order : str_compare(x->column, y->column);
}

static void put_predicate(struct flow *f, struct predicate *predicate)
{
    struct predicate_use *use = predicate->use;
    trace_begin(&f->tracer);
    if (f->trace_predicate != NULL)
        f->trace_predicate(f, predicate);
    else
        trace_deps(&f->tracer, &predicate->deps);
    uint32_t count;
    struct doc_source *sources = trace_sources(&f->tracer, -1, false, false, &count);
    if (count == 0)
        return;
    bool all = use->whole_legs.count == f->bound->legs.count;
    if (!all)
        add_leg_targets(f, use);
    struct doc_predicate *out = VEC_PUSH(f->arena, &f->predicates);
    if (out == NULL)
        return;
    out->clause = predicate->clause;
    out->expression = predicate->text;
    out->span = predicate->span;
    out->sources = sources;
    out->source_count = count;
    if (all)
        return;
    out->targets = use->targets.items;
    out->target_count = use->targets.count;
    if (out->target_count > 1)
        qsort(out->targets, out->target_count, sizeof *out->targets, compare_targets);
}

void flow_put_predicates(struct flow *f)
{
    f->tracer.visit = NULL;
    f->tracer.keys_of_ranks = true;
    f->tracer.skip_roles = f->predicate_skip;
    for (uint32_t i = 0; i < f->used.count; i++)
        put_predicate(f, f->used.items[i]);
}

void flow_each_query(struct flow *f, struct bound_query *query, void (*visit)(struct flow *f, struct bound_query *query))
{
    VEC(struct bound_query *) stack = {NULL, 0, 0};
    uint32_t stamp = ++f->stamp;
    struct bound_query **slot = query == NULL ? NULL : VEC_PUSH(f->arena, &stack);
    if (slot == NULL)
        return;
    *slot = query;
    while (stack.count > 0 && !f->arena->failed) {
        struct bound_query *top = stack.items[--stack.count];
        if (top->stamp == stamp)
            continue;
        top->stamp = stamp;
        visit(f, top);
        for (uint32_t i = top->children.count; i-- > 0;) {
            struct bound_query *child = top->children.items[i];
            slot = child->value_only && !f->value_queries ? NULL : VEC_PUSH(f->arena, &stack);
            if (slot != NULL)
                *slot = child;
        }
    }
}

/* ---- datasets ---- */

static int compare_datasets(const void *a, const void *b)
{
    const struct doc_dataset *x = a, *y = b;
    int order = str_compare(x->table, y->table);
    return order != 0 ? order : str_compare(x->path, y->path);
}

static int compare_strs(const void *a, const void *b)
{
    return str_compare(*(const str_t *)a, *(const str_t *)b);
}

static void put_inputs(struct flow *f)
{
    struct bound_statement *bound = f->bound;
    uint32_t count = bound->extra_inputs.count;
    for (struct source_table *t = bound->tables; t != NULL; t = t->next)
        count += t->is_input;
    bool engine = f->in->reading == READING_ENGINE && f->in->dialect == DIALECT_HIVE;
    count += engine ? bound->views.count : 0;
    struct doc_dataset *inputs = count == 0 ? NULL : ARENA_ARRAY(f->arena, struct doc_dataset, count);
    if (inputs == NULL)
        return;
    uint32_t at = 0;
    for (uint32_t i = 0; i < bound->extra_inputs.count; i++)
        inputs[at++] = bound->extra_inputs.items[i];
    for (struct source_table *t = bound->tables; t != NULL; t = t->next)
        if (t->is_input)
            inputs[at++].table = name_str(t->name);
    for (uint32_t i = 0; engine && i < bound->views.count; i++)
        inputs[at++].table = bound->views.items[i];
    if (at > 1)
        qsort(inputs, at, sizeof *inputs, compare_datasets);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < at; i++)
        if (kept == 0 || compare_datasets(&inputs[kept - 1], &inputs[i]) != 0)
            inputs[kept++] = inputs[i];
    f->out->inputs = inputs;
    f->out->input_count = kept;
}

struct written {
    struct doc_output output;
    uint32_t order; /* in the statement */
};

static int compare_written(const void *a, const void *b)
{
    const struct written *x = a, *y = b;
    int order = compare_datasets(&x->output.dataset, &y->output.dataset);
    if (order != 0)
        return order;
    if (x->output.mode != y->output.mode)
        return x->output.mode < y->output.mode ? -1 : 1;
    bool x_whole = x->output.partitions == NULL, y_whole = y->output.partitions == NULL;
    if (x_whole != y_whole)
        return x_whole ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Whether the second says nothing that the first does not; they stand side by side. */
static bool same_output(const struct doc_output *a, const struct doc_output *b)
{
    return compare_datasets(&a->dataset, &b->dataset) == 0 && a->mode == b->mode && a->partitions == b->partitions;
}

static bool writes(const struct bound_leg *leg)
{
    return leg->output.dataset.table.len + leg->output.dataset.path.len > 0;
}

static uint32_t collect_written(const struct bound_statement *bound, struct written *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < bound->extra_outputs.count; i++, count++)
        out[count] = (struct written){bound->extra_outputs.items[i], count};
    for (uint32_t i = 0; i < bound->legs.count; i++) {
        const struct bound_leg *leg = &bound->legs.items[i];
        if (!writes(leg))
            continue;
        out[count] = (struct written){leg->output, count};
        count++;
    }
    return count;
}

static void put_outputs(struct flow *f)
{
    struct bound_statement *bound = f->bound;
    uint32_t most = bound->extra_outputs.count, kept = 0;
    for (uint32_t i = 0; i < bound->legs.count; i++)
        most += writes(&bound->legs.items[i]);
    struct written *written = most == 0 ? NULL : ARENA_ARRAY(f->arena, struct written, most);
    struct doc_output *outputs = written == NULL ? NULL : ARENA_ARRAY(f->arena, struct doc_output, most);
    if (outputs == NULL)
        return;
    uint32_t count = collect_written(bound, written);
    if (count > 1)
        qsort(written, count, sizeof *written, compare_written);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || !same_output(&outputs[kept - 1], &written[i].output))
            outputs[kept++] = written[i].output;
    f->out->outputs = outputs;
    f->out->output_count = kept;
}

static void put_views(struct flow *f)
{
    uint32_t count = f->bound->views.count;
    str_t *views = count == 0 ? NULL : ARENA_ARRAY(f->arena, str_t, count);
    if (views == NULL)
        return;
    memcpy(views, f->bound->views.items, count * sizeof *views);
    if (count > 1)
        qsort(views, count, sizeof *views, compare_strs);
    f->out->views = views;
    f->out->view_count = count;
}

void flow_put_datasets(struct flow *f)
{
    put_inputs(f);
    put_outputs(f);
    put_views(f);
    f->out->dropped = f->bound->dropped;
}

void flow_finish(struct flow *f)
{
    f->out->columns = f->columns.items;
    f->out->column_count = f->columns.count;
    f->out->predicates = f->predicates.items;
    f->out->predicate_count = f->predicates.count;
}

void flow_statement(const struct flow_input *input, struct bound_statement *bound, struct doc_statement *out)
{
    struct flow f = {.in = input, .arena = input->arena, .bound = bound, .out = out, .tracer = {.arena = input->arena}};
    out->operation = bound->explain ? OPERATION_NONE : bound->operation;
    if (input->reading == READING_VALUE)
        flow_value(&f);
    else if (input->dialect == DIALECT_HIVE)
        flow_hive_engine(&f);
    else
        flow_impala_engine(&f);
    flow_put_datasets(&f);
    flow_finish(&f);
}
