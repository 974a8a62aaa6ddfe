/* The tree as indented text: queries and what stands behind FROM. See ast_dump.h. */
#include "sql/ast_dump.h"

/* ---- select lists ---- */

static void dump_select_item(struct dumper *d, const void *node)
{
    const struct select_item *item = node;
    dump_ident(d, item->alias);
    dump_idents(d, item->aliases, item->alias_count);
    dump_push(d, STR(""), dump_expr, item->expr);
}

static void dump_script_call(struct dumper *d, const void *node)
{
    const struct script_call *script = node;
    dump_span(d, script->command);
    for (uint32_t i = 0; i < script->column_count; i++) {
        struct type *type = script->types != NULL ? script->types[i] : NULL;
        dump_push_text(d, STR("column"), name_str(script->columns[i].name));
        dump_push(d, STR("type"), dump_type, type);
    }
}

/* ---- FROM ---- */

static void dump_lateral(struct dumper *d, const void *node)
{
    const struct lateral_view *view = node;
    dump_ident(d, view->alias);
    dump_flag(d, view->outer, STR("OUTER"));
    dump_push_idents(d, STR("columns"), view->columns, view->column_count);
    dump_push(d, STR(""), dump_expr, view->call);
    dump_push(d, STR(""), dump_query, view->query);
}

static const str_t join_texts[] = {
    [JOIN_COMMA] = {"comma", 5},
    [JOIN_INNER] = {"inner", 5},
    [JOIN_CROSS] = {"cross", 5},
    [JOIN_LEFT] = {"left", 4},
    [JOIN_RIGHT] = {"right", 5},
    [JOIN_FULL] = {"full", 4},
    [JOIN_LEFT_SEMI] = {"left semi", 9},
    [JOIN_RIGHT_SEMI] = {"right semi", 10},
    [JOIN_LEFT_ANTI] = {"left anti", 9},
    [JOIN_RIGHT_ANTI] = {"right anti", 10},
    [JOIN_LATERAL_VIEW] = {"lateral view", 12},
};

static void dump_join(struct dumper *d, const void *node)
{
    const struct join_step *step = node;
    dump_word(d, join_texts[step->kind]);
    dump_flag(d, step->natural, STR("natural"));
    dump_push(d, STR(""), dump_from, step->right);
    dump_push(d, STR("view"), dump_lateral, step->lateral);
    dump_push(d, STR("on"), dump_expr, step->on);
    dump_push_idents(d, STR("using"), step->using_columns, step->using_count);
}

static void dump_pivot(struct dumper *d, const void *node)
{
    const struct pivot *pivot = node;
    dump_word(d, pivot->unpivot ? STR("unpivot") : STR("pivot"));
    dump_flag(d, pivot->unpivot, name_str(pivot->value_column.name));
    dump_push_array(d, STR("item"), dump_select_item, pivot->items, pivot->item_count,
                    sizeof(struct select_item));
    dump_push_text(d, STR("for"), name_str(pivot->for_column.name));
    dump_push_array(d, STR("in"), dump_select_item, pivot->in_items, pivot->in_count,
                    sizeof(struct select_item));
}

static const str_t from_texts[] = {
    [FROM_TABLE] = {"table", 5},
    [FROM_QUERY] = {"query", 5},
    [FROM_JOIN] = {"join", 4},
    [FROM_VALUES] = {"values", 6},
    [FROM_TABLE_FUNCTION] = {"table-function", 14},
    [FROM_UNNEST] = {"unnest", 6},
    [FROM_UNIQUEJOIN] = {"uniquejoin", 10},
};

void dump_from(struct dumper *d, const void *node)
{
    const struct from_item *item = node;
    dump_word(d, from_texts[item->kind]);
    dump_name(d, &item->name);
    if (item->alias != NULL)
        dump_word(d, STR("as"));
    dump_ident(d, item->alias);
    dump_push_idents(d, STR("columns"), item->columns, item->column_count);
    dump_push(d, STR(""), dump_query, item->query);
    dump_push(d, STR(""), dump_from, item->first);
    dump_push_array(d, STR("join"), dump_join, item->joins, item->join_count,
                    sizeof(struct join_step));
    dump_push_array(d, STR("lateral view"), dump_lateral, item->laterals, item->lateral_count,
                    sizeof(struct lateral_view));
    dump_push_exprs(d, STR("argument"), item->args.items, item->args.count);
    dump_push(d, STR("window"), dump_window, item->window);
    dump_push(d, STR(""), dump_pivot, item->pivot);
}

/* ---- blocks ---- */

static const str_t group_texts[] = {
    [GROUP_NONE] = {"", 0},     [GROUP_PLAIN] = {"plain", 5}, [GROUP_ROLLUP] = {"rollup", 6},
    [GROUP_CUBE] = {"cube", 4}, [GROUP_SETS] = {"sets", 4},   [GROUP_EMPTY] = {"empty", 5},
};

static void dump_group(struct dumper *d, const void *node)
{
    const struct group_by *group = node;
    dump_word(d, group_texts[group->kind]);
    dump_push_exprs(d, STR("key"), group->keys.items, group->keys.count);
    dump_push_exprs(d, STR("set"), group->sets.items, group->sets.count);
}

static void dump_named_window(struct dumper *d, const void *node)
{
    const struct named_window *named = node;
    dump_ident(d, &named->name);
    dump_push(d, STR("window"), dump_window, named->window);
}

static void push_block(struct dumper *d, const struct block *block)
{
    dump_push(d, STR("script"), dump_script_call, block->script);
    dump_push_array(d, STR("item"), dump_select_item, block->items, block->item_count,
                    sizeof(struct select_item));
    dump_push(d, STR("from"), dump_from, block->from);
    dump_push(d, STR("where"), dump_expr, block->where);
    if (block->group_by.kind != GROUP_NONE)
        dump_push(d, STR("group by"), dump_group, &block->group_by);
    dump_push(d, STR("having"), dump_expr, block->having);
    dump_push_array(d, STR("window"), dump_named_window, block->windows, block->window_count,
                    sizeof(struct named_window));
    dump_push(d, STR("qualify"), dump_expr, block->qualify);
}

/* ---- VALUES ---- */

struct values_row {
    const struct select_item *items;
    uint32_t count;
};

static void dump_values_row(struct dumper *d, const void *node)
{
    const struct values_row *row = node;
    dump_push_array(d, STR("item"), dump_select_item, row->items, row->count,
                    sizeof(struct select_item));
}

static void push_values(struct dumper *d, const struct values *values)
{
    struct values_row *rows = ARENA_ARRAY(&d->arena, struct values_row, values->row_count);
    for (uint32_t i = 0; rows != NULL && i < values->row_count; i++) {
        rows[i] = (struct values_row){values->rows[i], values->row_lengths[i]};
        dump_push(d, STR("row"), dump_values_row, &rows[i]);
    }
}

/* ---- queries ---- */

static const str_t setop_texts[] = {
    [SETOP_UNION_ALL] = {"union all", 9}, [SETOP_UNION] = {"union", 5},
    [SETOP_INTERSECT] = {"intersect", 9}, [SETOP_INTERSECT_ALL] = {"intersect all", 13},
    [SETOP_EXCEPT] = {"except", 6},       [SETOP_EXCEPT_ALL] = {"except all", 10},
};

static void push_setop(struct dumper *d, const struct setop *setop)
{
    for (uint32_t i = 0; i < setop->operand_count; i++)
        dump_push(d, i == 0 ? STR("") : setop_texts[setop->ops[i - 1]], dump_query,
                  setop->operands[i]);
}

void dump_cte(struct dumper *d, const void *node)
{
    const struct cte *cte = node;
    dump_ident(d, &cte->name);
    dump_flag(d, cte->recursive, STR("recursive"));
    dump_push_idents(d, STR("columns"), cte->columns, cte->column_count);
    dump_push(d, STR(""), dump_query, cte->query);
}

void dump_push_ctes(struct dumper *d, const struct cte *ctes, uint32_t count)
{
    dump_push_array(d, STR("with"), dump_cte, ctes, count, sizeof(struct cte));
}

static void push_tail(struct dumper *d, const struct query *query)
{
    dump_push_array(d, STR("order by"), dump_sort_key, query->order_by.items, query->order_by.count,
                    sizeof(struct sort_key));
    dump_push_exprs(d, STR("cluster by"), query->cluster_by.items, query->cluster_by.count);
    dump_push_exprs(d, STR("distribute by"), query->distribute_by.items,
                    query->distribute_by.count);
    dump_push_array(d, STR("sort by"), dump_sort_key, query->sort_by.items, query->sort_by.count,
                    sizeof(struct sort_key));
    dump_push_exprs(d, STR("limit"), query->limit.items, query->limit.count);
}

void dump_query(struct dumper *d, const void *node)
{
    static const str_t texts[] = {
        {"select", 6}, {"set-operation", 13}, {"values", 6}, {"nested", 6}};
    const struct query *query = node;
    dump_word(d, texts[query->kind]);
    dump_flag(d, query->kind == QUERY_BLOCK && query->u.block->distinct, STR("distinct"));
    dump_push_ctes(d, query->ctes, query->cte_count);
    switch ((enum query_kind)query->kind) {
    case QUERY_BLOCK:
        push_block(d, query->u.block);
        break;
    case QUERY_SETOP:
        push_setop(d, query->u.setop);
        break;
    case QUERY_VALUES:
        push_values(d, query->u.values);
        break;
    case QUERY_NESTED:
        dump_push(d, STR(""), dump_query, query->u.nested);
        break;
    }
    push_tail(d, query);
}
