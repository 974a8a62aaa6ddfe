/* Each dataset's DDL runs in a catalog of its own, by the library; what the catalog then says of it is its state. */
#include "store/definitions.h"

#include "base/jsonw.h"
#include "colline.h"
#include "normalize/names.h"
#include "run/hash.h"
#include "store/store.h"

#include <stdio.h>

/* ---- which statements ------------------------------------------------------------------------------------------- */

static bool word_is(str_t sql, uint32_t index, str_t word)
{
    return str_eq_fold(text_word(sql, index), word);
}

bool makes_temporary(str_t sql)
{
    return word_is(sql, 0, STR("create")) && word_is(sql, 1, STR("temporary"));
}

/* The name at a word, with the one behind a dot. */
static str_t name_at(str_t sql, uint32_t at, str_t database, struct arena *arena)
{
    str_t first = text_word(sql, at);
    if (!str_eq(text_word(sql, at + 1), STR(".")))
        return name_canonical(first, database, arena);
    str_t parts[2] = {first, text_word(sql, at + 2)};
    return name_canonical(arena_dotted(arena, parts, 2), database, arena);
}

size_t defined_by(const struct event *event, struct arena *arena, str_t names[2])
{
    str_t sql = event->sql, first = text_word(sql, 0);
    if (event->sql_cut || sql.len == 0 || makes_temporary(sql))
        return 0;
    if (str_eq_fold(first, STR("alter"))) {
        uint32_t at = word_is(sql, 1, STR("materialized")) ? 3 : 2;
        if (!word_is(sql, at - 1, STR("table")) && !word_is(sql, at - 1, STR("view")))
            return 0;
        names[0] = name_at(sql, at, event->database, arena);
        return names[0].len > 0;
    }
    if (!str_eq_fold(first, STR("create")) && !str_eq_fold(first, STR("drop")))
        return 0;
    size_t count = event->output_count == 1 ? 1 : 0; /* a statement that makes or drops one thing */
    if (count == 1)
        names[0] = event->output_tables[0];
    return count;
}

/* A catalog is loaded every day and rarely says anything new: of those that say the same the first and the last are kept. */
static bool thin_out(struct idents *idents, int64_t dataset)
{
    struct db_query *q = db_query(idents->db, "delete from definition where dataset = $1 and source = 'catalog' and at in (select x.at from"
                                              " (select at, statement, lag(statement) over (order by at) as before, lead(statement) over (order by at)"
                                              " as behind from definition where dataset = $1 and source = 'catalog') x"
                                              " where x.statement = x.before and x.statement = x.behind)");
    db_bind_int(q, 1, dataset);
    return db_run(q);
}

int64_t definition_put(struct idents *idents, const struct definition *d)
{
    const struct dataset_key key = {.space = space_id(idents, d->name_space), .name = d->dataset, .kind = STR("table")};
    int64_t dataset = key.space > 0 ? dataset_id(idents, &key) : 0;
    if (dataset == 0)
        return 0;
    bool catalog = str_eq(d->source, STR("catalog"));
    struct db_query *q = db_query(idents->db, catalog ? "delete from definition where dataset = $1 and source = $2 and at = $3"
                                                      : "delete from definition where dataset = $1 and source = $2");
    db_bind_int(q, 1, dataset);
    db_bind_text(q, 2, d->source);
    if (catalog)
        db_bind_int(q, 3, d->at);
    (void)db_run(q);
    q = db_query(idents->db, "insert into definition (dataset, at, source, form, database, statement, columns, digest)"
                             " values ($1, $2, $3, $4, $5, $6, '', '')");
    db_bind_int(q, 1, dataset);
    db_bind_int(q, 2, d->at);
    db_bind_text(q, 3, d->source);
    db_bind_text(q, 4, d->form);
    db_bind_text(q, 5, d->database);
    db_bind_text(q, 6, d->statement);
    return db_run(q) && (!catalog || thin_out(idents, dataset)) ? dataset : 0;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* One definition, with what it comes to. */
struct step {
    str_t source, form, database, statement, columns, digest;
    int64_t at;
    bool changed; /* columns or digest differ from what is stored */
};

struct chain {
    struct idents *idents;
    struct arena arena;
    int64_t dataset;
    str_t name;
    colline_catalog *catalog;
    VEC(struct step) steps;
};

static str_t text_of(colline_text text)
{
    return str_make(text.ptr, text.len);
}

static void read_steps(struct chain *c)
{
    struct db_query *q = db_query(c->idents->db, "select name from dataset where id = $1");
    db_bind_int(q, 1, c->dataset);
    if (db_step(q))
        c->name = arena_copy(&c->arena, db_text(q, 0));
    db_done(q);
    q = db_query(c->idents->db, "select at, source, form, database, statement, columns, digest from definition where dataset = $1 order by at, source");
    db_bind_int(q, 1, c->dataset);
    while (db_step(q)) {
        struct step *s = VEC_PUSH(&c->arena, &c->steps);
        if (s == NULL)
            break;
        s->at = db_int(q, 0);
        s->source = arena_copy(&c->arena, db_text(q, 1));
        s->form = arena_copy(&c->arena, db_text(q, 2));
        s->database = arena_copy(&c->arena, db_text(q, 3));
        s->statement = arena_copy(&c->arena, db_text(q, 4));
        s->columns = arena_copy(&c->arena, db_text(q, 5));
        s->digest = arena_copy(&c->arena, db_text(q, 6));
    }
    db_done(q);
}

static void run_sql(struct chain *c, const struct step *s)
{
    struct buf script;
    buf_init(&script, 0);
    if (s->database.len > 0 && !str_eq(s->database, STR("default"))) {
        BUF_ADD(&script, "use `");
        buf_add(&script, s->database);
        BUF_ADD(&script, "`;\n");
    }
    buf_add(&script, s->statement);
    colline_dialect dialect = str_eq(s->form, STR("impala")) ? COLLINE_IMPALA : COLLINE_HIVE;
    if (!script.failed)
        (void)colline_catalog_add_ddl(c->catalog, script.ptr, script.len, dialect, NULL);
    buf_release(&script);
}

static str_t columns_json(struct chain *c, const colline_table *table)
{
    struct buf text;
    struct jsonw w;
    buf_init(&text, 0);
    jsonw_init(&w, &text, false);
    jsonw_array_begin(&w);
    for (size_t i = 0; i < colline_table_column_count(table); i++) {
        jsonw_object_begin(&w);
        jsonw_member(&w, STR("name"), text_of(colline_table_column_name(table, i)));
        if (colline_table_column_type(table, i).len > 0)
            jsonw_member(&w, STR("type"), text_of(colline_table_column_type(table, i)));
        if (colline_table_column_comment(table, i).len > 0)
            jsonw_member(&w, STR("comment"), text_of(colline_table_column_comment(table, i)));
        if (colline_table_column_is_partition(table, i)) {
            jsonw_key(&w, STR("partition"));
            jsonw_bool(&w, true);
        }
        jsonw_object_end(&w);
    }
    jsonw_array_end(&w);
    str_t copy = arena_copy(&c->arena, buf_str(&text));
    buf_release(&text);
    return copy;
}

static void put_state(struct chain *c, struct step *s, str_t columns)
{
    char digest[17];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)hash64(columns, 0));
    s->changed = !str_eq(columns, s->columns) || !str_eq(str_make(digest, 16), s->digest);
    s->columns = columns;
    s->digest = arena_copy(&c->arena, str_make(digest, 16));
}

/* What a state says of a column; it is offline while `ordinal` is negative. */
static void put_column(struct chain *c, const colline_table *table, size_t i, int64_t ordinal)
{
    int64_t id = column_id(c->idents, c->dataset, text_of(colline_table_column_name(table, i)));
    struct db_query *q = db_query(c->idents->db, "update col set ordinal = $2, type = $3, comment = $4, is_partition = $5, status = $6 where id = $1");
    db_bind_int(q, 1, id);
    if (ordinal >= 0)
        db_bind_int(q, 2, ordinal);
    db_bind_word(q, 3, text_of(colline_table_column_type(table, i)));
    db_bind_word(q, 4, text_of(colline_table_column_comment(table, i)));
    db_bind_int(q, 5, colline_table_column_is_partition(table, i));
    db_bind_text(q, 6, ordinal >= 0 ? STR("online") : STR("offline"));
    (void)db_run(q);
}

/* Columns of a state that may not be the newest: those of the newest are set at the end. One state alone is the newest. */
static void meet_columns(struct chain *c, const colline_table *table)
{
    for (size_t i = 0; c->steps.count > 1 && i < colline_table_column_count(table); i++)
        put_column(c, table, i, -1);
}

static void run_step(struct chain *c, struct step *s)
{
    if (str_eq(s->form, STR("json")))
        (void)colline_catalog_add_json(c->catalog, s->statement.ptr, s->statement.len, NULL);
    else
        run_sql(c, s);
    const colline_table *table = colline_catalog_table(c->catalog, c->name.ptr, c->name.len);
    if (table != NULL && colline_table_column_count(table) > 0) {
        put_state(c, s, columns_json(c, table));
        meet_columns(c, table);
    } else {
        put_state(c, s, word_is(s->statement, 0, STR("drop")) ? STR("[]") : STR(""));
    }
}

static void write_steps(struct chain *c)
{
    for (uint32_t i = 0; i < c->steps.count; i++) {
        const struct step *s = &c->steps.items[i];
        if (!s->changed)
            continue;
        struct db_query *q = db_query(c->idents->db, "update definition set columns = $4, digest = $5 where dataset = $1 and at = $2 and source = $3");
        db_bind_int(q, 1, c->dataset);
        db_bind_int(q, 2, s->at);
        db_bind_text(q, 3, s->source);
        db_bind_text(q, 4, s->columns);
        db_bind_text(q, 5, s->digest);
        (void)db_run(q);
    }
}

/* A state that is known. */
static void write_table(struct chain *c, const colline_table *table)
{
    str_t comment = text_of(colline_table_comment(table));
    struct db_query *q = db_query(c->idents->db, "update dataset set known = 1, kind = $2, comment = $3, location = $4, view_text = $5,"
                                                 " status = case when status = 'unknown' then 'online' else status end where id = $1");
    db_bind_int(q, 1, c->dataset);
    db_bind_text(q, 2, text_of(colline_table_kind(table)));
    db_bind_word(q, 3, comment);
    db_bind_word(q, 4, text_of(colline_table_location(table)));
    db_bind_word(q, 5, text_of(colline_table_view_text(table)));
    (void)db_run(q);
    terms_add(c->idents->terms, comment);
    for (size_t i = 0; i < colline_table_column_count(table); i++) {
        put_column(c, table, i, (int64_t)i);
        terms_add(c->idents->terms, text_of(colline_table_column_comment(table, i)));
    }
}

/* The newest state that is known: of what was dropped the one before, by the statements up to there. */
static void write_newest(struct chain *c)
{
    uint32_t known = c->steps.count;
    while (known > 0 && c->steps.items[known - 1].columns.len <= 2)
        known--;
    if (known == 0)
        return;
    if (known < c->steps.count) {
        colline_catalog_free(c->catalog);
        c->catalog = colline_catalog_new(0);
        for (uint32_t i = 0; i < known; i++)
            run_step(c, &c->steps.items[i]);
    }
    const colline_table *table = colline_catalog_table(c->catalog, c->name.ptr, c->name.len);
    if (table != NULL)
        write_table(c, table);
}

bool definitions_run(struct idents *idents, int64_t dataset)
{
    struct chain c = {.idents = idents, .dataset = dataset, .catalog = colline_catalog_new(0)};
    arena_init(&c.arena, 0, NULL);
    read_steps(&c);
    for (uint32_t i = 0; i < c.steps.count; i++)
        run_step(&c, &c.steps.items[i]);
    write_steps(&c);
    write_newest(&c);
    bool good = c.catalog != NULL && !c.arena.failed && !db_failed(idents->db);
    colline_catalog_free(c.catalog);
    arena_release(&c.arena);
    return good;
}
