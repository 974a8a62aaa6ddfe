/*
 * Catalog → JSON, sorted by name, so that the same contents give the same bytes and a diff of two files reads well. What has its usual
 * value is left out. docs/catalog.md describes the members.
 */
#include "base/jsonw.h"
#include "catalog/json_names.h"
#include "catalog/layer.h"

#include <stdlib.h>

/* ---- names in order --------------------------------------------------------------------------------------------- */

struct name_list {
    VEC(struct name) list;
};

static int by_name(const void *a, const void *b)
{
    const struct name *left = a, *right = b;
    return str_compare(name_str(*left), name_str(*right));
}

/* The names of one layer's map for which `visible` holds from the top. */
static void collect(const struct catalog *top, const struct name_map *map, struct arena *arena, struct name_list *out,
                    bool (*visible)(const struct catalog *top, struct name name))
{
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (!map->slots[i].used || !visible(top, map->slots[i].name))
            continue;
        struct name *place = VEC_PUSH(arena, &out->list);
        if (place != NULL)
            *place = map->slots[i].name;
    }
}

/* Sorted, each name once: a name may stand in several layers. */
static void sort_unique(struct name_list *names)
{
    uint32_t kept = 0;
    if (names->list.count > 1)
        qsort(names->list.items, names->list.count, sizeof *names->list.items, by_name);
    for (uint32_t i = 0; i < names->list.count; i++)
        if (kept == 0 || !name_eq(names->list.items[kept - 1], names->list.items[i]))
            names->list.items[kept++] = names->list.items[i];
    names->list.count = kept;
}

static bool has_macro(const struct catalog *top, struct name name)
{
    return catalog_find_macro(top, name) != NULL;
}

/* ---- members ---------------------------------------------------------------------------------------------------- */

static void write_text(struct jsonw *w, str_t key, str_t value)
{
    if (value.len > 0)
        jsonw_member(w, key, value);
}

static void write_flag(struct jsonw *w, str_t key, bool value)
{
    if (value) {
        jsonw_key(w, key);
        jsonw_bool(w, true);
    }
}

static void write_column(struct jsonw *w, const struct catalog_column *column)
{
    jsonw_row(w);
    jsonw_object_begin(w);
    jsonw_member(w, STR("name"), name_str(column->name));
    if (!str_eq(column->shown, name_str(column->name)))
        write_text(w, STR("shown"), column->shown);
    write_text(w, STR("type"), column->type);
    write_text(w, STR("comment"), column->comment);
    jsonw_object_end(w);
}

static void write_columns(struct jsonw *w, str_t key, const struct catalog_column *columns, uint32_t count)
{
    jsonw_key(w, key);
    jsonw_array_begin(w);
    for (uint32_t i = 0; i < count; i++)
        write_column(w, &columns[i]);
    jsonw_array_end(w);
}

static void write_view(struct jsonw *w, const struct catalog_table *table)
{
    jsonw_key(w, STR("view"));
    jsonw_object_begin(w);
    jsonw_member(w, STR("text"), table->view_text);
    jsonw_member(w, STR("dialect"), dialect_name(table->view_dialect));
    write_text(w, STR("database"), table->view_database);
    jsonw_object_end(w);
}

static void write_table(struct jsonw *w, const struct catalog_table *table)
{
    uint32_t plain = table->column_count - table->partition_count;
    jsonw_object_begin(w);
    jsonw_member(w, STR("name"), name_str(table->name));
    if (!str_eq(table->shown, table->table))
        write_text(w, STR("shown"), table->shown);
    jsonw_member(w, STR("kind"), table_kind_name((enum table_kind)table->kind));
    if (table->storage != STORAGE_HDFS)
        jsonw_member(w, STR("storage"), table_storage_name((enum table_storage)table->storage));
    write_flag(w, STR("open"), table->open);
    write_flag(w, STR("transactional"), table->transactional);
    write_text(w, STR("comment"), table->comment);
    write_text(w, STR("location"), table->location);
    write_columns(w, STR("columns"), table->columns, plain);
    if (table->partition_count > 0)
        write_columns(w, STR("partition_columns"), table->columns + plain, table->partition_count);
    if (table->view_text.len > 0)
        write_view(w, table);
    jsonw_object_end(w);
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

/* Temporary tables end with their session. */
static bool visit_table(void *context, const struct catalog_table *table)
{
    if (!table->temporary)
        write_table(context, table);
    return true;
}

static void write_databases(struct jsonw *w, const struct catalog *catalog, struct arena *arena)
{
    struct name_list names = {0};
    for (const struct catalog *layer = catalog; layer != NULL; layer = layer->base)
        collect(catalog, &layer->databases, arena, &names, catalog_has_database);
    sort_unique(&names);
    jsonw_key(w, STR("databases"));
    jsonw_row(w);
    jsonw_array_begin(w);
    for (uint32_t i = 0; i < names.list.count; i++)
        jsonw_string(w, name_str(names.list.items[i]));
    jsonw_array_end(w);
}

static void write_macros(struct jsonw *w, const struct catalog *catalog, struct arena *arena)
{
    struct name_list names = {0};
    for (const struct catalog *layer = catalog; layer != NULL; layer = layer->base)
        collect(catalog, &layer->macros, arena, &names, has_macro);
    sort_unique(&names);
    if (names.list.count == 0)
        return;
    jsonw_key(w, STR("macros"));
    jsonw_array_begin(w);
    for (uint32_t i = 0; i < names.list.count; i++)
        jsonw_string(w, catalog_find_macro(catalog, names.list.items[i])->text);
    jsonw_array_end(w);
}

void catalog_save(const struct catalog *catalog, struct buf *out)
{
    struct arena arena;
    struct jsonw w;
    arena_init(&arena, 0, &catalog->arena.source);
    jsonw_init(&w, out, true);
    jsonw_object_begin(&w);
    jsonw_member_number(&w, STR("version"), CATALOG_VERSION);
    write_databases(&w, catalog, &arena);
    jsonw_key(&w, STR("tables"));
    jsonw_array_begin(&w);
    bool complete = catalog_each_table(catalog, visit_table, &w);
    jsonw_array_end(&w);
    write_macros(&w, catalog, &arena);
    jsonw_object_end(&w);
    buf_add_char(out, '\n');
    out->failed = out->failed || !complete || arena.failed;
    arena_release(&arena);
}

void catalog_save_table(const struct catalog_table *table, struct buf *out)
{
    struct jsonw w;
    jsonw_init(&w, out, false);
    jsonw_object_begin(&w);
    jsonw_member_number(&w, STR("version"), CATALOG_VERSION);
    jsonw_key(&w, STR("tables"));
    jsonw_array_begin(&w);
    write_table(&w, table);
    jsonw_array_end(&w);
    jsonw_object_end(&w);
}
