/*
 * The lexer's way into the table of keywords; everybody else uses keyword_find and keyword_text of
 * lex.h.
 */
#ifndef COLLINE_SQL_KEYWORD_H
#define COLLINE_SQL_KEYWORD_H

#include "sql/keyword_hash.h"
#include "sql/lex.h"

/* What a bare word is. */
struct keyword_found {
    uint16_t word;      /* enum keyword; KW_NONE where the dialect has no such word */
    uint8_t word_class; /* enum word_class */
};

struct keyword_entry {
    struct keyword_key key;
    uint8_t len;
    uint8_t classes[2]; /* enum word_class, by dialect */
};

/* Made from keywords.def when the project is built. */
extern const uint16_t keyword_displacements[KEYWORD_BUCKETS];
extern const uint16_t keyword_slots[KEYWORD_SLOTS];
extern const struct keyword_entry keyword_entries[KEYWORD_COUNT];

/* Whether the middle of a long word, which its key leaves out, is that of the keyword. */
bool keyword_same_middle(const char *word, size_t len, enum keyword keyword);

/*
 * Looks up a word of letters, digits, `_`, `$` and `-` by its key. Whether it is a keyword cannot be guessed, so nothing
 * here branches on it.
 */
static inline struct keyword_found keyword_lookup_key(struct keyword_key key, const char *word, size_t len,
                                                      enum dialect dialect)
{
    uint32_t hash = keyword_hash(key, len);
    uint32_t found = keyword_slots[keyword_slot(hash, keyword_displacements[keyword_bucket(hash)])];
    const struct keyword_entry *entry = &keyword_entries[found];
    bool same = ((entry->key.head ^ key.head) | (entry->key.tail ^ key.tail) | (entry->len ^ len)) == 0;
    if (len > 16)
        same = same && keyword_same_middle(word, len, (enum keyword)found);
    uint32_t word_class = entry->classes[dialect] & (0u - same);
    return (struct keyword_found){(uint16_t)(found & (0u - (word_class != WORD_PLAIN))), (uint8_t)word_class};
}

/* The same without its key. */
static inline struct keyword_found keyword_lookup(const char *word, size_t len, enum dialect dialect)
{
    return keyword_lookup_key(keyword_key_of(word, len), word, len, dialect);
}

#endif
