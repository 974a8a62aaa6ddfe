/*
 * Each dataset's definitions run in a catalog of its own, by the library; what the catalog then says of it is its state. Columns are gathered from all states
 * first, and what of them is another than what is stored is written.
 */
#include "store/definitions.h"

#include "base/jsonw.h"
#include "base/name_map.h"
#include "colline.h"
#include "run/hash.h"
#include "store/defined.h"
#include "store/store.h"

#include <stdio.h>

int64_t definition_put(struct idents *idents, const struct definition *d)
{
    const struct dataset_key key = {.space = space_id(idents, d->name_space), .name = d->dataset};
    int64_t dataset = key.space > 0 ? dataset_id(idents, &key) : 0;
    if (dataset == 0)
        return 0;
    struct db_query *q = db_query(idents->db, "delete from definition where dataset = $1 and source = $2");
    db_bind_int(q, 1, dataset);
    db_bind_text(q, 2, d->source);
    (void)db_run(q);
    q = db_query(idents->db, "insert into definition (dataset, at, source, form, database, statement, columns, digest)"
                             " values ($1, $2, $3, $4, $5, $6, '', '')");
    db_bind_int(q, 1, dataset);
    db_bind_int(q, 2, d->at);
    db_bind_text(q, 3, d->source);
    db_bind_text(q, 4, d->form);
    db_bind_text(q, 5, d->database);
    db_bind_text(q, 6, d->statement);
    return db_run(q) ? dataset : 0;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* One definition, with what it comes to. */
struct step {
    str_t source, form, database, statement, columns, digest;
    int64_t at;
    bool changed; /* columns or digest differ from what is stored */
};

/* A column as the last state that has it tells; in the newest state at `ordinal`, else -1. */
struct column {
    str_t name, type, comment;
    int64_t ordinal;
    bool partition, stored;
};

/* The newest state that is known: of what was dropped the one before. */
struct state {
    str_t kind, comment, location, view_text;
    bool known;
};

struct chain {
    struct idents *idents;
    struct arena arena;
    struct pair_map *more;
    int64_t dataset;
    str_t name;
    bool was_known, failed;
    colline_catalog *catalog;
    struct state newest;
    struct name_map by_name; /* → index + 1 of columns */
    VEC(struct step) steps;
    VEC(struct column) columns;
};

static str_t text_of(colline_text text)
{
    return str_make(text.ptr, text.len);
}

static str_t copy_of(struct chain *c, colline_text text)
{
    return arena_copy(&c->arena, text_of(text));
}

static void read_steps(struct chain *c)
{
    struct db_query *q = db_query(c->idents->db, "select name, known from dataset where id = $1");
    db_bind_int(q, 1, c->dataset);
    if (db_step(q)) {
        c->name = arena_copy(&c->arena, db_text(q, 0));
        c->was_known = db_int(q, 1) != 0;
    }
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

static void begin_catalog(struct chain *c)
{
    colline_catalog_free(c->catalog);
    c->catalog = colline_catalog_new(0);
    c->failed |= c->catalog == NULL;
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

/* ---- renaming --------------------------------------------------------------------------------------------------- */

static bool append(void *context, const char *bytes, size_t len)
{
    buf_add(context, str_make(bytes, len));
    return true;
}

/* What the dataset was stands in the catalog under its new name: it goes where the same statement stands with that one. */
static void hand_over(struct chain *c, const struct step *s)
{
    struct buf now;
    int64_t dataset = 0;
    buf_init(&now, 0);
    struct db_query *q = db_query(c->idents->db, "select d.id, d.name, f.statement from definition f join dataset d on d.id = f.dataset"
                                                 " where f.source = $1 and f.form = 'rename' and f.database = $2");
    db_bind_text(q, 1, s->source);
    db_bind_text(q, 2, c->name);
    if (db_step(q)) {
        str_t name = db_text(q, 1);
        (void)colline_catalog_save_table(c->catalog, name.ptr, name.len, append, &now);
        dataset = str_eq(buf_str(&now), db_text(q, 2)) ? 0 : db_int(q, 0);
    }
    db_done(q);
    if (dataset > 0) {
        q = db_query(c->idents->db, "update definition set statement = $3 where dataset = $1 and source = $2");
        db_bind_int(q, 1, dataset);
        db_bind_text(q, 2, s->source);
        db_bind_text(q, 3, buf_str(&now));
        c->failed |= now.failed || !db_run(q) || !pair_map_put(c->more, (uint64_t)dataset, 0, 1);
    }
    buf_release(&now);
    begin_catalog(c);
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

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

static struct column *column_named(struct chain *c, str_t name)
{
    void **place = name_map_place(&c->by_name, &c->arena, name_of(name));
    if (place == NULL)
        return NULL;
    if (*place != NULL)
        return &c->columns.items[(uintptr_t)*place - 1];
    struct column *added = VEC_PUSH(&c->arena, &c->columns);
    if (added == NULL)
        return NULL;
    *added = (struct column){.name = name};
    *place = (void *)(uintptr_t)c->columns.count; /* NOLINT(performance-no-int-to-ptr) */
    return added;
}

/* The state of a table that is known is the newest so far. */
static void meet(struct chain *c, const colline_table *table)
{
    for (uint32_t i = 0; i < c->columns.count; i++)
        c->columns.items[i].ordinal = -1;
    for (size_t i = 0; i < colline_table_column_count(table); i++) {
        struct column *column = column_named(c, copy_of(c, colline_table_column_name(table, i)));
        if (column == NULL)
            return;
        column->type = copy_of(c, colline_table_column_type(table, i));
        column->comment = copy_of(c, colline_table_column_comment(table, i));
        column->partition = colline_table_column_is_partition(table, i);
        column->ordinal = (int64_t)i;
    }
    c->newest = (struct state){copy_of(c, colline_table_kind(table)), copy_of(c, colline_table_comment(table)), copy_of(c, colline_table_location(table)),
                               copy_of(c, colline_table_view_text(table)), true};
}

static void run_step(struct chain *c, struct step *s)
{
    bool renamed_from = str_eq(s->form, STR("rename")), catalog = str_eq(s->form, STR("json"));
    if (renamed_from)
        begin_catalog(c);
    if (renamed_from || catalog)
        (void)colline_catalog_add_json(c->catalog, s->statement.ptr, s->statement.len, NULL);
    else
        run_sql(c, s);
    const colline_table *table = colline_catalog_table(c->catalog, c->name.ptr, c->name.len);
    bool renamed_to = !renamed_from && !catalog && table == NULL && renames(s->statement);
    if (table != NULL && colline_table_column_count(table) > 0) {
        put_state(c, s, columns_json(c, table));
        meet(c, table);
    } else {
        put_state(c, s, renamed_to || (!renamed_from && drops(s->statement)) ? STR("[]") : STR(""));
    }
    if (renamed_to)
        hand_over(c, s);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

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

static void write_column(struct chain *c, int64_t id, const struct column *column)
{
    struct db_query *q = db_query(c->idents->db, "update col set ordinal = $2, type = $3, comment = $4, is_partition = $5, status = $6 where id = $1");
    db_bind_int(q, 1, id);
    if (column->ordinal >= 0)
        db_bind_int(q, 2, column->ordinal);
    db_bind_word(q, 3, column->type);
    db_bind_word(q, 4, column->comment);
    db_bind_int(q, 5, column->partition);
    db_bind_text(q, 6, column->ordinal >= 0 ? STR("online") : STR("offline"));
    (void)db_run(q);
    terms_add(c->idents->terms, column->comment);
}

/* A column that no definition tells of any more is one that only statements name. */
static void unknow_column(struct chain *c, int64_t id)
{
    struct db_query *q = db_query(c->idents->db, "update col set ordinal = null, type = null, comment = null, is_partition = 0, status = 'unknown' where id = $1");
    db_bind_int(q, 1, id);
    (void)db_run(q);
}

struct stored_column {
    int64_t id;
    struct column *column; /* NULL: no definition tells of it */
};

static bool is_as_stored(const struct column *column, const struct db_query *q)
{
    bool there = column->ordinal >= 0 ? !db_is_null(q, 2) && db_int(q, 2) == column->ordinal : db_is_null(q, 2);
    return there && str_eq(db_text(q, 3), column->type) && str_eq(db_text(q, 4), column->comment) && (db_int(q, 5) != 0) == column->partition &&
           str_eq(db_text(q, 6), column->ordinal >= 0 ? STR("online") : STR("offline"));
}

static void write_columns(struct chain *c)
{
    VEC(struct stored_column) others = {0};
    struct db_query *q = db_query(c->idents->db, "select id, name, ordinal, type, comment, is_partition, status from col where id between $1 and $2 order by id");
    db_bind_int(q, 1, col_first(c->dataset));
    db_bind_int(q, 2, col_last(c->dataset));
    while (db_step(q)) {
        uintptr_t place = (uintptr_t)name_map_get(&c->by_name, name_of(db_text(q, 1)));
        struct column *column = place == 0 ? NULL : &c->columns.items[place - 1];
        bool as_stored = column == NULL ? str_eq(db_text(q, 6), STR("unknown")) : is_as_stored(column, q);
        struct stored_column *other = as_stored ? NULL : VEC_PUSH(&c->arena, &others);
        if (column != NULL)
            column->stored = true;
        if (other != NULL)
            *other = (struct stored_column){db_int(q, 0), column};
    }
    db_done(q);
    for (uint32_t i = 0; i < others.count; i++) {
        if (others.items[i].column == NULL)
            unknow_column(c, others.items[i].id);
        else
            write_column(c, others.items[i].id, others.items[i].column);
    }
    for (uint32_t i = 0; i < c->columns.count; i++)
        if (!c->columns.items[i].stored) {
            int64_t id = column_id(c->idents, c->dataset, c->columns.items[i].name);
            if (id > 0)
                write_column(c, id, &c->columns.items[i]);
        }
}

static void write_newest(struct chain *c)
{
    const struct state *s = &c->newest;
    struct db_query *q = db_query(c->idents->db, "update dataset set known = 1, kind = $2, comment = $3, location = $4, view_text = $5,"
                                                 " status = case when status = 'unknown' then 'online' else status end where id = $1");
    db_bind_int(q, 1, c->dataset);
    db_bind_text(q, 2, s->kind);
    db_bind_word(q, 3, s->comment);
    db_bind_word(q, 4, s->location);
    db_bind_word(q, 5, s->view_text);
    (void)db_run(q);
    terms_add(c->idents->terms, s->comment);
}

static void write_unknown(struct chain *c)
{
    struct db_query *q = db_query(c->idents->db, "update dataset set known = 0, comment = null, location = null, view_text = null,"
                                                 " status = case when status = 'online' then 'unknown' else status end where id = $1");
    db_bind_int(q, 1, c->dataset);
    (void)db_run(q);
}

bool definitions_run(struct idents *idents, int64_t dataset, bool *unknown, struct pair_map *more)
{
    struct chain c = {.idents = idents, .dataset = dataset, .more = more};
    arena_init(&c.arena, 0, NULL);
    begin_catalog(&c);
    read_steps(&c);
    for (uint32_t i = 0; i < c.steps.count && !c.failed; i++)
        run_step(&c, &c.steps.items[i]);
    write_steps(&c);
    *unknown = c.was_known && !c.newest.known;
    if (c.newest.known)
        write_newest(&c);
    else if (c.was_known)
        write_unknown(&c);
    if (c.newest.known || c.was_known)
        write_columns(&c);
    bool good = !c.failed && !c.arena.failed && !db_failed(idents->db);
    colline_catalog_free(c.catalog);
    arena_release(&c.arena);
    return good;
}
