/* Accessors of the public header: a public handle is a pointer to the document's own struct. */
#include "lineage/document.h"
#include "handles.h"

static const struct doc_statement *inner(const colline_statement *st)
{
    static const struct doc_statement none = {.type = ""};
    return st == NULL ? &none : (const struct doc_statement *)st;
}

/* ---- the statement ---- */

uint32_t colline_statement_index(const colline_statement *st)
{
    return inner(st)->index;
}

colline_text colline_statement_type(const colline_statement *st)
{
    return (colline_text){inner(st)->type, strlen(inner(st)->type)};
}

colline_text colline_statement_operation(const colline_statement *st)
{
    return outer_text(operation_text(inner(st)->operation));
}

colline_span colline_statement_span(const colline_statement *st)
{
    return outer_span(inner(st)->span);
}

colline_text colline_statement_database(const colline_statement *st)
{
    return outer_text(inner(st)->database);
}

colline_text colline_statement_dropped(const colline_statement *st)
{
    return outer_text(inner(st)->dropped);
}

void colline_statement_fingerprint(const colline_statement *st, uint64_t fingerprint[2])
{
    if (fingerprint == NULL)
        return;
    doc_fingerprint(inner(st), fingerprint);
}

colline_text colline_statement_sourced_file(const colline_statement *st)
{
    const struct stmt *stmt = inner(st)->stmt;
    bool sources = stmt != NULL && stmt->kind == STMT_COMMAND && str_eq(stmt->u.command->word, STR("source"));
    return outer_text(sources ? stmt->u.command->value : STR(""));
}

/* ---- lists ---- */

size_t colline_statement_input_count(const colline_statement *st)
{
    return inner(st)->input_count;
}

const colline_dataset *colline_statement_input(const colline_statement *st, size_t i)
{
    return i < inner(st)->input_count ? (const colline_dataset *)&inner(st)->inputs[i] : NULL;
}

size_t colline_statement_output_count(const colline_statement *st)
{
    return inner(st)->output_count;
}

const colline_output *colline_statement_output(const colline_statement *st, size_t i)
{
    return i < inner(st)->output_count ? (const colline_output *)&inner(st)->outputs[i] : NULL;
}

size_t colline_statement_column_count(const colline_statement *st)
{
    return inner(st)->column_count;
}

const colline_column *colline_statement_column(const colline_statement *st, size_t i)
{
    return i < inner(st)->column_count ? (const colline_column *)&inner(st)->columns[i] : NULL;
}

size_t colline_statement_predicate_count(const colline_statement *st)
{
    return inner(st)->predicate_count;
}

const colline_predicate *colline_statement_predicate(const colline_statement *st, size_t i)
{
    return i < inner(st)->predicate_count ? (const colline_predicate *)&inner(st)->predicates[i] : NULL;
}

size_t colline_statement_view_count(const colline_statement *st)
{
    return inner(st)->view_count;
}

colline_text colline_statement_view(const colline_statement *st, size_t i)
{
    return outer_text(i < inner(st)->view_count ? inner(st)->views[i] : STR(""));
}

size_t colline_statement_diagnostic_count(const colline_statement *st)
{
    return inner(st)->diags.list.count;
}

const colline_diagnostic *colline_statement_diagnostic(const colline_statement *st, size_t i)
{
    return i < inner(st)->diags.list.count ? (const colline_diagnostic *)&inner(st)->diags.list.items[i] : NULL;
}

/* ---- the error ---- */

bool colline_statement_failed(const colline_statement *st)
{
    return inner(st)->error.message.len > 0;
}

colline_text colline_statement_error_code(const colline_statement *st)
{
    return outer_text(colline_statement_failed(st) ? diag_code_text(inner(st)->error.code) : STR(""));
}

colline_text colline_statement_error_message(const colline_statement *st)
{
    return outer_text(inner(st)->error.message);
}

colline_span colline_statement_error_span(const colline_statement *st)
{
    return (colline_span){inner(st)->error.at, inner(st)->error.end};
}

/* ---- inputs and outputs ---- */

static const struct doc_dataset *inner_dataset(const colline_dataset *dataset)
{
    static const struct doc_dataset none;
    return dataset == NULL ? &none : (const struct doc_dataset *)dataset;
}

colline_text colline_dataset_table(const colline_dataset *dataset)
{
    return outer_text(inner_dataset(dataset)->table);
}

colline_text colline_dataset_path(const colline_dataset *dataset)
{
    return outer_text(inner_dataset(dataset)->path);
}

static const struct doc_output *inner_output(const colline_output *output)
{
    static const struct doc_output none;
    return output == NULL ? &none : (const struct doc_output *)output;
}

colline_text colline_output_table(const colline_output *output)
{
    return outer_text(inner_output(output)->dataset.table);
}

colline_text colline_output_path(const colline_output *output)
{
    return outer_text(inner_output(output)->dataset.path);
}

colline_text colline_output_write_mode(const colline_output *output)
{
    return outer_text(output == NULL ? STR("") : write_mode_text(inner_output(output)->mode));
}

size_t colline_output_partition_count(const colline_output *output)
{
    return inner_output(output)->partition_count;
}

colline_text colline_output_partition_key(const colline_output *output, size_t i)
{
    return outer_text(i < inner_output(output)->partition_count ? inner_output(output)->partitions[i].key : STR(""));
}

bool colline_output_partition_value(const colline_output *output, size_t i, colline_text *value)
{
    const struct doc_output *o = inner_output(output);
    bool has_value = i < o->partition_count && o->partitions[i].has_value;
    if (value != NULL)
        *value = outer_text(has_value ? o->partitions[i].value : STR(""));
    return has_value;
}

/* ---- columns ---- */

static const struct doc_column *inner_column(const colline_column *column)
{
    static const struct doc_column none;
    return column == NULL ? &none : (const struct doc_column *)column;
}

colline_text colline_column_table(const colline_column *column)
{
    return outer_text(inner_column(column)->table);
}

colline_text colline_column_name(const colline_column *column)
{
    return outer_text(inner_column(column)->column);
}

uint32_t colline_column_ordinal(const colline_column *column)
{
    return inner_column(column)->ordinal;
}

colline_text colline_column_transform(const colline_column *column)
{
    return outer_text(column == NULL ? STR("") : transform_text(inner_column(column)->transform));
}

colline_text colline_column_expression(const colline_column *column)
{
    return outer_text(inner_column(column)->expression);
}

colline_span colline_column_span(const colline_column *column)
{
    return outer_span(inner_column(column)->span);
}

size_t colline_column_step_count(const colline_column *column)
{
    return inner_column(column)->step_count;
}

colline_text colline_column_step(const colline_column *column, size_t i)
{
    return outer_text(i < inner_column(column)->step_count ? inner_column(column)->steps[i] : STR(""));
}

size_t colline_column_source_count(const colline_column *column)
{
    return inner_column(column)->source_count;
}

const colline_source *colline_column_source(const colline_column *column, size_t i)
{
    return i < inner_column(column)->source_count ? (const colline_source *)&inner_column(column)->sources[i] : NULL;
}

/* ---- sources ---- */

static const struct doc_source *inner_source(const colline_source *source)
{
    static const struct doc_source none;
    return source == NULL ? &none : (const struct doc_source *)source;
}

colline_text colline_source_table(const colline_source *source)
{
    return outer_text(inner_source(source)->table);
}

colline_text colline_source_name(const colline_source *source)
{
    return outer_text(inner_source(source)->column);
}

colline_text colline_source_path(const colline_source *source)
{
    return outer_text(inner_source(source)->path);
}

/* ---- predicates ---- */

static const struct doc_predicate *inner_predicate(const colline_predicate *predicate)
{
    static const struct doc_predicate none;
    return predicate == NULL ? &none : (const struct doc_predicate *)predicate;
}

colline_text colline_predicate_clause(const colline_predicate *predicate)
{
    return outer_text(predicate == NULL ? STR("") : clause_kind_text(inner_predicate(predicate)->clause));
}

colline_text colline_predicate_expression(const colline_predicate *predicate)
{
    return outer_text(inner_predicate(predicate)->expression);
}

colline_span colline_predicate_span(const colline_predicate *predicate)
{
    return outer_span(inner_predicate(predicate)->span);
}

size_t colline_predicate_source_count(const colline_predicate *predicate)
{
    return inner_predicate(predicate)->source_count;
}

const colline_source *colline_predicate_source(const colline_predicate *predicate, size_t i)
{
    const struct doc_predicate *p = inner_predicate(predicate);
    return i < p->source_count ? (const colline_source *)&p->sources[i] : NULL;
}

size_t colline_predicate_target_count(const colline_predicate *predicate)
{
    return inner_predicate(predicate)->target_count;
}

colline_text colline_predicate_target_table(const colline_predicate *predicate, size_t i)
{
    const struct doc_predicate *p = inner_predicate(predicate);
    return outer_text(i < p->target_count ? p->targets[i].table : STR(""));
}

colline_text colline_predicate_target_name(const colline_predicate *predicate, size_t i)
{
    const struct doc_predicate *p = inner_predicate(predicate);
    return outer_text(i < p->target_count ? p->targets[i].column : STR(""));
}

/* ---- diagnostics ---- */

static const struct diag *inner_diagnostic(const colline_diagnostic *diagnostic)
{
    static const struct diag none;
    return diagnostic == NULL ? &none : (const struct diag *)diagnostic;
}

colline_text colline_diagnostic_code(const colline_diagnostic *diagnostic)
{
    return outer_text(diagnostic == NULL ? STR("") : diag_code_text(inner_diagnostic(diagnostic)->code));
}

colline_text colline_diagnostic_severity(const colline_diagnostic *diagnostic)
{
    return outer_text(diagnostic == NULL ? STR("") : diag_severity_text(diag_code_severity(inner_diagnostic(diagnostic)->code)));
}

colline_text colline_diagnostic_message(const colline_diagnostic *diagnostic)
{
    return outer_text(inner_diagnostic(diagnostic)->message);
}

colline_span colline_diagnostic_span(const colline_diagnostic *diagnostic)
{
    return outer_span(inner_diagnostic(diagnostic)->span);
}
