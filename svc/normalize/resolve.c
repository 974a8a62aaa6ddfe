/*
 * Tables of an event, in order of trust: what the whole text says; what stands in the log and is neither the same under another name nor the
 * name of a query inside the text; what the scanned directories are.
 */
#include "normalize/resolve.h"

#include "normalize/names.h"
#include "normalize/paths.h"

struct work {
    struct resolver *resolver;
    struct space *space;
    struct event *event;
    struct arena *arena;
    str_t warehouse;
    const struct lineage_result *result; /* NULL: the text cannot be relied on */
    struct name_list inputs, outputs;
    VEC(struct event_partition) partitions;
    VEC(struct event_problem) problems;
};

static void add_problem(struct work *w, str_t code, str_t message)
{
    struct event_problem *problem = VEC_PUSH(w->arena, &w->problems);
    if (problem != NULL)
        *problem = (struct event_problem){code, arena_copy(w->arena, message)};
}

static const struct normalizer_cluster *cluster_of(const struct resolver *resolver, str_t cluster)
{
    for (size_t i = 0; i < resolver->cluster_count; i++)
        if (str_eq(resolver->clusters[i].name, cluster))
            return &resolver->clusters[i];
    return NULL;
}

str_t resolve_name_space(const struct resolver *resolver, str_t cluster)
{
    const struct normalizer_cluster *known = cluster_of(resolver, cluster);
    return known != NULL && known->name_space.len > 0 ? known->name_space : cluster;
}

static bool is_hive(const struct event *event)
{
    return str_eq(event->engine, STR("hive"));
}

/* Success, or at least no failure that was told. */
static bool ran(const struct event *event)
{
    return event->status == EVENT_OK || event->status == EVENT_UNKNOWN;
}

/* ---- the text --------------------------------------------------------------------------------------------------- */

static struct lineage_text text_of(struct work *w)
{
    struct lineage_text text = {.sql = w->event->sql, .database = w->event->database, .hive = is_hive(w->event)};
    const struct session *session = sessions_find(&w->resolver->sessions, w->space->name, w->event->session_id);
    if (session != NULL) {
        text.prelude = buf_str(&session->prelude);
        text.prelude_statements = session->statements;
    }
    return text;
}

/* What makes a text unfit for analysis; empty when nothing does. */
static bool is_whole(struct work *w)
{
    const struct event *event = w->event;
    if (event->sql.len == 0)
        add_problem(w, STR("no-text"), STR("no source told the SQL text"));
    else if (event->sql_cut)
        add_problem(w, STR("text-cut"), STR("the SQL text is known only in part"));
    else if (event->sql_one_line && text_has_line_comment(event->sql))
        add_problem(w, STR("text-uncertain"), STR("line breaks became blanks, and a comment to the end of the line swallows what followed"));
    else
        return true;
    return false;
}

static void compare_with_engine(struct work *w, const struct lineage_text *text)
{
    if (w->event->engine_lineage.len == 0 || text->prelude.len > 0 || w->result->document.len == 0)
        return;
    struct agreement a = agreement_of(w->space, text, w->event->engine_lineage, w->arena);
    if (!a.compared)
        return;
    bool same = a.only_engine == 0 && a.only_ours == 0;
    w->resolver->agreed += same;
    w->resolver->disagreed += !same;
    if (same)
        return;
    struct buf *message = &w->resolver->text;
    buf_clear(message);
    buf_add_number(message, a.both);
    BUF_ADD(message, " edges alike, ");
    buf_add_number(message, a.only_engine);
    BUF_ADD(message, " only in the engine's record, ");
    buf_add_number(message, a.only_ours);
    BUF_ADD(message, " only in ours");
    add_problem(w, STR("engine-disagrees"), buf_str(message));
}

static void analyse(struct work *w)
{
    struct lineage_text text = text_of(w);
    if (!is_whole(w))
        return;
    const struct lineage_result *result = lineage_of(w->resolver->lineage, w->space, &text);
    if (result == NULL) {
        w->arena->failed = true;
        return;
    }
    if (result->found)
        w->event->fingerprint = str_make(result->fingerprint, sizeof result->fingerprint);
    if (result->error.len > 0 || !result->found) {
        if (ran(w->event))
            add_problem(w, STR("syntax"), result->found ? result->error : STR("the SQL text holds no statement"));
        return;
    }
    w->result = result;
    if (result->statements > 1)
        add_problem(w, STR("several-statements"), STR("the text holds more than one statement; the lineage is that of one"));
    if (!ran(w->event))
        return;
    w->event->lineage = result->document;
    compare_with_engine(w, &text);
}

/* ---- operation -------------------------------------------------------------------------------------------------- */

static str_t upper_with_lines(struct work *w, str_t words)
{
    char *upper = arena_alloc(w->arena, words.len);
    if (upper == NULL)
        return STR("");
    for (size_t i = 0; i < words.len; i++) {
        char c = words.ptr[i];
        upper[i] = c == ' ' ? '_' : c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    return str_make(upper, words.len);
}

static bool renamed(str_t name, str_t *other)
{
    static const str_t names[][2] = {
        {STR("INSERT_OVERWRITE"), STR("OVERWRITE")},     {STR("CREATE_TABLE_AS_SELECT"), STR("CTAS")}, {STR("CREATETABLE_AS_SELECT"), STR("CTAS")},
        {STR("CREATETABLE"), STR("CREATE_TABLE")},       {STR("CREATEVIEW"), STR("CREATE_VIEW")},      {STR("ALTERVIEW_AS"), STR("ALTER_VIEW")},
        {STR("QUERY"), STR("SELECT")},                   {STR("DML"), STR("WRITE")},                   {STR("UNKNOWN"), STR("")},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (str_eq(name, names[i][0])) {
            *other = names[i][1];
            return true;
        }
    return false;
}

/* From the text, else from what the source calls it, else from what was written. */
static void name_operation(struct work *w)
{
    str_t name = upper_with_lines(w, w->event->operation_type);
    if (w->result != NULL)
        name = upper_with_lines(w, str_eq(w->result->operation, STR("none")) ? w->result->type : w->result->operation);
    (void)renamed(name, &name);
    if (name.len == 0)
        name = w->event->output_count > 0 ? STR("WRITE") : STR("SELECT");
    w->event->operation_type = name;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static void add_partition(struct work *w, str_t table, str_t spec)
{
    for (uint32_t i = 0; i < w->partitions.count; i++)
        if (str_eq(w->partitions.items[i].table, table) && str_eq(w->partitions.items[i].spec, spec))
            return;
    struct event_partition *partition = spec.len == 0 ? NULL : VEC_PUSH(w->arena, &w->partitions);
    if (partition == NULL)
        return;
    uint32_t at = w->partitions.count - 1;
    for (; at > 0; at--) {
        const struct event_partition *before = &w->partitions.items[at - 1];
        int order = str_compare(before->table, table);
        if (order < 0 || (order == 0 && str_compare(before->spec, spec) < 0))
            break;
        w->partitions.items[at] = *before;
    }
    w->partitions.items[at] = (struct event_partition){table, spec};
}

static void add_all(struct work *w, struct name_list *list, const str_t *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        (void)names_put(list, names[i], w->arena);
}

static void tables_of_text(struct work *w)
{
    const struct lineage_result *r = w->result;
    if (r == NULL)
        return;
    add_all(w, &w->inputs, r->inputs, r->input_count);
    add_all(w, &w->inputs, r->views, r->view_count);
    for (uint32_t i = 0; i < r->path_count; i++)
        (void)names_put(&w->inputs, path_to_table(w->space, w->warehouse, r->paths[i], w->arena).table, w->arena);
    for (uint32_t i = 0; i < r->output_count; i++) {
        const struct lineage_output *output = &r->outputs[i];
        str_t table = output->table;
        if (table.len == 0)
            table = path_to_table(w->space, w->warehouse, output->path, w->arena).table;
        (void)names_put(&w->outputs, table, w->arena);
        if (table.len > 0)
            add_partition(w, table, output->spec);
    }
    (void)names_put(&w->outputs, r->dropped, w->arena);
}

static bool is_view(const struct work *w, str_t table)
{
    colline_text kind = colline_table_kind(colline_catalog_table(w->space->catalog, table.ptr, table.len));
    return str_eq(str_make(kind.ptr, kind.len), STR("view"));
}

/* The tables that a view reads, by the way that a query over it would. */
static void see_through(struct work *w, str_t view)
{
    struct buf *sql = &w->resolver->text;
    size_t dot = str_find(view, '.', 0);
    if (!is_view(w, view) || dot == view.len)
        return;
    buf_clear(sql);
    BUF_ADD(sql, "select 1 from `");
    buf_add(sql, str_make(view.ptr, dot));
    BUF_ADD(sql, "`.`");
    buf_add(sql, str_make(view.ptr + dot + 1, view.len - dot - 1));
    BUF_ADD(sql, "`");
    struct lineage_text text = {.sql = arena_copy(w->arena, buf_str(sql)), .hive = is_hive(w->event)};
    const struct lineage_result *result = lineage_of(w->resolver->lineage, w->space, &text);
    if (result == NULL)
        return;
    add_all(w, &w->inputs, result->inputs, result->input_count);
    add_all(w, &w->inputs, result->views, result->view_count);
}

/* A name in the log that is another table of the text without its database. */
static bool is_known_otherwise(const struct work *w, str_t logged, str_t last)
{
    bool bare = memchr(logged.ptr, '.', logged.len) == NULL;
    return w->result != NULL && bare && (names_have_last(&w->inputs, last) || names_have_last(&w->outputs, last));
}

/* The name of a query in the text, which logs list as if it were a table of the session's database. */
static bool is_ghost(const struct work *w, str_t logged, str_t canonical, str_t last)
{
    str_t database = w->event->database.len > 0 ? w->event->database : STR("default");
    bool elsewhere = memchr(logged.ptr, '.', logged.len) != NULL &&
                     !(str_starts_with(canonical, database) && canonical.len == database.len + 1 + last.len);
    return !elsewhere && text_defines(w->event->sql, last);
}

static void logged_inputs(struct work *w)
{
    for (uint32_t i = 0; i < w->event->input_count; i++) {
        str_t logged = w->event->input_tables[i];
        if (str_trim(logged).len == 0)
            continue;
        str_t name = name_canonical(logged, w->event->database, w->arena), last = name_last(name);
        if (names_have(&w->inputs, name) || is_known_otherwise(w, logged, last))
            continue;
        if (is_ghost(w, logged, name, last)) {
            w->resolver->ghosts++;
            continue;
        }
        (void)names_put(&w->inputs, name, w->arena);
        see_through(w, name);
    }
}

static void logged_outputs(struct work *w)
{
    for (uint32_t i = 0; i < w->event->output_count; i++) {
        str_t logged = w->event->output_tables[i];
        if (str_trim(logged).len == 0)
            continue;
        str_t name = name_canonical(logged, w->event->database, w->arena);
        if (!is_known_otherwise(w, logged, name_last(name)))
            (void)names_put(&w->outputs, name, w->arena);
    }
}

static void scanned_tables(struct work *w)
{
    for (uint32_t i = 0; i < w->event->path_count; i++) {
        struct path_table found = path_to_table(w->space, w->warehouse, w->event->paths[i], w->arena);
        (void)names_put(&w->inputs, found.table, w->arena);
        if (found.table.len > 0)
            add_partition(w, found.table, found.spec);
    }
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

bool resolve_event(struct resolver *resolver, struct event *event, struct arena *arena)
{
    const struct normalizer_cluster *cluster = cluster_of(resolver, event->cluster);
    event->name_space = resolve_name_space(resolver, event->cluster);
    struct work w = {
        .resolver = resolver,
        .space = spaces_get(resolver->spaces, event->name_space),
        .event = event,
        .arena = arena,
        .warehouse = cluster != NULL && cluster->warehouse.len > 0 ? cluster->warehouse : STR("/user/hive/warehouse"),
    };
    if (w.space == NULL) {
        arena->failed = true;
        return false;
    }
    lineage_turn(resolver->lineage);
    analyse(&w);
    bool uncertain = w.result != NULL && w.result->uncertain;
    name_operation(&w);
    tables_of_text(&w);
    logged_inputs(&w);
    logged_outputs(&w);
    scanned_tables(&w);
    event->input_tables = w.inputs.items;
    event->input_count = w.inputs.count;
    event->output_tables = w.outputs.items;
    event->output_count = w.outputs.count;
    event->partitions = w.partitions.items;
    event->partition_count = w.partitions.count;
    event->problems = w.problems.items;
    event->problem_count = w.problems.count;
    if (!ran(event))
        event->engine_lineage = STR("");
    return uncertain;
}

/* ---- what ran --------------------------------------------------------------------------------------------------- */

static bool begins_with_word(str_t sql, uint32_t index, str_t word)
{
    return str_eq_fold(text_word(sql, index), word);
}

static bool is_temporary(str_t sql)
{
    return begins_with_word(sql, 0, STR("create")) && begins_with_word(sql, 1, STR("temporary"));
}

/* Statements that change what a catalog says; ALTER TABLE .. ADD PARTITION and the like turn out to change nothing. */
static bool is_ddl(str_t type)
{
    static const str_t types[] = {STR("CREATE TABLE"), STR("CREATE VIEW"), STR("CREATE MATERIALIZED VIEW"), STR("CREATE EXTERNAL TABLE"), STR("ALTER TABLE"),
                                  STR("ALTER VIEW"),   STR("ALTER MATERIALIZED VIEW"), STR("DROP TABLE"), STR("DROP VIEW"), STR("DROP MATERIALIZED VIEW"), STR("DROP DATABASE")};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (str_eq(type, types[i]))
            return true;
    return false;
}

bool resolve_is_news(struct resolver *resolver, const struct space *space, str_t table, int64_t time)
{
    str_t parts[2] = {space->name, table};
    str_t key = arena_dotted(&resolver->arena, parts, 2);
    void **place = name_map_place(&resolver->event_times, &resolver->arena, name_of(key));
    if (place == NULL)
        return false;
    int64_t *newest = *place != NULL ? *place : (*place = ARENA_NEW(&resolver->arena, int64_t));
    if (newest == NULL || *newest > time)
        return false;
    *newest = time;
    return true;
}

/* The table that an ALTER is about: the word behind its two, and the one behind a dot. */
static str_t altered_table(str_t sql, str_t database, struct arena *arena)
{
    uint32_t at = begins_with_word(sql, 1, STR("materialized")) ? 3 : 2;
    str_t first = text_word(sql, at);
    if (!str_eq(text_word(sql, at + 1), STR(".")))
        return name_canonical(first, database, arena);
    str_t parts[2] = {first, text_word(sql, at + 2)};
    return name_canonical(arena_dotted(arena, parts, 2), database, arena);
}

static void names_of_ddl(const struct event *event, const struct lineage_result *r, struct name_list *names, struct arena *arena)
{
    for (uint32_t i = 0; i < r->output_count; i++)
        (void)names_put(names, arena_copy(arena, r->outputs[i].table), arena);
    (void)names_put(names, arena_copy(arena, r->dropped), arena);
    if (str_starts_with(r->type, STR("ALTER")))
        (void)names_put(names, altered_table(event->sql, event->database, arena), arena);
    if (str_eq(r->operation, STR("rename")))
        for (uint32_t i = 0; i < r->input_count; i++)
            (void)names_put(names, arena_copy(arena, r->inputs[i]), arena);
}

static void run_ddl(struct resolver *resolver, struct space *space, const struct event *event, const struct name_list *names,
                    const struct resolve_changes *changes, struct arena *arena)
{
    uint64_t *before = ARENA_ARRAY(arena, uint64_t, names->count);
    bool news = before != NULL && names->count > 0;
    for (uint32_t i = 0; news && i < names->count; i++) {
        before[i] = space_table_digest(space, names->items[i]);
        news = resolve_is_news(resolver, space, names->items[i], event->event_time);
    }
    if (!news)
        return;
    space_run(space, event->sql, is_hive(event), event->database);
    for (uint32_t i = 0; i < names->count; i++) {
        bool changed = space_table_digest(space, names->items[i]) != before[i];
        if (changed)
            space_touch(space, names->items[i]);
        if (changed || changes->again)
            changes->table(changes->context, space, names->items[i], event->event_time);
    }
}

/* Whether a session that has temporary tables changes one of them: all that names one is kept. */
static bool concerns_session(struct resolver *resolver, const struct event *event, const struct lineage_result *r)
{
    const struct session *session = sessions_find(&resolver->sessions, event->name_space, event->session_id);
    for (uint32_t i = 0; session != NULL && i < r->output_count; i++)
        if (r->outputs[i].table.len > 0 && text_names(buf_str(&session->prelude), name_last(r->outputs[i].table)))
            return true;
    return session != NULL && r->dropped.len > 0 && text_names(buf_str(&session->prelude), name_last(r->dropped));
}

void resolve_ran(struct resolver *resolver, const struct event *event, const struct resolve_changes *changes)
{
    struct space *space = spaces_get(resolver->spaces, event->name_space);
    if (!ran(event) || event->lineage.len == 0 || space == NULL)
        return;
    struct lineage_text text = {.sql = event->sql, .database = event->database, .hive = is_hive(event)};
    bool temporary = is_temporary(event->sql);
    bool has_session = sessions_find(&resolver->sessions, event->name_space, event->session_id) != NULL;
    bool ddl = begins_with_word(event->sql, 0, STR("create")) || begins_with_word(event->sql, 0, STR("alter")) ||
               begins_with_word(event->sql, 0, STR("drop")) || begins_with_word(event->sql, 0, STR("with"));
    if (!temporary && !has_session && !ddl)
        return;
    const struct lineage_result *r = lineage_of(resolver->lineage, space, &text);
    if (r == NULL || r->error.len > 0)
        return;
    if (event->session_id.len > 0 && (temporary || (has_session && concerns_session(resolver, event, r)))) {
        if (sessions_add(&resolver->sessions, event->name_space, event->session_id, event->sql))
            changes->session(changes->context, event);
        return;
    }
    if (!temporary && is_ddl(r->type)) {
        struct arena arena;
        struct name_list names = {0};
        arena_init(&arena, 0, NULL);
        names_of_ddl(event, r, &names, &arena);
        run_ddl(resolver, space, event, &names, changes, &arena);
        arena_release(&arena);
    }
}
