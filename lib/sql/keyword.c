/* Bare word → keyword, by a table without collisions that tools/gen_keywords.c makes from keywords.def. */
#include "sql/keyword.h"

#include "keyword_table.h"
#include "sql/keyword_hash.h"

struct keyword_entry {
    const char *text;
    uint8_t len;
    uint8_t word_class[2]; /* by enum dialect */
};

static const struct keyword_entry entries[KEYWORD_COUNT] = {
    {"", 0, {WORD_PLAIN, WORD_PLAIN}},
#define KEYWORD(id, text, hive, impala) {text, sizeof(text) - 1, {hive, impala}},
#include "sql/keywords.def"
#undef KEYWORD
};

static const str_t ids[KEYWORD_COUNT] = {
    {"", 0},
#define KEYWORD(id, text, hive, impala) {#id, sizeof(#id) - 1},
#include "sql/keywords.def"
#undef KEYWORD
};

/* Eight bytes with the case of letters folded. */
static uint64_t load_folded(const char *s)
{
    uint64_t bytes;
    memcpy(&bytes, s, sizeof(bytes));
    return bytes | UINT64_C(0x2020202020202020);
}

/* Equality of a word with a keyword of the same length. */
static bool matches(const char *word, const char *text, size_t len)
{
    if (len >= 8) {
        for (size_t i = 0; i + 8 < len; i += 8)
            if (load_folded(word + i) != load_folded(text + i))
                return false;
        return load_folded(word + len - 8) == load_folded(text + len - 8);
    }
    for (size_t i = 0; i < len; i++)
        if ((word[i] | 0x20) != (text[i] | 0x20))
            return false;
    return true;
}

enum keyword keyword_lookup(const char *word, size_t len, enum dialect dialect, uint8_t *word_class)
{
    *word_class = WORD_PLAIN;
    if (len < KEYWORD_MIN_LENGTH || len > KEYWORD_MAX_LENGTH)
        return KW_NONE;
    uint32_t hash = keyword_hash(word, len);
    uint16_t found = keyword_slots[keyword_slot(hash, keyword_displacements[keyword_bucket(hash)])];
    const struct keyword_entry *entry = &entries[found];
    if (entry->len != len || entry->word_class[dialect] == WORD_PLAIN || !matches(word, entry->text, len))
        return KW_NONE;
    *word_class = entry->word_class[dialect];
    return (enum keyword)found;
}

enum keyword keyword_find(str_t word, enum dialect dialect, enum word_class *word_class)
{
    uint8_t found_class;
    enum keyword found = keyword_lookup(word.ptr, word.len, dialect, &found_class);
    *word_class = (enum word_class)found_class;
    return found;
}

str_t keyword_text(enum keyword word)
{
    /* The id of a word with signs in it, such as `fast-forward`, is not its text. */
    bool signs = !((entries[word].text[0] | 0x20) >= 'a') || memchr(entries[word].text, '-', entries[word].len) != NULL;
    return signs ? str_make(entries[word].text, entries[word].len) : ids[word];
}
