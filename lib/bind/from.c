/* FROM → the relations of a scope: tables, CTEs, views, derived tables, joins, table functions. */
#include "bind/binder.h"

/* ---- tables ---- */

/* Hive 4: db.table.snapshots, db.table.branch_x: the third part is no table (hive-sql.md 4.4) */
static bool is_table_part(struct name part)
{
    static const str_t parts[] = {STR("snapshots"), STR("history"), STR("files"), STR("manifests"), STR("partitions"), STR("entries"),
                                  STR("refs"), STR("all_data_files"), STR("all_delete_files"), STR("all_entries"), STR("all_files"),
                                  STR("all_manifests"), STR("data_files"), STR("delete_files"), STR("metadata_log_entries"),
                                  STR("position_deletes")};
    if (str_starts_with(name_str(part), STR("branch_")) || str_starts_with(name_str(part), STR("tag_")))
        return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_eq(parts[i], name_str(part)))
            return true;
    return false;
}

/* `db.table` in one pair of back quotes: Hive reads it as two parts (HIVE-16907), unless a table is called so. */
static bool is_dotted_quote(struct binder *b, const struct qname *written)
{
    if (b->dialect != DIALECT_HIVE || written->count != 1 || !written->parts[0].quoted)
        return false;
    str_t name = name_str(written->parts[0].name);
    size_t dot = str_find(name, '.', 0);
    if (dot == 0 || dot + 1 >= name.len || str_find(name, '.', dot + 1) < name.len)
        return false;
    return catalog_find_table(b->in->catalog, catalog_table_name(b->arena, written, b->database)) == NULL;
}

/* The canonical name of a physical table. */
struct name binder_table_name(struct binder *b, const struct qname *written)
{
    if (is_dotted_quote(b, written))
        return written->parts[0].name;
    struct qname name = *written;
    if (name.count == 3 && is_table_part(name.parts[2].name))
        name.count = 2;
    return catalog_table_name(b->arena, &name, b->database);
}

static void set_qualifiers(struct relation *relation, struct name canonical)
{
    str_t full = name_str(canonical);
    size_t dot = str_find(full, '.', 0);
    relation->db = str_make(full.ptr, dot);
    relation->table = name_of(dot < full.len ? str_make(full.ptr + dot + 1, full.len - dot - 1) : full);
    relation->alias = relation->table;
}

static void add_table(struct binder *b, struct bound_query *query, struct source_table *table)
{
    struct source_table **slot = table == NULL ? NULL : VEC_PUSH(b->arena, &query->tables);
    if (slot != NULL)
        *slot = table;
}

static struct relation *bind_cte_use(struct binder *b, struct bound_query *query, const struct qname *name)
{
    struct cte_scope *where = NULL;
    struct cte_entry *entry = name->count != 1 ? NULL : cte_find(b, name->parts[0].name, &where);
    if (entry == NULL)
        return NULL;
    struct bound_query *bound = bind_cte(b, where, entry);
    struct relation *relation = relation_of_query(b, bound, name->parts[0].name);
    if (relation == NULL)
        return NULL;
    relation->is_cte = true;
    query_add_source(b, query, bound);
    return relation;
}

static bool is_seen_through(const struct binder *b, const struct catalog_table *table)
{
    if (table == NULL || table->view_text.len == 0)
        return false;
    return table->kind == TABLE_VIEW || (table->temporary && !b->in->engine);
}

static struct relation *bind_view_use(struct binder *b, struct bound_query *query, const struct catalog_table *table)
{
    struct bound_query *bound = bind_view(b, table);
    struct relation *relation = bound == NULL ? NULL : relation_of_query(b, bound, NAME(""));
    if (relation == NULL)
        return NULL;
    relation->is_view = true;
    query_add_source(b, query, bound);
    return relation;
}

struct relation *bind_table(struct binder *b, struct scope *scope, struct bound_query *query, const struct qname *name)
{
    if (name->count == 0)
        return NULL;
    struct relation *relation = bind_cte_use(b, query, name);
    if (relation != NULL)
        return relation;
    if (b->dialect == DIALECT_IMPALA && (relation = bind_collection(b, scope, query, name)) != NULL)
        return relation;
    struct name canonical = binder_table_name(b, name);
    const struct catalog_table *known = catalog_find_table(b->in->catalog, canonical);
    if (is_seen_through(b, known))
        relation = bind_view_use(b, query, known);
    if (relation == NULL) {
        struct source_table *table = binder_known_table(b, canonical, known);
        if (known == NULL)
            binder_note(b, DIAG_UNKNOWN_TABLE, name->span, STR("the catalog has no table "), name_str(canonical), STR(""));
        relation = relation_scan(b, table);
        add_table(b, query, table);
    }
    if (relation != NULL)
        set_qualifiers(relation, canonical);
    return relation;
}

static void set_alias(struct relation *relation, const struct from_item *item)
{
    if (relation == NULL || item->alias == NULL)
        return;
    relation->alias = item->alias->name;
    relation->table = NAME("");
    relation->db = STR("");
}

/* t(a, b): the relation's columns under other names */
static struct relation *rename_relation(struct binder *b, struct relation *relation, const struct from_item *item)
{
    if (relation == NULL || item->column_count == 0)
        return relation;
    struct relation *renamed = relation_new(b, RELATION_QUERY, relation->alias);
    if (renamed == NULL)
        return NULL;
    renamed->query = relation->query;
    renamed->input = relation;
    renamed->open = relation->open;
    renamed->column_count = item->column_count < relation->column_count || relation->open ? item->column_count : relation->column_count;
    renamed->columns = ARENA_ARRAY(b->arena, struct column *, renamed->column_count);
    for (uint32_t i = 0; renamed->columns != NULL && i < renamed->column_count; i++) {
        struct column *from = i < relation->column_count ? relation_column(b, relation, i) : relation_star(b, relation);
        struct name name = i < item->column_count || from == NULL ? item->columns[i].name : from->name;
        struct column *column = renamed->columns[i] = column_new(b, name, name_str(name));
        if (column == NULL)
            return NULL;
        column->flags = COLUMN_PLAIN;
        column->ordinal = i;
        deps_add(b, &column->deps, from, STR(""), 0);
    }
    return renamed->columns == NULL ? NULL : renamed;
}

/* ---- derived tables and table functions ---- */

static struct relation *bind_derived(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item)
{
    /* Impala's inline views may name collections of the tables before them */
    struct scope *parent = b->dialect == DIALECT_IMPALA ? scope : scope->parent;
    struct bound_query *bound = bind_query(b, item->query, parent);
    b->query = query;
    query_add_source(b, query, bound);
    return relation_of_query(b, bound, NAME(""));
}

static bool is_noop(struct name name)
{
    return str_starts_with(name_str(name), STR("noop")) || str_eq(name_str(name), STR("windowingtablefunction"));
}

/* A table function over a relation: `noop` and its like pass the columns on, others make what nobody knows out of all of them. */
static struct relation *bind_table_function(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item)
{
    struct scope *inner = scope_new(b, scope->parent);
    if (inner == NULL)
        return NULL;
    if (item->first != NULL)
        bind_from(b, inner, query, item->first);
    struct relation *input = inner->relations.count > 0 ? inner->relations.items[0] : NULL;
    struct relation *relation = relation_new(b, RELATION_FUNCTION, NAME(""));
    if (relation == NULL)
        return NULL;
    relation->input = input;
    b->stmt->traits |= TRAIT_TABLE_FUNCTION | TRAIT_UNPLANNED;
    for (uint32_t i = 0; i < item->args.count; i++)
        bind_expr(b, inner, item->args.items[i], &relation->args, NULL);
    if (item->window != NULL) {
        predicate_append(&query->predicates, bind_keys(b, inner, item->window->partition_by.items, item->window->partition_by.count, CLAUSE_SORT));
        for (uint32_t i = 0; i < item->window->order_by.count; i++)
            predicate_append(&query->predicates, bind_keys(b, inner, &item->window->order_by.items[i].expr, 1, CLAUSE_SORT));
    }
    bool passes = input != NULL && item->name.count > 0 && is_noop(item->name.parts[item->name.count - 1].name);
    relation->open = input == NULL || input->open || !passes;
    if (!passes)
        return relation;
    relation->column_count = input->column_count;
    relation->columns = ARENA_ARRAY(b->arena, struct column *, input->column_count);
    for (uint32_t i = 0; relation->columns != NULL && i < input->column_count; i++) {
        struct column *from = relation_column(b, input, i);
        struct column *column = from == NULL ? NULL : column_new(b, from->name, from->shown);
        if (column == NULL)
            return NULL;
        column->flags = COLUMN_PLAIN | COLUMN_SCRIPT;
        column->ordinal = i;
        column->type = from->type;
        column->relation = relation;
        deps_add(b, &column->deps, from, STR(""), 0);
        relation->columns[i] = column;
    }
    return relation->columns == NULL ? NULL : relation;
}

/* ---- joins ---- */

static void mark_sides(struct scope *scope, const struct join_step *step, uint32_t first, uint32_t first_right)
{
    bool left = step->kind == JOIN_RIGHT || step->kind == JOIN_FULL;
    bool right = step->kind == JOIN_LEFT || step->kind == JOIN_FULL;
    for (uint32_t i = first; left && i < first_right; i++)
        scope->relations.items[i]->nullable = true;
    for (uint32_t i = first_right; right && i < scope->relations.count; i++)
        scope->relations.items[i]->nullable = true;
}

/* After its ON, one side of a semi or anti join is out of sight. */
static void hide_side(struct scope *scope, const struct join_step *step, uint32_t first, uint32_t first_right)
{
    bool right = step->kind == JOIN_LEFT_SEMI || step->kind == JOIN_LEFT_ANTI;
    bool left = step->kind == JOIN_RIGHT_SEMI || step->kind == JOIN_RIGHT_ANTI;
    bool anti = step->kind == JOIN_LEFT_ANTI || step->kind == JOIN_RIGHT_ANTI;
    uint32_t from = left ? first : first_right, to = left ? first_right : scope->relations.count;
    for (uint32_t i = from; (left || right) && i < to; i++) {
        scope->relations.items[i]->filters_only = true;
        scope->relations.items[i]->anti = anti;
    }
}

static void bind_join_step(struct binder *b, struct scope *scope, struct bound_query *query, const struct join_step *step, uint32_t first)
{
    if (step->kind == JOIN_LATERAL_VIEW) {
        bind_lateral(b, scope, query, step->lateral);
        return;
    }
    uint32_t first_right = scope->relations.count;
    if (step->right != NULL)
        bind_from(b, scope, query, step->right);
    mark_sides(scope, step, first, first_right);
    struct join_info *join = VEC_PUSH(b->arena, &query->joins);
    if (join != NULL)
        *join = (struct join_info){step->kind, first, first_right, scope->relations.count, step->on, step, scope};
    if (step->on != NULL || step->using_count > 0 || step->natural)
        b->stmt->traits |= TRAIT_ON;
    bind_join_condition(b, scope, query, step, first_right);
    hide_side(scope, step, first, first_right);
}

static void bind_joins(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item)
{
    uint32_t first = scope->relations.count;
    if (item->first != NULL)
        bind_from(b, scope, query, item->first);
    for (uint32_t i = 0; i < item->join_count && !b->arena->failed; i++)
        bind_join_step(b, scope, query, &item->joins[i], first);
}

/* ---- items ---- */

static struct relation *bind_one(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item)
{
    switch ((enum from_kind)item->kind) {
    case FROM_TABLE:
        return bind_table(b, scope, query, &item->name);
    case FROM_QUERY:
    case FROM_VALUES:
        return bind_derived(b, scope, query, item);
    case FROM_TABLE_FUNCTION:
        return bind_table_function(b, scope, query, item);
    case FROM_JOIN:
    case FROM_UNIQUEJOIN:
        bind_joins(b, scope, query, item);
        return NULL;
    case FROM_UNNEST:
        bind_unnest(b, scope, query, item);
        return NULL;
    }
    return NULL;
}

void bind_from(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item)
{
    struct relation *relation = bind_one(b, scope, query, item);
    b->stmt->traits |= item->sampled ? TRAIT_UNPLANNED : 0;
    set_alias(relation, item);
    relation = rename_relation(b, relation, item);
    if (relation != NULL && item->pivot != NULL)
        relation = bind_pivot(b, relation, item->pivot);
    scope_add(b, scope, relation);
    for (uint32_t i = 0; i < item->lateral_count; i++)
        bind_lateral(b, scope, query, &item->laterals[i]);
}
