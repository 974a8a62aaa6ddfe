/* The rows of a new lineage are written at once: datasets and columns first, which gives their identifiers, then edges in ascending order. */
#include "store/known.h"

#include "store/stars.h"

#include <stdlib.h>

enum {
    LOOKS_MAX = 100000,
    ENTRIES_MAX = 400000
};

void known_init(struct known *known, struct db *db, struct idents *idents)
{
    *known = (struct known){.db = db, .idents = idents};
}

void known_release(struct known *known)
{
    pair_map_release(&known->looks);
    pair_map_release(&known->keys);
    pair_map_release(&known->entries);
    free(known->items);
    free(known->uses);
}

void known_forget(struct known *known)
{
    pair_map_clear(&known->looks);
    pair_map_clear(&known->keys);
    pair_map_clear(&known->entries);
    known->item_count = known->use_count = 0;
    known->made++;
}

bool known_is_full(const struct known *known)
{
    return known->item_count > ENTRIES_MAX;
}

void known_remember(struct known *known, struct hash128 look, int64_t lineage)
{
    if (known->looks.count >= LOOKS_MAX)
        pair_map_clear(&known->looks); /* those that count come again */
    (void)pair_map_put(&known->looks, look.high, look.low, lineage);
}

/* ---- what is remembered ----------------------------------------------------------------------------------------- */

static bool grow(void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity == 0 ? 256 : *capacity * 2;
    void *larger = realloc(*items, more * size);
    if (larger == NULL)
        return false;
    *items = larger;
    *capacity = more;
    return true;
}

static bool add_use(struct known *known, struct known_use use)
{
    if (!grow((void **)&known->uses, known->use_count, &known->use_capacity, sizeof use))
        return false;
    known->uses[known->use_count++] = use;
    return true;
}

/* The uses are those added since `first`. */
static struct known_lineage *add_entry(struct known *known, struct known_lineage entry, size_t first)
{
    if (!grow((void **)&known->items, known->item_count, &known->item_capacity, sizeof entry))
        return NULL;
    entry.first = (uint32_t)first;
    entry.count = (uint32_t)(known->use_count - first);
    if (!pair_map_put(&known->entries, (uint64_t)entry.id, 0, (int64_t)known->item_count))
        return NULL;
    known->items[known->item_count] = entry;
    return &known->items[known->item_count++];
}

static struct known_lineage *read_entry(struct known *known, int64_t lineage)
{
    size_t first = known->use_count;
    struct known_lineage entry = {.id = lineage};
    struct db_query *q = db_query(known->db, "select l.failed, t.day, t.at, l.pruned, l.runs, l.scripts from lineage l left join lineage_text t on t.lineage = l.id"
                                             " where l.id = $1");
    db_bind_int(q, 1, lineage);
    if (db_step(q)) {
        entry.failed = db_int(q, 0) != 0;
        entry.sample_day = db_int(q, 1);
        entry.sample_at = db_int(q, 2);
        entry.pruned = db_int(q, 3) > 0;
        entry.ran = db_int(q, 4) > 0;
        entry.stands = db_int(q, 5) > 0;
    }
    db_done(q);
    q = db_query(known->db, "select dataset, role, resets, kind from lineage_dataset where lineage = $1 order by role, dataset");
    db_bind_int(q, 1, lineage);
    bool good = true;
    while (good && db_step(q))
        good = add_use(known, (struct known_use){db_int(q, 0), (enum store_role)db_int(q, 1), db_int(q, 2) != 0, (enum dataset_kind)db_int(q, 3)});
    db_done(q);
    return good && !db_failed(known->db) ? add_entry(known, entry, first) : NULL;
}

struct known_lineage *known_find(struct known *known, int64_t lineage)
{
    int64_t index = pair_map_get(&known->entries, (uint64_t)lineage, 0);
    return index >= 0 ? &known->items[index] : read_entry(known, lineage);
}

/* ---- new ones --------------------------------------------------------------------------------------------------- */

struct making {
    struct known *known;
    const struct facts *facts;
    int64_t lineage;
    int64_t *datasets, *columns; /* identifiers by index */
};

static bool find_ids(struct making *m, int64_t space)
{
    const struct facts *f = m->facts;
    bool good = true;
    for (uint32_t i = 0; i < f->datasets.count && good; i++) {
        const struct dataset_key key = {.space = space, .name = f->datasets.items[i].name, .path = f->datasets.items[i].path};
        m->datasets[i] = dataset_id(m->known->idents, &key);
        good = m->datasets[i] > 0;
    }
    for (uint32_t i = 0; i < f->columns.count && good; i++) {
        m->columns[i] = column_id(m->known->idents, m->datasets[f->columns.items[i].dataset], f->columns.items[i].name);
        good = !db_failed(m->known->db);
    }
    return good;
}

static void put_lineage(const struct making *m, int64_t space)
{
    struct db_query *q = db_query(m->known->db, "insert into lineage (id, key, namespace, engine, fingerprint, operation, failed, uncertain,"
                                                " runs, confirmed, scripts, pruned) values ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0)");
    db_bind_int(q, 1, m->lineage);
    db_bind_text(q, 2, str_make(m->facts->key, 32));
    db_bind_int(q, 3, space);
    db_bind_text(q, 4, m->facts->engine);
    db_bind_text(q, 5, m->facts->fingerprint);
    db_bind_text(q, 6, m->facts->operation);
    db_bind_int(q, 7, m->facts->failed);
    db_bind_text(q, 8, m->facts->uncertain);
    (void)db_run(q);
}

static bool put_roles(const struct making *m)
{
    for (uint32_t i = 0; i < m->facts->roles.count; i++) {
        const struct fact_role *role = &m->facts->roles.items[i];
        struct db_query *q = db_query(m->known->db, "insert into lineage_dataset (dataset, role, lineage, mode, resets, kind)"
                                                    " values ($1, $2, $3, $4, $5, $6)");
        db_bind_int(q, 1, m->datasets[role->dataset]);
        db_bind_int(q, 2, role->role);
        db_bind_int(q, 3, m->lineage);
        db_bind_text(q, 4, role->mode);
        db_bind_int(q, 5, role->resets);
        db_bind_int(q, 6, role->kind);
        (void)db_run(q);
        if (!add_use(m->known, (struct known_use){m->datasets[role->dataset], role->role, role->resets, role->kind}))
            return false;
    }
    return true;
}

static void put_table_edges(const struct making *m)
{
    for (uint32_t i = 0; i < m->facts->table_edges.count; i++) {
        const struct fact_table_edge *edge = &m->facts->table_edges.items[i];
        struct db_query *q = db_query(m->known->db, "insert into table_edge (dst, src, lineage, kind, mode) values ($1, $2, $3, $4, $5)"
                                                    " on conflict do nothing");
        db_bind_int(q, 1, m->datasets[edge->dst]);
        db_bind_int(q, 2, m->datasets[edge->src]);
        db_bind_int(q, 3, m->lineage);
        db_bind_int(q, 4, edge->kind);
        db_bind_text(q, 5, edge->mode);
        (void)db_run(q);
    }
}

static void put_column_edges(const struct making *m)
{
    for (uint32_t i = 0; i < m->facts->column_edges.count; i++) {
        const struct fact_column_edge *edge = &m->facts->column_edges.items[i];
        int64_t dst = edge->dst == FACT_NONE ? 0 : m->columns[edge->dst], src = edge->src == FACT_NONE ? 0 : m->columns[edge->src];
        if ((dst == 0 && edge->dst != FACT_NONE) || (src == 0 && edge->src != FACT_NONE))
            continue; /* more columns than a dataset can have */
        struct db_query *q = db_query(m->known->db, "insert into column_edge (dst, src, lineage, kind) values ($1, $2, $3, $4)"
                                                    " on conflict do nothing");
        db_bind_int(q, 1, dst);
        db_bind_int(q, 2, src);
        db_bind_int(q, 3, m->lineage);
        db_bind_int(q, 4, edge->kind);
        (void)db_run(q);
    }
}

static bool put_stars(const struct making *m)
{
    bool good = true;
    for (uint32_t i = 0; i < m->facts->stars.count && good; i++) {
        const struct fact_star *fact = &m->facts->stars.items[i];
        const struct star star = {m->datasets[fact->dst], m->datasets[fact->src], m->lineage, fact->ordinal};
        good = star_put(m->known->idents, &star);
    }
    return good;
}

static bool put_all(struct making *m, int64_t space)
{
    if (!find_ids(m, space))
        return false;
    put_lineage(m, space);
    if (!put_roles(m))
        return false;
    if (!m->facts->failed) {
        put_table_edges(m);
        put_column_edges(m);
        return put_stars(m) && !db_failed(m->known->db);
    }
    return !db_failed(m->known->db);
}

bool known_put_edges(struct known *known, str_t name_space, const struct facts *facts, int64_t lineage)
{
    struct making m = {.known = known, .facts = facts, .lineage = lineage};
    m.datasets = calloc((size_t)facts->datasets.count + 1, sizeof *m.datasets);
    m.columns = calloc((size_t)facts->columns.count + 1, sizeof *m.columns);
    bool good = m.datasets != NULL && m.columns != NULL && find_ids(&m, space_id(known->idents, name_space));
    if (good) {
        put_table_edges(&m);
        put_column_edges(&m);
        struct db_query *q = db_query(known->db, "update lineage set pruned = 0 where id = $1");
        db_bind_int(q, 1, lineage);
        good = db_run(q) && put_stars(&m);
    }
    free(m.datasets);
    free(m.columns);
    return good;
}

static int64_t make(struct known *known, str_t name_space, const struct facts *facts)
{
    size_t first = known->use_count;
    struct making m = {.known = known, .facts = facts, .lineage = new_lineage_id(known->idents)};
    m.datasets = calloc((size_t)facts->datasets.count + 1, sizeof *m.datasets);
    m.columns = calloc((size_t)facts->columns.count + 1, sizeof *m.columns);
    bool good = m.datasets != NULL && m.columns != NULL && put_all(&m, space_id(known->idents, name_space));
    free(m.datasets);
    free(m.columns);
    const struct known_lineage entry = {.id = m.lineage, .failed = facts->failed};
    return good && add_entry(known, entry, first) != NULL ? m.lineage : 0;
}

static int64_t with_edges(struct known *known, str_t name_space, const struct facts *facts, int64_t lineage)
{
    struct known_lineage *entry = known_find(known, lineage);
    if (entry == NULL)
        return 0;
    if (!entry->pruned)
        return lineage;
    entry->pruned = false;
    return known_put_edges(known, name_space, facts, lineage) ? lineage : 0;
}

int64_t known_lineage_of(struct known *known, str_t name_space, const struct facts *facts)
{
    struct hash128 key = hash128(str_make(facts->key, 32), 0);
    int64_t id = pair_map_get(&known->keys, key.high, key.low);
    if (id > 0)
        return with_edges(known, name_space, facts, id);
    struct db_query *q = db_query(known->db, "select id from lineage where key = $1");
    db_bind_text(q, 1, str_make(facts->key, 32));
    id = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    if (id == 0 && !db_failed(known->db))
        id = make(known, name_space, facts);
    else if (id > 0)
        id = with_edges(known, name_space, facts, id);
    return !db_failed(known->db) && id > 0 && pair_map_put(&known->keys, key.high, key.low, id) ? id : 0;
}
