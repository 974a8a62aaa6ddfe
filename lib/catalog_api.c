/* Catalogs of the public header. */
#include "doc/lines.h"
#include "flow/analyze.h"
#include "handles.h"

#include <stdlib.h>

colline_catalog *colline_catalog_new(size_t memory_limit)
{
    colline_catalog *catalog = calloc(1, sizeof *catalog);
    if (catalog == NULL)
        return NULL;
    catalog->limit = memory_limit;
    arena_init(&catalog->messages, 0, NULL);
    catalog->catalog = catalog_new(NULL, memory_limit, NULL);
    if (catalog->catalog == NULL) {
        free(catalog);
        return NULL;
    }
    return catalog;
}

void colline_catalog_free(colline_catalog *catalog)
{
    if (catalog == NULL)
        return;
    catalog_free(catalog->catalog);
    arena_release(&catalog->messages);
    free(catalog);
}

static void forget_message(colline_catalog *catalog)
{
    arena_clear(&catalog->messages);
    catalog->message = STR("");
}

struct temporaries {
    struct arena *arena;
    VEC(struct name) names;
};

static bool note_temporary(void *context, const struct catalog_table *table)
{
    struct temporaries *found = context;
    struct name *name = table->temporary ? VEC_PUSH(found->arena, &found->names) : NULL;
    if (name != NULL)
        *name = name_of(arena_copy(found->arena, name_str(table->name)));
    return true;
}

/* Temporary tables end with the session that made them. */
static bool drop_temporaries(colline_catalog *catalog)
{
    struct temporaries found = {.arena = &catalog->messages};
    bool done = catalog_each_table(catalog->catalog, note_temporary, &found);
    for (uint32_t i = 0; i < found.names.count; i++)
        done = catalog_drop_table(catalog->catalog, found.names.items[i]) && done;
    return done;
}

/* `3:17: expected FROM, found x` */
static str_t place_and_message(struct arena *arena, str_t text, const struct parse_error *error)
{
    struct line_cursor lines;
    lines_init(&lines, text);
    struct line_column place = lines_find(&lines, error->at);
    struct buf out;
    buf_init(&out, 0);
    buf_add_number(&out, place.line);
    buf_add_char(&out, ':');
    buf_add_number(&out, place.column);
    BUF_ADD(&out, ": ");
    buf_add(&out, error->message);
    str_t message = out.failed ? STR("") : arena_copy(arena, buf_str(&out));
    buf_release(&out);
    return message;
}

/* A script's session that works on the catalog itself instead of on a layer above it. */
static colline_status run_ddl(colline_catalog *catalog, struct analysis *an, str_t text, colline_dialect dialect, size_t *broken)
{
    struct analysis_options options = {.dialect = inner_dialect(dialect)};
    if (!analysis_begin(an, text, &options))
        return COLLINE_NO_MEMORY;
    struct catalog *layer = an->catalog;
    bool memory_out = false;
    an->catalog = catalog->catalog;
    for (const struct doc_statement *st; (st = analysis_next(an)) != NULL;) {
        if (st->error.message.len == 0)
            continue;
        memory_out |= st->error.code == DIAG_TOO_LARGE;
        if ((*broken)++ == 0)
            catalog->message = place_and_message(&catalog->messages, text, &st->error);
    }
    an->catalog = layer;
    return memory_out ? COLLINE_NO_MEMORY : COLLINE_OK;
}

colline_status colline_catalog_add_ddl(colline_catalog *catalog, const char *text, size_t len, colline_dialect dialect, size_t *broken)
{
    if (catalog == NULL || (text == NULL && len > 0) || len >= UINT32_MAX)
        return COLLINE_BAD_ARGUMENT;
    forget_message(catalog);
    size_t count = 0;
    struct analysis an;
    analysis_init(&an, NULL, catalog->limit, NULL);
    colline_status status = run_ddl(catalog, &an, str_make(text == NULL ? "" : text, len), dialect, &count);
    analysis_release(&an);
    if (broken != NULL)
        *broken = count;
    if (!drop_temporaries(catalog) && status == COLLINE_OK)
        status = COLLINE_NO_MEMORY;
    return status;
}

colline_status colline_catalog_add_json(colline_catalog *catalog, const char *text, size_t len, size_t *where)
{
    if (catalog == NULL || text == NULL)
        return COLLINE_BAD_ARGUMENT;
    forget_message(catalog);
    size_t at = 0;
    bool loaded = catalog_load(catalog->catalog, str_make(text, len), &catalog->message, &at);
    if (where != NULL)
        *where = at;
    return loaded ? COLLINE_OK : catalog->message.len == 0 ? COLLINE_NO_MEMORY : COLLINE_BAD_INPUT;
}

colline_text colline_catalog_message(const colline_catalog *catalog)
{
    return catalog == NULL ? (colline_text){"", 0} : outer_text(catalog->message);
}

colline_status colline_catalog_save(const colline_catalog *catalog, colline_write write, void *context)
{
    if (catalog == NULL || write == NULL)
        return COLLINE_BAD_ARGUMENT;
    struct buf out;
    buf_init(&out, 0);
    catalog_save(catalog->catalog, &out);
    colline_status status = COLLINE_NO_MEMORY;
    if (!out.failed)
        status = write(context, out.ptr, out.len) ? COLLINE_OK : COLLINE_STOPPED;
    buf_release(&out);
    return status;
}

colline_status colline_catalog_save_table(const colline_catalog *catalog, const char *name, size_t len, colline_write write,
                                          void *context)
{
    if (catalog == NULL || name == NULL || write == NULL)
        return COLLINE_BAD_ARGUMENT;
    const struct catalog_table *table = catalog_find_table(catalog->catalog, name_of(str_make(name, len)));
    if (table == NULL)
        return COLLINE_BAD_ARGUMENT;
    struct buf out;
    buf_init(&out, 0);
    catalog_save_table(table, &out);
    colline_status status = COLLINE_NO_MEMORY;
    if (!out.failed)
        status = write(context, out.ptr, out.len) ? COLLINE_OK : COLLINE_STOPPED;
    buf_release(&out);
    return status;
}

struct table_visit {
    bool (*visit)(void *context, const colline_table *table);
    void *context;
};

static bool visit_table(void *context, const struct catalog_table *table)
{
    const struct table_visit *outer = context;
    return outer->visit(outer->context, (const colline_table *)table);
}

colline_status colline_catalog_each_table(const colline_catalog *catalog, bool (*visit)(void *context, const colline_table *table),
                                          void *context)
{
    if (catalog == NULL || visit == NULL)
        return COLLINE_BAD_ARGUMENT;
    struct table_visit outer = {visit, context};
    return catalog_each_table(catalog->catalog, visit_table, &outer) ? COLLINE_OK : COLLINE_NO_MEMORY;
}

const colline_table *colline_catalog_table(const colline_catalog *catalog, const char *name, size_t len)
{
    if (catalog == NULL || name == NULL)
        return NULL;
    return (const colline_table *)catalog_find_table(catalog->catalog, name_of(str_make(name, len)));
}

/* ---- tables ---- */

static const struct catalog_table *inner(const colline_table *table)
{
    static const struct catalog_table none;
    return table == NULL ? &none : (const struct catalog_table *)table;
}

static const struct catalog_column *column_at(const colline_table *table, size_t column)
{
    static const struct catalog_column none;
    return column < inner(table)->column_count ? &inner(table)->columns[column] : &none;
}

colline_text colline_table_name(const colline_table *table)
{
    return outer_text(name_str(inner(table)->name));
}

colline_text colline_table_kind(const colline_table *table)
{
    switch (inner(table)->kind) {
    case TABLE_VIEW:
        return outer_text(STR("view"));
    case TABLE_MATERIALIZED_VIEW:
        return outer_text(STR("materialized_view"));
    default:
        return outer_text(STR("table"));
    }
}

colline_text colline_table_comment(const colline_table *table)
{
    return outer_text(inner(table)->comment);
}

colline_text colline_table_location(const colline_table *table)
{
    return outer_text(inner(table)->location);
}

colline_text colline_table_view_text(const colline_table *table)
{
    return outer_text(inner(table)->view_text);
}

size_t colline_table_column_count(const colline_table *table)
{
    return inner(table)->column_count;
}

colline_text colline_table_column_name(const colline_table *table, size_t column)
{
    return outer_text(name_str(column_at(table, column)->name));
}

colline_text colline_table_column_type(const colline_table *table, size_t column)
{
    return outer_text(column_at(table, column)->type);
}

colline_text colline_table_column_comment(const colline_table *table, size_t column)
{
    return outer_text(column_at(table, column)->comment);
}

bool colline_table_column_is_partition(const colline_table *table, size_t column)
{
    const struct catalog_table *t = inner(table);
    return column < t->column_count && column >= t->column_count - t->partition_count;
}
