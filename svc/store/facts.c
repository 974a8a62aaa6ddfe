/*
 * Documents name datasets and columns by text, again and again: here each becomes one entry of a list, found by a map over its name. Pairs of
 * tables come last, from what the columns and conditions have shown.
 */
#include "store/facts.h"

#include "base/json.h"
#include "base/name_map.h"
#include "run/hash.h"
#include "store/defined.h"
#include "store/label.h"

#include <stdio.h>

struct reading {
    struct arena *arena;
    struct facts *facts;
    struct name_map datasets, columns; /* index + 1 as a pointer */
    uint32_t first_output;
    str_t sql; /* may be empty */
    bool failed;
};

static uintptr_t index_in(const struct name_map *map, str_t key)
{
    return (uintptr_t)name_map_get(map, name_of(key));
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static uint32_t add_entry(struct reading *r, str_t name, bool path)
{
    struct facts *f = r->facts;
    void **place = name_map_place(&r->datasets, r->arena, name_of(name));
    if (place == NULL)
        return 0;
    if (*place != NULL)
        return (uint32_t)((uintptr_t)*place - 1);
    struct fact_dataset *added = VEC_PUSH(r->arena, &f->datasets);
    if (added == NULL)
        return 0;
    *added = (struct fact_dataset){name, path};
    *place = (void *)(uintptr_t)f->datasets.count; /* NOLINT(performance-no-int-to-ptr) */
    return f->datasets.count - 1;
}

static uint32_t add_table(struct reading *r, str_t name)
{
    return add_entry(r, name, false);
}

static bool has_role(const struct facts *f, uint32_t dataset, enum store_role role)
{
    for (uint32_t i = 0; i < f->roles.count; i++)
        if (f->roles.items[i].dataset == dataset && f->roles.items[i].role == role)
            return true;
    return false;
}

static void add_told_role(struct reading *r, struct fact_role role)
{
    if (has_role(r->facts, role.dataset, role.role))
        return;
    struct fact_role *added = VEC_PUSH(r->arena, &r->facts->roles);
    if (added != NULL)
        *added = role;
}

static void add_role(struct reading *r, uint32_t dataset, enum store_role role, str_t mode, bool resets)
{
    add_told_role(r, (struct fact_role){dataset, role, mode, resets, role == ROLE_READS_THROUGH ? KIND_VIEW : KIND_TABLE});
}

static uint32_t add_column(struct reading *r, uint32_t dataset, str_t name)
{
    struct facts *f = r->facts;
    char front[12];
    int len = snprintf(front, sizeof front, "%u.", dataset);
    str_t key = arena_join(r->arena, str_make(front, (size_t)len), name);
    void **place = name_map_place(&r->columns, r->arena, name_of(key));
    if (place == NULL)
        return 0;
    if (*place != NULL)
        return (uint32_t)((uintptr_t)*place - 1);
    struct fact_column *added = VEC_PUSH(r->arena, &f->columns);
    if (added == NULL)
        return 0;
    *added = (struct fact_column){dataset, name};
    *place = (void *)(uintptr_t)f->columns.count; /* NOLINT(performance-no-int-to-ptr) */
    return f->columns.count - 1;
}

static void add_column_edge(struct reading *r, uint32_t dst, uint32_t src, enum column_edge_kind kind)
{
    struct fact_column_edge *added = VEC_PUSH(r->arena, &r->facts->column_edges);
    if (added != NULL)
        *added = (struct fact_column_edge){dst, src, kind};
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/*
 * `db.table.column`, `db.table` for its rows. Names may hold dots, so the dataset is the longest one known of the statement that begins it; else what
 * stands before the second dot.
 */
static uint32_t column_of(struct reading *r, str_t text)
{
    size_t dot = str_find(text, '.', str_find(text, '.', 0) + 1);
    size_t found = 0;
    if (index_in(&r->datasets, text) != 0)
        return add_column(r, (uint32_t)index_in(&r->datasets, text) - 1, STR(""));
    for (size_t at = dot; at < text.len; at = str_find(text, '.', at + 1))
        if (index_in(&r->datasets, str_make(text.ptr, at)) != 0)
            found = at;
    size_t end = found > 0 ? found : dot < text.len ? dot : text.len;
    uint32_t dataset = add_table(r, str_make(text.ptr, end));
    return add_column(r, dataset, end < text.len ? str_make(text.ptr + end + 1, text.len - end - 1) : STR(""));
}

/* A target: a column of an output; of a directory, which has no name before the column's, the first output's. */
static uint32_t target_of(struct reading *r, str_t text)
{
    const struct facts *f = r->facts;
    uint32_t directory = FACT_NONE;
    for (uint32_t i = r->first_output; i < f->roles.count; i++) {
        const struct fact_role *role = &f->roles.items[i];
        str_t name = f->datasets.items[role->dataset].name;
        if (role->role != ROLE_WRITES)
            continue;
        if (text.len > name.len && text.ptr[name.len] == '.' && str_starts_with(text, name))
            return add_column(r, role->dataset, str_make(text.ptr + name.len + 1, text.len - name.len - 1));
        if (directory == FACT_NONE && f->datasets.items[role->dataset].path)
            directory = role->dataset;
    }
    return directory == FACT_NONE ? FACT_NONE : add_column(r, directory, text);
}

static uint32_t source_of(struct reading *r, const struct json *source)
{
    return column_of(r, source->kind == JSON_STRING ? source->text : json_member_text(source, STR("column")));
}

/* ---- a document's parts ----------------------------------------------------------------------------------------- */

static uint32_t dataset_of(struct reading *r, const struct json *item)
{
    if (item->kind == JSON_STRING)
        return add_table(r, item->text);
    str_t table = json_member_text(item, STR("table"));
    if (table.len > 0)
        return add_table(r, table);
    return add_entry(r, json_member_text(item, STR("path")), true);
}

static bool operation_is(const struct reading *r, str_t name)
{
    return str_eq(r->facts->operation, name);
}

static enum dataset_kind kind_of_output(const struct reading *r)
{
    if (operation_is(r, STR("create_view")) || operation_is(r, STR("alter_view")))
        return KIND_VIEW;
    if (operation_is(r, STR("create_materialized_view")) || operation_is(r, STR("rebuild_materialized_view")))
        return KIND_MATERIALIZED_VIEW;
    return makes_temporary(r->sql) ? KIND_TEMPORARY : KIND_TABLE;
}

/* Whether nothing of what was there before is left. */
static bool leaves_nothing(const struct reading *r, str_t mode)
{
    if (str_eq(mode, STR("overwrite")) || str_eq(mode, STR("truncate")) || str_eq(mode, STR("replace")) || str_eq(mode, STR("rename")))
        return true;
    return str_eq(mode, STR("create")) && !spares_what_is_there(r->sql);
}

static void read_inputs(struct reading *r, const struct json *list, enum store_role role)
{
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        uint32_t dataset = dataset_of(r, item);
        add_role(r, dataset, role, STR(""), false);
        if (operation_is(r, STR("rename")))
            add_role(r, dataset, ROLE_DROPS, STR(""), false);
    }
}

static void read_outputs(struct reading *r, const struct json *list)
{
    bool defines = operation_is(r, STR("create_table"));
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        str_t mode = json_member_text(item, STR("write_mode"));
        uint32_t dataset = dataset_of(r, item);
        bool reads = has_role(r->facts, dataset, ROLE_READS) || has_role(r->facts, dataset, ROLE_READS_THROUGH);
        const struct fact_role role = {dataset, defines ? ROLE_DEFINES : ROLE_WRITES, mode, !defines && !reads && leaves_nothing(r, mode), kind_of_output(r)};
        add_told_role(r, role);
    }
}

static uint32_t number_of(const struct json *object, str_t key)
{
    const struct json *member = json_member(object, key);
    uint32_t value = 0;
    for (size_t i = 0; member != NULL && member->kind == JSON_NUMBER && i < member->text.len && member->text.ptr[i] >= '0' && member->text.ptr[i] <= '9'; i++)
        value = value * 10 + (uint32_t)(member->text.ptr[i] - '0');
    return value;
}

static bool has_star(const struct facts *f, uint32_t dst, uint32_t src)
{
    for (uint32_t i = 0; i < f->stars.count; i++)
        if (f->stars.items[i].dst == dst && f->stars.items[i].src == src)
            return true;
    return false;
}

/* Of an open star: it may be closed when the columns are known. Of several between two tables the first is. */
static void keep_star(struct reading *r, const struct json *column, uint32_t dst, uint32_t src)
{
    struct facts *f = r->facts;
    if (dst == FACT_NONE || !str_eq(f->columns.items[src].name, STR("*")))
        return;
    const struct fact_star star = {f->columns.items[dst].dataset, f->columns.items[src].dataset, number_of(column, STR("ordinal"))};
    struct fact_star *added = has_star(f, star.dst, star.src) ? NULL : VEC_PUSH(r->arena, &f->stars);
    if (added != NULL)
        *added = star;
}

/* Of a table that is renamed the columns may be known later: until then all go to all. */
static void star_of_rename(struct reading *r)
{
    struct facts *f = r->facts;
    for (uint32_t i = 0; i < f->roles.count; i++) {
        if (f->roles.items[i].role != ROLE_WRITES || r->first_output == 0)
            continue;
        const struct fact_star star = {f->roles.items[i].dataset, f->roles.items[0].dataset, 0};
        uint32_t dst = add_column(r, star.dst, STR("*")), src = add_column(r, star.src, STR("*"));
        add_column_edge(r, dst, src, EDGE_IDENTITY);
        struct fact_star *added = VEC_PUSH(r->arena, &f->stars);
        if (added != NULL)
            *added = star;
        return;
    }
}

static void read_column(struct reading *r, const struct json *column)
{
    const struct json *sources = json_member(column, STR("sources"));
    uint32_t dst = target_of(r, label_target(r->arena, column));
    enum column_edge_kind kind = edge_kind_by_name(json_member_text(column, STR("transform")));
    if (kind == EDGE_INDIRECT)
        kind = EDGE_TRANSFORMATION;
    if (sources == NULL || sources->first == NULL) {
        if (dst != FACT_NONE)
            add_column_edge(r, dst, FACT_NONE, EDGE_CONSTANT);
        return;
    }
    for (const struct json *source = sources->first; source != NULL; source = source->next) {
        uint32_t src = source_of(r, source);
        add_column_edge(r, dst, src, kind);
        keep_star(r, column, dst, src);
    }
}

/* Of one source: to the columns that the condition decides about, else to the rows of every output, or of the answer. */
static void read_decision(struct reading *r, const struct json *statement, const struct json *targets, uint32_t src, enum column_edge_kind kind)
{
    if (targets != NULL && targets->first != NULL) {
        for (const struct json *target = targets->first; target != NULL; target = target->next)
            add_column_edge(r, target_of(r, label_named(r->arena, statement, target->text)), src, kind);
        return;
    }
    uint32_t outputs = 0, count = r->facts->roles.count;
    for (uint32_t i = r->first_output; i < count; i++)
        if (r->facts->roles.items[i].role == ROLE_WRITES) {
            add_column_edge(r, add_column(r, r->facts->roles.items[i].dataset, STR("")), src, kind);
            outputs++;
        }
    if (outputs == 0)
        add_column_edge(r, FACT_NONE, src, kind);
}

static void read_predicate(struct reading *r, const struct json *statement, const struct json *predicate)
{
    const struct json *sources = json_member(predicate, STR("sources"));
    enum column_edge_kind kind = edge_kind_by_name(json_member_text(predicate, STR("clause")));
    if (kind <= EDGE_INDIRECT)
        return; /* a clause of a later version */
    for (const struct json *source = sources == NULL ? NULL : sources->first; source != NULL; source = source->next)
        read_decision(r, statement, json_member(predicate, STR("targets")), source_of(r, source), kind);
}

static void read_diagnostics(struct reading *r, const struct json *list)
{
    for (const struct json *item = list == NULL ? NULL : list->first; item != NULL; item = item->next) {
        str_t code = json_member_text(item, STR("code"));
        if (str_eq(json_member_text(item, STR("severity")), STR("note")))
            continue;
        str_t before = r->facts->uncertain;
        bool said = false;
        for (size_t at = 0; at < before.len && !said; at = str_find(before, ',', at) + 1) {
            size_t end = str_find(before, ',', at);
            said = str_eq(str_make(before.ptr + at, end - at), code);
        }
        if (!said)
            r->facts->uncertain =
                before.len == 0 ? code : arena_concat(r->arena, (const str_t[]){before, STR(","), code}, 3);
    }
}

static void read_statement(struct reading *r, const struct json *statement)
{
    struct facts *f = r->facts;
    f->operation = json_member_text(statement, STR("operation"));
    if (f->fingerprint.len == 0)
        f->fingerprint = json_member_text(statement, STR("fingerprint"));
    read_inputs(r, json_member(statement, STR("inputs")), ROLE_READS);
    read_inputs(r, json_member(statement, STR("views")), ROLE_READS_THROUGH);
    r->first_output = f->roles.count;
    read_outputs(r, json_member(statement, STR("outputs")));
    str_t dropped = json_member_text(statement, STR("dropped"));
    if (dropped.len > 0)
        add_role(r, add_table(r, dropped), ROLE_DROPS, STR(""), true);
    const struct json *columns = json_member(statement, STR("columns"));
    const struct json *predicates = json_member(statement, STR("predicates"));
    for (const struct json *item = columns == NULL ? NULL : columns->first; item != NULL; item = item->next)
        read_column(r, item);
    if (operation_is(r, STR("rename")) && (columns == NULL || columns->first == NULL))
        star_of_rename(r);
    for (const struct json *item = predicates == NULL ? NULL : predicates->first; item != NULL; item = item->next)
        read_predicate(r, statement, item);
    read_diagnostics(r, json_member(statement, STR("diagnostics")));
}

/* ---- pairs of tables -------------------------------------------------------------------------------------------- */

/* Bits of a pair: what its columns show. */
enum { SHOWN_DIRECT = 1, SHOWN_INDIRECT = 2 };

static void show_pairs(const struct facts *f, uint8_t *shown, bool *has_columns)
{
    uint32_t n = f->datasets.count;
    for (uint32_t i = 0; i < f->column_edges.count; i++) {
        const struct fact_column_edge *e = &f->column_edges.items[i];
        if (e->dst == FACT_NONE)
            continue;
        uint32_t dst = f->columns.items[e->dst].dataset;
        has_columns[dst] = true;
        if (e->src != FACT_NONE)
            shown[(size_t)dst * n + f->columns.items[e->src].dataset] |= e->kind < EDGE_INDIRECT ? SHOWN_DIRECT : SHOWN_INDIRECT;
    }
}

static void add_pairs(struct reading *r)
{
    struct facts *f = r->facts;
    size_t n = f->datasets.count;
    uint8_t *shown = ARENA_ARRAY(r->arena, uint8_t, n * n);
    bool *has_columns = ARENA_ARRAY(r->arena, bool, n);
    if (shown == NULL || has_columns == NULL)
        return;
    show_pairs(f, shown, has_columns);
    for (uint32_t o = 0; o < f->roles.count; o++) {
        const struct fact_role out = f->roles.items[o];
        for (uint32_t i = 0; out.role == ROLE_WRITES && i < f->roles.count; i++) {
            const struct fact_role in = f->roles.items[i];
            if (in.role != ROLE_READS && in.role != ROLE_READS_THROUGH)
                continue;
            bool direct = !has_columns[out.dataset] || (shown[out.dataset * n + in.dataset] & SHOWN_DIRECT) != 0;
            struct fact_table_edge *edge = VEC_PUSH(r->arena, &f->table_edges);
            if (edge != NULL)
                *edge = (struct fact_table_edge){out.dataset, in.dataset,
                                                 in.role == ROLE_READS_THROUGH ? TABLE_EDGE_VIEW
                                                 : direct                      ? TABLE_EDGE_DIRECT
                                                                               : TABLE_EDGE_INDIRECT,
                                                 out.mode};
        }
    }
}

/* ---- the key ---------------------------------------------------------------------------------------------------- */

static void add_part(struct buf *out, str_t text)
{
    buf_add(out, text);
    buf_add_char(out, '\0');
}

static void make_key(struct facts *f, str_t name_space)
{
    struct buf text;
    buf_init(&text, 0);
    add_part(&text, name_space);
    add_part(&text, f->engine);
    add_part(&text, f->fingerprint);
    add_part(&text, f->operation);
    add_part(&text, f->uncertain);
    buf_add_char(&text, f->failed ? '1' : '0');
    for (uint32_t i = 0; i < f->roles.count; i++) {
        add_part(&text, f->datasets.items[f->roles.items[i].dataset].name);
        buf_add_number(&text, f->roles.items[i].role);
        buf_add_number(&text, f->roles.items[i].resets);
        add_part(&text, f->roles.items[i].mode);
        if (f->roles.items[i].kind == KIND_TEMPORARY) /* other kinds follow from the operation */
            buf_add_char(&text, 't');
    }
    buf_add_char(&text, '\n');
    for (uint32_t i = 0; i < f->columns.count; i++) {
        buf_add_number(&text, f->columns.items[i].dataset);
        buf_add_char(&text, '.');
        add_part(&text, f->columns.items[i].name);
    }
    buf_add(&text, str_make((const char *)f->column_edges.items, f->column_edges.count * sizeof *f->column_edges.items));
    struct hash128 hash = hash128(buf_str(&text), 0);
    snprintf(f->key, sizeof f->key, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
    buf_release(&text);
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

static void begin(struct reading *r, struct arena *arena, struct facts *facts)
{
    memset(facts, 0, sizeof *facts);
    *r = (struct reading){.arena = arena, .facts = facts};
}

static bool read_document(struct reading *r, str_t document)
{
    const char *message;
    size_t where;
    const struct json *statement = json_read(r->arena, document, &message, &where);
    if (statement == NULL || statement->kind != JSON_OBJECT)
        return false;
    read_statement(r, statement);
    return true;
}

static void read_lists(struct reading *r, const struct event *event, bool beside)
{
    for (uint32_t i = 0; i < event->input_count; i++) {
        uint32_t dataset = add_table(r, event->input_tables[i]);
        if (!beside || !has_role(r->facts, dataset, ROLE_READS_THROUGH))
            add_role(r, dataset, ROLE_READS, STR(""), false);
    }
    for (uint32_t i = 0; i < event->output_count; i++) {
        uint32_t dataset = add_table(r, event->output_tables[i]);
        if (!beside || (!has_role(r->facts, dataset, ROLE_DROPS) && !has_role(r->facts, dataset, ROLE_DEFINES)))
            add_role(r, dataset, ROLE_WRITES, STR("unknown"), false);
    }
}

bool event_succeeded(const struct event *event)
{
    return event->status == EVENT_OK || event->status == EVENT_UNKNOWN;
}

str_t name_space_of(str_t name_space)
{
    return name_space.len > 0 ? name_space : STR("default");
}

static bool finish(struct reading *r, str_t name_space)
{
    if (!r->facts->failed)
        add_pairs(r);
    make_key(r->facts, name_space);
    return !r->arena->failed;
}

bool facts_of_event(const struct event *event, struct arena *arena, struct facts *facts)
{
    struct reading r;
    begin(&r, arena, facts);
    r.sql = event->sql;
    facts->engine = event->engine;
    facts->fingerprint = event->fingerprint;
    facts->failed = !event_succeeded(event);
    bool documented = !facts->failed && event->lineage.len > 0;
    if (documented && !read_document(&r, event->lineage))
        return false;
    if (!documented)
        facts->operation = event->operation_type;
    read_lists(&r, event, documented);
    return finish(&r, name_space_of(event->name_space));
}

bool facts_of_document(const struct document_text *text, struct arena *arena, struct facts *facts)
{
    struct reading r;
    begin(&r, arena, facts);
    r.sql = text->sql;
    facts->engine = text->engine;
    return read_document(&r, text->statement) && finish(&r, name_space_of(text->name_space));
}
