/*
 * Edges as sets of numbers: the hash of `source` and `target`, names in lower case. A target is `db.table.column`, or the column's name
 * alone where the statement only reads.
 */
#include "normalize/agree.h"

#include "base/json.h"
#include "run/hash.h"

#include <stdlib.h>

struct edges {
    uint64_t *items;
    uint32_t count, capacity;
};

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void sort_unique(struct edges *edges)
{
    uint32_t kept = 0;
    if (edges->count == 0)
        return;
    qsort(edges->items, edges->count, sizeof *edges->items, compare);
    for (uint32_t i = 1; i < edges->count; i++)
        if (edges->items[i] != edges->items[kept])
            edges->items[++kept] = edges->items[i];
    edges->count = kept + 1;
}

static void add_edge(struct edges *edges, uint64_t source, uint64_t target, struct arena *arena)
{
    if (!vec_reserve(arena, (void **)&edges->items, edges->count, &edges->capacity, sizeof *edges->items))
        return;
    const uint64_t pair[2] = {source, target};
    edges->items[edges->count++] = hash64(str_make((const char *)pair, sizeof pair), 0);
}

static uint64_t name_number(str_t table, str_t column, struct arena *arena)
{
    str_t parts[2] = {table, column};
    str_t whole = table.len == 0 ? column : column.len == 0 ? table : arena_dotted(arena, parts, 2);
    return hash64(name_str(arena_name(arena, whole)), 0);
}

/* ---- the engine's ----------------------------------------------------------------------------------------------- */

struct vertices {
    uint64_t *names;
    uint32_t count;
};

static bool small_number(const struct json *value, uint32_t limit, uint32_t *number)
{
    *number = 0;
    if (value == NULL || value->kind != JSON_NUMBER || value->text.len == 0 || value->text.len > 9)
        return false;
    for (size_t i = 0; i < value->text.len; i++) {
        if (value->text.ptr[i] < '0' || value->text.ptr[i] > '9')
            return false;
        *number = *number * 10 + (uint32_t)(value->text.ptr[i] - '0');
    }
    return *number < limit;
}

/* Impala's targets are labels, with the table beside them; all else is a whole name. */
static uint64_t vertex_name(const struct json *vertex, struct arena *arena)
{
    str_t id = json_member_text(vertex, STR("vertexId"));
    str_t table = json_member_text(json_member(vertex, STR("metadata")), STR("tableName"));
    bool whole = table.len == 0 || (id.len > table.len && str_starts_with(id, table) && id.ptr[table.len] == '.');
    return name_number(whole ? STR("") : table, id, arena);
}

static bool read_vertices(const struct json *list, struct vertices *vertices, struct arena *arena)
{
    for (const struct json *v = list == NULL ? NULL : list->first; v != NULL; v = v->next)
        vertices->count++;
    vertices->names = ARENA_ARRAY(arena, uint64_t, vertices->count);
    if (vertices->names == NULL || vertices->count == 0)
        return false;
    for (const struct json *v = list->first; v != NULL; v = v->next) {
        uint32_t id;
        if (!small_number(json_member(v, STR("id")), vertices->count, &id))
            return false;
        vertices->names[id] = vertex_name(v, arena);
    }
    return true;
}

static bool read_edge(const struct json *edge, const struct vertices *vertices, struct edges *edges, struct arena *arena)
{
    const struct json *sources = json_member(edge, STR("sources")), *targets = json_member(edge, STR("targets"));
    if (sources == NULL || targets == NULL)
        return false;
    for (const struct json *s = sources->first; s != NULL; s = s->next)
        for (const struct json *t = targets->first; t != NULL; t = t->next) {
            uint32_t source, target;
            if (!small_number(s, vertices->count, &source) || !small_number(t, vertices->count, &target))
                return false;
            add_edge(edges, vertices->names[source], vertices->names[target], arena);
        }
    return true;
}

static bool read_graph(str_t graph, struct edges *edges, struct arena *arena)
{
    const char *message;
    size_t where;
    struct vertices vertices = {0};
    const struct json *root = json_read(arena, graph, &message, &where);
    const struct json *list = json_member(root, STR("edges"));
    if (root == NULL || list == NULL || !read_vertices(json_member(root, STR("vertices")), &vertices, arena))
        return false;
    for (const struct json *edge = list->first; edge != NULL; edge = edge->next)
        if (str_eq(json_member_text(edge, STR("edgeType")), STR("PROJECTION")) && !read_edge(edge, &vertices, edges, arena))
            return false;
    return true;
}

/* ---- ours ------------------------------------------------------------------------------------------------------- */

static str_t slice(colline_text text)
{
    return str_make(text.ptr, text.len);
}

static void add_column(const colline_column *column, struct edges *edges, struct arena *arena)
{
    uint64_t target = name_number(slice(colline_column_table(column)), slice(colline_column_name(column)), arena);
    for (size_t i = 0; i < colline_column_source_count(column); i++) {
        const colline_source *source = colline_column_source(column, i);
        add_edge(edges, name_number(slice(colline_source_table(source)), slice(colline_source_name(source)), arena), target, arena);
    }
}

/* Of the one statement in the text; false when it has an error. */
static bool read_ours(struct space *space, const struct lineage_text *text, struct edges *edges, struct arena *arena)
{
    colline_analyzer *an = space->engine;
    str_t database = text->database.len > 0 ? text->database : STR("default");
    colline_set_dialect(an, text->hive ? COLLINE_HIVE : COLLINE_IMPALA);
    if (colline_set_database(an, database.ptr, database.len) != COLLINE_OK ||
        colline_begin(an, text->sql.ptr, text->sql.len) != COLLINE_OK)
        return false;
    for (const colline_statement *st; (st = colline_next(an)) != NULL;) {
        if (colline_statement_failed(st))
            return false;
        for (size_t i = 0; i < colline_statement_column_count(st); i++)
            add_column(colline_statement_column(st, i), edges, arena);
    }
    return true;
}

struct agreement agreement_of(struct space *space, const struct lineage_text *text, str_t graph, struct arena *arena)
{
    struct agreement result = {0};
    struct edges engine = {0}, ours = {0};
    if (!read_graph(graph, &engine, arena) || !read_ours(space, text, &ours, arena) || arena->failed)
        return result;
    sort_unique(&engine);
    sort_unique(&ours);
    result.compared = true;
    uint32_t i = 0, k = 0;
    while (i < engine.count && k < ours.count) {
        if (engine.items[i] == ours.items[k])
            result.both++;
        else if (engine.items[i] < ours.items[k])
            result.only_engine++;
        else
            result.only_ours++;
        bool first = engine.items[i] <= ours.items[k], second = ours.items[k] <= engine.items[i];
        i += first;
        k += second;
    }
    result.only_engine += engine.count - i;
    result.only_ours += ours.count - k;
    return result;
}
