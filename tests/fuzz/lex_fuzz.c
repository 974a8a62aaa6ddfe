/* Any bytes lex to their end, in order, in both dialects and all modes of quoting. */
#include <stdlib.h>

#include "sql/lex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lex_all(str_t text, const struct parse_options *options)
{
    struct arena arena;
    arena_init(&arena, 0, NULL);
    for (size_t pos = 0; pos < text.len;) {
        struct tokens tokens = {0};
        size_t next = lex_statement(text, pos, options, &arena, &tokens);
        if (next <= pos || next > text.len || tokens.list.count == 0)
            abort();
        uint32_t end = (uint32_t)pos;
        for (uint32_t i = 0; i < tokens.list.count; i++) {
            const struct token *token = &tokens.list.items[i];
            bool last = i + 1 == tokens.list.count;
            if (token->start < end || token->end < token->start || token->end > text.len || (token->kind == TOKEN_END) != last)
                abort();
            end = token->end;
        }
        pos = next;
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str_t text = str_make((const char *)data, size);
    lex_all(text, &(struct parse_options){.dialect = DIALECT_IMPALA});
    lex_all(text, &(struct parse_options){.dialect = DIALECT_HIVE, .quoted_identifiers = QUOTED_COLUMN});
    lex_all(text, &(struct parse_options){.dialect = DIALECT_HIVE, .quoted_identifiers = QUOTED_STANDARD});
    lex_all(text, &(struct parse_options){.dialect = DIALECT_HIVE, .quoted_identifiers = QUOTED_NONE});
    return 0;
}
