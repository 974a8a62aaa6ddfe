/*
 * ALTER MATERIALIZED VIEW .. REBUILD. What Hive does depends on what was written since the view was built: when rows were only added
 * to transactional tables, it works from the view's old contents and the new rows, and its log names the view's own columns too.
 */
#include "bind/binder.h"
#include "bind/targets.h"

/* What was written to any of the tables; tables that are not transactional may have been changed at any time. */
static enum catalog_writes writes_to_tables(struct binder *b, struct name view)
{
    enum catalog_writes all = WRITES_NONE;
    for (const struct source_table *t = b->stmt->tables; t != NULL; t = t->next) {
        if (!t->is_input)
            continue;
        enum catalog_writes writes = catalog_writes_since(b->in->catalog, t->name, view);
        if (t->known == NULL || !t->known->transactional || writes == WRITES_CHANGED)
            return WRITES_CHANGED;
        all = writes == WRITES_ADDED ? WRITES_ADDED : all;
    }
    return all;
}

/* The block that defines the view, below a renaming; NULL when it is another kind of query. */
static const struct bound_query *defining_block(const struct bound_query *query)
{
    if (query != NULL && query->kind == BOUND_BLOCK && query->block == NULL && query->sources.count == 1)
        query = query->sources.items[0];
    bool plain = query != NULL && query->kind == BOUND_BLOCK && query->block != NULL && !query->distinct && !query->has_limit;
    return plain ? query : NULL;
}

/* Nothing was written: nothing is read, and nothing written. */
static void leave_out(struct binder *b)
{
    b->stmt->legs.count = 0;
    b->stmt->views.count = 0;
    for (struct source_table *t = b->stmt->tables; t != NULL; t = t->next)
        t->is_input = false;
}

static bool is_up_to_date(struct binder *b, struct name view)
{
    bool engine = b->in->engine && b->dialect == DIALECT_HIVE && b->stmt->tables != NULL;
    return engine && catalog_was_built(b->in->catalog, view) && writes_to_tables(b, view) == WRITES_NONE;
}

static bool is_incremental(struct binder *b, const struct catalog_table *view, const struct bound_query *block)
{
    bool apart = view->partition_count > 0 || view->arranged || (b->stmt->traits & (TRAIT_WINDOW | TRAIT_DISTINCT)) != 0;
    if (!b->in->engine || b->dialect != DIALECT_HIVE || block == NULL || apart || writes_to_tables(b, view->name) != WRITES_ADDED)
        return false;
    bool grouped = block->aggregated || block->block->group_by.kind != GROUP_NONE;
    return grouped || (block->joins.count > 0 && !view->transactional);
}

/* A value that is made of the view's old one too. */
static struct column *with_old_value(struct binder *b, struct relation *view, struct column *column, uint32_t ordinal)
{
    struct column *both = column_new(b, column->name, column->shown);
    if (both == NULL)
        return NULL;
    both->ordinal = ordinal;
    both->type = column->type;
    deps_add(b, &both->deps, column, STR(""), DEP_CHANGED);
    if (ordinal < view->column_count)
        deps_add(b, &both->deps, relation_column(b, view, ordinal), STR(""), DEP_CHANGED);
    return both;
}

void bind_rebuild(struct binder *b, struct name name)
{
    const struct catalog_table *table = catalog_find_table(b->in->catalog, name);
    struct bound_leg *leg = leg_new(b, name, WRITE_OVERWRITE);
    b->stmt->operation = OPERATION_REBUILD_MATERIALIZED_VIEW;
    if (leg == NULL || table == NULL || table->view_text.len == 0)
        return;
    leg->query = bind_view(b, table);
    if (is_up_to_date(b, name)) {
        leave_out(b);
        return;
    }
    const struct bound_query *block = defining_block(leg->query);
    struct relation *old = is_incremental(b, table, block) ? relation_scan(b, binder_table(b, name)) : NULL;
    for (uint32_t i = 0; leg->query != NULL && i < leg->query->columns.count; i++) {
        struct column *column = leg->query->columns.items[i];
        bool computed = i < (block == NULL ? 0 : block->columns.count) && (block->columns.items[i]->flags & COLUMN_AGGREGATE) != 0;
        bool adds = old != NULL && (computed || !table->transactional);
        leg_target(b, leg, name_str(column->name), adds ? with_old_value(b, old, column, i) : column);
    }
}
