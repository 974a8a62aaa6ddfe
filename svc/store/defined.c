/* A statement's first words tell what it does, and where the name stands. */
#include "store/defined.h"

#include "normalize/names.h"

static bool word_is(str_t sql, uint32_t index, str_t word)
{
    return str_eq_fold(text_word(sql, index), word);
}

bool makes_temporary(str_t sql)
{
    return word_is(sql, 0, STR("create")) && word_is(sql, 1, STR("temporary"));
}

bool spares_what_is_there(str_t sql)
{
    static const str_t words = STR("if not exists");
    size_t end = sql.len < 200 ? sql.len : 200;
    for (size_t i = 0; i + words.len <= end; i++)
        if (same_folded(sql.ptr + i, words.ptr, words.len))
            return true;
    return false;
}

unsigned manner_of_creating(str_t sql)
{
    if (!word_is(sql, 0, STR("create")))
        return 0;
    return (makes_temporary(sql) ? 1U : 0U) + (spares_what_is_there(sql) ? 2U : 0U);
}

bool drops(str_t sql)
{
    return word_is(sql, 0, STR("drop"));
}

/* The name at a word, with the one behind a dot; *at moves behind it. */
static str_t name_at(str_t sql, uint32_t *at, str_t database, struct arena *arena)
{
    str_t first = text_word(sql, *at);
    if (!str_eq(text_word(sql, *at + 1), STR("."))) {
        *at += 1;
        return name_canonical(first, database, arena);
    }
    str_t parts[2] = {first, text_word(sql, *at + 2)};
    *at += 3;
    return name_canonical(arena_dotted(arena, parts, 2), database, arena);
}

/* The word at which the name stands in ALTER TABLE and ALTER VIEW; 0 for any other statement. */
static uint32_t altered_at(str_t sql)
{
    if (!word_is(sql, 0, STR("alter")))
        return 0;
    uint32_t at = word_is(sql, 1, STR("materialized")) ? 3 : 2;
    return word_is(sql, at - 1, STR("table")) || word_is(sql, at - 1, STR("view")) ? at : 0;
}

static bool renames_behind(str_t sql, uint32_t at)
{
    return word_is(sql, at, STR("rename")) && word_is(sql, at + 1, STR("to"));
}

bool renames(str_t sql)
{
    uint32_t at = altered_at(sql);
    return at > 0 && (renames_behind(sql, at + 1) || (str_eq(text_word(sql, at + 1), STR(".")) && renames_behind(sql, at + 3)));
}

static size_t altered_by(const struct event *event, uint32_t at, struct arena *arena, str_t names[2])
{
    names[0] = name_at(event->sql, &at, event->database, arena);
    if (names[0].len == 0)
        return 0;
    if (!renames_behind(event->sql, at))
        return 1;
    at += 2;
    names[1] = name_at(event->sql, &at, event->database, arena);
    return names[1].len == 0 || str_eq(names[0], names[1]) ? 1 : 2;
}

size_t defined_by(const struct event *event, struct arena *arena, str_t names[2])
{
    str_t sql = event->sql;
    if (event->sql_cut || sql.len == 0 || makes_temporary(sql))
        return 0;
    uint32_t at = altered_at(sql);
    if (at > 0)
        return altered_by(event, at, arena, names);
    if ((!word_is(sql, 0, STR("create")) && !drops(sql)) || event->output_count != 1)
        return 0;
    names[0] = event->output_tables[0]; /* of a statement that makes or drops one thing */
    return 1;
}
