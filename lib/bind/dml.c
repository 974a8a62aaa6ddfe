/* INSERT in all its forms, UPDATE, DELETE, MERGE → legs. */
#include "bind/binder.h"
#include "bind/targets.h"

/* ---- INSERT, UPSERT, FROM-first ---- */

/* FROM-first: the relations are bound once, for all legs. */
static struct bound_query *bind_shared_from(struct binder *b, const struct insert_stmt *insert, struct scope **scope)
{
    struct bound_query *from = bound_query_new(b, BOUND_BLOCK);
    *scope = scope_new(b, NULL);
    if (from == NULL || *scope == NULL)
        return NULL;
    from->scope = *scope;
    (*scope)->query = from;
    b->query = from;
    bind_from(b, *scope, from, insert->from);
    return from;
}

static bool shares_from(const struct insert_stmt *insert, const struct query *query)
{
    return insert->from != NULL && query != NULL && query->kind == QUERY_BLOCK && query->u.block->from == insert->from;
}

void bind_insert(struct binder *b, const struct stmt *stmt)
{
    const struct insert_stmt *insert = stmt->u.insert;
    struct cte_scope *ctes = cte_push(b, insert->ctes, insert->cte_count, NULL);
    struct scope *scope = NULL;
    struct bound_query *from = insert->from == NULL ? NULL : bind_shared_from(b, insert, &scope);
    bool overwrite = false;
    for (uint32_t i = 0; i < insert->leg_count && !b->arena->failed; i++) {
        const struct insert_leg *leg = &insert->legs[i];
        struct bound_query *query = from != NULL && shares_from(insert, leg->query) ? bind_block_on(b, leg->query, scope, from)
                                    : leg->query == NULL                            ? NULL
                                                                                    : bind_query(b, leg->query, NULL);
        if (leg->target != NULL) {
            leg_of_target(b, leg->target, query);
            overwrite = overwrite || leg->target->overwrite;
        } else {
            struct bound_leg *select = leg_new(b, NAME(""), WRITE_APPEND);
            if (select != NULL) {
                select->query = query;
                leg_targets_of_query(b, select);
            }
        }
    }
    cte_pop(b, ctes);
    b->stmt->operation = stmt->kind == STMT_UPSERT    ? OPERATION_UPSERT
                         : insert->leg_count > 1      ? OPERATION_MULTI_INSERT
                         : overwrite                  ? OPERATION_INSERT_OVERWRITE
                                                      : OPERATION_INSERT;
}

void bind_select(struct binder *b, const struct query *query)
{
    struct bound_leg *leg = leg_new(b, NAME(""), WRITE_APPEND);
    struct bound_query *bound = bind_query(b, query, NULL);
    if (leg == NULL)
        return;
    leg->query = bound;
    leg_targets_of_query(b, leg);
    b->stmt->operation = OPERATION_SELECT;
}

/* ---- row changes: a query made by hand, with the target among its relations ---- */

static struct bound_query *open_query(struct binder *b, struct scope **scope)
{
    struct bound_query *query = bound_query_new(b, BOUND_BLOCK);
    *scope = scope_new(b, NULL);
    if (query == NULL || *scope == NULL)
        return NULL;
    query->scope = *scope;
    b->query = query;
    return query;
}

/* A target column that takes the value of an expression. */
static void assign(struct binder *b, struct bound_leg *leg, struct scope *scope, struct name name, const struct expr *value)
{
    struct column *column = column_new(b, name, name_str(name));
    if (column == NULL || value == NULL)
        return;
    column->query = leg->query;
    column->scope = scope;
    if (value->kind != EXPR_DEFAULT) {
        column->expr = value;
        column->text = binder_slice(b, value->span);
        column->span = binder_span(b, value->span);
        bind_expr(b, scope, value, &column->deps, column);
    }
    leg_target(b, leg, name_str(name), column);
}

static void assign_all(struct binder *b, struct bound_leg *leg, struct scope *scope, const struct assignment *sets, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (sets[i].column.count > 0)
            assign(b, leg, scope, sets[i].column.parts[sets[i].column.count - 1].name, sets[i].value);
}

static void add_filter(struct binder *b, struct bound_query *query, struct scope *scope, const struct expr *condition)
{
    predicate_append(&query->predicates, bind_predicate(b, scope, condition, CLAUSE_FILTER));
}

/* The table that UPDATE and DELETE name: with a FROM it may be an alias of it. */
static struct name changed_table(struct binder *b, struct scope *scope, struct bound_query *query, const struct qname *name,
                                 const struct from_item *from)
{
    if (from == NULL) {
        scope_add(b, scope, bind_table(b, scope, query, name));
        return binder_table_name(b, name);
    }
    bind_from(b, scope, query, from);
    struct relation *relation = scope_relation(scope, name->parts, name->count);
    return relation != NULL && relation->source != NULL ? relation->source->name : binder_table_name(b, name);
}

/* Impala leaves out rows that an UPDATE would not change: old and new values are compared (impala.md 7.4). */
static void add_changed_rows(struct binder *b, struct bound_query *query, struct scope *scope, const struct update_stmt *update)
{
    struct predicate *predicate = predicate_new(b, scope, CLAUSE_FILTER, (span_t){0, 0});
    struct relation *target = scope->relations.count > 0 ? scope->relations.items[0] : NULL;
    for (uint32_t i = 0; update->from != NULL && i < scope->relations.count; i++)
        if (name_eq(scope->relations.items[i]->alias, update->table.parts[update->table.count - 1].name))
            target = scope->relations.items[i];
    for (uint32_t i = 0; predicate != NULL && target != NULL && i < update->set_count; i++) {
        const struct qname *column = &update->sets[i].column;
        deps_add(b, &predicate->deps, relation_find(b, target, column->parts[column->count - 1].name), STR(""), 0);
        bind_expr(b, scope, update->sets[i].value, &predicate->deps, NULL);
    }
    predicate_append(&query->predicates, predicate);
}

void bind_update(struct binder *b, const struct update_stmt *update)
{
    struct scope *scope = NULL;
    struct bound_query *query = open_query(b, &scope);
    if (query == NULL)
        return;
    struct bound_leg *leg = leg_new(b, changed_table(b, scope, query, &update->table, update->from), WRITE_UPDATE);
    if (leg == NULL)
        return;
    leg->query = query;
    assign_all(b, leg, scope, update->sets, update->set_count);
    add_filter(b, query, scope, update->where);
    if (b->in->engine && b->dialect == DIALECT_IMPALA)
        add_changed_rows(b, query, scope, update);
    b->stmt->operation = OPERATION_UPDATE;
}

void bind_delete(struct binder *b, const struct delete_stmt *delete_)
{
    struct scope *scope = NULL;
    struct bound_query *query = open_query(b, &scope);
    if (query == NULL)
        return;
    struct bound_leg *leg = leg_new(b, changed_table(b, scope, query, &delete_->table, delete_->from), WRITE_DELETE);
    if (leg == NULL)
        return;
    leg->query = query;
    add_filter(b, query, scope, delete_->where);
    b->stmt->operation = OPERATION_DELETE;
}

/* ---- MERGE ---- */

static void insert_values(struct binder *b, struct bound_leg *leg, struct scope *scope, const struct merge_when *when)
{
    for (uint32_t i = 0; i < when->values.count; i++) {
        struct name name = NAME("");
        if (i < when->column_count)
            name = when->columns[i].name;
        else if (leg->table != NULL && i < leg->table->column_count)
            name = leg->table->columns[i].name;
        if (name.len > 0)
            assign(b, leg, scope, name, when->values.items[i]);
    }
    bool shows_unlisted = b->dialect == DIALECT_HIVE || !b->in->engine;
    for (uint32_t i = 0; shows_unlisted && when->column_count > 0 && leg->table != NULL && i < leg->table->column_count; i++) {
        bool listed = false;
        for (uint32_t k = 0; k < when->column_count; k++)
            listed = listed || name_eq(when->columns[k].name, leg->table->columns[i].name);
        struct target_column *missing = listed ? NULL : leg_target(b, leg, name_str(leg->table->columns[i].name), NULL);
        if (missing != NULL)
            missing->missing = true;
    }
}

/* UPDATE SET * and INSERT *: by position (Impala), the source's columns into the target's */
static void assign_star(struct binder *b, struct bound_leg *leg, struct relation *source)
{
    for (uint32_t i = 0; leg->table != NULL && source != NULL && i < leg->table->column_count && i < source->column_count; i++)
        leg_target(b, leg, name_str(leg->table->columns[i].name), relation_column(b, source, i));
}

static void bind_when(struct binder *b, struct bound_query *query, struct scope *scope, struct name table, const struct merge_when *when)
{
    struct bound_leg *leg = leg_new(b, table, WRITE_MERGE);
    if (leg == NULL)
        return;
    leg->query = query;
    leg->merge_action = (uint8_t)(when->action + 1);
    struct relation *source = scope->relations.count > 1 ? scope->relations.items[1] : NULL;
    switch ((enum merge_action)when->action) {
    case MERGE_UPDATE:
        assign_all(b, leg, scope, when->sets, when->set_count);
        break;
    case MERGE_INSERT:
        insert_values(b, leg, scope, when);
        break;
    case MERGE_UPDATE_STAR:
    case MERGE_INSERT_STAR:
        assign_star(b, leg, source);
        break;
    case MERGE_DELETE:
        break;
    }
    add_filter(b, query, scope, when->condition);
}

void bind_merge(struct binder *b, const struct merge_stmt *merge)
{
    struct scope *scope = NULL;
    struct bound_query *query = open_query(b, &scope);
    if (query == NULL || merge->target == NULL || merge->source == NULL)
        return;
    bind_from(b, scope, query, merge->target);
    bind_from(b, scope, query, merge->source);
    predicate_append(&query->predicates, bind_predicate(b, scope, merge->on, CLAUSE_JOIN));
    struct name table = binder_table_name(b, &merge->target->name);
    for (uint32_t i = 0; i < merge->when_count; i++)
        bind_when(b, query, scope, table, &merge->whens[i]);
    b->stmt->operation = OPERATION_MERGE;
}
