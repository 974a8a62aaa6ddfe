/*
 * What a join is on. USING and NATURAL merge columns in Hive: the shared ones come once, and a bare name means both sides. Impala
 * turns USING into ON and keeps both (impala-sql.md 2).
 */
#include "bind/binder.h"

/* The column of that name among relations [from, to), made up in an open one when nothing lists it. */
static struct column *find_side(struct binder *b, struct scope *scope, struct name name, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < scope->merged.count && from == 0; i++)
        if (name_eq(scope->merged.items[i]->name, name))
            return scope->merged.items[i];
    for (uint32_t i = from; i < to; i++) {
        struct column *column = relation_find(b, scope->relations.items[i], name);
        if (column != NULL)
            return column;
    }
    for (uint32_t i = from; i < to; i++)
        if (scope->relations.items[i]->open)
            return relation_assume(b, scope->relations.items[i], name, name_str(name));
    return NULL;
}

/* Which sides a merged column stands for: one that an outer join may leave empty gives way to the other. */
static void merge_sides(struct binder *b, const struct join_step *step, struct column *merged, struct column *left, struct column *right)
{
    bool keep_left = step->kind != JOIN_RIGHT;
    bool keep_right = step->kind == JOIN_RIGHT || step->kind == JOIN_FULL;
    if (keep_left)
        deps_add(b, &merged->deps, left, STR(""), 0);
    if (keep_right)
        deps_add(b, &merged->deps, right, STR(""), 0);
    merged->type = left == NULL ? NULL : left->type;
}

static void put_merged(struct binder *b, struct scope *scope, struct column *merged)
{
    for (uint32_t i = 0; i < scope->merged.count; i++) {
        if (name_eq(scope->merged.items[i]->name, merged->name)) {
            scope->merged.items[i] = merged;
            return;
        }
    }
    struct column **slot = VEC_PUSH(b->arena, &scope->merged);
    if (slot != NULL)
        *slot = merged;
}

static void bind_shared(struct binder *b, struct scope *scope, const struct join_step *step, struct name name, uint32_t first_right,
                        struct predicate *predicate)
{
    struct column *left = find_side(b, scope, name, 0, first_right);
    struct column *right = find_side(b, scope, name, first_right, scope->relations.count);
    deps_add(b, &predicate->deps, left, STR(""), 0);
    deps_add(b, &predicate->deps, right, STR(""), 0);
    bool keeps_right = step->kind != JOIN_LEFT_SEMI && step->kind != JOIN_LEFT_ANTI;
    struct column *merged = b->dialect == DIALECT_IMPALA || !keeps_right ? NULL : column_new(b, name, name_str(name));
    if (merged == NULL)
        return;
    merged->flags = COLUMN_PLAIN | COLUMN_MERGED;
    merge_sides(b, step, merged, left, right);
    put_merged(b, scope, merged);
}

static void bind_using_columns(struct binder *b, struct scope *scope, struct bound_query *query, const struct join_step *step,
                               uint32_t first_right)
{
    span_t span = {step->using_columns[0].span.start, step->using_columns[step->using_count - 1].span.end};
    struct predicate *predicate = predicate_new(b, scope, CLAUSE_JOIN, span);
    for (uint32_t i = 0; predicate != NULL && i < step->using_count; i++)
        bind_shared(b, scope, step, step->using_columns[i].name, first_right, predicate);
    predicate_append(&query->predicates, predicate);
}

/* NATURAL: the names that both sides list */
static void bind_natural(struct binder *b, struct scope *scope, struct bound_query *query, const struct join_step *step, uint32_t first_right)
{
    struct predicate *predicate = predicate_new(b, scope, CLAUSE_JOIN, step->span);
    for (uint32_t r = first_right; predicate != NULL && r < scope->relations.count; r++) {
        struct relation *right = scope->relations.items[r];
        for (uint32_t i = 0; i < right->column_count; i++) {
            struct column *column = relation_column(b, right, i);
            if (column == NULL || column->flags & COLUMN_HIDDEN)
                continue;
            for (uint32_t l = 0; l < first_right; l++) {
                if (relation_find(b, scope->relations.items[l], column->name) != NULL) {
                    bind_shared(b, scope, step, column->name, first_right, predicate);
                    break;
                }
            }
        }
    }
    if (predicate != NULL && predicate->deps.count > 0)
        predicate_append(&query->predicates, predicate);
}

void bind_join_condition(struct binder *b, struct scope *scope, struct bound_query *query, const struct join_step *step, uint32_t first_right)
{
    if (step->on != NULL) {
        struct predicate *predicate = bind_predicate(b, scope, step->on, CLAUSE_JOIN);
        if (predicate != NULL)
            predicate->on_outer = step->kind == JOIN_LEFT || step->kind == JOIN_RIGHT || step->kind == JOIN_FULL;
        predicate_append(&query->predicates, predicate);
    }
    if (step->using_count > 0)
        bind_using_columns(b, scope, query, step, first_right);
    if (step->natural)
        bind_natural(b, scope, query, step, first_right);
}
