/*
 * The catalog's layers: what is visible, what hides what, and who owns it. Everything of a layer lives in its arena, so clearing a
 * session's layer costs nothing that grows with what it held. Replaced tables stay in the arena until then.
 */
#include "catalog/layer.h"

#include <stdlib.h>

#include "catalog/types.h"

enum {
    FEW_COLUMNS = 16 /* up to here comparing hashes one by one beats an index */
};

/* ---- life ------------------------------------------------------------------------------------------------------- */

struct catalog *catalog_new(const struct catalog *base, size_t limit, const struct arena_source *source)
{
    struct arena arena;
    arena_init(&arena, limit, source);
    struct catalog *catalog = arena.source.allocate(arena.source.context, sizeof *catalog);
    if (catalog != NULL)
        *catalog = (struct catalog){.base = base, .arena = arena, .scratch = arena};
    return catalog;
}

void catalog_free(struct catalog *catalog)
{
    if (catalog == NULL)
        return;
    struct arena_source source = catalog->arena.source;
    arena_release(&catalog->arena);
    arena_release(&catalog->scratch);
    source.release(source.context, catalog);
}

void catalog_clear(struct catalog *catalog)
{
    bool nothing = arena_is_empty(&catalog->arena);
    arena_clear(&catalog->arena);
    arena_clear(&catalog->scratch);
    if (nothing)
        return;
    catalog->tables = catalog->databases = catalog->macros = catalog->types = catalog->writes = (struct name_map){0};
    catalog->write_clock = 0;
    catalog->has_dropped_databases = false;
}

/* ---- looking up ------------------------------------------------------------------------------------------------- */

/* The part of db.table before the dot. */
static struct name database_of(struct name table)
{
    str_t text = name_str(table);
    text.len = str_find(text, '.', 0);
    return name_of(text);
}

static const struct stored_database *find_database(const struct catalog *layer, struct name name)
{
    return name_map_get(&layer->databases, name);
}

/* Whether the table was put after its database was last dropped. */
static bool is_live(const struct catalog *layer, const struct stored_table *stored)
{
    if (!layer->has_dropped_databases)
        return true;
    const struct stored_database *database = find_database(layer, name_of(stored->table.db));
    return database == NULL || database->generation == stored->generation;
}

static bool hides_database(const struct catalog *layer, struct name table)
{
    if (!layer->has_dropped_databases)
        return false;
    const struct stored_database *database = find_database(layer, database_of(table));
    return database != NULL && database->hides_below;
}

const struct catalog_table *catalog_find_table(const struct catalog *catalog, struct name name)
{
    for (const struct catalog *layer = catalog; layer != NULL; layer = layer->base) {
        const struct stored_table *stored = name_map_get(&layer->tables, name);
        if (stored != NULL && is_live(layer, stored))
            return stored->table.dropped ? NULL : &stored->table;
        if (hides_database(layer, name))
            return NULL;
    }
    return NULL;
}

const struct catalog_macro *catalog_find_macro(const struct catalog *catalog, struct name name)
{
    for (const struct catalog *layer = catalog; layer != NULL; layer = layer->base) {
        const struct catalog_macro *macro = name_map_get(&layer->macros, name);
        if (macro != NULL)
            return macro->definition == NULL ? NULL : macro;
    }
    return NULL;
}

bool catalog_has_database(const struct catalog *catalog, struct name name)
{
    for (const struct catalog *layer = catalog; layer != NULL; layer = layer->base) {
        const struct stored_database *database = find_database(layer, name);
        if (database != NULL)
            return !database->dropped;
    }
    return name_eq(name, NAME("default"));
}

int catalog_find_column(const struct catalog_table *table, struct name name)
{
    if (table->index == NULL) {
        for (uint32_t i = 0; i < table->column_count; i++)
            if (name_eq(table->columns[i].name, name))
                return (int)i;
        return -1;
    }
    uint32_t at = name.hash & table->index_mask;
    for (; table->index[at] != 0; at = (at + 1) & table->index_mask)
        if (name_eq(table->columns[table->index[at] - 1].name, name))
            return (int)(table->index[at] - 1);
    return -1;
}

size_t catalog_dot_in_name(str_t name)
{
    size_t dot = str_find(name, '.', 0);
    bool two_parts = dot > 0 && dot + 1 < name.len && str_find(name, '.', dot + 1) == name.len;
    return two_parts ? dot : 0;
}

struct name catalog_table_name(struct arena *arena, const struct qname *written, str_t database)
{
    if (written->count == 0)
        return NAME("");
    const struct ident *last = &written->parts[written->count - 1];
    if (written->count == 1 && catalog_dot_in_name(name_str(last->name)) > 0)
        return last->name;
    return name_of(arena_pair(arena, written->count > 1 ? name_str(last[-1].name) : database, '.', name_str(last->name)));
}

/* ---- databases -------------------------------------------------------------------------------------------------- */

/* This layer's entry for a database, made when it is not there. */
static struct stored_database *place_database(struct catalog *catalog, struct name name)
{
    struct stored_database *known = name_map_get(&catalog->databases, name);
    if (known != NULL)
        return known;
    struct name kept = name_of(arena_copy(&catalog->arena, name_str(name)));
    struct stored_database *entry = ARENA_NEW(&catalog->arena, struct stored_database);
    void **place = entry == NULL ? NULL : name_map_place(&catalog->databases, &catalog->arena, kept);
    if (place == NULL || catalog->arena.failed)
        return NULL;
    *place = entry;
    return entry;
}

bool catalog_put_database(struct catalog *catalog, struct name name)
{
    struct stored_database *database = place_database(catalog, name);
    if (database != NULL)
        database->dropped = false;
    return database != NULL;
}

bool catalog_drop_database(struct catalog *catalog, struct name name)
{
    struct stored_database *database = place_database(catalog, name);
    if (database == NULL)
        return false;
    database->generation++;
    database->dropped = database->hides_below = true;
    catalog->has_dropped_databases = true;
    return true;
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* The type of this text, made when the layer does not have it yet; NULL for an empty text or when out of memory. */
static const struct stored_type *keep_type(struct catalog *catalog, str_t text)
{
    struct arena *arena = &catalog->arena;
    struct name name = name_of(text);
    struct stored_type *known = text.len == 0 ? NULL : name_map_get(&catalog->types, name);
    if (known != NULL || text.len == 0)
        return known;
    name.ptr = arena_copy(arena, text).ptr;
    struct stored_type *type = ARENA_NEW(arena, struct stored_type);
    void **place = type == NULL || arena->failed ? NULL : name_map_place(&catalog->types, arena, name);
    if (place == NULL)
        return NULL;
    *type = (struct stored_type){name_str(name), type_read(arena, name_str(name))};
    *place = type;
    return type;
}

bool column_keep(struct catalog *catalog, struct catalog_column *column)
{
    struct arena *arena = &catalog->arena;
    struct name name = column->name;
    name.ptr = arena_copy(arena, name_str(name)).ptr;
    bool as_named = str_eq(column->shown, name_str(column->name)) || column->shown.len == 0;
    column->name = name;
    column->shown = as_named ? name_str(name) : arena_copy(arena, column->shown);
    column->comment = arena_copy(arena, column->comment);
    const struct stored_type *type = keep_type(catalog, column->type);
    column->type = type == NULL ? STR("") : type->text;
    column->parsed_type = type == NULL ? NULL : type->parsed;
    return !arena->failed;
}

static bool reserve_columns(struct catalog *catalog, struct stored_table *stored)
{
    uint32_t count = stored->table.column_count;
    return vec_reserve(&catalog->arena, (void **)&stored->table.columns, count, &stored->column_capacity,
                       sizeof(struct catalog_column));
}

struct catalog_column *table_insert_column(struct catalog *catalog, struct stored_table *stored, uint32_t ordinal)
{
    if (!reserve_columns(catalog, stored))
        return NULL;
    struct catalog_column *place = &stored->table.columns[ordinal];
    memmove(place + 1, place, (stored->table.column_count - ordinal) * sizeof *place);
    stored->table.column_count++;
    *place = (struct catalog_column){0};
    return place;
}

/* Room for twice as many entries as columns, so that a look-up seldom probes twice. */
static bool reserve_index(struct catalog *catalog, struct stored_table *stored)
{
    uint32_t wanted = 32;
    while (wanted / 2 < stored->table.column_count)
        wanted *= 2;
    if (wanted > stored->index_capacity) {
        stored->table.index = ARENA_ARRAY(&catalog->arena, uint32_t, wanted);
        stored->index_capacity = stored->table.index == NULL ? 0 : wanted;
    }
    stored->table.index_mask = stored->index_capacity - 1;
    return stored->table.index != NULL;
}

bool table_reindex(struct catalog *catalog, struct stored_table *stored)
{
    struct catalog_table *table = &stored->table;
    if (table->column_count <= FEW_COLUMNS) {
        table->index = NULL;
        stored->index_capacity = 0;
        return true;
    }
    if (!reserve_index(catalog, stored))
        return false;
    uint32_t *index = (uint32_t *)(uintptr_t)table->index; /* the layer's own memory; const for everybody else */
    memset(index, 0, stored->index_capacity * sizeof *index);
    for (uint32_t i = 0; i < table->column_count; i++) {
        uint32_t at = table->columns[i].name.hash & table->index_mask;
        while (index[at] != 0)
            at = (at + 1) & table->index_mask;
        index[at] = i + 1;
    }
    return true;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static bool keep_columns(struct catalog *catalog, struct stored_table *stored)
{
    struct catalog_table *table = &stored->table;
    struct catalog_column *kept = ARENA_ARRAY(&catalog->arena, struct catalog_column, table->column_count);
    if (kept == NULL)
        return false;
    for (uint32_t i = 0; i < table->column_count; i++) {
        kept[i] = table->columns[i];
        if (!column_keep(catalog, &kept[i]))
            return false;
    }
    table->columns = kept;
    stored->column_capacity = table->column_count;
    return table_reindex(catalog, stored);
}

/* A deep copy in the layer's arena; NULL when out of memory. */
static struct stored_table *keep_table(struct catalog *catalog, const struct catalog_table *table)
{
    struct arena *arena = &catalog->arena;
    struct stored_table *stored = ARENA_NEW(arena, struct stored_table);
    if (stored == NULL)
        return NULL;
    stored->table = *table;
    struct catalog_table *kept = &stored->table;
    str_t full = arena_copy(arena, name_str(table->name));
    size_t dot = table->db.len > 0 ? table->db.len : str_find(full, '.', 0);
    kept->name.ptr = full.ptr;
    kept->db = str_make(full.ptr, dot < full.len ? dot : 0);
    kept->table = dot < full.len ? str_make(full.ptr + dot + 1, full.len - dot - 1) : full;
    kept->shown = arena_copy(arena, table->shown);
    kept->comment = arena_copy(arena, table->comment);
    kept->location = arena_copy(arena, table->location);
    kept->view_text = arena_copy(arena, table->view_text);
    kept->view_database = arena_copy(arena, table->view_database);
    kept->index = NULL;
    if (arena->failed || !keep_columns(catalog, stored))
        return NULL;
    return stored;
}

/* Puts a table that the layer owns under its name. */
static bool place_table(struct catalog *catalog, struct stored_table *stored)
{
    struct name database = name_of(stored->table.db);
    if (!catalog_has_database(catalog, database) && !catalog_put_database(catalog, database))
        return false;
    const struct stored_database *entry = find_database(catalog, database);
    stored->generation = entry == NULL ? 0 : entry->generation;
    void **place = name_map_place(&catalog->tables, &catalog->arena, stored->table.name);
    if (place == NULL)
        return false;
    struct stored_table *before = *place;
    if (stored->table.temporary && before != NULL && is_live(catalog, before))
        stored->under = before->table.temporary ? before->under : before;
    *place = stored;
    return true;
}

bool catalog_put_table(struct catalog *catalog, const struct catalog_table *table)
{
    struct stored_table *stored = keep_table(catalog, table);
    return stored != NULL && place_table(catalog, stored);
}

bool catalog_drop_table(struct catalog *catalog, struct name name)
{
    struct stored_table *before = name_map_get(&catalog->tables, name);
    if (before != NULL && before->table.temporary && is_live(catalog, before)) {
        *name_map_place(&catalog->tables, &catalog->arena, name) = before->under;
        return true;
    }
    const struct catalog_table mark = {.name = name, .dropped = true};
    struct stored_table *stored = keep_table(catalog, &mark);
    return stored != NULL && place_table(catalog, stored);
}

struct stored_table *catalog_edit_table(struct catalog *catalog, struct name name)
{
    const struct catalog_table *visible = catalog_find_table(catalog, name);
    struct stored_table *own = name_map_get(&catalog->tables, name);
    if (visible == NULL || (own != NULL && visible == &own->table))
        return visible == NULL ? NULL : own;
    own = keep_table(catalog, visible);
    return own != NULL && place_table(catalog, own) ? own : NULL;
}

bool catalog_set_view(struct catalog *catalog, struct name name, str_t text, enum dialect dialect, str_t database)
{
    struct stored_table *stored = catalog_edit_table(catalog, name);
    if (stored == NULL)
        return !catalog->arena.failed;
    stored->table.view_text = arena_copy(&catalog->arena, text);
    stored->table.view_dialect = dialect;
    if (!str_eq(stored->table.view_database, database))
        stored->table.view_database = arena_copy(&catalog->arena, database);
    return !catalog->arena.failed;
}

/* ---- macros ----------------------------------------------------------------------------------------------------- */

bool catalog_put_macro(struct catalog *catalog, struct name name, const struct create_function *definition, str_t text)
{
    struct arena *arena = &catalog->arena;
    struct catalog_macro *macro = ARENA_NEW(arena, struct catalog_macro);
    struct name kept = name_of(arena_copy(arena, name_str(name)));
    void **place = macro == NULL || arena->failed ? NULL : name_map_place(&catalog->macros, arena, kept);
    if (place == NULL)
        return false;
    *macro = (struct catalog_macro){.name = kept, .definition = definition, .text = text};
    *place = macro;
    return true;
}

bool catalog_drop_macro(struct catalog *catalog, struct name name)
{
    return catalog_put_macro(catalog, name, NULL, STR(""));
}

/* ---- listing ---------------------------------------------------------------------------------------------------- */

struct table_list {
    VEC(const struct catalog_table *) list;
};

/* The layer's tables that are what a look-up from the top would find. */
static void list_layer(const struct catalog *top, const struct catalog *layer, struct arena *arena, struct table_list *out)
{
    for (uint32_t i = 0; i < layer->tables.capacity; i++) {
        const struct stored_table *stored = layer->tables.slots[i].value;
        if (stored == NULL || catalog_find_table(top, stored->table.name) != &stored->table)
            continue;
        const struct catalog_table **place = VEC_PUSH(arena, &out->list);
        if (place != NULL)
            *place = &stored->table;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct catalog_table *const *left = a, *const *right = b;
    return str_compare(name_str((*left)->name), name_str((*right)->name));
}

bool catalog_each_table(const struct catalog *catalog, bool (*visit)(void *context, const struct catalog_table *table),
                        void *context)
{
    struct arena arena;
    arena_init(&arena, 0, &catalog->arena.source);
    struct table_list tables = {0};
    for (const struct catalog *layer = catalog; layer != NULL; layer = layer->base)
        list_layer(catalog, layer, &arena, &tables);
    if (tables.list.count > 1)
        qsort(tables.list.items, tables.list.count, sizeof *tables.list.items, by_name);
    bool complete = !arena.failed;
    for (uint32_t i = 0; complete && i < tables.list.count; i++)
        complete = visit(context, tables.list.items[i]);
    arena_release(&arena);
    return complete;
}
