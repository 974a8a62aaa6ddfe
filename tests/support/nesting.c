#include "support/nesting.h"

#include <stdlib.h>

#include "support/text.h"

static int parse_error(const struct text *sql, enum dialect dialect)
{
    struct arena arena;
    struct script_reader reader;
    struct parsed parsed;
    arena_init(&arena, 0, NULL);
    script_reader_init(&reader, str_make(sql->ptr, sql->len),
                       &(struct parse_options){.dialect = dialect});
    bool read = script_reader_next(&reader, &arena, &parsed);
    int code = !read ? -2 : parsed.error.message.len > 0 ? (int)parsed.error.code : -1;
    arena_release(&arena);
    return code;
}

int nested_error(const struct nesting *nesting, size_t n, enum dialect dialect)
{
    struct text sql = {0};
    text_add_z(&sql, nesting->before);
    for (size_t i = 0; i < n; i++)
        text_add_z(&sql, nesting->open);
    text_add_z(&sql, nesting->core);
    for (size_t i = 0; i < n; i++)
        text_add_z(&sql, nesting->close);
    text_add_z(&sql, nesting->after);
    int code = parse_error(&sql, dialect);
    text_free(&sql);
    return code;
}
