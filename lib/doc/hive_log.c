/*
 * `--format hive`: the record that Hive's LineageLogger writes for a statement, one line each. What only a running server knows
 * (user, timestamp, duration, jobIds) is left out, as Hive itself does in its tests. Expressions stand as written, not as Hive's
 * optimiser would print them.
 */
#include "base/digest.h"
#include "doc/format.h"
#include "doc/log_graph.h"

static bool is_logged(const struct doc_statement *st)
{
    switch (st->operation) {
    case OPERATION_SELECT:
    case OPERATION_INSERT:
    case OPERATION_INSERT_OVERWRITE:
    case OPERATION_MULTI_INSERT:
    case OPERATION_CREATE_TABLE_AS_SELECT:
    case OPERATION_CREATE_VIEW:
    case OPERATION_ALTER_VIEW:
    case OPERATION_UPDATE:
    case OPERATION_DELETE:
    case OPERATION_MERGE:
        return st->error.message.len == 0 && st->stmt != NULL && st->stmt->kind != STMT_EXPLAIN;
    case OPERATION_NONE:
    case OPERATION_UPSERT:
    case OPERATION_CREATE_MATERIALIZED_VIEW:
    case OPERATION_REBUILD_MATERIALIZED_VIEW:
    case OPERATION_LOAD:
    case OPERATION_EXPORT:
    case OPERATION_IMPORT:
    case OPERATION_RENAME:
    case OPERATION_EXCHANGE_PARTITION:
    case OPERATION_CREATE_TABLE:
    case OPERATION_TRUNCATE:
    case OPERATION_DROP:
    case OPERATION_COUNT:
        return false;
    }
    return false;
}

static str_t dotted(struct arena *arena, str_t table, str_t column)
{
    if (table.len == 0 || column.len == 0)
        return table.len == 0 ? column : table;
    return arena_dotted(arena, (const str_t[]){table, column}, 2);
}

static uint32_t column_vertex(struct log_graph *graph, str_t table, str_t column)
{
    return log_vertex(graph, &(struct log_vertex){.label = dotted(graph->arena, table, column), .is_table = column.len == 0});
}

static void add_sources(struct log_graph *graph, struct log_ids *list, const struct doc_source *sources, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        log_ids_add(graph->arena, list, column_vertex(graph, sources[i].table, sources[i].column));
}

static bool same_target(const struct doc_column *a, const struct doc_column *b)
{
    return a->ordinal == b->ordinal && str_eq(a->column, b->column) && str_eq(a->table, b->table);
}

/* A partition column with a value in the statement: Hive never names it as a target. */
static bool is_static_partition(const struct doc_statement *st, const struct doc_column *column)
{
    for (uint32_t o = 0; o < st->output_count; o++) {
        const struct doc_output *output = &st->outputs[o];
        for (uint32_t i = 0; i < output->partition_count && str_eq(output->dataset.table, column->table); i++)
            if (output->partitions[i].has_value && str_eq(output->partitions[i].key, column->column))
                return true;
    }
    return false;
}

/* One edge for a target, whose items follow one another; targets with equal sources and expression share it. */
static uint32_t add_projection(struct log_graph *graph, const struct doc_statement *st, uint32_t first)
{
    const struct doc_column *column = &st->columns[first];
    struct log_ids sources = {0};
    bool copied = true;
    uint32_t i = first;
    for (; i < st->column_count && same_target(column, &st->columns[i]); i++) {
        add_sources(graph, &sources, st->columns[i].sources, st->columns[i].source_count);
        copied = copied && st->columns[i].transform == TRANSFORM_IDENTITY;
    }
    log_ids_sort(&sources);
    struct log_edge *edge = log_edge_merged(graph, false, copied ? STR("") : column->expression, &sources);
    if (edge != NULL)
        log_ids_add(graph->arena, &edge->targets, column_vertex(graph, column->table, column->column));
    return i;
}

static void add_predicate(struct log_graph *graph, const struct doc_statement *st, const struct doc_predicate *predicate)
{
    struct log_ids sources = {0};
    add_sources(graph, &sources, predicate->sources, predicate->source_count);
    log_ids_sort(&sources);
    struct log_edge *edge = log_edge_merged(graph, true, predicate->expression, &sources);
    for (uint32_t i = 0; edge != NULL && i < predicate->target_count; i++)
        log_ids_add(graph->arena, &edge->targets, column_vertex(graph, predicate->targets[i].table, predicate->targets[i].column));
    for (uint32_t i = 0; edge != NULL && predicate->target_count == 0 && i < st->column_count; i++)
        if (!is_static_partition(st, &st->columns[i]))
            log_ids_add(graph->arena, &edge->targets, column_vertex(graph, st->columns[i].table, st->columns[i].column));
    if (edge != NULL)
        log_ids_sort(&edge->targets);
}

/* Targets are numbered first. Of conditions Hive logs those of joins and filters. */
static void build(struct log_graph *graph, const struct doc_statement *st)
{
    for (uint32_t i = 0; i < st->column_count; i++)
        if (!is_static_partition(st, &st->columns[i]))
            column_vertex(graph, st->columns[i].table, st->columns[i].column);
    for (uint32_t i = 0; i < st->column_count;)
        i = is_static_partition(st, &st->columns[i]) ? i + 1 : add_projection(graph, st, i);
    for (uint32_t i = 0; i < st->predicate_count; i++)
        if (st->predicates[i].clause == CLAUSE_JOIN || st->predicates[i].clause == CLAUSE_FILTER)
            add_predicate(graph, st, &st->predicates[i]);
}

static void write_vertices(struct jsonw *json, const struct log_graph *graph)
{
    jsonw_key(json, STR("vertices"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < graph->vertices.count; i++) {
        const struct log_vertex *vertex = &graph->vertices.items[i];
        jsonw_object_begin(json);
        jsonw_member_number(json, STR("id"), i);
        jsonw_member(json, STR("vertexType"), vertex->is_table ? STR("TABLE") : STR("COLUMN"));
        jsonw_member(json, STR("vertexId"), vertex->label);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}

void hive_add(struct doc_writer *w, const struct doc_statement *st)
{
    if (!is_logged(st))
        return;
    struct log_graph graph;
    log_graph_init(&graph, &w->scratch);
    build(&graph, st);
    str_t query = str_trim(doc_statement_text(st));
    struct jsonw *json = &w->json;
    jsonw_init(json, &w->out, false);
    jsonw_object_begin(json);
    jsonw_member(json, STR("version"), STR("1.0"));
    jsonw_member(json, STR("engine"), STR("tez"));
    jsonw_member(json, STR("database"), st->database);
    jsonw_key(json, STR("hash"));
    jsonw_string_open(json);
    add_md5(&w->out, query);
    jsonw_string_close(json);
    jsonw_member(json, STR("queryText"), query);
    log_edges_write(json, &graph);
    write_vertices(json, &graph);
    jsonw_object_end(json);
    buf_add_char(&w->out, '\n');
}
