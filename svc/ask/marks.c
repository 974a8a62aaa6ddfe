/* Names of tables in a text of SQL, found as words: the text may be of any dialect, whole or cut. */
#include "ask/queries.h"


struct words_of_text {
    str_t sql;
    size_t at;
};

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Behind a string that begins at `at`. */
static size_t past_string(str_t sql, size_t at)
{
    char quote = sql.ptr[at++];
    while (at < sql.len && sql.ptr[at] != quote)
        at += sql.ptr[at] == '\\' ? 2 : 1;
    return at < sql.len ? at + 1 : sql.len;
}

static size_t past_comment(str_t sql, size_t at)
{
    bool line = sql.ptr[at] == '-';
    for (at += 2; at < sql.len; at++) {
        if (line && sql.ptr[at] == '\n')
            return at;
        if (!line && sql.ptr[at] == '*' && at + 1 < sql.len && sql.ptr[at + 1] == '/')
            return at + 2;
    }
    return sql.len;
}

static bool begins_comment(str_t sql, size_t at)
{
    return at + 1 < sql.len && ((sql.ptr[at] == '-' && sql.ptr[at + 1] == '-') || (sql.ptr[at] == '/' && sql.ptr[at + 1] == '*'));
}

/* One part of a dotted name, quoted or not. */
static size_t past_part(str_t sql, size_t at, struct buf *name)
{
    if (sql.ptr[at] == '`') {
        for (at++; at < sql.len && sql.ptr[at] != '`'; at++)
            buf_add_char(name, ascii_lower(sql.ptr[at]));
        return at < sql.len ? at + 1 : sql.len;
    }
    for (; at < sql.len && in_name(sql.ptr[at]); at++)
        buf_add_char(name, ascii_lower(sql.ptr[at]));
    return at;
}

/* The next dotted name, lower case and without quotes, in `name`; false at the end. */
static bool next_name(struct words_of_text *text, struct buf *name, size_t *start)
{
    str_t sql = text->sql;
    while (text->at < sql.len) {
        size_t at = text->at;
        char c = sql.ptr[at];
        if (begins_comment(sql, at)) {
            text->at = past_comment(sql, at);
        } else if (c == '\'' || c == '"') {
            text->at = past_string(sql, at);
        } else if (in_name(c) || c == '`') {
            *start = at;
            buf_clear(name);
            at = past_part(sql, at, name);
            while (at + 1 < sql.len && sql.ptr[at] == '.' && (in_name(sql.ptr[at + 1]) || sql.ptr[at + 1] == '`')) {
                buf_add_char(name, '.');
                at = past_part(sql, at + 1, name);
            }
            text->at = at;
            return true;
        } else {
            text->at++;
        }
    }
    return false;
}

/* `t` is `DATABASE.t`. */
static bool names_table(str_t word, str_t database, str_t table)
{
    if (str_eq(word, table))
        return true;
    str_t own = database.len == 0 ? STR("default") : database;
    return table.len == own.len + 1 + word.len && str_eq_fold(str_make(table.ptr, own.len), own) && table.ptr[own.len] == '.' &&
           str_ends_with(table, word);
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
    static const str_t words[] = {STR("into"), STR("overwrite"), STR("table"), STR("view"), STR("update"), STR("exists"), STR("merge"), STR("upsert")};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

struct ask_mark *ask_marks(struct arena *arena, str_t sql, str_t database, const struct ask_words *inputs, const struct ask_words *outputs,
                           uint32_t *count)
{
    VEC(struct ask_mark) marks = {0};
    struct words_of_text text = {.sql = sql};
    struct buf word;
    size_t start;
    bool target_next = false;
    buf_init(&word, 0);
    while (next_name(&text, &word, &start)) {
        str_t input = named_by(buf_str(&word), database, inputs), output = named_by(buf_str(&word), database, outputs);
        bool target = output.len > 0 && (target_next || input.len == 0);
        struct ask_mark *mark = input.len + output.len > 0 ? VEC_PUSH(arena, &marks) : NULL;
        if (mark != NULL)
            *mark = (struct ask_mark){start, text.at, target, target ? output : input};
        target_next = leads_to_target(buf_str(&word));
    }
    buf_release(&word);
    *count = marks.count;
    return marks.items;
}
