/*
 * Relations and their columns. Physical tables and columns are made once a statement and shared by all that read them;
 * a scan has vertices of its own, made when first named, so that a table of 5,000 columns costs what is used of it.
 */
#include "bind/binder.h"

enum {
    INDEX_FROM = 12 /* names from which a list is searched by hash */
};

/* Open addressing over ordinals; the first column of a name wins, as it does in a linear search. */
struct column_index {
    uint32_t *slots; /* ordinal + 1; 0: free */
    uint32_t mask;
};

static void map_put(struct binder *b, struct name_map *map, struct name name, void *value)
{
    void **place = name_map_place(map, b->arena, name);
    if (place != NULL)
        *place = value;
}

static struct source_table *find_table(const struct bound_statement *stmt, struct name name)
{
    if (stmt->table_count >= INDEX_FROM)
        return name_map_get(&stmt->tables_by_name, name);
    for (struct source_table *t = stmt->tables; t != NULL; t = t->next)
        if (name_eq(t->name, name))
            return t;
    return NULL;
}

struct source_table *binder_table(struct binder *b, struct name name)
{
    return binder_known_table(b, name, catalog_find_table(b->in->catalog, name));
}

struct source_table *binder_known_table(struct binder *b, struct name name, const struct catalog_table *known)
{
    struct source_table *found = find_table(b->stmt, name);
    if (found != NULL)
        return found;
    struct source_table *table = ARENA_NEW(b->arena, struct source_table);
    if (table == NULL)
        return NULL;
    table->name = name;
    table->known = known;
    if (table->known != NULL)
        table->columns = ARENA_ARRAY(b->arena, struct source_column *, table->known->column_count);
    if (b->arena->failed)
        return NULL;
    table->next = b->stmt->tables;
    b->stmt->tables = table;
    if (++b->stmt->table_count == INDEX_FROM) {
        for (struct source_table *t = table; t != NULL; t = t->next)
            map_put(b, &b->stmt->tables_by_name, t->name, t);
    } else if (b->stmt->table_count > INDEX_FROM) {
        map_put(b, &b->stmt->tables_by_name, name, table);
    }
    return table;
}

static struct source_column *source_column_new(struct binder *b, struct source_table *table, str_t name)
{
    struct source_column *column = ARENA_NEW(b->arena, struct source_column);
    if (column == NULL)
        return NULL;
    column->table = table;
    column->name = name;
    column->id = b->stmt->source_count++;
    return column;
}

static struct source_column *source_column_at(struct binder *b, struct source_table *table, uint32_t ordinal)
{
    if (table->columns[ordinal] == NULL) {
        const struct catalog_column *known = &table->known->columns[ordinal];
        table->columns[ordinal] = source_column_new(b, table, name_str(known->name));
        if (table->columns[ordinal] != NULL)
            table->columns[ordinal]->type = known->parsed_type;
    }
    return table->columns[ordinal];
}

static struct source_column *find_extra_source(const struct source_table *table, struct name name)
{
    if (table->extra.count >= INDEX_FROM)
        return name_map_get(&table->extra_by_name, name);
    for (uint32_t i = 0; i < table->extra.count; i++)
        if (str_eq(table->extra.items[i]->name, name_str(name)))
            return table->extra.items[i];
    return NULL;
}

struct source_column *source_column_named(struct binder *b, struct source_table *table, struct name name, bool create)
{
    if (table == NULL)
        return NULL;
    int ordinal = table->known == NULL ? -1 : catalog_find_column(table->known, name);
    if (ordinal >= 0)
        return source_column_at(b, table, (uint32_t)ordinal);
    struct source_column *found = find_extra_source(table, name);
    if (found != NULL || !create)
        return found;
    struct source_column *column = source_column_new(b, table, name_str(name));
    struct source_column **slot = VEC_PUSH(b->arena, &table->extra);
    if (slot == NULL || column == NULL)
        return NULL;
    *slot = column;
    if (table->extra.count == INDEX_FROM) {
        for (uint32_t i = 0; i < INDEX_FROM && table->extra.items[i] != NULL; i++)
            map_put(b, &table->extra_by_name, name_of(table->extra.items[i]->name), table->extra.items[i]);
    } else if (table->extra.count > INDEX_FROM) {
        map_put(b, &table->extra_by_name, name, column);
    }
    return column;
}

struct relation *relation_new(struct binder *b, enum relation_kind kind, struct name alias)
{
    struct relation *relation = ARENA_NEW(b->arena, struct relation);
    if (relation == NULL)
        return NULL;
    relation->kind = (uint8_t)kind;
    relation->alias = alias;
    return relation;
}

struct relation *relation_scan(struct binder *b, struct source_table *table)
{
    struct relation *relation = relation_new(b, RELATION_SCAN, NAME(""));
    if (relation == NULL || table == NULL)
        return NULL;
    relation->source = table;
    table->is_input = true;
    relation->open = table->known == NULL || table->known->open;
    if (table->known != NULL) {
        relation->column_count = table->known->column_count;
        relation->columns = ARENA_ARRAY(b->arena, struct column *, relation->column_count);
        if (relation->columns == NULL)
            return NULL;
    }
    return relation;
}

struct relation *relation_of_query(struct binder *b, struct bound_query *query, struct name alias)
{
    struct relation *relation = relation_new(b, RELATION_QUERY, alias);
    if (relation == NULL || query == NULL)
        return NULL;
    relation->query = query;
    relation->columns = query->columns.items;
    relation->column_count = query->columns.count;
    relation->open = query->open;
    return relation;
}

struct column *column_new(struct binder *b, struct name name, str_t shown)
{
    struct column *column = ARENA_NEW(b->arena, struct column);
    if (column == NULL)
        return NULL;
    column->name = name;
    column->shown = shown;
    return column;
}

/* The vertex of a physical column as this scan gives it. */
static struct column *scan_column_new(struct binder *b, struct relation *relation, struct source_column *source, struct name name,
                                      str_t shown)
{
    struct column *column = column_new(b, name, shown);
    if (column == NULL)
        return NULL;
    column->relation = relation;
    column->source = source;
    column->type = source == NULL ? NULL : source->type;
    return column;
}

static bool is_partition_ordinal(const struct catalog_table *table, uint32_t ordinal)
{
    return ordinal >= table->column_count - table->partition_count;
}

struct column *relation_column(struct binder *b, struct relation *relation, uint32_t ordinal)
{
    struct column *column = relation->columns[ordinal];
    if (column != NULL || relation->kind != RELATION_SCAN)
        return column;
    const struct catalog_table *known = relation->source->known;
    const struct catalog_column *described = &known->columns[ordinal];
    column = scan_column_new(b, relation, source_column_at(b, relation->source, ordinal), described->name, described->shown);
    if (column == NULL)
        return NULL;
    column->ordinal = ordinal;
    column->flags = is_partition_ordinal(known, ordinal) ? COLUMN_PARTITION : 0;
    relation->columns[ordinal] = column;
    return column;
}

static struct column *find_extra(const struct relation *relation, struct name name)
{
    if (relation->extra.count >= INDEX_FROM)
        return name_map_get(&relation->extra_by_name, name);
    for (uint32_t i = 0; i < relation->extra.count; i++)
        if (name_eq(relation->extra.items[i]->name, name))
            return relation->extra.items[i];
    return NULL;
}

struct column *relation_add(struct binder *b, struct relation *relation, struct column *column)
{
    struct column **slot = VEC_PUSH(b->arena, &relation->extra);
    if (slot == NULL || column == NULL)
        return NULL;
    *slot = column;
    if (relation->extra.count == INDEX_FROM) {
        for (uint32_t i = 0; i < INDEX_FROM; i++)
            map_put(b, &relation->extra_by_name, relation->extra.items[i]->name, relation->extra.items[i]);
    } else if (relation->extra.count > INDEX_FROM) {
        map_put(b, &relation->extra_by_name, column->name, column);
    }
    return column;
}

void relation_close(struct relation *relation)
{
    relation->columns = relation->extra.items;
    relation->column_count = relation->extra.count;
    relation->extra.items = NULL;
    relation->extra.count = relation->extra.capacity = 0;
    relation->extra_by_name = (struct name_map){0};
}

/* Columns that every table has and no star shows. */
static bool is_virtual_column(struct name name, enum dialect dialect)
{
    static const str_t hive[] = {STR("input__file__name"), STR("block__offset__inside__file"), STR("row__offset__inside__block"),
                                 STR("row__id"), STR("row__is__deleted"), STR("raw__data__size"), STR("partition__spec__id"),
                                 STR("partition__hash"), STR("file__path"), STR("row__position"), STR("snapshot__id")};
    static const str_t impala[] = {STR("input__file__name"), STR("file__position"), STR("iceberg__data__sequence__number"),
                                   STR("iceberg__first__row__id"), STR("partition__spec__id"), STR("iceberg__partition__serialized")};
    const str_t *list = dialect == DIALECT_HIVE ? hive : impala;
    size_t count = dialect == DIALECT_HIVE ? sizeof hive / sizeof *hive : sizeof impala / sizeof *impala;
    if (name.len < 7)
        return false;
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i], name_str(name)))
            return true;
    return false;
}

static struct column *find_virtual(struct binder *b, struct relation *relation, struct name name)
{
    if (relation->kind != RELATION_SCAN || !is_virtual_column(name, b->dialect))
        return NULL;
    struct source_column *source = source_column_named(b, relation->source, name, true);
    struct column *column = scan_column_new(b, relation, source, name, name_str(name));
    if (column != NULL)
        column->flags |= COLUMN_HIDDEN;
    return relation_add(b, relation, column);
}

static struct column_index *index_make(struct binder *b, const struct relation *relation)
{
    uint32_t size = 16;
    while (size < relation->column_count * 2)
        size *= 2;
    struct column_index *index = ARENA_NEW(b->arena, struct column_index);
    uint32_t *slots = ARENA_ARRAY(b->arena, uint32_t, size);
    if (index == NULL || slots == NULL)
        return NULL;
    index->slots = slots;
    index->mask = size - 1;
    for (uint32_t i = relation->column_count; i-- > 0;) {
        struct name name = relation->columns[i]->name;
        uint32_t at = name.hash & index->mask;
        while (slots[at] != 0 && !name_eq(relation->columns[slots[at] - 1]->name, name))
            at = (at + 1) & index->mask;
        slots[at] = i + 1;
    }
    return index;
}

static struct column *find_indexed(struct binder *b, struct relation *relation, struct name name)
{
    if (relation->index == NULL)
        relation->index = index_make(b, relation);
    if (relation->index == NULL)
        return NULL;
    const struct column_index *index = relation->index;
    for (uint32_t at = name.hash & index->mask; index->slots[at] != 0; at = (at + 1) & index->mask)
        if (name_eq(relation->columns[index->slots[at] - 1]->name, name))
            return relation->columns[index->slots[at] - 1];
    return NULL;
}

static struct column *find_listed(struct binder *b, struct relation *relation, struct name name)
{
    if (relation->kind == RELATION_SCAN) {
        int ordinal = relation->source->known == NULL ? -1 : catalog_find_column(relation->source->known, name);
        return ordinal < 0 ? NULL : relation_column(b, relation, (uint32_t)ordinal);
    }
    if (relation->column_count >= INDEX_FROM)
        return find_indexed(b, relation, name);
    for (uint32_t i = 0; i < relation->column_count; i++)
        if (name_eq(relation->columns[i]->name, name))
            return relation->columns[i];
    return NULL;
}

struct column *relation_find(struct binder *b, struct relation *relation, struct name name)
{
    struct column *column = find_listed(b, relation, name);
    if (column == NULL)
        column = find_extra(relation, name);
    return column != NULL ? column : find_virtual(b, relation, name);
}

struct column *relation_star(struct binder *b, struct relation *relation)
{
    if (relation->star != NULL)
        return relation->star;
    struct column *star = column_new(b, NAME("*"), STR("*"));
    if (star == NULL)
        return NULL;
    star->relation = relation;
    star->flags = COLUMN_OPEN;
    if (relation->kind == RELATION_SCAN) {
        if (relation->source->star == NULL)
            relation->source->star = source_column_new(b, relation->source, STR("*"));
        star->source = relation->source->star;
    } else if (relation->query != NULL) {
        for (uint32_t i = 0; i < relation->query->columns.count; i++)
            if (relation->query->columns.items[i]->flags & COLUMN_OPEN)
                deps_add(b, &star->deps, relation->query->columns.items[i], STR(""), 0);
    }
    relation->star = star;
    return star;
}

/* Of a query with an open star: the column comes from the relation behind the star, when there is just one. */
static void assume_through(struct binder *b, struct relation *relation, struct column *column)
{
    struct bound_query *query = relation->query;
    for (uint32_t i = 0; query != NULL && i < query->columns.count; i++) {
        struct column *open = query->columns.items[i];
        if (!(open->flags & COLUMN_OPEN) || open->deps.count == 0)
            continue;
        for (uint32_t k = 0; k < open->deps.count; k++) {
            struct column *behind = open->deps.items[k].column;
            struct relation *from = behind == NULL ? NULL : behind->relation;
            if (from != NULL && from->open)
                deps_add(b, &column->deps, relation_assume(b, from, column->name, column->shown), STR(""),
                         open->deps.items[k].roles);
        }
    }
}

struct column *relation_assume(struct binder *b, struct relation *relation, struct name name, str_t shown)
{
    struct column *column = find_extra(relation, name);
    if (column != NULL)
        return column;
    if (relation->kind == RELATION_SCAN)
        return relation_add(b, relation,
                         scan_column_new(b, relation, source_column_named(b, relation->source, name, true), name, shown));
    column = relation_add(b, relation, column_new(b, name, shown));
    if (column == NULL)
        return NULL;
    column->relation = relation;
    column->flags |= COLUMN_PLAIN;
    assume_through(b, relation, column);
    return column;
}

static struct dep *deps_push(struct binder *b, struct deps *deps)
{
    if (!vec_reserve(b->arena, (void **)&deps->items, deps->count, &deps->capacity, sizeof *deps->items))
        return NULL;
    return &deps->items[deps->count++];
}

void deps_add(struct binder *b, struct deps *deps, struct column *column, str_t path, uint32_t roles)
{
    if (column == NULL)
        return;
    if (column->seen_at < deps->count) {
        const struct dep *last = &deps->items[column->seen_at];
        if (last->column == column && last->roles == roles && str_eq(last->path, path))
            return;
    }
    struct dep *dep = deps_push(b, deps);
    if (dep == NULL)
        return;
    *dep = (struct dep){column, NULL, path, roles};
    column->seen_at = deps->count - 1;
}

void deps_add_rows(struct binder *b, struct deps *deps, struct bound_query *query, uint32_t roles)
{
    struct dep *dep = deps_push(b, deps);
    if (dep != NULL)
        *dep = (struct dep){NULL, query, STR(""), roles | DEP_ROWS};
}

void deps_add_all(struct binder *b, struct deps *deps, const struct deps *more, uint32_t roles)
{
    for (uint32_t i = 0; i < more->count; i++) {
        const struct dep *dep = &more->items[i];
        if (dep->column == NULL)
            deps_add_rows(b, deps, dep->query, dep->roles | roles);
        else
            deps_add(b, deps, dep->column, dep->path, dep->roles | roles);
    }
}
