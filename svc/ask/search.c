/*
 * Rare parts: the index of terms gives all texts that have them, and each text leads to what goes
 * by it. Common parts (most of the store would answer): the hottest datasets are looked at one by
 * one, with what the index gives of exact names and beginnings.
 */
#include "ask/search.h"

#include "ask/id_index.h"
#include "ask/names.h"
#include "store/term.h"

#include <stdlib.h>

enum {
    TERMS_MOST = 500,       /* above, the parts are common */
    OF_ONE_TERM_MOST = 100, /* columns of one name, datasets of one comment */
    HITS_MOST = 10000,
    BATCH = 16,                /* terms that a server is asked for at once */
    OF_ONE_OF_BATCH_MOST = 40, /* then of each term */
    HOT_MOST = 1500,           /* datasets that are looked at one by one, … */
    HOT_PART = 300,            /* … so many at once */
    BEGINNINGS_MOST = 100,
    FIRST_PAGES = 100, /* hits whose order is settled by … */
    FIRST_HITS = 120   /* … so many that are gathered; pages behind them gather all */
};

enum rank { RANK_EXACT, RANK_BEGINNING, RANK_OTHER };

struct candidate {
    int64_t dataset, column; /* column 0: the dataset itself */
    int64_t heat;
    enum rank rank;
    bool in_comment;
};

struct search {
    struct ask *ask;
    const struct ask_search_wish *wish;
    int64_t name_space; /* 0: all */
    struct {
        struct candidate *items;
        uint32_t count, capacity;
    } found;
};

/* ---- taking hits ---------------------------------------------------------------------------- */

static bool begins_with(str_t text, str_t parts)
{
    return text.len >= parts.len && same_folded(text.ptr, parts.ptr, parts.len);
}

static enum rank rank_of(str_t name, str_t parts)
{
    str_t last = last_name(name);
    if (str_eq_fold(name, parts) || str_eq_fold(last, parts))
        return RANK_EXACT;
    return begins_with(name, parts) || begins_with(last, parts) ? RANK_BEGINNING : RANK_OTHER;
}

static void take(struct search *s, struct candidate hit)
{
    struct candidate *place =
        s->found.count < HITS_MOST ? VEC_PUSH(s->ask->arena, &s->found) : NULL;
    if (place != NULL)
        *place = hit;
}

/* Rows: dataset, heat, status, namespace, database, name, then for columns id, status, name. */
static void take_rows(struct search *s, struct db_query *q, bool columns, bool in_comment)
{
    while (db_step(q)) {
        str_t name = db_text(q, columns ? 8 : 5);
        if ((s->name_space != 0 && db_int(q, 3) != s->name_space) ||
            (s->wish->database.len > 0 && !str_eq_fold(db_text(q, 4), s->wish->database)))
            continue;
        if (!s->wish->offline && (str_eq(db_text(q, 2), STR("offline")) ||
                                  (columns && str_eq(db_text(q, 7), STR("offline")))))
            continue;
        take(s, (struct candidate){db_int(q, 0), columns ? db_int(q, 6) : 0, db_int(q, 1),
                                   in_comment ? RANK_OTHER : rank_of(name, s->wish->parts),
                                   in_comment});
    }
}

#define DATASET_MEMBERS "select d.id, d.heat, d.status, d.namespace, d.database, d.name"
#define COLUMN_MEMBERS DATASET_MEMBERS ", c.id, c.status, c.name"
#define DATASETS " dataset d"
#define COLUMNS " col c join dataset d on d.id = c.dataset"

/*
 * What goes by a few terms, so much of each: a server is asked for all of them at once, a file for
 * one after the other. Names have the collation "C" in a server, comments its database's.
 */
#define OF_TERMS(members, from, by, collation, condition)                                \
    members " from" from " where " by " = $1" condition " limit $2 --sqlite\n"           \
            "select x.* from unnest($1::text[]) as t(text) cross join lateral (" members \
            " from" from " where " by " = t.text collate \"" collation "\"" condition    \
            " limit $2) x --postgres"

static void take_batch(struct search *s, const str_t *terms, uint32_t count)
{
    static const struct {
        const char *sql;
        bool column, comment;
    } ways[] = {{OF_TERMS(DATASET_MEMBERS, DATASETS, "d.name", "C", ""), false, false},
                {OF_TERMS(DATASET_MEMBERS, DATASETS, "substr(d.comment, 1, 150)", "default",
                          " and d.comment is not null"),
                 false, true},
                {OF_TERMS(COLUMN_MEMBERS, COLUMNS, "c.name", "C", ""), true, false},
                {OF_TERMS(COLUMN_MEMBERS, COLUMNS, "substr(c.comment, 1, 150)", "default",
                          " and c.comment is not null"),
                 true, true}};
    enum { WAYS = sizeof ways / sizeof ways[0] };
    bool server = db_kind_of(s->ask->db) == DB_POSTGRES;
    struct db_query *queries[WAYS] = {NULL};
    for (size_t i = 0; i < WAYS; i++) {
        if (ways[i].column ? !s->wish->columns : !s->wish->tables)
            continue;
        queries[i] = db_query(s->ask->db, ways[i].sql);
        if (server)
            db_bind_texts(queries[i], 1, terms, count);
        else
            db_bind_text(queries[i], 1, terms[0]);
        db_bind_int(queries[i], 2, server ? OF_ONE_OF_BATCH_MOST : OF_ONE_TERM_MOST);
        db_start(queries[i]);
    }
    for (size_t i = 0; i < WAYS; i++)
        if (queries[i] != NULL)
            take_rows(s, queries[i], ways[i].column, ways[i].comment);
}

/* ---- common parts --------------------------------------------------------------------------- */

static void take_if_it_has(struct search *s, const struct db_query *q)
{
    str_t name = db_text(q, 5), comment = db_text(q, 6);
    bool in_name = term_has(name, s->wish->parts);
    if ((!in_name && !term_has(comment, s->wish->parts)) ||
        (s->name_space != 0 && db_int(q, 3) != s->name_space) ||
        (s->wish->database.len > 0 && !str_eq_fold(db_text(q, 4), s->wish->database)) ||
        (!s->wish->offline && str_eq(db_text(q, 2), STR("offline"))))
        return;
    take(s, (struct candidate){db_int(q, 0), 0, db_int(q, 1),
                               in_name ? rank_of(name, s->wish->parts) : RANK_OTHER, !in_name});
}

/* The next ones along the order of heat, behind the last that was looked at. */
static struct db_query *start_hot(struct search *s, int64_t heat, int64_t id)
{
    struct db_query *q = db_query(
        s->ask->db,
        "select d.id, d.heat, d.status, d.namespace, d.database, d.name, d.comment from dataset d"
        " where (d.heat, d.id) < ($1, $2) order by d.heat desc, d.id desc limit $3");
    db_bind_int(q, 1, heat);
    db_bind_int(q, 2, id);
    db_bind_int(q, 3, HOT_PART);
    db_start(q);
    return q;
}

static void take_hottest(struct search *s, struct db_query *q, uint32_t wanted)
{
    for (uint32_t looked_at = 0; looked_at < HOT_MOST;) {
        uint32_t rows = 0;
        int64_t heat = 0, id = 0;
        while (s->found.count < wanted && db_step(q)) {
            rows++;
            heat = db_int(q, 1);
            id = db_int(q, 0);
            take_if_it_has(s, q);
        }
        db_done(q);
        looked_at += rows;
        if (rows < HOT_PART || s->found.count >= wanted)
            return;
        q = start_hot(s, heat, id);
    }
    db_done(q);
}

/* Names that are the text, or begin with it, wherever they stand in the order of heat. */
static struct db_query *start_beginnings(struct search *s, bool columns)
{
    static const char tables_sql[] = DATASET_MEMBERS
        " from" DATASETS " where d.name >= $1 and d.name < $2 order by d.name limit $3";
    static const char columns_sql[] = COLUMN_MEMBERS
        " from" COLUMNS " where c.name >= $1 and c.name < $2 order by c.name limit $3";
    if (columns ? !s->wish->columns : !s->wish->tables)
        return NULL;
    struct db_query *q = db_query(s->ask->db, columns ? columns_sql : tables_sql);
    str_t from = name_lower(s->ask->arena, s->wish->parts);
    db_bind_text(q, 1, from);
    db_bind_text(q, 2, arena_join(s->ask->arena, from, STR("\xf4\x8f\xbf\xbf")));
    db_bind_int(q, 3, BEGINNINGS_MOST);
    db_start(q);
    return q;
}

static void take_common(struct search *s, uint32_t wanted)
{
    struct db_query *tables = start_beginnings(s, false), *columns = start_beginnings(s, true);
    struct db_query *hot = s->wish->tables ? start_hot(s, INT64_MAX, 0) : NULL;
    if (tables != NULL)
        take_rows(s, tables, false, false);
    if (columns != NULL)
        take_rows(s, columns, true, false);
    if (hot != NULL)
        take_hottest(s, hot, s->found.count + wanted);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static int better(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if ((x->column == 0) != (y->column == 0))
        return x->column == 0 ? -1 : 1;
    if (x->heat != y->heat)
        return x->heat > y->heat ? -1 : 1;
    if (x->dataset != y->dataset)
        return x->dataset < y->dataset ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->in_comment > y->in_comment) - (x->in_comment < y->in_comment);
}

static bool same_thing(const struct candidate *a, const struct candidate *b)
{
    return a->dataset == b->dataset && a->column == b->column;
}

/* Sorted, each thing once: what stands in name and comment counts by its name. */
static void settle(struct search *s)
{
    struct id_index seen = {0};
    uint32_t kept = 0;
    if (s->found.count == 0)
        return;
    qsort(s->found.items, s->found.count, sizeof *s->found.items, better);
    for (uint32_t i = 0; i < s->found.count; i++) {
        bool fresh;
        const struct candidate *c = &s->found.items[i];
        if (kept > 0 && same_thing(c, &s->found.items[kept - 1]))
            continue;
        if (id_index_place(&seen, s->ask->arena, c->column != 0 ? c->column : -c->dataset, 0,
                           &fresh) != NULL &&
            fresh)
            s->found.items[kept++] = *c;
    }
    s->found.count = kept;
}

/* NULL when there are none; `places` tells which hit each is. */
static struct db_query *ask_for_columns(struct search *s, uint32_t from, uint32_t count,
                                        struct id_index *places)
{
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < count; i++) {
        int64_t column = s->found.items[from + i].column;
        bool fresh;
        if (column == 0)
            continue;
        ask_ids_add(&ids, s->ask->arena, column);
        (void)id_index_place(places, s->ask->arena, column, i, &fresh);
    }
    if (ids.count == 0)
        return NULL;
    struct db_query *q =
        db_query(s->ask->db, "select id, name, comment from col where id in ids($1)");
    db_bind_ids(q, 1, ids.items, ids.count);
    db_start(q);
    return q;
}

static void read_columns(struct search *s, struct db_query *q, const struct id_index *places,
                         struct ask_hit *hits)
{
    while (q != NULL && db_step(q)) {
        uint32_t at = id_index_get(places, db_int(q, 0));
        if (at == ID_NONE)
            continue;
        hits[at].column = arena_copy(s->ask->arena, db_text(q, 1));
        hits[at].column_comment = arena_copy(s->ask->arena, db_text(q, 2));
    }
}

static struct ask_hits page_of(struct search *s)
{
    uint32_t from = s->wish->skip < s->found.count ? s->wish->skip : s->found.count;
    uint32_t count =
        s->found.count - from < s->wish->limit ? s->found.count - from : s->wish->limit;
    struct ask_ids ids = {0};
    for (uint32_t i = 0; i < count; i++)
        ask_ids_add(&ids, s->ask->arena, s->found.items[from + i].dataset);
    struct id_index places = {0};
    struct db_query *columns = ask_for_columns(s, from, count, &places);
    struct ask_dataset *datasets = ask_datasets(s->ask, ids.items, ids.count);
    struct ask_hits hits = {.items = ARENA_ARRAY(s->ask->arena, struct ask_hit, count + 1),
                            .more = from + count < s->found.count};
    if (datasets == NULL || hits.items == NULL)
        return hits;
    for (uint32_t i = 0; i < count && i < ids.count; i++) {
        const struct candidate *c = &s->found.items[from + i];
        hits.items[i] = (struct ask_hit){
            .dataset = datasets[i], .is_column = c->column != 0, .in_comment = c->in_comment};
    }
    read_columns(s, columns, &places, hits.items);
    hits.count = count;
    return hits;
}

/* A term, and how good its hits will be. */
struct ranked {
    str_t text;
    enum rank rank;
};

static int better_term(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->text.len != y->text.len)
        return x->text.len < y->text.len ? -1 : 1;
    return str_compare(x->text, y->text);
}

/* The same for all of the first pages, so that each thing stands on one of them. */
static uint32_t enough_of(const struct ask_search_wish *wish)
{
    return wish->skip + wish->limit <= FIRST_PAGES ? FIRST_HITS : HITS_MOST;
}

/* The best terms first, until there is enough. */
static void take_terms(struct search *s, const struct term_list *terms, uint32_t enough)
{
    struct ranked *ranked = ARENA_ARRAY(s->ask->arena, struct ranked, terms->count + 1);
    if (ranked == NULL || terms->count == 0)
        return;
    for (uint32_t i = 0; i < terms->count; i++)
        ranked[i] =
            (struct ranked){terms->items[i].text, rank_of(terms->items[i].text, s->wish->parts)};
    qsort(ranked, terms->count, sizeof *ranked, better_term);
    uint32_t batch = db_kind_of(s->ask->db) == DB_SQLITE ? 1 : BATCH;
    for (uint32_t i = 0; i < terms->count && s->found.count < enough; i += batch) {
        str_t texts[BATCH];
        uint32_t taken = terms->count - i < batch ? terms->count - i : batch;
        for (uint32_t k = 0; k < taken; k++)
            texts[k] = ranked[i + k].text;
        take_batch(s, texts, taken);
    }
}

struct ask_hits ask_search(struct ask *ask, const struct ask_search_wish *wish)
{
    struct search s = {.ask = ask, .wish = wish};
    uint32_t enough = enough_of(wish);
    if (wish->name_space.len > 0 && (s.name_space = ask_namespace(ask, wish->name_space)) == 0)
        return (struct ask_hits){0};
    struct term_list terms = terms_find(ask->db, ask->arena, wish->parts, TERMS_MOST);
    if (terms.common) {
        take_common(&s, enough);
        if (s.found.count < enough)
            terms = terms_some(ask->db, ask->arena, wish->parts, TERMS_MOST);
    }
    take_terms(&s, &terms, enough);
    settle(&s);
    return page_of(&s);
}
