/* Opening and closing a store, and the texts in it. */
#include "store/store.h"

#include "store/inner.h"
#include "store/migrate.h"

#include <stdlib.h>

static const struct {
    str_t name;
    enum column_edge_kind kind;
} edge_kinds[] = {
    {STR("identity"), EDGE_IDENTITY},       {STR("transformation"), EDGE_TRANSFORMATION},
    {STR("aggregation"), EDGE_AGGREGATION}, {STR("script"), EDGE_SCRIPT},
    {STR("constant"), EDGE_CONSTANT},       {STR("identity"), EDGE_STAR},
    {STR("join"), EDGE_JOIN},
    {STR("filter"), EDGE_FILTER},           {STR("group_by"), EDGE_GROUP_BY},
    {STR("sort"), EDGE_SORT},               {STR("window"), EDGE_WINDOW},
    {STR("conditional"), EDGE_CONDITIONAL}, {STR("distinct"), EDGE_DISTINCT},
};

enum { EDGE_KIND_COUNT = sizeof edge_kinds / sizeof edge_kinds[0] };

enum column_edge_kind edge_kind_by_name(str_t name)
{
    for (size_t i = 0; i < EDGE_KIND_COUNT; i++)
        if (str_eq(edge_kinds[i].name, name))
            return edge_kinds[i].kind;
    return EDGE_INDIRECT;
}

str_t edge_kind_name(enum column_edge_kind kind)
{
    for (size_t i = 0; i < EDGE_KIND_COUNT; i++)
        if (edge_kinds[i].kind == kind)
            return edge_kinds[i].name;
    return STR("");
}

str_t dataset_kind_name(enum dataset_kind kind)
{
    static const str_t names[KIND_COUNT] = {STR("table"), STR("temporary"), STR("view"), STR("materialized_view")};
    return names[kind];
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* An address without its password. */
static void add_address(struct buf *out, str_t address)
{
    size_t at = str_find(address, '@', 0);
    size_t name = db_is_server(address) ? str_find(address, ':', str_find(address, ':', 0) + 1) : address.len;
    if (at == address.len || name >= at) {
        buf_add(out, address);
        return;
    }
    buf_add(out, str_make(address.ptr, name));
    BUF_ADD(out, ":***");
    buf_add(out, str_make(address.ptr + at, address.len - at));
}

static bool open_db(struct store *store, const struct store_options *options, struct buf *reason)
{
    const struct db_options db_options = {
        .address = options->address,
        .access = options->access,
        .cache_bytes = options->cache_bytes,
        .careless = options->careless,
    };
    store->db = db_open(&db_options, reason);
    if (store->db == NULL)
        return false;
    size_t before = reason->len;
    add_address(reason, options->address);
    BUF_ADD(reason, ": ");
    bool good = options->access == DB_READ ? store_is_current(store->db, reason) : store_migrate(store->db, options->address, reason);
    if (good)
        reason->len = before;
    return good;
}

struct store *store_open(const struct store_options *options, struct buf *reason)
{
    struct store *store = calloc(1, sizeof *store);
    if (store != NULL)
        store->packer = packer_new();
    if (store == NULL || store->packer == NULL) {
        BUF_ADD(reason, "out of memory");
        store_close(store);
        return NULL;
    }
    buf_init(&store->packed, 0);
    if (open_db(store, options, reason))
        return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    db_close(store->db);
    packer_free(store->packer);
    buf_release(&store->packed);
    free(store);
}

struct db *store_db(struct store *store)
{
    return store->db;
}

str_t store_only_namespace(struct store *store, struct arena *arena)
{
    str_t name = STR("");
    struct db_query *q = db_query(store->db, "select name from namespace limit 2");
    if (db_step(q))
        name = arena_copy(arena, db_text(q, 0));
    if (db_step(q))
        name = STR("");
    db_done(q);
    return name;
}

bool store_begin_write(struct db *db)
{
    return db_begin(db) && (db_kind_of(db) == DB_SQLITE || db_script(db, STR("select pg_advisory_xact_lock(7015422532)")));
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* The empty text when it is damaged. */
static str_t unpacked(struct store *store, str_t packed, struct arena *arena)
{
    buf_clear(&store->packed);
    if (!unpack(store->packer, packed, &store->packed))
        return STR("");
    return arena_copy(arena, buf_str(&store->packed));
}

bool store_document(struct store *store, int64_t lineage, struct arena *arena, struct store_sample *sample)
{
    struct db_query *q = db_query(store->db, "select document, sql, query_id, at from lineage_text where lineage = $1");
    db_bind_int(q, 1, lineage);
    bool found = db_step(q);
    if (found) {
        sample->document = unpacked(store, db_blob(q, 0), arena);
        sample->sql = unpacked(store, db_blob(q, 1), arena);
        sample->query_id = arena_copy(arena, db_text(q, 2));
        sample->at = db_int(q, 3);
    }
    db_done(q);
    return found && sample->document.len > 0;
}
