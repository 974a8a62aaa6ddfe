/* Any bytes parse to their end: each statement is a tree or an error with a place, and its fingerprint can be made. */
#include <stdlib.h>

#include "base/buf.h"
#include "fingerprint/fingerprint.h"
#include "sql/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(str_t text, const struct parsed *parsed, const struct parse_options *options)
{
    const struct stmt *stmt = parsed->stmt;
    bool broken = parsed->error.message.len > 0;
    if (stmt->span.start > stmt->span.end || stmt->span.end > text.len || (broken && parsed->error.at > text.len))
        abort();
    struct arena arena;
    struct tokens tokens = {0};
    arena_init(&arena, 0, NULL);
    lex_statement(str_make(text.ptr, stmt->span.end), stmt->span.start, options, &arena, &tokens);
    fingerprint_of(text, &tokens, options->dialect, &arena);
    arena_release(&arena);
}

static void parse_all(str_t text, const struct parse_options *options)
{
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    struct buf dump;
    arena_init(&arena, 0, NULL);
    buf_init(&dump, 1 << 24);
    script_reader_init(&reader, text, options);
    for (size_t before = 0; script_reader_next(&reader, &arena, &parsed); before = reader.pos) {
        if (reader.pos <= before)
            abort();
        check(text, &parsed, options);
        ast_dump(&dump, text, parsed.stmt);
    }
    buf_release(&dump);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str_t text = str_make((const char *)data, size);
    parse_all(text, &(struct parse_options){.dialect = DIALECT_HIVE});
    parse_all(text, &(struct parse_options){.dialect = DIALECT_IMPALA});
    return 0;
}
