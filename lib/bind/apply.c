/*
 * What a statement leaves behind in the session's catalog: new tables with the columns of their query, views with their text.
 * Plain DDL is the catalog's own business.
 */
#include "bind/binder.h"
#include "catalog/properties.h"
#include "catalog/types.h"

static str_t slice(const struct bind_input *in, span_t span)
{
    return span.end <= in->text.len && span.start <= span.end ? str_make(in->text.ptr + span.start, span.end - span.start) : STR("");
}

static struct catalog_column column_of(const struct bind_input *in, const struct target_column *target, const struct type *type)
{
    struct catalog_column column = {.name = name_of(target->name), .shown = target->name};
    column.type = type == NULL ? STR("") : type_text(in->arena, type);
    return column;
}

/* The table that a leg made: its targets are the columns. */
static bool put_leg(const struct bind_input *in, struct catalog_table *table, const struct bound_leg *leg)
{
    table->name = name_of(leg->output.dataset.table);
    size_t dot = str_find(leg->output.dataset.table, '.', 0);
    table->db = str_make(leg->output.dataset.table.ptr, dot);
    table->table = dot < leg->output.dataset.table.len
                       ? str_make(leg->output.dataset.table.ptr + dot + 1, leg->output.dataset.table.len - dot - 1)
                       : table->db;
    if (table->shown.len == 0)
        table->shown = table->table;
    struct catalog_column *columns = ARENA_ARRAY(in->arena, struct catalog_column, leg->targets.count);
    if (columns == NULL)
        return false;
    for (uint32_t i = 0; i < leg->targets.count; i++) {
        const struct target_column *target = &leg->targets.items[i];
        if (target->column != NULL && target->column->flags & COLUMN_OPEN) {
            table->open = true;
            continue;
        }
        columns[table->column_count++] = column_of(in, target, target->column == NULL ? NULL : target->column->type);
        table->partition_count += target->dynamic_partition;
    }
    table->columns = columns;
    if (table->storage == STORAGE_ICEBERG)
        table->partition_count = 0; /* columns like any other */
    return catalog_put_table(in->catalog, table);
}

static bool exists(const struct bind_input *in, str_t table)
{
    return catalog_find_table(in->catalog, name_of(table)) != NULL;
}

static bool put_ctas(const struct bind_input *in, const struct create_table *create, const struct bound_statement *bound)
{
    if (bound->legs.count == 0 || (create->if_not_exists && exists(in, bound->legs.items[0].output.dataset.table)))
        return true;
    struct catalog_table table;
    catalog_describe_create(in->arena, create, in->text, in->database, in->parse_options->dialect, &table);
    if (create->temporary) { /* readings of values look through it, as through a view */
        table.view_text = slice(in, create->query->span);
        table.view_dialect = in->parse_options->dialect;
        table.view_database = in->database;
    }
    return put_leg(in, &table, &bound->legs.items[0]);
}

static bool is_transactional(const struct bind_input *in, const struct clause *options)
{
    str_t value = find_property(in->arena, options, in->text, in->parse_options->dialect, STR("transactional"));
    return str_eq_fold(value, STR("true"));
}

static bool put_view(const struct bind_input *in, const struct create_view *create, const struct bound_statement *bound)
{
    if (bound->legs.count == 0 || (create->if_not_exists && exists(in, bound->legs.items[0].output.dataset.table)))
        return true;
    struct catalog_table table = {.kind = create->materialized ? TABLE_MATERIALIZED_VIEW : TABLE_VIEW, .comment = create->comment};
    table.view_text = slice(in, create->query->span);
    table.view_dialect = in->parse_options->dialect;
    table.view_database = in->database;
    table.arranged = has_clause(create->options, STR("order"));
    table.transactional = create->materialized && is_transactional(in, create->options);
    return put_leg(in, &table, &bound->legs.items[0]);
}

/*
 * A temporary table that is filled by INSERT is a table of its own from then on: a later statement must not depend on whether
 * an earlier INSERT could be read.
 */
static bool note_filled(const struct bind_input *in, const struct bound_statement *bound)
{
    for (uint32_t i = 0; bound != NULL && i < bound->legs.count; i++) {
        const struct catalog_table *table = bound->legs.items[i].table;
        bool seen_through = table != NULL && table->temporary && table->view_text.len > 0;
        if (seen_through && !catalog_set_view(in->catalog, table->name, STR(""), in->parse_options->dialect, in->database))
            return false;
    }
    return true;
}

/* Rows added leave the others as they were. */
static enum catalog_writes kind_of_write(enum write_mode mode)
{
    switch (mode) {
    case WRITE_APPEND:
        return WRITES_ADDED;
    case WRITE_CREATE:
        return WRITES_NONE;
    case WRITE_OVERWRITE:
    case WRITE_OVERWRITE_PARTITION:
    case WRITE_OVERWRITE_DYNAMIC:
    case WRITE_UPDATE:
    case WRITE_DELETE:
    case WRITE_MERGE:
    case WRITE_UPSERT:
    case WRITE_REPLACE:
    case WRITE_TRUNCATE:
    case WRITE_RENAME:
    case WRITE_MODE_COUNT:
        break;
    }
    return WRITES_CHANGED;
}

/* Materialized views are rebuilt by what was written since. */
static bool note_writes(const struct bind_input *in, const struct bound_statement *bound)
{
    bool ok = true;
    bool builds = bound->operation == OPERATION_CREATE_MATERIALIZED_VIEW || bound->operation == OPERATION_REBUILD_MATERIALIZED_VIEW;
    for (uint32_t i = 0; i < bound->legs.count && ok; i++) {
        const struct doc_output *output = &bound->legs.items[i].output;
        struct name table = name_of(output->dataset.table);
        if (table.len > 0)
            ok = builds ? catalog_note_build(in->catalog, table) : catalog_note_write(in->catalog, table, kind_of_write(output->mode));
    }
    for (uint32_t i = 0; i < bound->extra_outputs.count && ok; i++) {
        const struct doc_output *output = &bound->extra_outputs.items[i];
        if (output->dataset.table.len > 0)
            ok = catalog_note_write(in->catalog, name_of(output->dataset.table), kind_of_write(output->mode));
    }
    return ok;
}

static bool apply_statement(const struct bind_input *in, const struct stmt *stmt, const struct bound_statement *bound)
{
    if (stmt->kind == STMT_CREATE_TABLE && stmt->u.create_table->query != NULL)
        return bound == NULL || put_ctas(in, stmt->u.create_table, bound);
    if (stmt->kind == STMT_CREATE_VIEW)
        return bound == NULL || put_view(in, stmt->u.create_view, bound);
    if (stmt->kind == STMT_INSERT && !in->engine)
        return note_filled(in, bound);
    return catalog_apply(in->catalog, stmt, in->text, in->database, in->parse_options->dialect);
}

bool bind_apply(const struct bind_input *in, const struct stmt *stmt, const struct bound_statement *bound)
{
    bool noted = bound == NULL || !in->engine || note_writes(in, bound);
    return apply_statement(in, stmt, bound) && noted;
}
