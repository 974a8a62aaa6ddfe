/*
 * A script's lineage with the store's tables as catalog, and what it would change; nothing is
 * stored. Tables that the text may name are looked up first; then the library reads the script
 * twice: as statements, for the document and its edges, and as DDL, for what becomes of tables.
 */
#include "api/analysis.h"

#include "ask/catalog.h"
#include "base/json.h"

#include <string.h>

enum { SQL_MOST = 1 << 20, NAMES_MOST = 5000, MEMORY_MOST = 256 << 20, EDGES_MOST = 20000 };

static str_t text_of(colline_text text)
{
    return str_make(text.ptr, text.len);
}

/* ---- the request ---------------------------------------------------------------------------- */

static void check_members(struct call *call, const struct json *body)
{
    static const str_t known[] = {STR("sql"), STR("dialect"), STR("database"), STR("namespace"),
                                  STR("variables")};
    for (const struct json *member = body->first; member != NULL; member = member->next) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            found = found || str_eq(member->key, known[i]);
        bool variables = str_eq(member->key, STR("variables"));
        int shown = member->key.len > 100 ? 100 : (int)member->key.len;
        if (!found)
            call_refuse(call, 400, "There is no member `%.*s` here.", shown, member->key.ptr);
        else if (member->kind != (variables ? JSON_OBJECT : JSON_STRING))
            call_refuse(call, 400, "`%.*s` must be %s.", shown, member->key.ptr,
                        variables ? "an object" : "a text");
    }
}

static bool read_request(struct call *call, struct analysis *a)
{
    const char *message;
    size_t where;
    str_t type = http_header(call->request, STR("Content-Type"));
    if (!str_starts_with(type, STR("application/json"))) {
        call_refuse(call, 415, "The body must be application/json.");
        return false;
    }
    a->body = json_read(call->ask.arena, call->request->body, &message, &where);
    if (a->body == NULL || a->body->kind != JSON_OBJECT) {
        call_refuse(call, 400, "The body is no JSON object: %s at byte %zu.",
                    a->body == NULL ? message : "it is something else",
                    a->body == NULL ? where : 0);
        return false;
    }
    check_members(call, a->body);
    str_t dialect = json_member_text(a->body, STR("dialect"));
    a->sql = json_member_text(a->body, STR("sql"));
    a->database = json_member_text(a->body, STR("database"));
    a->dialect = str_eq(dialect, STR("impala")) ? COLLINE_IMPALA : COLLINE_HIVE;
    if (dialect.len > 0 && !str_eq(dialect, STR("impala")) && !str_eq(dialect, STR("hive")))
        call_refuse(call, 400, "`dialect` is hive or impala.");
    if (json_member(a->body, STR("sql")) == NULL)
        call_refuse(call, 400, "The member `sql` is missing.");
    if (a->sql.len > SQL_MOST)
        call_refuse(call, 413, "`sql` has more than 1 MiB.");
    return !call->refused;
}

/* The one that is named, or the only one there is. */
static bool choose_namespace(struct call *call, struct analysis *a)
{
    uint32_t count;
    str_t wanted = json_member_text(a->body, STR("namespace"));
    str_t *names = ask_namespaces(&call->ask, &count);
    a->name_space_name = wanted.len > 0 ? wanted : count == 1 ? names[0] : STR("");
    a->name_space = a->name_space_name.len > 0 ? ask_namespace(&call->ask, a->name_space_name) : 0;
    if (wanted.len > 0 && a->name_space == 0)
        call_refuse(call, 400, "There is no namespace %.*s.",
                    wanted.len > 200 ? 200 : (int)wanted.len, wanted.ptr);
    else if (a->name_space == 0 && count > 1)
        call_refuse(call, 400, "There are %u namespaces: say which `namespace` is meant.", count);
    return !call->refused;
}

/* ---- the catalog ---------------------------------------------------------------------------- */

static colline_catalog *catalog_of(const struct analysis *a)
{
    colline_catalog *catalog = colline_catalog_new(MEMORY_MOST);
    for (uint32_t i = 0; catalog != NULL && i < a->known.count; i++)
        (void)colline_catalog_add_json(catalog, a->known.items[i].json.ptr,
                                       a->known.items[i].json.len, NULL);
    return catalog;
}

/* ---- reading -------------------------------------------------------------------------------- */

static str_t column_name(struct arena *arena, str_t table, str_t column)
{
    return column.len == 0 ? arena_copy(arena, table)
                           : arena_dotted(arena, (const str_t[]){table, column}, 2);
}

static void take_column(struct call *call, struct analysis *a, const colline_column *column)
{
    str_t table = text_of(colline_column_table(column));
    if (table.len == 0)
        return;
    str_t target = column_name(call->ask.arena, table, text_of(colline_column_name(column)));
    for (size_t i = 0; i < colline_column_source_count(column) && a->edges.count < EDGES_MOST;
         i++) {
        const colline_source *source = colline_column_source(column, i);
        struct ask_pair *pair = VEC_PUSH(call->ask.arena, &a->edges);
        if (pair != NULL)
            *pair = (struct ask_pair){column_name(call->ask.arena,
                                                  text_of(colline_source_table(source)),
                                                  text_of(colline_source_name(source))),
                                      target};
    }
}

static bool rewrites(str_t mode)
{
    static const str_t modes[] = {STR("overwrite"), STR("create"), STR("replace"), STR("truncate")};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (str_eq(mode, modes[i]))
            return true;
    return false;
}

static void take_statement(struct call *call, struct analysis *a,
                           const colline_statement *statement)
{
    for (size_t i = 0; i < colline_statement_column_count(statement); i++)
        take_column(call, a, colline_statement_column(statement, i));
    for (size_t i = 0; i < colline_statement_output_count(statement); i++) {
        const colline_output *output = colline_statement_output(statement, i);
        str_t table = arena_copy(call->ask.arena, text_of(colline_output_table(output)));
        ask_words_add(&a->written, call->ask.arena, table);
        if (rewrites(text_of(colline_output_write_mode(output))))
            ask_words_add(&a->rewritten, call->ask.arena, table);
    }
}

static bool add_bytes(void *context, const char *bytes, size_t len)
{
    struct buf *out = context;
    buf_add(out, str_make(bytes, len));
    return !out->failed;
}

static bool read_script(struct call *call, struct analysis *a, const colline_catalog *catalog)
{
    colline_analyzer *an = colline_analyzer_new(catalog, MEMORY_MOST);
    if (an == NULL)
        return false;
    colline_set_dialect(an, a->dialect);
    bool good = a->database.len == 0 ||
                colline_set_database(an, a->database.ptr, a->database.len) == COLLINE_OK;
    good = good && colline_begin(an, a->sql.ptr, a->sql.len) == COLLINE_OK;
    const struct json *variables = json_member(a->body, STR("variables"));
    for (const struct json *v = variables == NULL ? NULL : variables->first; v != NULL && good;
         v = v->next)
        good = v->kind == JSON_STRING &&
               colline_define(an, v->key.ptr, v->key.len, v->text.ptr, v->text.len) == COLLINE_OK;
    good = good && colline_document_open(an, COLLINE_JSONL, "sql", 3, add_bytes, &a->document) ==
                       COLLINE_OK;
    for (const colline_statement *statement; good && (statement = colline_next(an)) != NULL;) {
        take_statement(call, a, statement);
        good = colline_document_add(an) == COLLINE_OK;
    }
    good = good && colline_document_close(an) == COLLINE_OK;
    colline_analyzer_free(an);
    return good;
}

/* ---- DDL ------------------------------------------------------------------------------------ */

struct visit {
    struct call *call;
    struct analysis *a;
    const colline_catalog *before;
};

static bool find_column(const colline_table *table, str_t name, str_t *type)
{
    for (size_t i = 0; i < colline_table_column_count(table); i++) {
        if (!str_eq(text_of(colline_table_column_name(table, i)), name))
            continue;
        *type = text_of(colline_table_column_type(table, i));
        return true;
    }
    return false;
}

static void compare_tables(struct visit *v, const colline_table *before, const colline_table *after)
{
    str_t table = text_of(colline_table_name(after)), other;
    for (size_t i = 0; i < colline_table_column_count(after); i++) {
        str_t name = text_of(colline_table_column_name(after, i)),
              type = text_of(colline_table_column_type(after, i));
        if (!find_column(before, name, &other))
            analysis_change(v->call, v->a, STR("column_added"), table, name, STR(""), type);
        else if (!str_eq(other, type))
            analysis_change(v->call, v->a, STR("column_retyped"), table, name, other, type);
    }
    for (size_t i = 0; i < colline_table_column_count(before); i++) {
        str_t name = text_of(colline_table_column_name(before, i)),
              type = text_of(colline_table_column_type(before, i));
        if (!find_column(after, name, &other))
            analysis_change(v->call, v->a, STR("column_dropped"), table, name, type, STR(""));
    }
}

static bool visit_after(void *context, const colline_table *after)
{
    struct visit *v = context;
    str_t name = text_of(colline_table_name(after));
    const colline_table *before = colline_catalog_table(v->before, name.ptr, name.len);
    if (before != NULL)
        compare_tables(v, before, after);
    else
        analysis_change(v->call, v->a, STR("table_added"), name, STR(""), STR(""), STR(""));
    return true;
}

static void compare_catalogs(struct call *call, struct analysis *a, const colline_catalog *before,
                             const colline_catalog *after)
{
    struct visit visit = {call, a, before};
    (void)colline_catalog_each_table(after, visit_after, &visit);
    for (uint32_t i = 0; i < a->known.count; i++) {
        str_t name = a->known.items[i].name;
        if (colline_catalog_table(before, name.ptr, name.len) != NULL &&
            colline_catalog_table(after, name.ptr, name.len) == NULL)
            analysis_change(call, a, STR("table_dropped"), name, STR(""), STR(""), STR(""));
    }
}

/* The script once more, against a catalog of its own. */
static void read_as_ddl(struct call *call, struct analysis *a, const colline_catalog *before)
{
    colline_catalog *after = catalog_of(a);
    struct buf text;
    buf_init(&text, 0);
    BUF_ADD(&text, "use `");
    buf_add(&text, a->database.len == 0 ? STR("default") : a->database);
    BUF_ADD(&text, "`;\n");
    buf_add(&text, a->sql);
    if (after != NULL && !text.failed) {
        (void)colline_catalog_add_ddl(after, text.ptr, text.len, a->dialect, NULL);
        compare_catalogs(call, a, before, after);
    }
    buf_release(&text);
    colline_catalog_free(after);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static void write_script_change(struct out *out, const struct analysis_change *change)
{
    out_begin(out, STR(""));
    out_word(out, STR("type"), change->type);
    out_text(out, STR("source"), change->source);
    out_text(out, STR("target"), change->target);
    out_text(out, STR("column"), change->column);
    out_text(out, STR("before"), change->before);
    out_text(out, STR("after"), change->after);
    out_end(out);
}

static void write_answer(struct call *call, struct analysis *a)
{
    struct out *out = &call->out;
    struct analysis_hits hits = analysis_hits(call, a);
    str_t *via = dependents_via(call, hits.items, hits.count);
    out_begin(out, STR(""));
    out_json(out, STR("document"), str_trim(buf_str(&a->document)));
    out_list(out, STR("changes"));
    for (uint32_t i = 0; i < a->changes.count; i++)
        write_script_change(out, &a->changes.items[i]);
    out_list_end(out);
    out_list(out, STR("hit"));
    for (uint32_t i = 0; i < hits.count && via != NULL; i++) {
        out_begin(out, STR(""));
        write_dependent(out, call->ask.arena, &hits.items[i], via[i]);
        out_end(out);
    }
    out_list_end(out);
    out_end(out);
}

static void analyze(struct call *call, struct analysis *a)
{
    struct ask_words names = ask_names_in(call->ask.arena, a->sql, a->database, NAMES_MOST);
    if (a->name_space != 0)
        a->known = ask_catalog(&call->ask, a->name_space, &names, call_shows_sql(call));
    colline_catalog *catalog = catalog_of(a);
    if (catalog == NULL || !read_script(call, a, catalog))
        call_refuse(call, 400,
                    "The script cannot be analysed: it is too large, or a variable has no name.");
    if (!call->refused && catalog != NULL) {
        read_as_ddl(call, a, catalog);
        analysis_edges(call, a);
    }
    colline_catalog_free(catalog);
    if (!call->refused)
        write_answer(call, a);
}

void answer_analyze(struct call *call)
{
    struct analysis a = {0};
    buf_init(&a.document, 0);
    if (read_request(call, &a) && choose_namespace(call, &a))
        analyze(call, &a);
    buf_release(&a.document);
}
