/*
 * Queries: WITH, blocks, set operations, VALUES, and what orders and limits them. A query's parts are bound in the order in
 * which SQL evaluates them: FROM, WHERE, GROUP BY, items, HAVING, QUALIFY, ORDER BY.
 */
#include "bind/label.h"

struct bound_query *bound_query_new(struct binder *b, enum bound_kind kind)
{
    struct bound_query *query = ARENA_NEW(b->arena, struct bound_query);
    if (query != NULL)
        query->kind = (uint8_t)kind;
    return query;
}

void query_add_child(struct binder *b, struct bound_query *query, struct bound_query *child)
{
    if (query == NULL || child == NULL)
        return;
    struct bound_query **slot = VEC_PUSH(b->arena, &query->children);
    if (slot != NULL)
        *slot = child;
}

void query_add_source(struct binder *b, struct bound_query *query, struct bound_query *child)
{
    query_add_child(b, query, child);
    struct bound_query **slot = query == NULL || child == NULL ? NULL : VEC_PUSH(b->arena, &query->sources);
    if (slot != NULL)
        *slot = child;
}

static struct column *add_column(struct binder *b, struct bound_query *query, struct name name, str_t shown)
{
    struct column *column = column_new(b, name, shown);
    struct column **slot = VEC_PUSH(b->arena, &query->columns);
    if (column == NULL || slot == NULL)
        return NULL;
    column->ordinal = query->columns.count - 1;
    column->query = query;
    *slot = column;
    return column;
}

/* ---- select items ---- */

static void name_output(struct binder *b, struct column *column, const struct select_item *item, uint32_t position)
{
    const struct expr *expr = item->expr;
    if (item->alias != NULL) {
        column->name = item->alias->name;
        column->shown = binder_slice(b, item->alias->span);
        column->flags |= COLUMN_ALIASED;
    } else if (expr->kind == EXPR_COLUMN && expr->u.name.count > 0) {
        column->name = expr->u.name.parts[expr->u.name.count - 1].name;
        column->shown = name_str(column->name);
    } else if (b->dialect == DIALECT_HIVE && expr->kind == EXPR_FIELD && expr->u.name.count > 0) {
        column->name = expr->u.name.parts[0].name;
        column->shown = name_str(column->name);
    } else if (b->dialect == DIALECT_HIVE || b->names_by_position) {
        column->name = numbered_name(b, STR("_c"), position);
        column->shown = name_str(column->name);
    } else {
        column->name = expression_label(b, expr->span);
        column->shown = name_str(column->name);
    }
}

/* The type of the field at the end of a path. */
static const struct type *type_at(const struct type *type, str_t path)
{
    size_t at = 0;
    while (type != NULL && at < path.len) {
        size_t end = str_find(path, '.', at + 1);
        struct name field = name_of(str_make(path.ptr + at + 1, end - at - 1));
        const struct type *inner = NULL;
        for (uint32_t i = 0; i < type->field_count; i++)
            if (name_eq(type->fields[i].name, field))
                inner = type->fields[i].type;
        type = inner;
        at = end;
    }
    return type;
}

static void note_plain(struct column *column)
{
    bool bare = column->expr != NULL && column->expr->kind == EXPR_COLUMN && column->deps.count == 1 &&
                column->deps.items[0].column != NULL;
    if (!bare)
        return;
    column->flags |= COLUMN_PLAIN;
    column->type = type_at(column->deps.items[0].column->type, column->deps.items[0].path);
}

/* Hive drops a cast to the type that a column has anyway, and the column keeps its name. */
static void name_idle_cast(const struct binder *b, struct column *column)
{
    const struct expr *expr = column->expr;
    bool cast = b->dialect == DIALECT_HIVE && !(column->flags & COLUMN_ALIASED) && expr->kind == EXPR_CAST && column->deps.count == 1;
    const struct expr *from = cast ? expr->args[0] : NULL;
    if (from == NULL || from->kind != EXPR_COLUMN || column->deps.items[0].column == NULL)
        return;
    const struct type *type = type_at(column->deps.items[0].column->type, column->deps.items[0].path), *to = expr->u.type;
    bool same = type != NULL && to != NULL && type->kind == TYPE_PRIMITIVE && to->kind == TYPE_PRIMITIVE && name_eq(type->name, to->name);
    if (!same)
        return;
    column->name = from->u.name.parts[from->u.name.count - 1].name;
    column->shown = name_str(column->name);
}

/* A table function as an item: one output for each of its columns. */
static bool bind_table_function_item(struct binder *b, struct scope *scope, struct bound_query *query, const struct select_item *item)
{
    const struct expr *expr = item->expr;
    if (expr->kind != EXPR_CALL || expr->u.name.count == 0 || (expr->call != NULL && expr->call->over != NULL))
        return false;
    bool table = function_kind(expr->u.name.parts[expr->u.name.count - 1].name) == FUNCTION_TABLE;
    if (item->alias_count == 0 && (!table || item->alias != NULL || b->dialect != DIALECT_HIVE))
        return false;
    struct deps args = {NULL, 0, 0};
    bind_expr(b, scope, expr, &args, NULL);
    struct name *names = NULL;
    const struct type *type = args.count == 1 && args.items[0].column != NULL ? args.items[0].column->type : NULL;
    uint32_t count = item->alias_count > 0 ? item->alias_count : table_function_columns(b, expr, type, &names);
    for (uint32_t i = 0; i < count; i++) {
        struct name name = item->alias_count > 0 ? item->aliases[i].name : names[i];
        struct column *column = add_column(b, query, name, name_str(name));
        if (column == NULL)
            return true;
        column->flags |= COLUMN_SCRIPT;
        column->expr = expr;
        column->text = binder_slice(b, expr->span);
        column->span = binder_span(b, expr->span);
        column->scope = scope;
        deps_add_all(b, &column->deps, &args, DEP_CHANGED | DEP_SCRIPT);
    }
    return true;
}

static void bind_item(struct binder *b, struct scope *scope, struct bound_query *query, const struct select_item *item, uint32_t position)
{
    const struct expr *expr = item->expr;
    if (expr == NULL)
        return;
    if (expr->kind == EXPR_STAR) {
        bind_star(b, scope, query, expr);
        return;
    }
    if (is_regex_item(b, item)) {
        bind_regex(b, scope, query, expr);
        return;
    }
    if (bind_table_function_item(b, scope, query, item))
        return;
    struct column *column = add_column(b, query, NAME(""), STR(""));
    if (column == NULL)
        return;
    name_output(b, column, item, position);
    column->expr = expr;
    column->text = binder_slice(b, expr->span);
    column->span = binder_span(b, expr->span);
    column->scope = scope;
    bind_expr(b, scope, expr, &column->deps, column);
    note_plain(column);
    name_idle_cast(b, column);
}

/* SELECT TRANSFORM (..) USING .. AS (..): every output on every input */
static void bind_script(struct binder *b, struct scope *scope, struct bound_query *query, const struct block *block)
{
    static const str_t default_names[] = {STR("key"), STR("value")};
    struct deps input = {NULL, 0, 0};
    for (uint32_t i = 0; i < block->item_count; i++)
        bind_expr(b, scope, block->items[i].expr, &input, NULL);
    const struct script_call *script = block->script;
    uint32_t count = script->column_count == 0 ? 2 : script->column_count;
    query->script = true;
    b->stmt->traits |= TRAIT_UNPLANNED;
    for (uint32_t i = 0; i < count; i++) {
        struct name name = script->column_count == 0 ? name_of(default_names[i]) : script->columns[i].name;
        struct column *column = add_column(b, query, name, name_str(name));
        if (column == NULL)
            return;
        column->flags |= COLUMN_SCRIPT;
        column->type = script->types == NULL || script->column_count == 0 ? NULL : script->types[i];
        column->text = binder_slice(b, script->command);
        column->span = binder_span(b, script->command);
        deps_add_all(b, &column->deps, &input, DEP_CHANGED | DEP_SCRIPT);
    }
}

/* rank_window_2 */
static void name_window(struct binder *b, struct column *column, uint32_t number)
{
    const struct qname *function = &column->expr->u.name;
    str_t prefix = arena_join(b->arena, name_str(function->parts[function->count - 1].name), STR("_window_"));
    column->name = numbered_name(b, prefix, number);
    column->shown = name_str(column->name);
}

/* Hive names only the last of a block's nameless items with a window function after it, and only if it is nothing but that. */
static void bind_items(struct binder *b, struct scope *scope, struct bound_query *query, const struct block *block)
{
    if (block->script != NULL) {
        bind_script(b, scope, query, block);
        return;
    }
    uint32_t outer_calls = b->window_calls, number = 0;
    struct column *last = NULL;
    b->window_calls = 0;
    for (uint32_t i = 0; i < block->item_count && !b->arena->failed; i++) {
        uint32_t before = b->window_calls;
        bind_item(b, scope, query, &block->items[i], i);
        bool nameless = b->dialect == DIALECT_HIVE && b->window_calls > before && block->items[i].alias == NULL;
        if (!nameless || query->columns.count == 0)
            continue;
        last = query->columns.items[query->columns.count - 1];
        number = before;
    }
    b->window_calls = outer_calls;
    const struct expr *expr = last == NULL ? NULL : last->expr;
    if (expr != NULL && expr->kind == EXPR_CALL && expr->call != NULL && expr->call->over != NULL && expr->u.name.count > 0)
        name_window(b, last, number);
}

/* ---- keys: GROUP BY, ORDER BY and their like ---- */

/* The output that an ordinal names; NULL when the key is none. */
static struct column *ordinal_column(const struct binder *b, const struct bound_query *query, const struct expr *key)
{
    if (key->kind != EXPR_LITERAL || key->op != LITERAL_NUMBER)
        return NULL;
    str_t digits = str_make(b->text.ptr + key->span.start, key->span.end - key->span.start);
    uint32_t number = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9' || number > 100000)
            return NULL;
        number = number * 10 + (uint32_t)(digits.ptr[i] - '0');
    }
    return number >= 1 && number <= query->columns.count ? query->columns.items[number - 1] : NULL;
}

/* Impala's GROUP BY alias, Hive's when no column has the name: the whole key is a select alias. */
static struct column *alias_key(struct binder *b, struct scope *scope, const struct expr *key)
{
    if (key->kind != EXPR_COLUMN || key->u.name.count != 1)
        return NULL;
    struct column *alias = scope_alias(scope, key->u.name.parts[0].name);
    if (alias == NULL || !(alias->flags & COLUMN_ALIASED))
        return NULL;
    if (b->dialect == DIALECT_IMPALA)
        return alias;
    return scope_try(b, scope, &key->u.name).column == NULL ? alias : NULL;
}

/* One predicate over keys of which some may name outputs. */
static void bind_output_keys(struct binder *b, struct scope *scope, struct bound_query *query, struct expr *const *keys, uint32_t count,
                             enum clause_kind clause, struct predicate_list *list)
{
    if (count == 0)
        return;
    if (keys[0] == NULL || keys[count - 1] == NULL)
        return;
    struct predicate *predicate = predicate_new(b, scope, clause, (span_t){keys[0]->span.start, keys[count - 1]->span.end});
    if (predicate == NULL)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct column *output = ordinal_column(b, query, keys[i]);
        if (output == NULL && clause == CLAUSE_GROUP_BY)
            output = alias_key(b, scope, keys[i]);
        if (output != NULL)
            deps_add(b, &predicate->deps, output, STR(""), 0);
        else
            bind_expr(b, scope, keys[i], &predicate->deps, NULL);
    }
    predicate_append(list, predicate);
}

static void bind_sort_keys(struct binder *b, struct scope *scope, struct bound_query *query, const struct sort_keys *keys)
{
    struct expr **exprs = keys->count == 0 ? NULL : ARENA_ARRAY(b->arena, struct expr *, keys->count);
    for (uint32_t i = 0; exprs != NULL && i < keys->count; i++)
        exprs[i] = keys->items[i].expr;
    if (exprs != NULL)
        bind_output_keys(b, scope, query, exprs, keys->count, CLAUSE_SORT, &query->predicates);
}

static void bind_order(struct binder *b, struct scope *scope, struct bound_query *query, const struct query *ast)
{
    b->aliases = ALIAS_FIRST;
    bind_sort_keys(b, scope, query, &ast->order_by);
    bind_output_keys(b, scope, query, ast->cluster_by.items, ast->cluster_by.count, CLAUSE_SORT, &query->predicates);
    bind_output_keys(b, scope, query, ast->distribute_by.items, ast->distribute_by.count, CLAUSE_SORT, &query->predicates);
    bind_sort_keys(b, scope, query, &ast->sort_by);
    b->aliases = ALIAS_NONE;
    query->has_limit |= ast->has_limit;
    b->stmt->traits |= (ast->distribute_by.count + ast->cluster_by.count > 0 ? TRAIT_UNPLANNED : 0) |
                       (ast->sort_by.count > 0 ? TRAIT_SORT : 0) | (ast->has_limit ? TRAIT_LIMIT : 0);
    if (ast->limit.count > 0 && ast->limit.items[0] != NULL && str_eq(binder_slice(b, ast->limit.items[0]->span), STR("0")))
        b->stmt->traits |= TRAIT_LITERAL;
}

static bool is_ordered(const struct query *ast)
{
    return ast->order_by.count + ast->sort_by.count + ast->cluster_by.count + ast->distribute_by.count > 0;
}

/* ---- blocks ---- */

static void bind_group_by(struct binder *b, struct scope *scope, struct bound_query *query, const struct group_by *group)
{
    struct exprs keys = group->keys.count > 0 ? group->keys : group->sets;
    bind_output_keys(b, scope, query, keys.items, keys.count, CLAUSE_GROUP_BY, &query->predicates);
}

static void bind_condition(struct binder *b, struct scope *scope, struct bound_query *query, const struct expr *condition)
{
    if (condition != NULL)
        predicate_append(&query->predicates, bind_predicate(b, scope, condition, CLAUSE_FILTER));
}

/* All of a block behind its FROM. */
static void bind_block_body(struct binder *b, struct bound_query *query, const struct query *ast)
{
    const struct block *block = query->block;
    struct scope *scope = query->scope;
    bind_condition(b, scope, query, block->where);
    bind_items(b, scope, query, block);
    if (block->group_by.kind != GROUP_NONE)
        bind_group_by(b, scope, query, &block->group_by);
    b->aliases = ALIAS_LAST;
    bind_condition(b, scope, query, block->having);
    bind_condition(b, scope, query, block->qualify);
    b->aliases = ALIAS_NONE;
    query->distinct = block->distinct;
    bind_order(b, scope, query, ast);
}

static struct bound_query *bind_block(struct binder *b, const struct query *ast, struct scope *parent)
{
    struct bound_query *query = bound_query_new(b, BOUND_BLOCK);
    struct scope *scope = scope_new(b, parent);
    if (query == NULL || scope == NULL)
        return NULL;
    query->block = ast->u.block;
    query->ast = ast;
    query->scope = scope;
    scope->query = query;
    b->query = query;
    if (query->block->from != NULL)
        bind_from(b, scope, query, query->block->from);
    bind_block_body(b, query, ast);
    return query;
}

struct bound_query *bind_block_on(struct binder *b, const struct query *ast, struct scope *from_scope, struct bound_query *from)
{
    struct bound_query *query = bound_query_new(b, BOUND_BLOCK);
    struct scope *scope = scope_new(b, from_scope->parent);
    if (query == NULL || scope == NULL)
        return NULL;
    query->block = ast->u.block;
    query->ast = ast;
    query->scope = scope;
    scope->query = query;
    scope->relations = from_scope->relations;
    scope->by_alias = from_scope->by_alias;
    scope->indexed = from_scope->indexed;
    scope->index_shared = true;
    scope->relations.capacity = scope->relations.count; /* a leg's own lateral views must not be seen by the next leg */
    scope->merged = from_scope->merged;
    query->joins = from->joins;
    query->from_shared = from;
    b->query = query;
    query_add_source(b, query, from);
    bind_block_body(b, query, ast);
    return query;
}

/* ---- set operations and VALUES ---- */

static void add_branch(struct binder *b, struct bound_query *query, struct bound_query *branch, uint8_t op)
{
    struct setop_branch *slot = VEC_PUSH(b->arena, &query->branches);
    if (slot == NULL || branch == NULL)
        return;
    *slot = (struct setop_branch){branch, op};
    query_add_source(b, query, branch);
    query->open |= branch->open;
}

static void name_setop_columns(struct binder *b, struct bound_query *query, const struct bound_query *first)
{
    for (uint32_t i = 0; i < first->columns.count; i++) {
        const struct column *from = first->columns.items[i];
        struct column *column = add_column(b, query, from->name, from->shown);
        if (column == NULL)
            return;
        column->flags = COLUMN_UNION | (from->flags & (COLUMN_OPEN | COLUMN_ALIASED));
        column->type = from->type;
    }
}

static void join_branch(struct binder *b, struct bound_query *query, const struct bound_query *branch, const struct query *ast)
{
    if (branch->columns.count != query->columns.count && !branch->open && !query->open)
        binder_note(b, DIAG_COLUMN_COUNT, ast->span, STR("this branch gives another number of columns than the first"), STR(""), STR(""));
    for (uint32_t i = 0; i < query->columns.count && i < branch->columns.count; i++)
        deps_add(b, &query->columns.items[i]->deps, branch->columns.items[i], STR(""), DEP_UNION);
}

static const struct column *only_source(const struct column *column)
{
    return column->flags & COLUMN_PLAIN && column->deps.count == 1 ? column->deps.items[0].column : NULL;
}

/* Whether a branch gives one column twice; yes for one that is too wide to look. */
static bool repeats_column(const struct bound_query *branch)
{
    enum { MOST_LOOKED_AT = 500 };
    for (uint32_t i = 1; i < branch->columns.count && i < MOST_LOOKED_AT; i++) {
        const struct column *source = only_source(branch->columns.items[i]);
        for (uint32_t k = 0; source != NULL && k < i; k++)
            if (only_source(branch->columns.items[k]) == source)
                return true;
    }
    return branch->columns.count > MOST_LOOKED_AT;
}

static struct bound_query *bind_setop(struct binder *b, const struct query *ast, struct scope *parent, struct cte_entry *recursive)
{
    const struct setop *setop = ast->u.setop;
    struct bound_query *query = bound_query_new(b, BOUND_SETOP);
    if (query == NULL)
        return NULL;
    query->ast = ast;
    for (uint32_t i = 0; i < setop->operand_count && !b->arena->failed; i++) {
        struct bound_query *branch = bind_query(b, setop->operands[i], parent);
        if (branch == NULL)
            return NULL;
        if (i > 0 && (setop->ops[i - 1] == SETOP_INTERSECT_ALL || setop->ops[i - 1] == SETOP_EXCEPT_ALL))
            b->stmt->traits |= TRAIT_SETOP_ALL;
        add_branch(b, query, branch, i == 0 ? (uint8_t)SETOP_UNION_ALL : setop->ops[i - 1]);
        if (i == 0) {
            name_setop_columns(b, query, branch);
            b->stmt->traits |= repeats_column(branch) ? TRAIT_REPEAT : 0;
        }
        join_branch(b, query, branch, setop->operands[i]);
        if (i == 0 && recursive != NULL)
            recursive->recursion = query;
    }
    return query;
}

static struct bound_query *bind_values(struct binder *b, const struct query *ast, struct scope *parent)
{
    const struct values *values = ast->u.values;
    struct bound_query *query = bound_query_new(b, BOUND_VALUES);
    struct scope *scope = scope_new(b, parent);
    if (query == NULL || scope == NULL)
        return NULL;
    b->query = query;
    query->ast = ast;
    for (uint32_t row = 0; row < values->row_count && !b->arena->failed; row++) {
        for (uint32_t i = 0; i < values->row_lengths[row]; i++) {
            const struct select_item *item = &values->rows[row][i];
            if (row == 0) {
                struct name name = item->alias != NULL ? item->alias->name : numbered_name(b, STR("col"), i + 1);
                add_column(b, query, name, name_str(name));
            }
            bool literal = item->expr == NULL || item->expr->kind == EXPR_LITERAL;
            if (!literal && i < query->columns.count)
                bind_expr(b, scope, item->expr, &query->columns.items[i]->deps, NULL);
        }
    }
    return query;
}

/* ---- WITH ---- */

struct cte_scope *cte_push(struct binder *b, const struct cte *ctes, uint32_t count, struct scope *parent)
{
    if (count == 0)
        return NULL;
    struct cte_scope *scope = ARENA_NEW(b->arena, struct cte_scope);
    struct cte_entry *entries = ARENA_ARRAY(b->arena, struct cte_entry, count);
    if (scope == NULL || entries == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        entries[i].cte = &ctes[i];
    *scope = (struct cte_scope){b->ctes, entries, count, count, parent};
    b->ctes = scope;
    return scope;
}

void cte_pop(struct binder *b, struct cte_scope *ctes)
{
    if (ctes != NULL)
        b->ctes = ctes->outer;
}

/* The entry of that name in force; one that is being bound is passed over, unless it may be recursive. */
struct cte_entry *cte_find(struct binder *b, struct name name, struct cte_scope **where)
{
    for (struct cte_scope *scope = b->ctes; scope != NULL; scope = scope->outer) {
        for (uint32_t i = scope->visible; i-- > 0;) {
            struct cte_entry *entry = &scope->entries[i];
            bool usable = !entry->binding || entry->recursion != NULL;
            if (usable && name_eq(entry->cte->name.name, name)) {
                *where = scope;
                return entry;
            }
        }
    }
    return NULL;
}

/* The query's columns under other names. */
static struct bound_query *rename_columns(struct binder *b, struct bound_query *inner, const struct ident *names, uint32_t count)
{
    if (count == 0 || inner == NULL || inner->open)
        return inner;
    struct bound_query *query = bound_query_new(b, BOUND_BLOCK);
    if (query == NULL)
        return NULL;
    query_add_source(b, query, inner);
    query->has_limit = inner->has_limit;
    for (uint32_t i = 0; i < inner->columns.count; i++) {
        struct column *from = inner->columns.items[i];
        struct name name = i < count ? names[i].name : from->name;
        struct column *column = add_column(b, query, name, name_str(name));
        if (column == NULL)
            return NULL;
        column->flags = COLUMN_PLAIN;
        column->type = from->type;
        deps_add(b, &column->deps, from, STR(""), 0);
    }
    return query;
}

struct bound_query *query_rename(struct binder *b, struct bound_query *inner, const struct ident *names, uint32_t count)
{
    return rename_columns(b, inner, names, count);
}

struct bound_query *bind_cte(struct binder *b, struct cte_scope *scope, struct cte_entry *entry)
{
    if (entry->query != NULL)
        return entry->query;
    if (entry->binding)
        return entry->recursion;
    struct cte_scope *outer = b->ctes;
    struct bound_query *query = b->query;
    uint32_t visible = scope->visible;
    uint8_t aliases = b->aliases;
    entry->binding = true;
    b->ctes = scope;
    b->aliases = ALIAS_NONE;
    if (b->dialect == DIALECT_IMPALA)
        scope->visible = (uint32_t)(entry - scope->entries);
    const struct query *ast = entry->cte->query;
    bool may_recur = ast != NULL && entry->cte->recursive && ast->kind == QUERY_SETOP && ast->cte_count == 0;
    struct bound_query *bound = ast == NULL ? NULL : may_recur ? bind_setop(b, ast, scope->parent, entry) : bind_query(b, ast, scope->parent);
    entry->query = rename_columns(b, bound, entry->cte->columns, entry->cte->column_count);
    scope->visible = visible;
    b->ctes = outer;
    b->query = query;
    b->aliases = aliases;
    entry->binding = false;
    return entry->query;
}

/* ---- queries ---- */

static struct bound_query *bind_body(struct binder *b, const struct query *ast, struct scope *parent)
{
    switch ((enum query_kind)ast->kind) {
    case QUERY_BLOCK:
        return bind_block(b, ast, parent);
    case QUERY_SETOP:
        return bind_setop(b, ast, parent, NULL);
    case QUERY_VALUES:
        return bind_values(b, ast, parent);
    case QUERY_NESTED:
        return bind_query(b, ast->u.nested, parent);
    }
    return NULL;
}

/* ORDER BY of a set operation or around parentheses: only outputs can be named. */
static void bind_outer_order(struct binder *b, const struct query *ast, struct bound_query *query, struct scope *parent)
{
    struct scope *scope = scope_new(b, parent);
    if (scope == NULL)
        return;
    scope_add(b, scope, relation_of_query(b, query, NAME("")));
    b->query = query;
    bind_order(b, scope, query, ast);
}

struct bound_query *bind_query(struct binder *b, const struct query *ast, struct scope *parent)
{
    if (ast == NULL || b->arena->failed)
        return NULL;
    if (b->query_depth >= LIMIT_QUERY_DEPTH + LIMIT_VIEW_DEPTH) {
        binder_note(b, DIAG_TOO_DEEP, ast->span, STR("queries are nested too deeply here"), STR(""), STR(""));
        return bound_query_new(b, BOUND_BLOCK);
    }
    b->query_depth++;
    struct bound_query *around = b->query;
    uint8_t aliases = b->aliases;
    b->aliases = ALIAS_NONE;
    struct cte_scope *ctes = cte_push(b, ast->ctes, ast->cte_count, parent);
    struct bound_query *query = bind_body(b, ast, parent);
    if (query != NULL && ast->kind != QUERY_BLOCK && (is_ordered(ast) || ast->has_limit))
        bind_outer_order(b, ast, query, parent);
    cte_pop(b, ctes);
    b->aliases = aliases;
    b->query = around;
    b->query_depth--;
    return query;
}
