/* Namespaces and their catalogs. */
#include "normalize/spaces.h"

#include "normalize/paths.h"
#include "run/hash.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    READ_BYTES = 65536,
    CHANGES_MAX = 20000 /* after so many, the catalog is written and read anew: what was replaced in it still takes memory */
};

struct spaces {
    struct buf start; /* what was configured, as a saved catalog */
    VEC(struct space *) spaces;
    struct arena arena;
};

static bool append(void *context, const char *bytes, size_t len)
{
    struct buf *out = context;
    buf_add(out, str_make(bytes, len));
    return !out->failed;
}

/* ---- a space ---------------------------------------------------------------------------------------------------- */

static bool open_catalog(struct space *space, str_t json)
{
    space->catalog = colline_catalog_new(0);
    space->value = colline_analyzer_new(space->catalog, 0);
    space->engine = colline_analyzer_new(space->catalog, 0);
    colline_set_reading(space->engine, COLLINE_READING_ENGINE);
    return space->value != NULL && space->engine != NULL &&
           (json.len == 0 || colline_catalog_add_json(space->catalog, json.ptr, json.len, NULL) == COLLINE_OK);
}

static void close_catalog(struct space *space)
{
    colline_analyzer_free(space->value);
    colline_analyzer_free(space->engine);
    colline_catalog_free(space->catalog);
    space->value = space->engine = NULL;
    space->catalog = NULL;
}

static void space_free(struct space *space)
{
    close_catalog(space);
    arena_release(&space->arena);
    free(space);
}

/* A catalog of many changes, without what they replaced. */
static void write_anew(struct space *space)
{
    struct buf saved;
    buf_init(&saved, 0);
    struct space fresh = {0};
    if (colline_catalog_save(space->catalog, append, &saved) == COLLINE_OK && open_catalog(&fresh, buf_str(&saved))) {
        close_catalog(space);
        space->catalog = fresh.catalog;
        space->value = fresh.value;
        space->engine = fresh.engine;
    } else {
        close_catalog(&fresh);
    }
    space->changes = 0;
    buf_release(&saved);
}

static void count_change(struct space *space)
{
    if (++space->changes >= CHANGES_MAX)
        write_anew(space);
}

void space_run(struct space *space, str_t sql, bool hive, str_t database)
{
    struct buf script;
    buf_init(&script, 0);
    if (database.len > 0 && !str_eq(database, STR("default"))) {
        BUF_ADD(&script, "use `");
        buf_add(&script, database);
        BUF_ADD(&script, "`;\n");
    }
    buf_add(&script, sql);
    if (!script.failed)
        (void)colline_catalog_add_ddl(space->catalog, script.ptr, script.len, hive ? COLLINE_HIVE : COLLINE_IMPALA, NULL);
    buf_release(&script);
    count_change(space);
}

bool space_add_json(struct space *space, str_t json)
{
    count_change(space);
    return colline_catalog_add_json(space->catalog, json.ptr, json.len, NULL) == COLLINE_OK;
}

/* `db`.`table` */
static void add_quoted(struct buf *out, str_t table)
{
    size_t dot = str_find(table, '.', 0);
    buf_add_char(out, '`');
    buf_add(out, str_make(table.ptr, dot));
    BUF_ADD(out, "`.`");
    if (dot < table.len)
        buf_add(out, str_make(table.ptr + dot + 1, table.len - dot - 1));
    buf_add_char(out, '`');
}

void space_drop(struct space *space, str_t table)
{
    const colline_table *there = colline_catalog_table(space->catalog, table.ptr, table.len);
    if (there == NULL)
        return;
    colline_text kind = colline_table_kind(there);
    struct buf sql;
    buf_init(&sql, 0);
    if (str_eq(str_make(kind.ptr, kind.len), STR("table")))
        BUF_ADD(&sql, "drop table ");
    else if (str_eq(str_make(kind.ptr, kind.len), STR("view")))
        BUF_ADD(&sql, "drop view ");
    else
        BUF_ADD(&sql, "drop materialized view ");
    add_quoted(&sql, table);
    if (!sql.failed)
        (void)colline_catalog_add_ddl(space->catalog, sql.ptr, sql.len, COLLINE_HIVE, NULL);
    buf_release(&sql);
    count_change(space);
}

static str_t text_of(colline_text text)
{
    return str_make(text.ptr, text.len);
}

uint64_t space_table_digest(const struct space *space, str_t name)
{
    const colline_table *table = colline_catalog_table(space->catalog, name.ptr, name.len);
    if (table == NULL)
        return 0;
    uint64_t digest = hash64(text_of(colline_table_kind(table)), 1);
    digest = hash64(text_of(colline_table_view_text(table)), digest);
    digest = hash64(text_of(colline_table_location(table)), digest);
    for (size_t i = 0; i < colline_table_column_count(table); i++) {
        digest = hash64(text_of(colline_table_column_name(table, i)), digest);
        digest = hash64(text_of(colline_table_column_type(table, i)), digest + colline_table_column_is_partition(table, i));
    }
    return digest == 0 ? 1 : digest;
}

bool space_table_json(const struct space *space, str_t table, struct buf *out)
{
    return colline_catalog_save_table(space->catalog, table.ptr, table.len, append, out) == COLLINE_OK;
}

static bool add_location(void *context, const colline_table *table)
{
    struct space *space = context;
    str_t location = path_plain(text_of(colline_table_location(table)));
    str_t name = text_of(colline_table_name(table));
    if (location.len > 0 && name.len > 0) {
        str_t *kept = ARENA_NEW(&space->arena, str_t);
        void **place = name_map_place(&space->locations, &space->arena, name_of(arena_copy(&space->arena, location)));
        if (kept != NULL && place != NULL) {
            *kept = arena_copy(&space->arena, name);
            *place = kept;
        }
    }
    return true;
}

void space_touch(struct space *space, str_t table)
{
    uint64_t *version = name_map_get(&space->changed, name_of(table));
    space->version++;
    if (version == NULL) {
        void **place = name_map_place(&space->changed, &space->arena, name_of(arena_copy(&space->arena, table)));
        version = place == NULL ? NULL : (*place = ARENA_NEW(&space->arena, uint64_t));
    }
    if (version != NULL)
        *version = space->version;
    const colline_table *there = colline_catalog_table(space->catalog, table.ptr, table.len);
    if (there != NULL)
        add_location(space, there);
}

uint64_t space_table_version(const struct space *space, str_t table)
{
    const uint64_t *version = name_map_get(&space->changed, name_of(table));
    return version == NULL ? 0 : *version;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static bool read_file(const char *path, struct buf *out)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor < 0 ? -1 : 1;
    while (got > 0) {
        got = buf_reserve(out, READ_BYTES) ? read(descriptor, out->ptr + out->len, READ_BYTES) : -1;
        out->len += got > 0 ? (size_t)got : 0;
    }
    if (descriptor >= 0)
        close(descriptor);
    return got == 0;
}

static bool begins_json(str_t text)
{
    str_t s = str_trim(text);
    return s.len > 0 && s.ptr[0] == '{';
}

/* One file into the catalog that all spaces begin with. */
static bool add_file(colline_catalog *start, str_t path, struct buf *reason)
{
    struct buf text, name;
    buf_init(&text, 0);
    buf_init(&name, 0);
    buf_add(&name, path);
    buf_add_char(&name, '\0');
    bool well = !name.failed && read_file(name.ptr, &text);
    if (!well) {
        BUF_ADD(reason, "cannot read the catalog ");
    } else if (begins_json(buf_str(&text))) {
        well = colline_catalog_add_json(start, text.ptr, text.len, NULL) == COLLINE_OK;
        if (!well)
            BUF_ADD(reason, "no saved catalog: ");
    } else {
        bool impala = str_ends_with(path, STR(".impala.sql"));
        well = colline_catalog_add_ddl(start, text.ptr, text.len, impala ? COLLINE_IMPALA : COLLINE_HIVE, NULL) == COLLINE_OK;
    }
    if (!well)
        buf_add(reason, path);
    buf_release(&text);
    buf_release(&name);
    return well;
}

static bool read_start(struct spaces *all, const str_t *paths, size_t count, struct buf *reason)
{
    colline_catalog *start = colline_catalog_new(0);
    bool well = start != NULL;
    for (size_t i = 0; i < count && well; i++)
        well = add_file(start, paths[i], reason);
    well = well && (count == 0 || colline_catalog_save(start, append, &all->start) == COLLINE_OK);
    colline_catalog_free(start);
    return well;
}

struct spaces *spaces_new(const str_t *paths, size_t count, struct buf *reason)
{
    struct spaces *all = calloc(1, sizeof *all);
    if (all != NULL) {
        arena_init(&all->arena, 0, NULL);
        buf_init(&all->start, 0);
        if (read_start(all, paths, count, reason))
            return all;
        spaces_free(all);
    }
    if (reason->len == 0)
        BUF_ADD(reason, "out of memory");
    return NULL;
}

void spaces_free(struct spaces *all)
{
    if (all == NULL)
        return;
    for (uint32_t i = 0; i < all->spaces.count; i++)
        space_free(all->spaces.items[i]);
    arena_release(&all->arena);
    buf_release(&all->start);
    free(all);
}

struct space *spaces_get(struct spaces *all, str_t name)
{
    for (uint32_t i = 0; i < all->spaces.count; i++)
        if (str_eq(all->spaces.items[i]->name, name))
            return all->spaces.items[i];
    struct space *space = calloc(1, sizeof *space);
    if (space == NULL)
        return NULL;
    arena_init(&space->arena, 0, NULL);
    space->name = arena_copy(&all->arena, name);
    space->number = all->spaces.count;
    struct space **place = open_catalog(space, buf_str(&all->start)) ? VEC_PUSH(&all->arena, &all->spaces) : NULL;
    if (place == NULL) {
        space_free(space);
        return NULL;
    }
    colline_catalog_each_table(space->catalog, add_location, space);
    return *place = space;
}
