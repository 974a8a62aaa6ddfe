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

static const uint8_t classes[KEYWORD_COUNT][2] = {
    {WORD_PLAIN, WORD_PLAIN},
#define KEYWORD(id, text, hive, impala) {hive, impala},
#include "sql/keywords.def"
#undef KEYWORD
};

/* Whether the middle of a long word, which its key leaves out, is that of the keyword. */
static bool same_middle(const char *word, const char *text, size_t len)
{
    for (size_t i = 8; i + 8 < len; i++)
        if ((word[i] | 0x20) != (text[i] | 0x20))
            return false;
    return true;
}

enum keyword keyword_lookup(const char *word, size_t len, const char *end, enum dialect dialect,
                            uint8_t *word_class)
{
    char copy[8] = {0};
    const char *readable = word;
    if (end - word < 8) {
        memcpy(copy, word, len < 8 ? len : 8);
        readable = copy;
    }
    struct keyword_key key = keyword_key_of(readable, len);
    uint32_t hash = keyword_hash(key, len);
    uint16_t found = keyword_slots[keyword_slot(hash, keyword_displacements[keyword_bucket(hash)])];
    const struct keyword_entry *entry = &keyword_entries[found];
    bool same =
        ((entry->key.head ^ key.head) | (entry->key.tail ^ key.tail) | (entry->len ^ len)) == 0;
    if (same && len > 16)
        same = same_middle(word, texts[found].text, len);
    found = same ? found : 0;
    *word_class = classes[found][dialect];
    return *word_class == WORD_PLAIN ? KW_NONE : (enum keyword)found;
}

enum keyword keyword_find(str_t word, enum dialect dialect, enum word_class *word_class)
{
    uint8_t found_class;
    enum keyword found =
        keyword_lookup(word.ptr, word.len, word.ptr + word.len, dialect, &found_class);
    *word_class = (enum word_class)found_class;
    return found;
}

str_t keyword_text(enum keyword word)
{
    /* The id of a word with signs in it, such as `fast-forward`, is not its text. */
    str_t text = str_make(texts[word].text, texts[word].len);
    bool signs = text.len > 0 && (text.ptr[0] < 'a' || memchr(text.ptr, '-', text.len) != NULL);
    return signs ? text : ids[word];
}
