/* Expressions of the tree → nodes of the plan. Names are looked up again, to learn of which relation a column is. */
#include "flow/hive_plan.h"

#include "bind/binder.h"

enum {
    MOST_NESTING = 200 /* expressions and queries within one another that are planned; deeper ones are read without the optimiser */
};

typedef VEC(struct node *) nodes_t;

static void push(struct plan *p, nodes_t *nodes, struct node *node)
{
    struct node **slot = VEC_PUSH(p->arena, nodes);
    if (slot != NULL)
        *slot = node;
}

static str_t slice(const struct scope *scope, span_t span)
{
    return span.end > scope->text.len || span.start > span.end ? STR("") : str_make(scope->text.ptr + span.start, span.end - span.start);
}

static struct node *other(struct plan *p, str_t text)
{
    return node_literal(p, LITERAL_IS_OTHER, text, VALUE_UNKNOWN);
}

/* ---- literals ---- */

static struct node *plan_literal(struct plan *p, const struct scope *scope, const struct expr *expr)
{
    str_t text = slice(scope, expr->span);
    while (text.len > 1 && text.ptr[0] == '(' && text.ptr[text.len - 1] == ')')
        text = str_trim(str_make(text.ptr + 1, text.len - 2));
    switch (expr->op) {
    case LITERAL_NULL:
        return node_literal(p, LITERAL_IS_NULL, STR(""), VALUE_UNKNOWN);
    case LITERAL_TRUE:
        return node_literal(p, LITERAL_IS_TRUE, STR(""), VALUE_BOOLEAN);
    case LITERAL_FALSE:
        return node_literal(p, LITERAL_IS_FALSE, STR(""), VALUE_BOOLEAN);
    case LITERAL_NUMBER:
        if (text.len > 1 && strchr("LSY", text.ptr[text.len - 1] & ~0x20) != NULL)
            text.len--; /* 3L is 3 */
        return node_literal(p, LITERAL_IS_NUMBER, text, VALUE_NUMBER);
    case LITERAL_STRING:
        text = text.len >= 2 ? str_make(text.ptr + 1, text.len - 2) : text;
        return node_literal(p, LITERAL_IS_STRING, text, VALUE_STRING);
    default:
        return node_literal(p, LITERAL_IS_OTHER, text, VALUE_DATE);
    }
}

/* ---- columns ---- */

static struct part *part_of_scope(struct plan *p, const struct scope *scope)
{
    for (struct part *part = p->part; part != NULL; part = part->outer)
        if (part->scope == scope)
            return part;
    return NULL;
}

/* USING: both sides, where both count. */
static struct node *merged_column(struct plan *p, struct part *part, struct column *column)
{
    struct node *sides[2] = {NULL, NULL};
    uint32_t count = 0;
    for (uint32_t i = 0; i < column->deps.count && count < 2; i++) {
        struct column *side = column->deps.items[i].column;
        if (side->flags & COLUMN_MERGED) {
            sides[count++] = merged_column(p, part, side);
            continue;
        }
        struct relation *relation = NULL;
        for (uint32_t k = 0; k < part->scope->relations.count && relation == NULL; k++) {
            struct relation *r = part->scope->relations.items[i == 0 ? k : part->scope->relations.count - 1 - k];
            bool of_query = r->query != NULL && r->query == side->query;
            if (of_query || side->relation == r)
                relation = r;
        }
        sides[count++] = plan_column(p, part, relation, side);
    }
    if (count == 1)
        return sides[0];
    struct node_key key = {.kind = NODE_CALL, .name = NAME("using"), .args = sides, .arg_count = count};
    return node_make(p, &key);
}

/* Whether what is known above the table functions of a block holds for this input of it: not for tables and groups, nor for what all but
 * the last of the functions give. */
static bool lets_through(const struct part *part, const struct part *input)
{
    if (input->kind == PART_LATERAL)
        return part->inputs[part->input_count - 1] == input || part->inputs[part->input_count - 1] == NULL;
    return input->kind != PART_SCAN && !input->aggregated && !input->distinct && !input->limited;
}

struct node *plan_column(struct plan *p, struct part *part, struct relation *relation, struct column *column)
{
    if (column == NULL)
        return NULL;
    if (relation == NULL && column->flags & COLUMN_MERGED && part != NULL)
        return merged_column(p, part, column);
    if (part == NULL || relation == NULL || relation->number >= part->input_count || part->inputs[relation->number] == NULL) {
        struct node_key key = {.kind = NODE_COLUMN, .column = column, .type = (uint8_t)value_type_of(column->type)};
        return node_make(p, &key);
    }
    struct part *input = part->inputs[relation->number];
    struct node *node = part_column(p, input, column);
    if (!part->lateral || lets_through(part, input) || node == NULL || node->kind == NODE_LITERAL)
        return node;
    struct node_key key = {.kind = NODE_BARRIER, .owner = part, .opaque = true, .type = node->type, .args = &node, .arg_count = 1};
    return node_make(p, &key);
}

static struct node *field_of(struct plan *p, struct node *node, str_t path, const struct type *type)
{
    struct node_key key = {.kind = NODE_FIELD, .name = name_of(path), .type = (uint8_t)value_type_of(type), .args = &node, .arg_count = 1};
    return path.len == 0 ? node : node_simple(p, &key);
}

static struct node *plan_alias(struct plan *p, const struct qname *name)
{
    struct column *alias = name->count == 1 && p->part->scope != NULL ? scope_alias(p->part->scope, name->parts[0].name) : NULL;
    if (alias != NULL && alias->ordinal < p->part->output_count && p->part->outputs[alias->ordinal] != NULL)
        return p->part->outputs[alias->ordinal];
    return NULL;
}

static struct node *plan_name(struct plan *p, struct scope *scope, const struct qname *name)
{
    struct bound_name found;
    if (!bind_find(p->arena, p->flow->bound, scope, name, p->flow->in->dialect, &found)) {
        struct node *alias = plan_alias(p, name);
        struct node_key unknown = {.kind = NODE_CALL, .name = name->parts[name->count - 1].name};
        return alias != NULL ? alias : node_simple(p, &unknown); /* current_date and the like */
    }
    struct node *node = plan_column(p, part_of_scope(p, found.scope), found.relation, found.column);
    return node == NULL ? NULL : field_of(p, node, found.path, NULL);
}

/* f(*): every column. */
static void push_star(struct plan *p, struct scope *scope, const struct expr *star, nodes_t *args)
{
    struct relation *only = star->u.name.count == 0 ? NULL : scope_relation(scope, star->u.name.parts, star->u.name.count);
    struct part *part = part_of_scope(p, scope);
    for (uint32_t i = 0; part != NULL && i < scope->relations.count; i++) {
        struct relation *relation = scope->relations.items[i];
        if ((only != NULL && relation != only) || relation->filters_only)
            continue;
        for (uint32_t k = 0; k < relation->column_count; k++)
            push(p, args, plan_column(p, part, relation, bind_relation_column(p->arena, p->flow->bound, relation, k)));
    }
}

static void push_args(struct plan *p, struct scope *scope, const struct expr *expr, nodes_t *args)
{
    for (uint32_t i = 0; i < expr->arg_count && !p->failed; i++) {
        if (expr->args[i]->kind == EXPR_STAR)
            push_star(p, scope, expr->args[i], args);
        else
            push(p, args, plan_expr(p, scope, expr->args[i]));
    }
}

/* ---- types of calls ---- */

struct typed_function {
    str_t name;
    uint8_t type; /* enum value_type */
};

static enum value_type type_of_call(struct name name, const nodes_t *args)
{
    static const struct typed_function functions[] = {
        {STR("concat"), VALUE_STRING}, {STR("concat_ws"), VALUE_STRING}, {STR("substr"), VALUE_STRING}, {STR("substring"), VALUE_STRING},
        {STR("upper"), VALUE_STRING}, {STR("ucase"), VALUE_STRING}, {STR("lower"), VALUE_STRING}, {STR("lcase"), VALUE_STRING},
        {STR("trim"), VALUE_STRING}, {STR("ltrim"), VALUE_STRING}, {STR("rtrim"), VALUE_STRING}, {STR("lpad"), VALUE_STRING},
        {STR("rpad"), VALUE_STRING}, {STR("regexp_replace"), VALUE_STRING}, {STR("regexp_extract"), VALUE_STRING},
        {STR("reverse"), VALUE_STRING}, {STR("replace"), VALUE_STRING}, {STR("translate"), VALUE_STRING}, {STR("repeat"), VALUE_STRING},
        {STR("initcap"), VALUE_STRING}, {STR("space"), VALUE_STRING}, {STR("hex"), VALUE_STRING}, {STR("md5"), VALUE_STRING},
        {STR("sha"), VALUE_STRING}, {STR("sha1"), VALUE_STRING}, {STR("sha2"), VALUE_STRING}, {STR("base64"), VALUE_STRING},
        {STR("get_json_object"), VALUE_STRING}, {STR("parse_url"), VALUE_STRING}, {STR("from_unixtime"), VALUE_STRING},
        {STR("date_format"), VALUE_STRING}, {STR("substring_index"), VALUE_STRING}, {STR("elt"), VALUE_STRING},
        {STR("length"), VALUE_NUMBER}, {STR("year"), VALUE_NUMBER}, {STR("month"), VALUE_NUMBER}, {STR("day"), VALUE_NUMBER},
        {STR("hour"), VALUE_NUMBER}, {STR("minute"), VALUE_NUMBER}, {STR("second"), VALUE_NUMBER}, {STR("quarter"), VALUE_NUMBER},
        {STR("abs"), VALUE_NUMBER}, {STR("round"), VALUE_NUMBER}, {STR("floor"), VALUE_NUMBER}, {STR("ceil"), VALUE_NUMBER},
        {STR("ceiling"), VALUE_NUMBER}, {STR("instr"), VALUE_NUMBER}, {STR("locate"), VALUE_NUMBER}, {STR("size"), VALUE_NUMBER},
        {STR("count"), VALUE_NUMBER}, {STR("sum"), VALUE_NUMBER}, {STR("avg"), VALUE_NUMBER}, {STR("hash"), VALUE_NUMBER},
        {STR("pmod"), VALUE_NUMBER}, {STR("mod"), VALUE_NUMBER}, {STR("datediff"), VALUE_NUMBER}, {STR("unix_timestamp"), VALUE_NUMBER},
        {STR("sqrt"), VALUE_NUMBER}, {STR("power"), VALUE_NUMBER}, {STR("pow"), VALUE_NUMBER}, {STR("ascii"), VALUE_NUMBER},
        {STR("stddev"), VALUE_NUMBER}, {STR("variance"), VALUE_NUMBER}, {STR("rank"), VALUE_NUMBER}, {STR("row_number"), VALUE_NUMBER},
        {STR("dense_rank"), VALUE_NUMBER}, {STR("ntile"), VALUE_NUMBER}, {STR("to_date"), VALUE_DATE}, {STR("date_add"), VALUE_DATE},
        {STR("date_sub"), VALUE_DATE}, {STR("add_months"), VALUE_DATE}, {STR("last_day"), VALUE_DATE}, {STR("trunc"), VALUE_STRING},
        {STR("current_date"), VALUE_DATE}, {STR("current_timestamp"), VALUE_DATE}, {STR("date"), VALUE_DATE},
        {STR("int"), VALUE_NUMBER}, {STR("bigint"), VALUE_NUMBER}, {STR("double"), VALUE_NUMBER}, {STR("string"), VALUE_STRING},
        {STR("boolean"), VALUE_BOOLEAN}, {STR("array_contains"), VALUE_BOOLEAN}};
    static const str_t of_argument[] = {STR("coalesce"), STR("nvl"), STR("max"), STR("min"), STR("greatest"), STR("least"),
                                        STR("nullif"), STR("lag"), STR("lead"), STR("first_value"), STR("last_value")};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (str_eq(functions[i].name, name_str(name)))
            return (enum value_type)functions[i].type;
    for (size_t i = 0; i < sizeof of_argument / sizeof *of_argument; i++)
        if (args->count > 0 && args->items[0] != NULL && str_eq(of_argument[i], name_str(name)))
            return (enum value_type)args->items[0]->type;
    return VALUE_UNKNOWN;
}

/* ---- aggregates ---- */

/* What arithmetic and avg do to a string first. */
static struct node *as_number(struct plan *p, struct node *node)
{
    struct node_key cast = {.kind = NODE_CAST, .type = VALUE_NUMBER, .name = NAME("double"), .args = &node, .arg_count = 1};
    return node == NULL || node->type != VALUE_STRING || node->kind == NODE_LITERAL ? node : node_simple(p, &cast);
}

static void as_numbers(struct plan *p, nodes_t *args)
{
    for (uint32_t i = 0; i < args->count; i++)
        args->items[i] = as_number(p, args->items[i]);
}

/* An argument that is a key already, or was one of an earlier DISTINCT aggregate, is lost (it is grouped by, not aggregated). */
static void lose_arguments(struct plan *p, struct node *node)
{
    for (uint32_t i = 0; i < node->arg_count && i < 64; i++) {
        bool known = false;
        for (uint32_t k = 0; k < p->part->keys.count && !known; k++)
            known = p->part->keys.items[k] == node->args[i];
        for (uint32_t k = 0; k < p->part->aggregates.count && !known; k++) {
            const struct node *other_ = p->part->aggregates.items[k];
            bool counts = other_->distinct && other_ != node && !other_->opaque;
            for (uint32_t a = 0; counts && a < other_->arg_count && !known; a++)
                known = other_->args[a] == node->args[i];
        }
        if (known)
            node->lost |= (uint64_t)1 << i;
    }
}

static bool keeps_distinct(struct name name)
{
    str_t text = name_str(name);
    return str_starts_with(text, STR("std")) || str_starts_with(text, STR("var"));
}

static struct node *make_aggregate(struct plan *p, struct name name, bool distinct, const nodes_t *args)
{
    struct node_key key = {.kind = NODE_AGGREGATE, .name = name, .distinct = distinct, .opaque = distinct && keeps_distinct(name),
                           .owner = p->part, .args = args->items, .arg_count = args->count, .type = (uint8_t)type_of_call(name, args)};
    uint32_t before = p->node_count;
    struct node *node = node_make(p, &key);
    if (node == NULL || p->node_count == before)
        return node;
    struct node **slot = VEC_PUSH(p->arena, &p->part->aggregates);
    if (slot != NULL)
        *slot = node;
    if (distinct && !keeps_distinct(name))
        lose_arguments(p, node);
    return node;
}

/* avg(distinct a) is sum(distinct a) / count(distinct a) to the optimiser. */
static struct node *split_average(struct plan *p, const nodes_t *args)
{
    struct node *parts[2];
    parts[0] = make_aggregate(p, NAME("sum"), true, args);
    parts[1] = make_aggregate(p, NAME("count"), true, args);
    return node_operator(p, OP_DIV, parts, 2);
}

static struct node *plan_aggregate(struct plan *p, struct scope *scope, const struct expr *expr, struct name name)
{
    nodes_t args = {NULL, 0, 0};
    bool grouped = false;
    if (expr->arg_count != 1 || expr->args[0]->kind != EXPR_STAR || expr->args[0]->u.name.count > 0)
        push_args(p, scope, expr, &args);
    for (uint32_t i = 0; expr->call != NULL && i < expr->call->within_group.count; i++)
        push(p, &args, plan_expr(p, scope, expr->call->within_group.items[i].expr));
    bool distinct = expr->call != NULL && expr->call->distinct;
    for (uint32_t i = 0; i < p->part->keys.count && args.count == 1; i++)
        grouped |= p->part->keys.items[i] == args.items[0];
    if (distinct && !p->raw && str_eq(name_str(name), STR("avg"))) {
        if (grouped)
            as_numbers(p, &args);
        return split_average(p, &args);
    }
    return make_aggregate(p, name, distinct, &args);
}

/* ---- windows ---- */

static const struct window *window_named(const struct part *part, struct name name)
{
    const struct block *block = part->query == NULL ? NULL : part->query->block;
    for (uint32_t i = 0; block != NULL && i < block->window_count; i++)
        if (name_eq(block->windows[i].name.name, name))
            return block->windows[i].window;
    return NULL;
}

/* Keeps of the keys known so far those that this window function has too. */
static void note_partition(struct plan *p, const nodes_t *keys)
{
    struct part *part = p->part;
    if (part->windows.count == 0) {
        for (uint32_t i = 0; i < keys->count; i++) {
            struct node **slot = VEC_PUSH(p->arena, &part->partition_keys);
            if (slot != NULL)
                *slot = keys->items[i];
        }
        return;
    }
    uint32_t stamp = ++p->set_stamp, kept = 0;
    for (uint32_t i = 0; i < keys->count; i++)
        if (keys->items[i] != NULL)
            keys->items[i]->set_stamp = stamp;
    for (uint32_t i = 0; i < part->partition_keys.count; i++)
        if (part->partition_keys.items[i] != NULL && part->partition_keys.items[i]->set_stamp == stamp)
            part->partition_keys.items[kept++] = part->partition_keys.items[i];
    part->partition_keys.count = kept;
}

static struct node *plan_window(struct plan *p, struct scope *scope, const struct expr *expr, struct name name)
{
    nodes_t args = {NULL, 0, 0}, keys = {NULL, 0, 0};
    if (expr->arg_count != 1 || expr->args[0]->kind != EXPR_STAR || expr->args[0]->u.name.count > 0)
        push_args(p, scope, expr, &args);
    const struct window *window = expr->call->over;
    for (uint32_t hops = 0; window != NULL && hops < LIMIT_NAME_PARTS; hops++) {
        for (uint32_t i = 0; i < window->partition_by.count; i++)
            push(p, &keys, plan_expr(p, scope, window->partition_by.items[i]));
        for (uint32_t i = 0; i < window->order_by.count; i++)
            push(p, &args, plan_expr(p, scope, window->order_by.items[i].expr));
        window = window->base == NULL ? NULL : window_named(p->part, window->base->name);
    }
    for (uint32_t i = 0; i < keys.count; i++)
        push(p, &args, keys.items[i]);
    note_partition(p, &keys);
    p->part->windowed = true;
    struct node_key key = {.kind = NODE_WINDOW, .name = name, .owner = p->part, .ordinal = p->part->windows.count, .args = args.items,
                           .arg_count = args.count, .type = (uint8_t)type_of_call(name, &args)};
    struct node *node = node_make(p, &key);
    struct node **slot = node == NULL ? NULL : VEC_PUSH(p->arena, &p->part->windows);
    if (slot != NULL)
        *slot = node;
    return node;
}

/* ---- subqueries ---- */

static struct bound_query *bound_of(const struct part *part, const struct query *ast)
{
    while (ast != NULL && ast->kind == QUERY_NESTED)
        ast = ast->u.nested;
    for (uint32_t i = 0; part->query != NULL && i < part->query->children.count; i++)
        if (part->query->children.items[i]->ast == ast)
            return part->query->children.items[i];
    return NULL;
}

/* (select 3) */
static struct node *constant_query(const struct part *part)
{
    bool single = part->kind == PART_BLOCK && part->input_count == 0 && part->output_count == 1 && part->outputs[0] != NULL;
    return single && part->outputs[0]->kind == NODE_LITERAL ? part->outputs[0] : NULL;
}

static struct node *plan_subquery(struct plan *p, struct scope *scope, const struct expr *expr)
{
    struct bound_query *query = bound_of(p->part, expr->u.query);
    if (query == NULL) {
        p->failed = true;
        return NULL;
    }
    nodes_t args = {NULL, 0, 0};
    push_args(p, scope, expr, &args);
    struct part *part = plan_query(p, query, p->part);
    if (part == NULL)
        return NULL;
    part->subquery = true;
    struct node *constant = expr->kind == EXPR_SUBQUERY ? constant_query(part) : NULL;
    if (constant != NULL)
        return constant;
    struct node *first = part->output_count > 0 ? part->outputs[0] : NULL;
    struct node_key key = {.kind = NODE_SUBQUERY, .op = expr->kind, .owner = part, .args = args.items, .arg_count = args.count,
                           .type = (uint8_t)(expr->kind == EXPR_SUBQUERY && first != NULL ? first->type : VALUE_BOOLEAN)};
    struct node *node = node_make(p, &key);
    return expr->flags & EXPR_NEGATED ? node_not(p, node) : node;
}

/* ---- calls ---- */

static struct node *plan_call(struct plan *p, struct scope *scope, const struct expr *expr)
{
    struct name name = expr->u.name.count == 0 ? NAME("") : expr->u.name.parts[expr->u.name.count - 1].name;
    if (expr->call != NULL && expr->call->over != NULL)
        return plan_window(p, scope, expr, name);
    enum function_kind kind = function_kind(name);
    if (kind == FUNCTION_AGGREGATE || (kind == FUNCTION_RANKING && expr->arg_count > 0))
        return plan_aggregate(p, scope, expr, name);
    nodes_t args = {NULL, 0, 0};
    push_args(p, scope, expr, &args);
    bool is_if = str_eq(name_str(name), STR("if")) && args.count == 3;
    if (str_eq(name_str(name), STR("grouping"))) /* of the grouping set, not of its keys */
        args.count = 0;
    struct node_key key = {.kind = is_if ? NODE_CASE : NODE_CALL, .name = is_if ? NAME("") : name, .args = args.items, .arg_count = args.count};
    if (kind == FUNCTION_TABLE)
        key.kind = NODE_SCRIPT;
    else if (str_eq(name_str(name), STR("struct")))
        key.kind = NODE_ROW;
    key.type = is_if && args.items[1] != NULL ? args.items[1]->type : (uint8_t)type_of_call(name, &args);
    return node_simple(p, &key);
}

static struct node *plan_case(struct plan *p, struct scope *scope, const struct expr *expr)
{
    uint32_t first = expr->flags & CASE_OPERAND ? 1 : 0;
    uint32_t end = expr->flags & CASE_ELSE ? expr->arg_count - 1 : expr->arg_count;
    struct node *operand = first == 1 ? plan_expr(p, scope, expr->args[0]) : NULL;
    nodes_t args = {NULL, 0, 0};
    for (uint32_t i = first; i + 1 < end && !p->failed; i += 2) {
        struct node *when = plan_expr(p, scope, expr->args[i]);
        struct node *sides[2] = {operand, when};
        push(p, &args, first == 1 ? node_operator(p, OP_EQ, sides, 2) : when);
        push(p, &args, plan_expr(p, scope, expr->args[i + 1]));
    }
    push(p, &args, end < expr->arg_count ? plan_expr(p, scope, expr->args[end]) : node_literal(p, LITERAL_IS_NULL, STR(""), VALUE_UNKNOWN));
    if (p->failed || p->arena->failed || args.count == 0)
        return NULL;
    struct node *result = args.count > 1 ? args.items[1] : args.items[0];
    struct node_key key = {.kind = NODE_CASE, .args = args.items, .arg_count = args.count, .type = result == NULL ? 0 : result->type};
    return node_simple(p, &key);
}

/* ---- operators ---- */

static struct node *plan_unary(struct plan *p, struct scope *scope, const struct expr *expr)
{
    struct node *arg = plan_expr(p, scope, expr->args[0]);
    if (expr->op == OP_POS || arg == NULL)
        return arg;
    if (expr->op == OP_NEG && node_is_literal(arg, LITERAL_IS_NUMBER))
        return node_literal(p, LITERAL_IS_NUMBER, arena_join(p->arena, STR("-"), name_str(arg->name)), VALUE_NUMBER);
    return node_operator(p, (enum expr_op)expr->op, &arg, 1);
}

static struct node *plan_chain(struct plan *p, struct scope *scope, const struct expr *expr)
{
    nodes_t args = {NULL, 0, 0};
    push_args(p, scope, expr, &args);
    if (expr->op == OP_AND || expr->op == OP_OR || p->failed)
        return node_operator(p, (enum expr_op)expr->op, args.items, args.count);
    if (expr->op != OP_CONCAT && !p->raw)
        as_numbers(p, &args);
    struct name ops = expr->u.ops == NULL ? NAME("") : name_of(str_make((const char *)expr->u.ops, expr->arg_count - 1));
    struct node_key key = {.kind = NODE_OPERATOR, .op = expr->op, .name = ops, .args = args.items, .arg_count = args.count,
                           .type = (uint8_t)(expr->op == OP_CONCAT ? VALUE_STRING : VALUE_NUMBER)};
    return node_simple(p, &key);
}

static struct node *plan_listed(struct plan *p, struct scope *scope, const struct expr *expr, struct node_key key)
{
    nodes_t args = {NULL, 0, 0};
    push_args(p, scope, expr, &args);
    key.args = args.items;
    key.arg_count = args.count;
    struct node *node = node_simple(p, &key);
    return expr->flags & EXPR_NEGATED ? node_not(p, node) : node;
}

static struct node *plan_cast(struct plan *p, struct scope *scope, const struct expr *expr)
{
    const struct type *type = expr->u.type;
    struct node_key key = {.kind = NODE_CAST, .type = (uint8_t)value_type_of(type), .name = type == NULL ? NAME("") : type->name};
    if (type != NULL && type->kind != TYPE_PRIMITIVE)
        key.name = NAME("complex");
    return plan_listed(p, scope, expr, key);
}

static struct node *plan_one(struct plan *p, struct scope *scope, const struct expr *expr)
{
    struct node_key key = {.kind = NODE_OPERATOR, .op = expr->op, .type = VALUE_BOOLEAN};
    switch ((enum expr_kind)expr->kind) {
    case EXPR_COLUMN:
        return expr->u.name.count == 0 ? NULL : plan_name(p, scope, &expr->u.name);
    case EXPR_STAR:
    case EXPR_PARAMETER:
    case EXPR_VARIABLE:
    case EXPR_DEFAULT:
        return other(p, slice(scope, expr->span));
    case EXPR_LITERAL:
        return plan_literal(p, scope, expr);
    case EXPR_CALL:
        return plan_call(p, scope, expr);
    case EXPR_CAST:
        return plan_cast(p, scope, expr);
    case EXPR_CASE:
        return plan_case(p, scope, expr);
    case EXPR_UNARY:
        return plan_unary(p, scope, expr);
    case EXPR_CHAIN:
        return plan_chain(p, scope, expr);
    case EXPR_COMPARE:
    case EXPR_IS:
    case EXPR_LIKE:
        return plan_listed(p, scope, expr, key);
    case EXPR_BETWEEN:
        key = (struct node_key){.kind = NODE_CALL, .type = VALUE_BOOLEAN, .name = NAME("between")};
        return plan_listed(p, scope, expr, key);
    case EXPR_IN:
        key = (struct node_key){.kind = NODE_IN, .type = VALUE_BOOLEAN};
        return plan_listed(p, scope, expr, key);
    case EXPR_IN_QUERY:
    case EXPR_QUANTIFIED:
    case EXPR_EXISTS:
    case EXPR_SUBQUERY:
        return plan_subquery(p, scope, expr);
    case EXPR_INTERVAL:
        key = (struct node_key){.kind = NODE_CALL, .name = name_of(slice(scope, expr->span))};
        return plan_listed(p, scope, expr, key);
    case EXPR_FIELD:
        key = (struct node_key){.kind = NODE_FIELD, .name = expr->u.name.count == 0 ? NAME("") : expr->u.name.parts[0].name};
        return plan_listed(p, scope, expr, key);
    case EXPR_INDEX:
        key = (struct node_key){.kind = NODE_CALL, .name = NAME("[]")};
        return plan_listed(p, scope, expr, key);
    case EXPR_ROW:
        key = (struct node_key){.kind = NODE_ROW};
        return plan_listed(p, scope, expr, key);
    }
    return NULL;
}

struct node *plan_expr(struct plan *p, struct scope *scope, const struct expr *expr)
{
    if (expr == NULL || p->failed || p->arena->failed)
        return NULL;
    if (p->depth >= MOST_NESTING) {
        p->failed = true;
        return NULL;
    }
    p->depth++;
    struct node *node = plan_one(p, scope, expr);
    p->depth--;
    return node;
}
