/* Tables as JSON, one by one; views bring what they read. */
#include "ask/catalog.h"

#include "ask/words.h"
#include "base/jsonw.h"

enum { KNOWN_MOST = 2000, NAMES_OF_VIEW_MOST = 500 };

/* ---- names ---------------------------------------------------------------------------------- */

static bool has_dot(str_t word)
{
    return str_find(word, '.', 0) < word.len;
}

static void add_name(struct ask_words *names, struct arena *arena, str_t database, str_t word,
                     uint32_t most)
{
    if (names->count >= most)
        return;
    ask_words_add(names, arena,
                  has_dot(word)
                      ? arena_copy(arena, word)
                      : arena_concat(arena, (const str_t[]){database, STR("."), word}, 3));
}

struct ask_words ask_names_in(struct arena *arena, str_t sql, str_t database, uint32_t most)
{
    struct ask_words names = {0};
    struct sql_words words;
    bool use = false;
    str_t current = database.len == 0 ? STR("default") : database;
    sql_words_begin(&words, sql);
    while (sql_words_next(&words)) {
        str_t word = buf_str(&words.word);
        if (use)
            current = arena_copy(arena, word);
        else
            add_name(&names, arena, current, word, most);
        use = str_eq(word, STR("use"));
    }
    sql_words_end(&words);
    return names;
}

/* ---- tables --------------------------------------------------------------------------------- */

static void write_column(struct jsonw *w, const struct db_query *q)
{
    jsonw_object_begin(w);
    jsonw_member(w, STR("name"), db_text(q, 0));
    if (db_text(q, 1).len > 0)
        jsonw_member(w, STR("type"), db_text(q, 1));
    jsonw_object_end(w);
}

static void write_columns(struct ask *ask, struct jsonw *w, int64_t dataset, bool partition)
{
    struct db_query *q = db_query(ask->db, "select name, type from col where id between $1 and $2 "
                                           "and ordinal is not null and is_partition = $3"
                                           " and status <> 'offline' order by ordinal");
    db_bind_int(q, 1, col_first(dataset));
    db_bind_int(q, 2, col_last(dataset));
    db_bind_int(q, 3, partition);
    jsonw_key(w, partition ? STR("partition_columns") : STR("columns"));
    jsonw_array_begin(w);
    while (db_step(q))
        write_column(w, q);
    jsonw_array_end(w);
}

struct description {
    int64_t id;
    str_t name, kind, view_text, database;
};

static str_t json_of(struct ask *ask, const struct description *d)
{
    struct buf text;
    struct jsonw w;
    buf_init(&text, 0);
    jsonw_init(&w, &text, false);
    jsonw_object_begin(&w);
    jsonw_key(&w, STR("tables"));
    jsonw_array_begin(&w);
    jsonw_object_begin(&w);
    jsonw_member(&w, STR("name"), d->name);
    jsonw_member(&w, STR("kind"), d->kind);
    write_columns(ask, &w, d->id, false);
    write_columns(ask, &w, d->id, true);
    if (d->view_text.len > 0) {
        jsonw_key(&w, STR("view"));
        jsonw_object_begin(&w);
        jsonw_member(&w, STR("text"), d->view_text);
        jsonw_object_end(&w);
    }
    jsonw_object_end(&w);
    jsonw_array_end(&w);
    jsonw_object_end(&w);
    str_t json = arena_copy(ask->arena, buf_str(&text));
    buf_release(&text);
    return json;
}

static bool describe(struct ask *ask, int64_t name_space, str_t name, struct description *d)
{
    struct db_query *q = db_query(ask->db, "select id, kind, view_text, database from dataset "
                                           "where namespace = $1 and name = $2 and known = 1"
                                           " and status <> 'offline'");
    db_bind_int(q, 1, name_space);
    db_bind_text(q, 2, name);
    bool found = db_step(q);
    if (found)
        *d = (struct description){db_int(q, 0), name, arena_copy(ask->arena, db_text(q, 1)),
                                  arena_copy(ask->arena, db_text(q, 2)),
                                  arena_copy(ask->arena, db_text(q, 3))};
    db_done(q);
    return found;
}

struct ask_known_list ask_catalog(struct ask *ask, int64_t name_space,
                                  const struct ask_words *names, bool views)
{
    struct ask_known_list list = {0};
    struct ask_words wanted = {0};
    for (uint32_t i = 0; i < names->count; i++)
        ask_words_add(&wanted, ask->arena, names->items[i]);
    for (uint32_t i = 0; i < wanted.count && list.count < KNOWN_MOST; i++) {
        struct description d;
        if (!describe(ask, name_space, wanted.items[i], &d))
            continue;
        if (!views && d.view_text.len > 0) {
            d.view_text = STR("");
            d.kind = STR("table");
        }
        struct ask_known *known = VEC_PUSH(ask->arena, &list);
        if (known != NULL)
            *known = (struct ask_known){d.id, d.name, json_of(ask, &d)};
        struct ask_words inner =
            ask_names_in(ask->arena, d.view_text, d.database, NAMES_OF_VIEW_MOST);
        for (uint32_t k = 0; k < inner.count; k++)
            ask_words_add(&wanted, ask->arena, inner.items[k]);
    }
    return list;
}

/* ---- edges ---------------------------------------------------------------------------------- */

struct ask_pairs ask_edges_into(struct ask *ask, int64_t dataset, uint32_t most)
{
    struct ask_pairs pairs = {0};
    struct db_query *q = db_query(
        ask->db,
        "select distinct d.name, c.name, t.name, k.name from column_edge e join lineage l on l.id "
        "= e.lineage"
        " join col k on k.id = e.dst join dataset t on t.id = k.dataset join col c on c.id = e.src"
        " join dataset d on d.id = c.dataset where e.dst between $1 and $2 and e.kind < 10 and "
        "e.src <> 0"
        " and l.failed = 0 and l.runs + l.scripts > 0"
        " and (l.last_run is null or coalesce(t.last_reset, 0) = 0 or l.last_run >= t.last_reset) "
        "limit $3");
    db_bind_int(q, 1, col_first(dataset));
    db_bind_int(q, 2, col_last(dataset));
    db_bind_int(q, 3, most);
    while (db_step(q)) {
        struct ask_pair *pair = VEC_PUSH(ask->arena, &pairs);
        if (pair == NULL)
            continue;
        str_t source = arena_copy(ask->arena, db_text(q, 0)),
              column = arena_copy(ask->arena, db_text(q, 1));
        pair->source =
            column.len == 0 ? source : arena_dotted(ask->arena, (const str_t[]){source, column}, 2);
        source = arena_copy(ask->arena, db_text(q, 2));
        pair->target = arena_dotted(
            ask->arena, (const str_t[]){source, arena_copy(ask->arena, db_text(q, 3))}, 2);
    }
    return pairs;
}
