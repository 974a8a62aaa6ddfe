/*
 * refill PATH..: lineage used again. In every query of the .lt files the literals are changed and lists of IN made longer. Where the lineage
 * key stays the same, the document of the first text, filled in anew for the second, must be the document that the second has by itself.
 * So it shows two things: that the key tells apart all that lineage depends on, and that filling in is right. Ends with `N passed, N failed`.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fingerprint/fingerprint.h"
#include "flow/refill.h"
#include "support/script.h"

struct counts {
    size_t passed, failed;
    size_t other_key, alone; /* not to be filled in, so it says: a piece stands in a list that counts as one item */
};

/* ---- changing literals ------------------------------------------------------------------------------------------ */

static void add_span(struct text *out, str_t text, uint32_t start, uint32_t end)
{
    text_add(out, text.ptr + start, end - start);
}

static void add_changed(struct text *out, str_t text, const struct token *token)
{
    bool string = token->kind == TOKEN_STRING;
    add_span(out, text, token->start, token->end - string);
    text_add_z(out, "7");
    add_span(out, text, token->end - string, token->end);
}

/* Whether the literal is the first item of a list of literals: IN ('a' .. */
static bool begins_list(const struct piece *piece, size_t k)
{
    return k >= 2 && piece->tokens[k - 1].kind == TOKEN_LPAREN && piece->tokens[k - 2].word == KW_IN;
}

/* The text with the literals of one statement changed; `upto` bounds which: all, or the first so many. */
static struct text change_literals(const struct script *script, const struct piece *piece, size_t upto)
{
    struct text out = {0};
    uint32_t at = 0;
    for (size_t k = 0; k < piece->token_count && upto > 0; k++) {
        const struct token *token = &piece->tokens[k];
        if (token->kind != TOKEN_STRING && token->kind != TOKEN_NUMBER)
            continue;
        add_span(&out, script->text, at, token->start);
        if (begins_list(piece, k)) {
            add_span(&out, script->text, token->start, token->end);
            text_add_z(&out, ", ");
        }
        add_changed(&out, script->text, token);
        at = token->end;
        upto--;
    }
    add_span(&out, script->text, at, (uint32_t)script->text.len);
    return out;
}

/* ---- comparing documents ---------------------------------------------------------------------------------------- */

static bool same_span(span_t a, span_t b)
{
    return a.start == b.start && a.end == b.end;
}

static bool same_sources(const struct doc_source *a, uint32_t a_count, const struct doc_source *b, uint32_t b_count)
{
    bool same = a_count == b_count;
    for (uint32_t i = 0; same && i < a_count; i++)
        same = str_eq(a[i].table, b[i].table) && str_eq(a[i].column, b[i].column) && str_eq(a[i].path, b[i].path);
    return same;
}

static bool same_column(const struct doc_column *a, const struct doc_column *b)
{
    bool same = str_eq(a->table, b->table) && str_eq(a->column, b->column) && a->ordinal == b->ordinal
                && a->transform == b->transform && str_eq(a->expression, b->expression) && same_span(a->span, b->span)
                && a->step_count == b->step_count && same_sources(a->sources, a->source_count, b->sources, b->source_count);
    for (uint32_t i = 0; same && i < a->step_count; i++)
        same = str_eq(a->steps[i], b->steps[i]);
    return same;
}

static bool same_predicate(const struct doc_predicate *a, const struct doc_predicate *b)
{
    bool same = a->clause == b->clause && str_eq(a->expression, b->expression) && same_span(a->span, b->span)
                && a->target_count == b->target_count && same_sources(a->sources, a->source_count, b->sources, b->source_count);
    for (uint32_t i = 0; same && i < a->target_count; i++)
        same = str_eq(a->targets[i].table, b->targets[i].table) && str_eq(a->targets[i].column, b->targets[i].column);
    return same;
}

static bool same_output(const struct doc_output *a, const struct doc_output *b)
{
    bool same = str_eq(a->dataset.table, b->dataset.table) && str_eq(a->dataset.path, b->dataset.path) && a->mode == b->mode
                && a->partition_count == b->partition_count;
    for (uint32_t i = 0; same && i < a->partition_count; i++)
        same = str_eq(a->partitions[i].key, b->partitions[i].key) && str_eq(a->partitions[i].value, b->partitions[i].value);
    return same;
}

static bool same_document(const struct doc_statement *a, const struct doc_statement *b)
{
    bool same = same_span(a->span, b->span) && a->operation == b->operation && a->input_count == b->input_count
                && a->output_count == b->output_count && a->column_count == b->column_count
                && a->predicate_count == b->predicate_count && a->diags.list.count == b->diags.list.count;
    for (uint32_t i = 0; same && i < a->input_count; i++)
        same = str_eq(a->inputs[i].table, b->inputs[i].table) && str_eq(a->inputs[i].path, b->inputs[i].path);
    for (uint32_t i = 0; same && i < a->output_count; i++)
        same = same_output(&a->outputs[i], &b->outputs[i]);
    for (uint32_t i = 0; same && i < a->column_count; i++)
        same = same_column(&a->columns[i], &b->columns[i]);
    for (uint32_t i = 0; same && i < a->predicate_count; i++)
        same = same_predicate(&a->predicates[i], &b->predicates[i]);
    return same;
}

/* ---- one statement ---------------------------------------------------------------------------------------------- */

static struct fingerprint key_of(str_t text, size_t at, const struct analysis_options *options, struct arena *arena)
{
    struct lineage_context context = {.options = {.dialect = options->dialect}, .engine = options->reading == READING_ENGINE};
    struct tokens tokens = {0};
    lex_statement(text, at, &context.options, arena, &tokens);
    struct fingerprint print = fingerprint_of(text, &tokens, options->dialect, arena);
    return lineage_key(text, &tokens, &context, print, arena);
}

/* The document of the statement of this number. */
static const struct doc_statement *document_of(struct analysis *an, str_t text, const struct analysis_options *options, size_t number)
{
    const struct doc_statement *st = NULL;
    analysis_init(an, NULL, 0, NULL);
    analysis_begin(an, text, options);
    for (size_t i = 0; i <= number; i++)
        st = analysis_next(an);
    return st;
}

static void refill(const struct script *script, size_t number, str_t after, const struct analysis_options *options,
                   struct arena *arena, struct counts *counts)
{
    struct analysis first, second;
    struct slot_map map;
    const struct doc_statement *made = document_of(&first, script->text, options, number);
    const struct doc_statement *wanted = document_of(&second, after, options, number);
    struct slot_text from = {script->text, made->span.start}, to = {after, made->span.start};
    bool aligned = slots_align(&map, from, to, &(struct parse_options){.dialect = options->dialect}, arena);
    const struct doc_statement *filled = aligned ? document_refill(&map, made) : NULL;
    bool alone = aligned && filled == NULL, good = filled != NULL && same_document(filled, wanted);
    *(alone ? &counts->alone : good ? &counts->passed : &counts->failed) += 1;
    if (!alone && !good)
        printf("FAIL %.*s\n", (int)after.len, after.ptr);
    analysis_release(&first);
    analysis_release(&second);
}

static void check_statement(const struct script *script, size_t number, const struct analysis_options *options, size_t upto,
                            struct counts *counts)
{
    struct text changed = change_literals(script, &script->pieces[number], upto);
    str_t after = str_make(changed.ptr, changed.len);
    struct arena arena;
    arena_init(&arena, 0, NULL);
    uint32_t at = script->pieces[number].span.start;
    struct fingerprint before_key = key_of(script->text, at, options, &arena), after_key = key_of(after, at, options, &arena);
    if (before_key.high != after_key.high || before_key.low != after_key.low)
        counts->other_key++;
    else
        refill(script, number, after, options, &arena, counts);
    arena_release(&arena);
    text_free(&changed);
}

static void check(void *context, const struct lt_case *lt, enum dialect dialect)
{
    struct text sql = lt_whole_script(lt);
    struct script script = script_of(str_make(sql.ptr, sql.len), dialect);
    struct analysis_options options = lt_analysis_options(lt, dialect);
    bool variables = memchr(sql.ptr, '$', sql.len) != NULL;
    for (size_t i = 0; i < script.count && !variables; i++)
        for (size_t upto = 0; upto < 4 && piece_is_query(&script.pieces[i]); upto++)
            check_statement(&script, i, &options, upto == 3 ? SIZE_MAX : upto, context);
    script_free(&script);
    text_free(&sql);
}

int main(int argc, char **argv)
{
    (void)argc;
    struct counts counts = {0};
    lt_each_case(argv + 1, check, &counts);
    printf("%zu with another key, %zu to be analysed by themselves\n%zu passed, %zu failed\n", counts.other_key, counts.alone, counts.passed, counts.failed);
    return counts.failed == 0 ? 0 : 1;
}
