/* Names of tables in a text of SQL, found as words: the text may be of any dialect, whole or cut.
 */
#include "ask/queries.h"

#include "ask/words.h"

/* `t` is `DATABASE.t`. */
static bool names_table(str_t word, str_t database, str_t table)
{
    if (str_eq(word, table))
        return true;
    str_t own = database.len == 0 ? STR("default") : database;
    return table.len == own.len + 1 + word.len && str_eq_fold(str_make(table.ptr, own.len), own) &&
           table.ptr[own.len] == '.' && str_ends_with(table, word);
}

static str_t named_by(str_t word, str_t database, const struct ask_words *tables)
{
    for (uint32_t i = 0; i < tables->count; i++)
        if (names_table(word, database, tables->items[i]))
            return tables->items[i];
    return STR("");
}

/* Words behind which a target stands. */
static bool leads_to_target(str_t word)
{
    static const str_t words[] = {STR("into"),   STR("overwrite"), STR("table"), STR("view"),
                                  STR("update"), STR("exists"),    STR("merge"), STR("upsert")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

struct ask_mark *ask_marks(struct arena *arena, str_t sql, str_t database,
                           const struct ask_words *inputs, const struct ask_words *outputs,
                           uint32_t *count)
{
    VEC(struct ask_mark) marks = {0};
    struct sql_words words;
    bool target_next = false;
    sql_words_begin(&words, sql);
    while (sql_words_next(&words)) {
        str_t word = buf_str(&words.word);
        str_t input = named_by(word, database, inputs), output = named_by(word, database, outputs);
        bool target = output.len > 0 && (target_next || input.len == 0);
        struct ask_mark *mark = input.len + output.len > 0 ? VEC_PUSH(arena, &marks) : NULL;
        if (mark != NULL)
            *mark = (struct ask_mark){words.start, words.at, target, target ? output : input};
        target_next = leads_to_target(word);
    }
    sql_words_end(&words);
    *count = marks.count;
    return marks.items;
}
