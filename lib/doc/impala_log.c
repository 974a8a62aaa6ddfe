/*
 * `--format impala`: the record of Impala's lineage event log for a statement, one line each. What only a running server knows
 * (queryId, user, timestamp, endTime, tableLocation) is left out, and tableCreateTime is -1.
 */
#include "base/digest.h"
#include "doc/format.h"
#include "doc/log_graph.h"

/* The statement's operationType; empty for statements without a record. */
static str_t operation_type(const struct doc_statement *st)
{
    switch (st->operation) {
    case OPERATION_SELECT:
        return st->stmt->kind == STMT_QUERY && st->stmt->u.query->kind != QUERY_BLOCK ? STR("UNKNOWN") : STR("SELECT");
    case OPERATION_INSERT:
    case OPERATION_MULTI_INSERT:
        return STR("INSERT");
    case OPERATION_INSERT_OVERWRITE:
        return STR("INSERT_OVERWRITE");
    case OPERATION_UPSERT:
        return STR("UPSERT");
    case OPERATION_UPDATE:
        return STR("UPDATE");
    case OPERATION_MERGE:
        return st->column_count == 0 ? STR("") : STR("MERGE");
    case OPERATION_CREATE_TABLE:
        return st->stmt->kind == STMT_CREATE_TABLE && st->stmt->u.create_table->like.count > 0 ? STR("") : STR("CREATETABLE");
    case OPERATION_CREATE_TABLE_AS_SELECT:
        return STR("CREATETABLE_AS_SELECT");
    case OPERATION_CREATE_VIEW:
        return STR("CREATEVIEW");
    case OPERATION_ALTER_VIEW:
        return STR("ALTERVIEW_AS");
    case OPERATION_NONE:
    case OPERATION_CREATE_MATERIALIZED_VIEW:
    case OPERATION_REBUILD_MATERIALIZED_VIEW:
    case OPERATION_DELETE:
    case OPERATION_LOAD:
    case OPERATION_EXPORT:
    case OPERATION_IMPORT:
    case OPERATION_RENAME:
    case OPERATION_EXCHANGE_PARTITION:
    case OPERATION_TRUNCATE:
    case OPERATION_DROP:
    case OPERATION_COUNT:
        return STR("");
    }
    return STR("");
}

static bool is_logged(const struct doc_statement *st)
{
    bool parsed = st->error.message.len == 0 && st->stmt != NULL;
    return parsed && st->stmt->kind != STMT_EXPLAIN && operation_type(st).len > 0;
}

/* Targets of UPDATE and MERGE are named in full, all others by the column alone. */
static uint32_t target_vertex(struct log_graph *graph, const struct doc_statement *st, str_t table, str_t column)
{
    bool full = st->operation == OPERATION_UPDATE || st->operation == OPERATION_MERGE;
    str_t label = full && table.len > 0 ? arena_dotted(graph->arena, (const str_t[]){table, column}, 2) : column;
    return log_vertex(graph, &(struct log_vertex){.table = table, .label = label});
}

/* Rows of a table have no vertex. */
static void add_sources(struct log_graph *graph, struct log_ids *list, const struct doc_source *sources, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sources[i].column.len == 0)
            continue;
        str_t label = arena_dotted(graph->arena, (const str_t[]){sources[i].table, sources[i].column}, 2);
        log_ids_add(graph->arena, list, log_vertex(graph, &(struct log_vertex){.table = sources[i].table, .label = label}));
    }
}

static bool is_window_of(const struct doc_predicate *predicate, const struct doc_column *column)
{
    return predicate->clause == CLAUSE_WINDOW && predicate->target_count == 1 &&
           str_eq(predicate->targets[0].column, column->column) && str_eq(predicate->targets[0].table, column->table);
}

/* The window predicates of the column as an edge to it alone. */
static void add_windows(struct log_graph *graph, const struct doc_statement *st, const struct doc_column *column, uint32_t target)
{
    struct log_ids sources = {0};
    for (uint32_t i = 0; i < st->predicate_count; i++)
        if (is_window_of(&st->predicates[i], column))
            add_sources(graph, &sources, st->predicates[i].sources, st->predicates[i].source_count);
    if (sources.count == 0)
        return;
    log_ids_sort(&sources);
    struct log_edge *edge = log_edge(graph, true, STR(""));
    if (edge == NULL)
        return;
    edge->sources = sources;
    log_ids_add(graph->arena, &edge->targets, target);
}

static bool same_target(const struct doc_column *a, const struct doc_column *b)
{
    return a->ordinal == b->ordinal && str_eq(a->column, b->column) && str_eq(a->table, b->table);
}

static uint32_t add_projection(struct log_graph *graph, const struct doc_statement *st, uint32_t first, struct log_ids *targets)
{
    const struct doc_column *column = &st->columns[first];
    uint32_t target = target_vertex(graph, st, column->table, column->column);
    struct log_ids sources = {0};
    uint32_t i = first;
    for (; i < st->column_count && same_target(column, &st->columns[i]); i++)
        add_sources(graph, &sources, st->columns[i].sources, st->columns[i].source_count);
    log_ids_sort(&sources);
    struct log_edge *edge = log_edge(graph, false, STR(""));
    if (edge != NULL) {
        edge->sources = sources;
        log_ids_add(graph->arena, &edge->targets, target);
    }
    log_ids_add(graph->arena, targets, target);
    return i;
}

/* Everything that decides about all rows is one edge to all targets. */
static void add_predicates(struct log_graph *graph, const struct doc_statement *st, struct log_ids *targets)
{
    struct log_ids sources = {0};
    for (uint32_t i = 0; i < st->predicate_count; i++)
        if (st->predicates[i].target_count == 0)
            add_sources(graph, &sources, st->predicates[i].sources, st->predicates[i].source_count);
    if (sources.count == 0)
        return;
    log_ids_sort(&sources);
    log_ids_sort(targets);
    struct log_edge *edge = log_edge(graph, true, STR(""));
    if (edge == NULL)
        return;
    edge->sources = sources;
    edge->targets = *targets;
}

static void build(struct log_graph *graph, const struct doc_statement *st)
{
    struct log_ids targets = {0};
    for (uint32_t i = 0; i < st->column_count;) {
        const struct doc_column *column = &st->columns[i];
        i = add_projection(graph, st, i, &targets);
        if (targets.count > 0)
            add_windows(graph, st, column, targets.items[targets.count - 1]);
    }
    add_predicates(graph, st, &targets);
}

static str_t table_type(const struct catalog *catalog, const struct doc_statement *st, str_t name)
{
    const struct catalog_table *table = catalog == NULL ? NULL : catalog_find_table(catalog, name_of(name));
    bool view = st->operation == OPERATION_CREATE_VIEW || st->operation == OPERATION_ALTER_VIEW;
    if (view && st->output_count > 0 && str_eq(st->outputs[0].dataset.table, name))
        return STR("view");
    if (table == NULL)
        return STR("unknown");
    if (table->kind == TABLE_VIEW)
        return STR("view");
    switch (table->storage) {
    case STORAGE_ICEBERG:
        return STR("iceberg");
    case STORAGE_KUDU:
        return STR("kudu");
    case STORAGE_HBASE:
        return STR("hbase");
    default:
        return STR("hive");
    }
}

static void write_metadata(struct doc_writer *w, const struct doc_statement *st, str_t table)
{
    struct jsonw *json = &w->json;
    jsonw_key(json, STR("metadata"));
    jsonw_object_begin(json);
    jsonw_member(json, STR("tableName"), table);
    jsonw_member(json, STR("tableType"), table_type(w->script.catalog, st, table));
    jsonw_key(json, STR("tableCreateTime"));
    jsonw_raw(json, STR("-1"));
    jsonw_object_end(json);
}

static void write_vertices(struct doc_writer *w, const struct doc_statement *st, const struct log_graph *graph)
{
    struct jsonw *json = &w->json;
    jsonw_key(json, STR("vertices"));
    jsonw_array_begin(json);
    for (uint32_t i = 0; i < graph->vertices.count; i++) {
        const struct log_vertex *vertex = &graph->vertices.items[i];
        jsonw_object_begin(json);
        jsonw_member_number(json, STR("id"), i);
        jsonw_member(json, STR("vertexType"), STR("COLUMN"));
        jsonw_member(json, STR("vertexId"), vertex->label);
        if (vertex->table.len > 0)
            write_metadata(w, st, vertex->table);
        jsonw_object_end(json);
    }
    jsonw_array_end(json);
}

/* The statement with a blank for every line break, as Impala logs it. */
static str_t query_text(struct doc_writer *w, const struct doc_statement *st)
{
    str_t text = doc_statement_text(st);
    char *copy = arena_alloc(&w->scratch, text.len);
    if (copy == NULL)
        return STR("");
    for (size_t i = 0; i < text.len; i++)
        copy[i] = text.ptr[i] == '\n' ? ' ' : text.ptr[i];
    return str_make(copy, text.len);
}

void impala_add(struct doc_writer *w, const struct doc_statement *st)
{
    if (!is_logged(st))
        return;
    struct log_graph graph;
    log_graph_init(&graph, &w->scratch);
    build(&graph, st);
    str_t query = query_text(w, st);
    struct jsonw *json = &w->json;
    jsonw_init(json, &w->out, false);
    jsonw_object_begin(json);
    jsonw_member(json, STR("queryText"), query);
    jsonw_member(json, STR("operationType"), operation_type(st));
    jsonw_key(json, STR("hash"));
    jsonw_string_open(json);
    add_murmur3(&w->out, utf16le(&w->scratch, query));
    jsonw_string_close(json);
    log_edges_write(json, &graph);
    write_vertices(w, st, &graph);
    jsonw_object_end(json);
    buf_add_char(&w->out, '\n');
}
