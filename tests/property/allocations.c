/*
 * allocations PATH..: analyses every case of the .lt files with the first piece of memory failing, then the second, and so on until
 * none fails; once with only that piece failing, once with all later ones as well. Nothing may crash, nothing may leak, and a script whose
 * analysis ran out of memory must say so in a statement, or give the very answer that it gives with enough. Ends with `N passed, N failed`.
 */
#include <stdio.h>
#include <stdlib.h>

#include "support/script.h"

struct memory {
    size_t served, fail_at; /* the piece that fails */
    bool all_later;
    bool failed;
    size_t live; /* pieces not yet given back */
};

static void *allocate(void *context, size_t size)
{
    struct memory *memory = context;
    size_t number = memory->served++;
    if (number == memory->fail_at || (memory->all_later && number > memory->fail_at)) {
        memory->failed = true;
        return NULL;
    }
    void *piece = malloc(size);
    memory->live += piece != NULL;
    return piece;
}

static void release(void *context, void *piece)
{
    struct memory *memory = context;
    memory->live -= piece != NULL;
    free(piece);
}

/* What was found in a script, in numbers. */
struct found {
    size_t statements, inputs, outputs, columns, sources, predicates;
    bool short_of_memory; /* and said so */
};

static void add_statement(struct found *found, const struct doc_statement *st)
{
    found->statements++;
    found->inputs += st->input_count;
    found->outputs += st->output_count;
    found->columns += st->column_count;
    found->predicates += st->predicate_count;
    for (uint32_t i = 0; i < st->column_count; i++)
        found->sources += st->columns[i].source_count;
    found->short_of_memory = found->short_of_memory || (st->error.message.len > 0 && st->error.code == DIAG_TOO_LARGE);
}

static struct found analyze_all(const struct text *script, const struct analysis_options *options, struct memory *memory)
{
    const struct arena_source source = {allocate, release, memory, true};
    struct analysis an;
    struct found found = {0};
    analysis_init(&an, NULL, 0, &source);
    if (analysis_begin(&an, str_make(script->ptr, script->len), options))
        for (const struct doc_statement *st; (st = analysis_next(&an)) != NULL;)
            add_statement(&found, st);
    else
        found.short_of_memory = true;
    analysis_release(&an);
    return found;
}

static bool same(const struct found *a, const struct found *b)
{
    return a->statements == b->statements && a->inputs == b->inputs && a->outputs == b->outputs && a->columns == b->columns
           && a->sources == b->sources && a->predicates == b->predicates;
}

struct counts {
    size_t passed, failed, runs;
};

static bool fail_in_turn(const struct text *script, const struct analysis_options *options, bool all_later, struct counts *counts)
{
    struct memory memory = {.fail_at = SIZE_MAX};
    struct found whole = analyze_all(script, options, &memory);
    for (size_t fail_at = 0; memory.fail_at == SIZE_MAX || memory.failed; fail_at++) {
        memory = (struct memory){.fail_at = fail_at, .all_later = all_later};
        struct found found = analyze_all(script, options, &memory);
        counts->runs++;
        bool honest = found.short_of_memory ? memory.failed : same(&found, &whole);
        if (memory.live != 0 || !honest)
            return false;
    }
    return true;
}

static void check(void *context, const struct lt_case *lt, enum dialect dialect)
{
    struct counts *counts = context;
    struct text script = lt_whole_script(lt);
    struct analysis_options options = lt_analysis_options(lt, dialect);
    bool good = fail_in_turn(&script, &options, false, counts) && fail_in_turn(&script, &options, true, counts);
    if (!good)
        printf("FAIL %s\n", lt->title);
    *(good ? &counts->passed : &counts->failed) += 1;
    text_free(&script);
}

int main(int argc, char **argv)
{
    (void)argc;
    struct counts counts = {0};
    lt_each_case(argv + 1, check, &counts);
    if (counts.runs < 100 * (counts.passed + counts.failed)) {
        printf("FAIL too few pieces of memory: is `exact` of struct arena_source still obeyed?\n");
        counts.failed++;
    }
    printf("%zu runs\n%zu passed, %zu failed\n", counts.runs, counts.passed, counts.failed);
    return counts.failed == 0 ? 0 : 1;
}
