/*
 * JSON → catalog. Reads what catalog_save writes, and the same shape made by others: a column may be its name alone, a table
 * may give its database apart, unknown members are passed over. A mistake stops the loading with a message and its place.
 * One table is read at a time, so that a large catalog costs no tree of the whole text.
 */
#include "base/json.h"
#include "catalog/ddl.h"
#include "catalog/json_names.h"
#include "catalog/layer.h"
#include "sql/parse.h"

struct loader {
    struct catalog *catalog;
    struct arena *arena; /* scratch: one value's tree, and texts that the catalog copies */
    struct json_cursor cursor;
    const char *message;
    size_t where;
    bool has_tables;
};

static bool fail(struct loader *l, const struct json *at, const char *message)
{
    l->message = message;
    l->where = at->at;
    return false;
}

/* Whether the member is a list; a missing one counts as an empty list. */
static bool member_list(struct loader *l, const struct json *object, str_t key, const struct json **out)
{
    const struct json *list = json_member(object, key);
    *out = list == NULL ? NULL : list->first;
    return list == NULL || list->kind == JSON_ARRAY || fail(l, list, "expected a list");
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static str_t fold(struct loader *l, str_t text)
{
    return name_str(arena_name(l->arena, text));
}

/* {"name", "type", "comment"} or "name" */
static bool read_column(struct loader *l, const struct json *value, struct catalog_column *out)
{
    str_t name = value->kind == JSON_STRING ? value->text : json_member_text(value, STR("name"));
    if (name.len == 0)
        return fail(l, value, "a column needs a name");
    str_t shown = json_member_text(value, STR("shown"));
    *out = (struct catalog_column){.name = arena_name(l->arena, name),
                                   .shown = shown.len > 0 ? shown : name,
                                   .type = fold(l, json_member_text(value, STR("type"))),
                                   .comment = json_member_text(value, STR("comment"))};
    return true;
}

struct column_list {
    VEC(struct catalog_column) list;
};

static bool read_columns(struct loader *l, const struct json *table, str_t key, struct column_list *out)
{
    const struct json *value;
    if (!member_list(l, table, key, &value))
        return false;
    for (; value != NULL; value = value->next) {
        struct catalog_column *place = VEC_PUSH(l->arena, &out->list);
        if (place == NULL || !read_column(l, value, place))
            return false;
    }
    return true;
}

/* The member's place in a list of words, 0 when it is not there. */
static bool read_word(struct loader *l, const struct json *object, str_t key, const str_t *words, size_t count, uint8_t *out)
{
    const struct json *member = json_member(object, key);
    size_t found = member == NULL ? 0 : find_word(words, count, member->text);
    *out = (uint8_t)found;
    return found < count || fail(l, member, "unknown word");
}

static bool read_view(struct loader *l, const struct json *table, struct catalog_table *out)
{
    const struct json *view = json_member(table, STR("view"));
    uint8_t dialect;
    if (!read_word(l, view, STR("dialect"), catalog_dialect_names, 2, &dialect))
        return false;
    str_t database = json_member_text(view, STR("database"));
    out->view_text = json_member_text(view, STR("text"));
    out->view_dialect = (enum dialect)dialect;
    out->view_database = database.len > 0 ? fold(l, database) : out->db;
    return true;
}

/* "name": "db.t", or "database": "db" and "name": "t" */
static bool read_name(struct loader *l, const struct json *value, struct catalog_table *out)
{
    str_t name = json_member_text(value, STR("name"));
    str_t database = json_member_text(value, STR("database"));
    size_t dot = database.len > 0 ? database.len : str_find(name, '.', 0);
    str_t parts[2] = {database, name};
    if (name.len == 0 || (database.len == 0 && dot + 1 >= name.len))
        return fail(l, value, "a table needs a name with its database");
    str_t full = database.len > 0 ? arena_dotted(l->arena, parts, 2) : name;
    str_t shown = json_member_text(value, STR("shown"));
    out->name = arena_name(l->arena, full);
    out->db = str_make(out->name.ptr, out->name.len > dot ? dot : 0);
    out->shown = shown.len > 0 || full.len <= dot ? shown : str_make(full.ptr + dot + 1, full.len - dot - 1);
    return true;
}

static bool read_storage(struct loader *l, const struct json *value, struct catalog_table *out)
{
    return read_word(l, value, STR("kind"), catalog_kind_names, 3, &out->kind)
           && read_word(l, value, STR("storage"), catalog_storage_names, 5, &out->storage);
}

static bool load_table(struct loader *l, const struct json *value)
{
    struct column_list columns = {0};
    struct catalog_table table = {.open = json_member_true(value, STR("open")),
                                  .transactional = json_member_true(value, STR("transactional")),
                                  .comment = json_member_text(value, STR("comment")),
                                  .location = json_member_text(value, STR("location"))};
    if (!read_name(l, value, &table) || !read_storage(l, value, &table)
        || !read_columns(l, value, STR("columns"), &columns))
        return false;
    uint32_t plain = columns.list.count;
    if (!read_columns(l, value, STR("partition_columns"), &columns) || !read_view(l, value, &table))
        return false;
    table.columns = columns.list.items;
    table.column_count = columns.list.count;
    table.partition_count = table.storage == STORAGE_ICEBERG ? 0 : columns.list.count - plain;
    return catalog_put_table(l->catalog, &table);
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

static bool load_database(struct loader *l, const struct json *value)
{
    if (value->kind != JSON_STRING)
        return fail(l, value, "expected a database's name");
    return catalog_put_database(l->catalog, arena_name(l->arena, value->text));
}

/* A macro is kept as the statement that makes it. */
static bool load_macro(struct loader *l, const struct json *value)
{
    struct script_reader reader;
    struct parsed parsed = {0};
    script_reader_init(&reader, value->text, &(struct parse_options){.dialect = DIALECT_HIVE});
    if (!script_reader_next(&reader, l->arena, &parsed) || parsed.stmt == NULL || parsed.stmt->kind != STMT_CREATE_MACRO)
        return fail(l, value, "expected a CREATE TEMPORARY MACRO statement");
    return ddl_apply_macro(&(struct ddl){l->catalog, parsed.stmt, value->text, STR("default"), DIALECT_HIVE});
}

static bool load_list(struct loader *l, bool (*load)(struct loader *l, const struct json *value))
{
    if (!json_enter(&l->cursor, JSON_ARRAY))
        return false;
    while (json_next_item(&l->cursor)) {
        arena_clear(l->arena);
        const struct json *value = json_take(&l->cursor, l->arena);
        if (value == NULL || !load(l, value))
            return false;
    }
    return l->cursor.message == NULL;
}

static bool check_version(struct loader *l, const struct json *version)
{
    if (version == NULL)
        return false;
    return str_eq(version->text, STR("1")) || fail(l, version, "a version of catalogs that this program does not know");
}

static bool load_member(struct loader *l, str_t key)
{
    if (str_eq(key, STR("tables"))) {
        l->has_tables = true;
        return load_list(l, load_table);
    }
    if (str_eq(key, STR("databases")))
        return load_list(l, load_database);
    if (str_eq(key, STR("macros")))
        return load_list(l, load_macro);
    const struct json *value = json_take(&l->cursor, l->arena);
    return str_eq(key, STR("version")) ? check_version(l, value) : value != NULL;
}

static bool load_document(struct loader *l)
{
    static const struct json start = {.at = 0};
    str_t key;
    if (!json_enter(&l->cursor, JSON_OBJECT))
        return fail(l, &start, "no catalog: expected an object with `tables`");
    while (json_next_member(&l->cursor, l->arena, &key))
        if (!load_member(l, key))
            return false;
    if (l->cursor.message != NULL || !json_at_end(&l->cursor))
        return false;
    return l->has_tables || fail(l, &start, "no catalog: expected an object with `tables`");
}

bool catalog_load(struct catalog *catalog, str_t json, str_t *message, size_t *where)
{
    struct arena arena;
    arena_init(&arena, 0, &catalog->arena.source);
    struct loader l = {.catalog = catalog, .arena = &arena, .cursor = {.text = json}};
    bool good = load_document(&l) && !arena.failed;
    if (l.message == NULL) {
        l.message = l.cursor.message;
        l.where = l.cursor.pos;
    }
    if (!good && (l.message == NULL || arena.failed || catalog->arena.failed))
        l.message = "out of memory";
    *message = good ? STR("") : str_make(l.message, strlen(l.message)); /* literals of ours, no input */
    *where = good ? 0 : l.where;
    arena_release(&arena);
    return good;
}
