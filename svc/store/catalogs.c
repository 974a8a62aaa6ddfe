/*
 * Catalogs of one file are numbered in the order in which they are loaded, whatever their times: so a dataset that stays as it is has one range of numbers,
 * and what a range says never changes. Definitions follow from the ranges: at once where a catalog is the newest, else by reading all of them.
 */
#include "store/catalogs.h"

/* One more column of a query: the hash of a text, each database its own. */
#define HASH_OF(text) "\n, hash47(" text ") --sqlite\n, ('x' || substr(md5(" text "), 1, 12))::bit(48)::bigint --postgres\n"

enum { NUMBERS_OF_A_FILE = 32 /* bits */ };

struct said {
    struct idents *idents;
    const struct definition *definition;
    int64_t dataset, number, statement; /* its hash */
};

/* ---- facts ------------------------------------------------------------------------------------------------------ */

static int64_t new_number(struct said *s)
{
    struct db_query *q = db_query(s->idents->db, "select max(number) from catalog_load where source = $1");
    db_bind_text(q, 1, s->definition->source);
    int64_t last = db_step(q) ? db_int(q, 0) : 0;
    db_done(q);
    if (last == 0)
        last = ((db_number(s->idents->db, "select coalesce(max(number), 0) from catalog_load", 0) >> NUMBERS_OF_A_FILE) + 1) << NUMBERS_OF_A_FILE;
    q = db_query(s->idents->db, "insert into catalog_load (number, source, at) values ($1, $2, $3)");
    db_bind_int(q, 1, last + 1);
    db_bind_text(q, 2, s->definition->source);
    db_bind_int(q, 3, s->definition->at);
    return db_run(q) ? last + 1 : 0;
}

/* The number of the catalog, and the hash of what it says. */
static bool find_number(struct said *s)
{
    struct db_query *q = db_query(s->idents->db, "select (select number from catalog_load where source = $1 and at = $2)" HASH_OF("cast($3 as text)"));
    db_bind_text(q, 1, s->definition->source);
    db_bind_int(q, 2, s->definition->at);
    db_bind_text(q, 3, s->definition->statement);
    bool found = db_step(q);
    s->number = found ? db_int(q, 0) : 0;
    s->statement = found ? db_int(q, 1) : 0;
    db_done(q);
    if (found && s->number == 0)
        s->number = new_number(s);
    return s->number > 0;
}

/* Keeps that it says so; false when that was known, or after a failure. */
static bool put_fact(struct said *s)
{
    struct db_query *q = db_query(s->idents->db, "select first, last from catalog_said where dataset = $1 and statement = $2 and first <= $3"
                                                 " order by first desc limit 1");
    db_bind_int(q, 1, s->dataset);
    db_bind_int(q, 2, s->statement);
    db_bind_int(q, 3, s->number);
    bool found = db_step(q);
    int64_t first = found ? db_int(q, 0) : 0, last = found ? db_int(q, 1) : 0;
    db_done(q);
    if (found && last >= s->number)
        return false;
    if (found && last == s->number - 1)
        q = db_query(s->idents->db, "update catalog_said set last = $4 where dataset = $1 and statement = $2 and first = $3");
    else
        q = db_query(s->idents->db, "insert into catalog_said (dataset, statement, first, last) values ($1, $2, $3, $4)");
    db_bind_int(q, 1, s->dataset);
    db_bind_int(q, 2, s->statement);
    db_bind_int(q, 3, found && last == s->number - 1 ? first : s->number);
    db_bind_int(q, 4, s->number);
    return db_run(q);
}

/* ---- definitions ------------------------------------------------------------------------------------------------ */

static bool insert_row(struct said *s, int64_t at, str_t statement)
{
    struct db_query *q = db_query(s->idents->db, "insert into definition (dataset, at, source, form, database, statement, columns, digest)"
                                                 " values ($1, $2, 'catalog', 'json', '', $3, '', '')");
    db_bind_int(q, 1, s->dataset);
    db_bind_int(q, 2, at);
    db_bind_text(q, 3, statement);
    return db_run(q);
}

/* One that is newer than all: it takes the place of the one before where that one is not the first to say so. */
static bool put_newest(struct said *s, int64_t before, bool same, bool twice)
{
    if (!same || !twice)
        return insert_row(s, s->definition->at, s->definition->statement);
    struct db_query *q = db_query(s->idents->db, "update definition set at = $3 where dataset = $1 and source = 'catalog' and at = $2");
    db_bind_int(q, 1, s->dataset);
    db_bind_int(q, 2, before);
    db_bind_int(q, 3, s->definition->at);
    return db_run(q);
}

struct moment {
    int64_t at, statement;
};

struct text {
    int64_t statement;
    str_t text;
};

struct all {
    struct arena arena;
    VEC(struct moment) moments;
    VEC(struct text) texts;
};

static void add_text(struct all *all, int64_t statement, str_t text)
{
    struct text *added = VEC_PUSH(&all->arena, &all->texts);
    if (added != NULL)
        *added = (struct text){statement, arena_copy(&all->arena, text)};
}

/* Of every statement that counts at some time a definition is there, or it is the one that came. */
static void read_texts(struct said *s, struct all *all)
{
    add_text(all, s->statement, s->definition->statement);
    struct db_query *q = db_query(s->idents->db, "select statement" HASH_OF("statement") "from definition where dataset = $1 and source = 'catalog'");
    db_bind_int(q, 1, s->dataset);
    while (db_step(q))
        add_text(all, db_int(q, 1), db_text(q, 0));
    db_done(q);
}

static str_t text_by_hash(const struct all *all, int64_t statement)
{
    for (uint32_t i = 0; i < all->texts.count; i++)
        if (all->texts.items[i].statement == statement)
            return all->texts.items[i].text;
    return STR("");
}

/*
 * Of two files of one time the greater text counts. A text that is not there any more lost against a greater one, whose time is the same.
 */
static bool counts(const struct all *all, int64_t statement, int64_t other)
{
    return str_compare(text_by_hash(all, statement), text_by_hash(all, other)) > 0;
}

/* What was said at each time; after the texts. */
static void read_moments(struct said *s, struct all *all)
{
    struct db_query *q = db_query(s->idents->db, "select l.at, c.statement from catalog_said c join catalog_load l on l.number between c.first and c.last"
                                                 " where c.dataset = $1 order by l.at");
    db_bind_int(q, 1, s->dataset);
    while (db_step(q)) {
        const struct moment moment = {db_int(q, 0), db_int(q, 1)};
        uint32_t count = all->moments.count;
        struct moment *last = count > 0 && all->moments.items[count - 1].at == moment.at ? &all->moments.items[count - 1] : NULL;
        struct moment *added = last == NULL ? VEC_PUSH(&all->arena, &all->moments) : counts(all, moment.statement, last->statement) ? last : NULL;
        if (added != NULL)
            *added = moment;
    }
    db_done(q);
}

/* The first and the last of those that say the same. */
static bool is_end(const struct all *all, uint32_t i)
{
    const struct moment *m = all->moments.items + i;
    return i == 0 || i + 1 == all->moments.count || m[-1].statement != m->statement || m[1].statement != m->statement;
}

/* All of them anew. */
static bool put_all(struct said *s)
{
    struct all all = {.moments = {0}};
    arena_init(&all.arena, 0, NULL);
    read_texts(s, &all);
    read_moments(s, &all);
    struct db_query *q = db_query(s->idents->db, "delete from definition where dataset = $1 and source = 'catalog'");
    db_bind_int(q, 1, s->dataset);
    bool good = db_run(q);
    for (uint32_t i = 0; i < all.moments.count && good; i++)
        good = !is_end(&all, i) || insert_row(s, all.moments.items[i].at, text_by_hash(&all, all.moments.items[i].statement));
    good = good && !all.arena.failed;
    arena_release(&all.arena);
    return good;
}

static bool put_definition(struct said *s)
{
    int64_t times[2] = {0, 0};
    bool same[2] = {false, false};
    struct db_query *q = db_query(s->idents->db, "select at, case when statement = $2 then 1 else 0 end from definition where dataset = $1 and source = 'catalog'"
                                                 " order by at desc limit 2");
    db_bind_int(q, 1, s->dataset);
    db_bind_text(q, 2, s->definition->statement);
    int count = 0;
    for (; count < 2 && db_step(q); count++) {
        times[count] = db_int(q, 0);
        same[count] = db_int(q, 1) != 0;
    }
    db_done(q);
    if (count > 0 && s->definition->at <= times[0])
        return put_all(s);
    return put_newest(s, times[0], same[0], same[1]);
}

int64_t catalog_put(struct idents *idents, const struct definition *d, bool *changed)
{
    const struct dataset_key key = {.space = space_id(idents, d->name_space), .name = d->dataset};
    struct said s = {.idents = idents, .definition = d, .dataset = key.space > 0 ? dataset_id(idents, &key) : 0};
    if (s.dataset == 0 || !find_number(&s))
        return 0;
    *changed = put_fact(&s);
    bool good = !*changed || put_definition(&s);
    return good && !db_failed(idents->db) ? s.dataset : 0;
}
