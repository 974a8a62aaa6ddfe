/* Queries of the bound statement → parts of the plan: inputs first, then conditions, keys and outputs. */
#include "flow/hive_plan.h"

#include "bind/binder.h"

enum {
    MOST_PARTS = 20000, /* uses of tables and queries in a statement; more are read without the optimiser */
    MOST_QUERIES = 200 /* within one another */
};

static struct part *part_new(struct plan *p, enum part_kind kind, struct bound_query *query, struct relation *relation)
{
    struct part *part = ARENA_NEW(p->arena, struct part);
    struct part **slot = VEC_PUSH(p->arena, &p->parts);
    if (part == NULL || slot == NULL || p->parts.count > MOST_PARTS) {
        p->failed = true;
        return NULL;
    }
    *slot = part;
    part->kind = (uint8_t)kind;
    part->raw = p->raw;
    part->id = p->parts.count - 1;
    part->end = part->id + 1;
    part->parent = p->part;
    part->query = query;
    part->relation = relation;
    return part;
}

static bool make_outputs(struct plan *p, struct part *part, uint32_t count)
{
    part->outputs = ARENA_ARRAY(p->arena, struct node *, count == 0 ? 1 : count);
    part->output_count = part->outputs == NULL ? 0 : count;
    return part->outputs != NULL;
}

/* ---- columns of an input ---- */

static bool lists(const struct part *part, const struct column *column)
{
    if (column->ordinal >= part->output_count)
        return false;
    if (part->relation != NULL && part->relation->columns != NULL && column->ordinal < part->relation->column_count &&
        part->relation->columns[column->ordinal] == column)
        return true;
    return part->query != NULL && column->ordinal < part->query->columns.count && part->query->columns.items[column->ordinal] == column;
}

struct node *part_column(struct plan *p, struct part *part, struct column *column)
{
    if (part->kind != PART_SCAN && lists(part, column) && part->outputs[column->ordinal] != NULL)
        return part->outputs[column->ordinal];
    struct node_key key = {.kind = NODE_COLUMN, .owner = part, .column = column, .type = (uint8_t)value_type_of(column->type)};
    return node_make(p, &key);
}

uint32_t part_only_input(const struct part *part, const struct node *node)
{
    uint32_t low = 0, high = part->input_count; /* inputs are made in order, so their parts are */
    while (low < high && node->first_part <= node->last_part) {
        uint32_t middle = low + (high - low) / 2;
        const struct part *input = part->inputs[middle];
        if (input == NULL)
            break;
        if (node->first_part >= input->end)
            low = middle + 1;
        else if (node->first_part < input->id)
            high = middle;
        else
            return node->last_part < input->end ? middle : part->input_count;
    }
    return part->input_count;
}

/* ---- relations ---- */

static struct part *plan_relation(struct plan *p, struct relation *relation);

/* Every output comes of every argument. */
static void script_outputs(struct plan *p, struct part *part, uint32_t count, struct node *const *args, uint32_t arg_count)
{
    if (!make_outputs(p, part, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct node_key key = {.kind = NODE_SCRIPT, .owner = part, .ordinal = i, .args = args, .arg_count = arg_count};
        part->outputs[i] = node_make(p, &key);
    }
}

static struct part *plan_lateral(struct plan *p, struct relation *relation)
{
    struct part *block = p->part;
    struct part *part = part_new(p, PART_LATERAL, NULL, relation);
    if (part == NULL)
        return NULL;
    VEC(struct node *) args = {NULL, 0, 0};
    for (uint32_t i = 0; relation->call != NULL && i < relation->call->arg_count; i++) {
        struct node **slot = VEC_PUSH(p->arena, &args);
        if (slot != NULL)
            *slot = plan_expr(p, block->scope, relation->call->args[i]);
    }
    script_outputs(p, part, relation->column_count, args.items, args.count);
    return part;
}

/* A table function reads all of its input, and gives all of it to each of its columns. */
static struct part *plan_function(struct plan *p, struct relation *relation)
{
    struct part *part = part_new(p, PART_FUNCTION, NULL, relation);
    struct part *outer = p->part;
    if (part == NULL || relation->input == NULL)
        return part;
    p->part = part;
    struct relation *input = relation->input;
    struct part *below = plan_relation(p, input);
    p->part = outer;
    uint32_t count = input->column_count;
    struct node **args = ARENA_ARRAY(p->arena, struct node *, count == 0 ? 1 : count);
    if (args == NULL || below == NULL)
        return part;
    for (uint32_t i = 0; i < count; i++)
        args[i] = part_column(p, below, bind_relation_column(p->arena, p->flow->bound, input, i));
    script_outputs(p, part, relation->column_count, args, count);
    part->end = p->parts.count;
    return part;
}

static void set_input(struct plan *p, struct part *part, struct part *below)
{
    part->inputs = ARENA_ARRAY(p->arena, struct part *, 1);
    if (part->inputs == NULL || below == NULL)
        return;
    part->inputs[0] = below;
    part->input_count = 1;
}

/* t(a, b) */
static struct part *plan_renamed(struct plan *p, struct relation *relation)
{
    struct part *part = part_new(p, PART_RENAMED, NULL, relation);
    if (part == NULL || !make_outputs(p, part, relation->column_count))
        return NULL;
    struct part *outer = p->part;
    p->part = part;
    struct part *below = plan_relation(p, relation->input);
    p->part = outer;
    set_input(p, part, below);
    for (uint32_t i = 0; below != NULL && i < relation->column_count; i++)
        if (relation->columns[i]->deps.count == 1)
            part->outputs[i] = part_column(p, below, relation->columns[i]->deps.items[0].column);
    part->end = p->parts.count;
    return part;
}

static struct part *plan_relation(struct plan *p, struct relation *relation)
{
    switch ((enum relation_kind)relation->kind) {
    case RELATION_QUERY:
        if (relation->input != NULL)
            return plan_renamed(p, relation);
        return relation->query == NULL ? part_new(p, PART_SCAN, NULL, relation) : plan_query(p, relation->query, p->part->outer);
    case RELATION_LATERAL:
        return plan_lateral(p, relation);
    case RELATION_FUNCTION:
        return plan_function(p, relation);
    case RELATION_SCAN:
    case RELATION_COLLECTION:
        break;
    }
    return part_new(p, PART_SCAN, NULL, relation);
}

/* ---- conditions ---- */

static struct predicate *predicate_of(const struct part *part, const struct expr *expr)
{
    for (struct predicate *predicate = part->query->predicates.first; predicate != NULL && expr != NULL; predicate = predicate->next)
        if (predicate->expr == expr)
            return predicate;
    return NULL;
}

static void add_condition(struct plan *p, struct part *part, const struct expr *expr, struct node *node, enum condition_kind kind, uint32_t join)
{
    struct condition *condition = node == NULL ? NULL : ARENA_NEW(p->arena, struct condition);
    struct condition **slot = condition == NULL ? NULL : VEC_PUSH(p->arena, &p->conditions);
    if (slot == NULL)
        return;
    *slot = condition;
    *condition = (struct condition){.node = node, .predicate = predicate_of(part, expr), .part = part, .kind = (uint8_t)kind, .join = join};
    if (condition->predicate == NULL)
        return;
    condition->next = condition->predicate->reading;
    condition->predicate->reading = condition;
}

static struct node *side_column(struct plan *p, struct part *part, struct name name, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && i < part->input_count; i++) {
        struct relation *relation = part->scope->relations.items[i];
        struct column *column = bind_relation_find(p->arena, p->flow->bound, relation, name);
        if (column != NULL)
            return plan_column(p, part, relation, column);
    }
    return NULL;
}

static void plan_using(struct plan *p, struct part *part, const struct join_info *join, uint32_t index)
{
    for (uint32_t i = 0; join->step != NULL && i < join->step->using_count; i++) {
        struct name name = join->step->using_columns[i].name;
        struct node *sides[2] = {side_column(p, part, name, join->first_left, join->first_right),
                                 side_column(p, part, name, join->first_right, join->end_right)};
        if (sides[0] != NULL && sides[1] != NULL)
            add_condition(p, part, NULL, node_operator(p, OP_EQ, sides, 2), CONDITION_ON, index);
    }
}

static void plan_joins(struct plan *p, struct part *part)
{
    const struct bound_query *query = part->query;
    part->joins = query->joins.count == 0 ? NULL : ARENA_ARRAY(p->arena, struct part_join, query->joins.count);
    part->join_count = part->joins == NULL ? 0 : query->joins.count;
    bool lateral = part->lateral;
    part->lateral = false; /* joins lie below lateral views */
    for (uint32_t i = 0; i < part->join_count; i++) {
        const struct join_info *join = &query->joins.items[i];
        part->joins[i] = (struct part_join){join->kind, join->first_left, join->first_right, join->end_right};
        if (join->on != NULL)
            add_condition(p, part, join->on, plan_expr(p, part->scope, join->on), CONDITION_ON, i);
        plan_using(p, part, join, i);
    }
    part->lateral = lateral;
}

/* ---- outputs and keys ---- */

static struct node *plan_script(struct plan *p, struct part *part, uint32_t ordinal)
{
    const struct block *block = part->query->block;
    VEC(struct node *) args = {NULL, 0, 0};
    for (uint32_t i = 0; block != NULL && i < block->item_count; i++) {
        struct expr *item = block->items[i].expr;
        struct expr call = {.kind = EXPR_CALL, .arg_count = 1, .args = &item};
        struct node **slot = VEC_PUSH(p->arena, &args);
        if (slot != NULL)
            *slot = plan_expr(p, part->scope, item->kind == EXPR_STAR ? &call : item);
    }
    struct node_key key = {.kind = NODE_SCRIPT, .owner = part, .ordinal = ordinal, .args = args.items, .arg_count = args.count};
    return node_make(p, &key);
}

static struct node *plan_star_column(struct plan *p, struct part *part, struct column *column)
{
    const struct dep *dep = column->deps.count == 1 ? &column->deps.items[0] : NULL;
    struct node *node = NULL;
    if (dep != NULL && dep->column != NULL)
        node = plan_column(p, part, column->star_of, dep->column);
    else {
        struct node_key opaque = {.kind = NODE_COLUMN, .column = column};
        node = node_make(p, &opaque);
    }
    if (node == NULL || dep == NULL || dep->path.len == 0)
        return node;
    struct node_key field = {.kind = NODE_FIELD, .name = name_of(dep->path), .type = (uint8_t)value_type_of(column->type), .args = &node, .arg_count = 1};
    return node_simple(p, &field);
}

static struct node *plan_output(struct plan *p, struct part *part, uint32_t i)
{
    struct column *column = part->query->columns.items[i];
    if (part->query->script)
        return plan_script(p, part, i);
    if (column->expr == NULL)
        return plan_star_column(p, part, column);
    struct node *node = plan_expr(p, part->scope, column->expr);
    if (!(column->flags & COLUMN_SCRIPT) || node == NULL)
        return node;
    struct node_key key = {.kind = NODE_SCRIPT, .owner = part, .ordinal = i, .args = &node, .arg_count = 1};
    return node_make(p, &key);
}

static struct node *output(struct plan *p, struct part *part, uint32_t i)
{
    if (part->outputs[i] == NULL && !p->failed)
        part->outputs[i] = plan_output(p, part, i);
    return part->outputs[i];
}

/* The output that a key names by place or by alias; its number + 1, or 0. */
static uint32_t named_output(struct plan *p, struct part *part, const struct expr *key)
{
    const struct bound_query *query = part->query;
    if (key->kind == EXPR_LITERAL && key->op == LITERAL_NUMBER) {
        uint32_t number = 0;
        for (uint32_t i = key->span.start; i < key->span.end && i < part->scope->text.len && number < 100000; i++) {
            char c = part->scope->text.ptr[i];
            number = c >= '0' && c <= '9' ? number * 10 + (uint32_t)(c - '0') : number;
        }
        return number <= query->columns.count ? number : 0;
    }
    struct bound_name found;
    if (key->kind != EXPR_COLUMN || key->u.name.count != 1 || bind_find(p->arena, p->flow->bound, part->scope, &key->u.name, p->flow->in->dialect, &found))
        return 0;
    const struct column *alias = scope_alias(part->scope, key->u.name.parts[0].name);
    return alias == NULL ? 0 : alias->ordinal + 1;
}

static void plan_key(struct plan *p, struct part *part, const struct expr *expr)
{
    uint32_t named = named_output(p, part, expr);
    struct node *node = named > 0 ? output(p, part, named - 1) : plan_expr(p, part->scope, expr);
    struct node **slot = node == NULL ? NULL : VEC_PUSH(p->arena, &part->keys);
    if (slot != NULL)
        *slot = node;
}

static void plan_keys(struct plan *p, struct part *part, const struct group_by *group)
{
    const struct exprs *keys = group->keys.count > 0 ? &group->keys : &group->sets;
    part->grouped = group->kind != GROUP_NONE && keys->count > 0;
    for (uint32_t i = 0; i < keys->count && !p->failed; i++) {
        const struct expr *key = keys->items[i];
        for (uint32_t k = 0; key->kind == EXPR_ROW && k < key->arg_count; k++)
            plan_key(p, part, key->args[k]);
        if (key->kind != EXPR_ROW)
            plan_key(p, part, key);
    }
}

/* ---- blocks ---- */

/* SELECT explode(..): its arguments are as those of a LATERAL VIEW. */
static bool selects_table_function(const struct block *block)
{
    const struct expr *item = block == NULL || block->item_count != 1 ? NULL : block->items[0].expr;
    if (item == NULL || item->kind != EXPR_CALL || item->u.name.count == 0)
        return false;
    return function_kind(item->u.name.parts[item->u.name.count - 1].name) == FUNCTION_TABLE;
}

static void plan_inputs(struct plan *p, struct part *part, const struct part *shared)
{
    struct scope *scope = part->scope;
    uint32_t count = scope == NULL ? 0 : scope->relations.count;
    part->inputs = ARENA_ARRAY(p->arena, struct part *, count == 0 ? 1 : count);
    if (part->inputs == NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        part->lateral |= scope->relations.items[i]->kind == RELATION_LATERAL;
    part->lateral |= selects_table_function(part->query->block);
    part->input_count = count;
    for (uint32_t i = 0; i < count && !p->failed; i++) {
        bool known = shared != NULL && i < shared->input_count;
        part->inputs[i] = known ? shared->inputs[i] : plan_relation(p, scope->relations.items[i]);
        if (!known && part->inputs[i] != NULL)
            part->inputs[i]->slot = i;
    }
}

static void plan_body(struct plan *p, struct part *part)
{
    const struct block *block = part->query->block;
    if (!make_outputs(p, part, part->query->columns.count) || block == NULL)
        return;
    if (block->where != NULL)
        add_condition(p, part, block->where, plan_expr(p, part->scope, block->where), CONDITION_WHERE, 0);
    plan_keys(p, part, &block->group_by);
    part->aggregated = part->grouped || part->query->aggregated || block->group_by.kind != GROUP_NONE;
    for (uint32_t i = 0; i < part->output_count && !p->failed; i++)
        output(p, part, i);
    if (block->having != NULL)
        add_condition(p, part, block->having, plan_expr(p, part->scope, block->having), CONDITION_HAVING, 0);
    if (block->qualify != NULL)
        add_condition(p, part, block->qualify, plan_expr(p, part->scope, block->qualify), CONDITION_HAVING, 0);
    part->distinct = part->query->distinct;
}

static bool gives_nothing(const struct part *part)
{
    const struct query *ast = part->query->ast;
    const struct expr *limit = ast == NULL || ast->limit.count != 1 ? NULL : ast->limit.items[0];
    const struct part *block = part; /* a set operation's text is that of its branches */
    while (block->scope == NULL && block->input_count > 0 && block->inputs[0] != NULL)
        block = block->inputs[0];
    if (limit == NULL || block->scope == NULL || limit->kind != EXPR_LITERAL || limit->span.end != limit->span.start + 1)
        return false;
    return limit->span.start < block->scope->text.len && block->scope->text.ptr[limit->span.start] == '0';
}

/* What is known above a LIMIT or a window function does not hold below it; but for the keys by which all windows are partitioned. */
static void wrap_outputs(struct plan *p, struct part *part)
{
    uint32_t stamp = ++p->set_stamp;
    for (uint32_t i = 0; i < part->partition_keys.count && !part->limited; i++)
        if (part->partition_keys.items[i] != NULL)
            part->partition_keys.items[i]->set_stamp = stamp;
    for (uint32_t i = 0; i < part->output_count; i++) {
        struct node *node = part->outputs[i];
        if (node == NULL || node->kind == NODE_LITERAL || node->set_stamp == stamp)
            continue;
        struct node_key key = {.kind = NODE_BARRIER, .owner = part, .type = node->type, .args = &node, .arg_count = 1};
        part->outputs[i] = node_make(p, &key);
    }
}

static void plan_block(struct plan *p, struct part *part, struct part *outer, const struct part *shared)
{
    part->outer = outer;
    part->scope = part->query->scope;
    p->part = part;
    plan_inputs(p, part, shared);
    if (shared != NULL) {
        part->leg = true;
        part->joins = shared->joins;
        part->join_count = shared->join_count;
    } else if (!p->failed)
        plan_joins(p, part);
    plan_body(p, part);
}

/* A query's columns under other names. */
static void plan_rename(struct plan *p, struct part *part, struct part *outer)
{
    const struct bound_query *query = part->query;
    part->kind = PART_RENAMED;
    if (!make_outputs(p, part, query->columns.count))
        return;
    p->part = part;
    struct part *below = query->sources.count == 1 ? plan_query(p, query->sources.items[0], outer) : NULL;
    set_input(p, part, below);
    for (uint32_t i = 0; i < part->output_count; i++) {
        struct column *column = query->columns.items[i];
        struct column *from = column->deps.count == 1 ? column->deps.items[0].column : column;
        struct node_key opaque = {.kind = NODE_COLUMN, .column = column};
        part->outputs[i] = below != NULL && from != NULL ? part_column(p, below, from) : node_make(p, &opaque);
    }
}

static void plan_setop(struct plan *p, struct part *part, struct part *outer)
{
    const struct bound_query *query = part->query;
    uint32_t count = query->branches.count;
    bool mixes = false;
    part->inputs = ARENA_ARRAY(p->arena, struct part *, count == 0 ? 1 : count);
    if (part->inputs == NULL || !make_outputs(p, part, query->columns.count))
        return;
    part->input_count = count;
    p->part = part;
    for (uint32_t i = 0; i < count && !p->failed; i++) {
        part->inputs[i] = plan_query(p, query->branches.items[i].query, outer);
        if (part->inputs[i] != NULL)
            part->inputs[i]->slot = i;
        mixes |= query->branches.items[i].op == SETOP_INTERSECT_ALL || query->branches.items[i].op == SETOP_EXCEPT_ALL;
    }
    for (uint32_t i = 0; i < part->output_count && !p->failed; i++) {
        VEC(struct node *) args = {NULL, 0, 0};
        for (uint32_t k = 0; k < count; k++) {
            const struct part *branch = part->inputs[k];
            for (uint32_t c = 0; branch != NULL && c < branch->output_count; c++) {
                struct node **slot = c == i || mixes ? VEC_PUSH(p->arena, &args) : NULL;
                if (slot != NULL)
                    *slot = branch->outputs[c];
            }
        }
        struct node_key key = {.kind = NODE_BRANCHES, .owner = part, .ordinal = i, .opaque = mixes, .args = args.items, .arg_count = args.count};
        key.type = args.count > 0 && args.items[0] != NULL ? args.items[0]->type : VALUE_UNKNOWN;
        part->outputs[i] = node_make(p, &key);
    }
}

static void plan_values(struct plan *p, struct part *part)
{
    if (!make_outputs(p, part, part->query->columns.count))
        return;
    part->kind = PART_VALUES;
    for (uint32_t i = 0; i < part->output_count; i++) {
        struct node_key key = {.kind = NODE_COLUMN, .owner = part, .column = part->query->columns.items[i]};
        part->outputs[i] = node_make(p, &key);
    }
}

static struct part *plan_part(struct plan *p, struct bound_query *query, struct part *outer, const struct part *shared)
{
    if (query == NULL || p->failed || p->arena->failed || p->depth >= MOST_QUERIES) {
        p->failed = true;
        return NULL;
    }
    struct part *around = p->part;
    struct part *part = part_new(p, query->kind == BOUND_SETOP ? PART_SETOP : PART_BLOCK, query, NULL);
    if (part == NULL)
        return NULL;
    p->depth++;
    if (query->kind == BOUND_SETOP)
        plan_setop(p, part, outer);
    else if (query->kind == BOUND_VALUES)
        plan_values(p, part);
    else if (query->scope == NULL)
        plan_rename(p, part, outer);
    else
        plan_block(p, part, outer, shared);
    part->limited = query->has_limit && part->kind != PART_RENAMED;
    part->empty = part->limited && !p->raw && gives_nothing(part);
    if (part->limited || part->windowed)
        wrap_outputs(p, part);
    p->depth--;
    part->end = p->parts.count;
    p->part = around;
    return p->failed ? NULL : part;
}

struct part *plan_query(struct plan *p, struct bound_query *query, struct part *outer)
{
    return plan_part(p, query, outer, NULL);
}

struct part *plan_leg(struct plan *p, struct bound_query *query, struct part *from)
{
    p->part = from;
    struct part *part = plan_part(p, query, NULL, from);
    p->part = NULL;
    return part;
}
