/* Locations of the catalog first, for they are what the metastore says; then what is a rule of the engines. */
#include "normalize/paths.h"

str_t path_plain(str_t path)
{
    for (size_t at = 0; at + 3 <= path.len && path.ptr[at] != '/'; at++)
        if (memcmp(path.ptr + at, "://", 3) == 0) {
            size_t slash = str_find(path, '/', at + 3);
            path = str_make(path.ptr + slash, path.len - slash);
            break;
        }
    if (str_starts_with(path, STR("file:/")) || str_starts_with(path, STR("hdfs:/"))) /* one slash: no authority */
        path = str_make(path.ptr + 5, path.len - 5);
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return path;
}

static str_t behind(str_t s, size_t at)
{
    return at >= s.len ? str_make(s.ptr + s.len, 0) : str_make(s.ptr + at, s.len - at);
}

/* The part of `rest` that is partitions, one k=v after the other from its beginning: files and ACID directories follow them. */
static str_t leading_spec(str_t rest)
{
    size_t end = 0, at = 0;
    while (at < rest.len) {
        size_t slash = str_find(rest, '/', at), equals = str_find(rest, '=', at);
        if (equals >= slash || equals == at)
            break;
        end = slash;
        at = slash + 1;
    }
    return str_make(rest.ptr, end);
}

/* By the catalog: the longest directory above the path that is a table's. */
static bool by_location(const struct space *space, str_t path, struct path_table *found)
{
    if (space->locations.count == 0)
        return false;
    for (size_t len = path.len; len > 1; len--) {
        if (len < path.len && path.ptr[len] != '/')
            continue;
        const str_t *table = name_map_get(&space->locations, name_of(str_make(path.ptr, len)));
        if (table == NULL)
            continue;
        found->table = *table;
        found->spec = leading_spec(behind(path, len + 1));
        return true;
    }
    return false;
}

/* db ".db/" table [ "/" partitions ] | table [ "/" partitions ], the second only right below the warehouse */
static bool by_rule(str_t below, bool whole, struct arena *arena, struct path_table *found)
{
    size_t slash = str_find(below, '/', 0);
    str_t first = str_make(below.ptr, slash), parts[2] = {STR("default"), first};
    str_t rest = behind(below, slash + 1);
    if (str_ends_with(first, STR(".db")) && first.len > 3) {
        slash = str_find(rest, '/', 0);
        parts[0] = str_make(first.ptr, first.len - 3);
        parts[1] = str_make(rest.ptr, slash);
        rest = behind(rest, slash + 1);
    } else if (!whole) {
        return false;
    }
    if (parts[1].len == 0)
        return false;
    str_t dotted = arena_dotted(arena, parts, 2);
    found->table = name_str(arena_name(arena, dotted));
    found->spec = leading_spec(rest);
    return found->table.len > 0;
}

struct path_table path_to_table(const struct space *space, str_t warehouse, str_t path, struct arena *arena)
{
    struct path_table found = {STR(""), STR("")};
    path = path_plain(path);
    warehouse = path_plain(warehouse);
    if (by_location(space, path, &found))
        return found;
    if (warehouse.len > 1 && str_starts_with(path, warehouse) && path.len > warehouse.len + 1 && path.ptr[warehouse.len] == '/') {
        by_rule(behind(path, warehouse.len + 1), true, arena, &found);
        return found;
    }
    for (size_t at = 0; at < path.len; at = str_find(path, '/', at + 1))
        if (path.ptr[at] == '/' && by_rule(behind(path, at + 1), false, arena, &found))
            break;
    return found;
}

str_t table_to_path(const struct space *space, str_t table)
{
    colline_text location = colline_table_location(colline_catalog_table(space->catalog, table.ptr, table.len));
    return str_make(location.ptr, location.len);
}
