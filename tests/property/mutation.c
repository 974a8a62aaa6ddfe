/*
 * mutation [--rounds N] [--seed N] [--reading engine] PATH..: breaks statements and looks at what becomes of them and of their neighbours. Tokens inside one
 * statement are dropped, doubled or swapped; its terminator stays, and USE, SET and DDL are not touched. The analyser must come back, must see
 * as many statements as before, and must give all others the lineage that they had. Scripts are the .lt files' and, of files that end in
 * .sql or .hql, the whole file. Ends with `N passed, N failed`.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/render.h"
#include "support/script.h"

struct options {
    size_t rounds;
    struct random random;
    colline_reading reading;
};

struct counts {
    size_t passed, failed;
};

/* ---- lineage of every statement --------------------------------------------------------------------------------- */

struct answers {
    struct text *items;
    size_t count;
};

static struct answers answers_of(const struct text *sql, colline_dialect dialect, const struct options *options)
{
    static const struct render_options plain = {.headings = false};
    struct answers answers = {0};
    colline_analyzer *an = colline_analyzer_new(NULL, 0);
    colline_set_dialect(an, dialect);
    colline_set_reading(an, options->reading);
    colline_begin(an, sql->len == 0 ? "" : sql->ptr, sql->len);
    for (const colline_statement *st; (st = colline_next(an)) != NULL;) {
        answers.items = realloc(answers.items, (answers.count + 1) * sizeof *answers.items);
        if (answers.items == NULL)
            err(3, "answers");
        answers.items[answers.count] = (struct text){0};
        render_statement(&answers.items[answers.count++], an, st, &plain);
    }
    colline_analyzer_free(an);
    return answers;
}

static void answers_free(struct answers *answers)
{
    for (size_t i = 0; i < answers->count; i++)
        text_free(&answers->items[i]);
    free(answers->items);
    *answers = (struct answers){0};
}

/* ---- changes ---------------------------------------------------------------------------------------------------- */

static void add_span(struct text *out, str_t text, uint32_t start, uint32_t end)
{
    text_add(out, text.ptr + start, end - start);
}

static void add_token(struct text *out, str_t text, const struct token *token)
{
    text_add_z(out, " ");
    add_span(out, text, token->start, token->end);
    text_add_z(out, " ");
}

enum change {
    CHANGE_DROP,
    CHANGE_DOUBLE,
    CHANGE_SWAP,
    CHANGE_COUNT
};

/* The script with one to three tokens of one statement changed. */
static struct text mutate(const struct script *script, const struct piece *piece, struct random *random)
{
    struct text out = {0};
    uint32_t at = 0;
    size_t first = random_below(random, piece->token_count);
    size_t changes = 1 + random_below(random, 3);
    for (size_t i = first; i < piece->token_count && changes > 0; changes--) {
        const struct token *token = &piece->tokens[i], *other = &piece->tokens[random_below(random, piece->token_count)];
        add_span(&out, script->text, at, token->start);
        uint32_t change = random_below(random, CHANGE_COUNT);
        change = piece->token_count < 4 && change == CHANGE_DROP ? CHANGE_DOUBLE : change; /* an empty statement is none */
        if (change == CHANGE_DROP)
            text_add_z(&out, " ");
        else
            add_token(&out, script->text, change == CHANGE_SWAP ? other : token);
        if (change == CHANGE_DOUBLE)
            add_token(&out, script->text, token);
        at = token->end;
        i += 1 + random_below(random, 4);
    }
    add_span(&out, script->text, at, (uint32_t)script->text.len);
    return out;
}

static bool same_neighbours(const struct answers *before, const struct answers *after, size_t changed)
{
    bool good = before->count == after->count;
    for (size_t i = 0; good && i < before->count; i++)
        good = i == changed || text_equal(&before->items[i], &after->items[i]);
    return good;
}

static void show(const char *title, const struct text *sql, const struct answers *before, const struct answers *after, size_t changed)
{
    printf("FAIL %s: statement %zu was changed\n%s\n", title, changed, sql->ptr);
    printf("  statements before %zu, after %zu\n", before->count, after->count);
    for (size_t i = 0; i < before->count && i < after->count; i++)
        if (i != changed && !text_equal(&before->items[i], &after->items[i]))
            printf("  statement %zu before:\n%s  after:\n%s", i, before->items[i].ptr, after->items[i].ptr);
}

static void run(const char *title, const struct text *sql, enum dialect dialect, struct options *options, struct counts *counts)
{
    struct script script = script_of(str_make(sql->ptr, sql->len), dialect);
    struct answers before = answers_of(sql, (colline_dialect)dialect, options);
    for (size_t round = 0; round < options->rounds && script.count > 0; round++) {
        size_t changed = random_below(&options->random, script.count);
        const struct piece *piece = &script.pieces[changed];
        if (!piece_is_query(piece) || piece->token_count == 0)
            continue;
        struct text mutant = mutate(&script, piece, &options->random);
        struct answers after = answers_of(&mutant, (colline_dialect)dialect, options);
        bool good = same_neighbours(&before, &after, changed);
        if (!good && counts->failed < 20)
            show(title, &mutant, &before, &after, changed);
        *(good ? &counts->passed : &counts->failed) += 1;
        answers_free(&after);
        text_free(&mutant);
    }
    answers_free(&before);
    script_free(&script);
}

/* ---- scripts ---------------------------------------------------------------------------------------------------- */

struct context {
    struct options *options;
    struct counts *counts;
};

/* Two statements around the case's, so that each has neighbours. */
static void run_case(void *context, const struct lt_case *lt, enum dialect dialect)
{
    struct context *c = context;
    struct text sql = lt_whole_script(lt);
    text_add_z(&sql, "\n;\nselect a, b + 1 as c from side.t where d = 1;\nselect e from side.u");
    run(lt->title, &sql, dialect, c->options, c->counts);
    text_free(&sql);
}

static void run_files(const char *path, const char *suffix, enum dialect dialect, struct context *c)
{
    char **files = files_below(path, suffix);
    for (size_t i = 0; files[i] != NULL; i++) {
        struct text sql = text_of_file(files[i]);
        run(files[i], &sql, dialect, c->options, c->counts);
        text_free(&sql);
    }
    files_free(files);
}

int main(int argc, char **argv)
{
    struct options options = {.rounds = 40, .random = {1}};
    struct counts counts = {0};
    struct context context = {&options, &counts};
    int arg = 1;
    for (; arg + 1 < argc && argv[arg][0] == '-'; arg += 2) {
        if (strcmp(argv[arg], "--rounds") == 0)
            options.rounds = strtoul(argv[arg + 1], NULL, 10);
        else if (strcmp(argv[arg], "--seed") == 0)
            options.random.state = strtoul(argv[arg + 1], NULL, 10);
        else if (strcmp(argv[arg], "--reading") == 0)
            options.reading = strcmp(argv[arg + 1], "engine") == 0 ? COLLINE_READING_ENGINE : COLLINE_READING_VALUE;
        else
            errx(2, "usage: mutation [--rounds N] [--seed N] [--reading engine] PATH..");
    }
    lt_each_case(argv + arg, run_case, &context);
    for (; arg < argc; arg++) {
        run_files(argv[arg], ".hql", DIALECT_HIVE, &context);
        run_files(argv[arg], ".impala.sql", DIALECT_IMPALA, &context);
    }
    printf("%zu passed, %zu failed\n", counts.passed, counts.failed);
    return counts.failed == 0 ? 0 : 1;
}
