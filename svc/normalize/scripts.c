/* Statements by the library's own reader, so that strings and comments that hold `;` are no trouble. */
#include "normalize/scripts.h"

bool script_is_impala(str_t file)
{
    for (size_t at = 0; at + 6 <= file.len; at++)
        if (str_eq_fold(str_make(file.ptr + at, 6), STR("impala")))
            return true;
    return false;
}

static str_t slice(colline_text text)
{
    return str_make(text.ptr, text.len);
}

/* What reads or writes data, and what changes the catalog; not SET, USE, SHOW and commands of the client. */
static bool is_worth_it(const colline_statement *st)
{
    str_t type = slice(colline_statement_type(st));
    return !str_eq(slice(colline_statement_operation(st)), STR("none")) || str_starts_with(type, STR("ALTER ")) ||
           str_starts_with(type, STR("CREATE ")) || str_starts_with(type, STR("DROP ")) || colline_statement_failed(st);
}

static str_t numbered(str_t id, uint32_t number, struct arena *arena)
{
    struct buf text;
    buf_init(&text, 0);
    buf_add(&text, id);
    buf_add_char(&text, '#');
    buf_add_number(&text, number);
    str_t copy = arena_copy(arena, buf_str(&text));
    buf_release(&text);
    return copy;
}

size_t script_split(struct space *space, const struct raw_record *record, struct script_part **parts, struct arena *arena)
{
    VEC(struct script_part) found = {0};
    colline_analyzer *an = space->value;
    size_t statements = 0;
    str_t database = record->database.len > 0 ? record->database : STR("default");
    colline_set_dialect(an, script_is_impala(record->position.file) ? COLLINE_IMPALA : COLLINE_HIVE);
    if (colline_set_database(an, database.ptr, database.len) != COLLINE_OK ||
        colline_begin(an, record->sql.ptr, record->sql.len) != COLLINE_OK)
        return 0;
    for (const colline_statement *st; (st = colline_next(an)) != NULL;) {
        colline_span span = colline_statement_span(st);
        statements++;
        struct script_part *part = is_worth_it(st) && span.end <= record->sql.len && span.start < span.end ? VEC_PUSH(arena, &found) : NULL;
        if (part != NULL)
            *part = (struct script_part){numbered(record->query_id, colline_statement_index(st), arena),
                                         str_make(record->sql.ptr + span.start, span.end - span.start),
                                         arena_copy(arena, slice(colline_statement_database(st)))};
    }
    *parts = found.items;
    return statements > 1 ? found.count : 0;
}
