/* Names are letters, digits, `_`, `$` and all beyond ASCII, or anything between backquotes. */
#include "ask/words.h"

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
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
    return at + 1 < sql.len && ((sql.ptr[at] == '-' && sql.ptr[at + 1] == '-') ||
                                (sql.ptr[at] == '/' && sql.ptr[at + 1] == '*'));
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

static void take_name(struct sql_words *words)
{
    str_t sql = words->sql;
    size_t at = words->start = words->at;
    buf_clear(&words->word);
    at = past_part(sql, at, &words->word);
    while (at + 1 < sql.len && sql.ptr[at] == '.' &&
           (in_name(sql.ptr[at + 1]) || sql.ptr[at + 1] == '`')) {
        buf_add_char(&words->word, '.');
        at = past_part(sql, at + 1, &words->word);
    }
    words->at = at;
}

void sql_words_begin(struct sql_words *words, str_t sql)
{
    *words = (struct sql_words){.sql = sql};
    buf_init(&words->word, 0);
}

void sql_words_end(struct sql_words *words)
{
    buf_release(&words->word);
}

bool sql_words_next(struct sql_words *words)
{
    while (words->at < words->sql.len) {
        char c = words->sql.ptr[words->at];
        if (begins_comment(words->sql, words->at)) {
            words->at = past_comment(words->sql, words->at);
        } else if (c == '\'' || c == '"') {
            words->at = past_string(words->sql, words->at);
        } else if (in_name(c) || c == '`') {
            take_name(words);
            return true;
        } else {
            words->at++;
        }
    }
    return false;
}
