/*
 * Statements → catalog: CREATE, DROP, databases and macros. ALTER stands in alter.c. Statements that the engine would refuse (a table that
 * exists already) are taken at their word: the script knows better than a catalog that may be old.
 */
#include "catalog/ddl.h"

#include "catalog/avro.h"
#include "catalog/properties.h"
#include "catalog/types.h"
#include "sql/parse.h"

/* ---- columns and names ------------------------------------------------------------------------------------------ */

/* The identifier as written, without its quotes. */
static str_t ident_text(str_t text, const struct ident *ident)
{
    uint32_t quote = ident->quoted ? 1 : 0;
    span_t span = ident->span;
    if (span.end > text.len || span.end < span.start + 2 * quote)
        return name_str(ident->name);
    return str_make(text.ptr + span.start + quote, span.end - span.start - 2 * quote);
}

struct catalog_column ddl_column(const struct ddl *ddl, const struct column_def *def)
{
    return (struct catalog_column){.name = def->name.name,
                                   .shown = ident_text(ddl->text, &def->name),
                                   .type = type_text(ddl_scratch(ddl), def->type),
                                   .comment = def->comment};
}

struct name ddl_table_name(const struct ddl *ddl, const struct qname *written)
{
    return catalog_table_name(ddl_scratch(ddl), written, ddl->database);
}

/* ---- CREATE TABLE ----------------------------------------------------------------------------------------------- */

static bool contains(str_t text, str_t word)
{
    for (size_t at = 0; at + word.len <= text.len; at++)
        if (str_eq_fold(str_make(text.ptr + at, word.len), word))
            return true;
    return false;
}

enum table_storage ddl_storage(str_t stored_as)
{
    if (contains(stored_as, STR("iceberg")))
        return STORAGE_ICEBERG;
    if (contains(stored_as, STR("kudu")))
        return STORAGE_KUDU;
    if (contains(stored_as, STR("hbase")))
        return STORAGE_HBASE;
    bool handler = contains(stored_as, STR(".")) || str_eq_fold(stored_as, STR("jdbc"));
    return handler ? STORAGE_OTHER : STORAGE_HDFS;
}

/* The name behind STORED AS or BY, or where properties stand for it. */
static str_t storage_name(struct arena *arena, const struct create_table *create, str_t text, enum dialect dialect)
{
    str_t name = create->stored_as;
    if (name.len == 0)
        name = find_property(arena, create->options, text, dialect, STR("storage_handler"));
    return name.len > 0 ? name : find_property(arena, create->options, text, dialect, STR("table_type"));
}

void catalog_describe_create(struct arena *arena, const struct create_table *create, str_t text, str_t database,
                             enum dialect dialect, struct catalog_table *out)
{
    *out = (struct catalog_table){.name = catalog_table_name(arena, &create->name, database),
                                  .kind = TABLE_BASE,
                                  .temporary = create->temporary,
                                  .comment = create->comment,
                                  .location = create->location};
    str_t full = name_str(out->name);
    const struct ident *last = create->name.count == 0 ? NULL : &create->name.parts[create->name.count - 1];
    size_t table_len = last == NULL || full.len < last->name.len ? 0 : last->name.len; /* out of memory: no name */
    size_t dot = last != NULL && create->name.count == 1 ? catalog_dot_in_name(name_str(last->name)) : 0;
    if (dot > 0 && table_len > 0)
        table_len -= dot + 1;
    out->table = table_len == 0 ? STR("") : str_make(full.ptr + full.len - table_len, table_len);
    out->db = str_make(full.ptr, full.len > table_len ? full.len - table_len - 1 : 0);
    out->shown = dot > 0 ? out->table : last == NULL ? STR("") : ident_text(text, last);
    out->storage = (uint8_t)ddl_storage(storage_name(arena, create, text, dialect));
    str_t transactional = find_property(arena, create->options, text, dialect, STR("transactional"));
    out->transactional = str_eq_fold(transactional, STR("true")) || has_clause(create->options, STR("transactional"));
}

/* Columns with the partition columns behind them. Iceberg's are columns like any other. */
static bool take_columns(const struct ddl *ddl, const struct create_table *create, struct catalog_table *out)
{
    uint32_t count = create->column_count + create->partition_count;
    out->columns = ARENA_ARRAY(ddl_scratch(ddl), struct catalog_column, count);
    if (out->columns == NULL)
        return count == 0;
    for (uint32_t i = 0; i < create->column_count; i++)
        out->columns[i] = ddl_column(ddl, &create->columns[i]);
    for (uint32_t i = 0; i < create->partition_count; i++)
        out->columns[create->column_count + i] = ddl_column(ddl, &create->partitions[i]);
    out->column_count = count;
    out->partition_count = out->storage == STORAGE_ICEBERG ? 0 : create->partition_count;
    return true;
}

/* Hive's Kafka tables have four columns behind those that are listed: where a message stands in its topic. */
static bool add_kafka_columns(const struct ddl *ddl, const struct create_table *create, struct catalog_table *out)
{
    static const struct column_text {
        str_t name, type;
    } added[] = {{STR("__key"), STR("binary")}, {STR("__partition"), STR("int")}, {STR("__offset"), STR("bigint")}, {STR("__timestamp"), STR("bigint")}};
    enum { COUNT = sizeof added / sizeof *added };
    if (!contains(create->stored_as, STR("kafkastoragehandler")))
        return true;
    struct catalog_column *all = ARENA_ARRAY(ddl_scratch(ddl), struct catalog_column, out->column_count + COUNT);
    if (all == NULL)
        return false;
    if (out->column_count > 0)
        memcpy(all, out->columns, out->column_count * sizeof *all);
    for (uint32_t i = 0; i < COUNT; i++)
        all[out->column_count + i] = (struct catalog_column){.name = name_of(added[i].name), .shown = added[i].name, .type = added[i].type};
    out->columns = all;
    out->column_count += COUNT;
    return true;
}

/* A table whose columns come from its files or its store: Avro's schema may stand in the properties, else they stay open. */
static bool infer_columns(const struct ddl *ddl, const struct create_table *create, struct catalog_table *out)
{
    str_t schema = find_property(ddl_scratch(ddl), create->options, ddl->text, ddl->dialect, STR("avro.schema.literal"));
    struct catalog_column *columns = NULL;
    uint32_t count = avro_columns(ddl_scratch(ddl), schema, &columns);
    if (count == 0) {
        out->open = !create->has_columns;
        return true;
    }
    struct catalog_column *all = ARENA_ARRAY(ddl_scratch(ddl), struct catalog_column, count + out->partition_count);
    if (all == NULL)
        return false;
    memcpy(all, columns, count * sizeof *all);
    if (out->partition_count > 0)
        memcpy(all + count, out->columns + (out->column_count - out->partition_count), out->partition_count * sizeof *all);
    out->columns = all;
    out->column_count = count + out->partition_count;
    return true;
}

/* LIKE: the columns of another table or view, under its own name and storage. */
static void copy_like(const struct ddl *ddl, const struct create_table *create, struct catalog_table *out)
{
    const struct catalog_table *model = catalog_find_table(ddl->catalog, ddl_table_name(ddl, &create->like));
    if (model == NULL) {
        out->open = true;
        return;
    }
    out->columns = model->columns;
    out->column_count = model->column_count;
    out->partition_count = model->partition_count;
    out->open = model->open;
    if (create->stored_as.len == 0) {
        out->storage = model->storage;
        out->transactional = out->transactional || model->transactional;
    }
    if (out->storage == STORAGE_ICEBERG)
        out->partition_count = 0;
}

/* Whether IF NOT EXISTS stops here: a table known only from its use does not count. */
static bool exists_already(const struct ddl *ddl, struct name name)
{
    const struct catalog_table *known = catalog_find_table(ddl->catalog, name);
    return known != NULL && !known->open;
}

static bool apply_create_table(const struct ddl *ddl, const struct create_table *create)
{
    struct catalog_table table;
    catalog_describe_create(ddl_scratch(ddl), create, ddl->text, ddl->database, ddl->dialect, &table);
    if (create->query != NULL || (create->if_not_exists && exists_already(ddl, table.name)))
        return true;
    if (create->like.count > 0)
        copy_like(ddl, create, &table);
    else if (!take_columns(ddl, create, &table) || !infer_columns(ddl, create, &table) || !add_kafka_columns(ddl, create, &table))
        return false;
    if (ddl_scratch(ddl)->failed)
        return false;
    return catalog_put_table(ddl->catalog, &table);
}

/* ---- DROP, databases -------------------------------------------------------------------------------------------- */

/* DROP TABLE of a view is refused by the engines, and the other way round. */
static bool apply_drop_table(const struct ddl *ddl, bool view)
{
    struct name name = ddl_table_name(ddl, &ddl->stmt->u.object->name);
    const struct catalog_table *known = catalog_find_table(ddl->catalog, name);
    if (known == NULL || (known->kind != TABLE_BASE) != view)
        return true;
    return catalog_drop_table(ddl->catalog, name);
}

static struct name database_name(const struct ddl *ddl)
{
    const struct qname *name = &ddl->stmt->u.object->name;
    return name->count == 0 ? NAME("") : name->parts[name->count - 1].name;
}

/* ---- macros ----------------------------------------------------------------------------------------------------- */

/* The tree of the statement dies with it, so the macro keeps a copy of the text and a tree made from that. */
bool ddl_apply_macro(const struct ddl *ddl)
{
    struct arena *arena = &ddl->catalog->arena;
    span_t span = ddl->stmt->span;
    str_t text = arena_copy(arena, str_make(ddl->text.ptr + span.start, span.end - span.start));
    struct script_reader reader;
    script_reader_init(&reader, text, &(struct parse_options){.dialect = ddl->dialect});
    struct parsed parsed = {0};
    if (!script_reader_next(&reader, arena, &parsed) || parsed.stmt == NULL || parsed.stmt->kind != STMT_CREATE_MACRO)
        return !arena->failed;
    const struct create_function *macro = parsed.stmt->u.create_function;
    const struct qname *name = &macro->name;
    return name->count == 0 || catalog_put_macro(ddl->catalog, name->parts[name->count - 1].name, macro, text);
}

static bool apply_drop_macro(const struct ddl *ddl)
{
    struct name name = database_name(ddl);
    return catalog_find_macro(ddl->catalog, name) == NULL || catalog_drop_macro(ddl->catalog, name);
}

/* ---- any statement ---------------------------------------------------------------------------------------------- */

static bool apply_object(const struct ddl *ddl)
{
    if (ddl->stmt->kind == STMT_CREATE_DATABASE)
        return catalog_put_database(ddl->catalog, database_name(ddl));
    if (ddl->stmt->kind == STMT_DROP_DATABASE)
        return catalog_drop_database(ddl->catalog, database_name(ddl));
    if (ddl->stmt->kind == STMT_DROP_MACRO)
        return apply_drop_macro(ddl);
    return apply_drop_table(ddl, ddl->stmt->kind == STMT_DROP_VIEW);
}

bool catalog_apply(struct catalog *catalog, const struct stmt *stmt, str_t text, str_t database, enum dialect dialect)
{
    const struct ddl ddl = {catalog, stmt, text, database, dialect};
    bool done = true;
    if (stmt->kind == STMT_CREATE_TABLE)
        done = apply_create_table(&ddl, stmt->u.create_table);
    else if (stmt->kind == STMT_ALTER_TABLE || stmt->kind == STMT_ALTER_VIEW)
        done = ddl_apply_alter(&ddl, stmt->u.alter);
    else if (stmt->kind == STMT_CREATE_MACRO)
        done = ddl_apply_macro(&ddl);
    else if (stmt->kind == STMT_DROP_TABLE || stmt->kind == STMT_DROP_VIEW || stmt->kind == STMT_CREATE_DATABASE
             || stmt->kind == STMT_DROP_DATABASE || stmt->kind == STMT_DROP_MACRO)
        done = apply_object(&ddl);
    done = done && !catalog->arena.failed && !catalog->scratch.failed;
    arena_clear(&catalog->scratch);
    return done;
}
