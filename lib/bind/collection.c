/*
 * Impala's nested collections as tables: `from t, t.arr a` and `from db.t.arr` (impala-sql.md 2 and 8). An array gives `item` and
 * `pos`, a map `key` and `value`; fields of a struct item are visible without naming it. Columns are
 * paths below a column of the table at the root, spelt out as Impala's lineage log spells them.
 */
#include "bind/binder.h"

/* A place inside a column: what a path has led to so far. */
struct place {
    struct column *column;
    str_t path;
    const struct type *type;
};

static const struct type *field_type(const struct type *type, struct name field)
{
    for (uint32_t i = 0; type != NULL && type->kind == TYPE_STRUCT && i < type->field_count; i++)
        if (name_eq(type->fields[i].name, field))
            return type->fields[i].type;
    return NULL;
}

static str_t below(struct binder *b, str_t path, str_t field)
{
    return arena_join(b->arena, path, arena_join(b->arena, STR("."), field));
}

/* One step down by name: a struct's field, or a collection's item, key or value. */
static bool step_down(struct binder *b, struct place *place, struct name part)
{
    const struct type *type = place->type;
    if (type == NULL)
        return false;
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) { /* a path through a collection names its item or skips it */
        bool array = type->kind == TYPE_ARRAY;
        str_t named = array ? STR("item") : STR("value");
        const struct type *inner = array ? type->fields[0].type : type->fields[1].type;
        place->path = below(b, place->path, named);
        place->type = inner;
        if (str_eq(name_str(part), named))
            return true;
        return step_down(b, place, part);
    }
    const struct type *field = field_type(type, part);
    if (field == NULL)
        return false;
    place->path = below(b, place->path, name_str(part));
    place->type = field;
    return true;
}

static bool walk_path(struct binder *b, struct place *place, const struct ident *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!step_down(b, place, parts[i].name))
            return false;
    return place->type != NULL && (place->type->kind == TYPE_ARRAY || place->type->kind == TYPE_MAP);
}

static void add_column(struct binder *b, struct relation *relation, const struct place *place, str_t name, const struct type *type,
                       str_t path, uint32_t flags)
{
    struct column *column = column_new(b, name_of(name), name);
    if (column == NULL)
        return;
    column->flags = COLUMN_PLAIN | flags;
    column->relation = relation;
    column->type = type;
    deps_add(b, &column->deps, place->column, path, 0);
    relation_add(b, relation, column);
}

/* The item's own column, or the fields of a struct item, which hide it in stars. */
static void add_item(struct binder *b, struct relation *relation, const struct place *place, str_t name, const struct type *type)
{
    str_t path = below(b, place->path, name);
    bool fields = type->kind == TYPE_STRUCT;
    add_column(b, relation, place, name, type, path, fields ? COLUMN_FIELD : 0);
    for (uint32_t i = 0; fields && i < type->field_count; i++) {
        str_t field = name_str(type->fields[i].name);
        add_column(b, relation, place, field, type->fields[i].type, below(b, path, field), 0);
    }
}

static struct relation *collection_relation(struct binder *b, const struct place *place, struct name alias)
{
    struct relation *relation = relation_new(b, RELATION_COLLECTION, alias);
    if (relation == NULL)
        return NULL;
    if (place->type->kind == TYPE_MAP) {
        add_column(b, relation, place, STR("key"), place->type->fields[0].type, below(b, place->path, STR("key")), 0);
        add_item(b, relation, place, STR("value"), place->type->fields[1].type);
    } else {
        add_item(b, relation, place, STR("item"), place->type->fields[0].type);
        add_column(b, relation, place, STR("pos"), NULL, below(b, place->path, STR("pos")), COLUMN_FIELD);
    }
    relation_close(relation);
    deps_add(b, &relation->args, place->column, place->path, 0);
    return relation;
}

/* alias.arr of a relation in sight, inner scopes first */
static bool relative_place(struct binder *b, struct scope *scope, const struct qname *name, struct place *place)
{
    for (struct scope *s = scope; s != NULL; s = s->parent) {
        struct relation *relation = scope_relation(s, name->parts, 1);
        struct column *column = relation == NULL ? NULL : relation_find(b, relation, name->parts[1].name);
        if (column == NULL)
            continue;
        bool through = column->source == NULL && column->deps.count == 1 && column->deps.items[0].column != NULL;
        *place = (struct place){column, STR(""), column->type};
        if (relation->kind == RELATION_COLLECTION && through)
            *place = (struct place){column->deps.items[0].column, column->deps.items[0].path, column->type};
        return walk_path(b, place, name->parts + 2, name->count - 2);
    }
    return false;
}

/* t.arr and db.t.arr of a table that the catalog knows */
static bool absolute_place(struct binder *b, struct bound_query *query, const struct qname *name, struct place *place)
{
    for (uint32_t parts = 1; parts <= 2 && parts < name->count; parts++) {
        struct qname table_name = {name->parts, parts, name->span};
        struct name canonical = catalog_table_name(b->arena, &table_name, b->database);
        const struct catalog_table *known = catalog_find_table(b->in->catalog, canonical);
        if (known == NULL || catalog_find_column(known, name->parts[parts].name) < 0)
            continue;
        struct source_table *table = binder_table(b, canonical);
        struct relation *scan = relation_scan(b, table);
        struct source_table **slot = VEC_PUSH(b->arena, &query->tables);
        if (scan == NULL || slot == NULL)
            return false;
        *slot = table;
        struct column *column = relation_find(b, scan, name->parts[parts].name);
        *place = (struct place){column, STR(""), column == NULL ? NULL : column->type};
        return walk_path(b, place, name->parts + parts + 1, name->count - parts - 1);
    }
    return false;
}

/* "Not empty" tests of relative references are conditions of the whole query (impala.md 7.1). */
static void add_not_empty(struct binder *b, struct scope *scope, struct bound_query *query, const struct place *place, span_t span)
{
    if (!b->in->engine)
        return;
    struct predicate *predicate = predicate_new(b, scope, CLAUSE_JOIN, span);
    if (predicate == NULL)
        return;
    deps_add(b, &predicate->deps, place->column, place->path, 0);
    predicate_append(&query->predicates, predicate);
}

/* Items of a table around an inline view: who counts them counts what is in that table. */
static void count_outer_rows(struct binder *b, struct bound_query *query, const struct place *place)
{
    struct source_table *table = place->column == NULL || place->column->source == NULL ? NULL : place->column->source->table;
    struct source_table **slot = table == NULL ? NULL : VEC_PUSH(b->arena, &query->tables);
    if (slot != NULL)
        *slot = table;
}

struct relation *bind_collection(struct binder *b, struct scope *scope, struct bound_query *query, const struct qname *name)
{
    struct place place = {0};
    if (name->count < 2)
        return NULL;
    bool relative = relative_place(b, scope, name, &place);
    if (!relative && !absolute_place(b, query, name, &place))
        return NULL;
    bool beside = relative && scope_relation(scope, name->parts, 1) != NULL; /* not of a table around an inline view */
    if (beside)
        add_not_empty(b, scope, query, &place, name->span);
    else if (relative)
        count_outer_rows(b, query, &place);
    return collection_relation(b, &place, name->parts[name->count - 1].name);
}

/* UNNEST(a.x, a.y) [AS (p, q)]: one relation for each, zipped */
void bind_unnest(struct binder *b, struct scope *scope, struct bound_query *query, const struct from_item *item)
{
    for (uint32_t i = 0; i < item->args.count; i++) {
        const struct expr *arg = item->args.items[i];
        struct place place = {0};
        bool found = arg->kind == EXPR_COLUMN && arg->u.name.count > 1 &&
                     (relative_place(b, scope, &arg->u.name, &place) || absolute_place(b, query, &arg->u.name, &place));
        if (!found)
            continue;
        struct name alias = i < item->column_count ? item->columns[i].name : arg->u.name.parts[arg->u.name.count - 1].name;
        struct relation *relation = collection_relation(b, &place, alias);
        if (relation != NULL && relation->column_count > 0 && i < item->column_count)
            relation->columns[0]->name = item->columns[i].name;
        scope_add(b, scope, relation);
    }
}
