/* Statements → legs: the entry of the binder, and DDL that carries a query or moves data. */
#include "bind/binder.h"
#include "bind/targets.h"

void binder_note(struct binder *b, enum diag_code code, span_t span, str_t prefix, str_t name, str_t suffix)
{
    diag_add_name(b->arena, b->in->diags, code, binder_span(b, span), prefix, name, suffix);
}

/* ---- CREATE .. AS ---- */

static bool is_named(const struct column_def *defs, uint32_t count, struct name name)
{
    for (uint32_t i = 0; i < count; i++)
        if (name_eq(defs[i].name.name, name))
            return true;
    return false;
}

/* Partition columns of a CTAS are named outputs; they come last in the table. */
static void ctas_targets(struct binder *b, struct bound_leg *leg, const struct create_table *create)
{
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < leg->query->columns.count; i++) {
            struct column *column = leg->query->columns.items[i];
            bool partition = is_named(create->partitions, create->partition_count, column->name);
            if (partition != (pass == 1))
                continue;
            bool listed = create->column_count > i;
            struct target_column *target = leg_target(b, leg, name_str(listed ? create->columns[i].name.name : column->name), column);
            if (target == NULL)
                return;
            target->dynamic_partition = partition;
            target->ordinal = i;
        }
    }
}

static void add_output(struct binder *b, struct name table, str_t path, enum write_mode mode, const struct partition_spec *partition)
{
    struct doc_output *output = VEC_PUSH(b->arena, &b->stmt->extra_outputs);
    if (output == NULL)
        return;
    output->dataset = (struct doc_dataset){name_str(table), path};
    output->mode = mode;
    if (partition != NULL)
        output->partitions = binder_partitions(b, partition, &output->partition_count);
}

static void add_input(struct binder *b, struct name table, str_t path)
{
    struct doc_dataset *input = VEC_PUSH(b->arena, &b->stmt->extra_inputs);
    if (input != NULL)
        *input = (struct doc_dataset){name_str(table), path};
}

void bind_create_table(struct binder *b, const struct create_table *create)
{
    struct name name = binder_table_name(b, &create->name);
    if (create->query == NULL) {
        if (create->location.len > 0 && create->external)
            add_input(b, NAME(""), create->location);
        add_output(b, name, STR(""), WRITE_CREATE, NULL);
        b->stmt->operation = OPERATION_CREATE_TABLE;
        return;
    }
    b->names_by_position = true;
    struct bound_query *query = bind_query(b, create->query, NULL);
    struct bound_leg *leg = leg_new(b, name, WRITE_CREATE);
    if (leg == NULL || query == NULL)
        return;
    leg->query = query;
    leg->table = NULL;
    ctas_targets(b, leg, create);
    b->stmt->operation = OPERATION_CREATE_TABLE_AS_SELECT;
}

void bind_create_view(struct binder *b, const struct create_view *create)
{
    b->names_by_position = true;
    struct bound_query *query = bind_query(b, create->query, NULL);
    struct bound_leg *leg = leg_new(b, binder_table_name(b, &create->name), create->alter || create->or_replace ? WRITE_REPLACE : WRITE_CREATE);
    if (leg == NULL || query == NULL)
        return;
    leg->query = query;
    for (uint32_t i = 0; i < query->columns.count; i++) {
        bool listed = i < create->column_count;
        struct name name = listed ? create->columns[i].name.name : query->columns.items[i]->name;
        struct target_column *target = leg_target(b, leg, name_str(name), query->columns.items[i]);
        for (uint32_t k = 0; target != NULL && k < create->partitioned_count; k++)
            target->dynamic_partition |= name_eq(create->partitioned_on[k].name, name);
    }
    b->stmt->operation = create->materialized ? OPERATION_CREATE_MATERIALIZED_VIEW
                         : create->alter      ? OPERATION_ALTER_VIEW
                                              : OPERATION_CREATE_VIEW;
}

/* ---- ALTER ---- */

/* All columns of one table go to the columns of the same place in another. */
static void bind_identity(struct binder *b, struct name from, struct name to, enum write_mode mode, const struct partition_spec *partition)
{
    struct bound_query *query = bound_query_new(b, BOUND_BLOCK);
    struct source_table *table = binder_table(b, from);
    struct relation *relation = relation_scan(b, table);
    struct bound_leg *leg = leg_new(b, to, mode);
    if (query == NULL || relation == NULL || leg == NULL)
        return;
    struct source_table **slot = VEC_PUSH(b->arena, &query->tables);
    if (slot == NULL)
        return;
    *slot = table;
    leg->query = query;
    if (partition != NULL)
        leg->output.partitions = binder_partitions(b, partition, &leg->output.partition_count);
    for (uint32_t i = 0; i < relation->column_count; i++) {
        struct column *column = relation_column(b, relation, i);
        if (column != NULL)
            leg_target(b, leg, name_str(column->name), column);
    }
}

static void bind_alter(struct binder *b, const struct alter_stmt *alter)
{
    struct name name = binder_table_name(b, &alter->name);
    switch ((enum alter_kind)alter->kind) {
    case ALTER_RENAME:
        b->stmt->operation = OPERATION_RENAME;
        if (!alter->view)
            bind_identity(b, name, binder_table_name(b, &alter->new_name), WRITE_RENAME, NULL);
        return;
    case ALTER_EXCHANGE_PARTITION:
        b->stmt->operation = OPERATION_EXCHANGE_PARTITION;
        bind_identity(b, binder_table_name(b, &alter->new_name), name, WRITE_APPEND, &alter->partition);
        return;
    case ALTER_REBUILD:
        bind_rebuild(b, name);
        return;
    case ALTER_ADD_PARTITION:
        if (alter->location.len > 0) {
            add_input(b, NAME(""), alter->location);
            add_output(b, name, STR(""), WRITE_APPEND, &alter->partition);
            b->stmt->operation = OPERATION_LOAD;
        }
        return;
    case ALTER_ADD_COLUMNS:
    case ALTER_REPLACE_COLUMNS:
    case ALTER_CHANGE_COLUMN:
    case ALTER_DROP_COLUMN:
    case ALTER_RENAME_PARTITION:
    case ALTER_DROP_PARTITION:
    case ALTER_SET_PROPERTIES:
    case ALTER_OTHER:
        return;
    }
}

/* ---- LOAD, EXPORT, IMPORT ---- */

static void bind_load(struct binder *b, const struct transfer_stmt *load)
{
    add_input(b, NAME(""), load->path);
    enum write_mode mode = !load->overwrite ? WRITE_APPEND : load->partition.present ? WRITE_OVERWRITE_PARTITION : WRITE_OVERWRITE;
    add_output(b, binder_table_name(b, &load->table), STR(""), mode, &load->partition);
    b->stmt->operation = OPERATION_LOAD;
}

static void bind_export(struct binder *b, const struct transfer_stmt *export_)
{
    add_input(b, binder_table_name(b, &export_->table), STR(""));
    add_output(b, NAME(""), export_->path, WRITE_OVERWRITE, NULL);
    b->stmt->operation = OPERATION_EXPORT;
}

static void bind_import(struct binder *b, const struct transfer_stmt *import)
{
    add_input(b, NAME(""), import->path);
    if (import->table.count > 0)
        add_output(b, binder_table_name(b, &import->table), STR(""), WRITE_CREATE, &import->partition);
    b->stmt->operation = OPERATION_IMPORT;
}

/* ---- the entry ---- */

static void bind_kind(struct binder *b, const struct stmt *stmt)
{
    switch ((enum stmt_kind)stmt->kind) {
    case STMT_QUERY:
        bind_select(b, stmt->u.query);
        return;
    case STMT_INSERT:
    case STMT_UPSERT:
        bind_insert(b, stmt);
        return;
    case STMT_UPDATE:
        bind_update(b, stmt->u.update);
        return;
    case STMT_DELETE:
        bind_delete(b, stmt->u.delete_);
        return;
    case STMT_MERGE:
        bind_merge(b, stmt->u.merge);
        return;
    case STMT_CREATE_TABLE:
        bind_create_table(b, stmt->u.create_table);
        return;
    case STMT_CREATE_VIEW:
        bind_create_view(b, stmt->u.create_view);
        return;
    case STMT_ALTER_TABLE:
    case STMT_ALTER_VIEW:
        bind_alter(b, stmt->u.alter);
        return;
    case STMT_LOAD:
        bind_load(b, stmt->u.transfer);
        return;
    case STMT_EXPORT:
        bind_export(b, stmt->u.transfer);
        return;
    case STMT_IMPORT:
        bind_import(b, stmt->u.transfer);
        return;
    case STMT_TRUNCATE:
        add_output(b, binder_table_name(b, &stmt->u.object->name), STR(""), WRITE_TRUNCATE, &stmt->u.object->partition);
        b->stmt->operation = OPERATION_TRUNCATE;
        return;
    case STMT_EXPLAIN:
        b->stmt->explain = true;
        if (stmt->u.wrapper->inner != NULL && stmt->u.wrapper->inner->kind != STMT_EXPLAIN)
            bind_kind(b, stmt->u.wrapper->inner);
        return;
    case STMT_SCHEDULED_QUERY:
        if (stmt->u.wrapper->inner != NULL && stmt->u.wrapper->inner->kind != STMT_SCHEDULED_QUERY)
            bind_kind(b, stmt->u.wrapper->inner);
        return;
    case STMT_DROP_TABLE:
    case STMT_DROP_VIEW:
        b->stmt->dropped = name_str(binder_table_name(b, &stmt->u.object->name));
        b->stmt->operation = OPERATION_DROP;
        return;
    case STMT_BROKEN:
    case STMT_CREATE_FUNCTION:
    case STMT_CREATE_MACRO:
    case STMT_CREATE_DATABASE:
    case STMT_CREATE_OTHER:
    case STMT_DROP_DATABASE:
    case STMT_DROP_FUNCTION:
    case STMT_DROP_MACRO:
    case STMT_DROP_OTHER:
    case STMT_ALTER_OTHER:
    case STMT_USE:
    case STMT_ANALYZE:
    case STMT_MSCK:
    case STMT_REFRESH:
    case STMT_OPTIMIZE:
    case STMT_DESCRIBE:
    case STMT_SHOW:
    case STMT_LOCK:
    case STMT_GRANT:
    case STMT_TRANSACTION:
    case STMT_ADMIN:
    case STMT_PREPARE:
    case STMT_EXECUTE:
    case STMT_DYNAMIC:
    case STMT_SET:
    case STMT_COMMAND:
    case STMT_KIND_COUNT:
        return;
    }
}

struct bound_statement *bind_statement(const struct bind_input *input, const struct stmt *stmt)
{
    struct bound_statement *bound = ARENA_NEW(input->arena, struct bound_statement);
    if (bound == NULL)
        return NULL;
    struct binder b = {.in = input,
                       .arena = input->arena,
                       .dialect = input->parse_options->dialect,
                       .stmt = bound,
                       .text = input->text,
                       .in_script = true,
                       .database = input->database};
    bind_kind(&b, stmt);
    return input->arena->failed ? NULL : bound;
}

struct column *bind_lookup(struct arena *arena, struct bound_statement *bound, struct scope *scope, const struct qname *name,
                           enum dialect dialect)
{
    struct binder b = {.arena = arena, .stmt = bound, .dialect = dialect, .text = scope->text};
    for (struct scope *s = scope; s != NULL; s = s->parent) {
        struct resolved found = scope_try(&b, s, name);
        if (found.column != NULL)
            return found.path.len == 0 ? found.column : NULL;
    }
    return NULL;
}
