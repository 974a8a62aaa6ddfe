/*
 * ALTER TABLE and ALTER VIEW, as far as they change what is known: names and columns. Partition columns stay last. The table
 * is changed in place in the session's own copy, so that a script which adds columns one by one stays linear.
 */
#include "catalog/ddl.h"
#include "catalog/properties.h"

static uint32_t plain_count(const struct catalog_table *table)
{
    return table->column_count - table->partition_count;
}

static bool insert_column(const struct ddl *ddl, struct stored_table *stored, const struct column_def *def, uint32_t ordinal)
{
    struct catalog_column *place = table_insert_column(ddl->catalog, stored, ordinal);
    if (place == NULL)
        return false;
    *place = ddl_column(ddl, def);
    return column_keep(ddl->catalog, place);
}

static void remove_columns(struct stored_table *stored, uint32_t ordinal, uint32_t count)
{
    struct catalog_table *table = &stored->table;
    uint32_t behind = table->column_count - ordinal - count;
    memmove(&table->columns[ordinal], &table->columns[ordinal + count], behind * sizeof *table->columns);
    table->column_count -= count;
}

/* ADD COLUMNS (..): a name that is there already is passed over, as IF NOT EXISTS has it. */
static bool add_columns(const struct ddl *ddl, struct stored_table *stored, const struct alter_stmt *alter)
{
    for (uint32_t i = 0; i < alter->column_count; i++) {
        const struct column_def *def = &alter->columns[i];
        bool known = catalog_find_column(&stored->table, def->name.name) >= 0;
        if (!known && !insert_column(ddl, stored, def, plain_count(&stored->table)))
            return false;
    }
    return table_reindex(ddl->catalog, stored);
}

static bool replace_columns(const struct ddl *ddl, struct stored_table *stored, const struct alter_stmt *alter)
{
    remove_columns(stored, 0, plain_count(&stored->table));
    for (uint32_t i = 0; i < alter->column_count; i++)
        if (!insert_column(ddl, stored, &alter->columns[i], i))
            return false;
    stored->table.open = false;
    return table_reindex(ddl->catalog, stored);
}

/* Where CHANGE .. FIRST | AFTER x moves the column of this ordinal, counted without it. */
static uint32_t changed_place(const struct stored_table *stored, const struct alter_stmt *alter, uint32_t ordinal)
{
    if (alter->first)
        return 0;
    int after = alter->has_after ? catalog_find_column(&stored->table, alter->after.name) : -1;
    if (after < 0)
        return ordinal;
    return (uint32_t)after < ordinal ? (uint32_t)after + 1 : (uint32_t)after;
}

/* CHANGE old new type [FIRST | AFTER x] */
static bool change_column(const struct ddl *ddl, struct stored_table *stored, const struct alter_stmt *alter)
{
    int found = catalog_find_column(&stored->table, alter->column.name);
    if (found < 0 || alter->column_count == 0)
        return true;
    uint32_t ordinal = (uint32_t)found;
    uint32_t place = changed_place(stored, alter, ordinal);
    struct catalog_column before = stored->table.columns[ordinal];
    struct catalog_column after = ddl_column(ddl, &alter->columns[0]);
    if (after.type.len == 0)
        after.type = before.type;
    if (after.comment.len == 0)
        after.comment = before.comment;
    remove_columns(stored, ordinal, 1);
    struct catalog_column *column = table_insert_column(ddl->catalog, stored, place);
    if (column == NULL)
        return false;
    *column = after;
    return column_keep(ddl->catalog, column) && table_reindex(ddl->catalog, stored);
}

static bool drop_column(const struct ddl *ddl, struct stored_table *stored, const struct alter_stmt *alter)
{
    int found = catalog_find_column(&stored->table, alter->column.name);
    if (found < 0)
        return true;
    remove_columns(stored, (uint32_t)found, 1);
    return table_reindex(ddl->catalog, stored);
}

/* RENAME TO: an unqualified new name is one of the current database. */
static bool rename_table(const struct ddl *ddl, struct name name, const struct alter_stmt *alter)
{
    const struct catalog_table *known = catalog_find_table(ddl->catalog, name);
    if (known == NULL || alter->new_name.count == 0)
        return true;
    struct catalog_table renamed = *known;
    const struct ident *last = &alter->new_name.parts[alter->new_name.count - 1];
    renamed.name = ddl_table_name(ddl, &alter->new_name);
    renamed.shown = name_str(last->name);
    renamed.db = str_make(renamed.name.ptr, renamed.name.len > last->name.len ? renamed.name.len - last->name.len - 1 : 0);
    return catalog_drop_table(ddl->catalog, name) && catalog_put_table(ddl->catalog, &renamed);
}

/* Properties and conversions that make an Iceberg table of another: its partition columns become columns like any other. */
static bool becomes_iceberg(const struct ddl *ddl, const struct alter_stmt *alter)
{
    str_t handler = find_property(ddl_scratch(ddl), alter->options, ddl->text, ddl->dialect, STR("storage_handler"));
    return ddl_storage(handler) == STORAGE_ICEBERG || has_clause(alter->options, STR("convert_to"));
}

static bool change_columns(const struct ddl *ddl, struct stored_table *stored, const struct alter_stmt *alter)
{
    if (alter->kind == ALTER_ADD_COLUMNS)
        return add_columns(ddl, stored, alter);
    if (alter->kind == ALTER_REPLACE_COLUMNS)
        return replace_columns(ddl, stored, alter);
    if (alter->kind == ALTER_CHANGE_COLUMN)
        return change_column(ddl, stored, alter);
    if (alter->kind == ALTER_DROP_COLUMN)
        return drop_column(ddl, stored, alter);
    stored->table.storage = STORAGE_ICEBERG;
    stored->table.partition_count = 0;
    return true;
}

static bool changes_table(const struct ddl *ddl, const struct alter_stmt *alter)
{
    switch ((enum alter_kind)alter->kind) {
    case ALTER_ADD_COLUMNS:
    case ALTER_REPLACE_COLUMNS:
    case ALTER_CHANGE_COLUMN:
    case ALTER_DROP_COLUMN:
        return !alter->partition.present; /* with a partition only that partition's own schema changes */
    case ALTER_SET_PROPERTIES:
    case ALTER_OTHER:
        return !alter->partition.present && becomes_iceberg(ddl, alter);
    case ALTER_RENAME:
    case ALTER_RENAME_PARTITION:
    case ALTER_EXCHANGE_PARTITION:
    case ALTER_ADD_PARTITION:
    case ALTER_DROP_PARTITION:
    case ALTER_REBUILD:
        break;
    }
    return false;
}

bool ddl_apply_alter(const struct ddl *ddl, const struct alter_stmt *alter)
{
    struct name name = ddl_table_name(ddl, &alter->name);
    if (alter->kind == ALTER_RENAME && !alter->partition.present)
        return rename_table(ddl, name, alter);
    if (!changes_table(ddl, alter) || catalog_find_table(ddl->catalog, name) == NULL)
        return true;
    struct stored_table *stored = catalog_edit_table(ddl->catalog, name);
    return stored != NULL && change_columns(ddl, stored, alter);
}
