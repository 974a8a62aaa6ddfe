/* When tables were written, and materialized views built: the session's memory of it, by a clock that counts what happens. */
#include "catalog/layer.h"

static struct stored_writes *writes_of(struct catalog *catalog, struct name name)
{
    struct stored_writes *known = name_map_get(&catalog->writes, name);
    if (known != NULL)
        return known;
    struct stored_writes *writes = ARENA_NEW(&catalog->arena, struct stored_writes);
    struct name kept = name_of(arena_copy(&catalog->arena, name_str(name)));
    void **place = writes == NULL || kept.len != name.len ? NULL : name_map_place(&catalog->writes, &catalog->arena, kept);
    if (place == NULL)
        return NULL;
    *place = writes;
    return writes;
}

bool catalog_note_build(struct catalog *catalog, struct name view)
{
    struct stored_writes *writes = writes_of(catalog, view);
    if (writes == NULL)
        return false;
    writes->built = ++catalog->write_clock;
    return true;
}

bool catalog_was_built(const struct catalog *catalog, struct name view)
{
    const struct stored_writes *writes = name_map_get(&catalog->writes, view);
    return writes != NULL && writes->built > 0;
}

bool catalog_note_write(struct catalog *catalog, struct name table, enum catalog_writes kind)
{
    struct stored_writes *writes = catalog->write_clock == 0 || kind == WRITES_NONE ? NULL : writes_of(catalog, table);
    if (writes == NULL)
        return catalog->write_clock == 0 || kind == WRITES_NONE;
    uint32_t *when = kind == WRITES_ADDED ? &writes->added : &writes->changed;
    *when = ++catalog->write_clock;
    return true;
}

enum catalog_writes catalog_writes_since(const struct catalog *catalog, struct name table, struct name view)
{
    const struct stored_writes *writes = name_map_get(&catalog->writes, table), *built = name_map_get(&catalog->writes, view);
    if (writes == NULL)
        return WRITES_NONE;
    uint32_t since = built == NULL ? 0 : built->built;
    if (writes->changed > since)
        return WRITES_CHANGED;
    return writes->added > since ? WRITES_ADDED : WRITES_NONE;
}
