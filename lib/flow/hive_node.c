/* Nodes of a plan: made once, found again by what they are; operators over constants become constants. */
#include "flow/hive_plan.h"

enum {
    MOST_NODES = 400000, /* of a statement; a larger one is read without the optimiser */
    MOST_DEPTH = 160,
    MOST_TERMS = 32 /* of an OR whose terms are compared with one another */
};

/* ---- making ---- */

static uint32_t mix(uint32_t hash, uint64_t value)
{
    hash ^= (uint32_t)(value ^ (value >> 32));
    return hash * 0x01000193u;
}

static uint32_t key_hash(const struct node_key *key)
{
    uint32_t hash = 0x811c9dc5u;
    hash = mix(hash, key->kind | (uint32_t)key->op << 8 | (uint32_t)key->literal << 16 | (uint32_t)key->distinct << 24);
    hash = mix(hash, key->name.hash);
    hash = mix(hash, (uintptr_t)key->column >> 3);
    hash = mix(hash, (uintptr_t)key->owner >> 3);
    hash = mix(hash, key->ordinal);
    for (uint32_t i = 0; i < key->arg_count; i++)
        hash = mix(hash, (uintptr_t)key->args[i] >> 3);
    return hash ^ (hash >> 15);
}

/* Only what could be simplified is told apart by where it was made. */
static bool is_raw(const struct plan *p, const struct node_key *key)
{
    return p->raw && key->kind >= NODE_OPERATOR;
}

static bool key_matches(const struct node *node, const struct node_key *key, bool raw)
{
    if (node->kind != key->kind || node->op != key->op || node->literal != key->literal || node->type != key->type ||
        node->distinct != key->distinct || node->opaque != key->opaque || node->raw != raw || node->column != key->column ||
        node->owner != key->owner || node->ordinal != key->ordinal || node->arg_count != key->arg_count || !name_eq(node->name, key->name))
        return false;
    for (uint32_t i = 0; i < key->arg_count; i++)
        if (node->args[i] != key->args[i])
            return false;
    return true;
}

static bool grow(struct plan *p)
{
    uint32_t size = p->buckets == NULL ? 64 : (p->bucket_mask + 1) * 4;
    struct node **buckets = ARENA_ARRAY(p->arena, struct node *, size);
    if (buckets == NULL)
        return false;
    for (uint32_t i = 0; p->buckets != NULL && i <= p->bucket_mask; i++) {
        for (struct node *node = p->buckets[i], *next; node != NULL; node = next) {
            next = node->next;
            node->next = buckets[node->hash & (size - 1)];
            buckets[node->hash & (size - 1)] = node;
        }
    }
    p->buckets = buckets;
    p->bucket_mask = size - 1;
    return true;
}

/* Which parts it reads, and how deep it is. */
static void measure(struct node *node)
{
    node->first_part = UINT32_MAX;
    node->last_part = 0;
    bool through = node->kind == NODE_SUBQUERY || (node->kind == NODE_BARRIER && node->opaque);
    bool closed = node->kind == NODE_BRANCHES || node->kind == NODE_SCRIPT || (node->kind == NODE_BARRIER && !node->opaque);
    if (node->owner != NULL && !through)
        node->first_part = node->last_part = node->owner->id;
    for (uint32_t i = 0; i < node->arg_count; i++) {
        const struct node *arg = node->args[i];
        if (arg->depth >= node->depth)
            node->depth = (uint16_t)(arg->depth + 1);
        if (!closed && arg->kind == NODE_BARRIER && arg->opaque)
            node->function_block = arg->owner;
        else if (!closed && arg->function_block != NULL)
            node->function_block = arg->function_block;
        if (closed)
            continue;
        if (arg->first_part < node->first_part)
            node->first_part = arg->first_part;
        if (arg->last_part > node->last_part)
            node->last_part = arg->last_part;
    }
}

static struct node *node_new(struct plan *p, const struct node_key *key, uint32_t hash)
{
    struct node *node = ARENA_NEW(p->arena, struct node);
    struct node **args = key->arg_count == 0 ? NULL : ARENA_ARRAY(p->arena, struct node *, key->arg_count);
    if (node == NULL || (key->arg_count > 0 && args == NULL))
        return NULL;
    node->kind = key->kind;
    node->op = key->op;
    node->literal = key->literal;
    node->type = key->type;
    node->distinct = key->distinct;
    node->opaque = key->opaque;
    node->raw = is_raw(p, key);
    node->hash = hash;
    node->name = key->name;
    node->args = args;
    node->arg_count = key->arg_count;
    if (args != NULL)
        memcpy(args, key->args, key->arg_count * sizeof *args);
    node->column = key->column;
    node->owner = key->owner;
    node->ordinal = key->ordinal;
    measure(node);
    if (node->depth > MOST_DEPTH || ++p->node_count > MOST_NODES)
        p->failed = true;
    return node;
}

struct node *node_make(struct plan *p, const struct node_key *key)
{
    if (p->failed)
        return NULL;
    for (uint32_t i = 0; i < key->arg_count; i++)
        if (key->args[i] == NULL)
            return NULL;
    if (p->buckets == NULL || p->node_count > p->bucket_mask)
        if (!grow(p))
            return NULL;
    uint32_t hash = key_hash(key);
    for (struct node *node = p->buckets[hash & p->bucket_mask]; node != NULL; node = node->next)
        if (node->hash == hash && key_matches(node, key, is_raw(p, key)))
            return node;
    struct node *node = node_new(p, key, hash);
    if (node == NULL)
        return NULL;
    node->next = p->buckets[hash & p->bucket_mask];
    p->buckets[hash & p->bucket_mask] = node;
    return node;
}

struct node *node_literal(struct plan *p, enum literal_kind literal, str_t text, enum value_type type)
{
    struct node_key key = {.kind = NODE_LITERAL, .literal = (uint8_t)literal, .type = (uint8_t)type, .name = name_of(text)};
    return node_make(p, &key);
}

/* ---- literals ---- */

bool node_is_literal(const struct node *node, enum literal_kind literal)
{
    return node != NULL && node->kind == NODE_LITERAL && node->literal == literal;
}

static bool is_constant(const struct node *node)
{
    return node->kind == NODE_LITERAL;
}

static bool has_value(const struct node *node)
{
    return node->kind == NODE_LITERAL && node->literal != LITERAL_IS_OTHER;
}

/* Digits without leading zeros, maybe with a sign. */
static bool is_plain_integer(str_t text)
{
    size_t from = text.len > 1 && text.ptr[0] == '-' ? 1 : 0;
    if (text.len == from || (text.ptr[from] == '0' && text.len > from + 1))
        return false;
    for (size_t i = from; i < text.len; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return true;
}

/* A number as millionths: whole, or with up to six digits behind the point where it is not written as a text. */
static bool millionths_of(const struct node *node, int64_t *value)
{
    str_t text = name_str(node->name);
    const char *point = node->literal == LITERAL_IS_NUMBER && text.len > 0 ? memchr(text.ptr, '.', text.len) : NULL;
    size_t whole = point == NULL ? text.len : (size_t)(point - text.ptr);
    bool negative = text.len > 0 && text.ptr[0] == '-';
    if (whole > 12 || text.len - whole > 7 || !is_plain_integer(str_make(text.ptr, whole)))
        return false;
    int64_t result = 0;
    for (size_t i = negative ? 1 : 0; i < whole; i++)
        result = result * 10 + (text.ptr[i] - '0');
    for (size_t i = whole + 1; i < whole + 7; i++) {
        char digit = i < text.len ? text.ptr[i] : '0';
        if (digit < '0' || digit > '9')
            return false;
        result = result * 10 + (digit - '0');
    }
    *value = negative ? -result : result;
    return true;
}

static bool are_numbers(const struct node *a, const struct node *b, int64_t *x, int64_t *y)
{
    return a->literal >= LITERAL_IS_NUMBER && b->literal >= LITERAL_IS_NUMBER && millionths_of(a, x) && millionths_of(b, y);
}

bool literals_equal(const struct node *a, const struct node *b)
{
    if (a == b) /* two values that nobody knows may be one node */
        return a->literal != LITERAL_IS_OTHER || a->name.len > 0;
    if (!has_value(a) || !has_value(b))
        return false;
    int64_t x, y;
    if ((a->literal == LITERAL_IS_NUMBER || b->literal == LITERAL_IS_NUMBER) && are_numbers(a, b, &x, &y))
        return x == y;
    if (a->literal != b->literal) {
        bool mixed = a->literal >= LITERAL_IS_NUMBER && b->literal >= LITERAL_IS_NUMBER;
        return mixed && str_eq(name_str(a->name), name_str(b->name));
    }
    return str_eq(name_str(a->name), name_str(b->name));
}

bool literals_differ(const struct node *a, const struct node *b)
{
    if (!has_value(a) || !has_value(b) || literals_equal(a, b))
        return false;
    if (a->literal == LITERAL_IS_NULL || b->literal == LITERAL_IS_NULL)
        return a->literal != b->literal;
    if (a->literal == LITERAL_IS_STRING && b->literal == LITERAL_IS_STRING)
        return a->type == b->type && a->type == VALUE_STRING;
    if (a->literal <= LITERAL_IS_FALSE && b->literal <= LITERAL_IS_FALSE)
        return true;
    int64_t x, y;
    return are_numbers(a, b, &x, &y) || (is_plain_integer(name_str(a->name)) && is_plain_integer(name_str(b->name)));
}

static int text_order(str_t x, str_t y)
{
    int order = memcmp(x.ptr, y.ptr, x.len < y.len ? x.len : y.len);
    if (order != 0)
        return order < 0 ? -1 : 1;
    return x.len < y.len ? -1 : x.len > y.len ? 1 : 0;
}

/* Plain text: what it says is what it is. */
static bool is_plain_text(const struct node *node)
{
    return node_is_literal(node, LITERAL_IS_STRING) && node->type == VALUE_STRING && memchr(node->name.ptr, '\\', node->name.len) == NULL;
}

int literals_order(const struct node *a, const struct node *b)
{
    str_t x = name_str(a->name), y = name_str(b->name);
    if (is_plain_text(a) && is_plain_text(b))
        return text_order(x, y);
    int64_t m, n;
    if (!has_value(a) || !has_value(b) || !are_numbers(a, b, &m, &n))
        return 2;
    return m < n ? -1 : m > n ? 1 : 0;
}

/* Whether a text cannot be read as a number. */
static bool is_no_number(const struct node *node)
{
    if (!node_is_literal(node, LITERAL_IS_STRING))
        return false;
    for (uint32_t i = 0; i < node->name.len; i++)
        if (strchr("0123456789+-.eE", node->name.ptr[i]) == NULL || node->name.ptr[i] == '\0')
            return true;
    return node->name.len == 0;
}

enum value_type value_type_of(const struct type *type)
{
    static const str_t numbers[] = {STR("int"), STR("bigint"), STR("tinyint"), STR("smallint"), STR("double"), STR("float"),
                                    STR("integer"), STR("real"), STR("numeric"), STR("double precision")};
    if (type == NULL)
        return VALUE_UNKNOWN;
    if (type->kind != TYPE_PRIMITIVE)
        return VALUE_OTHER;
    str_t name = name_str(type->name);
    if (str_eq(name, STR("string")) || str_starts_with(name, STR("varchar")))
        return VALUE_STRING;
    if (str_starts_with(name, STR("char")))
        return VALUE_CHAR;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (str_eq(name, numbers[i]))
            return VALUE_NUMBER;
    if (str_starts_with(name, STR("decimal")))
        return VALUE_NUMBER;
    if (str_eq(name, STR("date")) || str_starts_with(name, STR("timestamp")))
        return VALUE_DATE;
    return str_eq(name, STR("boolean")) ? VALUE_BOOLEAN : VALUE_OTHER;
}

/* ---- operators ---- */

static struct node *truth(struct plan *p, bool value)
{
    return node_literal(p, value ? LITERAL_IS_TRUE : LITERAL_IS_FALSE, STR(""), VALUE_BOOLEAN);
}

static struct node *null_of(struct plan *p, enum value_type type)
{
    return node_literal(p, LITERAL_IS_NULL, STR(""), type);
}

static struct node *other_of(struct plan *p, enum value_type type)
{
    return node_literal(p, LITERAL_IS_OTHER, STR(""), type);
}

static bool all_constant(const struct node_key *key)
{
    for (uint32_t i = 0; i < key->arg_count; i++)
        if (!is_constant(key->args[i]))
            return false;
    return key->arg_count > 0;
}

static bool any_null(const struct node_key *key)
{
    for (uint32_t i = 0; i < key->arg_count; i++)
        if (node_is_literal(key->args[i], LITERAL_IS_NULL))
            return true;
    return false;
}

static bool is_term(struct node *const *terms, uint32_t count, const struct node *node)
{
    for (uint32_t i = 0; i < count; i++)
        if (terms[i] == node)
            return true;
    return false;
}

/* a OR (a AND b) is a */
static uint32_t absorb(struct node **terms, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct node *term = terms[i];
        bool narrower = false;
        for (uint32_t k = 0; term->kind == NODE_OPERATOR && term->op == OP_AND && k < term->arg_count && k < MOST_TERMS; k++)
            narrower |= is_term(terms, count, term->args[k]);
        if (!narrower)
            continue;
        memmove(&terms[i], &terms[i + 1], (count - i - 1) * sizeof *terms);
        count--;
        i--;
    }
    return count;
}

/* AND, OR: `unit` changes nothing, `zero` decides all. */
static struct node *simplify_logic(struct plan *p, const struct node_key *key, enum literal_kind unit, enum literal_kind zero)
{
    VEC(struct node *) kept = {NULL, 0, 0};
    for (uint32_t i = 0; i < key->arg_count; i++) {
        struct node *arg = key->args[i];
        bool nested = arg->kind == NODE_OPERATOR && arg->op == key->op && !arg->raw;
        struct node *const *args = nested ? arg->args : &key->args[i];
        for (uint32_t k = 0; k < (nested ? arg->arg_count : 1); k++) {
            if (node_is_literal(args[k], zero))
                return args[k];
            struct node **slot = node_is_literal(args[k], unit) ? NULL : VEC_PUSH(p->arena, &kept);
            if (slot != NULL)
                *slot = args[k];
        }
    }
    if (key->op == OP_OR && kept.count <= MOST_TERMS)
        kept.count = absorb(kept.items, kept.count);
    if (kept.count == 0)
        return truth(p, unit == LITERAL_IS_TRUE);
    if (kept.count == 1)
        return kept.items[0];
    struct node_key flat = *key;
    flat.args = kept.items;
    flat.arg_count = kept.count;
    return all_constant(&flat) ? other_of(p, VALUE_BOOLEAN) : node_make(p, &flat);
}

static enum expr_op opposite(uint8_t op)
{
    return op == OP_EQ ? OP_NE : op == OP_NE ? OP_EQ : OP_NONE;
}

/* NOT (a OR b) */
static struct node *none_of(struct plan *p, const struct node *any)
{
    struct node **args = ARENA_ARRAY(p->arena, struct node *, any->arg_count);
    for (uint32_t i = 0; args != NULL && i < any->arg_count; i++)
        args[i] = node_not(p, any->args[i]);
    return args == NULL ? NULL : node_operator(p, OP_AND, args, any->arg_count);
}

static struct node *simplify_not(struct plan *p, const struct node_key *key)
{
    struct node *arg = key->args[0];
    if (node_is_literal(arg, LITERAL_IS_TRUE) || node_is_literal(arg, LITERAL_IS_FALSE))
        return truth(p, arg->literal == LITERAL_IS_FALSE);
    if (is_constant(arg))
        return node_is_literal(arg, LITERAL_IS_NULL) ? arg : other_of(p, VALUE_BOOLEAN);
    if (arg->kind == NODE_OPERATOR && arg->op == OP_NOT)
        return arg->args[0];
    if (arg->kind == NODE_OPERATOR && arg->op == OP_OR)
        return none_of(p, arg);
    if (arg->kind == NODE_OPERATOR && opposite(arg->op) != OP_NONE) {
        struct node_key turned = {.kind = NODE_OPERATOR, .op = (uint8_t)opposite(arg->op), .type = VALUE_BOOLEAN, .args = arg->args, .arg_count = 2};
        return node_make(p, &turned);
    }
    return node_make(p, key);
}

/* `z = true` is z. */
static struct node *equals_truth(struct plan *p, struct node *value, const struct node *literal)
{
    if (literal->kind != NODE_LITERAL || (value->type != VALUE_BOOLEAN && value->type != VALUE_UNKNOWN))
        return NULL;
    if (literal->literal == LITERAL_IS_TRUE)
        return value;
    return literal->literal == LITERAL_IS_FALSE ? node_not(p, value) : NULL;
}

static struct node *simplify_compare(struct plan *p, const struct node_key *key)
{
    struct node *left = key->args[0], *right = key->args[1];
    bool null_safe = key->op == OP_NULL_SAFE_EQ || key->op == OP_DISTINCT_FROM || key->op == OP_NOT_DISTINCT_FROM;
    if (null_safe)
        return all_constant(key) ? other_of(p, VALUE_BOOLEAN) : node_make(p, key);
    bool never = (left->type == VALUE_NUMBER && is_no_number(right)) || (right->type == VALUE_NUMBER && is_no_number(left));
    if (any_null(key) || (never && key->op == OP_EQ))
        return null_of(p, VALUE_BOOLEAN);
    if (key->op == OP_EQ || key->op == OP_NE) {
        if (is_constant(left) && is_constant(right) && literals_equal(left, right))
            return truth(p, key->op == OP_EQ);
        if (literals_differ(left, right))
            return truth(p, key->op == OP_NE);
    }
    int order = all_constant(key) ? literals_order(left, right) : 2;
    if (order != 2 && key->op >= OP_LT && key->op <= OP_GE)
        return truth(p, order == 0 ? key->op == OP_LE || key->op == OP_GE : (order < 0) == (key->op == OP_LT || key->op == OP_LE));
    if (all_constant(key))
        return other_of(p, VALUE_BOOLEAN);
    struct node *same = key->op != OP_EQ ? NULL : equals_truth(p, left, right);
    if (same == NULL && key->op == OP_EQ)
        same = equals_truth(p, right, left);
    return same != NULL ? same : node_make(p, key);
}

static struct node *simplify_is(struct plan *p, const struct node_key *key)
{
    struct node *arg = key->args[0];
    if (!is_constant(arg))
        return node_make(p, key);
    if (key->op == OP_IS_NULL)
        return truth(p, arg->literal == LITERAL_IS_NULL);
    if (key->op == OP_IS_TRUE && arg->literal != LITERAL_IS_OTHER)
        return truth(p, arg->literal == LITERAL_IS_TRUE);
    if (key->op == OP_IS_FALSE && arg->literal != LITERAL_IS_OTHER)
        return truth(p, arg->literal == LITERAL_IS_FALSE);
    return other_of(p, VALUE_BOOLEAN);
}

/* LIKE without escapes: `%` any text, `_` one character. */
static bool text_is_like(str_t text, str_t pattern)
{
    size_t t = 0, p = 0, star = pattern.len, from = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '%') {
            star = p++;
            from = t;
        } else if (p < pattern.len && (pattern.ptr[p] == text.ptr[t] || (pattern.ptr[p] == '_' && (text.ptr[t] & 0x80) == 0))) {
            p++;
            t++;
        } else if (star < pattern.len) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '%')
        p++;
    return p == pattern.len;
}

static struct node *simplify_operator(struct plan *p, const struct node_key *key)
{
    switch (key->op) {
    case OP_AND:
        return simplify_logic(p, key, LITERAL_IS_TRUE, LITERAL_IS_FALSE);
    case OP_OR:
        return simplify_logic(p, key, LITERAL_IS_FALSE, LITERAL_IS_TRUE);
    case OP_NOT:
        return simplify_not(p, key);
    case OP_IS_NULL:
    case OP_IS_TRUE:
    case OP_IS_FALSE:
    case OP_IS_UNKNOWN:
        return simplify_is(p, key);
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_NULL_SAFE_EQ:
    case OP_DISTINCT_FROM:
    case OP_NOT_DISTINCT_FROM:
        return simplify_compare(p, key);
    case OP_LIKE:
        if (key->arg_count == 2 && is_plain_text(key->args[0]) && is_plain_text(key->args[1]))
            return truth(p, text_is_like(name_str(key->args[0]->name), name_str(key->args[1]->name)));
        /* fall through */
    default: /* arithmetic and LIKE */
        if (key->op != OP_CONCAT && any_null(key))
            return null_of(p, (enum value_type)key->type);
        return all_constant(key) ? other_of(p, (enum value_type)key->type) : node_make(p, key);
    }
}

/* `x in (null)`; items that are all the same are one. */
static struct node *simplify_in(struct plan *p, const struct node_key *key)
{
    bool same = key->arg_count > 1, nulls = true;
    for (uint32_t i = 1; i < key->arg_count; i++) {
        same = same && literals_equal(key->args[1], key->args[i]);
        nulls = nulls && node_is_literal(key->args[i], LITERAL_IS_NULL);
    }
    if (nulls || node_is_literal(key->args[0], LITERAL_IS_NULL))
        return null_of(p, VALUE_BOOLEAN);
    if (same && key->args[0]->kind != NODE_ROW)
        return node_operator(p, OP_EQ, key->args, 2);
    bool found = false, differ = all_constant(key);
    for (uint32_t i = 1; i < key->arg_count && all_constant(key); i++) {
        found = found || literals_equal(key->args[0], key->args[i]);
        differ = differ && literals_differ(key->args[0], key->args[i]) && !node_is_literal(key->args[i], LITERAL_IS_NULL);
    }
    if (found || differ)
        return truth(p, found);
    return all_constant(key) ? other_of(p, VALUE_BOOLEAN) : node_make(p, key);
}

/* A cast of a column to the type that it has; types with parameters are not looked into. */
static bool is_idle_cast(const struct node_key *key)
{
    const struct node *arg = key->args[0];
    const struct type *type = arg->kind == NODE_COLUMN && arg->column != NULL ? arg->column->type : NULL;
    bool plain = type != NULL && type->kind == TYPE_PRIMITIVE && type->field_count == 0 && !str_eq(name_str(type->name), STR("decimal"));
    bool sized = plain && (str_starts_with(name_str(type->name), STR("varchar")) || str_starts_with(name_str(type->name), STR("char")));
    return plain && !sized && name_eq(type->name, key->name);
}

static struct node *simplify_cast(struct plan *p, const struct node_key *key)
{
    struct node *arg = key->args[0];
    if (is_idle_cast(key))
        return arg;
    if (arg->kind != NODE_LITERAL)
        return node_make(p, key);
    if (arg->literal == LITERAL_IS_NULL)
        return null_of(p, (enum value_type)key->type);
    bool number = key->type == VALUE_NUMBER && is_plain_integer(name_str(arg->name)) && arg->literal >= LITERAL_IS_NUMBER;
    if (number)
        return node_literal(p, LITERAL_IS_NUMBER, name_str(arg->name), VALUE_NUMBER);
    if (key->type == VALUE_STRING && arg->literal == LITERAL_IS_STRING)
        return arg;
    if (key->type == VALUE_DATE && arg->literal == LITERAL_IS_STRING)
        return node_literal(p, LITERAL_IS_OTHER, name_str(arg->name), VALUE_DATE);
    return other_of(p, (enum value_type)key->type);
}

struct node *node_simple(struct plan *p, const struct node_key *key)
{
    if (p->arena->failed)
        return NULL;
    for (uint32_t i = 0; i < key->arg_count; i++)
        if (key->args[i] == NULL)
            return NULL;
    if (p->raw)
        return node_make(p, key);
    switch (key->kind) {
    case NODE_OPERATOR:
        return simplify_operator(p, key);
    case NODE_IN:
        return simplify_in(p, key);
    case NODE_CASE:
        return simplify_case(p, key);
    case NODE_CAST:
        return simplify_cast(p, key);
    case NODE_CALL:
        return simplify_call(p, key);
    case NODE_FIELD:
        return is_constant(key->args[0]) ? other_of(p, (enum value_type)key->type) : node_make(p, key);
    default:
        return node_make(p, key);
    }
}

static enum value_type type_of_operator(enum expr_op op)
{
    if (op == OP_CONCAT)
        return VALUE_STRING;
    return op >= OP_ADD && op <= OP_FACTORIAL ? VALUE_NUMBER : VALUE_BOOLEAN;
}

struct node *node_operator(struct plan *p, enum expr_op op, struct node *const *args, uint32_t count)
{
    struct node_key key = {.kind = NODE_OPERATOR, .op = (uint8_t)op, .type = (uint8_t)type_of_operator(op), .args = args, .arg_count = count};
    return node_simple(p, &key);
}

struct node *node_not(struct plan *p, struct node *arg)
{
    return node_operator(p, OP_NOT, &arg, 1);
}
