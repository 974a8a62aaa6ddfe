/* Running a dataset may make another one due that was renamed from it, so it goes on until none is. */
#include "store/defining.h"

#include "store/catalogs.h"
#include "store/stars.h"

void defining_init(struct defining *d, struct store *store, struct known *known, struct shares *shares)
{
    *d = (struct defining){.store = store, .idents = known->idents, .known = known, .shares = shares};
}

void defining_release(struct defining *d)
{
    pair_map_release(&d->due);
    pair_map_release(&d->next);
}

void defining_begin(struct defining *d)
{
    pair_map_clear(&d->due);
}

static bool is_due(struct defining *d, int64_t dataset)
{
    return dataset > 0 && pair_map_put(&d->due, (uint64_t)dataset, 0, 1);
}

/* ---- keeping ---------------------------------------------------------------------------------------------------- */

static bool take_back(struct defining *d, str_t query)
{
    struct db_query *q = db_query(d->idents->db, "delete from definition where source = $1 returning dataset");
    bool good = true;
    db_bind_text(q, 1, query);
    while (good && db_step(q))
        good = is_due(d, db_int(q, 0));
    db_done(q);
    return good;
}

bool defining_query(struct defining *d, const struct pending *p, bool found)
{
    struct definition definition = {p->name_space, p->defined, p->query_id, p->engine, p->database, p->sample, p->ended};
    if (found && !take_back(d, p->query_id))
        return false;
    if (p->defined.len == 0)
        return true;
    if (!is_due(d, definition_put(d->idents, &definition)))
        return false;
    definition.dataset = p->renamed;
    definition.form = STR("rename");
    definition.database = p->defined;
    definition.statement = STR("");
    return p->renamed.len == 0 || is_due(d, definition_put(d->idents, &definition));
}

bool defining_catalog(struct defining *d, const struct definition *definition)
{
    bool changed = false;
    int64_t dataset = catalog_put(d->idents, definition, &changed);
    return changed ? is_due(d, dataset) : dataset > 0;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static bool read_stars(struct defining *d, int64_t dataset, struct arena *arena, int64_t **lineages, uint32_t *count)
{
    VEC(int64_t) list = {0};
    struct db_query *q = db_query(d->idents->db, "select distinct s.lineage from star_edge s join lineage l on l.id = s.lineage where s.src = $1 and l.pruned = 0");
    db_bind_int(q, 1, dataset);
    while (db_step(q)) {
        int64_t *lineage = VEC_PUSH(arena, &list);
        if (lineage != NULL)
            *lineage = db_int(q, 0);
    }
    db_done(q);
    *lineages = list.items;
    *count = list.count;
    return !arena->failed;
}

/* Edges as the statement has them, by the sample of it that is kept. */
static bool put_edges(struct defining *d, int64_t lineage, struct arena *arena)
{
    struct store_sample sample;
    struct facts facts;
    struct document_text text = {.statement = STR("")};
    struct db_query *q = db_query(d->idents->db, "select n.name, l.engine from lineage l join namespace n on n.id = l.namespace where l.id = $1");
    db_bind_int(q, 1, lineage);
    if (db_step(q)) {
        text.name_space = arena_copy(arena, db_text(q, 0));
        text.engine = arena_copy(arena, db_text(q, 1));
    }
    db_done(q);
    if (!store_document(d->store, lineage, arena, &sample))
        return !db_failed(d->idents->db);
    text.statement = sample.document;
    text.sql = sample.sql;
    return facts_of_document(&text, arena, &facts) && known_put_edges(d->known, text.name_space, &facts, lineage);
}

/* Stars over a table of which nothing is known any more are open again. */
static bool open_stars(struct defining *d, int64_t dataset)
{
    struct arena arena;
    int64_t *lineages;
    uint32_t count;
    arena_init(&arena, 0, NULL);
    bool good = read_stars(d, dataset, &arena, &lineages, &count);
    for (uint32_t i = 0; i < count && good; i++)
        good = put_edges(d, lineages[i], &arena);
    arena_release(&arena);
    return good;
}

static bool run(struct defining *d, int64_t dataset)
{
    bool unknown = false;
    return definitions_run(d->idents, dataset, &unknown, &d->next) && stars_close(d->idents, dataset) && (!unknown || open_stars(d, dataset)) &&
           shares_define(d->shares, dataset, unknown);
}

bool defining_run(struct defining *d)
{
    bool good = true;
    while (good && d->due.count > 0) {
        uint64_t dataset;
        pair_map_clear(&d->next);
        for (size_t at = 0; good && pair_map_next(&d->due, &at, &dataset);)
            good = run(d, (int64_t)dataset);
        struct pair_map done = d->due;
        d->due = d->next;
        d->next = done;
    }
    return good;
}
