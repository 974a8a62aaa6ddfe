/*
 * metamorphic PATH..: changes that must not change lineage. Every statement of the .lt files is written in other ways: with comments between
 * its tokens, with its words in other case, its tables' aliases renamed, its query wrapped in a subquery, and in a CTE; the lineage must stay
 * what it was, line by line. Ends with `N passed, N failed`.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/run.h"
#include "support/script.h"

/* ---- writing scripts in other ways ------------------------------------------------------------------------------ */

static void add_span(struct text *out, str_t text, uint32_t start, uint32_t end)
{
    text_add(out, text.ptr + start, end - start);
}

/* The script with each query's tokens written by `write`; other statements as they are. */
static struct text rewrite(const struct script *script, void (*write)(struct text *out, str_t bytes, const struct token *token))
{
    struct text out = {0};
    uint32_t at = 0;
    for (size_t i = 0; i < script->count; i++) {
        const struct piece *piece = &script->pieces[i];
        for (size_t k = 0; piece_is_query(piece) && k < piece->token_count; k++) {
            const struct token *token = &piece->tokens[k];
            add_span(&out, script->text, at, token->start);
            write(&out, str_make(script->text.ptr + token->start, token->end - token->start), token);
            at = token->end;
        }
    }
    add_span(&out, script->text, at, (uint32_t)script->text.len);
    return out;
}

static void write_with_comment(struct text *out, str_t bytes, const struct token *token)
{
    text_add(out, bytes.ptr, bytes.len);
    /* What stands right behind may belong to the token: 'a' 'b', f (, x.y. */
    if (token->kind == TOKEN_COMMA || token->kind == TOKEN_RPAREN || token->word == KW_SELECT)
        text_add_z(out, " /* a, 'b */ -- c\n ");
}

/* Words in the other case. Names between quotes fold as well. */
static void write_in_other_case(struct text *out, str_t bytes, const struct token *token)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.ptr[i];
        bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
        if ((lower || upper) && (token->kind == TOKEN_WORD || token->kind == TOKEN_QUOTED))
            c = (char)(c ^ 0x20);
        text_add(out, &c, 1);
    }
}

/* ---- aliases ---------------------------------------------------------------------------------------------------- */

struct aliases {
    span_t spans[64];
    size_t count;
};

static void add_alias(struct aliases *aliases, const struct ident *alias)
{
    if (alias != NULL && aliases->count < 64)
        aliases->spans[aliases->count++] = alias->span;
}

static void alias_of_item(struct aliases *aliases, const struct from_item *item)
{
    if (item == NULL)
        return;
    add_alias(aliases, item->alias);
    for (uint32_t i = 0; i < item->lateral_count; i++)
        add_alias(aliases, item->laterals[i].alias);
}

/* Aliases of the outermost FROM: its names cannot be seen from anywhere else. */
static void aliases_of_block(struct aliases *aliases, const struct block *block)
{
    const struct from_item *from = block->from;
    alias_of_item(aliases, from);
    if (from == NULL || from->kind != FROM_JOIN)
        return;
    alias_of_item(aliases, from->first);
    for (uint32_t i = 0; i < from->join_count; i++)
        alias_of_item(aliases, from->joins[i].right);
}

static const struct query *query_of(const struct stmt *stmt)
{
    if (stmt->kind == STMT_QUERY)
        return stmt->u.query;
    bool insert = stmt->kind == STMT_INSERT || stmt->kind == STMT_UPSERT;
    if (insert && stmt->u.insert->leg_count == 1 && stmt->u.insert->from == NULL)
        return stmt->u.insert->legs[0].query;
    return NULL;
}

static str_t name_text(str_t text, const struct token *token)
{
    uint32_t quote = token->kind == TOKEN_QUOTED ? 1 : 0;
    return str_make(text.ptr + token->start + quote, token->end - token->start - 2 * quote);
}

static bool is_name(const struct token *token)
{
    return token->kind == TOKEN_WORD || token->kind == TOKEN_QUOTED;
}

/* Whether the token qualifies a name that follows. */
static bool qualifies(const struct token *token)
{
    return token[1].kind == TOKEN_DOT && token[-1].kind != TOKEN_DOT;
}

/* The token that stands at the alias' place. */
static const struct token *token_of_alias(const struct piece *piece, span_t alias)
{
    for (size_t k = 0; k < piece->token_count; k++)
        if (piece->tokens[k].start == alias.start)
            return &piece->tokens[k];
    return NULL;
}

/* Whether a name stands somewhere else in the statement than in front of a dot: an inner alias, a column. */
static bool is_used_otherwise(const struct script *script, const struct piece *piece, const struct token *alias)
{
    for (size_t k = 1; k < piece->token_count; k++) {
        const struct token *token = &piece->tokens[k];
        if (token != alias && is_name(token) && !qualifies(token)
            && str_eq_fold(name_text(script->text, token), name_text(script->text, alias)))
            return true;
    }
    return false;
}

static bool is_alias(const struct script *script, const struct piece *piece, const struct aliases *aliases, const struct token *token)
{
    for (size_t i = 0; i < aliases->count; i++) {
        const struct token *alias = token_of_alias(piece, aliases->spans[i]);
        if (alias == NULL || is_used_otherwise(script, piece, alias))
            continue;
        if (token == alias
            || (qualifies(token) && str_eq_fold(name_text(script->text, token), name_text(script->text, alias))))
            return true;
    }
    return false;
}

/* The statement with each alias of its outermost FROM renamed, there and where it qualifies a name. */
static struct text rename_aliases(const struct script *script, const struct piece *piece, const struct stmt *stmt)
{
    struct aliases aliases = {0};
    struct text out = {0};
    const struct query *query = query_of(stmt);
    if (query != NULL && query->kind == QUERY_BLOCK)
        aliases_of_block(&aliases, query->u.block);
    uint32_t at = piece->span.start;
    for (size_t k = 1; k < piece->token_count && aliases.count > 0; k++) {
        const struct token *token = &piece->tokens[k];
        if (!is_name(token) || !is_alias(script, piece, &aliases, token))
            continue;
        str_t name = name_text(script->text, token);
        add_span(&out, script->text, at, token->start);
        text_add_format(&out, "zz_%.*s", (int)name.len, name.ptr);
        at = token->end;
    }
    add_span(&out, script->text, at, piece->span.end);
    return out;
}

/* ---- wrapping --------------------------------------------------------------------------------------------------- */

static struct text wrap(const struct script *script, const struct piece *piece, const struct stmt *stmt, const char *before,
                        const char *after)
{
    struct text out = {0};
    const struct query *query = query_of(stmt);
    if (query == NULL) {
        add_span(&out, script->text, piece->span.start, piece->span.end);
        return out;
    }
    add_span(&out, script->text, piece->span.start, query->span.start);
    text_add_z(&out, before);
    add_span(&out, script->text, query->span.start, query->span.end);
    text_add_z(&out, after);
    add_span(&out, script->text, query->span.end, piece->span.end);
    return out;
}

static struct text wrap_in_subquery(const struct script *script, const struct piece *piece, const struct stmt *stmt)
{
    return wrap(script, piece, stmt, "select * from (", ") zz_wrapped");
}

/* Hive wants the WITH of an INSERT in front of it; one that has a WITH already stays as it is. */
static struct text wrap_in_cte(const struct script *script, const struct piece *piece, const struct stmt *stmt)
{
    const struct query *query = query_of(stmt);
    bool in_front = script->dialect == DIALECT_HIVE && stmt->kind == STMT_INSERT && query != NULL;
    if (!in_front)
        return wrap(script, piece, stmt, "with zz_cte as (", ") select * from zz_cte");
    struct text out = {0};
    if (stmt->u.insert->cte_count > 0) {
        add_span(&out, script->text, piece->span.start, piece->span.end);
        return out;
    }
    text_add_z(&out, "with zz_cte as (");
    add_span(&out, script->text, query->span.start, query->span.end);
    text_add_z(&out, ") ");
    add_span(&out, script->text, piece->span.start, query->span.start);
    text_add_z(&out, "select * from zz_cte");
    add_span(&out, script->text, query->span.end, piece->span.end);
    return out;
}

typedef struct text (*statement_writer)(const struct script *script, const struct piece *piece, const struct stmt *stmt);

/* The script with each query written by `write`, which is given its tree. */
static struct text rewrite_statements(const struct script *script, statement_writer write)
{
    struct text out = {0};
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    uint32_t at = 0;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, script->text, &(struct parse_options){.dialect = script->dialect});
    for (size_t i = 0; i < script->count && script_reader_next(&reader, &arena, &parsed); i++) {
        const struct piece *piece = &script->pieces[i];
        if (!piece_is_query(piece))
            continue;
        struct text written = write(script, piece, parsed.stmt);
        add_span(&out, script->text, at, piece->span.start);
        text_add(&out, written.ptr, written.len);
        text_free(&written);
        at = piece->span.end;
    }
    add_span(&out, script->text, at, (uint32_t)script->text.len);
    arena_release(&arena);
    return out;
}

/* ---- checking --------------------------------------------------------------------------------------------------- */

struct counts {
    size_t passed, failed;
};

static void compare(const struct lt_case *lt, enum dialect dialect, const char *what, struct text *changed, struct counts *counts)
{
    struct text before = run_case(lt, (colline_dialect)dialect, NULL);
    struct text after = run_case(lt, (colline_dialect)dialect, changed);
    bool good = text_equal(&before, &after);
    if (!good)
        printf("FAIL %s: %s\n%s\n  before:\n%s  after:\n%s", lt->title, what, changed->ptr, before.ptr, after.ptr);
    *(good ? &counts->passed : &counts->failed) += 1;
    text_free(&before);
    text_free(&after);
    text_free(changed);
}

/* Whether the case turns on the very text: places and expressions, or names that come from it. */
static bool turns_on_text(const struct lt_case *lt)
{
    return lt_has_option(lt, "show", "expressions") || lt_has_option(lt, "show", "steps") || lt_has_option(lt, "show", "spans")
           || (lt->expected.len > 0 && strstr(lt->expected.ptr, "error: ") != NULL);
}

/* Wrapping adds a level: what is only said of the outermost, and the engines' own readings, would change. */
static bool may_be_wrapped(const struct lt_case *lt)
{
    return !lt_has_option(lt, "reading", "engine") && !lt_has_option(lt, "wrap", "no");
}

static void check(void *context, const struct lt_case *lt, enum dialect dialect)
{
    struct counts *counts = context;
    if (turns_on_text(lt))
        return;
    struct script script = script_of(str_make(lt->sql.ptr == NULL ? "" : lt->sql.ptr, lt->sql.len), dialect);
    struct text changed = rewrite(&script, write_with_comment);
    compare(lt, dialect, "comments", &changed, counts);
    changed = rewrite(&script, write_in_other_case);
    compare(lt, dialect, "case", &changed, counts);
    changed = rewrite_statements(&script, rename_aliases);
    compare(lt, dialect, "aliases", &changed, counts);
    if (may_be_wrapped(lt)) {
        changed = rewrite_statements(&script, wrap_in_subquery);
        compare(lt, dialect, "subquery", &changed, counts);
        changed = rewrite_statements(&script, wrap_in_cte);
        compare(lt, dialect, "CTE", &changed, counts);
    }
    script_free(&script);
}

int main(int argc, char **argv)
{
    (void)argc;
    struct counts counts = {0};
    lt_each_case(argv + 1, check, &counts);
    printf("%zu passed, %zu failed\n", counts.passed, counts.failed);
    return counts.failed == 0 ? 0 : 1;
}
