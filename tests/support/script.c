/* Statements and tokens of scripts, by the library's own reader. */
#include "support/script.h"

#include <err.h>
#include <stdlib.h>

static struct piece *new_piece(struct script *script)
{
    script->pieces = realloc(script->pieces, (script->count + 1) * sizeof *script->pieces);
    if (script->pieces == NULL)
        err(3, "script");
    struct piece *piece = &script->pieces[script->count++];
    *piece = (struct piece){0};
    return piece;
}

static void lex_piece(struct piece *piece, str_t text, const struct parse_options *options, struct arena *arena)
{
    struct tokens tokens = {0};
    lex_statement(str_make(text.ptr, piece->span.end), piece->span.start, options, arena, &tokens);
    piece->token_count = tokens.list.count == 0 ? 0 : tokens.list.count - 1;
    piece->tokens = calloc(piece->token_count + 1, sizeof *piece->tokens);
    if (piece->tokens == NULL)
        err(3, "tokens");
    memcpy(piece->tokens, tokens.list.items, piece->token_count * sizeof *piece->tokens);
}

struct script script_of(str_t text, enum dialect dialect)
{
    struct script script = {.text = text, .dialect = dialect};
    struct parse_options options = {.dialect = dialect};
    struct script_reader reader;
    struct parsed parsed;
    struct arena arena;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, text, &options);
    while (script_reader_next(&reader, &arena, &parsed) && parsed.stmt != NULL) {
        struct piece *piece = new_piece(&script);
        piece->span = parsed.stmt->span;
        piece->kind = parsed.stmt->kind;
        piece->broken = parsed.error.message.len > 0;
        lex_piece(piece, text, &options, &arena);
    }
    arena_release(&arena);
    return script;
}

void script_free(struct script *script)
{
    for (size_t i = 0; i < script->count; i++)
        free(script->pieces[i].tokens);
    free(script->pieces);
    *script = (struct script){0};
}

bool piece_is_query(const struct piece *piece)
{
    uint16_t kind = piece->kind;
    return !piece->broken
           && (kind == STMT_QUERY || kind == STMT_INSERT || kind == STMT_UPSERT || kind == STMT_UPDATE || kind == STMT_DELETE
               || kind == STMT_MERGE);
}

/* ---- cases ------------------------------------------------------------------------------------------------------ */

static void add_ddl(void *context, const char *word, const char *rest)
{
    struct text *out = context;
    if (strcmp(word, "schema") == 0)
        text_add_format(out, "CREATE TABLE %s;\n", rest);
    else if (strcmp(word, "setup") == 0)
        text_add_format(out, "%s;\n", rest);
}

struct text lt_whole_script(const struct lt_case *lt)
{
    struct text out = {0};
    lt_each_option(lt, add_ddl, &out);
    text_add(&out, lt->sql.ptr, lt->sql.len);
    return out;
}

struct analysis_options lt_analysis_options(const struct lt_case *lt, enum dialect dialect)
{
    return (struct analysis_options){.dialect = dialect,
                                     .reading = lt_has_option(lt, "reading", "engine") ? READING_ENGINE : READING_VALUE,
                                     .database = lt_has_option(lt, "database", "pier") ? STR("pier") : STR("")};
}

static void use_file(const char *path, void (*use)(void *context, const struct lt_case *lt, enum dialect dialect), void *context)
{
    struct lt_file file = lt_read(path);
    for (size_t i = 0; i < file.count; i++) {
        if (file.cases[i].hive)
            use(context, &file.cases[i], DIALECT_HIVE);
        if (file.cases[i].impala)
            use(context, &file.cases[i], DIALECT_IMPALA);
    }
    lt_free(&file);
}

void lt_each_case(char *const *paths, void (*use)(void *context, const struct lt_case *lt, enum dialect dialect), void *context)
{
    for (; *paths != NULL; paths++) {
        char **files = files_below(*paths, ".lt");
        for (size_t i = 0; files[i] != NULL; i++)
            use_file(files[i], use, context);
        files_free(files);
    }
}

/* splitmix64 */
uint32_t random_below(struct random *random, size_t limit)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return limit == 0 ? 0 : (uint32_t)((z ^ z >> 31) % limit);
}
