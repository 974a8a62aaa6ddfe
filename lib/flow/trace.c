/* The walk over the column graph: see trace.h. */
#include "flow/trace.h"

#include <stdlib.h>

enum {
    /* Vertices reached with a path below them are not remembered by path; this bounds what that may cost. */
    PATH_VISITS = 100000
};

void trace_begin(struct tracer *t)
{
    t->stamp++;
    t->reached.count = 0;
}

static void reach(struct tracer *t, struct source_column *source, str_t path, uint8_t strength, bool script)
{
    if (t->no_paths)
        path = STR("");
    if (source->stamp == t->stamp) {
        for (uint32_t i = source->slot; i < t->reached.count; i++) {
            struct reached *r = &t->reached.items[i];
            if (r->source != source || !str_eq(r->path, path))
                continue;
            if (strength > r->strength)
                r->strength = strength;
            r->script |= script;
            return;
        }
    } else {
        source->stamp = t->stamp;
        source->slot = t->reached.count;
    }
    struct reached *r = VEC_PUSH(t->arena, &t->reached);
    if (r != NULL)
        *r = (struct reached){source, path, strength, script};
}

static void push(struct tracer *t, struct column *column, str_t path, uint8_t strength, bool script)
{
    struct trace_frame *frame = VEC_PUSH(t->arena, &t->stack);
    if (frame != NULL)
        *frame = (struct trace_frame){column, path, strength, script};
}

/* Whether a vertex was seen in this walk at least as strongly; marks it. First: whether it is new to the walk. */
static bool seen(struct tracer *t, struct column *column, const struct trace_frame *frame, bool *first)
{
    uint32_t state = 1 + frame->strength + (frame->script ? 8u : 0u);
    *first = column->stamp != t->stamp;
    if (!*first && frame->path.len == 0 && column->state >= state && (!frame->script || column->state >= 8))
        return true;
    if (*first || frame->path.len == 0) {
        column->stamp = t->stamp;
        column->state = *first && frame->path.len > 0 ? 0 : state;
    }
    return false;
}

static uint8_t stronger(uint8_t strength, uint32_t roles)
{
    uint8_t own = roles & DEP_AGGREGATED ? STRENGTH_AGGREGATION : roles & DEP_CHANGED ? STRENGTH_TRANSFORMATION : STRENGTH_IDENTITY;
    return own > strength ? own : strength;
}

/* A window function that reads no argument: its value comes of its keys alone. */
static bool only_keys(const struct column *column)
{
    for (uint32_t i = 0; i < column->deps.count; i++)
        if (!(column->deps.items[i].roles & DEP_WINDOW_KEY))
            return false;
    return column->deps.count > 0;
}

static void push_deps(struct tracer *t, const struct deps *deps, const struct trace_frame *frame, uint32_t skip)
{
    for (uint32_t i = deps->count; i-- > 0;) {
        const struct dep *dep = &deps->items[i];
        if (dep->roles & skip)
            continue;
        uint8_t strength = stronger(frame->strength, dep->roles);
        bool script = frame->script || (dep->roles & DEP_SCRIPT) != 0;
        if (dep->column == NULL) {
            trace_rows(t, dep->query, strength);
            continue;
        }
        str_t path = dep->path;
        if (frame->path.len > 0 && !(dep->roles & DEP_CHANGED))
            path = path.len == 0 ? frame->path : arena_join(t->arena, path, frame->path);
        if (dep->column->source != NULL) /* nothing lies below a physical column */
            reach(t, dep->column->source, path, strength, script);
        else
            push(t, dep->column, path, strength, script);
    }
}

/* Whether the vertex only hands on what one other holds, and nobody who does not visit it misses anything. */
static bool hands_on(const struct column *column)
{
    return column->source == NULL && column->deps.count == 1 && column->deps.items[0].column != NULL &&
           column->deps.items[0].roles == 0 && column->deps.items[0].path.len == 0 && !(column->flags & COLUMN_WINDOW);
}

/*
 * The first vertex on the way that does more. Each on the way remembers it, for in a deep chain of queries every predicate
 * would walk all that lie below it.
 */
static struct column *behind_bare(struct column *column)
{
    struct column *end = column, *mark = column;
    for (uint32_t steps = 1, marked = 1; hands_on(end); steps++) {
        end = end->through != NULL ? end->through : end->deps.items[0].column;
        if (end == mark) /* a recursive query */
            return column;
        if (steps == marked) {
            mark = end;
            marked *= 2;
        }
    }
    for (struct column *next; column != end; column = next) {
        next = column->through != NULL ? column->through : column->deps.items[0].column;
        column->through = end;
    }
    return end;
}

static void run(struct tracer *t)
{
    uint32_t visits = 0;
    while (t->stack.count > 0 && !t->arena->failed && visits < PATH_VISITS) {
        struct trace_frame frame = t->stack.items[--t->stack.count];
        struct column *column = t->visit == NULL ? behind_bare(frame.column) : frame.column;
        if (column->source != NULL) {
            reach(t, column->source, frame.path, frame.strength, frame.script);
            continue;
        }
        bool first;
        if (seen(t, column, &frame, &first))
            continue;
        visits += frame.path.len > 0;
        if (t->visit != NULL && first && !t->visit(t, column))
            continue;
        uint32_t skip = t->skip_roles;
        if (t->keys_of_ranks && column->flags & COLUMN_WINDOW && only_keys(column))
            skip &= ~(uint32_t)DEP_WINDOW_KEY;
        push_deps(t, &column->deps, &frame, skip);
    }
    t->stack.count = 0;
}

void trace_column(struct tracer *t, struct column *column)
{
    push(t, column, STR(""), STRENGTH_IDENTITY, false);
    run(t);
}

void trace_column_as(struct tracer *t, struct column *column, uint8_t strength, bool script)
{
    push(t, column, STR(""), strength, script);
    run(t);
}

void trace_deps(struct tracer *t, const struct deps *deps)
{
    struct trace_frame top = {NULL, STR(""), STRENGTH_IDENTITY, false};
    push_deps(t, deps, &top, t->skip_roles);
    run(t);
}

static void reach_rows(struct tracer *t, struct source_table *table, uint8_t strength)
{
    if (table->rows == NULL) {
        table->rows = ARENA_NEW(t->arena, struct source_column);
        if (table->rows == NULL)
            return;
        table->rows->table = table;
        table->rows->name = STR("");
    }
    reach(t, table->rows, STR(""), strength, false);
}

void trace_rows(struct tracer *t, struct bound_query *query, uint8_t strength)
{
    if (query == NULL)
        return;
    VEC(struct bound_query *) stack = {NULL, 0, 0};
    struct bound_query **slot = VEC_PUSH(t->arena, &stack);
    if (slot == NULL)
        return;
    *slot = query;
    t->query_stamp++;
    while (stack.count > 0 && !t->arena->failed) {
        struct bound_query *top = stack.items[--stack.count];
        if (top->rows_stamp == t->query_stamp)
            continue;
        top->rows_stamp = t->query_stamp;
        for (uint32_t i = 0; i < top->tables.count; i++)
            reach_rows(t, top->tables.items[i], strength);
        for (uint32_t i = 0; i < top->sources.count; i++) {
            slot = VEC_PUSH(t->arena, &stack);
            if (slot != NULL)
                *slot = top->sources.items[i];
        }
    }
}

static int compare_sources(const void *a, const void *b)
{
    const struct doc_source *x = a, *y = b;
    int order = str_compare(x->table, y->table);
    if (order == 0)
        order = str_compare(x->column, y->column);
    return order != 0 ? order : str_compare(x->path, y->path);
}

static struct doc_source source_of(struct tracer *t, const struct reached *r)
{
    struct doc_source source = {name_str(r->source->table->name), r->source->name, r->path};
    if (t->path_in_column && r->path.len > 0) {
        source.column = arena_join(t->arena, source.column, r->path);
        source.path = STR("");
    }
    return source;
}

struct doc_source *trace_sources(struct tracer *t, int strength, bool script, bool tables, uint32_t *count)
{
    *count = 0;
    struct doc_source *sources = t->reached.count == 0 ? NULL : arena_alloc(t->arena, t->reached.count * sizeof *sources);
    if (sources == NULL)
        return NULL;
    for (uint32_t i = 0; i < t->reached.count; i++) {
        const struct reached *r = &t->reached.items[i];
        bool fits = strength < 0 || (r->script == script && (script || r->strength == strength));
        if (fits && (tables || r->source->name.len > 0))
            sources[(*count)++] = source_of(t, r);
    }
    if (*count > 1)
        qsort(sources, *count, sizeof *sources, compare_sources);
    return sources;
}
