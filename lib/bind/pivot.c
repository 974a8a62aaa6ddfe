/* PIVOT and UNPIVOT (Impala 5.0): a relation made of another one's columns. */
#include "bind/binder.h"

static struct column *add_column(struct binder *b, struct relation *relation, struct name name, uint32_t flags)
{
    struct column *column = column_new(b, name, name_str(name));
    if (column == NULL)
        return NULL;
    column->flags = flags;
    column->relation = relation;
    relation_add(b, relation, column);
    return column;
}

static bool is_listed(const struct pivot *pivot, struct name name)
{
    for (uint32_t i = 0; i < pivot->in_count; i++) {
        const struct expr *expr = pivot->in_items[i].expr;
        if (expr != NULL && expr->kind == EXPR_COLUMN && expr->u.name.count == 1 && name_eq(expr->u.name.parts[0].name, name))
            return true;
    }
    return false;
}

/* Columns that the clause does not name stay as they are. */
static void pass_others(struct binder *b, struct relation *relation, struct relation *input, const struct deps *used, const struct pivot *pivot)
{
    for (uint32_t i = 0; i < input->column_count; i++) {
        struct column *from = relation_column(b, input, i);
        bool taken = from == NULL || (pivot->unpivot && is_listed(pivot, from->name)) ||
                     (!pivot->unpivot && name_eq(from->name, pivot->for_column.name));
        for (uint32_t k = 0; k < used->count; k++)
            taken = taken || used->items[k].column == from;
        struct column *column = taken ? NULL : add_column(b, relation, from->name, COLUMN_PLAIN);
        if (column != NULL)
            deps_add(b, &column->deps, from, STR(""), 0);
    }
}

static void unpivot_columns(struct binder *b, struct relation *relation, struct relation *input, const struct pivot *pivot)
{
    pass_others(b, relation, input, &(struct deps){NULL, 0, 0}, pivot);
    add_column(b, relation, pivot->for_column.name, 0);
    struct column *value = add_column(b, relation, pivot->value_column.name, COLUMN_UNION);
    for (uint32_t i = 0; value != NULL && i < pivot->in_count; i++) {
        const struct expr *expr = pivot->in_items[i].expr;
        if (expr != NULL && expr->kind == EXPR_COLUMN && expr->u.name.count == 1)
            deps_add(b, &value->deps, relation_find(b, input, expr->u.name.parts[0].name), STR(""), DEP_UNION);
    }
}

static struct name in_item_name(struct binder *b, const struct select_item *item)
{
    if (item->alias != NULL)
        return item->alias->name;
    str_t text = item->expr == NULL ? STR("") : binder_slice(b, item->expr->span);
    return arena_name(b->arena, text.len >= 2 && text.ptr[0] == '\'' ? str_make(text.ptr + 1, text.len - 2) : text);
}

static void pivot_columns(struct binder *b, struct relation *relation, struct relation *input, const struct pivot *pivot)
{
    struct scope *scope = scope_new(b, NULL);
    if (scope == NULL)
        return;
    scope_add(b, scope, input);
    struct deps used = {NULL, 0, 0};
    for (uint32_t i = 0; i < pivot->item_count; i++)
        bind_expr(b, scope, pivot->items[i].expr, &used, NULL);
    pass_others(b, relation, input, &used, pivot);
    struct column *key = relation_find(b, input, pivot->for_column.name);
    for (uint32_t i = 0; i < pivot->in_count; i++) {
        for (uint32_t k = 0; k < pivot->item_count; k++) {
            struct name name = in_item_name(b, &pivot->in_items[i]);
            if (pivot->items[k].alias != NULL)
                name = name_of(arena_join(b->arena, arena_join(b->arena, name_str(name), STR("_")), name_str(pivot->items[k].alias->name)));
            struct column *column = add_column(b, relation, name, 0);
            if (column == NULL)
                return;
            bind_expr(b, scope, pivot->items[k].expr, &column->deps, column);
            deps_add(b, &column->deps, key, STR(""), DEP_CHANGED | DEP_CONDITION);
        }
    }
}

struct relation *bind_pivot(struct binder *b, struct relation *input, const struct pivot *pivot)
{
    struct relation *relation = relation_new(b, RELATION_FUNCTION, input->alias);
    if (relation == NULL)
        return NULL;
    relation->input = input;
    relation->open = input->open;
    if (pivot->unpivot)
        unpivot_columns(b, relation, input, pivot);
    else
        pivot_columns(b, relation, input, pivot);
    relation_close(relation);
    return relation;
}
