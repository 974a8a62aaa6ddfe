/* LATERAL VIEW and the names of what table functions give (hive-sql.md 4.4). */
#include "bind/binder.h"

struct udtf_row {
    str_t name;
    str_t columns[2];
    uint32_t count;
};

struct name numbered_name(struct binder *b, str_t prefix, uint32_t number)
{
    char digits[10];
    size_t len = 0;
    for (uint32_t ten = 1000000000; ten > 0; ten /= 10)
        if (number >= ten || ten == 1)
            digits[len++] = (char)('0' + number / ten % 10);
    return name_of(arena_join(b->arena, prefix, str_make(digits, len)));
}

static uint32_t numbered_columns(struct binder *b, str_t prefix, uint32_t count, struct name **out)
{
    struct name *names = ARENA_ARRAY(b->arena, struct name, count);
    if (names == NULL)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        names[i] = numbered_name(b, prefix, i);
    *out = names;
    return count;
}

static uint32_t fixed_columns(struct binder *b, const str_t *columns, uint32_t count, struct name **out)
{
    struct name *names = ARENA_ARRAY(b->arena, struct name, count);
    if (names == NULL)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        names[i] = name_of(columns[i]);
    *out = names;
    return count;
}

static bool is_call_of(const struct expr *expr, str_t name)
{
    return expr != NULL && expr->kind == EXPR_CALL && expr->u.name.count == 1 && str_eq(name_str(expr->u.name.parts[0].name), name);
}

/* The first struct of inline(array(struct(..), ..)): its fields are col1, col2 .., or have the names of named_struct. */
static uint32_t made_struct_columns(struct binder *b, const struct expr *call, struct name **out)
{
    const struct expr *array = call->arg_count > 0 && is_call_of(call->args[0], STR("array")) ? call->args[0] : NULL;
    const struct expr *row = array != NULL && array->arg_count > 0 ? array->args[0] : NULL;
    bool named = is_call_of(row, STR("named_struct"));
    uint32_t count = named ? row->arg_count / 2 : is_call_of(row, STR("struct")) ? row->arg_count : 0;
    struct name *names = ARENA_ARRAY(b->arena, struct name, count == 0 ? 1 : count);
    if (names == NULL)
        return 0;
    names[0] = NAME("col");
    for (uint32_t i = 0; i < count; i++) {
        str_t text = named ? string_literal_value(binder_slice(b, row->args[(size_t)2 * i]->span), b->dialect, b->arena) : STR("");
        names[i] = named ? arena_name(b->arena, text) : numbered_name(b, STR("col"), i + 1);
    }
    *out = names;
    return count == 0 ? 1 : count;
}

/* inline(array<struct<..>>) */
static uint32_t struct_columns(struct binder *b, const struct expr *call, const struct type *type, struct name **out)
{
    const struct type *row = type != NULL && type->kind == TYPE_ARRAY && type->field_count == 1 ? type->fields[0].type : NULL;
    if (row == NULL || row->kind != TYPE_STRUCT)
        return made_struct_columns(b, call, out);
    struct name *names = ARENA_ARRAY(b->arena, struct name, row->field_count);
    if (names == NULL)
        return 0;
    for (uint32_t i = 0; i < row->field_count; i++)
        names[i] = row->fields[i].name;
    *out = names;
    return row->field_count;
}

/* stack(n, v1, v2 ..): as many columns as there are values for each of the n rows */
static uint32_t stack_columns(struct binder *b, const struct expr *call, struct name **out)
{
    uint32_t rows = 0;
    const struct expr *first = call->arg_count > 0 ? call->args[0] : NULL;
    for (uint32_t i = first == NULL ? 0 : first->span.start; first != NULL && i < first->span.end; i++)
        if (b->text.ptr[i] >= '0' && b->text.ptr[i] <= '9' && rows < 1000000)
            rows = rows * 10 + (uint32_t)(b->text.ptr[i] - '0');
    uint32_t values = call->arg_count > 0 ? call->arg_count - 1 : 0;
    uint32_t count = rows == 0 ? values : (values + rows - 1) / rows;
    return numbered_columns(b, STR("col"), count == 0 ? 1 : count, out);
}

/* map(..), str_to_map(..) as the argument */
static bool makes_map(const struct expr *call)
{
    const struct expr *arg = call->arg_count > 0 ? call->args[0] : NULL;
    if (arg == NULL || arg->kind != EXPR_CALL || arg->u.name.count != 1)
        return false;
    str_t name = name_str(arg->u.name.parts[0].name);
    return str_eq(name, STR("map")) || str_eq(name, STR("str_to_map"));
}

uint32_t table_function_columns(struct binder *b, const struct expr *call, const struct type *arg, struct name **out)
{
    static const str_t col[] = {STR("col")}, map[] = {STR("key"), STR("value")}, position[] = {STR("pos"), STR("val")},
                       position_map[] = {STR("pos"), STR("key"), STR("value")};
    str_t name = call->u.name.count == 0 ? STR("") : name_str(call->u.name.parts[call->u.name.count - 1].name);
    bool is_map = (arg != NULL && arg->kind == TYPE_MAP) || makes_map(call);
    if (str_eq(name, STR("explode")))
        return is_map ? fixed_columns(b, map, 2, out) : fixed_columns(b, col, 1, out);
    if (str_eq(name, STR("posexplode")))
        return is_map ? fixed_columns(b, position_map, 3, out) : fixed_columns(b, position, 2, out);
    if (str_eq(name, STR("inline")))
        return struct_columns(b, call, arg, out);
    if (str_eq(name, STR("json_tuple")) || str_eq(name, STR("parse_url_tuple")))
        return numbered_columns(b, STR("c"), call->arg_count > 1 ? call->arg_count - 1 : 1, out);
    if (str_eq(name, STR("stack")))
        return stack_columns(b, call, out);
    return fixed_columns(b, col, 1, out);
}

static const struct type *argument_type(const struct deps *args)
{
    return args->count == 1 && args->items[0].column != NULL && args->items[0].path.len == 0 ? args->items[0].column->type : NULL;
}

static void add_output(struct binder *b, struct relation *relation, struct name name, const struct lateral_view *lateral)
{
    struct column *column = column_new(b, name, name_str(name));
    if (column == NULL)
        return;
    column->flags = COLUMN_SCRIPT;
    column->ordinal = relation->extra.count;
    column->relation = relation;
    column->expr = lateral->call;
    column->text = binder_slice(b, lateral->call->span);
    column->span = binder_span(b, lateral->call->span);
    deps_add_all(b, &column->deps, &relation->args, DEP_CHANGED | DEP_SCRIPT);
    relation_add(b, relation, column);
}

/* LATERAL TABLE(VALUES ..) AS t(a, b) */
static struct relation *bind_lateral_values(struct binder *b, struct scope *scope, struct bound_query *query, const struct lateral_view *lateral)
{
    struct bound_query *values = bind_query(b, lateral->query, scope);
    b->query = query;
    query_add_source(b, query, values);
    values = query_rename(b, values, lateral->columns, lateral->column_count);
    return relation_of_query(b, values, lateral->alias == NULL ? NAME("") : lateral->alias->name);
}

void bind_lateral(struct binder *b, struct scope *scope, struct bound_query *query, const struct lateral_view *lateral)
{
    if (lateral->call == NULL) {
        scope_add(b, scope, bind_lateral_values(b, scope, query, lateral));
        return;
    }
    struct relation *relation = relation_new(b, RELATION_LATERAL, lateral->alias == NULL ? NAME("") : lateral->alias->name);
    if (relation == NULL)
        return;
    relation->call = lateral->call;
    b->stmt->traits |= lateral->outer ? TRAIT_UNPLANNED : 0;
    for (uint32_t i = 0; i < lateral->call->arg_count; i++)
        bind_expr(b, scope, lateral->call->args[i], &relation->args, NULL);
    struct name *names = NULL;
    uint32_t count = lateral->column_count;
    if (count == 0)
        count = table_function_columns(b, lateral->call, argument_type(&relation->args), &names);
    for (uint32_t i = 0; i < count; i++)
        add_output(b, relation, lateral->column_count > 0 ? lateral->columns[i].name : names[i], lateral);
    relation_close(relation);
    scope_add(b, scope, relation);
}
