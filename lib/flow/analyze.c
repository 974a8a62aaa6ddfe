/*
 * The session around the arrows: statements are read one at a time, variables put in, USE and SET followed, prepared
 * statements kept; each statement is bound and its lineage read, and then it changes the session's catalog.
 */
#include "flow/analyze.h"

#include "bind/bind.h"
#include "flow/flow.h"
#include "flow/substitute.h"
#include "sql/lex.h"

void analysis_init(struct analysis *an, const struct catalog *base, size_t memory_limit, const struct arena_source *source)
{
    *an = (struct analysis){0};
    arena_init(&an->session, memory_limit, source);
    arena_init(&an->arena, memory_limit, source);
    an->catalog = catalog_new(base, memory_limit, source);
}

void analysis_release(struct analysis *an)
{
    arena_release(&an->arena);
    arena_release(&an->session);
    if (an->catalog != NULL)
        catalog_free(an->catalog);
    an->catalog = NULL;
}

bool analysis_begin(struct analysis *an, str_t text, const struct analysis_options *options)
{
    if (an->catalog == NULL)
        return false;
    arena_clear(&an->session);
    catalog_clear(an->catalog);
    an->options = *options;
    an->settings.items = an->prepared.items = NULL;
    an->settings.count = an->settings.capacity = an->prepared.count = an->prepared.capacity = 0;
    an->database = STR("default");
    if (options->database.len > 0)
        an->database = name_str(arena_name(&an->session, arena_copy(&an->session, options->database)));
    an->index = 0;
    an->outer = NULL;
    struct parse_options parse = {.dialect = options->dialect, .quoted_identifiers = QUOTED_COLUMN};
    script_reader_init(&an->reader, text, &parse);
    return !an->session.failed;
}

static bool put_setting(struct analysis *an, struct session_setting setting)
{
    for (uint32_t i = 0; i < an->settings.count; i++) {
        if (name_eq(an->settings.items[i].key, setting.key)) {
            an->settings.items[i] = setting;
            return true;
        }
    }
    struct session_setting *slot = VEC_PUSH(&an->session, &an->settings);
    if (slot != NULL)
        *slot = setting;
    return slot != NULL;
}

static str_t without_prefix(str_t key, str_t prefix)
{
    return str_starts_with(key, prefix) ? str_make(key.ptr + prefix.len, key.len - prefix.len) : key;
}

bool analysis_define(struct analysis *an, str_t key, str_t value)
{
    str_t lower = name_str(arena_name(&an->session, arena_copy(&an->session, str_trim(key))));
    struct name name = name_of(without_prefix(lower, STR("hivevar:")));
    return put_setting(an, (struct session_setting){name, arena_copy(&an->session, str_trim(value))});
}

/* ---- what a statement does to the session ---- */

/* hive.support.quoted.identifiers steers the lexer; ${hiveconf:x} reads any setting. */
static void apply_set(struct analysis *an, const struct command_stmt *set)
{
    if (set->key.len == 0 || !str_eq(set->word, STR("set")))
        return;
    analysis_define(an, set->key, set->value);
    str_t plain = without_prefix(name_str(arena_name(&an->session, arena_copy(&an->session, str_trim(set->key)))), STR("hiveconf:"));
    if (!str_starts_with(plain, STR("hivevar:")))
        analysis_define(an, arena_join(&an->session, STR("hiveconf:"), plain), set->value);
    if (!str_eq(plain, STR("hive.support.quoted.identifiers")))
        return;
    str_t mode = str_trim(set->value);
    an->reader.options.quoted_identifiers = str_eq_fold(mode, STR("none"))       ? QUOTED_NONE
                                            : str_eq_fold(mode, STR("standard")) ? QUOTED_STANDARD
                                                                                 : QUOTED_COLUMN;
}

static void apply_use(struct analysis *an, const struct object_stmt *use)
{
    if (use->name.count > 0)
        an->database = arena_copy(&an->session, name_str(use->name.parts[use->name.count - 1].name));
}

/* PREPARE p FROM query: its text is what EXECUTE p runs. */
static void apply_prepare(struct analysis *an, const struct wrapper_stmt *prepare, str_t text)
{
    const struct stmt *inner = prepare->inner;
    struct session_setting *slot = inner == NULL ? NULL : VEC_PUSH(&an->session, &an->prepared);
    if (slot == NULL)
        return;
    str_t body = str_make(text.ptr + inner->span.start, inner->span.end - inner->span.start);
    slot->key = name_of(arena_copy(&an->session, name_str(prepare->name.name)));
    slot->value = arena_copy(&an->session, body);
}

static void apply_to_session(struct analysis *an, const struct stmt *stmt, str_t text)
{
    if (stmt->kind == STMT_SET)
        apply_set(an, stmt->u.command);
    else if (stmt->kind == STMT_USE)
        apply_use(an, stmt->u.object);
    else if (stmt->kind == STMT_PREPARE)
        apply_prepare(an, stmt->u.wrapper, text);
}

/* ---- one statement ---- */

struct work {
    struct parsed parsed;
    str_t text;                     /* that the tree's spans point into */
    bool catalog_full;              /* what the script creates needs more memory than there is */
    bool variables;                 /* the statement has some, set or not */
    bool substituted;
    struct substitution substitution;
    uint32_t start;                 /* of `text` in the script, when substituted */
    const struct substitution *outer; /* from the script to the text that it stands in; or NULL */
};

/* Reads the statement again with its variables put in; spans then go by way of the substitution. */
static void read_substituted(struct analysis *an, struct work *w, size_t from)
{
    str_t raw = str_make(an->reader.text.ptr + from, an->reader.pos - from);
    w->variables = has_variable(raw);
    if (w->parsed.stmt == NULL || !w->variables || w->parsed.stmt->kind == STMT_SET)
        return;
    if (!substitute(&an->arena, raw, an->settings.items, an->settings.count, &w->substitution))
        return;
    struct script_reader reader;
    script_reader_init(&reader, w->substitution.text, &an->reader.options);
    struct parsed again;
    if (!script_reader_next(&reader, &an->arena, &again))
        return;
    w->parsed = again;
    w->text = w->substitution.text;
    w->substituted = true;
    w->start = (uint32_t)from;
}

static span_t script_span(const struct work *w, span_t span)
{
    if (span.end == 0)
        return span;
    if (w->substituted) {
        span = substitution_span(&w->substitution, span);
        span = (span_t){span.start + w->start, span.end + w->start};
    }
    return w->outer == NULL ? span : substitution_span(w->outer, span);
}

static void lead_spans_back(const struct work *w, struct doc_statement *out)
{
    if (!w->substituted && w->outer == NULL)
        return;
    out->span = script_span(w, out->span);
    for (uint32_t i = 0; i < out->column_count; i++)
        out->columns[i].span = script_span(w, out->columns[i].span);
    for (uint32_t i = 0; i < out->predicate_count; i++)
        out->predicates[i].span = script_span(w, out->predicates[i].span);
    for (uint32_t i = 0; i < out->diags.list.count; i++)
        out->diags.list.items[i].span = script_span(w, out->diags.list.items[i].span);
    span_t error = script_span(w, (span_t){out->error.at, out->error.end});
    out->error.at = error.start;
    out->error.end = error.end;
}

/* What an outer text put in the place of a variable of its own is known to nobody but its interpreter. */
static void note_unset_variable(struct analysis *an, const struct work *w, struct doc_statement *out, span_t span, str_t name)
{
    span_t inner = w->substituted ? substitution_span(&w->substitution, span) : span;
    uint32_t at = w->substituted ? inner.start + w->start : inner.start;
    bool by_value = w->substituted && substitution_replaced(&w->substitution, span.start);
    if (w->outer != NULL && (by_value || substitution_replaced(w->outer, at)))
        diag_add_name(&an->arena, &out->diags, DIAG_DYNAMIC_SQL, span, STR("is known at run time only: "), name, STR(""));
    else
        diag_add_name(&an->arena, &out->diags, DIAG_UNSET_VARIABLE, span, STR("has no value and stands for itself: "), name, STR(""));
}

static void note_unset_variables(struct analysis *an, const struct work *w, struct doc_statement *out)
{
    const struct stmt *stmt = w->parsed.stmt;
    str_t text = str_make(w->text.ptr + stmt->span.start, stmt->span.end - stmt->span.start);
    for (size_t at = str_find(text, '$', 0); at + 2 < text.len; at = str_find(text, '$', at + 1)) {
        size_t close = text.ptr[at + 1] == '{' ? str_find(text, '}', at) : text.len;
        if (close == text.len)
            continue;
        span_t span = {stmt->span.start + (uint32_t)at, stmt->span.start + (uint32_t)close + 1};
        note_unset_variable(an, w, out, span, str_make(text.ptr + at, close + 1 - at));
    }
}

static void analyze(struct analysis *an, struct work *w, const struct stmt *stmt, str_t text, struct doc_statement *out)
{
    struct bind_input input = {.arena = &an->arena,
                               .catalog = an->catalog,
                               .parse_options = &an->reader.options,
                               .text = text,
                               .database = an->database,
                               .expand_complex_types = an->options.expand_complex_types,
                               .engine = an->options.reading == READING_ENGINE,
                               .diags = &out->diags};
    struct bound_statement *bound = bind_statement(&input, stmt);
    if (bound == NULL)
        return;
    struct flow_input flow = {&an->arena, an->options.dialect, an->options.reading, &out->diags};
    flow_statement(&flow, bound, out);
    if (!bound->explain && !bind_apply(&input, stmt, bound))
        w->catalog_full = true;
}

/* EXECUTE p USING ..: the lineage is the prepared query's. */
static void analyze_execute(struct analysis *an, struct work *w, struct doc_statement *out)
{
    const struct execute_stmt *execute = w->parsed.stmt->u.execute;
    for (uint32_t i = an->prepared.count; i-- > 0;) {
        if (!name_eq(an->prepared.items[i].key, execute->name.name))
            continue;
        struct script_reader reader;
        struct parsed inner;
        script_reader_init(&reader, an->prepared.items[i].value, &an->reader.options);
        if (script_reader_next(&reader, &an->arena, &inner) && inner.stmt != NULL)
            analyze(an, w, inner.stmt, an->prepared.items[i].value, out);
        for (uint32_t k = 0; k < out->column_count; k++)
            out->columns[k].span = (span_t){0, 0};
        for (uint32_t k = 0; k < out->predicate_count; k++)
            out->predicates[k].span = (span_t){0, 0};
        return;
    }
}

static void too_large(struct doc_statement *out)
{
    out->error = (struct parse_error){DIAG_TOO_LARGE, out->span.start, out->span.end,
                                      STR("the analysis needs more memory than its limit")};
    out->column_count = out->predicate_count = out->input_count = out->output_count = out->view_count = 0;
    out->diags = (struct diag_list){{NULL, 0, 0}, 0};
}

/* A statement that is nothing but a variable of the outer language: that the variable is open says it all. */
static bool is_outer_variable(const struct work *w, const struct stmt *stmt)
{
    return w->outer != NULL && w->text.ptr[stmt->span.start] == '$';
}

static void run_statement(struct analysis *an, struct work *w, struct doc_statement *out)
{
    const struct stmt *stmt = w->parsed.stmt;
    out->type = stmt_kind_text((enum stmt_kind)stmt->kind).ptr;
    out->span = stmt->span;
    out->error = w->parsed.error;
    out->stmt = stmt;
    out->text = (struct doc_text){w->text, stmt->span, &an->reader.options, &an->arena, w->parsed.tokens};
    if (stmt->kind == STMT_DYNAMIC && !is_outer_variable(w, stmt))
        diag_add(&an->arena, &out->diags, DIAG_DYNAMIC_SQL, stmt->span, STR("SQL put together at run time cannot be seen here"));
    if (w->variables && stmt->kind != STMT_SET)
        note_unset_variables(an, w, out);
    if (stmt->kind == STMT_EXECUTE)
        analyze_execute(an, w, out);
    else if (!an->options.parse_only && stmt->kind != STMT_BROKEN)
        analyze(an, w, stmt, w->text, out);
    apply_to_session(an, stmt, w->text);
    lead_spans_back(w, out);
}

const struct doc_statement *analysis_next(struct analysis *an)
{
    arena_clear(&an->arena);
    struct doc_statement *out = &an->statement;
    struct work w = {.text = an->reader.text, .outer = an->outer};
    size_t from = an->reader.pos;
    if (!script_reader_next(&an->reader, &an->arena, &w.parsed))
        return NULL;
    *out = (struct doc_statement){.index = an->index++, .type = "UNKNOWN", .database = an->database};
    read_substituted(an, &w, from);
    if (w.parsed.stmt != NULL)
        run_statement(an, &w, out);
    else
        out->span = (span_t){(uint32_t)lex_skip_blanks(an->reader.text, from, an->options.dialect), (uint32_t)an->reader.pos};
    if (an->arena.failed || an->session.failed || w.catalog_full || w.parsed.stmt == NULL)
        too_large(out);
    return out;
}
