/*
 * Expressions → dependencies. One walk, with a stack in the arena, goes over the tree; each frame carries the roles that the
 * way down has gathered (below a function, in an aggregate, in a condition ..). Subqueries are bound in place, with the
 * scope at hand as their parent.
 */
#include "bind/macro.h"

struct walk {
    struct binder *b;
    struct scope *scope;
    struct deps *deps;
    struct column *column; /* that takes conditions, windows and subqueries; NULL: none */
    uint32_t base;         /* of its part of the binder's stack */
};

static void push(struct walk *w, const struct expr *expr, uint32_t roles)
{
    struct walk_frame *frame = expr == NULL ? NULL : VEC_PUSH(w->b->arena, &w->b->walks);
    if (frame != NULL)
        *frame = (struct walk_frame){expr, roles};
}

/* Takes the next expression; false when the walk is done, or out of memory. */
static bool pop(struct walk *w, struct walk_frame *out)
{
    struct binder *b = w->b;
    if (b->walks.count <= w->base || b->arena->failed)
        return false;
    *out = b->walks.items[--b->walks.count];
    return true;
}

/* Children from `from` on, so that the first is walked first. */
static void push_args(struct walk *w, const struct expr *expr, uint32_t from, uint32_t roles)
{
    for (uint32_t i = expr->arg_count; i-- > from;)
        push(w, expr->args[i], roles);
}

/* ---- columns ---- */

static bool is_grouping_id(const struct binder *b, const struct qname *name)
{
    return b->dialect == DIALECT_HIVE && name->count == 1 && str_eq(name_str(name->parts[0].name), STR("grouping__id"));
}

static bool add_alias(struct walk *w, const struct qname *name, uint32_t roles)
{
    struct column *alias = name->count == 1 ? scope_alias(w->scope, name->parts[0].name) : NULL;
    if (alias == NULL)
        return false;
    deps_add(w->b, w->deps, alias, STR(""), roles);
    return true;
}

static void walk_column(struct walk *w, const struct expr *expr, uint32_t roles)
{
    struct binder *b = w->b;
    if (b->aliases == ALIAS_FIRST && add_alias(w, &expr->u.name, roles))
        return;
    struct deps candidates = {NULL, 0, 0};
    struct resolved found = scope_resolve(b, w->scope, &expr->u.name, &candidates);
    if (found.column != NULL && candidates.count > 1) {
        deps_add_all(b, w->deps, &candidates, roles);
        return;
    }
    if (found.column != NULL) {
        deps_add(b, w->deps, found.column, found.path, roles);
        return;
    }
    if (b->aliases == ALIAS_LAST && add_alias(w, &expr->u.name, roles))
        return;
    b->stmt->traits |= TRAIT_LITERAL; /* current_date and the like */
    if (!is_grouping_id(b, &expr->u.name))
        scope_say_unresolved(b, w->scope, &expr->u.name);
}

struct star_reading {
    struct walk *walk;
    uint32_t roles;
};

static void add_star_column(void *context, struct relation *relation, struct column *column)
{
    (void)relation;
    struct star_reading *visit = context;
    deps_add(visit->walk->b, visit->walk->deps, column, STR(""), visit->roles);
}

/* f(*), f(t.*): every column */
static void walk_star(struct walk *w, const struct expr *expr, uint32_t roles)
{
    struct star_reading visit = {w, roles};
    star_columns(w->b, w->scope, &expr->u.name, add_star_column, &visit);
}

/* ---- subqueries ---- */

static bool in_condition(const struct walk *w)
{
    return w->column == NULL;
}

/* Binds the query; its conditions count for the column at hand, or as the clause they stand in. */
static struct bound_query *bind_subquery(struct walk *w, const struct query *query)
{
    struct binder *b = w->b;
    struct bound_query *outer = b->query;
    uint8_t aliases = b->aliases;
    b->aliases = ALIAS_NONE;
    struct bound_query *bound = bind_query(b, query, w->scope);
    b->aliases = aliases;
    b->query = outer;
    if (bound == NULL)
        return NULL;
    if (in_condition(w)) {
        query_add_child(b, outer, bound);
        return bound;
    }
    bound->value_only = true;
    bound->next_subquery = w->column->subqueries;
    w->column->subqueries = bound;
    query_add_child(b, outer, bound);
    return bound;
}

static void add_outputs(struct walk *w, struct bound_query *query, uint32_t roles)
{
    for (uint32_t i = 0; query != NULL && i < query->columns.count; i++)
        deps_add(w->b, w->deps, query->columns.items[i], STR(""), roles);
}

static void walk_subquery(struct walk *w, const struct expr *expr, uint32_t roles)
{
    struct bound_query *query = bind_subquery(w, expr->u.query);
    w->b->stmt->traits |= TRAIT_SUBQUERY;
    if (expr->kind == EXPR_EXISTS)
        return; /* its select list decides nothing */
    add_outputs(w, query, roles | DEP_SUBQUERY | (expr->kind == EXPR_SUBQUERY ? 0 : DEP_CHANGED));
    push_args(w, expr, 0, roles | DEP_CHANGED);
}

/* ---- CASE and IF ---- */

static void bind_in_role(struct binder *b, struct scope *scope, const struct expr *expr, struct deps *deps, struct column *column,
                         uint32_t roles);

/*
 * A condition is a source of the value, and stands as a predicate of its own. It is bound once for both: what stands in subqueries
 * within subqueries would else be bound twice on each level.
 */
static void walk_condition(struct walk *w, const struct expr *condition, uint32_t roles)
{
    if (w->column == NULL || roles & DEP_CONDITION) { /* the condition around it says it all */
        push(w, condition, roles | DEP_CONDITION);
        return;
    }
    struct predicate *predicate = condition == NULL ? NULL : predicate_new(w->b, w->scope, CLAUSE_CONDITIONAL, condition->span);
    if (predicate == NULL)
        return;
    predicate->expr = condition;
    bind_in_role(w->b, w->scope, condition, &predicate->deps, w->column, DEP_CONDITION);
    deps_add_all(w->b, w->deps, &predicate->deps, roles | DEP_CONDITION);
    if (predicate->deps.count > 0)
        predicate_append(&w->column->predicates, predicate);
}

static void walk_case(struct walk *w, const struct expr *expr, uint32_t roles)
{
    uint32_t first = expr->flags & CASE_OPERAND ? 1 : 0;
    uint32_t end = expr->flags & CASE_ELSE ? expr->arg_count - 1 : expr->arg_count;
    roles |= DEP_CHANGED;
    if (first == 1)
        walk_condition(w, expr->args[0], roles);
    for (uint32_t i = first; i + 1 < end; i += 2)
        walk_condition(w, expr->args[i], roles);
    if (end < expr->arg_count)
        push(w, expr->args[end], roles);
    for (uint32_t i = end; i > first + 1; i -= 2)
        push(w, expr->args[i - 1], roles);
}

/* ---- calls ---- */

static const struct window *named_window(const struct walk *w, struct name name)
{
    const struct block *block = w->scope->query == NULL ? NULL : w->scope->query->block;
    for (uint32_t i = 0; block != NULL && i < block->window_count; i++)
        if (name_eq(block->windows[i].name.name, name))
            return block->windows[i].window;
    return NULL;
}

static uint32_t window_key_count(const struct window *window)
{
    return window->partition_by.count + window->order_by.count;
}

/* The keys as a predicate of the column, with the text of the whole window. */
static void add_window(struct walk *w, const struct window *window, struct expr *const *keys, uint32_t count)
{
    struct predicate *predicate = bind_keys(w->b, w->scope, keys, count, CLAUSE_WINDOW);
    if (predicate == NULL)
        return;
    if (window->span.end > window->span.start) {
        predicate->text = binder_slice(w->b, window->span);
        predicate->span = binder_span(w->b, window->span);
    }
    predicate_append(&w->column->predicates, predicate);
}

/* Keys of a window and of the named windows below it; a cycle of names ends at the limit. */
static void walk_window(struct walk *w, const struct window *window, uint32_t roles, uint32_t key_role)
{
    for (uint32_t hops = 0; window != NULL && hops < LIMIT_NAME_PARTS; hops++) {
        uint32_t count = window_key_count(window);
        struct expr **keys = count == 0 ? NULL : ARENA_ARRAY(w->b->arena, struct expr *, count);
        for (uint32_t i = 0; keys != NULL && i < count; i++)
            keys[i] = i < window->partition_by.count ? window->partition_by.items[i]
                                                     : window->order_by.items[i - window->partition_by.count].expr;
        if (keys != NULL && w->column != NULL)
            add_window(w, window, keys, count);
        for (uint32_t i = keys == NULL ? 0 : count; i-- > 0;)
            push(w, keys[i], roles | key_role | DEP_CHANGED);
        window = window->base == NULL ? NULL : named_window(w, window->base->name);
    }
}

/* Whether an argument names a column at all; `count(1)` and `count(*)` count rows. */
static bool names_column(struct binder *b, const struct expr *expr)
{
    struct walk w = {.b = b, .base = b->walks.count};
    struct walk_frame top;
    bool names = false;
    push(&w, expr, 0);
    while (!names && pop(&w, &top)) {
        enum expr_kind kind = (enum expr_kind)top.expr->kind;
        names = kind == EXPR_COLUMN || kind == EXPR_SUBQUERY || (kind == EXPR_STAR && top.expr != expr);
        push_args(&w, top.expr, 0, 0);
    }
    b->walks.count = w.base;
    return names;
}

static bool counts_rows(struct binder *b, const struct expr *call)
{
    if (call->call != NULL && call->call->within_group.count > 0)
        return false;
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (names_column(b, call->args[i]) || (call->args[i]->kind == EXPR_STAR && call->args[i]->u.name.count > 0))
            return false;
    return true;
}

static void walk_within_group(struct walk *w, const struct call *call, uint32_t roles)
{
    for (uint32_t i = call->within_group.count; i-- > 0;)
        push(w, call->within_group.items[i].expr, roles);
}

static void walk_aggregate(struct walk *w, const struct expr *expr, uint32_t roles)
{
    bool distinct = expr->call != NULL && expr->call->distinct;
    roles |= DEP_CHANGED | DEP_AGGREGATED | (distinct ? DEP_DISTINCT : 0);
    w->b->stmt->traits |= distinct ? TRAIT_DISTINCT : 0;
    if (w->column != NULL)
        w->column->flags |= COLUMN_AGGREGATE;
    if (w->b->query != NULL)
        w->b->query->aggregated = true;
    if (counts_rows(w->b, expr))
        deps_add_rows(w->b, w->deps, w->scope->query, roles);
    if (expr->call != NULL)
        walk_within_group(w, expr->call, roles);
    for (uint32_t i = expr->arg_count; i-- > 0;)
        if (expr->args[i]->kind != EXPR_STAR || expr->args[i]->u.name.count > 0)
            push(w, expr->args[i], roles);
}

static void walk_over(struct walk *w, const struct expr *expr, uint32_t roles)
{
    enum function_kind kind = function_kind(expr->u.name.parts[expr->u.name.count - 1].name);
    w->b->stmt->traits |= TRAIT_WINDOW;
    w->b->window_calls++;
    if (w->column != NULL)
        w->column->flags |= COLUMN_WINDOW;
    /* A condition on a bare rank is one on the window's keys: there is nothing else in it. */
    bool bare_rank = w->column == NULL && kind != FUNCTION_AGGREGATE && counts_rows(w->b, expr);
    walk_window(w, expr->call->over, roles, bare_rank ? 0 : DEP_WINDOW_KEY);
    roles |= DEP_CHANGED | DEP_WINDOW_ARG | (kind == FUNCTION_AGGREGATE ? DEP_AGGREGATED : 0);
    if (kind == FUNCTION_AGGREGATE && counts_rows(w->b, expr))
        deps_add_rows(w->b, w->deps, w->scope->query, roles);
    for (uint32_t i = expr->arg_count; i-- > 0;)
        if (expr->args[i]->kind != EXPR_STAR || expr->args[i]->u.name.count > 0)
            push(w, expr->args[i], roles);
}

/* A macro is put in place: what its body makes of a parameter is made of the argument. */
static void walk_macro(struct walk *w, const struct expr *expr, const struct catalog_macro *macro, uint32_t roles)
{
    const struct macro_entry *entry = bind_macro(w->b, macro);
    if (entry == NULL) {
        push_args(w, expr, 0, roles | DEP_CHANGED);
        return;
    }
    for (uint32_t i = entry->uses.count; i-- > 0;) {
        const struct macro_param_use *use = &entry->uses.items[i];
        if (use->param < expr->arg_count)
            push(w, expr->args[use->param], roles | use->roles | DEP_CHANGED);
    }
}

static void walk_call(struct walk *w, const struct expr *expr, uint32_t roles)
{
    if (expr->arg_count == 0)
        w->b->stmt->traits |= TRAIT_LITERAL; /* current_date() and the like */
    if (expr->u.name.count == 0) {
        push_args(w, expr, 0, roles | DEP_CHANGED);
        return;
    }
    struct name name = expr->u.name.parts[expr->u.name.count - 1].name;
    if (expr->call != NULL && expr->call->over != NULL) {
        walk_over(w, expr, roles);
        return;
    }
    enum function_kind kind = function_kind(name);
    if (kind == FUNCTION_AGGREGATE || (kind == FUNCTION_RANKING && expr->arg_count > 0)) {
        walk_aggregate(w, expr, roles);
        return;
    }
    const struct catalog_macro *macro = expr->u.name.count == 1 ? catalog_find_macro(w->b->in->catalog, name) : NULL;
    if (macro != NULL) {
        walk_macro(w, expr, macro, roles);
        return;
    }
    if (function_is_choice(name))
        w->b->stmt->traits |= TRAIT_CHOICE;
    roles |= DEP_CHANGED | (kind == FUNCTION_TABLE ? DEP_SCRIPT : 0);
    for (uint32_t i = expr->arg_count; i-- > 0;) {
        if (function_argument_is_condition(name, i))
            walk_condition(w, expr->args[i], roles);
        else
            push(w, expr->args[i], roles);
    }
}

/* ---- the walk ---- */

static void walk_one(struct walk *w, const struct expr *expr, uint32_t roles)
{
    switch ((enum expr_kind)expr->kind) {
    case EXPR_COLUMN:
        walk_column(w, expr, roles);
        return;
    case EXPR_STAR:
        walk_star(w, expr, roles);
        return;
    case EXPR_CALL:
        walk_call(w, expr, roles);
        return;
    case EXPR_CASE:
        w->b->stmt->traits |= TRAIT_CHOICE;
        walk_case(w, expr, roles);
        return;
    case EXPR_IN_QUERY:
    case EXPR_QUANTIFIED:
    case EXPR_EXISTS:
    case EXPR_SUBQUERY:
        walk_subquery(w, expr, roles);
        return;
    case EXPR_LITERAL:
        if (w->column == NULL || expr->op == LITERAL_NULL || expr->op == LITERAL_TRUE || expr->op == LITERAL_FALSE)
            w->b->stmt->traits |= TRAIT_LITERAL;
        return;
    case EXPR_PARAMETER:
    case EXPR_VARIABLE:
    case EXPR_DEFAULT:
        return;
    case EXPR_IS:
        w->b->stmt->traits |= TRAIT_LITERAL;
        push_args(w, expr, 0, roles | DEP_CHANGED);
        return;
    case EXPR_INTERVAL:
    case EXPR_CAST:
    case EXPR_UNARY:
    case EXPR_CHAIN:
    case EXPR_COMPARE:
    case EXPR_LIKE:
    case EXPR_BETWEEN:
    case EXPR_IN:
    case EXPR_FIELD:
    case EXPR_INDEX:
    case EXPR_ROW:
        push_args(w, expr, 0, roles | DEP_CHANGED);
        return;
    }
}

static void bind_in_role(struct binder *b, struct scope *scope, const struct expr *expr, struct deps *deps, struct column *column,
                         uint32_t roles)
{
    struct walk w = {.b = b, .scope = scope, .deps = deps, .column = column, .base = b->walks.count};
    struct walk_frame top;
    if (expr != NULL && expr->kind == EXPR_COLUMN) { /* most are: no stack needed */
        walk_column(&w, expr, roles);
        return;
    }
    push(&w, expr, roles);
    while (pop(&w, &top))
        walk_one(&w, top.expr, top.roles);
    b->walks.count = w.base;
}

void bind_expr(struct binder *b, struct scope *scope, const struct expr *expr, struct deps *deps, struct column *column)
{
    bind_in_role(b, scope, expr, deps, column, 0);
}

/* ---- predicates ---- */

struct predicate *predicate_new(struct binder *b, struct scope *scope, enum clause_kind clause, span_t span)
{
    struct predicate *predicate = ARENA_NEW(b->arena, struct predicate);
    if (predicate == NULL)
        return NULL;
    bool of_value = clause == CLAUSE_WINDOW || clause == CLAUSE_CONDITIONAL;
    predicate->clause = b->clause_override != 0 && !of_value ? (enum clause_kind)(b->clause_override - 1) : clause;
    predicate->own_clause = clause;
    predicate->in_subquery = b->clause_override != 0;
    predicate->scope = scope;
    predicate->text = binder_slice(b, span);
    predicate->span = binder_span(b, span);
    return predicate;
}

struct predicate *bind_predicate(struct binder *b, struct scope *scope, const struct expr *expr, enum clause_kind clause)
{
    struct predicate *predicate = expr == NULL ? NULL : predicate_new(b, scope, clause, expr->span);
    if (predicate == NULL)
        return NULL;
    predicate->expr = expr;
    uint8_t override = b->clause_override;
    b->clause_override = (uint8_t)(predicate->clause + 1);
    bind_expr(b, scope, expr, &predicate->deps, NULL);
    b->clause_override = override;
    return predicate;
}

struct predicate *bind_keys(struct binder *b, struct scope *scope, struct expr *const *keys, uint32_t count, enum clause_kind clause)
{
    if (count == 0 || keys[0] == NULL || keys[count - 1] == NULL)
        return NULL;
    struct predicate *predicate = predicate_new(b, scope, clause, (span_t){keys[0]->span.start, keys[count - 1]->span.end});
    if (predicate == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        bind_expr(b, scope, keys[i], &predicate->deps, NULL);
    return predicate;
}

void predicate_append(struct predicate_list *list, struct predicate *predicate)
{
    if (predicate == NULL)
        return;
    if (list->last == NULL)
        list->first = predicate;
    else
        list->last->next = predicate;
    list->last = predicate;
}
