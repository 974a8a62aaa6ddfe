/* One row a name; counters in `number` give the identifiers, for only one writer at a time has the lock. */
#include "store/idents.h"

#include "run/hash.h"
#include "store/store.h"

enum {
    REMEMBERED_MAX = 2000000 /* entries of a map: about 70 MB */
};

bool idents_init(struct idents *idents, struct db *db)
{
    *idents = (struct idents){.db = db, .terms = terms_new(db)};
    return idents->terms != NULL;
}

void idents_release(struct idents *idents)
{
    terms_free(idents->terms);
    pair_map_release(&idents->spaces);
    pair_map_release(&idents->accounts);
    pair_map_release(&idents->datasets);
    pair_map_release(&idents->numbers);
    pair_map_release(&idents->columns);
}

void idents_forget(struct idents *idents)
{
    terms_forget(idents->terms);
    pair_map_clear(&idents->spaces);
    pair_map_clear(&idents->accounts);
    pair_map_clear(&idents->datasets);
    pair_map_clear(&idents->numbers);
    pair_map_clear(&idents->columns);
}

/* ---- counters --------------------------------------------------------------------------------------------------- */

static int64_t counter(struct db *db, const char *name)
{
    struct db_query *q = db_query(db, "select value from number where name = $1");
    db_bind_text(q, 1, str_make(name, strlen(name)));
    int64_t value = db_step(q) ? db_int(q, 0) : 1;
    db_done(q);
    return value;
}

static void set_counter(struct db *db, const char *name, int64_t value)
{
    struct db_query *q = db_query(db, "insert into number (name, value) values ($1, $2)"
                                      " on conflict (name) do update set value = excluded.value");
    db_bind_text(q, 1, str_make(name, strlen(name)));
    db_bind_int(q, 2, value);
    (void)db_run(q);
}

bool idents_begin(struct idents *idents, bool *alone)
{
    int64_t turn = counter(idents->db, "turn");
    *alone = turn == idents->turn;
    if (!*alone || idents->datasets.count > REMEMBERED_MAX || idents->columns.count > REMEMBERED_MAX || idents->accounts.count > REMEMBERED_MAX)
        idents_forget(idents);
    idents->turn = turn + 1;
    idents->next_space = counter(idents->db, "next_namespace");
    idents->next_account = counter(idents->db, "next_account");
    idents->next_dataset = counter(idents->db, "next_dataset");
    idents->next_lineage = counter(idents->db, "next_lineage");
    return !db_failed(idents->db);
}

bool idents_end(struct idents *idents)
{
    set_counter(idents->db, "turn", idents->turn);
    set_counter(idents->db, "next_dataset", idents->next_dataset);
    set_counter(idents->db, "next_namespace", idents->next_space);
    set_counter(idents->db, "next_account", idents->next_account);
    set_counter(idents->db, "next_lineage", idents->next_lineage);
    return !db_failed(idents->db);
}

int64_t new_lineage_id(struct idents *idents)
{
    return idents->next_lineage++;
}

/* ---- short lists of names --------------------------------------------------------------------------------------- */

/* A table of (id, name). */
struct name_table {
    const char *find, *add;
};

static int64_t name_id(struct idents *idents, const struct name_table *table, struct pair_map *map, int64_t *next, str_t name)
{
    struct hash128 hash = hash128(name, 0);
    int64_t id = pair_map_get(map, hash.high, hash.low);
    if (id > 0)
        return id;
    struct db_query *q = db_query(idents->db, table->find);
    db_bind_text(q, 1, name);
    id = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    if (id == 0 && !db_failed(idents->db)) {
        id = (*next)++;
        q = db_query(idents->db, table->add);
        db_bind_int(q, 1, id);
        db_bind_text(q, 2, name);
        (void)db_run(q);
    }
    return !db_failed(idents->db) && pair_map_put(map, hash.high, hash.low, id) ? id : 0;
}

int64_t space_id(struct idents *idents, str_t name)
{
    static const struct name_table table = {"select id from namespace where name = $1", "insert into namespace (id, name) values ($1, $2)"};
    return name_id(idents, &table, &idents->spaces, &idents->next_space, name);
}

int64_t account_id(struct idents *idents, str_t name)
{
    static const struct name_table table = {"select id from account where name = $1", "insert into account (id, name) values ($1, $2)"};
    return name.len == 0 ? 0 : name_id(idents, &table, &idents->accounts, &idents->next_account, name);
}

/* ---- datasets --------------------------------------------------------------------------------------------------- */

/* `db` of `db.table`. */
static str_t database_of(str_t name)
{
    size_t dot = str_find(name, '.', 0);
    return dot == name.len ? STR("") : str_make(name.ptr, dot);
}

static int64_t add_dataset(struct idents *idents, const struct dataset_key *key)
{
    int64_t id = idents->next_dataset++;
    struct db_query *q = db_query(idents->db, "insert into dataset (id, namespace, name, database, kind, known, status, heat, heat_users)"
                                             " values ($1, $2, $3, $4, $5, 0, 'unknown', 0, 0)");
    db_bind_int(q, 1, id);
    db_bind_int(q, 2, key->space);
    db_bind_text(q, 3, key->name);
    db_bind_text(q, 4, key->path ? STR("") : database_of(key->name));
    db_bind_text(q, 5, key->path ? STR("path") : STR("table"));
    terms_add(idents->terms, key->name);
    return db_run(q) && pair_map_put(&idents->numbers, (uint64_t)id, 0, 0) ? id : 0;
}

int64_t dataset_id(struct idents *idents, const struct dataset_key *key)
{
    struct hash128 hash = hash128(key->name, (uint64_t)key->space);
    int64_t id = pair_map_get(&idents->datasets, hash.high, hash.low);
    if (id <= 0) {
        struct db_query *q = db_query(idents->db, "select id from dataset where namespace = $1 and name = $2");
        db_bind_int(q, 1, key->space);
        db_bind_text(q, 2, key->name);
        id = db_step(q) ? db_int(q, 0) : 0;
        db_done(q);
        if (id == 0 && !db_failed(idents->db))
            id = add_dataset(idents, key);
        return !db_failed(idents->db) && id > 0 && pair_map_put(&idents->datasets, hash.high, hash.low, id) ? id : 0;
    }
    return id;
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

static bool read_columns(struct idents *idents, int64_t dataset)
{
    int64_t last = col_first(dataset) - 1;
    struct db_query *q = db_query(idents->db, "select id, name from col where id between $1 and $2 order by id");
    db_bind_int(q, 1, col_first(dataset));
    db_bind_int(q, 2, col_last(dataset));
    while (db_step(q)) {
        last = db_int(q, 0);
        if (!pair_map_put(&idents->columns, (uint64_t)dataset, hash64(db_text(q, 1), 0), last))
            return false;
    }
    return !db_failed(idents->db) && pair_map_put(&idents->numbers, (uint64_t)dataset, 0, last + 1 - col_first(dataset));
}

static int64_t add_column(struct idents *idents, int64_t dataset, str_t name, int64_t number)
{
    int64_t id = col_first(dataset) + number;
    struct db_query *q = db_query(idents->db, "insert into col (id, dataset, name, is_partition, status) values ($1, $2, $3, 0, 'unknown')");
    db_bind_int(q, 1, id);
    db_bind_int(q, 2, dataset);
    db_bind_text(q, 3, name);
    if (!str_eq(name, STR("*")))
        terms_add(idents->terms, name);
    bool good = db_run(q) && pair_map_put(&idents->columns, (uint64_t)dataset, hash64(name, 0), id) &&
                pair_map_put(&idents->numbers, (uint64_t)dataset, 0, number + 1);
    return good ? id : 0;
}

int64_t column_id(struct idents *idents, int64_t dataset, str_t name)
{
    if (pair_map_get(&idents->numbers, (uint64_t)dataset, 0) < 0 && !read_columns(idents, dataset))
        return 0;
    int64_t id = pair_map_get(&idents->columns, (uint64_t)dataset, hash64(name, 0));
    if (id > 0)
        return id;
    int64_t number = pair_map_get(&idents->numbers, (uint64_t)dataset, 0);
    return number < STORE_COLUMNS_MAX ? add_column(idents, dataset, name, number) : 0;
}
