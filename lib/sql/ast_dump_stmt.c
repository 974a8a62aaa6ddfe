/* The tree as indented text: statements. See ast_dump.h. */
#include "sql/ast_dump.h"

/* ---- partitions, columns, assignments ---- */

static void dump_partition_key(struct dumper *d, const void *node)
{
    const struct partition_key *key = node;
    dump_ident(d, &key->name);
    dump_flag(d, key->value != NULL && key->op != OP_NONE, expr_op_text(key->op));
    dump_push(d, STR(""), dump_expr, key->value);
    dump_push(d, STR("transform"), dump_expr, key->transform);
}

static void push_partition(struct dumper *d, const struct partition_spec *partition)
{
    dump_push_array(d, STR("partition"), dump_partition_key, partition->keys, partition->count,
                    sizeof(struct partition_key));
}

static void dump_column_def(struct dumper *d, const void *node)
{
    const struct column_def *column = node;
    dump_ident(d, &column->name);
    dump_push(d, STR("type"), dump_type, column->type);
    dump_push_text(d, STR("comment"), column->comment);
    dump_push(d, STR(""), dump_clause, column->options);
}

static void push_columns(struct dumper *d, str_t label, const struct column_def *columns,
                         uint32_t count)
{
    dump_push_array(d, label, dump_column_def, columns, count, sizeof(struct column_def));
}

static void dump_assignment(struct dumper *d, const void *node)
{
    const struct assignment *set = node;
    dump_name(d, &set->column);
    dump_push(d, STR(""), dump_expr, set->value);
}

static void dump_name_line(struct dumper *d, const void *node)
{
    dump_name(d, node);
}

static void push_name(struct dumper *d, str_t label, const struct qname *name)
{
    dump_push(d, label, dump_name_line, name->count > 0 ? name : NULL);
}

/* ---- statements that write ---- */

static void dump_target(struct dumper *d, const void *node)
{
    const struct insert_target *target = node;
    dump_name(d, &target->table);
    dump_flag(d, target->local, STR("local"));
    dump_flag(d, target->directory, STR("directory"));
    dump_flag(d, target->overwrite, STR("overwrite"));
    dump_flag(d, target->upsert, STR("upsert"));
    dump_flag(d, target->if_not_exists, STR("if not exists"));
    dump_push_text(d, STR("path"), target->path);
    dump_push_idents(d, STR("columns"), target->columns, target->column_count);
    push_partition(d, &target->partition);
}

static void dump_leg(struct dumper *d, const void *node)
{
    const struct insert_leg *leg = node;
    dump_push(d, STR("target"), dump_target, leg->target);
    dump_push(d, STR(""), dump_query, leg->query);
}

static void push_insert(struct dumper *d, const struct insert_stmt *insert)
{
    dump_push_ctes(d, insert->ctes, insert->cte_count);
    dump_push(d, STR("from"), dump_from, insert->from);
    dump_push_array(d, STR("leg"), dump_leg, insert->legs, insert->leg_count,
                    sizeof(struct insert_leg));
}

static void push_update(struct dumper *d, const struct update_stmt *update)
{
    push_name(d, STR("table"), &update->table);
    dump_push(d, STR("from"), dump_from, update->from);
    dump_push_array(d, STR("set"), dump_assignment, update->sets, update->set_count,
                    sizeof(struct assignment));
    dump_push(d, STR("where"), dump_expr, update->where);
}

static void push_delete_(struct dumper *d, const struct delete_stmt *delete_)
{
    push_name(d, STR("table"), &delete_->table);
    dump_push(d, STR("from"), dump_from, delete_->from);
    dump_push(d, STR("where"), dump_expr, delete_->where);
}

static void dump_when(struct dumper *d, const void *node)
{
    static const str_t kinds[] = {
        {"matched", 7}, {"not matched", 11}, {"not matched by source", 21}};
    static const str_t actions[] = {
        {"update", 6}, {"update *", 8}, {"delete", 6}, {"insert", 6}, {"insert *", 8}};
    const struct merge_when *when = node;
    dump_word(d, kinds[when->kind]);
    dump_word(d, actions[when->action]);
    dump_push(d, STR("condition"), dump_expr, when->condition);
    dump_push_array(d, STR("set"), dump_assignment, when->sets, when->set_count,
                    sizeof(struct assignment));
    dump_push_idents(d, STR("columns"), when->columns, when->column_count);
    dump_push_exprs(d, STR("value"), when->values.items, when->values.count);
}

static void push_merge(struct dumper *d, const struct merge_stmt *merge)
{
    dump_push(d, STR("target"), dump_from, merge->target);
    dump_push(d, STR("source"), dump_from, merge->source);
    dump_push(d, STR("on"), dump_expr, merge->on);
    dump_push_array(d, STR("when"), dump_when, merge->whens, merge->when_count,
                    sizeof(struct merge_when));
}

static void push_transfer(struct dumper *d, const struct transfer_stmt *transfer)
{
    dump_flag(d, transfer->local, STR("local"));
    dump_flag(d, transfer->overwrite, STR("overwrite"));
    dump_flag(d, transfer->external, STR("external"));
    push_name(d, STR("table"), &transfer->table);
    push_partition(d, &transfer->partition);
    dump_push_text(d, STR("path"), transfer->path);
    dump_push(d, STR(""), dump_clause, transfer->options);
}

/* ---- statements that define ---- */

static void push_create_table(struct dumper *d, const struct create_table *table)
{
    dump_flag(d, table->temporary, STR("temporary"));
    dump_flag(d, table->external, STR("external"));
    dump_flag(d, table->or_replace, STR("or replace"));
    dump_flag(d, table->if_not_exists, STR("if not exists"));
    dump_name(d, &table->name);
    push_columns(d, STR("column"), table->columns, table->column_count);
    push_columns(d, STR("partitioned by"), table->partitions, table->partition_count);
    push_name(d, STR("like"), &table->like);
    dump_push_text(d, STR("like file"), table->like_file);
    dump_push_text(d, STR("location"), table->location);
    dump_push_text(d, STR("comment"), table->comment);
    dump_push_text(d, STR("stored as"), table->stored_as);
    dump_push(d, STR(""), dump_clause, table->options);
    dump_push(d, STR("as"), dump_query, table->query);
}

static void push_create_view(struct dumper *d, const struct create_view *view)
{
    dump_flag(d, view->alter, STR("alter"));
    dump_flag(d, view->materialized, STR("materialized"));
    dump_flag(d, view->or_replace, STR("or replace"));
    dump_flag(d, view->if_not_exists, STR("if not exists"));
    dump_name(d, &view->name);
    push_columns(d, STR("column"), view->columns, view->column_count);
    dump_push_idents(d, STR("partitioned on"), view->partitioned_on, view->partitioned_count);
    dump_push_text(d, STR("comment"), view->comment);
    dump_push_text(d, STR("location"), view->location);
    dump_push_text(d, STR("stored as"), view->stored_as);
    dump_push(d, STR(""), dump_clause, view->options);
    dump_push(d, STR("as"), dump_query, view->query);
}

static const str_t alter_texts[] = {
    [ALTER_RENAME] = {"rename", 6},
    [ALTER_ADD_COLUMNS] = {"add columns", 11},
    [ALTER_REPLACE_COLUMNS] = {"replace columns", 15},
    [ALTER_CHANGE_COLUMN] = {"change column", 13},
    [ALTER_DROP_COLUMN] = {"drop column", 11},
    [ALTER_RENAME_PARTITION] = {"rename partition", 16},
    [ALTER_EXCHANGE_PARTITION] = {"exchange partition", 18},
    [ALTER_ADD_PARTITION] = {"add partition", 13},
    [ALTER_DROP_PARTITION] = {"drop partition", 14},
    [ALTER_REBUILD] = {"rebuild", 7},
    [ALTER_SET_PROPERTIES] = {"set properties", 14},
    [ALTER_OTHER] = {"other", 5},
};

static void push_alter(struct dumper *d, const struct alter_stmt *alter)
{
    dump_flag(d, alter->materialized, STR("materialized"));
    dump_name(d, &alter->name);
    dump_word(d, alter_texts[alter->kind]);
    push_partition(d, &alter->partition);
    push_name(d, STR("to"), &alter->new_name);
    dump_push(d, STR("old column"), dump_ident_line,
              alter->column.name.len > 0 ? &alter->column : NULL);
    push_columns(d, STR("column"), alter->columns, alter->column_count);
    dump_push(d, STR("after"), dump_ident_line, alter->has_after ? &alter->after : NULL);
    dump_push_text(d, STR("location"), alter->location);
    dump_push(d, STR(""), dump_clause, alter->options);
}

static void push_create_function(struct dumper *d, const struct create_function *function)
{
    dump_flag(d, function->temporary, STR("temporary"));
    dump_name(d, &function->name);
    push_columns(d, STR("parameter"), function->params, function->param_count);
    dump_push(d, STR("body"), dump_expr, function->body);
    dump_push(d, STR(""), dump_clause, function->options);
}

/* ---- the rest ---- */

static void push_object(struct dumper *d, const struct object_stmt *object)
{
    dump_name(d, &object->name);
    dump_flag(d, object->if_exists, STR("if exists"));
    dump_flag(d, object->if_not_exists, STR("if not exists"));
    push_partition(d, &object->partition);
    dump_push_text(d, STR("location"), object->location);
    dump_push(d, STR(""), dump_clause, object->options);
}

static void push_wrapper(struct dumper *d, const struct wrapper_stmt *wrapper)
{
    dump_flag(d, wrapper->name.name.len > 0, name_str(wrapper->name.name));
    dump_flag(d, wrapper->analyze, STR("analyze"));
    dump_push(d, STR(""), dump_clause, wrapper->options);
    dump_push(d, STR(""), dump_stmt, wrapper->inner);
}

static void push_execute(struct dumper *d, const struct execute_stmt *execute)
{
    dump_ident(d, &execute->name);
    dump_push_exprs(d, STR("using"), execute->args.items, execute->args.count);
}

static void push_command(struct dumper *d, const struct command_stmt *command)
{
    dump_word(d, command->word);
    dump_push_text(d, STR("key"), command->key);
    dump_push_text(d, STR("value"), command->value);
}

static void push_any(struct dumper *d, const void *body)
{
    (void)d;
    (void)body;
}

static void push_query(struct dumper *d, const struct query *query)
{
    dump_push(d, STR(""), dump_query, query);
}

/* Each member of ast.def has its push_ function. */
void dump_stmt(struct dumper *d, const void *node)
{
    const struct stmt *stmt = node;
    dump_word(d, stmt_kind_text(stmt->kind));
    if (stmt->u.any == NULL)
        return;
    switch ((enum stmt_kind)stmt->kind) {
#define STMT(id, text, member)            \
    case STMT_##id:                       \
        push_##member(d, stmt->u.member); \
        break;
#include "sql/ast.def"
#undef STMT
    case STMT_KIND_COUNT:
        break;
    }
}
