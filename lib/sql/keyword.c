/*
 * Bare word → keyword, by a table without collisions that tools/gen_keywords.c makes from
 * keywords.def.
 */
#include "sql/keyword.h"

#include "keyword_table.h"

static const struct {
    const char *text;
    uint8_t len;
} texts[KEYWORD_COUNT] = {
    {"", 0},
#define KEYWORD(id, text, hive, impala) {text, sizeof(text) - 1},
#include "sql/keywords.def"
#undef KEYWORD
};

static const str_t ids[KEYWORD_COUNT] = {
    {"", 0},
#define KEYWORD(id, text, hive, impala) {#id, sizeof(#id) - 1},
#include "sql/keywords.def"
#undef KEYWORD
};

bool keyword_same_middle(const char *word, size_t len, enum keyword keyword)
{
    const char *text = texts[keyword].text;
    for (size_t i = 8; i + 8 < len; i++)
        if ((word[i] | 0x20) != (text[i] | 0x20))
            return false;
    return true;
}

enum keyword keyword_find(str_t word, enum dialect dialect, enum word_class *word_class)
{
    struct keyword_found found = keyword_lookup(word.ptr, word.len, dialect);
    *word_class = (enum word_class)found.word_class;
    return (enum keyword)found.word;
}

str_t keyword_text(enum keyword word)
{
    /* The id of a word with signs in it, such as `fast-forward`, is not its text. */
    str_t text = str_make(texts[word].text, texts[word].len);
    bool signs = text.len > 0 && (text.ptr[0] < 'a' || memchr(text.ptr, '-', text.len) != NULL);
    return signs ? text : ids[word];
}
