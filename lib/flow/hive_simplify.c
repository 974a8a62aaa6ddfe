/* CASE, IF, COALESCE and calls over constants, as Hive's optimiser leaves them. */
#include "flow/hive_plan.h"

static struct node *make_case(struct plan *p, const struct node_key *key, struct node **args, uint32_t count)
{
    struct node_key shorter = *key;
    shorter.args = args;
    shorter.arg_count = count;
    return node_make(p, &shorter);
}

static bool same_result(const struct node *a, const struct node *b)
{
    return a == b || (a->kind == NODE_LITERAL && b->kind == NODE_LITERAL && literals_equal(a, b));
}

/* Branches that are never taken go; the first that always is ends the rest; the last ones need no condition where they give what ELSE does. */
struct node *simplify_case(struct plan *p, const struct node_key *key)
{
    struct node **args = ARENA_ARRAY(p->arena, struct node *, key->arg_count);
    uint32_t count = 0;
    struct node *last = key->args[key->arg_count - 1];
    for (uint32_t i = 0; args != NULL && i + 1 < key->arg_count; i += 2) {
        struct node *when = key->args[i];
        if (node_is_literal(when, LITERAL_IS_FALSE) || node_is_literal(when, LITERAL_IS_NULL))
            continue;
        if (node_is_literal(when, LITERAL_IS_TRUE)) {
            last = key->args[i + 1];
            break;
        }
        args[count++] = when;
        args[count++] = key->args[i + 1];
    }
    if (args == NULL)
        return NULL;
    while (count > 0 && same_result(args[count - 1], last))
        count -= 2;
    args[count++] = last;
    return count == 1 ? last : make_case(p, key, args, count);
}

/* NULLs go, what comes behind a constant is never reached, and each argument counts once. */
static struct node *simplify_coalesce(struct plan *p, const struct node_key *key)
{
    struct node **args = ARENA_ARRAY(p->arena, struct node *, key->arg_count);
    uint32_t count = 0, stamp = ++p->set_stamp;
    for (uint32_t i = 0; args != NULL && i < key->arg_count; i++) {
        struct node *arg = key->args[i];
        if (node_is_literal(arg, LITERAL_IS_NULL) || arg->set_stamp == stamp)
            continue;
        arg->set_stamp = stamp;
        args[count++] = arg;
        if (arg->kind == NODE_LITERAL)
            break;
    }
    if (args == NULL)
        return NULL;
    if (count == 0)
        return node_literal(p, LITERAL_IS_NULL, STR(""), (enum value_type)key->type);
    return count == 1 ? args[0] : make_case(p, key, args, count);
}

static bool named(const struct node_key *key, str_t name)
{
    return str_eq(name_str(key->name), name);
}

static bool is_random(const struct node_key *key)
{
    return named(key, STR("rand")) || named(key, STR("uuid")) || named(key, STR("random"));
}

/* Functions without arguments that give one value to a statement. */
static bool is_fixed(const struct node_key *key)
{
    return named(key, STR("current_date")) || named(key, STR("current_timestamp")) || named(key, STR("current_user")) ||
           named(key, STR("current_database")) || named(key, STR("unix_timestamp")) || named(key, STR("pi")) || named(key, STR("e"));
}

static struct node *simplify_between(struct plan *p, const struct node_key *key)
{
    const struct node *value = key->args[0], *low = key->args[1], *high = key->args[2];
    bool constant = value->kind == NODE_LITERAL && low->kind == NODE_LITERAL && high->kind == NODE_LITERAL;
    int above = constant ? literals_order(value, low) : 2, below = constant ? literals_order(value, high) : 2;
    if (!constant)
        return node_make(p, key);
    if (above == 2 || below == 2)
        return node_literal(p, LITERAL_IS_OTHER, STR(""), VALUE_BOOLEAN);
    return node_literal(p, above >= 0 && below <= 0 ? LITERAL_IS_TRUE : LITERAL_IS_FALSE, STR(""), VALUE_BOOLEAN);
}

struct node *simplify_call(struct plan *p, const struct node_key *key)
{
    if (named(key, STR("coalesce")))
        return simplify_coalesce(p, key);
    if (named(key, STR("isnull")) && key->arg_count == 1)
        return node_operator(p, OP_IS_NULL, key->args, 1);
    if (named(key, STR("isnotnull")) && key->arg_count == 1)
        return node_not(p, node_operator(p, OP_IS_NULL, key->args, 1));
    if (named(key, STR("between")) && key->arg_count == 3)
        return simplify_between(p, key);
    if (is_random(key))
        return node_make(p, key);
    bool constant = key->arg_count > 0 || is_fixed(key);
    for (uint32_t i = 0; i < key->arg_count; i++)
        constant = constant && key->args[i]->kind == NODE_LITERAL;
    if (constant)
        return node_literal(p, LITERAL_IS_OTHER, STR(""), (enum value_type)key->type);
    return node_make(p, key);
}
