/*
 * values PATH..: the cache of lineages. Every statement of the .lt files and of the sample warehouse is asked for again and again with other
 * values in its literals: longer, shorter, equal ones, nought, quotes and escapes; of the warehouse once more when a table has changed. What
 * the cache gives must be what an analysis by itself gives, to the byte. Ends with `N passed, N failed`.
 */
#include <stdio.h>
#include <stdlib.h>

#include "normalize/lineage.h"
#include "support/script.h"

enum {
    ROUNDS = 12,
    SOME_FILLED = 1000 /* less would mean that the cache does not do its work */
};

struct counts {
    size_t passed, failed;
    uint64_t filled;
    struct random random;
    struct space *space;
    struct lineage *cached;
};

/* ---- other values ----------------------------------------------------------------------------------------------- */

static void add_other(struct text *out, struct random *random, bool digits)
{
    static const char *const strings[] = {"2024-03-15", "x", "Zz Q", "n'; drop", "a\\'b", "10:00/=%*", "\xe4\xb8\x8a\xe6\xb5\xb7", "${v}", "line\nbreak", "", "zQ0001Qz", "\\", "DT"};
    static const char *const numbers[] = {"1", "0", "42", "007", "123456", "900000001", "12345678901234567890", "3"};
    text_add_z(out, digits ? numbers[random_below(random, sizeof numbers / sizeof numbers[0])]
                           : strings[random_below(random, sizeof strings / sizeof strings[0])]);
}

static void add_value(struct text *out, str_t before, bool digits, size_t round, struct random *random)
{
    if (round == 1) { /* all longer, equal ones stay equal */
        text_add(out, before.ptr, before.len);
        text_add_z(out, "7");
    } else if (round == 2) { /* all equal */
        text_add_z(out, digits ? "5" : "same");
    } else if (random_below(random, 3) == 0) {
        text_add(out, before.ptr, before.len);
    } else if (round < 7) {
        char text[24];
        snprintf(text, sizeof text, digits ? "%u" : "v%u", 1 + random_below(random, round == 3 ? 3 : 100000));
        text_add_z(out, text);
    } else {
        add_other(out, random, digits);
    }
}

static bool is_plain(str_t text, const struct token *token, bool *digits)
{
    *digits = token->kind == TOKEN_NUMBER;
    for (uint32_t i = token->start; *digits && i < token->end; i++)
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
    return *digits || token->kind == TOKEN_STRING;
}

/* The statement with other values; round 0: as it is. */
static struct text with_values(const struct script *script, const struct piece *piece, size_t round, struct random *random)
{
    struct text out = {0};
    uint32_t at = piece->span.start;
    for (size_t k = 0; k < piece->token_count && round > 0; k++) {
        const struct token *token = &piece->tokens[k];
        bool digits;
        if (!is_plain(script->text, token, &digits))
            continue;
        uint32_t quote = digits ? 0 : 1;
        text_add(&out, script->text.ptr + at, token->start + quote - at);
        add_value(&out, str_make(script->text.ptr + token->start + quote, token->end - token->start - 2 * quote), digits, round, random);
        at = token->end - quote;
    }
    text_add(&out, script->text.ptr + at, piece->span.end - at);
    return out;
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

static bool same_list(const str_t *a, uint32_t a_count, const str_t *b, uint32_t b_count)
{
    bool same = a_count == b_count;
    for (uint32_t i = 0; same && i < a_count; i++)
        same = str_eq(a[i], b[i]);
    return same;
}

static bool same_result(const struct lineage_result *a, const struct lineage_result *b)
{
    bool same = str_eq(a->document, b->document) && str_eq(a->type, b->type) && str_eq(a->operation, b->operation) && str_eq(a->error, b->error) &&
                str_eq(a->dropped, b->dropped) && a->statements == b->statements && a->found == b->found && a->uncertain == b->uncertain &&
                memcmp(a->fingerprint, b->fingerprint, sizeof a->fingerprint) == 0 && a->output_count == b->output_count &&
                same_list(a->inputs, a->input_count, b->inputs, b->input_count) && same_list(a->paths, a->path_count, b->paths, b->path_count) &&
                same_list(a->views, a->view_count, b->views, b->view_count);
    for (uint32_t i = 0; same && i < a->output_count; i++)
        same = str_eq(a->outputs[i].table, b->outputs[i].table) && str_eq(a->outputs[i].path, b->outputs[i].path) &&
               str_eq(a->outputs[i].mode, b->outputs[i].mode) && str_eq(a->outputs[i].spec, b->outputs[i].spec);
    return same;
}

static void check_text(struct counts *counts, str_t sql, bool hive)
{
    const struct lineage_text text = {.sql = sql, .hive = hive};
    struct lineage *alone = lineage_new(16);
    lineage_turn(counts->cached);
    const struct lineage_result *got = lineage_of(counts->cached, counts->space, &text), *wanted = lineage_of(alone, counts->space, &text);
    bool good = got != NULL && wanted != NULL && same_result(got, wanted);
    *(good ? &counts->passed : &counts->failed) += 1;
    if (!good)
        printf("FAIL %.*s\n%.*s\n%.*s\n", (int)sql.len, sql.ptr, got == NULL ? 0 : (int)got->document.len, got == NULL ? "" : got->document.ptr,
               wanted == NULL ? 0 : (int)wanted->document.len, wanted == NULL ? "" : wanted->document.ptr);
    lineage_free(alone);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static void check_script(struct counts *counts, str_t text, enum dialect dialect)
{
    struct script script = script_of(text, dialect);
    for (size_t i = 0; i < script.count; i++)
        for (size_t round = 0; round < ROUNDS && !script.pieces[i].broken; round++) {
            struct text changed = with_values(&script, &script.pieces[i], round, &counts->random);
            check_text(counts, str_make(changed.ptr, changed.len), dialect == DIALECT_HIVE);
            text_free(&changed);
        }
    script_free(&script);
}

static struct lineage *new_lineage(void)
{
    struct lineage *lineage = lineage_new(1000);
    if (lineage == NULL)
        abort();
    return lineage;
}

static void end_lineage(struct counts *counts)
{
    counts->filled += lineage_counts(counts->cached).filled;
    lineage_free(counts->cached);
}

static void check_case(void *context, const struct lt_case *lt, enum dialect dialect)
{
    struct counts *counts = context;
    struct buf reason;
    struct text sql = lt_whole_script(lt);
    str_t text = str_make(sql.ptr, sql.len);
    buf_init(&reason, 0);
    struct spaces *spaces = spaces_new(NULL, 0, &reason);
    counts->space = spaces_get(spaces, STR("n"));
    counts->cached = new_lineage();
    space_run(counts->space, text, dialect == DIALECT_HIVE, STR("default"));
    check_script(counts, text, dialect);
    end_lineage(counts);
    spaces_free(spaces);
    buf_release(&reason);
    text_free(&sql);
}

static void check_files(struct counts *counts, const char *path, const char *suffix, enum dialect dialect)
{
    char **files = files_below(path, suffix);
    for (char **file = files; *file != NULL; file++) {
        struct text sql = text_of_file(*file);
        check_script(counts, str_make(sql.ptr, sql.len), dialect);
        text_free(&sql);
    }
    files_free(files);
}

static void check_samples(struct counts *counts)
{
    static const str_t ddl[] = {
        STR(SOURCE_DIR "/samples/warehouse/ddl/00_databases.hql"), STR(SOURCE_DIR "/samples/warehouse/ddl/10_dim.hql"),
        STR(SOURCE_DIR "/samples/warehouse/ddl/20_ods.hql"),       STR(SOURCE_DIR "/samples/warehouse/ddl/30_dwd.hql"),
        STR(SOURCE_DIR "/samples/warehouse/ddl/40_dws.hql"),       STR(SOURCE_DIR "/samples/warehouse/ddl/50_ads.hql"),
        STR(SOURCE_DIR "/samples/warehouse/ddl/60_views.hql"),
    };
    struct buf reason;
    buf_init(&reason, 0);
    struct spaces *spaces = spaces_new(ddl, sizeof ddl / sizeof ddl[0], &reason);
    if (spaces == NULL)
        abort();
    counts->space = spaces_get(spaces, STR("n"));
    counts->cached = new_lineage();
    for (int turn = 0; turn < 2; turn++) {
        check_files(counts, SOURCE_DIR "/samples/warehouse/hive", ".hql", DIALECT_HIVE);
        check_files(counts, SOURCE_DIR "/samples/warehouse/impala", ".sql", DIALECT_IMPALA);
        space_run(counts->space, STR("alter table dwd.dwd_trip_detail_di add columns (later int)"), true, STR("default"));
        space_touch(counts->space, STR("dwd.dwd_trip_detail_di"));
    }
    end_lineage(counts);
    spaces_free(spaces);
    buf_release(&reason);
}

int main(int argc, char **argv)
{
    (void)argc;
    struct counts counts = {.random = {1}};
    lt_each_case(argv + 1, check_case, &counts);
    check_samples(&counts);
    printf("%llu came from the cache with other values\n%zu passed, %zu failed\n", (unsigned long long)counts.filled, counts.passed, counts.failed);
    return counts.failed == 0 && counts.filled >= SOME_FILLED ? 0 : 1;
}
