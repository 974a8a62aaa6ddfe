/* From names to identifiers, and names that are near to one that is not there. */
#include "ask/ask.h"

#include "ask/names.h"
#include "store/term.h"

#include <stdlib.h>

enum { NEAREST_MOST = 5, NEIGHBOURS = 20, CANDIDATES_MOST = 50, DISTANCE_MOST = 100 };

struct candidate {
    struct ask_name name;
    unsigned distance;
};

struct candidates {
    struct candidate *items;
    uint32_t count, capacity;
};

/* ---- datasets ------------------------------------------------------------------------------- */

/* `NAMESPACE#NAME` → its parts. */
static void split_id(str_t *name_space, str_t *name)
{
    size_t at = str_find(*name, '#', 0);
    if (name_space->len > 0 || at == name->len)
        return;
    *name_space = str_make(name->ptr, at);
    *name = str_make(name->ptr + at + 1, name->len - at - 1);
}

/* A way to read what was asked for. */
struct reading {
    str_t name_space, name; /* name_space empty: any */
};

enum { READINGS_MOST = 3, NAMESPACES_MOST = 20 };

/* As it stands, as an id, and in lower case: the first that is there counts. */
static unsigned readings_of(struct ask *ask, str_t name_space, str_t name, struct reading *readings)
{
    unsigned count = 0;
    str_t whole = name;
    readings[count++] = (struct reading){name_space, whole};
    split_id(&name_space, &name);
    if (name.len != whole.len)
        readings[count++] = (struct reading){name_space, name};
    str_t lower = name_lower(ask->arena, name);
    if (!str_eq(lower, name))
        readings[count++] = (struct reading){name_space, lower};
    return count;
}

struct row {
    int64_t id;
    struct ask_name name;
};

struct rows {
    struct row *items;
    uint32_t count, capacity;
};

static struct rows rows_of(struct ask *ask, const struct reading *readings, unsigned count)
{
    static const char sql[] =
        "select d.id, n.name, d.name from dataset d join namespace n on n.id = d.namespace"
        " where d.name in (select value from json_each($1)) order by n.name --sqlite\n"
        "select d.id, n.name, d.name from dataset d join namespace n on n.id = d.namespace"
        " where d.name = any($1::text[] collate \"C\") order by n.name --postgres";
    struct rows rows = {0};
    str_t names[READINGS_MOST];
    for (unsigned i = 0; i < count; i++)
        names[i] = readings[i].name;
    struct db_query *q = db_query(ask->db, sql);
    db_bind_texts(q, 1, names, count);
    while (db_step(q)) {
        struct row *row = VEC_PUSH(ask->arena, &rows);
        if (row != NULL)
            *row = (struct row){
                db_int(q, 0),
                {arena_copy(ask->arena, db_text(q, 1)), arena_copy(ask->arena, db_text(q, 2))}};
    }
    return rows;
}

/* The one that it means, or all of several. */
static void choose_rows(struct ask *ask, const struct rows *rows, const struct reading *reading,
                        struct ask_found *found)
{
    VEC(struct ask_name) names = {0};
    for (uint32_t i = 0; i < rows->count && names.count < NAMESPACES_MOST; i++) {
        const struct row *row = &rows->items[i];
        if (!str_eq(row->name.name, reading->name) ||
            (reading->name_space.len > 0 && !str_eq(row->name.name_space, reading->name_space)))
            continue;
        struct ask_name *place = VEC_PUSH(ask->arena, &names);
        found->id = row->id;
        if (place != NULL)
            *place = row->name;
    }
    if (reading->name_space.len == 0)
        found->several = names.count;
    if (names.count > 1) {
        found->id = 0;
        found->names = names.items;
        found->name_count = names.count;
    }
}

/* ---- what is near --------------------------------------------------------------------------- */

static unsigned distance(str_t wanted, str_t other)
{
    unsigned whole = name_distance(wanted, other, DISTANCE_MOST);
    unsigned last = name_distance(last_name(wanted), last_name(other), DISTANCE_MOST);
    return last * 2 + 1 < whole ? last * 2 + 1 : whole;
}

static void add_rows(struct ask *ask, struct db_query *q, str_t wanted, struct candidates *found)
{
    while (db_step(q)) {
        struct candidate *place = VEC_PUSH(ask->arena, found);
        if (place == NULL)
            break;
        place->name.name = arena_copy(ask->arena, db_text(q, 0));
        place->name.name_space = arena_copy(ask->arena, db_text(q, 1));
        place->distance = distance(wanted, place->name.name);
    }
    db_done(q);
}

static void add_neighbours(struct ask *ask, str_t wanted, struct candidates *found)
{
    static const char before[] = "select d.name, n.name from dataset d join namespace n on n.id = "
                                 "d.namespace where d.name < $1"
                                 " order by d.name desc limit $2";
    static const char behind[] = "select d.name, n.name from dataset d join namespace n on n.id = "
                                 "d.namespace where d.name > $1"
                                 " order by d.name limit $2";
    const char *const both[] = {before, behind};
    for (size_t i = 0; i < 2; i++) {
        struct db_query *q = db_query(ask->db, both[i]);
        db_bind_text(q, 1, wanted);
        db_bind_int(q, 2, NEIGHBOURS);
        add_rows(ask, q, wanted, found);
    }
}

static void add_terms(struct ask *ask, str_t part, str_t wanted, struct candidates *found)
{
    struct term_list terms = terms_some(ask->db, ask->arena, part, CANDIDATES_MOST);
    for (uint32_t i = 0; i < terms.count; i++) {
        struct db_query *q = db_query(
            ask->db, "select d.name, n.name from dataset d join namespace n on n.id = d.namespace"
                     " where d.name = $1");
        db_bind_text(q, 1, terms.items[i].text);
        add_rows(ask, q, wanted, found);
    }
}

/* Longer words of the table's name one by one: a mistake is in one of them only. */
static void add_by_words(struct ask *ask, str_t wanted, struct candidates *found)
{
    enum { LEAST = 3, WORDS_MOST = 6 };
    str_t table = last_name(wanted);
    size_t at = 0;
    for (unsigned word = 0; word < WORDS_MOST && at < table.len; word++) {
        size_t end = str_find(table, '_', at);
        if (end - at >= LEAST)
            add_terms(ask, str_make(table.ptr + at, end - at), wanted, found);
        at = end + 1;
    }
}

static int nearer(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    int names = str_compare(x->name.name, y->name.name);
    return names != 0 ? names : str_compare(x->name.name_space, y->name.name_space);
}

static struct ask_name *choose(struct ask *ask, struct candidates *found, size_t wanted,
                               uint32_t *count)
{
    VEC(struct ask_name) chosen = {0};
    if (found->count > 0)
        qsort(found->items, found->count, sizeof *found->items, nearer);
    for (uint32_t i = 0; i < found->count && chosen.count < NEAREST_MOST; i++) {
        const struct candidate *c = &found->items[i];
        if (c->distance > 3 + wanted / 3 || (i > 0 && nearer(c, &found->items[i - 1]) == 0))
            continue;
        struct ask_name *place = VEC_PUSH(ask->arena, &chosen);
        if (place != NULL)
            *place = c->name;
    }
    *count = chosen.count;
    return chosen.items;
}

struct ask_found ask_find(struct ask *ask, str_t name_space, str_t name)
{
    struct ask_found found = {0};
    struct candidates candidates = {0};
    struct reading readings[READINGS_MOST];
    unsigned count = readings_of(ask, name_space, name, readings);
    struct rows rows = rows_of(ask, readings, count);
    for (unsigned i = 0; i < count && found.id == 0 && found.several == 0; i++)
        choose_rows(ask, &rows, &readings[i], &found);
    if (found.id != 0 || found.several > 1)
        return found;
    split_id(&name_space, &name);
    str_t lower = name_lower(ask->arena, name);
    add_neighbours(ask, lower, &candidates);
    add_by_words(ask, lower, &candidates);
    found.names = choose(ask, &candidates, name.len, &found.name_count);
    return found;
}

/* ---- columns -------------------------------------------------------------------------------- */

/* Columns of a dataset stand together, so looking through them is cheap; few have thousands. */
int64_t ask_find_column(struct ask *ask, int64_t dataset, str_t name)
{
    struct db_query *q = db_query(ask->db, "select id, name from col where id between $1 and $2");
    int64_t id = 0;
    db_bind_int(q, 1, col_first(dataset));
    db_bind_int(q, 2, col_last(dataset));
    while (id == 0 && db_step(q))
        if (str_eq_fold(db_text(q, 1), name))
            id = db_int(q, 0);
    db_done(q);
    return id;
}

struct ask_name *ask_nearest_columns(struct ask *ask, int64_t dataset, str_t name, uint32_t *count)
{
    struct candidates candidates = {0};
    struct db_query *q = db_query(
        ask->db, "select name from col where id between $1 and $2 and name not in ('', '*')");
    db_bind_int(q, 1, col_first(dataset));
    db_bind_int(q, 2, col_last(dataset));
    while (db_step(q)) {
        struct candidate *place = VEC_PUSH(ask->arena, &candidates);
        if (place == NULL)
            break;
        place->name = (struct ask_name){STR(""), arena_copy(ask->arena, db_text(q, 0))};
        place->distance = name_distance(name, place->name.name, DISTANCE_MOST);
    }
    db_done(q);
    return choose(ask, &candidates, name.len, count);
}
